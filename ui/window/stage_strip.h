// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the stage's place in Profile, where the trace fills the window: a button opens and closes the stage, and while
// it is closed, the strip shows the caption of the current beat.
#pragma once

#include <QWidget>

class QAction;
class QLabel;

namespace lab {

class Playback;
class RunController;

class StageStrip final : public QWidget {
  Q_OBJECT

 public:
  // `open`: checked while the stage is open.
  StageStrip(QAction& open, RunController& controller, Playback& playback, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();

  QAction& open_;
  RunController& controller_;
  Playback& playback_;
  QLabel* words_;
};

}  // namespace lab
