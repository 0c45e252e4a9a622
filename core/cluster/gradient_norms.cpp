// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/gradient_norms.h"

#include <algorithm>

#include "core/base/ceil_divide.h"

namespace lab {

std::vector<double> squaredNorms(std::span<const float* const> buffers, std::int64_t count, ThreadPool& pool) {
  constexpr std::int64_t kBlock = 16384;
  const std::int64_t blocks = ceilDivide(count, kBlock);
  std::vector<double> partial(buffers.size() * static_cast<std::size_t>(blocks), 0.0);
  pool.forEach(std::ssize(partial), [&](std::int64_t i) {
    const float* buffer = buffers[static_cast<std::size_t>(i / blocks)];
    const std::int64_t begin = i % blocks * kBlock, end = std::min(count, begin + kBlock);
    // Four sums, for speed; always the same four.
    double sums[4] = {0, 0, 0, 0};
    for (std::int64_t at = begin; at < end; ++at)
      sums[at & 3] += static_cast<double>(buffer[at]) * static_cast<double>(buffer[at]);
    partial[static_cast<std::size_t>(i)] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  });
  std::vector<double> norms;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    double sum = 0;
    for (std::int64_t k = 0; k < blocks; ++k)
      sum += partial[b * static_cast<std::size_t>(blocks) + static_cast<std::size_t>(k)];
    norms.push_back(sum);
  }
  return norms;
}

}  // namespace lab
