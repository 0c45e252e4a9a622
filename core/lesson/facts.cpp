// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/facts.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/base/suggest.h"
#include "core/lesson/messages.h"
#include "core/options/config_field.h"

namespace lab {
namespace {

using Kind = FactName::Kind;
using Argument = FactName::Argument;

constexpr std::array kFactNames{
    FactName{"strategy", Kind::Text, Argument::None, LAB_WORDS("the strategy, by its key: mirrored")},
    FactName{"setting", Kind::Text, Argument::Setting,
             LAB_WORDS("a setting in force, by its option: setting(reducer)")},
    FactName{"replicas", Kind::Number, Argument::None, LAB_WORDS("how many replicas there are")},
    FactName{"batch.global", Kind::Number, Argument::None, LAB_WORDS("examples in a global batch")},
    FactName{"batch.per-replica", Kind::Number, Argument::None, LAB_WORDS("examples in a replica's share")},
    FactName{"learning-rate", Kind::Number, Argument::None, LAB_WORDS("the learning rate that was set")},
    FactName{"step", Kind::Number, Argument::None, LAB_WORDS("the step on the stage")},
    FactName{"steps", Kind::Number, Argument::None, LAB_WORDS("how many steps are trained")},
    FactName{"epoch.steps", Kind::Number, Argument::None, LAB_WORDS("steps in an epoch")},
    FactName{"beat", Kind::Text, Argument::None, LAB_WORDS("the beat on the stage: aggregate")},
    FactName{"part", Kind::Number, Argument::None, LAB_WORDS("how much of that beat has passed, 0 to 1")},
    FactName{"seen", Kind::Flag, Argument::Beat, LAB_WORDS("a beat has been on the stage since the page began")},
    FactName{"playing", Kind::Flag, Argument::None, LAB_WORDS("the movie plays")},
    FactName{"paused", Kind::Flag, Argument::None, LAB_WORDS("the movie does not play")},
    FactName{"selected", Kind::Text, Argument::None, LAB_WORDS("the kind of the selected object: gradient")},
    FactName{"object", Kind::Text, Argument::None, LAB_WORDS("the selected object with its numbers")},
    FactName{"workspace", Kind::Text, Argument::None,
             LAB_WORDS("the workspace: teach, explore, compare, sweep, profile")},
    FactName{"shown", Kind::Flag, Argument::Tab, LAB_WORDS("a tab is in front in an open panel: shown(chartsTab)")},
    FactName{"examples", Kind::Number, Argument::None, LAB_WORDS("examples in the step on the stage")},
    FactName{"shard", Kind::Number, Argument::Replica, LAB_WORDS("examples that a replica got in that step: shard(0)")},
    FactName{"loss", Kind::Number, Argument::None, LAB_WORDS("the mean loss of that step")},
    FactName{"accuracy", Kind::Number, Argument::None,
             LAB_WORDS("the share of its images that were recognised, 0 to 1")},
    FactName{"staleness", Kind::Number, Argument::None,
             LAB_WORDS("updates by others before a worker's own, in that step")},
    FactName{"staleness.highest", Kind::Number, Argument::None, LAB_WORDS("the highest staleness of all steps so far")},
    FactName{"bytes", Kind::Number, Argument::None, LAB_WORDS("bytes that all devices sent in that step")},
    FactName{"time.step", Kind::Number, Argument::None, LAB_WORDS("that step's time in milliseconds")},
    FactName{"time.compute", Kind::Number, Argument::None, LAB_WORDS("of that time, computing")},
    FactName{"time.communication", Kind::Number, Argument::None,
             LAB_WORDS("of that time, sending while nothing is computed")},
    FactName{"time.straggler", Kind::Number, Argument::None, LAB_WORDS("of that time, waiting for slower replicas")},
    FactName{"time.queue", Kind::Number, Argument::None, LAB_WORDS("of that time, waiting for a server")},
    FactName{"speed", Kind::Number, Argument::None, LAB_WORDS("images per second in that step")},
    FactName{"identical", Kind::Flag, Argument::None, LAB_WORDS("all copies of the weights were equal, bit by bit")},
    FactName{"divergence", Kind::Flag, Argument::None, LAB_WORDS("the loss has diverged")},
    FactName{"over", Kind::Flag, Argument::None, LAB_WORDS("the run has ended")},
    FactName{"aborted", Kind::Flag, Argument::None, LAB_WORDS("the step on the stage ended with an error")},
    FactName{"dead", Kind::Number, Argument::None, LAB_WORDS("tasks that are dead when the step on the stage ends")},
    FactName{"killed", Kind::Flag, Argument::Task,
             LAB_WORDS("a task was killed or cut off in this run: killed(worker)")},
    FactName{"revived", Kind::Flag, Argument::Task, LAB_WORDS("a task came back in this run: revived(worker)")},
    FactName{
        "taken", Kind::Flag, Argument::None,
        LAB_WORDS("a dead worker's closure was taken by another worker, in the step on the stage or an earlier one")},
    FactName{"runs", Kind::Number, Argument::None, LAB_WORDS("runs of this session")},
    FactName{"lanes", Kind::Number, Argument::None, LAB_WORDS("runs side by side in Compare")},
    FactName{"sweep.done", Kind::Flag, Argument::None, LAB_WORDS("a sweep has ended, with all its cells")},
    FactName{"class.workers", Kind::Number, Argument::None, LAB_WORDS("workers of the class that is served")},
    FactName{"class.slowed", Kind::Number, Argument::None, LAB_WORDS("of these, those that a teacher has slowed down")},
    FactName{"class.left", Kind::Number, Argument::None, LAB_WORDS("workers that have left that class")},
    FactName{"predicted", Kind::Flag, Argument::Page, LAB_WORDS("a page's prediction is sealed")},
    FactName{"answered", Kind::Flag, Argument::Page, LAB_WORDS("a page's question is answered rightly")},
};

constexpr std::array<std::string_view, 17> kBeats{
    "start-up", "input",  "batch", "distribute", "pull",     "gather",  "forward", "backward", "aggregate",
    "update",   "losses", "check", "epoch-mean", "evaluate", "workers", "apply",   "aborted"};
constexpr std::array<std::string_view, 3> kTaskWords{"worker", "coordinator", "server"};
constexpr std::array<std::string_view, 5> kWorkspaces{"teach", "explore", "compare", "sweep", "profile"};

bool isAmong(std::string_view name, const std::vector<std::string>& names, const Text& what, Message& why) {
  if (std::ranges::find(names, name) != names.end()) return true;
  why = unknownName({what}, name, names);
  return false;
}

bool fitsArgument(const FactCall& call, Message& why) {
  switch (call.name->argument) {
    case Argument::None:
      return true;
    case Argument::Setting: {
      std::vector<std::string> names;
      for (const ConfigField& field : configFields()) names.push_back(field.name);
      return isAmong(call.argument, names, say::lessonSettingWord, why);
    }
    case Argument::Beat:
      return isAmong(call.argument, {kBeats.begin(), kBeats.end()}, say::lessonBeatWord, why);
    case Argument::Replica:
      if (const auto number = parseNumber<int>(call.argument); number && *number >= 0) return true;
      why = {say::lessonReplicaNumber, call.argument};
      return false;
    case Argument::Task:
      return isAmong(call.argument, {kTaskWords.begin(), kTaskWords.end()}, say::lessonTaskWord, why);
    case Argument::Page:
    case Argument::Tab:
      break;  // checked with the lesson, and by the window
  }
  return true;
}

}  // namespace

std::span<const FactName> factNames() {
  return kFactNames;
}

std::span<const std::string_view> beatNames() {
  return kBeats;
}

std::span<const std::string_view> taskNames() {
  return kTaskWords;
}

std::span<const std::string_view> workspaceNames() {
  return kWorkspaces;
}

bool parseFactCall(std::string_view text, FactCall& call, Message& why) {
  const std::size_t open = std::min(text.find('('), text.size());
  const std::string_view name = text.substr(0, open);
  const auto found =
      std::ranges::find(kFactNames, name, [](const FactName& row) { return std::string_view(row.name); });
  if (found == kFactNames.end()) {
    std::vector<std::string> names;
    for (const FactName& row : kFactNames) names.emplace_back(row.name);
    why = unknownName({say::lessonFactWord}, name, names);
    return false;
  }
  const bool takes = found->argument != Argument::None, has = open < text.size();
  if (takes != has || (has && (text.back() != ')' || text.size() < open + 3))) {
    why = {takes ? say::lessonNeedsArgument : say::lessonNoArgument, found->name};
    return false;
  }
  call = {&*found, has ? std::string(text.substr(open + 1, text.size() - open - 2)) : std::string()};
  return fitsArgument(call, why);
}

}  // namespace lab
