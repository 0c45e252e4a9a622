// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment as a page that any browser shows: what it is, its picture, its settings in words, its link as text and
// its file. Whole in itself: it asks no other place for anything, and has no script.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QList>
#include <QString>

#include <utility>

namespace lab {

struct SharedExperiment {
  QString title;                                // "MirroredStrategy, 2 replicas"
  QList<std::pair<QString, QString>> settings;  // their captions and values
  QImage picture;
  QString link;  // "strategylab:?…"; "" where it would be too long
  QByteArray file;
  QString fileName;  // "mirrored-2.slab"
};

// In the window's language. `fileUrl`: where the file is, from the page.
QByteArray sharedPage(const SharedExperiment& experiment, const QString& fileUrl);

}  // namespace lab
