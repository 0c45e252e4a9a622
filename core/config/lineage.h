// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run comes from: it is a branch of a parent, which it equals up to a step; from there on one setting is
// another, or a value was changed by hand. Settings and lineage together decide a run to the bit, so whoever has both
// can train it again: its file says both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_edit.h"
#include "core/config/run_settings.h"
#include "core/trace/run_fault.h"

namespace lab {

struct RunBranch {
  std::string parent;           // what a person called it; may be ""
  RunSettings config;           // the parent's settings, as it ran
  std::int64_t step = 1;        // the first that the parent did not take
  std::optional<RunEdit> edit;  // in this step
  // In this step; of a restart from a backup `step` is the first after the backup, which the parent had taken.
  std::optional<RunFault> fault;
  // The parent is a class, of which settings are not enough: its steps depend on who came. Only whoever has its
  // recording can train the branch.
  bool ofClass = false;
};
// The oldest ancestor's branch first; empty: the run has no parent.
using Lineage = std::vector<RunBranch>;

inline constexpr std::size_t kMostBranches = 64;

// Whether a value was changed by hand somewhere up to the oldest ancestor.
inline bool isEdited(const Lineage& lineage) {
  return std::ranges::any_of(lineage, [](const RunBranch& branch) { return branch.edit.has_value(); });
}
// Whether a task died or came back somewhere up to the oldest ancestor.
inline bool hasFault(const Lineage& lineage) {
  return std::ranges::any_of(lineage, [](const RunBranch& branch) { return branch.fault.has_value(); });
}

}  // namespace lab
