// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever bytes come over a class's WebSocket: they are no frame, or one that is written as the same bytes again.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/protocol/frames.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto frame = lab::serving::decode({data, size});
  if (!frame) return 0;
  const lab::serving::FrameBytes bytes = lab::serving::encode(*frame);
  if (!std::equal(bytes.begin(), bytes.end(), data, data + size)) __builtin_trap();
  return 0;
}
