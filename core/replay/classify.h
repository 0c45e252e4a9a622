// SPDX-License-Identifier: GPL-3.0-or-later
// Classifies images outside of any run: for the drawing pad, the mistakes on the test images and the confusion matrix.
// Uses the same arithmetic as an evaluation, so the same weights give the same predictions.
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

// `weights` and moving `statistics` are laid out like the network's; `config` is resolved, and its precision counts.
// Runs only on the calling thread. If `stop` becomes true, stops between pieces and returns fewer than n results.
Classified classify(const Examples& examples, std::span<const float> weights, std::span<const float> statistics,
                    const SettingsBase& config, const std::atomic<bool>* stop = nullptr);

struct Activations;

// Fills in images and labels of examples [begin, begin + n) like the input pipeline: Keras divides uint8 pixels by 255
// in float32. `activations` has room for them.
void fillBatch(const Examples& examples, std::int64_t begin, std::int64_t n, Activations& activations);

// counts[label][prediction].
using ConfusionCounts = std::vector<std::vector<std::int64_t>>;
ConfusionCounts confusionOf(const Examples& examples, const Classified& classified);

}  // namespace lab
