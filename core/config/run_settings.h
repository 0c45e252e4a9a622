// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that decides a run, as a plain struct. A strategy is made from it; core/options has the table of its
// fields.
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

// An unset optional means "the default of the chosen strategy"; resolve() fills all of them in.
struct RunSettings {
  StrategyKind strategy = StrategyKind::Mirrored;
  std::optional<std::int64_t> replicas;  // parameter server: workers of one replica each
  std::optional<std::int64_t> hosts;
  std::optional<std::int64_t> parameterServers;
  std::string partitioner = "none";  // none, fixed:N, min-size:BYTES, max-size:BYTES
  DeviceChoice devices = DeviceChoice::Auto;
  std::string deviceModel, link, hostLink;  // catalogue keys; "" is the strategy's default
  std::string catalogue;                    // a file with devices and links of the user's own; "" is none
  // Of real processes: names of hosts, with commas between them, or a TF_CONFIG file; "": this machine.
  std::string workerHosts;
  WorkerDevices workerDevices = WorkerDevices::Cpu;
  Precision matmul = Precision::Auto;  // never Mixed
  Reducer reducer = Reducer::Auto;
  std::int64_t bytesPerPack = 0;
  std::map<std::string, std::int64_t> strategySettings;  // what the strategy's row adds; absent: its default
  std::vector<std::pair<int, double>> slow;              // stragglers: replica, factor

  std::string network = "auto";  // a name, or a file
  // What the file held (keras_json.h) counts instead of the file, as long as `network` names that one.
  struct NetworkFile {
    std::string name, layers;
  } networkFile;
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
  LossReduction lossReduction = LossReduction::Fit;
  bool noiseScale = false;                // measure the gradient noise scale
  std::optional<std::int64_t> evalEvery;  // steps; unset: once an epoch; 0: never

  std::string init, save, metrics, trace, run;  // files
  std::string checkpointDir;
  std::optional<std::int64_t> checkpointEvery;  // steps; unset: once an epoch when checkpointDir is set
  bool resume = false;
  std::optional<std::int64_t> threads;  // never changes results
};

// Whether the replicas compute on real GPUs.
inline bool areOnGpus(const RunSettings& config) {
  return config.devices == DeviceChoice::Cuda ||
         (config.devices == DeviceChoice::Processes && config.workerDevices == WorkerDevices::Cuda);
}

}  // namespace lab
