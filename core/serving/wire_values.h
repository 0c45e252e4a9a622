// SPDX-License-Identifier: GPL-3.0-or-later
// Weights or gradients, and behind them moving statistics, on their way between a class's server and a worker: cut into
// chunks, and put together again. Statistics are float32, whatever the rest is: their averages move by less than
// bfloat16 can hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/serving/frames.h"

namespace lab::serving {

struct WireShape {
  std::size_t weights = 0, statistics = 0;
  Wire wire = Wire::Float32;  // of the weights, which are bfloat16s, as floats, where it says so

  std::size_t floats() const { return weights + statistics; }
  std::int64_t bytes() const {  // without the frames' own
    return bytesOnWire(wire) * static_cast<std::int64_t>(weights) + 4 * static_cast<std::int64_t>(statistics);
  }
};

// The chunk of `values` that begins at `at`, which is moved behind it.
FrameBytes nextChunk(const WireShape& shape, std::span<const float> values, std::size_t& at);

class IncomingValues {
 public:
  // `keeps`: false where they only pass by.
  void begin(const WireShape& shape, bool keeps = true);
  // False: out of turn, of the wrong kind, or more than there are.
  bool take(const ChunkView& chunk);
  std::size_t left() const { return shape_.floats() - at_; }  // 0: all are there, or none is awaited
  std::vector<float> values();                                // once all are there

 private:
  WireShape shape_;
  std::size_t at_ = 0;
  bool keeps_ = false;
  std::vector<float> values_;  // the first at_; empty where they only pass by
};

}  // namespace lab::serving
