// SPDX-License-Identifier: GPL-3.0-or-later
// Describes a class's run for display: as a run of the same strategy with as many replicas as workers, each on its own
// host, under the names that the program gave them. Made anew when workers join.
#pragma once

#include <memory>
#include <vector>

#include "core/config/run_info.h"
#include "core/data/dataset.h"
#include "core/protocol/class_member.h"

namespace lab::serving {

// The ends of a step's spans in the legend of such a run.
struct ClassEnds {
  int from = -1, to = -1, track = -1;
};
// Returns the ends of a worker's link to a server, or back (`pull`). A class in step shows no servers: the first worker
// holds the sum.
ClassEnds classLink(const RunInfo& info, int worker, int server, bool pull);

// `members`: in the order of their numbers; a number that nobody has had yet has no name. Each member is a replica;
// there is at least one.
std::shared_ptr<const RunInfo> classInfo(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset,
                                         const std::vector<ClassMember>& members);

}  // namespace lab::serving
