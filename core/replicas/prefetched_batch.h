// SPDX-License-Identifier: GPL-3.0-or-later
// A replica's next batch, made while the replica still computes on the previous one: examples are gathered and
// normalised into spare buffers, which are then swapped with the replica's own. The input's thread makes batches, and
// the replica's thread takes them.
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

// Writes pixels / 255 in float32, as Keras does, and the labels of these examples; `images` and `labels` have room for
// them.
void gatherExamples(const Examples& examples, std::span<const std::int64_t> indices, float* images,
                    std::uint8_t* labels);

class PrefetchedBatch {
 public:
  // Called by the input's thread, in this order. promise() waits until the previous batch has been taken, or until
  // close(). If make() cannot make the batch, it drops the promise.
  void promise();
  void make(const Examples& examples, std::vector<std::int64_t> shard);

  // Called by the replica's thread: waits for the promised batch and puts it into `activations`, which have room for
  // it. Returns false if none was promised, or a batch other than `shard`; that batch is then dropped.
  bool take(std::span<const std::int64_t> shard, Activations& activations);

  void countIn(MemoryCounter& counter) { counter_ = &counter; }

  // Any thread: between close() and open() nothing is promised, and an earlier promise is dropped.
  void close();
  void open();

 private:
  enum class State { Empty, Promised, Ready };

  void fill(const Examples& examples, std::vector<std::int64_t> shard);

  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::Empty;  // guarded by mutex_, like `closed_`
  bool closed_ = false;
  // of the replica's buffers at the last take(); the others belong to the thread whose turn it is
  std::int64_t capacity_ = 0;
  std::vector<std::int64_t> shard_;
  std::int64_t imageSize_ = 0;
  MemoryCounter* counter_ = nullptr;
  AlignedBuffer<float> images_;
  AlignedBuffer<std::uint8_t> labels_;
};

}  // namespace lab
