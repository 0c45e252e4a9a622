// SPDX-License-Identifier: GPL-3.0-or-later
// A metric as one line of JSON, with the keys that `--metrics` promises (a contract: add keys, never rename them).
// Modelled values have `modelled` in their key; all others are measured. JSON has no NaN and no infinity: a number that
// is not finite, such as the loss of a run that diverged, is written as null and read as NaN. Both directions call
// faultOf(): nothing is written that could not be read again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/message.h"
#include "core/base/messages.h"
#include "core/trace/metric.h"

namespace lab {

// The key for the result of comparing the copies of the weights, and its value if all replicas share one copy.
inline constexpr const char *kCopiesKey = "mirrorsIdentical", *kSharedCopies = "shared";

// Returns why a metric is invalid: "'communicationNs' must be a whole number, not negative". Empty if it is valid.
Message faultOf(const Metric& metric);

// Throws a BrokenInvariant if the metric is invalid: its source is wrong, and it must not get into a file.
nlohmann::ordered_json toJson(const Metric& metric);
std::string toJsonLine(const Metric& metric);  // without a line break

// The inverse. Every finite number comes back with the same bits. Unknown keys are ignored. `where` begins messages
// (say::inLine); throws a UserError for a key that is missing, of another type or out of range.
Metric metricFromJson(const nlohmann::json& object, const Message& where);

}  // namespace lab
