// SPDX-License-Identifier: GPL-3.0-or-later
// A device that holds variables for others: central storage's one copy, or one parameter server's share. It keeps only
// its own parts, one after the other, and counts the updates it has applied.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/cluster/replica.h"
#include "core/config/choices.h"

namespace lab {

// What one device holds. Moving statistics of batch normalisation are variables too, which no optimizer touches: their
// offsets are NeuralNetwork::statistics()'s.
struct HeldVariables {
  std::vector<VariablePart> trained, moving;
};
std::int64_t elementsOf(const std::vector<VariablePart>& parts);

class ParameterDevice {
 public:
  ParameterDevice(DeviceClock clock, Backend& backend, const OptimizerSettings& optimizer);

  DeviceClock clock;
  MemoryTally memory;        // of its variables, which it outlives
  Variables variables;       // only this device's parts
  std::int64_t version = 0;  // updates applied

  // Takes over `held` (localOffset is assigned here) with the values of `initialWeights`, the whole network's; moving
  // statistics begin at 0, for whoever knows better.
  void create(HeldVariables held, std::span<const float> initialWeights);
  const std::vector<VariablePart>& parts() const { return held_.trained; }
  const std::vector<VariablePart>& moving() const { return held_.moving; }
  std::int64_t size() const { return variables.weights.size(); }
  std::int64_t sizeOfMessage() const { return size() + variables.statistics.size(); }  // with moving statistics
  std::int64_t bytesOfMessage(Wire wire) const { return size() * bytesOnWire(wire) + 4 * variables.statistics.size(); }

  // Update number version + 1 with its own gradients.
  void update(double learningRate);

  // Its parts to and from their places in a whole network's buffer.
  void copyWeightsTo(float* whole) const;
  void takeGradientsFrom(const float* whole);
  void copyStatisticsTo(float* whole) const;
  void takeStatisticsFrom(const float* whole);  // assigned: the last one's count

 private:
  Backend* backend_;
  OptimizerSettings optimizer_;
  HeldVariables held_;
};

}  // namespace lab
