// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/contributions.h"

#include <algorithm>

#include "core/base/error.h"

namespace lab {
namespace {

constexpr std::size_t kTooMany = 3;  // runs

}  // namespace

Contributions Contributions::range(std::size_t begin, std::size_t end) {
  LAB_CHECK(begin <= end && end <= kMaxReplicas);
  Contributions set;
  if (begin < end) set.runs_[0] = {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
  return set;
}

void Contributions::append(const Run& run, std::size_t& used) {
  if (run.begin == run.end || used == kTooMany) return;
  if (used > 0 && run.begin <= runs_[used - 1].end) {
    runs_[used - 1].end = std::max(runs_[used - 1].end, run.end);
  } else {
    if (used < runs_.size()) runs_[used] = run;
    ++used;
  }
}

std::optional<Contributions> Contributions::runsOf(const Bits& bits) {
  Contributions set;
  std::size_t used = 0;
  for (std::size_t r = 0; r < bits.size() && used < kTooMany; ++r)
    if (bits.test(r)) set.append({static_cast<std::uint16_t>(r), static_cast<std::uint16_t>(r + 1)}, used);
  return used == kTooMany ? std::nullopt : std::optional(set);
}

std::optional<Contributions> Contributions::joined(const Contributions& a, const Contributions& b) {
  if (a.bits_ != nullptr || b.bits_ != nullptr) return std::nullopt;
  std::array<Run, 4> all{a.runs_[0], a.runs_[1], b.runs_[0], b.runs_[1]};
  std::ranges::sort(all, {}, &Run::begin);
  Contributions set;
  std::size_t used = 0;
  for (const Run& run : all) set.append(run, used);
  return used == kTooMany ? std::nullopt : std::optional(set);
}

bool Contributions::test(std::size_t replica) const {
  if (bits_ != nullptr) return bits_->test(replica);
  return std::ranges::any_of(runs_, [=](const Run& run) { return run.begin <= replica && replica < run.end; });
}

Contributions::Bits Contributions::bits() const {
  if (bits_ != nullptr) return *bits_;
  Bits bits;
  for (const Run& run : runs_)
    for (std::size_t r = run.begin; r < run.end; ++r) bits.set(r);
  return bits;
}

MarkedReplicas::MarkedReplicas(const Contributions::Bits& marked) : marked_(marked), all_(marked.all()) {
  for (std::size_t r = 0; r < marked.size(); ++r)
    below_[r + 1] = static_cast<std::uint16_t>(below_[r] + (marked.test(r) ? 1 : 0));
}

}  // namespace lab
