// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the bytes of images read and unpacked so far, and in total, while several threads read.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

namespace lab {

// In bytes; `total` is 0 until it is known. Called from every reading thread; an exception from it ends the reading.
using ReadProgress = std::function<void(std::int64_t done, std::int64_t total)>;

class ReadCount {
 public:
  // `files`: number of image files; the total is known when each file has reported its size.
  ReadCount(int files, ReadProgress progress) : unknown_(files), progress_(std::move(progress)) {}

  void expect(std::int64_t bytes) {
    total_ += bytes;
    --unknown_;
  }
  void read(std::int64_t bytes) {
    const std::int64_t done = done_ += bytes;
    if (progress_) progress_(done, unknown_ > 0 ? 0 : total_.load());
  }

 private:
  std::atomic<int> unknown_;
  std::atomic<std::int64_t> done_ = 0, total_ = 0;
  const ReadProgress progress_;
};

}  // namespace lab
