// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes one PNG or JPEG file to 8 bits each of red, green and blue, whatever the file's format. 16 bits are rounded,
// transparent pixels are put on white, CMYK is converted without a profile, and a camera's orientation tag is ignored
// (as in Keras).
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

// Returns false and the reason if the bytes are not a picture, or a damaged or huge one.
bool decodePicture(std::span<const std::uint8_t> bytes, Picture& picture, Message& why);

// Returns the picture as (H, W, C) with 3 channels or 1: every pixel is the mean of the area that it covers, in whole
// numbers, so that it is the same on every machine. Each side is scaled separately, as Keras's
// image_dataset_from_directory does.
std::vector<std::uint8_t> scaledPicture(const Picture& picture, const std::array<std::int64_t, 3>& shape);

}  // namespace lab
