// SPDX-License-Identifier: GPL-3.0-or-later
// The loss for any number of classes on the processor, and the probabilities of an answer.
#pragma once

#include <cstdint>

namespace lab {

// Sparse categorical cross-entropy from logits (n, classes), labels (n) → losses (n), predictions (n; the first of
// equal maxima); dLogits = scale · (softmax − one-hot), unless it is null. At most kMostClasses.
void crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels, float scale,
                  float* losses, std::uint8_t* predictions, float* dLogits);

// Probabilities of an answer, for display: logits → (n, classes), computed in double.
void softmax(std::int64_t n, std::int64_t classes, const float* logits, float* probabilities);

}  // namespace lab
