// SPDX-License-Identifier: GPL-3.0-or-later
// What is known about a prepared run. Plain data that all views of a run read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/config/choices.h"
#include "core/config/lineage.h"
#include "core/config/resolved_settings.h"
#include "core/config/variable_part.h"
#include "core/trace/span.h"

namespace lab {

struct Dataset;
class NeuralNetwork;

// A device of the run, for display.
struct DeviceFacts {
  std::string hardware;         // "NVIDIA V100 SXM2", or this processor's name
  bool simulated = true;        // its time is modelled
  double slowdown = 1;          // of a straggler
  double launchOverheadUs = 0;  // per kernel, where time is modelled
  double memoryBytes = 0;       // of a modelled device; 0: unknown
};
// A process of a run among real ones.
struct ProcessFacts {
  std::string host;
  std::int64_t pid = 0;
};
struct LinkFacts {
  Message name;                        // "NVLink 2.0", say::sharedMemory
  double gbPerSec = 0, latencyUs = 0;  // used by the modelled clock; 0 where time is measured
};

// Everything that is known once a run is prepared; immutable.
struct RunInfo {
  ResolvedSettings config;
  std::string dataset;        // "mnist", "digits", …
  std::string datasetSource;  // a folder, or "embedded"
  std::int64_t trainExamples = 0, testExamples = 0;
  std::int64_t parameters = 0;
  std::int64_t totalSteps = 0;  // of the whole run; for parameter-server, over all workers
  std::int64_t stepsPerEpoch = 0;
  std::int64_t examplesPerEpoch = 0;  // delivered in an epoch; more than exist if every host has all
  std::string reducer;                // the reducer in use, "ring", or "" if nothing is reduced
  TimeSource clock = TimeSource::Modelled;
  TraceLegend legend;
  // The legend's endpoints are, in this order: replicas, parameter devices, hosts' processors (none for parameter
  // server, where every worker and every server is a host of its own).
  int replicas = 1, parameterDevices = 0, hosts = 1;
  std::vector<DeviceFacts> devices;                       // per endpoint
  std::string deviceType = "CPU";                         // what TensorFlow calls the replicas' devices: also GPU, TPU
  std::vector<LinkFacts> links;                           // per track; empty entries for devices' tracks
  std::vector<ProcessFacts> processes;                    // per worker; empty: the run is in one process
  std::vector<std::vector<VariablePart>> variableShards;  // per parameter device: the parts that it holds
  std::vector<std::vector<VariablePart>> movingShards;    // and its parts of moving statistics
  ResolvedSplit split;                                    // for synchronous strategies
  std::int64_t firstStep = 1;                             // higher if the run resumed from a checkpoint
  Lineage lineage;                                        // of a branch, whose own first step is firstStep
  bool isClass = false;                                   // its replicas are workers that come and go
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const NeuralNetwork> network;

  // Steps between evaluations (0: never), and between checkpoints if there is a folder for them.
  std::int64_t evalEvery() const { return config.stepsPerEvaluation(stepsPerEpoch); }
  std::int64_t checkpointEvery() const { return config.stepsPerCheckpoint(stepsPerEpoch); }
};

// Returns whether an endpoint is a replica on a real GPU.
inline bool isGpu(const RunInfo& info, int endpoint) {
  return areOnGpus(info.config) && info.clock == TimeSource::Measured && endpoint < info.replicas;
}

}  // namespace lab
