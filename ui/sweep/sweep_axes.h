// SPDX-License-Identifier: GPL-3.0-or-later
// Which settings can be an axis of a sweep, and which of their values are worth trying first. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/options/config_field.h"

namespace lab {

// The settings that sweeps are usually about, the commonest first.
const std::vector<std::string>& usualAxes();
// True if a list of values makes sense for the setting; others have their own fields in the form, or name files.
bool canBeAxis(const ConfigField& field);
// True if commas separate values; false if the comma is the decimal point.
bool commaSeparates(const std::string& setting);
// `base`: the sweep's other settings. None for rules, and for a setting that comes to no value there.
std::vector<std::string> usualValues(const std::string& setting, const RunSettings& base);

}  // namespace lab
