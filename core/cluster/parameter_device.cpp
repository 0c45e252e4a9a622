// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/parameter_device.h"

#include "core/cluster/labels.h"

namespace lab {

ParameterDevice::ParameterDevice(DeviceClock deviceClock, Backend& backend, const OptimizerSettings& optimizer)
    : clock(std::move(deviceClock)), backend_(&backend), optimizer_(optimizer) {}

void ParameterDevice::create(std::vector<VariablePart> parts, std::span<const float> initialWeights) {
  parts_ = std::move(parts);
  std::int64_t size = 0;
  for (VariablePart& part : parts_) {
    part.localOffset = size;
    size += part.count;
  }
  variables.create(size, 0, optimizer_.slotNames().size());
  for (const VariablePart& part : parts_)
    backend_->copy(part.count, initialWeights.data() + part.offset, variables.weights.data() + part.localOffset);
}

void ParameterDevice::update(double learningRate) {
  ++version;
  std::vector<float*> slots;
  for (AlignedBuffer<float>& slot : variables.slotValues) slots.push_back(slot.data());
  clock.begin();
  applyOptimizer(*backend_, optimizer_, learningRate, version, size(), variables.gradients.data(), slots,
                 variables.weights.data());
  if (clock.kind() == Clock::Measured) clock.end(SpanKind::Update, labelOf(Label::Update), size());
}

void ParameterDevice::copyWeightsTo(float* whole) const {
  for (const VariablePart& part : parts_)
    backend_->copy(part.count, variables.weights.data() + part.localOffset, whole + part.offset);
}

void ParameterDevice::takeGradientsFrom(const float* whole) {
  for (const VariablePart& part : parts_)
    backend_->copy(part.count, whole + part.offset, variables.gradients.data() + part.localOffset);
}

}  // namespace lab
