// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is asked to be, as plain structs. core/options has the table of the fields, and resolve() turns the
// settings into the run's actual ones (ResolvedSettings).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "core/base/precision.h"
#include "core/config/choices.h"

namespace lab {

// The fields with the same type in asked and resolved settings. resolve() replaces "auto" and empty values; an optional
// here is a wish that may stay unset, or has a default that only the data decide.
struct SettingsBase {
  StrategyKind strategy = StrategyKind::Mirrored;
  std::string partitioner = "none";  // none, fixed:N, min-size:BYTES, max-size:BYTES
  Wire wire = Wire::Float32;         // between parameter servers and workers
  DeviceChoice devices = DeviceChoice::Auto;
  std::string deviceModel, link, hostLink;  // catalogue keys; "": the strategy's default
  std::string catalogue;                    // a file with the user's own devices and links; "": none
  // For real processes: names of hosts, separated by commas, or a TF_CONFIG file; "": this machine.
  std::string workerHosts;
  WorkerDevices workerDevices = WorkerDevices::Cpu;
  Precision matmul = Precision::Auto;  // never Mixed
  Reducer reducer = Reducer::Auto;
  std::int64_t bytesPerPack = 0;
  std::map<std::string, std::int64_t> strategySettings;  // the settings that the strategy's row adds; absent: default
  std::vector<std::pair<int, double>> slow;              // stragglers: replica, factor
  std::vector<std::pair<int, double>> slowLink;          // for a parameter server's workers: replica, factor

  std::string network = "auto";  // a name, or a file
  // The file's content (keras_json.h) counts instead of the file itself, as long as `network` names this file.
  struct NetworkFile {
    std::string name, layers;
  } networkFile;
  std::string dataset = "auto";
  std::string dataDir;
  std::optional<std::int64_t> trainExamples, testExamples;  // only this many from the first on; unset: all
  std::int64_t shuffleBuffer = 10000;
  std::int64_t seed = 1;
  SplitSource split = SplitSource::InMemory;
  AutoShard autoShard = AutoShard::Auto;
  std::int64_t files = 1;

  std::int64_t epochs = 1;
  std::optional<std::int64_t> steps;  // instead of the epochs
  OptimizerKind optimizer = OptimizerKind::Adam;
  double learningRate = 0.001;
  double momentum = 0;
  LearningRateScaling lrScaling = LearningRateScaling::None;
  double warmupEpochs = 0;
  LossReduction lossReduction = LossReduction::Fit;
  bool noiseScale = false;                // measure the gradient noise scale
  std::optional<std::int64_t> evalEvery;  // steps; unset: once an epoch; 0: never (RunInfo::evalEvery)

  std::string init, save, metrics, trace, run;  // files
  std::string checkpointDir;
  std::optional<std::int64_t> checkpointEvery;  // steps; unset: once an epoch when checkpointDir is set
  bool resume = false;
};

// The settings asked for. Unset: the default of the chosen strategy and this machine.
struct RunSettings : SettingsBase {
  std::optional<std::int64_t> replicas;  // parameter server: workers of one replica each
  std::optional<std::int64_t> hosts;
  std::optional<std::int64_t> parameterServers;
  std::optional<std::int64_t> batchPerReplica, globalBatch;
  std::optional<std::int64_t> threads;  // never changes results
};

inline std::int64_t serversOf(const RunSettings& asked) {
  return asked.parameterServers.value_or(kDefaultParameterServers);
}

// Returns whether the replicas compute on real GPUs.
inline bool areOnGpus(const SettingsBase& config) {
  return config.devices == DeviceChoice::Cuda ||
         (config.devices == DeviceChoice::Processes && config.workerDevices == WorkerDevices::Cuda);
}

}  // namespace lab
