// SPDX-License-Identifier: GPL-3.0-or-later
// Trains a class's updates again, in their original order, from the beginning or from a state. Exact to the bit if this
// machine has the workers' processor paths. Single-threaded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/protocol/class_order.h"
#include "core/protocol/class_settings.h"
#include "core/protocol/worker_replica.h"
#include "core/serving/class_state.h"
#include "core/serving/served_variables.h"

namespace lab::serving {

// The examples of each closure: drawn in the order of the closures' numbers, although they are pushed in another order.
class ClassBatches {
 public:
  // At most `mostClosures` closures if each closure is an update.
  ClassBatches(const ResolvedSettings& config, const Examples& train, std::int64_t mostClosures);

  void add(const std::vector<ClassOrder::Part>& parts);  // of the next update; a class in step draws its examples now
  // Throws a UserError for a closure that is impossible or was forgotten.
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
  std::vector<float> losses;              // per example
  std::vector<std::uint8_t> predictions;  // per example
  Snapshot variables;                     // with which the part was computed
};

class ClassReplayer {
 public:
  // `anyPath`: if this machine lacks a worker's path, uses the machine's own path instead of throwing a UserError.
  ClassReplayer(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, int threads, bool anyPath);

  void begin(const ClassState& state);
  ClassState state() {
    return {.step = version(), .variables = variables(), .optimizer = variables_.optimizer(), .older = kept_};
  }
  std::int64_t version() const { return variables_.version(); }
  Snapshot variables() { return variables_.snapshot(); }
  // Keeps this version for later updates that are computed with it, until it is forgotten.
  void keep() { kept_[version()] = variables_.pulled(); }
  void forget(std::int64_t version) { kept_.erase(version); }
  template <typename Wanted>
  void forgetIf(Wanted wanted) {
    std::erase_if(kept_, [&](const auto& each) { return wanted(each.first); });
  }
  bool has(std::int64_t version) const { return version == variables_.version() || kept_.contains(version); }

  // Returns the step that decides what dropout drops. Asynchronous closures of one version would drop the same by it.
  std::int64_t dropoutStepOf(const ClassOrder::Part& part) const {
    return synchronous_ ? part.version : static_cast<std::int64_t>(part.closure) - 1;
  }

  // Throws a UserError if the part's version is not kept, or if the part is impossible.
  ComputedPart compute(const ClassOrder::Part& part, const std::vector<std::int64_t>& examples, std::int64_t offset);
  // Computes an update's parts, in its order; parts that it left out get no values.
  std::vector<ComputedPart> computeAll(const std::vector<ClassOrder::Part>& parts, ClassBatches& batches);
  // Applies update number version() + 1; returns the sum, with moving statistics, that was applied.
  std::vector<float> apply(const std::vector<ClassOrder::Part>& parts, const std::vector<ComputedPart>& computed);

  bool hasUsedOtherPath() const { return usedOtherPath_; }  // since it began

 private:
  struct OnPath {
    std::shared_ptr<WorkerReplica> replica;
    bool isOther = false;  // other than the worker's
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
  std::vector<double> losses;    // the mean over each update's examples
};
// Throws a UserError for an impossible order, and for a path that this machine does not have.
ReplayedClass replayClass(const ResolvedSettings& config, const std::shared_ptr<const Dataset>& dataset,
                          const ClassOrder& order);

}  // namespace lab::serving
