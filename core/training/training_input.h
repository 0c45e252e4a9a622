// SPDX-License-Identifier: GPL-3.0-or-later
// The examples of a run's steps, in order: one shuffled batch per step for all replicas, or separate batches for
// parameter-server workers. While a step computes, another thread shuffles, distributes and normalises the next one,
// like tf.data's prefetch; this never changes what is distributed. Used from the trainer's thread.
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
  // Returns whether to work ahead: only if this computer's processor normalises the examples, a batch is worth waking a
  // thread, and there is a second thread to run on. The cluster outlives this object.
  static bool prefetches(const ResolvedSettings& config, const Cluster& cluster);

  TrainingInput(const ResolvedSettings& config, Cluster& cluster, const Examples& train, bool prefetching);
  ~TrainingInput() override;

  DistributedBatch next() override;
  std::vector<std::int64_t> nextFor(int worker) override;

  std::int64_t stepsPerEpoch() const { return stepsPerEpoch_; }
  std::int64_t examplesPerEpoch() const { return examplesPerEpoch_; }

  // The position after the last batch that was handed out.
  nlohmann::json save() const;
  void load(const nlohmann::json& positions);

 private:
  // The batches of all replicas, or of one worker.
  struct Stream {
    int first = 0, replicas = 0;  // the replicas that it serves
    InputPosition position;       // after the last batch that was handed out
    bool prefetching = false;     // the next batch is being distributed or is ready; guarded by mutex_, like all below
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
  std::jthread thread_;            // last, because it uses the rest; not started if nothing is made ahead
};

}  // namespace lab
