// SPDX-License-Identifier: GPL-3.0-or-later
// The data set `colour`: the embedded digits in colour, 32×32×3, so that colour images need no download.
//
// Digit number i of a set (test digits begin with 4,000) lies in the middle of its image, two pixels from each edge.
// The eight bytes h[0] … h[7] of splitmix64's i-th number, least first, choose its colours: paper[c] = h[c] / 2 and
// ink[c] = 128 + h[3 + c] / 2 (whole numbers, 0 ≤ c < 3); where h[6] is odd, paper and ink change places. A pixel of
// grey value g has (paper · (255 − g) + ink · g + 127) / 255 in each channel. Nothing of the label is in the colours.
#pragma once

#include <cstdint>

#include "core/data/dataset.h"

namespace lab {

Examples inColour(const Examples& grey, std::int64_t firstNumber);
std::shared_ptr<const Dataset> colourDigits();  // 4,000 / 1,000; made once per process

}  // namespace lab
