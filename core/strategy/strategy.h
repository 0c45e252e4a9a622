// SPDX-License-Identifier: GPL-3.0-or-later
// A strategy is a page of straight-line code in the cluster's verbs. The verbs emit all telemetry and read all
// clocks; a strategy does neither. To add a strategy, add a file here and a row in the table.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/exchange.h"
#include "core/config/resolved_settings.h"
#include "core/data/input.h"
#include "core/model/safetensors.h"
#include "core/timing/pull_turns.h"

namespace lab {

class Cluster;
struct ProgramRequest;
struct StepRecord;
struct StepRequest;
struct StrategyProgram;
struct Text;

// How parameter-server variables are cut along axis 0 (README.md).
struct Partitioner {
  enum class Kind { None, Fixed, MinSize, MaxSize };
  Kind kind = Kind::None;
  std::int64_t value = 0;  // shards, or bytes
};
// "none", "fixed:N", "min-size:BYTES", "max-size:BYTES"; UserError otherwise.
Partitioner parsePartitioner(const std::string& text);

// What one step did; its results are in FinishedStep, from the cluster. For parameter-server a step is one worker's
// update.
struct StepResult {
  std::vector<std::vector<std::int64_t>> shards;  // example indices per replica (one entry for a worker's step)
  std::int64_t examples = 0;
  std::optional<int> worker;
  std::optional<std::int64_t> staleness;
  std::int64_t doneNs = 0;  // for a worker's step: when the last server had applied its gradients
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

  // Returns the weights that replica `replica` would compute with now, which are also used for its evaluation; replica
  // 0's are saved and shown as the run's. Valid until the next step.
  virtual const float* weightsOf(Cluster& cluster, int replica) = 0;

  // Save and load everything that the next step depends on and that lives in this strategy or its variables.
  virtual void save(Cluster& cluster, TensorFile& checkpoint) = 0;
  virtual void load(Cluster& cluster, const TensorFile& checkpoint) = 0;

  // Starts every process of the cluster again after load(), with nothing under way.
  virtual void restart(Cluster& cluster, std::int64_t atNs);

  // Adds what only the strategy knows to the record of the step that has just ended.
  virtual void complete(StepRecord&) const {}
};

// A setting that only one strategy has, or a few that describe it alike: a whole number, or one of a few words.
struct OwnSetting {
  std::string name;     // "local-steps": the option, and its key in SettingsBase::strategySettings
  std::string caption;  // "Local steps"
  std::string help;
  std::int64_t minimum = 0, maximum = 0, usual = 0;
  std::vector<std::string> choices{};  // the words; the setting's number is an index into them
  bool mayChange = false;              // a branch may change it, because it is no part of a state
};

// The moments for which a strategy may have a text of its own (StrategyInfo::words). A text that is missing is replaced
// by that for all strategies, a note by none. "note.aggregate" has variants of its own for a reducer, which go first:
// "note.aggregate.nccl", and "note.aggregate.nccl.simulated" on simulated GPUs. In the first three, %1 is the first
// replica's device, as TensorFlow names it ("GPU:0"), and %2 the format of products' operands ("bfloat16"). Every
// asynchronous strategy has a text for each "worker." moment, which say who waits for whom; a synchronous one has none.
// A strategy whose copies differ says itself what happens to them: "aggregate", "update", "copies", "check" or
// "check.apart".
inline constexpr std::array<std::string_view, 28> kStrategyMoments{
    "frame",             // on the frame around each host's replicas; a strategy with it has one also on one host
    "device",            // before the name of a device's hardware
    "batch",             // beside the batch
    "forward",           // several replicas, in lock-step
    "forward.apart",     // several replicas, not in lock-step
    "aggregate",         // a sum, or an average of weights
    "average.outer",     // after the common text of an average, where there are buffers beside the slots
    "update",            // %1, %2: the weights before and after, several replicas
    "check",             // %1: the weights after the step, several replicas
    "check.alone",       // %1: the same, one replica
    "check.apart",       // after a step that sent nothing; %1: the next step that sends
    "check.apart.last",  // the same, if none is left
    "copies",            // in the inspector, below a copy of the weights, several replicas; %1: the steps of a round
    "copies.always",     // the same, if a round is one step
    "transfer",          // in the inspector, below a message of a sum or average; %1: the copies in a mean
    "note.forward.unequal",  // shares differ in size
    "note.aggregate",        // below the caption of the sum or average
    "note.check",            // several replicas
    "worker.flow",           // several workers, between two updates
    "worker.flow.link",      // while one queues for the only server's link
    "worker.flow.links",     // while one queues for the link of one of several servers
    "worker.flow.measured",  // workers of one program, measured
    "worker.apply",          // its gradients have arrived; %1: the worker, "Worker 2"
    "worker.backward",       // on a poster; %1: the worker
    "worker.queued",         // on a poster, while it queues for a server's link; %1: the worker
    "worker.queue",          // in the inspector, what such a worker does
    "worker.queue.links",    // in the inspector, of the coordinator's queue, while one queues for a link
    "worker.closure"};       // in the inspector, of the coordinator's queue

// One row of the table: everything that other code needs to know about a strategy. A row states only what differs from
// the defaults here.
struct StrategyInfo {
  enum class Hosts {
    One,        // works on one machine
    Chosen,     // replicas are spread evenly over --hosts hosts
    EachWorker  // every worker, and every server, is a host of its own
  };
  // What happens to the other tasks when a task dies (README.md, "Tasks that die").
  enum class Tasks {
    OneProcess,     // there are no other tasks; with several hosts, no task's death is modelled
    AllStop,        // no task continues alone: all start again from a backup
    ClosureReturns  // a worker's work goes to another worker; without a server or the coordinator, everything stops
  };
  enum class VariablesOn { Replicas, Host, Servers };  // Host: on the replica if there is only one
  // What a replica has of its own between two steps; all else is then equal on all replicas.
  enum class Own {
    Nothing,  // one copy, with its slots, may stand for all: with many replicas, and while a step is computed again
    Buffers,  // those that besideSlots names
    Weights   // and slots; `exchange` says after which steps the weights are equal all the same
  };

  StrategyKind kind{};            // its position in the table
  std::string key;                // "multi-worker-mirrored"
  std::string name;               // "MultiWorkerMirroredStrategy"
  std::string sentence;           // what it does, in one sentence
  bool beyondTensorFlow = false;  // tf.distribute has no such strategy; "all" strategies of a comparison exclude it
  bool severalMachines = false;   // the two axes of the picker
  bool synchronous = true;        // false: a step belongs to one worker, with its own batch
  bool singleReplica = false;     // only one replica is possible
  bool served = false;            // a class that trains together can have it (core/serving)
  Hosts hosts = Hosts::One;
  Tasks tasks = Tasks::OneProcess;
  VariablesOn variables = VariablesOn::Replicas;
  bool hasCopies = false;  // there is one copy of each variable per replica
  // Checkpoints have what is each replica's own; real processes, which do not gather it, refuse --checkpoint-dir.
  Own own = Own::Nothing;
  // Returns what the replicas exchange in a step. Null: every step sums the gradients over all.
  std::function<Exchange(const SettingsBase&, std::int64_t step)> exchange;
  // The names of own settings whose product is N if the exchanges repeat every N steps; a prediction is then the mean
  // of N steps, and a copy counts by its examples since all were equal. None: all steps cost the same, and all copies
  // count alike.
  std::vector<std::string> repeatsEvery;
  bool simulatedOnly = false;  // no computer has such hardware
  // Where else it cannot be trained yet: Cuda, Processes; and why, of %1 the option, %2 its value, %3 the strategy.
  std::map<DeviceChoice, const Text*> notOn;
  Precision matmul = Precision::Float32;  // if --matmul is auto
  std::int64_t defaultReplicas = 2;
  std::int64_t defaultHosts = 1;
  std::string defaultDeviceModel = "v100";
  std::string defaultLink = "nvlink2";
  std::string defaultHostLink = "eth_10g";
  std::vector<Reducer> reducers;         // what --reducer may name besides auto; empty: no choice
  Reducer reducer = Reducer::OneDevice;  // if --reducer is auto
  std::optional<Reducer> gpuReducer;     // used instead if every replica has its own GPU, real or simulated
  std::optional<Reducer> costedAs;       // the timing model's reducer, if it differs
  std::vector<OwnSetting> settings;
  // The name of the own setting with the number of replicas that a step's sum leaves out, the last to arrive; "": none.
  // The clock decides which replicas these are (Cluster::waitFor), so time is modelled.
  std::string goesWithout;
  // The name of the own setting that says what each replica keeps only a part of, and alone updates: 1 the optimizer's
  // slots, 2 also the summed gradients, 3 also the weights. "": everything is whole. The sum is then a reduce-scatter.
  std::string shards;
  // Returns whether each step applies the mean of all replicas' gradients, up to rounding; null: each does. Without it
  // Compare would call other weights a matter of rounding.
  std::function<bool(const ResolvedSettings&)> isPlainMean;
  // Returns the names of buffers that a copy has besides the optimizer's slots, as large as the weights; null: none.
  // Replica 0's are saved and loaded into all copies, unless they are each replica's own (`own`): then all are saved.
  std::function<std::vector<std::string>(const SettingsBase&)> besideSlots;
  // Returns when an asynchronous worker may pull the weights, where time is measured too; null: as soon as it asks.
  std::function<PullTurns(const SettingsBase&)> turns;
  // Changes the timing model's request of its steps, where the other members do not say enough; null: they do.
  std::function<void(const SettingsBase&, StepRequest&)> timing;
  // Texts for this strategy alone: from a moment (kStrategyMoments) to a message's id. resources/strategies has the
  // messages in each language.
  std::map<std::string, std::string> words;
  // `config` is resolved, and its reducer is not Auto.
  std::function<std::unique_ptr<Strategy>(const ResolvedSettings& config)> make;
  // Makes its own lines of the TensorFlow program (program_lines.h); null if TensorFlow has no such strategy.
  StrategyProgram (*program)(const ProgramRequest&) = nullptr;

  // Return the requested number, or this strategy's default. One worker needs no second host.
  std::int64_t replicasOf(const RunSettings& asked) const { return asked.replicas.value_or(defaultReplicas); }
  std::int64_t hostsOf(const RunSettings& asked) const {
    return asked.hosts.value_or(std::min(defaultHosts, replicasOf(asked)));
  }

  bool modelledOnly() const { return simulatedOnly || !goesWithout.empty(); }
  // Returns whether gradients are packed for their sum: a TPU's program sums them in one piece.
  bool packsGradients() const { return hasCopies && !simulatedOnly; }
  // Returns one of its own settings: the given value, or the default.
  std::int64_t ownSetting(const SettingsBase& config, const std::string& name) const;
  // Returns the number of steps after which the exchanges repeat; 0: all steps are alike.
  std::int64_t round(const SettingsBase& config) const {
    std::int64_t steps = repeatsEvery.empty() ? 0 : 1;
    for (const std::string& setting : repeatsEvery) steps *= ownSetting(config, setting);
    return steps;
  }
  // What lies in parts; 0: nothing. From kWholeNowhere on, no replica has all weights between two steps.
  static constexpr int kWholeNowhere = 3;
  int shardStage(const SettingsBase& config) const {
    return shards.empty() ? 0 : static_cast<int>(ownSetting(config, shards));
  }
  // Returns how many of `replicas` a step's sum waits for; below 1 if there are too few.
  std::int64_t waitsFor(const SettingsBase& config, std::int64_t replicas) const;

  // Returns whether each replica has all weights between two steps, so that they can be compared.
  bool keepsCopies(const SettingsBase& config) const { return hasCopies && shardStage(config) < kWholeNowhere; }
  // Returns whether the copies of all replicas must be equal after the step.
  bool mustAgree(const ResolvedSettings& config, std::int64_t step) const {
    return keepsCopies(config) && config.replicas > 1 && copiesAgree(config, step);
  }
  // Returns whether the strategy makes all copies equal in the step; before the first step they are.
  bool copiesAgree(const SettingsBase& config, std::int64_t step) const {
    return own != Own::Weights || step == 0 || exchange(config, step).makesAlike();
  }
};

const std::vector<StrategyInfo>& strategies();
const StrategyInfo& strategyInfo(StrategyKind kind);

// Returns what the replicas exchange in a step.
Exchange exchangeAfter(const SettingsBase& config, std::int64_t step);
// Returns, for each replica, the replicas in the sum that it has after the step, in ascending order; empty if no sum is
// over only some replicas. A mean with neighbours is no sum.
std::vector<std::vector<int>> replicasInSums(const SettingsBase& config, int replicas, int hosts, std::int64_t step);
// Returns whether the step's sums are those of each host, so that nothing goes between hosts.
bool staysWithinHosts(const SettingsBase& config, int replicas, int hosts, std::int64_t step);
// Returns the first step, from `step` on, in which something is exchanged.
std::int64_t nextExchange(const SettingsBase& config, std::int64_t step);

}  // namespace lab
