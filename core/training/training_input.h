// SPDX-License-Identifier: GPL-3.0-or-later
// The examples of a run's steps, in order: one deal a step for all replicas, or batches of their own for
// parameter-server workers. While a step computes, the next one is shuffled, distributed and normalised on a thread of
// its own, as tf.data's prefetch does; what is distributed never depends on that. The trainer's thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/cluster/cluster.h"
#include "core/config/resolved_settings.h"
#include "core/data/input.h"
#include "core/strategy/strategy.h"

namespace lab {

class TrainingInput final : public StepInput {
 public:
  // Whether it works ahead: where the examples are normalised on this computer's processor, a batch is worth the waking
  // of a thread, and there is a second one to run it on. The cluster outlives this.
  static bool prefetches(const ResolvedSettings& config, const Cluster& cluster);

  TrainingInput(const ResolvedSettings& config, Cluster& cluster, const Examples& train, bool prefetching);
  ~TrainingInput() override;

  DistributedBatch next() override;
  std::vector<std::int64_t> nextFor(int worker) override;

  std::int64_t stepsPerEpoch() const { return stepsPerEpoch_; }
  std::int64_t examplesPerEpoch() const { return examplesPerEpoch_; }

  // Where it stands: after the last deal that was given out.
  nlohmann::json save() const;
  void load(const nlohmann::json& positions);

 private:
  // All replicas' batches, or one worker's.
  struct Stream {
    int first = 0, replicas = 0;  // that it is for
    InputPosition position;       // after the last deal that was given out
    bool prefetching = false;     // the next one is being made, or is there; guarded by mutex_, as all below
    bool distributed = false;
    DistributedBatch batch;
    InputPosition after;
    std::exception_ptr failure;
  };

  DistributedBatch take(std::size_t stream);
  DistributedBatch distribute(std::size_t stream, InputPosition& after);
  void prefetch(const std::stop_token& stop);
  void make(std::unique_lock<std::mutex>& lock, std::size_t stream);
  void forget();

  Cluster& cluster_;
  const Examples& train_;
  std::unique_ptr<Input> global_;
  std::vector<WorkerInput> workers_;
  std::int64_t stepsPerEpoch_ = 0;
  std::int64_t examplesPerEpoch_ = 0;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Stream> streams_;
  std::deque<std::size_t> queue_;  // guarded by mutex_
  bool busy_ = false;              // guarded by mutex_
  std::jthread thread_;            // last: it uses the rest. Not started where nothing is made ahead
};

}  // namespace lab
