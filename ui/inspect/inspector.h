// SPDX-License-Identifier: GPL-3.0-or-later
// Tells about what the pointer is over or what was clicked, live while the movie moves. What it says is decided in
// describe(); here it is laid out.
#pragma once

#include <QTimer>
#include <QWidget>

namespace lab {

class Playback;
class RunController;
class Selection;

class Inspector final : public QWidget {
  Q_OBJECT

 public:
  Inspector(RunController& controller, Playback& playback, Selection& selection, QWidget* parent = nullptr);

  void refresh();

 Q_SIGNALS:
  void slowdownWanted(int replica, double factor);

 private:
  RunController& controller_;
  Playback& playback_;
  Selection& selection_;
};

}  // namespace lab
