// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/class_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/parse_number.h"
#include "core/lesson/messages.h"

namespace lab {
namespace {

// Reads a minute, which must not be before the previous station's, nor after the end.
int readMinute(Block& block, const ClassPlan& plan, std::vector<LineProblem>& problems) {
  const int first = plan.stations.empty() ? 0 : plan.stations.back().minute;
  const Block::Entry* entry = block.find("minute");
  if (entry == nullptr) {
    problems.push_back({block.line, {say::lessonMissing, block.kind, "minute"}});
    return first;
  }
  const std::optional<int> minute = parseNumber<int>(entry->value);
  if (minute && *minute >= first && *minute < kClassMinutes) return *minute;
  problems.push_back({entry->line, {say::lessonNumber, "minute", first, kClassMinutes - 1, entry->value}});
  return first;
}

LessonText readText(Block& block, const char* key, std::vector<LineProblem>& problems) {
  LessonText text = block.text(key);
  if (text.empty()) problems.push_back({block.line, {say::lessonMissing, block.kind, key}});
  return text;
}

}  // namespace

std::vector<ClassPlan> readClassPlans(std::vector<Block> classes, std::vector<Block> stations,
                                      std::vector<LineProblem>& problems) {
  std::vector<ClassPlan> plans;
  for (Block& block : classes) {
    plans.push_back({.name = block.name,
                     .title = readText(block, "title", problems),
                     .about = readText(block, "about", problems),
                     .stations = {}});
    block.unread(problems);
  }
  for (Block& block : stations) {
    const Block::Entry* of = block.find("of");
    const auto plan = std::ranges::find(plans, of == nullptr ? std::string() : of->value, &ClassPlan::name);
    if (plan == plans.end()) {
      problems.push_back({of == nullptr ? block.line : of->line, {say::lessonMissing, block.kind, "of"}});
      continue;
    }
    ClassStation station;
    station.minute = readMinute(block, *plan, problems);
    station.title = readText(block, "title", problems);
    station.say = readText(block, "say", problems);
    station.answer = readText(block, "answer", problems);
    station.seen = readText(block, "seen", problems);
    station.moment = readMoment(block, problems);
    block.unread(problems);
    plan->stations.push_back(std::move(station));
  }
  return plans;
}

}  // namespace lab
