// SPDX-License-Identifier: GPL-3.0-or-later
// A run among real processes, for the window, which is not one of them: a thread starts mpirun and listens to the first
// process (app/cli/watched), and tells it when to take a step, to rest and to stop. Nothing waits for ever: processes
// that are silent, or do not stop, are killed. The run tells which worker was killed, and can continue from a
// checkpoint.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/launching/process_launch.h"
#include "core/launching/watched_run.h"
#include "core/process/tagged_lines.h"

namespace lab {

class ChildProcess;

// Time limits in ms, after which processes that are silent, or do not stop, are killed.
struct ProcessPatience {
  int startUp = usualStartUp();  // slightly more than the processes' own limit, because their messages are better
  int silence = 20'000;
  int stop = 10'000;  // but at least startUp if requested files have to be written first
  int terminate = 3'000, kill = 15'000;
  int afterwards = 3'000;  // for mpirun to end after a worker has said why all of them do
  static int usualStartUp();
};

class ProcessRun final : public WatchedRun {
 public:
  // Checks as LiveRun does, and calls checkProcessRun(). With a folder, the run continues from the newest checkpoint
  // there, or in the configuration's own folder.
  explicit ProcessRun(const RunSettings& config, bool startPaused = false, std::shared_ptr<ProcessFolder> resumeIn = {},
                      const ProcessPatience& patience = {});
  ~ProcessRun() override;  // kills the processes at once, unless they write requested files
  ProcessRun(const ProcessRun&) = delete;
  ProcessRun& operator=(const ProcessRun&) = delete;

  RunState state() const override;
  bool isAtRest() const override;
  Message failure() const override;
  std::shared_ptr<const RunInfo> info() const override;
  std::vector<Metric> takePast() override { return {}; }
  void pause() override;
  void resume() override;
  void stepOnce() override;
  void stop() override;
  void release() override {}
  void stopAndWait() override;
  std::shared_ptr<const StateHistory> history() const override { return nullptr; }
  Telemetry& telemetry() override { return telemetry_; }

  // How a worker can be killed: from here, or through mpirun on its host. Not: the run is over.
  enum class Reach { Not, Here, ThroughMpirun };
  Reach reachOf(int worker) const;
  // Kills a worker at once, or when mpirun has reached its host, without telling the others. Returns false if
  // impossible.
  bool killWorker(int worker);
  Message takeKillFailure();  // why a worker was not killed after all; told once
  // Returns the worker whose loss ended the run; -1: none, or unknown.
  int lostWorker() const;
  bool lacksExamples() const;  // the run failed because a worker lacks the examples, or has other ones
  // Returns the step of the newest checkpoint; 0: none.
  std::int64_t checkpointStep() const;
  std::shared_ptr<ProcessFolder> folder() const { return folder_; }

 private:
  struct Listening;
  void listen(const std::stop_token& stop);
  void listenTo(ChildProcess& mpirun, Listening& listening, const std::stop_token& stop);
  void watchTime(ChildProcess& mpirun, Listening& listening, bool stopping);
  void take(const process::WorkerLine& line, Listening& listening);
  void takeJson(const std::string& line, Listening& listening);
  void takeRecord(std::int64_t step, const std::string& bytes);
  void passOrders(ChildProcess& mpirun, Listening& listening);
  void killElsewhere(Listening& listening);
  void endAll(ChildProcess& mpirun);
  void judge(int code, const Listening& listening, bool stopped);
  void end(RunState state, const Message& failure = {});
  void order(const char* word);  // with mutex_ held

  const RunSettings config_;
  const ResolvedSettings resolved_;
  const ProcessPatience patience_;
  const bool resumes_;
  const std::shared_ptr<ProcessFolder> folder_;
  Telemetry telemetry_;
  mutable std::mutex mutex_;
  RunState state_ = RunState::Preparing;  // guarded by mutex_, as all below
  Message failure_;
  std::shared_ptr<const RunInfo> info_;
  bool paused_ = false, hurried_ = false;
  std::string orders_;                          // not yet passed on
  std::int64_t ordered_ = 0, restsAfter_ = -1;  // numbers of orders: the latest, and the one before it rested
  std::int64_t lastStep_ = 0, checkpointStep_ = 0;
  int lost_ = -1;
  bool lacksExamples_ = false;
  std::vector<std::string> hosts_;  // of each worker, as mpirun names them
  std::vector<int> toKill_;         // workers on other hosts
  Message killFailure_;
  std::jthread thread_;  // last member: joined before the others are destroyed
};

}  // namespace lab
