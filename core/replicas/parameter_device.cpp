// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/parameter_device.h"

#include <algorithm>
#include <utility>

#include "core/replicas/labels.h"

namespace lab {
namespace {

// Places the parts one after the other; returns the number of elements.
std::int64_t placeParts(std::vector<VariablePart>& parts) {
  std::int64_t size = 0;
  for (VariablePart& part : parts) {
    part.localOffset = size;
    size += part.count;
  }
  return size;
}

}  // namespace

std::int64_t elementsOf(const std::vector<VariablePart>& parts) {
  std::int64_t all = 0;
  for (const VariablePart& part : parts) all += part.count;
  return all;
}

ParameterDevice::ParameterDevice(DeviceClock deviceClock, Backend& backend, const OptimizerSettings& optimizer)
    : clock(std::move(deviceClock)), backend_(&backend), optimizer_(optimizer) {
  variables.counter = &memory;
}

void ParameterDevice::create(HeldVariables held, std::span<const float> initialWeights) {
  held_ = std::move(held);
  variables.create(placeParts(held_.trained), 0, optimizer_.slotNames().size());
  const MemoryScope scope(&memory, MemoryKind::Variables);
  variables.statistics = AlignedBuffer<float>(placeParts(held_.moving));
  for (const VariablePart& part : parts())
    backend_->copy(part.count, initialWeights.data() + part.offset, variables.weights.data() + part.localOffset);
}

void ParameterDevice::update(double learningRate) {
  ++version;
  std::vector<float*> slots;
  for (AlignedBuffer<float>& slot : variables.slotValues) slots.push_back(slot.data());
  clock.begin();
  applyOptimizer(*backend_, optimizer_, learningRate, version, size(), variables.gradients.data(), slots,
                 variables.weights.data());
  if (clock.kind() == TimeSource::Measured) clock.end(SpanKind::Update, labelOf(Label::Update), size());
}

void ParameterDevice::copyWeightsTo(float* whole) const {
  for (const VariablePart& part : parts())
    backend_->copy(part.count, variables.weights.data() + part.localOffset, whole + part.offset);
}

void ParameterDevice::takeGradientsFrom(const float* whole) {
  for (const VariablePart& part : parts())
    backend_->copy(part.count, whole + part.offset, variables.gradients.data() + part.localOffset);
}

void ParameterDevice::copyStatisticsTo(float* whole) const {
  for (const VariablePart& part : moving())
    std::copy_n(variables.statistics.data() + part.localOffset, part.count, whole + part.offset);
}

void ParameterDevice::takeStatisticsFrom(const float* whole) {
  for (const VariablePart& part : moving())
    std::copy_n(whole + part.offset, part.count, variables.statistics.data() + part.localOffset);
}

}  // namespace lab
