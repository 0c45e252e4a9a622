// SPDX-License-Identifier: GPL-3.0-or-later
// Whose gradients are in a part of a buffer. Rings, trees, toruses and sums in order make sets of at most two runs of
// consecutive ranks; these stand in the object itself. Any other set is a set of bits that somebody else owns. So an
// object has 16 bytes and is copied freely: a ring of 1,024 replicas has a million of them at each moment.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>

#include "core/base/limits.h"

namespace lab {

class Contributions {
 public:
  using Bits = std::bitset<kMaxReplicas>;

  Contributions() = default;  // of nobody
  static Contributions of(std::size_t replica) { return range(replica, replica + 1); }
  static Contributions range(std::size_t begin, std::size_t end);
  explicit Contributions(const Bits* bits) : bits_(bits) {}  // `bits` must outlive every copy of this
  // The same sets without bits, or nothing if there are more than two runs.
  static std::optional<Contributions> runsOf(const Bits& bits);
  static std::optional<Contributions> joined(const Contributions& a, const Contributions& b);

  std::size_t count() const {
    if (bits_ != nullptr) return bits_->count();
    return static_cast<std::size_t>(runs_[0].end - runs_[0].begin + runs_[1].end - runs_[1].begin);
  }
  bool test(std::size_t replica) const;
  Bits bits() const;
  // The same set in the same form.
  bool operator==(const Contributions&) const = default;

 private:
  friend class MarkedReplicas;
  struct Run {
    std::uint16_t begin = 0, end = 0;
    bool operator==(const Run&) const = default;
  };
  static_assert(kMaxReplicas <= UINT16_MAX);
  void append(const Run& run, std::size_t& used);  // ascending by their beginnings; `used` counts runs

  std::array<Run, 2> runs_;     // ascending, with a gap between; an empty one is last
  const Bits* bits_ = nullptr;  // in their place
};

// Marks some replicas, and counts how many of them are in a set without looking at each.
class MarkedReplicas {
 public:
  explicit MarkedReplicas(const Contributions::Bits& marked);

  std::size_t in(const Contributions& set) const {
    if (all_) return set.count();
    if (set.bits_ != nullptr) return in(*set.bits_);
    std::size_t count = 0;
    for (const Contributions::Run& run : set.runs_)
      count += static_cast<std::size_t>(below_[run.end] - below_[run.begin]);
    return count;
  }
  std::size_t in(const Contributions::Bits& set) const { return (marked_ & set).count(); }
  bool test(std::size_t replica) const { return marked_.test(replica); }

 private:
  Contributions::Bits marked_;
  bool all_;
  std::array<std::uint16_t, kMaxReplicas + 1> below_{};  // how many of the replicas before this one are marked
};

}  // namespace lab
