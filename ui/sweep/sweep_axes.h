// SPDX-License-Identifier: GPL-3.0-or-later
// Which settings a sweep can have as an axis, and which values of them are worth a first look. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/options/config_field.h"

namespace lab {

// The ones that a sweep is usually about, first.
const std::vector<std::string>& usualAxes();
// What a list of values makes sense for; the rest has fields of its own in the form, or names files.
bool canBeAxis(const ConfigField& field);
// A comma stands between values unless it is the decimal point.
bool commaSeparates(const std::string& setting);
// `base`: what the sweep has otherwise.
std::vector<std::string> usualValues(const std::string& setting, const RunSettings& base);

}  // namespace lab
