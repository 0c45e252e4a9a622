// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the gallery's experiments, made from the scene itself: a few steps are trained on a separate thread, one
// experiment at a time, and the moment is drawn without its words, which would be too small to read. A picture is made
// when it is first asked for in a theme, and then cached. Window's thread.
#pragma once

#include <QHash>
#include <QImage>
#include <QObject>
#include <QString>

#include <deque>
#include <memory>

#include "core/training/trainer.h"
#include "ui/guide/gallery.h"
#include "ui/runview/background.h"

namespace lab {

class GalleryPictures final : public QObject {
  Q_OBJECT

 public:
  static constexpr double kHigh = 0.5;  // share of the width
  // The most steps that are trained for a picture.
  static constexpr std::int64_t kMostSteps = 24;

  explicit GalleryPictures(QObject* parent = nullptr);
  ~GalleryPictures() override;

  // A picture about `width` pixels wide. Null if it is still being made (made() follows), or cannot be made.
  QImage picture(const GalleryEntry& entry, int width);

 Q_SIGNALS:
  void made();

 private:
  struct Moment;
  struct Wanted {
    const GalleryEntry* entry;
    int width;
  };
  void next();
  static QString keyOf(const GalleryEntry& entry);

  QHash<QString, QImage> images_;  // by name and theme; null: cannot be made
  std::deque<Wanted> wanted_;
  QString making_;
  Background background_;  // last member: it ends first
};

}  // namespace lab
