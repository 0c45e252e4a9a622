// SPDX-License-Identifier: GPL-3.0-or-later
// What changing one setting means for the others. A person changes one thing at a time and expects it to be done: what
// was just changed stands, and what conflicts with it yields. Pure functions, so that form, toolbar, picker, keyboard
// and stage mean the same by the same change.
#pragma once

#include <string>

#include "core/run/run_config.h"

namespace lab {

// `config` with one field set as its table row reads it; "" is back to the default. UserError for a bad value.
RunConfig withSetting(const RunConfig& config, const std::string& name, const std::string& value);

// The nearest configuration to `wish` that its strategy can take, as far as that can be without touching `changed`
// (the field's name, "" for none). It may still be one that resolveConfig refuses, and then the sentence is to be
// shown.
RunConfig fitted(RunConfig wish, const std::string& changed);

// How the window starts in Teach: Mirrored, two replicas, eight digits a step, whatever the number of replicas.
RunConfig teachingConfig();

}  // namespace lab
