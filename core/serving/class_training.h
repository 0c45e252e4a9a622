// SPDX-License-Identifier: GPL-3.0-or-later
// What a class trains, whoever is connected: its closures, its variables, and the order of its updates. Holds the
// coordinator and the parameter servers. Single-threaded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/protocol/class_history.h"
#include "core/protocol/class_order.h"
#include "core/protocol/class_settings.h"
#include "core/protocol/frames.h"
#include "core/protocol/wire_values.h"
#include "core/serving/coordinator.h"
#include "core/serving/served_variables.h"

namespace lab::serving {

// A whole push that waits for its update.
struct ReceivedPush {
  int connection = -1;  // may be gone by the time that the push counts
  Push push;
  std::vector<float> values;
  std::int64_t version = 0;
  ClassTimes::Part times;
  std::string path;
};
using ReceivedPushes = std::map<std::uint64_t, ReceivedPush>;  // by closure

class ClassTraining {
 public:
  // `servers`: hold the variables; null: this process does. If they are lost, each call that needs them throws a
  // LostServer (server_processes.h).
  ClassTraining(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, int firstWorkers,
                const Patience& patience, std::unique_ptr<ParameterServers> servers = nullptr);

  const ResolvedSettings& config() const { return config_; }
  const Dataset& dataset() const { return *dataset_; }
  const NeuralNetwork& network() const { return *network_; }
  const std::string& networkDescription() const { return description_; }  // core/model/network_text.h
  WireShape shape() const;                                                // of a snapshot, and of what is pushed
  bool isSynchronous() const { return synchronous_; }
  std::int64_t updatesWanted() const { return updatesWanted_; }
  std::int64_t updates() const { return variables_.version(); }
  const ClassOrder& order() const { return order_; }
  Coordinator& coordinator() { return coordinator_; }
  ServedVariables& variables() { return variables_; }

  // Returns why pushed values cannot count, if they cannot. `most`: the limit of the gradient's norm, and of each
  // moving statistic.
  std::optional<Reason> whyNot(std::span<const float> pushed, double most) const;
  // Applies an update whose pushes are all in `pushes`; takes the values out of these.
  ClassUpdate apply(const Coordinator::Update& due, ReceivedPushes& pushes, std::int64_t ns);
  bool evaluationIsDue() const;  // after the latest update

  // A checkpoint lets another server with the same settings and examples continue; unfinished closures are done again.
  // Only where the coordinator is between steps. resume() must precede the first worker, and throws a UserError if the
  // checkpoint does not fit.
  Checkpoint checkpoint();
  void resume(const Checkpoint& kept);

 private:
  std::vector<float> sumOf(const Coordinator::Update& due, ReceivedPushes& pushes) const;
  ClassUpdate describe(const Coordinator::Update& due, const ReceivedPushes& pushes, std::int64_t ns);

  const ResolvedSettings config_;
  const std::shared_ptr<const Dataset> dataset_;
  const std::shared_ptr<const NeuralNetwork> network_;
  const std::string description_;
  const bool synchronous_;
  const std::int64_t stepsPerEpoch_, updatesWanted_;
  ClassExamples examples_;
  Coordinator coordinator_;
  ServedVariables variables_;
  ClassOrder order_;
  std::int64_t distributed_ = 0;  // images of all updates so far, with those that were left out of them
  std::int64_t updatedNs_ = -1;
  std::int64_t examplesHere_ = 0, elapsedNs_ = 0;  // of this server's updates
};

}  // namespace lab::serving
