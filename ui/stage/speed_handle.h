// SPDX-License-Identifier: GPL-3.0-or-later
// The handle on the device that the user has pinned, to slow it down: its computation then takes up to ten times as
// long. It covers the words of the device's tray, so a device that a prepared moment is about has none until it is
// clicked. Positions are in the stage, in logical pixels.
#pragma once

#include <QCoreApplication>
#include <QLineF>
#include <QRectF>

class QPainter;

namespace lab {

class Selection;
class ShownStep;
struct StageLayout;

class SpeedHandle {
  Q_DECLARE_TR_FUNCTIONS(lab::SpeedHandle)

 public:
  // `layout` is that of the shown step.
  SpeedHandle(const ShownStep& step, const Selection& selection, const StageLayout& layout);

  QRectF box() const;  // null if the pinned object has no handle
  void paint(QPainter& painter) const;

  bool press(const QPointF& position);      // false if the handle is elsewhere
  bool drag(const QPointF& position);       // false if the handle is not held
  double release();                         // returns the factor that it was dragged to; 0 if it was not held
  int replica() const { return replica_; }  // whose handle was held last; -1: nobody's

 private:
  QLineF track() const;
  double factorAt(double x) const;

  const ShownStep& step_;
  const Selection& selection_;
  const StageLayout& layout_;
  double factor_ = 0;  // while it is held; else 0
  int replica_ = -1;
};

}  // namespace lab
