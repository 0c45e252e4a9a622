// SPDX-License-Identifier: GPL-3.0-or-later
// Weights or gradients, followed by moving statistics, on their way between a class's server and a worker: cut into
// chunks and put together again. Statistics are always float32, because their averages change by less than bfloat16 can
// hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/protocol/frames.h"

namespace lab::serving {

struct WireShape {
  std::size_t weights = 0, statistics = 0;
  Wire wire = Wire::Float32;  // format of the weights; if bfloat16, the floats hold bfloat16 values

  std::size_t floats() const { return weights + statistics; }
  std::int64_t bytes() const {  // without the frames' overhead
    return bytesOnWire(wire) * static_cast<std::int64_t>(weights) + 4 * static_cast<std::int64_t>(statistics);
  }
};

// Returns the chunk of `values` that begins at `at`, and moves `at` behind it.
FrameBytes nextChunk(const WireShape& shape, std::span<const float> values, std::size_t& at);

class IncomingValues {
 public:
  // `keeps`: false to discard the values that arrive.
  void begin(const WireShape& shape, bool keeps = true);
  // Returns false if the chunk is out of turn, of the wrong kind, or exceeds the values expected.
  bool take(const ChunkView& chunk);
  std::size_t left() const { return shape_.floats() - at_; }  // 0: all have arrived, or none are expected
  std::vector<float> values();                                // must be complete

 private:
  WireShape shape_;
  std::size_t at_ = 0;
  bool keeps_ = false;
  std::vector<float> values_;  // the first at_; empty if they are discarded
};

}  // namespace lab::serving
