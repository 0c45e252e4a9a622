// SPDX-License-Identifier: GPL-3.0-or-later
// Who takes part in a class, as the server knows it and whoever watches sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/message.h"

namespace lab {

// Who has joined, also those that left.
struct ClassMember {
  // Waiting: it has no closure, or waits for its variables. Slowed: it has pushed, and the server holds that back.
  enum class State { Computing, Waiting, Asleep, Silent, Slowed, Left };
  // Nothing: it computes. Variables are being sent; others, in step; the teacher has paused; the server has no closure
  // for it, or has not been asked; the link has no turn for it yet.
  enum class WaitsFor { Nothing, Variables, Others, Teacher, Server, Link };

  int worker = -1;
  std::string name;      // "Otter 7"
  std::string nickname;  // that the person wishes; shown where a teacher allows it
  std::string path;      // ISA: "avx512"
  State state = State::Waiting;
  Message why;  // of Left, a sentence; empty: by itself
  std::int64_t pushes = 0;
  double imagesPerSecond = 0;  // of the last seconds
  double meanStaleness = 0;
  std::int64_t latestStaleness = 0;
  double bytesPerSecond = 0;     // of its link, both ways, of the last seconds
  std::int64_t roundTripNs = 0;  // of its latest ping; 0: not known yet
  WaitsFor waitsFor = WaitsFor::Nothing;
  double slowdown = 1;  // 1: not slowed
};

namespace serving {

// What changes of a member, as a line of the class's program has it, and back. The reader throws json::exception.
nlohmann::json memberToJson(const ClassMember& member);
void updateMember(ClassMember& member, const nlohmann::json& json);

// The row of somebody who joins with this number, of all that joined: a new one, or that of the one who had it
// last, has left and pushed nothing. Where there are many, also of one who has pushed: numbers are given again, so that
// there are no more rows than so many and one for each number, however many come and go.
inline constexpr std::size_t kMostRows = 256;
ClassMember& rowOf(std::vector<ClassMember>& members, int worker);

// Counts of one member, over its life and over the last seconds.
class MemberCounts {
 public:
  void joined(std::int64_t ns) { joinedNs_ = ns; }
  void pushed(std::int64_t examples, std::int64_t staleness, std::int64_t ns);
  void moved(std::int64_t bytes, std::int64_t ns);
  void describe(ClassMember& member, std::int64_t ns) const;

 private:
  struct Sums {
    std::int64_t ns = 0, examples = 0, bytes = 0;
  };
  Sums& at(std::int64_t ns);

  std::deque<Sums> recent_;  // a second or more each
  std::int64_t joinedNs_ = 0, pushes_ = 0, staleness_ = 0, latestStaleness_ = 0;
};

}  // namespace serving
}  // namespace lab
