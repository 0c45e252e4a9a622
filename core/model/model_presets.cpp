// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_presets.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/suggest.h"
#include "core/model/known_networks.h"
#include "core/model/network_profile.h"
#include "core/timing/messages.h"

namespace lab {

const std::vector<ModelProfile>& modelPresets() {
  static const std::vector<ModelProfile> presets = [] {
    std::vector<ModelProfile> all;
    for (const KnownNetwork& each : timedNetworks()) all.push_back(profileOf(each.make()));
    return all;
  }();
  return presets;
}

const ModelProfile* findModelPreset(std::string_view key) {
  const auto found = std::ranges::find(modelPresets(), key, &ModelProfile::key);
  return found == modelPresets().end() ? nullptr : &*found;
}

const ModelProfile& modelPreset(std::string_view key) {
  if (const ModelProfile* found = findModelPreset(key)) return *found;
  std::vector<std::string> keys;
  for (const ModelProfile& preset : modelPresets()) keys.push_back(preset.key);
  throw UserError(say::nameOneOfThese, unknownName(say::modelWord, key, keys));
}

ModelProfile profileFromTotals(const std::string& key, double trainingGflop, std::int64_t parameters,
                               std::int64_t largestTensor, int tensors) {
  LAB_CHECK(parameters > 0 && largestTensor > 0 && largestTensor <= parameters && tensors > 0);
  constexpr double kMostlyDense = 0.4;
  const bool dense = static_cast<double>(largestTensor) > kMostlyDense * static_cast<double>(parameters);
  ModelProfile profile =
      scaledTo(modelPreset(dense ? "vgg16" : "resnet50"), trainingGflop, static_cast<double>(parameters));
  profile.key = profile.name = key;
  // Makes as many layers as the number of variables requires: some are split or merged, but only in the count of
  // kernels.
  const double ratio = tensors / static_cast<double>(profile.tensors());
  if (std::llround(ratio) > 1) {
    std::vector<LayerProfile> layers;
    const auto parts = static_cast<std::int64_t>(std::llround(ratio));
    for (const LayerProfile& layer : profile.layers)
      for (std::int64_t i = 0; i < parts; ++i) {
        LayerProfile piece = layer;
        if (layer.fusedWith >= 0) piece.fusedWith = static_cast<int>(layer.fusedWith * parts + i);
        piece.forwardMac /= static_cast<double>(parts);
        piece.activations /= static_cast<double>(parts);
        for (std::int64_t& size : piece.tensors) size = size * (i + 1) / parts - size * i / parts;
        std::erase(piece.tensors, 0);
        layers.push_back(std::move(piece));
      }
    profile.layers = std::move(layers);
  }
  return profile;
}

}  // namespace lab
