// SPDX-License-Identifier: GPL-3.0-or-later
// For a run among real processes: a button for each process that kills it, as the system does when memory is short, and
// one that resumes from the newest checkpoint after that has ended the run. Hidden for other runs.
#pragma once

#include <QWidget>

#include <memory>

class QLabel;
class QToolButton;

namespace lab {

class Experiment;
class RunController;
struct RunInfo;

class ProcessBar final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kMostButtons = 8;  // with more processes, the menu lists all

  ProcessBar(RunController& controller, Experiment& experiment, QWidget* parent = nullptr);

 Q_SIGNALS:
  void killWanted(int worker);
  void allWanted(const QPoint& at);  // in screen coordinates: a menu of all of them

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  bool isShort() const;  // true if room is short: one button, with a menu of all processes
  void refresh();
  void makeButtons(const RunInfo& info);

  RunController& controller_;
  QLabel* words_;
  QToolButton* resume_;
  std::shared_ptr<const RunInfo> shown_;
  bool short_ = false;  // isShort() at the latest refresh()
};

// "process 4711 on host a": a worker, for use in a sentence.
QString processWords(const RunInfo& info, int worker);
// Returns why the process cannot be killed from here; "" if it can.
QString killRefusal(const RunController& run, int worker);

}  // namespace lab
