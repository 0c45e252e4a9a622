// SPDX-License-Identifier: GPL-3.0-or-later
// All trained steps as one thin bar under the scrubber: drag to go to any of them. Shows the present step and the
// progress of training.
#pragma once

#include <QRectF>
#include <QTimer>
#include <QWidget>

#include <cstdint>

#include "ui/accessibility/accessible.h"

namespace lab {

class Playback;
class RunController;

class RunBar final : public QWidget, public Positioned {
  Q_OBJECT

 public:
  RunBar(RunController& controller, Playback& playback, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

  QString words() const;  // "step 118 · live 142"
  double xAt(std::int64_t step) const;
  std::int64_t stepAt(double x) const;

  // For screen readers: the step on the stage, within the trained steps.
  Range range() const override;
  void moveTo(double step) override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void refresh();
  QRectF bar() const;
  std::int64_t firstStep() const;
  void seekTo(std::int64_t step);

  RunController& controller_;
  Playback& playback_;
  QString shownWords_;
  std::int64_t shownStep_ = 0, shownLive_ = 0;
  QTimer timer_;  // single shot
};

}  // namespace lab
