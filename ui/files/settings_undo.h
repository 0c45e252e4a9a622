// SPDX-License-Identifier: GPL-3.0-or-later
// Every change of the experiment's settings, wherever it is made, as a named step that can be taken back: "replicas 2 →
// 4"; likewise that a task died or came back, and a new start after that. Taking back is a change like any other: the
// experiment starts anew, with the settings that it had, those included that were only kept for another strategy, and
// goes to the step that a person saw before a fault. Quick changes of one setting, such as turning a wheel, are one
// step.
#pragma once

#include <QElapsedTimer>
#include <QUndoStack>

#include <cstdint>

#include "ui/setup/experiment.h"

namespace lab {

class SettingsUndo final : public QObject {
  Q_OBJECT

 public:
  static constexpr int kMostSteps = 200;  // that can be taken back

  explicit SettingsUndo(Experiment& experiment, QObject* parent = nullptr);

  QUndoStack& stack() { return stack_; }
  void forget();                           // what was done before was done to another experiment
  bool isGoing() const { return going_; }  // a step is being taken back or done again
  void setMergeMs(qint64 ms) { mergeMs_ = ms; }

 Q_SIGNALS:
  void wentBack(qint64 step);             // to before a fault, at which a person looked at this step
  void refused(const QString& sentence);  // a step back or again to what a teacher has locked; it is forgotten

 private:
  void take();
  bool go(const Experiment::Settings& settings, std::int64_t step = 0);

  friend class SettingsCommand;
  Experiment& experiment_;
  QUndoStack stack_;
  Experiment::Settings last_;
  bool going_ = false;  // a step is being taken back or done again
  qint64 mergeMs_ = 700;
  QElapsedTimer since_;
};

// "replicas 2 → 4", or "3 settings". Resolved values where a setting is left to the strategy.
QString describeChange(const RunConfig& before, const RunConfig& after);

}  // namespace lab
