// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: progress and speed of training in plain words; in Profile also what was dropped and how smoothly the
// window itself runs. A message that is too long ends in "…", and the tool tip has all of it.
#pragma once

#include <QStatusBar>
#include <QTimer>

#include "ui/frame/frame_meter.h"
#include "ui/runview/known_steady.h"

class QLabel;

namespace lab {

class Playback;
class RunController;
class ServedClass;

class StatusLine final : public QStatusBar {
  Q_OBJECT

 public:
  StatusLine(RunController& controller, Playback& playback, ServedClass& served, QWidget* parent = nullptr);

  void refresh();
  void setFigures(bool shown);  // the figures of the window itself

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  bool isMoving() const;
  void schedule();
  void fit();
  QRect messageRect() const;

  RunController& controller_;
  Playback& playback_;
  ServedClass& served_;
  KnownSteady steady_;
  FrameMeter meter_;
  QTimer timer_;  // single shot
  bool figures_ = false;
  QLabel *state_, *step_, *rate_, *clock_, *dropped_, *frames_;
};

}  // namespace lab
