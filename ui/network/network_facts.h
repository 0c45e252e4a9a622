// SPDX-License-Identifier: GPL-3.0-or-later
// The facts about a run's network, before and during the run: its layers with their shapes, parameters and memory, and
// the modelled time of a step. A pure function of the settings.
#pragma once

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/config/run_settings.h"
#include "core/strategy/strategy.h"

namespace lab {

class NeuralNetwork;

struct NetworkFacts {
  struct Row {
    QString name;   // "conv2d", as Keras calls it
    QString what;   // "Conv2D, 32 filters of 3×3"
    QString shape;  // of its output for one example
    std::int64_t parameters = 0, statistics = 0;
    std::int64_t outputBytes = 0;                  // for a replica's batch
    std::int64_t forwardNs = -1, backwardNs = -1;  // modelled; -1: computed together with the previous or next layer
    int operation = -1;                            // the index of its forward operation
  };
  std::shared_ptr<const NeuralNetwork> network;
  std::vector<Row> rows;   // the input first
  std::int64_t batch = 0;  // per replica
  std::int64_t parameters = 0, statistics = 0;
  bool mapsBeforePooling = false;  // of a convolution; a backend may omit them
  // On a replica, between two steps: its own part of what is sharded.
  std::int64_t weightBytes = 0, gradientBytes = 0, slotBytes = 0, activationBytes = 0;
  int shardStage = 0;       // StrategyInfo::shardStage(); 0 with one replica
  std::int64_t stepNs = 0;  // modelled, for a whole batch
  double imagesPerSecond = 0;
  StrategyInfo::VariablesOn variables = StrategyInfo::VariablesOn::Replicas;
  QString device;         // the device that is modelled
  bool measured = false;  // if true, the run's own times are measured, not modelled
};

// Throws UserError for impossible settings.
NetworkFacts networkFacts(const ResolvedSettings& resolved);

}  // namespace lab
