// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/moment.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/lesson/facts.h"
#include "core/lesson/messages.h"
#include "core/options/config_field.h"

namespace lab {
namespace {

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

// Reads a name of letters, digits and '-'; an object's may also contain spaces.
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

constexpr std::array<std::string_view, 3> kFaultWords{"kill", "cut", "revive"};  // in the order of RunFault::What
constexpr std::size_t kMostFaults = 16;
constexpr const char* kWrongLosses = "wrong";

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void readCompared(Block& block, std::vector<StrategyKind>& into, std::vector<LineProblem>& problems) {
  const Block::Entry* entry = block.find("compare");
  if (entry == nullptr) return;
  try {
    for (const std::string_view key : split(entry->value, ',')) {
      RunSettings named;
      configField("strategy").set(named, std::string(key));
      into.push_back(named.strategy);
    }
  } catch (const UserError& error) {
    problems.push_back({entry->line, {say::lessonBadCompare, error.message()}});
  }
  if (std::ssize(into) > kMostCompared) problems.push_back({entry->line, {say::lessonTooManyLanes, kMostCompared}});
}

// Parses "kill worker 1 in 3" or "revive worker 1 in 13 every 10"; a coordinator has no number, as there is only one.
std::optional<MomentFault> faultIn(std::string_view text) {
  std::vector<std::string_view> words = split(text, ' ');
  if (words.size() == 4 && words[1] == "coordinator") words.insert(words.begin() + 2, "0");
  const bool isEvery = words.size() == 7 && words[0] == "revive" && words[5] == "every";
  if ((words.size() != 5 && !isEvery) || words[3] != "in") return std::nullopt;
  const auto what = std::ranges::find(kFaultWords, words[0]);
  const auto task = std::ranges::find(taskNames(), words[1]);
  const auto index = parseNumber<int>(words[2]);
  const auto step = parseNumber<std::int64_t>(words[4]);
  const std::optional<std::int64_t> every = isEvery ? parseNumber<std::int64_t>(words[6]) : 0;
  if (!every || *every < (isEvery ? 1 : 0) || *every > kLastStep) return std::nullopt;
  if (what == kFaultWords.end() || task == taskNames().end() || !index || !step) return std::nullopt;
  if (*index < 0 || *index > 1'000'000 || *step < 1 || *step > kLastStep) return std::nullopt;
  const RunFault fault{*step, static_cast<RunFault::Task>(task - taskNames().begin()), *index,
                       static_cast<RunFault::What>(what - kFaultWords.begin())};
  return MomentFault{fault, *every};
}

std::string faultText(const MomentFault& fault) {
  return std::string(at(kFaultWords, fault.what)) + " " + std::string(at(taskNames(), fault.task)) + " " +
         std::to_string(fault.index) + " in " + std::to_string(fault.step) +
         (fault.every > 0 ? " every " + std::to_string(fault.every) : "");
}

void readLosses(Block& block, bool& wrong, std::vector<LineProblem>& problems) {
  const Block::Entry* entry = block.find("losses");
  if (entry == nullptr) return;
  wrong = entry->value == kWrongLosses;
  if (!wrong) problems.push_back({entry->line, {say::lessonLosses, entry->value}});
}

void readFaults(Block& block, std::vector<MomentFault>& into, std::vector<LineProblem>& problems) {
  const Block::Entry* entry = block.find("faults");
  if (entry == nullptr) return;
  const std::vector<std::string_view> parts = split(entry->value, ',');
  if (parts.empty() || parts.size() > kMostFaults) problems.push_back({entry->line, {say::lessonFaults, entry->value}});
  for (const std::string_view part : parts) {
    const std::optional<MomentFault> fault = faultIn(part);
    if (fault)
      into.push_back(*fault);
    else
      problems.push_back({entry->line, {say::lessonFaults, std::string(part)}});
  }
}

}  // namespace

bool Moment::empty() const {
  return !settings && view.step == 0 && view.beat.empty() && view.layout.empty() && view.theme.empty() &&
         view.mode.empty() && !view.wrongLosses && object.empty() && tab.empty() && faults.empty() && compare.empty() &&
         question.empty();
}

Moment readMoment(Block& block, std::vector<LineProblem>& problems) {
  Moment moment;
  if (const Block::Entry* entry = block.find("settings")) {
    try {
      moment.settings = parseExperimentLink(std::string(kLinkScheme) + entry->value);
    } catch (const UserError& error) {
      problems.push_back({entry->line, {say::lessonBadSettings, error.message()}});
    }
  }
  readNumber(block, "step", kLastStep, moment.view.step, problems);
  readNumber(block, "part", 1.0, moment.view.part, problems);
  readName(block, "beat", false, moment.view.beat, problems);
  if (moment.view.beat == "distribute") moment.view.beat = "deal";  // the name in files of experiments
  readName(block, "workspace", false, moment.view.layout, problems);
  readName(block, "theme", false, moment.view.theme, problems);
  readName(block, "mode", false, moment.view.mode, problems);
  readLosses(block, moment.view.wrongLosses, problems);
  readFaults(block, moment.faults, problems);
  readName(block, "object", true, moment.object, problems);
  readName(block, "tab", false, moment.tab, problems);
  readCompared(block, moment.compare, problems);
  readName(block, "question", false, moment.question, problems);
  return moment;
}

std::string momentText(const Moment& moment) {
  std::string text;
  const auto say = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += std::string(key) + ": " + value + "\n";
  };
  if (moment.settings) {
    RunSettings settings = *moment.settings;
    settings.networkFile = {};
    text += "settings: " + experimentLink(settings).substr(kLinkScheme.size()) + "\n";
  }
  if (moment.view.step > 0) say("step", std::to_string(moment.view.step));
  say("beat", moment.view.beat);
  if (moment.view.part > 0) say("part", nlohmann::json(moment.view.part).dump());
  std::string faults;
  for (const MomentFault& fault : moment.faults) faults += (faults.empty() ? "" : ", ") + faultText(fault);
  say("faults", faults);
  say("object", moment.object);
  say("workspace", moment.view.layout);
  say("theme", moment.view.theme);
  say("mode", moment.view.mode);
  if (moment.view.wrongLosses) say("losses", kWrongLosses);
  say("tab", moment.tab);
  std::string compared;
  for (const StrategyKind kind : moment.compare)
    compared += (compared.empty() ? "" : ", ") + std::string(strategyKey(kind));
  say("compare", compared);
  say("question", moment.question);
  return text;
}

}  // namespace lab
