// SPDX-License-Identifier: GPL-3.0-or-later
// Time that passes only while this process runs. A process that was stopped together with all others, by SIGSTOP, a
// freezer or a pause of the machine, does not find them overdue when it continues. One thread ticks; any thread may
// ask.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace lab::process {

class AwakeClock {
 public:
  using Source = std::int64_t (*)();  // in ns; continues while this process is stopped

  // At most `mostNs` of the time between two ticks count.
  explicit AwakeClock(std::int64_t mostNs, Source source = &steadyNow)
      : mostNs_(mostNs), source_(source), tickedAtNs_(source()) {}

  std::int64_t nowNs() const {
    const std::lock_guard lock(mutex_);
    return awakeNs_ + std::min(source_() - tickedAtNs_, mostNs_);
  }
  void tick() {
    const std::lock_guard lock(mutex_);
    const std::int64_t atNs = source_();
    awakeNs_ += std::min(atNs - tickedAtNs_, mostNs_);
    tickedAtNs_ = atNs;
  }

 private:
  static std::int64_t steadyNow() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

  const std::int64_t mostNs_;
  const Source source_;
  mutable std::mutex mutex_;
  std::int64_t awakeNs_ = 0;  // guarded by mutex_, as is the next member
  std::int64_t tickedAtNs_;
};

}  // namespace lab::process
