// SPDX-License-Identifier: GPL-3.0-or-later
// What there is to know of a run's network before it runs, and while it does: its layers with their shapes, parameters
// and memory, and what a step takes by the model of time. A pure function of the settings.
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
    QString shape;  // of its output, of one example
    std::int64_t parameters = 0, statistics = 0;
    std::int64_t outputBytes = 0;                  // of a replica's batch
    std::int64_t forwardNs = -1, backwardNs = -1;  // modelled; -1: done with the layer before it, or after it
    int operation = -1;                            // its forward one
  };
  std::shared_ptr<const NeuralNetwork> network;
  std::vector<Row> rows;   // the input first
  std::int64_t batch = 0;  // of a replica
  std::int64_t parameters = 0, statistics = 0;
  bool mapsBeforePooling = false;                                    // of a convolution, which a backend may leave out
  std::int64_t weightBytes = 0, slotBytes = 0, activationBytes = 0;  // on a replica
  std::int64_t stepNs = 0;                                           // modelled, of a whole batch
  double imagesPerSecond = 0;
  StrategyInfo::VariablesOn variables = StrategyInfo::VariablesOn::Replicas;
  QString device;         // that the model is of
  bool measured = false;  // the run's own times are not the model's
};

// UserError where the settings cannot be.
NetworkFacts networkFacts(const ResolvedSettings& resolved);

}  // namespace lab
