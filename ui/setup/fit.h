// SPDX-License-Identifier: GPL-3.0-or-later
// What changing one setting means for the others. A user changes one thing at a time and expects it to happen: the
// changed setting stands, and conflicting ones yield. Pure functions, so that the same change has the same effect in
// form, toolbar, picker, keyboard and stage.
#pragma once

#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"

namespace lab {

// `config` with one field set, parsed by its row of the table; "" resets to the default. Throws UserError for a bad
// value.
RunSettings withSetting(const RunSettings& config, const std::string& name, const std::string& value);

// What stays the same when the number of replicas changes. The same rule applies to toolbar, keys and What if.
enum class BatchKept { Global, PerReplica };
BatchKept batchKeptBy(const RunSettings& config, BatchKept otherwise);  // `otherwise` if it gives both
// Rewrites `config` so that it keeps this batch; at `resolved` the meaning is the same. A global batch that the
// replicas do not share evenly stays as it is until their number changes.
RunSettings keepingBatch(RunSettings config, const ResolvedSettings& resolved, BatchKept kept);

// The permanent effect of a change: a setting that contradicts the changed one is dropped, whatever comes next.
RunSettings settled(RunSettings wish, const std::string& changed);

// Settings that the user made in `wish` and that are not in force in `next`: kept for a strategy that can use them.
std::vector<const ConfigField*> notInForce(const RunSettings& wish, const RunSettings& next);

// The nearest configuration to `wish` that its strategy accepts, as far as this is possible without touching `changed`
// (the field's name, "" for none). resolve() may still refuse the result; then its sentence must be shown.
RunSettings fitted(RunSettings wish, const std::string& changed);

// Switches to the embedded digits; a network for other images yields.
RunSettings onDigits(RunSettings config);

// How the window starts in Teach: Mirrored, two replicas, eight digits per step, whatever the number of replicas.
RunSettings teachingConfig();

}  // namespace lab
