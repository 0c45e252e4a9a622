// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the stage's place in Profile, where the trace fills the window: a button opens and closes the stage, and while
// it is closed, the strip shows the caption of the current beat.
#pragma once

#include <QWidget>

class QAction;
class QLabel;

namespace lab {

class Panel;
class Workspaces;
struct StageRun;

class StageStrip final : public QWidget {
  Q_OBJECT

 public:
  // `window` owns the action. `stage`: hidden while the strip stands for it; both are in one column of their parent.
  StageStrip(QWidget& window, QWidget& stage, StageRun& run, const Workspaces& workspaces);

  QAction& act() const { return *act_; }                        // opens and closes the stage
  void setTrace(const Panel& evidence) { trace_ = &evidence; }  // there is a strip while it stands in the window
  bool hidesStage() const;
  // As the user wants it: the stage at its usual height, or the strip alone. Call fit() afterwards.
  bool isOpen() const;
  void setOpen(bool open);
  void fit();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  bool isNeeded() const;
  void refresh();

  QWidget& stage_;
  StageRun& run_;
  const Workspaces& workspaces_;
  const Panel* trace_ = nullptr;
  QAction* act_;
  QLabel* words_;
};

}  // namespace lab
