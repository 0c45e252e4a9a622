// SPDX-License-Identifier: GPL-3.0-or-later
// A place in the program that a text can lead to: which experiment, which step and beat, what is selected, which
// workspace and tab show it. Lessons' pages, "Show me", the gallery and a teacher's list of moments all name theirs so:
//   settings: strategy=mirrored&replicas=4     as in an experiment's link; without it the present experiment stays
//   step: 3
//   beat: aggregate                            and how much of it has passed: part, 0 to 1
//   part: 0.5
//   faults: kill worker 1 in 3, revive worker 1 in 6   what happens on the way, each in the step on the stage then;
//                                              with "every 10" behind it all start again from a backup every 10 steps
//   object: gradient 1                         the window's names: object_name.h
//   workspace: profile, theme: dark, mode: play, tab: traceTab
//   compare: central-storage, tpu              strategies beside the present one, in the workspace Compare
//   question: convert                          of the quiz, by its name in quiz.txt; with it the tab is the quiz's
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/files/experiment_file.h"
#include "core/lesson/blocks.h"
#include "core/trace/run_fault.h"

namespace lab {

struct MomentFault : RunFault {
  std::int64_t every = 0;  // steps from backup to backup, where all start again from one; 0: one an epoch

  bool operator==(const MomentFault&) const = default;
};

struct Moment {
  std::optional<RunSettings> settings;  // as asked for; nothing: as they are
  SavedView view;
  std::string object, tab;  // "" where it does not say
  // On the way there, in this order: the window's run becomes the branch in which each happens. `step`: the one on the
  // stage when a person does it.
  std::vector<MomentFault> faults;
  std::vector<StrategyKind> compare = {};  // at most three
  std::string question = {};               // "" where it does not say

  bool empty() const;  // says nothing
};

// What a block says of a moment; its keys are read. Names of the window are not checked here.
Moment readMoment(Block& block, std::vector<LineProblem>& problems);
std::string momentText(const Moment& moment);  // lines that are read back to the same

}  // namespace lab
