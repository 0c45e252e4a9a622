// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/moment.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/lesson/messages.h"

namespace lab {
namespace {

constexpr std::string_view kLink = "strategylab:?";
constexpr int kMostCompared = 3;
constexpr std::int64_t kLastStep = 1'000'000'000;

template <typename Number>
void readNumber(Block& block, const char* key, Number last, Number& into, std::vector<LineProblem>& problems) {
  const Block::Entry* entry = block.find(key);
  if (entry == nullptr) return;
  const std::optional<Number> number = parseNumber<Number>(entry->value);
  if (number && *number >= 0 && *number <= last)
    into = *number;
  else
    problems.push_back({entry->line, {say::lessonNumber, key, 0, last, entry->value}});
}

// Letters, digits and '-'; of an object also spaces between them.
void readName(Block& block, const char* key, bool spaces, std::string& into, std::vector<LineProblem>& problems) {
  const Block::Entry* entry = block.find(key);
  if (entry == nullptr) return;
  const auto fits = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || (spaces && c == ' ');
  };
  if (!entry->value.empty() && entry->value.size() <= 60 && std::ranges::all_of(entry->value, fits))
    into = entry->value;
  else
    problems.push_back({entry->line, {say::lessonName, key, entry->value}});
}

void readCompared(Block& block, std::vector<StrategyKind>& into, std::vector<LineProblem>& problems) {
  const Block::Entry* entry = block.find("compare");
  if (entry == nullptr) return;
  std::istringstream keys(entry->value);
  try {
    for (std::string key; std::getline(keys, key, ',');) {
      key.erase(0, key.find_first_not_of(' '));
      key.erase(key.find_last_not_of(' ') + 1);
      RunConfig named;
      configField("strategy").set(named, key);
      into.push_back(named.strategy);
    }
  } catch (const UserError& error) {
    problems.push_back({entry->line, {say::lessonBadCompare, error.message()}});
  }
  if (std::ssize(into) > kMostCompared) problems.push_back({entry->line, {say::lessonTooManyLanes, kMostCompared}});
}

}  // namespace

bool Moment::empty() const {
  return !settings && view.step == 0 && view.beat.empty() && view.layout.empty() && view.theme.empty() &&
         view.mode.empty() && object.empty() && tab.empty() && compare.empty();
}

Moment readMoment(Block& block, std::vector<LineProblem>& problems) {
  Moment moment;
  if (const Block::Entry* entry = block.find("settings")) {
    try {
      moment.settings = parseExperimentLink(std::string(kLink) + entry->value);
    } catch (const UserError& error) {
      problems.push_back({entry->line, {say::lessonBadSettings, error.message()}});
    }
  }
  readNumber(block, "step", kLastStep, moment.view.step, problems);
  readNumber(block, "part", 1.0, moment.view.part, problems);
  readName(block, "beat", false, moment.view.beat, problems);
  if (moment.view.beat == "distribute") moment.view.beat = "deal";  // as files of experiments have it
  readName(block, "workspace", false, moment.view.layout, problems);
  readName(block, "theme", false, moment.view.theme, problems);
  readName(block, "mode", false, moment.view.mode, problems);
  readName(block, "object", true, moment.object, problems);
  readName(block, "tab", false, moment.tab, problems);
  readCompared(block, moment.compare, problems);
  return moment;
}

std::string momentText(const Moment& moment) {
  std::string text;
  const auto say = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += std::string(key) + ": " + value + "\n";
  };
  if (moment.settings) text += "settings: " + experimentLink(*moment.settings).substr(kLink.size()) + "\n";
  if (moment.view.step > 0) say("step", std::to_string(moment.view.step));
  say("beat", moment.view.beat);
  if (moment.view.part > 0) say("part", nlohmann::json(moment.view.part).dump());
  say("object", moment.object);
  say("workspace", moment.view.layout);
  say("theme", moment.view.theme);
  say("mode", moment.view.mode);
  say("tab", moment.tab);
  std::string compared;
  for (const StrategyKind kind : moment.compare)
    compared += (compared.empty() ? "" : ", ") + std::string(strategyKey(kind));
  say("compare", compared);
  return text;
}

}  // namespace lab
