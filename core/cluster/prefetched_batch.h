// SPDX-License-Identifier: GPL-3.0-or-later
// One replica's next batch, made while it still computes on the one before: examples gathered and normalised into spare
// buffers, which then change places with the replica's own. Two threads: the input's makes, the replica's takes.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/data/dataset.h"
#include "core/model/cnn.h"

namespace lab {

// Pixels / 255 in float32, as Keras does, and labels of these examples; `images` and `labels` have room for them.
void gatherExamples(const Examples& examples, std::span<const std::int64_t> indices, float* images,
                    std::uint8_t* labels);

class PrefetchedBatch {
 public:
  // The input's thread, in this order. promise() waits until the batch before has been taken, or until close().
  void promise();
  void make(const Examples& examples, std::vector<std::int64_t> shard);

  // The replica's thread: waits for the batch that was promised and puts it into `activations`, which have room for it.
  // False where none was promised, or another one than of `shard`: that is forgotten.
  bool take(std::span<const std::int64_t> shard, Activations& activations);

  void countIn(MemoryCounter& counter) { counter_ = &counter; }

  // Any thread: from close() to open() nothing is promised, and what had been is forgotten.
  void close();
  void open();

 private:
  enum class State { Empty, Promised, Ready };

  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::Empty;  // guarded by mutex_, as `closed_`
  bool closed_ = false;
  std::int64_t capacity_ = 0;  // of the replica's own buffers when it last took a batch; the others: whose turn it is
  std::vector<std::int64_t> shard_;
  std::int64_t imageSize_ = 0;
  MemoryCounter* counter_ = nullptr;
  AlignedBuffer<float> images_;
  AlignedBuffer<std::uint8_t> labels_;
};

}  // namespace lab
