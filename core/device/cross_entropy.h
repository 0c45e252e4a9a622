// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of networks that do not tell ten classes apart, on the processor; Backend::softmaxCrossEntropy is that of
// those that do, in the same arithmetic.
#pragma once

#include <cstdint>

namespace lab {

// Sparse categorical cross-entropy from logits (n, classes), labels (n) → losses (n), predictions (n; the first of
// equal maxima); dLogits = scale · (softmax − one-hot), unless it is null. At most kMostClasses.
void crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels, float scale,
                  float* losses, std::uint8_t* predictions, float* dLogits);

}  // namespace lab
