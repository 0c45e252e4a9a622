// SPDX-License-Identifier: GPL-3.0-or-later
// Checks whether workers compute honestly: now and then this machine computes a push again, from the same variables and
// examples. If it has the worker's processor path, every bit must agree; otherwise it uses its best path, and the
// results must agree within kTolerance. README.md gives the reasons.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/base/rng.h"
#include "core/protocol/worker_replica.h"

namespace lab::serving {

// For a gradient: ‖pushed − computed‖ / ‖computed‖; the same for moving statistics and the loss.
inline constexpr double kTolerance = 1e-2;

// A push to be computed again.
struct Suspect {
  int connection = 0, worker = 0;
  std::string path;  // the path that the worker claims
  Job job;           // what the worker was asked for
  Result pushed;
};

// Decides when to check. A check takes time that others need, so a rest follows each one, and checks take only `share`
// of this machine's time. Checks are drawn when closures are handed out: workers that push more are checked more, and
// cannot know when.
class CheckTimes {
 public:
  // `share`: 0: never checks; `processors`: of this machine.
  CheckTimes(double share, int processors, std::uint64_t seed);

  // Returns whether this closure, given to one of `workers` workers, may be checked when it has been pushed.
  bool picks(int workers, std::int64_t ns);
  bool isRunning() const { return isRunning_; }
  void begin() { isRunning_ = true; }
  void finish(std::int64_t tookNs, std::int64_t ns);

 private:
  const double share_;  // of one processor's time
  Rng rng_;
  bool isRunning_ = false;
  std::int64_t restUntilNs_ = 0;
};

// Computes pushes again. Any thread, one at a time.
class SpotChecker {
 public:
  bool isHonest(const Suspect& suspect, std::string_view network);

 private:
  WorkerReplica* replicaOn(const std::string& path, std::string_view network);

  std::map<std::string, std::unique_ptr<WorkerReplica>, std::less<>> replicas_;  // null: this machine lacks the path
};

}  // namespace lab::serving
