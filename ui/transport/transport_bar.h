// SPDX-License-Identifier: GPL-3.0-or-later
// The only transport, under the stage and under the lanes: ▶, the moments of the step, and the steps of the run as soon
// as there are several. Buttons for single steps stand beside ▶ if the user wants them.
#pragma once

#include <QWidget>

namespace lab {

class PlayButton;
class Playback;
class RunBar;
class RunController;
class Transport;

class TransportBar final : public QWidget {
  Q_OBJECT

 public:
  TransportBar(const Transport& transport, RunController& controller, Playback& playback, QWidget* parent = nullptr);

  void setSteps(bool shown);  // as far as there is room
  void setRunBar(bool has);   // keeps room for the bar with the run's steps, even while the bar is empty
  const QWidget& steps() const { return *steps_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  void countSteps();

  RunController& controller_;
  Playback& playback_;
  PlayButton* play_;
  QWidget* steps_;
  RunBar* runs_;
  bool wantsSteps_ = false, hasRunBar_ = true, severalSteps_ = false;
};

}  // namespace lab
