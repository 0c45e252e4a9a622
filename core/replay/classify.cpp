// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/classify.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/device/cross_entropy.h"
#include "core/model/cnn.h"
#include "core/options/network_of.h"

namespace lab {

void fillBatch(const Examples& examples, std::int64_t begin, std::int64_t n, Activations& activations) {
  for (std::int64_t i = 0; i < n * examples.imageSize(); ++i)
    activations.images[i] = static_cast<float>(examples.image(begin)[i]) / 255.0F;
  for (std::int64_t i = 0; i < n; ++i) activations.labels[i] = at(examples.labels, begin + i);
}

Classified classify(const Examples& examples, std::span<const float> weights, std::span<const float> statistics,
                    const SettingsBase& config, const std::atomic<bool>* stop) {
  constexpr std::int64_t kPiece = 64;
  const std::shared_ptr<const NeuralNetwork> network = networkOf(config);
  const Layout& layout = network->layout();
  LAB_CHECK(std::ssize(weights) == layout.size() && examples.imageSize() == network->inputSize());
  LAB_CHECK(std::ssize(statistics) == network->statistics().size());
  ThreadPool pool(1);
  const auto backend = makeCpuBackend(pool);
  AlignedBuffer<float> aligned(layout.size(), layout.alignmentLead());
  std::copy(weights.begin(), weights.end(), aligned.data());
  std::vector<float> moving(statistics.begin(), statistics.end());
  Activations activations;
  Classified all;
  all.classes = network->classes();
  for (std::int64_t begin = 0; begin < examples.count; begin += kPiece) {
    if (stop != nullptr && *stop) break;
    const std::int64_t n = std::min(kPiece, examples.count - begin);
    activations.reserve(*network, n, config.matmul);
    fillBatch(examples, begin, n, activations);
    if (isCourseNetwork(*network)) {
      forward(*backend, config.matmul, n, aligned.data(), activations);
    } else {
      const PassOf of{.examples = n, .weights = aligned.data(), .statistics = moving.data(), .training = false};
      (void)LayerPass(*backend, *network, config.matmul, of, activations, nullptr).run();
    }
    for (std::int64_t i = 0; i < n; ++i) {
      all.predictions.push_back(activations.predictions[i]);
      all.losses.push_back(activations.losses[i]);
    }
    all.probabilities.resize(all.predictions.size() * static_cast<std::size_t>(all.classes));
    softmax(n, all.classes, activations.logits.data(), all.probabilities.data() + begin * all.classes);
  }
  return all;
}

ConfusionCounts confusionOf(const Examples& examples, const Classified& classified) {
  const auto classes = static_cast<std::size_t>(classified.classes);
  ConfusionCounts counts(classes, std::vector<std::int64_t>(classes));
  for (std::size_t i = 0; i < classified.predictions.size(); ++i)
    ++counts.at(examples.labels.at(i)).at(classified.predictions[i]);
  return counts;
}

}  // namespace lab
