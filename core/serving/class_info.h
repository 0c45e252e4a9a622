// SPDX-License-Identifier: GPL-3.0-or-later
// What a class's run is, for whoever shows it: as a run of the same strategy with so many replicas, each a host of its
// own, under the names that the program gave them. Made again when there are more.
#pragma once

#include <memory>
#include <vector>

#include "core/config/run_info.h"
#include "core/data/dataset.h"
#include "core/serving/class_member.h"

namespace lab::serving {

// Where a step's spans lie in the legend of such a run.
struct ClassEnds {
  int from = -1, to = -1, lane = -1;
};
// A worker's link to a server, or back (`pull`). A class in step shows none: its sum is the first worker's.
ClassEnds classLink(const RunInfo& info, int worker, int server, bool pull);

// `members`: by their numbers; without a name where nobody has had it yet. As many replicas, at least one.
std::shared_ptr<const RunInfo> classInfo(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset,
                                         const std::vector<ClassMember>& members);

}  // namespace lab::serving
