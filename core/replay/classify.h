// SPDX-License-Identifier: GPL-3.0-or-later
// What a network says to images, outside of any run: for a pad to draw on, for the mistakes on the test images and for
// the confusion matrix. The same arithmetic as an evaluation, so that the same weights give the same predictions.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/config/run_settings.h"
#include "core/data/dataset.h"

namespace lab {

struct Classified {
  std::vector<std::uint8_t> predictions;  // (n)
  std::vector<float> losses;              // (n)
  std::int64_t classes = 0;
  std::vector<float> probabilities;  // (n, classes), softmax of the logits
};

// `weights` and moving `statistics` as the network lays them out; `config` resolved: its precision counts. On the
// calling thread alone. Gives up between pieces where `stop` becomes true, and then returns fewer than n.
Classified classify(const Examples& examples, std::span<const float> weights, std::span<const float> statistics,
                    const SettingsBase& config, const std::atomic<bool>* stop = nullptr);

struct Activations;

// Images and labels of examples [begin, begin + n), as the input pipeline hands them over: Keras divides uint8 pixels
// by 255 in float32. `activations` has room for them.
void fillBatch(const Examples& examples, std::int64_t begin, std::int64_t n, Activations& activations);

// [label][prediction]: how many.
using ConfusionCounts = std::vector<std::vector<std::int64_t>>;
ConfusionCounts confusionOf(const Examples& examples, const Classified& classified);

}  // namespace lab
