// SPDX-License-Identifier: GPL-3.0-or-later
// The networks that are only timed, as the timing model sees them: those of published measurements
// (core/prediction/validation.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/timing/model_profile.h"

namespace lab {

const std::vector<ModelProfile>& modelPresets();
const ModelProfile& modelPreset(std::string_view key);      // UserError with the nearest key
const ModelProfile* findModelPreset(std::string_view key);  // null if there is none

// Returns the profile of a network whose totals alone are known. Its shape is that of the nearest kind of preset (most
// parameters in one dense layer: VGG-16; otherwise ResNet-50), scaled to the totals. All > 0; largestTensor <=
// parameters.
ModelProfile profileFromTotals(const std::string& key, double trainingGflop, std::int64_t parameters,
                               std::int64_t largestTensor, int tensors);

}  // namespace lab
