// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment as a page for any browser: its title, its picture, its settings in words, its link as text and its
// file. The page is self-contained: it loads nothing from elsewhere, and has no script.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QList>
#include <QString>

#include <utility>

namespace lab {

struct SharedExperiment {
  QString title;                                // "MirroredStrategy, 2 replicas"
  QList<std::pair<QString, QString>> settings;  // captions and values
  QImage picture;
  QString link;  // "strategylab:?…"; "" if it would be too long
  QByteArray file;
  QString fileName;  // "mirrored-2.slab"
};

// In the window's language. `fileUrl`: the file's address, relative to the page.
QByteArray sharedPage(const SharedExperiment& experiment, const QString& fileUrl);

}  // namespace lab
