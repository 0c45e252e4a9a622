// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run comes from. A branch equals its parent up to a step; from this step on, one setting differs or a value
// was changed by hand. Settings and lineage together determine a run to the bit, so a run's file contains both, and
// anyone who has them can train the run again.
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
  std::string parent;           // the name that a person gave it; may be ""
  RunSettings config;           // the parent's settings, as it ran
  std::int64_t step = 1;        // the first step that the parent did not take
  std::optional<RunEdit> edit;  // in this step
  // In this step. If the branch restarts from a backup, `step` is the first step after the backup, which the parent did
  // take.
  std::optional<RunFault> fault;
  // The parent is a class, so its settings are not enough: its steps depend on which workers came. The branch can be
  // trained only with the parent's recording.
  bool ofClass = false;
};
// Begins with the oldest ancestor's branch; empty: the run has no parent.
using Lineage = std::vector<RunBranch>;

inline constexpr std::size_t kMostBranches = 64;

// Returns whether a value was changed by hand anywhere up to the oldest ancestor.
inline bool isEdited(const Lineage& lineage) {
  return std::ranges::any_of(lineage, [](const RunBranch& branch) { return branch.edit.has_value(); });
}
// Returns whether a task died or came back anywhere up to the oldest ancestor.
inline bool hasFault(const Lineage& lineage) {
  return std::ranges::any_of(lineage, [](const RunBranch& branch) { return branch.fault.has_value(); });
}

}  // namespace lab
