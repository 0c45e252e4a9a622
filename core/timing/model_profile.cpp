// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/model_profile.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace lab {
namespace {

constexpr double kFlopPerTrainingMac = 6;  // forward, by input, by weight: two FLOP each

}  // namespace

double ModelProfile::forwardMac() const {
  double sum = 0;
  for (const LayerProfile& layer : layers) sum += layer.forwardMac;
  return sum;
}
double ModelProfile::activations() const {
  double sum = 0;
  for (const LayerProfile& layer : layers) sum += layer.activations;
  return sum;
}
std::int64_t LayerProfile::parameters() const {
  std::int64_t sum = 0;
  for (const std::int64_t size : tensors) sum += size;
  return sum;
}
std::int64_t ModelProfile::parameters() const {
  std::int64_t sum = 0;
  for (const LayerProfile& layer : layers) sum += layer.parameters();
  return sum;
}
std::int64_t ModelProfile::tensors() const {
  std::int64_t count = 0;
  for (const LayerProfile& layer : layers) count += std::ssize(layer.tensors);
  return count;
}
std::int64_t ModelProfile::statistics() const {
  std::int64_t sum = 0;
  for (const LayerProfile& layer : layers) sum += layer.statistics;
  return sum;
}

ModelProfile scaledTo(ModelProfile profile, double trainingGflop, double parameters) {
  LAB_CHECK(trainingGflop > 0 && parameters > 0);
  const double arithmetic = trainingGflop * 1e9 / (kFlopPerTrainingMac * profile.forwardMac());
  const double variables = parameters / static_cast<double>(profile.parameters());
  for (LayerProfile& layer : profile.layers) {
    layer.forwardMac *= arithmetic;
    layer.activations *= arithmetic;
    for (std::int64_t& size : layer.tensors)
      size = std::max<std::int64_t>(1, std::llround(static_cast<double>(size) * variables));
  }
  return profile;
}

}  // namespace lab
