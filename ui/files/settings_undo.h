// SPDX-License-Identifier: GPL-3.0-or-later
// Every change of the experiment's settings, wherever it is made, as a named step that can be undone: "replicas 2 → 4";
// also the death or return of a task, and a new start after that. Undo restores the previous run as it stood; if the
// run is no longer kept, the experiment starts anew with its previous settings, including those kept only for another
// strategy. Quick changes of one setting, such as by turning the wheel, form one step.
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
  static constexpr int kMostSteps = 200;  // steps that can be undone
  // A moment on the stage; step 0: none.
  struct Moment {
    std::int64_t step = 0;
    double seconds = 0;
    std::string beat;  // the same place in the step's story, valid for another record of the step too
    double part = 0;
  };
  // The result of an undo or redo.
  struct Went {
    QString what;  // "replicas 2 → 4"
    bool again = false;
    bool asItStood = false;  // the run was restored with all its training; if false, it has started anew
    Moment moment;           // the moment that the user looked at, if it is to be shown again
  };

  explicit SettingsUndo(Experiment& experiment, QObject* parent = nullptr);

  QUndoStack& stack() { return stack_; }
  void callNext(const QString& what) { next_ = what; }  // the next change, instead of by its settings
  void forget();                                        // earlier changes belong to another experiment
  void setShown(std::function<Moment()> shown) { shown_ = std::move(shown); }  // called before another run begins
  void setMergeMs(qint64 ms) { mergeMs_ = ms; }

 Q_SIGNALS:
  void went(const Went& went);
  void refused(const QString& sentence);  // an undo or redo of a setting that a teacher has locked; the step is dropped

 private:
  struct State {
    Experiment::Settings settings;
    Moment moment{};
  };

  void take();
  std::optional<State> go(const State& state, const QString& what, bool again);  // returns the state that it replaces;
                                                                                 // nothing: refused

  friend class SettingsCommand;
  Experiment& experiment_;
  QUndoStack stack_;
  std::function<Moment()> shown_;
  State last_, left_;
  QString next_;
  bool going_ = false;  // true during an undo or redo
  qint64 mergeMs_ = 700;
  QElapsedTimer since_;
};

// "replicas 2 → 4", or "3 settings". Uses resolved values if a setting is left to the strategy.
QString describeChange(const RunSettings& before, const RunSettings& after);

}  // namespace lab
