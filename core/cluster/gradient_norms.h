// SPDX-License-Identifier: GPL-3.0-or-later
// Squared norms of gradients, for the noise scale. Summed in double, in an order that no number of threads changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"

namespace lab {

// Of each buffer of `count` floats.
std::vector<double> squaredNorms(std::span<const float* const> buffers, std::int64_t count, ThreadPool& pool);

}  // namespace lab
