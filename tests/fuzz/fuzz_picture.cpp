// SPDX-License-Identifier: GPL-3.0-or-later
// PNG and JPEG files, by their libraries and our use of them. Whatever the bytes are: a reason, or a picture of the
// size that it states.
#include <cstddef>
#include <cstdint>

#include "core/data/picture.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lab::Picture picture;
  lab::Message why;
  if (!lab::decodePicture({data, size}, picture, why)) {
    if (why.empty()) __builtin_trap();
    return 0;
  }
  if (static_cast<std::int64_t>(picture.rgb.size()) != 3 * picture.width * picture.height) __builtin_trap();
  if (lab::scaledPicture(picture, {3, 5, 3}).size() != 45) __builtin_trap();
  return 0;
}
