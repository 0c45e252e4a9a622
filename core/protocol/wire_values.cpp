// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/wire_values.h"

#include <algorithm>
#include <utility>

namespace lab::serving {

FrameBytes nextChunk(const WireShape& shape, std::span<const float> values, std::size_t& at) {
  const bool isShort = shape.wire == Wire::Bfloat16 && at < shape.weights;
  const std::size_t most = isShort ? kMostShortsPerChunk : kMostFloatsPerChunk;
  const std::size_t size = std::min(most, (isShort ? shape.weights : values.size()) - at);
  const auto first = static_cast<std::uint32_t>(std::exchange(at, at + size));
  return encodeChunk(first, values.subspan(first, size), isShort ? Wire::Bfloat16 : Wire::Float32);
}

void IncomingValues::begin(const WireShape& shape, bool keeps) {
  shape_ = shape;
  at_ = 0;
  keeps_ = keeps;
  values_.clear();
  if (keeps) values_.reserve(shape.floats());
}

bool IncomingValues::take(const ChunkView& chunk) {
  const std::size_t count = chunk.count();
  const bool isShort = shape_.wire == Wire::Bfloat16 && at_ < shape_.weights;
  const std::size_t end = isShort ? shape_.weights : shape_.floats();
  if (chunk.first != at_ || count > end - at_ || (chunk.wire == Wire::Bfloat16) != isShort) return false;
  if (keeps_) {
    values_.resize(at_ + count);  // grows piece by piece, so that the zeros stay in a cache
    chunk.copyTo(values_.data() + at_);
  }
  at_ += count;
  return true;
}

std::vector<float> IncomingValues::values() {
  return std::exchange(values_, {});
}

}  // namespace lab::serving
