// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments on so few of the built-in digits that a test is fast.
#pragma once

#include "core/options/config_field.h"
#include "ui/setup/fit.h"

namespace lab::test {

// The experiment that the window starts with.
inline RunSettings smallConfig() {
  RunSettings config = teachingConfig();
  config.dataset = "digits";
  config.trainExamples = 64;
  config.testExamples = 32;
  return config;
}

// An experiment for a strategy, by name, with enough steps to see everything it shows.
inline RunSettings runOf(const char* strategy) {
  RunSettings config;
  configField("strategy").set(config, strategy);
  config.dataset = "digits";
  config.trainExamples = 256;
  config.testExamples = 64;
  config.batchPerReplica = 8;
  config.evalEvery = 1;
  config.devices = DeviceChoice::Simulated;
  return config;
}

// Four replicas, on two hosts where the strategy has several: for faults.
inline RunSettings clusterOf(const char* strategy) {
  RunSettings config = runOf(strategy);
  config.replicas = 4;
  config.batchPerReplica = 4;
  config.trainExamples = 64;  // 4 steps an epoch
  config.evalEvery = 0;
  config.steps = 30;
  if (config.strategy == StrategyKind::MultiWorkerMirrored) config.hosts = 2;
  return config;
}

}  // namespace lab::test
