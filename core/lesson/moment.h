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
//   losses: wrong                              as they would be over each replica's own batch
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
  std::int64_t every = 0;  // steps between backups, if a revival restarts all from a backup; 0: one epoch

  bool operator==(const MomentFault&) const = default;
};

struct Moment {
  std::optional<RunSettings> settings;  // as given; nothing: the present ones stay
  SavedView view;
  std::string object, tab;  // "" if not given
  // Events on the way there, in this order: each makes the window's run a branch in which it happens. `step`: the step
  // on the stage when a person does it.
  std::vector<MomentFault> faults;
  std::vector<StrategyKind> compare = {};  // at most three
  std::string question = {};               // "" if not given

  bool empty() const;  // gives nothing
};

// Reads a block's moment, and marks its keys as read. Does not check the window's names.
Moment readMoment(Block& block, std::vector<LineProblem>& problems);
// Lines from which readMoment() reads the same moment, except for the layers of its network's file.
std::string momentText(const Moment& moment);

}  // namespace lab
