// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's devices and links are, for whoever shows them.
#pragma once

#include "core/config/run_info.h"

namespace lab {

class Cluster;

// Replicas, devices, links, variable shards and split; the configuration is there already.
void describeCluster(RunInfo& info, Cluster& cluster);

}  // namespace lab
