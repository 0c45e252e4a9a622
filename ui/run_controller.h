// SPDX-License-Identifier: GPL-3.0-or-later
// The only class of the window that talks to the trainer. One timer drains the pipes and emits one updated(); views
// read from here, on the UI thread, and never wait for training. What a run has told stays here until the next start.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/live_run.h"
#include "core/run/recorder.h"

namespace lab {

class RunController final : public QObject {
  Q_OBJECT

 public:
  explicit RunController(QObject* parent = nullptr);
  ~RunController() override;  // stops the run at its next step boundary, and puts its files in place

  // Ends the present run, if there is one, and starts another. A configuration that cannot run leaves state Failed.
  void start(const RunConfig& config, bool paused = false);
  void play();
  void pause();
  void stepOnce(int steps = 1);  // then paused
  void stop();

  RunState state() const { return state_; }
  bool isOver() const;
  const QString& failure() const { return failure_; }  // a sentence that says what to do; empty unless Failed
  const RunInfo* info() const { return info_.get(); }  // null while Preparing
  std::shared_ptr<const RunInfo> sharedInfo() const { return info_; }
  const RunConfig& config() const { return config_; }  // as asked for
  const std::vector<StepMetric>& steps() const { return steps_; }
  const std::vector<EvalMetric>& evaluations() const { return evaluations_; }
  const std::optional<EndMetric>& end() const { return end_; }
  std::uint64_t droppedSpans() const;

 Q_SIGNALS:
  void updated();  // at most once in kTickMs; something of the above has changed

 private:
  void tick();
  void take(std::vector<Metric> metrics);
  void fail(const QString& sentence);
  void endRun();

  RunConfig config_;
  RunState state_ = RunState::Stopped;
  QString failure_;
  std::shared_ptr<const RunInfo> info_;
  std::vector<StepMetric> steps_;
  std::vector<EvalMetric> evaluations_;
  std::optional<EndMetric> end_;
  std::unique_ptr<LiveRun> run_;
  std::unique_ptr<Recorder> recorder_;  // after run_, whose pipes it reads
  QTimer timer_;
};

}  // namespace lab
