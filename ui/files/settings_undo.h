// SPDX-License-Identifier: GPL-3.0-or-later
// Every change of the experiment's settings, wherever it is made, as a named step that can be taken back: "replicas 2 →
// 4"; likewise that a task died or came back, and a new start after that. Taking back brings the run back that a person
// had, as it stood; where it is not kept any more the experiment starts anew, with the settings that it had, those
// included that were only kept for another strategy. Quick changes of one setting, such as turning a wheel, are one
// step.
#pragma once

#include <QElapsedTimer>
#include <QUndoStack>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "ui/setup/experiment.h"

namespace lab {

class SettingsUndo final : public QObject {
  Q_OBJECT

 public:
  static constexpr int kMostSteps = 200;  // that can be taken back
  // On the stage; step 0: nothing.
  struct Moment {
    std::int64_t step = 0;
    double seconds = 0;
    std::string beat;  // the same within the step's story, which another record of it has too
    double part = 0;
  };
  // What a step back or again has done.
  struct Went {
    QString what;  // "replicas 2 → 4"
    bool again = false;
    bool asItStood = false;  // the run is the one that was there, trained as far as it was; else it has started anew
    Moment moment;           // to which a person looked, where it is to be shown again
  };

  explicit SettingsUndo(Experiment& experiment, QObject* parent = nullptr);

  QUndoStack& stack() { return stack_; }
  void forget();  // what was done before was done to another experiment
  void setShown(std::function<Moment()> shown) { shown_ = std::move(shown); }  // asked before another run begins
  void setMergeMs(qint64 ms) { mergeMs_ = ms; }

 Q_SIGNALS:
  void went(const Went& went);
  void refused(const QString& sentence);  // a step back or again to what a teacher has locked; it is forgotten

 private:
  struct State {
    Experiment::Settings settings;
    Moment moment{};
  };

  void take();
  std::optional<State> go(const State& state, const QString& what, bool again);  // what it leaves; nothing: refused

  friend class SettingsCommand;
  Experiment& experiment_;
  QUndoStack stack_;
  std::function<Moment()> shown_;
  State last_, left_;
  bool going_ = false;  // a step is being taken back or done again
  qint64 mergeMs_ = 700;
  QElapsedTimer since_;
};

// "replicas 2 → 4", or "3 settings". Resolved values where a setting is left to the strategy.
QString describeChange(const RunSettings& before, const RunSettings& after);

}  // namespace lab
