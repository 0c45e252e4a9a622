// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a worker computes what it says: now and then a push is computed again, here, from the same variables and
// examples. On the worker's processor path where this machine has it, and then every bit counts; else on this machine's
// best, and then within kTolerance. README.md has why that.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/base/rng.h"
#include "core/serving/worker_replica.h"

namespace lab::serving {

// Of a gradient: ‖pushed − computed‖ / ‖computed‖; of moving statistics and of the loss likewise.
inline constexpr double kTolerance = 1e-2;

// A push that is to be computed again.
struct Suspect {
  int connection = 0, worker = 0;
  std::string path;  // that the worker says it computes on
  Job job;           // what it was asked for
  Result pushed;
};

// When. A check takes time that others need, so each is followed by a rest that makes its part of this machine's time
// `share`. Who is checked is drawn when a closure is handed out: whoever pushes more is checked more, and cannot know
// when.
class CheckTimes {
 public:
  // `share`: 0 is never; `processors`: of this machine.
  CheckTimes(double share, int processors, std::uint64_t seed);

  // Whether this closure, which one of `workers` gets, may be checked when it has been pushed.
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

// Computes again. On any thread, one at a time.
class SpotChecker {
 public:
  bool isHonest(const Suspect& suspect, std::string_view network);

 private:
  WorkerReplica* replicaOn(const std::string& path, std::string_view network);

  std::map<std::string, std::unique_ptr<WorkerReplica>, std::less<>> replicas_;  // null: this machine lacks the path
};

}  // namespace lab::serving
