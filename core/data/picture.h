// SPDX-License-Identifier: GPL-3.0-or-later
// One picture out of a PNG or JPEG file: 8 bits a channel, red, green and blue, whatever the file has. 16 bits are
// rounded, what is transparent lies on white, CMYK is converted without a profile, and a camera's note on how it was
// held is not followed (as in Keras).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/message.h"

namespace lab {

struct Picture {
  std::int64_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // (height, width, 3)
};

// False, with the reason, where the bytes are no picture, a damaged one or a huge one.
bool decodePicture(std::span<const std::uint8_t> bytes, Picture& picture, Message& why);

// As (H, W, C) of 3 channels or 1: every pixel is the mean of what it covers of the picture, in whole numbers, so that
// it is the same on every machine. The sides are scaled each by itself, as Keras's image_dataset_from_directory does.
std::vector<std::uint8_t> scaledPicture(const Picture& picture, const std::array<std::int64_t, 3>& shape);

}  // namespace lab
