// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cross_entropy.h"

#include <algorithm>
#include <array>

#include "core/base/at.h"
#include "core/base/elementary.h"
#include "core/base/error.h"
#include "core/data/dataset.h"

namespace lab {

void crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels, float scale,
                  float* losses, std::uint8_t* predictions, float* dLogits) {
  LAB_CHECK(classes <= kMostClasses);
  std::array<float, kMostClasses> powers;
  for (std::int64_t i = 0; i < n; ++i) {
    const float* row = logits + i * classes;
    const std::int64_t label = labels[i];
    LAB_CHECK(label < classes);
    const float* top = std::max_element(row, row + classes);
    float sum = 0;
    for (std::int64_t c = 0; c < classes; ++c) sum += at(powers, c) = exponential(row[c] - *top);
    losses[i] = logarithm(sum) - (row[label] - *top);
    predictions[i] = static_cast<std::uint8_t>(top - row);
    if (dLogits == nullptr) continue;
    float* d = dLogits + i * classes;
    for (std::int64_t c = 0; c < classes; ++c) d[c] = scale * (at(powers, c) / sum - (c == label ? 1.0F : 0.0F));
  }
}

void softmax(std::int64_t n, std::int64_t classes, const float* logits, float* probabilities) {
  for (std::int64_t i = 0; i < n; ++i, logits += classes, probabilities += classes) {
    const auto largest = static_cast<double>(*std::max_element(logits, logits + classes));
    double sum = 0;
    for (std::int64_t c = 0; c < classes; ++c) sum += exponential(static_cast<double>(logits[c]) - largest);
    for (std::int64_t c = 0; c < classes; ++c)
      probabilities[c] = static_cast<float>(exponential(static_cast<double>(logits[c]) - largest) / sum);
  }
}

}  // namespace lab
