// SPDX-License-Identifier: GPL-3.0-or-later
// A metric as one line of JSON, with the keys that `--metrics` promises (a contract: add to them, never rename them).
// What is modelled has `modelled` in its key, what has not is measured. JSON has no NaN and no infinity: a number that
// is not finite, such as the loss of a run that diverged, is written as null and read as NaN.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/trace/metric.h"

namespace lab {

nlohmann::ordered_json toJson(const Metric& metric);
std::string toJsonLine(const Metric& metric);  // without a line break

// The inverse. Every number that is finite comes back with the same bits. Unknown keys are ignored. `where` begins
// messages ("'run.slab', line 3"); UserError on a key that is missing, of another type or out of range.
Metric metricFromJson(const nlohmann::json& object, const std::string& where);

}  // namespace lab
