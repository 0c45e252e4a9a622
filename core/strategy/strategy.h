// SPDX-License-Identifier: GPL-3.0-or-later
// What a tf.distribute strategy is: a page of straight-line code in the cluster's six verbs. The verbs emit all
// telemetry and read all clocks; a strategy does neither. Adding one is a file here and a line in the table.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cluster/reduction.h"
#include "core/data/input.h"
#include "core/model/safetensors.h"

namespace lab {

class Cluster;
struct StepRecord;

enum class StrategyKind {
  Default,
  OneDevice,
  Mirrored,
  MultiWorkerMirrored,
  Tpu,
  CentralStorage,
  ParameterServer,
};

// How parameter-server variables are cut along axis 0 (README.md).
struct Partitioner {
  enum class Kind { None, Fixed, MinSize, MaxSize };
  Kind kind = Kind::None;
  std::int64_t value = 0;  // shards, or bytes
};
// "none", "fixed:N", "min-size:BYTES", "max-size:BYTES"; UserError otherwise.
Partitioner parsePartitioner(const std::string& text);

struct StrategySettings {
  Reducer reducer = Reducer::Auto;
  std::int64_t bytesPerPack = 0;
  Partitioner partitioner;
};

// What one step did; what it gave is the cluster's to say (FinishedStep). For parameter-server a step is one worker's
// update.
struct StepResult {
  std::vector<std::vector<std::int64_t>> shards;  // example indices per replica (one entry for a worker's step)
  std::int64_t examples = 0;
  std::optional<int> worker;
  std::optional<std::int64_t> staleness;
  std::int64_t doneNs = 0;  // of a worker's step: when the last server had applied its gradients
};

// The source of a strategy's examples: one distributed batch for all replicas, or one batch for one worker.
class StepInput {
 public:
  virtual ~StepInput() = default;
  virtual Deal next() = 0;
  virtual std::vector<std::int64_t> nextFor(int worker) = 0;
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  // Creates the variables where this strategy keeps them and gives them their initial values.
  virtual void prepare(Cluster& cluster, std::span<const float> initialWeights) = 0;
  virtual StepResult step(Cluster& cluster, StepInput& input) = 0;

  // The weights that replica `replica` would compute with now; valid until the next step.
  virtual const float* weightsOf(Cluster& cluster, int replica) = 0;

  // Everything that the next step depends on and that lives in this strategy or its variables.
  virtual void save(Cluster& cluster, TensorFile& checkpoint) = 0;
  virtual void load(Cluster& cluster, const TensorFile& checkpoint) = 0;

  // Adds what only the strategy knows to the record of the step that has just ended.
  virtual void complete(StepRecord&) const {}
};

// One row of the table that picker, help, command line, comparison and tests read. A row states what differs from the
// defaults here.
struct StrategyInfo {
  StrategyKind kind;
  std::string key;               // "multi-worker-mirrored"
  std::string name;              // "MultiWorkerMirroredStrategy"
  std::string sentence;          // what it does, in one sentence
  bool severalMachines = false;  // the two axes of the picker
  bool synchronous = true;
  bool singleReplica = false;  // can have only one
  bool mirrored = false;       // one copy of each variable per replica
  std::int64_t defaultReplicas = 2;
  std::int64_t defaultHosts = 1;
  std::string defaultDeviceModel = "v100";
  std::string defaultLink = "nvlink2";
  std::string defaultHostLink = "eth_10g";
  std::vector<Reducer> reducers;  // what --reducer may name besides auto; empty where nothing is chosen
  std::function<std::unique_ptr<Strategy>(const StrategySettings&)> make;
};

const std::vector<StrategyInfo>& strategies();
const StrategyInfo& strategyInfo(StrategyKind kind);

}  // namespace lab
