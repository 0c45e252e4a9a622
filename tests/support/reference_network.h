// SPDX-License-Identifier: GPL-3.0-or-later
// The course network in double precision, written from its definition and sharing no code with core. Every float32
// implementation is compared with it, by finite differences and by whole trajectories.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/golden.h"

namespace lab::test {

using DoubleTensors = std::map<std::string, std::vector<double>>;  // Keras name → values, Keras's shapes

DoubleTensors toDouble(const NamedTensors& tensors);

struct NetworkOutcome {
  double lossSum = 0;  // over the examples
  std::int64_t correct = 0;
};

// Forward over n images (n, 28, 28) in 0..1; when `gradients` is given, adds scale · ∂(Σ losses) to it (its tensors
// must exist already).
NetworkOutcome runNetwork(const DoubleTensors& weights, std::int64_t n, const double* images,
                          const std::uint8_t* labels, double scale, DoubleTensors* gradients);

// An optimizer in double precision. One update at a time, with `iteration` counted from 1; slots are created on first
// use.
struct DoubleOptimizer {
  std::string kind;  // "adam" or "sgd"
  double learningRate = 0, momentum = 0;
  DoubleTensors m, v;
  void apply(std::int64_t iteration, const DoubleTensors& gradients, DoubleTensors& weights);
};

// Everything that a golden case states, computed again: the losses of all steps and the final weights. Replicas work
// through their shards one after the other, and their gradients are summed.
struct Trajectory {
  std::vector<double> losses;
  DoubleTensors weights;
};
Trajectory trainInDouble(const GoldenCase& set, const NamedTensors& initial, const std::vector<std::uint8_t>& pixels,
                         const std::vector<std::uint8_t>& labels);

}  // namespace lab::test
