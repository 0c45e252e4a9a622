// SPDX-License-Identifier: GPL-3.0-or-later
// Trains a class's updates again, in the order of what happened, from the beginning or from a state: to the bit where
// this machine has the workers' processor paths. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/serving/class_order.h"
#include "core/serving/class_settings.h"
#include "core/serving/class_state.h"
#include "core/serving/served_variables.h"
#include "core/serving/worker_replica.h"

namespace lab::serving {

// Which examples each closure has: drawn in the order of their numbers, and pushed in another.
class ClassBatches {
 public:
  // Of so many closures at most, where each is an update.
  ClassBatches(const ResolvedSettings& config, const Examples& train, std::int64_t mostClosures);

  void add(const std::vector<ClassOrder::Part>& parts);  // of the next update; a class in step draws them now
  // UserError for a closure that cannot be, or was forgotten.
  const std::vector<std::int64_t>& of(std::uint64_t closure);
  void forget(std::uint64_t closure) { of_.erase(closure); }

 private:
  const bool synchronous_;
  const std::int64_t batch_, mostClosures_;
  ClassExamples examples_;
  std::uint64_t drawn_ = 0;
  std::map<std::uint64_t, std::vector<std::int64_t>> of_;
};

struct ComputedPart {
  Result result;
  std::vector<float> losses;              // of each example
  std::vector<std::uint8_t> predictions;  // likewise
  Snapshot variables;                     // that it was computed with
};

class ClassReplayer {
 public:
  // `anyPath`: computes on this processor's own where it does not have a worker's; else that is a UserError.
  ClassReplayer(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, int threads, bool anyPath);

  void begin(const ClassState& state);
  ClassState state() {
    return {.step = version(), .variables = variables(), .optimizer = variables_.optimizer(), .older = kept_};
  }
  std::int64_t version() const { return variables_.version(); }
  Snapshot variables() { return variables_.snapshot(); }
  // Versions that later updates are computed with are kept until they are forgotten.
  void keep() { kept_[version()] = variables_.pulled(); }
  void forget(std::int64_t version) { kept_.erase(version); }
  template <typename Wanted>
  void forgetIf(Wanted wanted) {
    std::erase_if(kept_, [&](const auto& each) { return wanted(each.first); });
  }
  bool has(std::int64_t version) const { return version == variables_.version() || kept_.contains(version); }

  // UserError where its version is not there, or it cannot have been.
  ComputedPart compute(const ClassOrder::Part& part, const std::vector<std::int64_t>& examples, std::int64_t offset);
  // Of an update's parts, in its order; what it left out has no values.
  std::vector<ComputedPart> computeAll(const std::vector<ClassOrder::Part>& parts, ClassBatches& batches);
  // Update number version() + 1; returns the sum, and moving statistics, that was applied.
  std::vector<float> apply(const std::vector<ClassOrder::Part>& parts, const std::vector<ComputedPart>& computed);

  bool hasUsedOtherPath() const { return usedOtherPath_; }  // since it began

 private:
  struct OnPath {
    std::shared_ptr<WorkerReplica> replica;
    bool isOther = false;  // than the worker's
  };
  WorkerReplica& replicaOf(const std::string& path);

  const ResolvedSettings config_;
  const std::shared_ptr<const Dataset> dataset_;
  const std::shared_ptr<const NeuralNetwork> network_;
  const std::string description_;
  const bool synchronous_, anyPath_;
  const int threads_;
  const std::int64_t stepsPerEpoch_;
  ServedVariables variables_;
  std::map<std::int64_t, Snapshot> kept_;
  std::map<std::string, OnPath> replicas_;
  bool usedOtherPath_ = false;
};

struct ReplayedClass {
  std::vector<float> variables;  // weights after the last update, then moving statistics
  std::vector<double> losses;    // of each update, the mean over its examples
};
// UserError for an order that cannot have been, and for a path that this machine does not have.
ReplayedClass replayClass(const ResolvedSettings& config, const std::shared_ptr<const Dataset>& dataset,
                          const ClassOrder& order);

}  // namespace lab::serving
