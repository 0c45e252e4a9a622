// SPDX-License-Identifier: GPL-3.0-or-later
// What a strategy is: a page of straight-line code in the cluster's eight verbs. The verbs emit all
// telemetry and read all clocks; a strategy does neither. Adding one is a file here and a line in the table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/data/input.h"
#include "core/model/safetensors.h"

namespace lab {

class Cluster;
struct ProgramRequest;
struct StepRecord;
struct StrategyProgram;

// How parameter-server variables are cut along axis 0 (README.md).
struct Partitioner {
  enum class Kind { None, Fixed, MinSize, MaxSize };
  Kind kind = Kind::None;
  std::int64_t value = 0;  // shards, or bytes
};
// "none", "fixed:N", "min-size:BYTES", "max-size:BYTES"; UserError otherwise.
Partitioner parsePartitioner(const std::string& text);

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
  virtual DistributedBatch next() = 0;
  virtual std::vector<std::int64_t> nextFor(int worker) = 0;
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  // Creates the variables where this strategy keeps them and gives them their initial values.
  virtual void prepare(Cluster& cluster, std::span<const float> initialWeights) = 0;
  virtual StepResult step(Cluster& cluster, StepInput& input) = 0;

  // The weights that replica `replica` would compute with now, and that it is evaluated with; replica 0's are saved and
  // shown as the run's. Valid until the next step.
  virtual const float* weightsOf(Cluster& cluster, int replica) = 0;

  // Everything that the next step depends on and that lives in this strategy or its variables.
  virtual void save(Cluster& cluster, TensorFile& checkpoint) = 0;
  virtual void load(Cluster& cluster, const TensorFile& checkpoint) = 0;

  // Every process of the cluster starts again after load(): nothing is under way.
  virtual void restart(Cluster& cluster, std::int64_t atNs);

  // Adds what only the strategy knows to the record of the step that has just ended.
  virtual void complete(StepRecord&) const {}
};

// What only one strategy has: a whole number, or one of a few words.
struct OwnSetting {
  std::string name;     // "local-steps": the option, and SettingsBase::strategySettings's key
  std::string caption;  // "Local steps"
  std::string help;
  std::int64_t minimum = 0, maximum = 0, usual = 0;
  std::vector<std::string> choices{};  // the words; a setting's number is its word's place here
};

// One row of the table: everything that is asked of a strategy elsewhere. A row states what differs from the defaults
// here.
struct StrategyInfo {
  enum class Hosts {
    One,        // works on one machine
    Chosen,     // replicas are spread evenly over --hosts
    EachWorker  // every worker, and every server, is a host of its own
  };
  // What becomes of the others where a task dies (README.md, "Tasks that die").
  enum class Tasks {
    OneProcess,     // there are no others
    AllStop,        // none goes on alone: all start again from a backup
    ClosureReturns  // a worker's work goes to another; without a server, or the coordinator, all stops
  };
  enum class VariablesOn { Replicas, Host, Servers };  // Host: on the replica where there is only one

  StrategyKind kind{};            // its place in the table
  std::string key;                // "multi-worker-mirrored"
  std::string name;               // "MultiWorkerMirroredStrategy"
  std::string sentence;           // what it does, in one sentence
  bool beyondTensorFlow = false;  // tf.distribute has no such strategy; "all" strategies of a comparison are without it
  bool severalMachines = false;   // the two axes of the picker
  bool synchronous = true;        // false: a step is one worker's, with a batch of its own
  bool singleReplica = false;     // can have only one
  Hosts hosts = Hosts::One;
  Tasks tasks = Tasks::OneProcess;
  VariablesOn variables = VariablesOn::Replicas;
  bool hasCopies = false;  // of each variable, one per replica
  // Whether all copies must be equal after this step; null: after every one.
  std::function<bool(const ResolvedSettings&, std::int64_t step)> copiesAgree;
  bool simulatedOnly = false;             // there is no such hardware in a computer
  bool oneLaunchPerStep = false;          // one compiled program, run by all replicas in lock-step
  Precision matmul = Precision::Float32;  // where --matmul says auto
  std::int64_t defaultReplicas = 2;
  std::int64_t defaultHosts = 1;
  std::string defaultDeviceModel = "v100";
  std::string defaultLink = "nvlink2";
  std::string defaultHostLink = "eth_10g";
  std::vector<Reducer> reducers;         // what --reducer may name besides auto; empty where nothing is chosen
  Reducer reducer = Reducer::OneDevice;  // where --reducer says auto
  std::optional<Reducer> gpuReducer;     // instead, where every replica has a GPU of its own, real or simulated
  std::optional<Reducer> costedAs;       // by the timing model, where that is not the reducer
  std::vector<OwnSetting> settings;
  // The own setting that says how many replicas, the last to arrive, a step's sum goes without; "": none. The clock is
  // asked who they are (Cluster::waitFor), so time is modelled.
  std::string goesWithout;
  // The own setting that says at the end of which steps the copies' weights are averaged, every so manyth; in the
  // others nothing is sent. "": what is summed is each step's gradients.
  std::string averagesEvery;
  // Before its own update each copy becomes the mean of itself and of its two neighbours on a ring, with the reducer
  // Neighbours; nothing goes over all replicas. Done on this machine's processor alone.
  bool withNeighbours = false;
  // The own setting that says what each replica keeps a part of instead of all, and updates alone: 1 the optimizer's
  // slots, 2 the summed gradients too, 3 the weights too. "": everything is whole. Its sum is a reduce-scatter.
  std::string shards;
  // What a copy has besides the optimizer's slots, as large as the weights and the same on all; null: nothing.
  std::function<std::vector<std::string>(const SettingsBase&)> besideSlots;
  // What is said of this strategy alone: the moment, as in `words`, and a message's id. Where nothing is named, the
  // window says what is so of all strategies. resources/strategies has the messages in each language.
  std::map<std::string, std::string> words;
  // `config` is resolved, and its reducer is not Auto.
  std::function<std::unique_ptr<Strategy>(const ResolvedSettings& config)> make;
  // Its own lines of the TensorFlow program (program_lines.h); null where TensorFlow has no such strategy.
  StrategyProgram (*program)(const ProgramRequest&) = nullptr;

  // So many as were asked for, or as this strategy has by default. One worker needs no second host.
  std::int64_t replicasOf(const RunSettings& asked) const { return asked.replicas.value_or(defaultReplicas); }
  std::int64_t hostsOf(const RunSettings& asked) const {
    return asked.hosts.value_or(std::min(defaultHosts, replicasOf(asked)));
  }

  bool modelledOnly() const { return simulatedOnly || !goesWithout.empty(); }
  // A setting of its own, as given or as usual.
  std::int64_t ownSetting(const SettingsBase& config, const std::string& name) const;
  // Steps from one average of the weights to the next; 0: none are averaged.
  std::int64_t round(const SettingsBase& config) const {
    return averagesEvery.empty() ? (withNeighbours ? 1 : 0) : ownSetting(config, averagesEvery);
  }
  // What lies in parts; 0: nothing. From kWholeNowhere on no replica has all weights between two steps.
  static constexpr int kWholeNowhere = 3;
  int shardStage(const SettingsBase& config) const {
    return shards.empty() ? 0 : static_cast<int>(ownSetting(config, shards));
  }
  // How many of `replicas` a step's sum waits for; below 1 where there are too few.
  std::int64_t waitsFor(const SettingsBase& config, std::int64_t replicas) const;

  // Whether each replica has all weights between two steps, to be compared.
  bool keepsCopies(const SettingsBase& config) const { return hasCopies && shardStage(config) < kWholeNowhere; }
  // Whether `replicas` copies must be equal after the step.
  bool mustAgree(const ResolvedSettings& config, std::int64_t step) const {
    return keepsCopies(config) && config.replicas > 1 && (!copiesAgree || copiesAgree(config, step));
  }
};

const std::vector<StrategyInfo>& strategies();
const StrategyInfo& strategyInfo(StrategyKind kind);

}  // namespace lab
