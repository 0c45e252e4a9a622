// SPDX-License-Identifier: GPL-3.0-or-later
// A device that holds variables for others: the only copy, for central storage, or the share of one parameter server.
// The device keeps only its own parts, one after the other, and counts the updates that it has applied.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/config/choices.h"
#include "core/replicas/replica.h"

namespace lab {

// What one device holds. Moving statistics of batch normalisation are variables too, but no optimizer touches them;
// their offsets are those of NeuralNetwork::statistics().
struct HeldVariables {
  std::vector<VariablePart> trained, moving;
};
std::int64_t elementsOf(const std::vector<VariablePart>& parts);

class ParameterDevice {
 public:
  ParameterDevice(DeviceClock clock, Backend& backend, const OptimizerSettings& optimizer);

  DeviceClock clock;
  MemoryTally memory;        // of its variables, which are destroyed earlier
  Variables variables;       // only this device's parts
  std::int64_t version = 0;  // updates applied

  // Takes over `held` (and assigns its localOffset) with the values of `initialWeights`, the whole network's. Moving
  // statistics begin at 0; a caller with better values sets them later.
  void create(HeldVariables held, std::span<const float> initialWeights);
  const std::vector<VariablePart>& parts() const { return held_.trained; }
  const std::vector<VariablePart>& moving() const { return held_.moving; }
  std::int64_t size() const { return variables.weights.size(); }
  std::int64_t sizeOfTransfer() const { return size() + variables.statistics.size(); }  // with moving statistics
  std::int64_t bytesOfTransfer(Wire wire) const { return size() * bytesOnWire(wire) + 4 * variables.statistics.size(); }

  // Applies update number version + 1 with the device's own gradients.
  void update(double learningRate);

  // Copy the device's parts to and from their places in a whole network's buffer.
  void copyWeightsTo(float* whole) const;
  void takeGradientsFrom(const float* whole);
  void copyStatisticsTo(float* whole) const;
  void takeStatisticsFrom(const float* whole);  // overwrites: the values written last count

 private:
  Backend* backend_;
  OptimizerSettings optimizer_;
  HeldVariables held_;
};

}  // namespace lab
