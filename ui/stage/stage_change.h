// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen while the stage gets another layout: its cards go from where they were to where they are, and their
// pictures with them; two replicas that become four split, a replica that is looked into grows. A third of a second,
// eased; the rest fades. It paints what was painted before and what is painted now, and changes neither.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QRectF>
#include <QVariantAnimation>

#include <functional>
#include <vector>

#include "ui/scene/layout.h"

class QColor;
class QPainter;

namespace lab {

class StageChange {
 public:
  // `update` is called for each frame.
  explicit StageChange(std::function<void()> update);

  // `image` and the layout that it was painted in are going.
  void leave(const QImage& image, const StageLayout& layout);
  // What has come instead. Without motion where nothing has left a moment ago, where the size is another, or where the
  // cards stand as they stood.
  void arrive(const StageLayout& layout);
  void end();

  bool isMoving() const { return motion_.state() == QAbstractAnimation::Running; }
  // Something has left, and nothing has come yet, which may be soon: it is painted until then.
  bool waits() const;
  void paintWaiting(QPainter& painter) const;
  void paint(QPainter& painter, const QImage& now, const QColor& ground) const;

  struct Move {
    QRectF from, to;
  };
  // Each card of the longer row goes from or to its share of the shorter one.
  static std::vector<Move> movesBetween(const StageLayout& from, const StageLayout& to);

 private:
  std::function<void()> update_;
  QImage image_;
  StageLayout layout_;
  QElapsedTimer left_;
  std::vector<Move> moves_;
  QVariantAnimation motion_;
};

}  // namespace lab
