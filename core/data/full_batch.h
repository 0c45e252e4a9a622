// SPDX-License-Identifier: GPL-3.0-or-later
// Returns each replica's share of a full batch, by the rules of data/split.h: as in the first step of an epoch that is
// long enough.
#pragma once

#include <cstdint>
#include <vector>

#include "core/data/split.h"

namespace lab {

std::vector<std::int64_t> fullShards(const SplitSettings& split);

}  // namespace lab
