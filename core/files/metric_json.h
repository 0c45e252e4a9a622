// SPDX-License-Identifier: GPL-3.0-or-later
// A metric as one line of JSON, with the keys that `--metrics` promises (a contract: add to them, never rename them).
// What is modelled has `modelled` in its key, what has not is measured. JSON has no NaN and no infinity: a number that
// is not finite, such as the loss of a run that diverged, is written as null and read as NaN.
// Both ways ask faultOf(): nothing is written that would not be read again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/message.h"
#include "core/base/messages.h"
#include "core/trace/metric.h"

namespace lab {

// The key of what comparing the copies of the weights found, and what stands there where all replicas share one copy.
inline constexpr const char *kCopiesKey = "mirrorsIdentical", *kSharedCopies = "shared";

// What keeps a metric from being one: "'communicationNs' must be a whole number, not negative". Empty where nothing
// does.
Message faultOf(const Metric& metric);

// BrokenInvariant where there is a fault: the source of the metric is wrong, and it must not come into a file.
nlohmann::ordered_json toJson(const Metric& metric);
std::string toJsonLine(const Metric& metric);  // without a line break

// The inverse. Every number that is finite comes back with the same bits. Unknown keys are ignored. `where`
// begins messages (say::inLine); UserError on a key that is missing, of another type or out of range.
Metric metricFromJson(const nlohmann::json& object, const Message& where);

}  // namespace lab
