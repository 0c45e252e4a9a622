// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that decides a run, as a plain struct with a table of its fields. The command line, the setup form, the
// run file and the validation are generated from that table: a new setting is a member here and a row there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/data/split.h"
#include "core/model/cnn.h"
#include "core/model/optimizer.h"
#include "core/strategy/strategy.h"
#include "core/timing/catalogue.h"

namespace lab {

enum class DeviceChoice { Auto, Simulated, Cpu, Cuda };
enum class MatmulChoice { Auto, Float32, Bfloat16 };
enum class LearningRateScaling { None, Linear, Sqrt };  // by global batch / 64

// An unset optional means "the default of the chosen strategy"; resolveConfig() fills all of them in.
struct RunConfig {
  StrategyKind strategy = StrategyKind::Mirrored;
  std::optional<std::int64_t> replicas;  // parameter server: workers of one replica each
  std::optional<std::int64_t> hosts;
  std::optional<std::int64_t> parameterServers;
  std::string partitioner = "none";  // none, fixed:N, min-size:BYTES, max-size:BYTES
  DeviceChoice devices = DeviceChoice::Auto;
  std::string deviceModel, link, hostLink;  // catalogue keys; "" is the strategy's default
  std::string catalogue;                    // a file with devices and links of the user's own; "" is none
  MatmulChoice matmul = MatmulChoice::Auto;
  Reducer reducer = Reducer::Auto;
  std::int64_t bytesPerPack = 0;
  std::vector<std::pair<int, double>> slow;  // stragglers: replica, factor

  std::string dataset = "auto";
  std::string dataDir;
  std::optional<std::int64_t> trainExamples, testExamples;
  std::int64_t shuffleBuffer = 10000;
  std::int64_t seed = 1;
  std::optional<std::int64_t> batchPerReplica, globalBatch;
  SplitSource split = SplitSource::InMemory;
  AutoShard autoShard = AutoShard::Auto;
  std::int64_t files = 1;

  std::int64_t epochs = 1;
  std::optional<std::int64_t> steps;
  OptimizerKind optimizer = OptimizerKind::Adam;
  double learningRate = 0.001;
  double momentum = 0;
  LearningRateScaling lrScaling = LearningRateScaling::None;
  double warmupEpochs = 0;
  LossScaling lossScaling = LossScaling::Fit;
  bool noiseScale = false;                // measure the gradient noise scale
  std::optional<std::int64_t> evalEvery;  // steps; unset: once an epoch; 0: never

  std::string init, save, metrics, trace, run;  // files
  std::string checkpointDir;
  std::optional<std::int64_t> checkpointEvery;  // steps; unset: once an epoch when checkpointDir is set
  bool resume = false;
  std::optional<std::int64_t> threads;  // never changes results
};

struct ConfigField {
  enum class Kind { Integer, Real, Choice, Text, File, Folder, Flag, List };

  std::string name;     // "batch-per-replica": the option without its dashes, and the JSON key
  std::string group;    // "Strategy", "Devices", "Data", "Training", "Output"
  std::string caption;  // "Batch per replica"
  std::string help;     // one sentence
  Kind kind = Kind::Text;
  std::vector<std::string> choices;                  // of a Choice
  double minimum = 0, maximum = 0;                   // of an Integer or a Real, inclusive
  std::string defaultText;                           // as a person reads it: "64", "cores", "none"
  bool changesResults = true;                        // false for outputs and threads: a resumed run may differ in them
  std::function<std::string(const RunConfig&)> get;  // as set() takes it; "" where unset
  std::function<void(RunConfig&, const std::string& text)>
      set;  // UserError naming the option, the value and the remedy
};

const std::vector<ConfigField>& configFields();
const ConfigField& configField(std::string_view name);  // UserError with the nearest name

// All defaults filled in and every combination checked against what TensorFlow and the catalogue allow: UserError says
// what is wrong and what to do. Everything that can be known before the data are read is checked here.
RunConfig resolveConfig(RunConfig config);

// The built-in catalogue with the rows of the configuration's own file. UserError naming the row that is wrong.
Catalogue catalogueOf(const RunConfig& config);

// The network that is trained.
std::shared_ptr<const NeuralNetwork> networkOf(const RunConfig& config);

// Files that a run writes belong to that run: whoever runs the same again must not overwrite them.
RunConfig withoutOutputs(RunConfig config);
bool hasOutputs(const RunConfig& config);

nlohmann::json configToJson(const RunConfig& config);  // typed values; unset fields left out
RunConfig configFromJson(const nlohmann::json& json);  // UserError for unknown keys and bad values

std::string_view strategyKey(StrategyKind kind);  // "multi-worker-mirrored"

}  // namespace lab
