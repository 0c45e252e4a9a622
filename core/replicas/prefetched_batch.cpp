// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/prefetched_batch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"

namespace lab {
namespace {

// Keras divides uint8 pixels by 255 in float32, so there are only 256 quotients.
const std::array<float, 256>& normalizedPixels() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 255.0F;
    return values;
  }();
  return table;
}

}  // namespace

void gatherExamples(const Examples& examples, std::span<const std::int64_t> indices, float* images,
                    std::uint8_t* labels) {
  const std::array<float, 256>& pixel = normalizedPixels();
  const std::int64_t size = examples.imageSize();
  for (std::size_t i = 0; i < indices.size(); ++i, images += size) {
    LAB_CHECK(indices[i] >= 0 && indices[i] < examples.count);
    const std::uint8_t* source = examples.image(indices[i]);
    for (std::int64_t j = 0; j < size; ++j) images[j] = pixel[source[j]];
    labels[i] = at(examples.labels, indices[i]);
  }
}

void PrefetchedBatch::promise() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || state_ == State::Empty; });
  if (!closed_) state_ = State::Promised;
}

void PrefetchedBatch::make(const Examples& examples, std::vector<std::int64_t> shard) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || state_ != State::Promised) return;
  }
  bool made = true;
  try {
    fill(examples, std::move(shard));
  } catch (...) {  // the replica will gather these examples itself, where an exception ends the step
    made = false;
  }
  {
    const std::lock_guard lock(mutex_);
    if (!closed_) state_ = made ? State::Ready : State::Empty;
  }
  changed_.notify_all();
}

void PrefetchedBatch::fill(const Examples& examples, std::vector<std::int64_t> shard) {
  const std::int64_t size = std::max({std::int64_t{1}, capacity_, std::ssize(shard)});
  imageSize_ = examples.imageSize();
  if (images_.size() < size * imageSize_) {
    const MemoryScope scope(counter_, MemoryKind::Buffers);
    labels_ = AlignedBuffer<std::uint8_t>(size);  // first, because the size of the images tells whether both fit
    images_ = AlignedBuffer<float>(size * imageSize_);
  }
  gatherExamples(examples, shard, images_.data(), labels_.data());
  shard_ = std::move(shard);
}

bool PrefetchedBatch::take(std::span<const std::int64_t> shard, Activations& activations) {
  {
    std::unique_lock lock(mutex_);
    if (state_ == State::Empty) return false;
    changed_.wait(lock, [this] { return state_ != State::Promised; });
    if (state_ == State::Empty) return false;
  }
  const bool wanted = std::ranges::equal(shard, shard_);
  if (wanted && images_.size() == activations.images.size() && labels_.size() == activations.labels.size()) {
    std::swap(images_, activations.images);
    std::swap(labels_, activations.labels);
  } else if (wanted) {
    std::memcpy(activations.images.data(), images_.data(),
                shard.size() * static_cast<std::size_t>(imageSize_) * sizeof(float));
    std::memcpy(activations.labels.data(), labels_.data(), shard.size());
  }
  capacity_ = activations.capacity;
  {
    const std::lock_guard lock(mutex_);
    state_ = State::Empty;
  }
  changed_.notify_all();
  return wanted;
}

void PrefetchedBatch::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    state_ = State::Empty;
  }
  changed_.notify_all();
}

void PrefetchedBatch::open() {
  const std::lock_guard lock(mutex_);
  closed_ = false;
}

}  // namespace lab
