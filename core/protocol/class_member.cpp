// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/class_member.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/json.h"

namespace lab::serving {
namespace {

constexpr std::int64_t kSumNs = 500'000'000, kRecentNs = 4'000'000'000;
constexpr std::array<const char*, 6> kStates{"computing", "waiting", "asleep", "silent", "slowed", "left"};
constexpr std::array<const char*, 6> kWaits{"nothing", "variables", "others", "teacher", "server", "link"};

// Returns the place of `name` in `names`; a name that only a later version knows gives `otherwise`.
template <typename Kind, std::size_t N>
Kind kindOf(const std::array<const char*, N>& names, const std::string& name, Kind otherwise) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? otherwise : static_cast<Kind>(found - names.begin());
}

}  // namespace

nlohmann::json memberToJson(const ClassMember& member) {
  return {{"worker", member.worker},
          {"state", kStates.at(static_cast<std::size_t>(member.state))},
          {"waitsFor", kWaits.at(static_cast<std::size_t>(member.waitsFor))},
          {"pushes", member.pushes},
          {"imagesPerSecond", member.imagesPerSecond},
          {"meanStaleness", member.meanStaleness},
          {"latestStaleness", member.latestStaleness},
          {"bytesPerSecond", member.bytesPerSecond},
          {"roundTripNs", member.roundTripNs},
          {"slowdown", member.slowdown}};
}

void updateMember(ClassMember& member, const nlohmann::json& json) {
  member.state = kindOf(kStates, json.at("state"), ClassMember::State::Waiting);
  member.waitsFor = kindOf(kWaits, json.at("waitsFor"), ClassMember::WaitsFor::Nothing);
  member.pushes = integerOf<std::int64_t>(json.at("pushes"));
  json.at("imagesPerSecond").get_to(member.imagesPerSecond);
  json.at("meanStaleness").get_to(member.meanStaleness);
  member.latestStaleness = integerOf<std::int64_t>(json.at("latestStaleness"));
  json.at("bytesPerSecond").get_to(member.bytesPerSecond);
  member.roundTripNs = integerOf<std::int64_t>(json.at("roundTripNs"));
  json.at("slowdown").get_to(member.slowdown);
}

ClassMember& rowOf(std::vector<ClassMember>& members, int worker) {
  const auto latest = std::ranges::find(members.rbegin(), members.rend(), worker, &ClassMember::worker);
  if (latest != members.rend() && (latest->pushes == 0 || members.size() >= kMostRows)) return *latest;
  return members.emplace_back();
}

MemberCounts::Sums& MemberCounts::at(std::int64_t ns) {
  while (!recent_.empty() && ns - recent_.front().ns > kRecentNs) recent_.pop_front();
  if (recent_.empty() || ns - recent_.back().ns >= kSumNs) recent_.push_back({ns, 0, 0});
  return recent_.back();
}

void MemberCounts::pushed(std::int64_t examples, std::int64_t staleness, std::int64_t ns) {
  ++pushes_;
  staleness_ += staleness;
  latestStaleness_ = staleness;
  at(ns).examples += examples;
}

void MemberCounts::moved(std::int64_t bytes, std::int64_t ns) {
  at(ns).bytes += bytes;
}

void MemberCounts::describe(ClassMember& member, std::int64_t ns) const {
  member.pushes = pushes_;
  member.meanStaleness = pushes_ > 0 ? static_cast<double>(staleness_) / static_cast<double>(pushes_) : 0;
  member.latestStaleness = latestStaleness_;
  Sums sum;
  for (const Sums& each : recent_) {
    if (ns - each.ns > kRecentNs) continue;
    sum.examples += each.examples;
    sum.bytes += each.bytes;
  }
  const double seconds = static_cast<double>(std::clamp(ns - joinedNs_, kSumNs, kRecentNs)) / 1e9;
  member.imagesPerSecond = static_cast<double>(sum.examples) / seconds;
  member.bytesPerSecond = static_cast<double>(sum.bytes) / seconds;
}

}  // namespace lab::serving
