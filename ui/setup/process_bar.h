// SPDX-License-Identifier: GPL-3.0-or-later
// Of a run among real processes: a button for each that ends it, as the system does where memory is short, and one that
// goes on from the newest checkpoint when the run has ended of it. Not there for other runs.
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
  static constexpr int kMostButtons = 8;  // of more the menu has all

  ProcessBar(RunController& controller, Experiment& experiment, QWidget* parent = nullptr);

 Q_SIGNALS:
  void killWanted(int worker);
  void allWanted(const QPoint& at);  // on the screen: a menu of all of them

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  bool isShort() const;  // of room: one button, with a menu of all
  void refresh();
  void makeButtons(const RunInfo& info);

  RunController& controller_;
  QLabel* words_;
  QToolButton* resume_;
  std::shared_ptr<const RunInfo> shown_;
};

// "process 4711 on host a": of a worker, in a sentence.
QString processWords(const RunInfo& info, int worker);
// Why it cannot be ended from here; "" where it can.
QString killRefusal(const RunController& run, int worker);

}  // namespace lab
