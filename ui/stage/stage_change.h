// SPDX-License-Identifier: GPL-3.0-or-later
// The transition when the stage gets another layout: its cards move to their new places with their pictures; two
// replicas that become four split, a replica that is zoomed into grows. A third of a second, eased; the rest fades. It
// paints the old and the new picture, and changes neither.
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

  // Call before `image` and its layout are replaced.
  void leave(const QImage& image, const StageLayout& layout);
  // Call with the new layout. There is no motion if nothing was replaced just before, if the size differs, or if the
  // cards stand where they stood.
  void arrive(const StageLayout& layout);
  void end();

  bool isMoving() const { return motion_.state() == QAbstractAnimation::Running; }
  // True for a short time while the old picture is gone and the new one not there yet: the old one is painted
  // meanwhile.
  bool waits() const;
  void paintWaiting(QPainter& painter) const;
  void paint(QPainter& painter, const QImage& now, const QColor& ground) const;

  struct Move {
    QRectF from, to;
  };
  // Each card of the longer row moves from or to its share of the shorter one.
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
