// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluation on the test examples, distributed over the replicas by the same rules as training. Losses are stored per
// example and added in the examples' order, so the result equals exactly that of one device, whatever the distribution.
#pragma once

#include "core/cluster/cluster.h"
#include "core/strategy/strategy.h"
#include "core/trace/metric.h"

namespace lab {

EvalMetric evaluateOn(const Examples& test, const SplitSettings& split, Cluster& cluster, Strategy& strategy);

}  // namespace lab
