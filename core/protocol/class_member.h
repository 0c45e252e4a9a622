// SPDX-License-Identifier: GPL-3.0-or-later
// The members of a class, as the server knows them and as viewers see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/message.h"

namespace lab {

// Anyone who has joined, including those who have left.
struct ClassMember {
  // Waiting: has no closure, or waits for its variables. Slowed: has pushed, and the server holds the push back.
  enum class State { Computing, Waiting, Asleep, Silent, Slowed, Left };
  // Nothing: it computes. Variables: they are being sent. Others: it waits for them in a class in step. Teacher: who
  // has paused. Server: has no closure for it, or was not asked. Link: has no turn for it yet.
  enum class WaitsFor { Nothing, Variables, Others, Teacher, Server, Link };

  int worker = -1;
  std::string name;      // "Otter 7"
  std::string nickname;  // as the person wishes; shown if the teacher allows it
  std::string path;      // ISA: "avx512"
  State state = State::Waiting;
  Message why;  // reason for Left, a sentence; empty: left of its own accord
  std::int64_t pushes = 0;
  double imagesPerSecond = 0;  // over the last seconds
  double meanStaleness = 0;
  std::int64_t latestStaleness = 0;
  double bytesPerSecond = 0;     // of its link, both ways, over the last seconds
  std::int64_t roundTripNs = 0;  // of its latest ping; 0: not known yet
  WaitsFor waitsFor = WaitsFor::Nothing;
  double slowdown = 1;  // 1: not slowed
};

namespace serving {

// Converts a change of a member to a line of the class's program, and back. The reader throws json::exception.
nlohmann::json memberToJson(const ClassMember& member);
void updateMember(ClassMember& member, const nlohmann::json& json);

// Returns the row of somebody who joins with this number. That is the row of the number's last owner if the owner has
// left and pushed nothing; otherwise a new row. Beyond kMostRows, an owner who has pushed loses the row too: numbers
// are reused, so the rows never exceed kMostRows plus one for each number, however many come and go.
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

  std::deque<Sums> recent_;  // each covers a second or more
  std::int64_t joinedNs_ = 0, pushes_ = 0, staleness_ = 0, latestStaleness_ = 0;
};

}  // namespace serving
}  // namespace lab
