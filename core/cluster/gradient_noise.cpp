// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/gradient_noise.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/cluster/cluster.h"

namespace lab {
namespace {

// Returns the squared norm of each buffer of `count` floats.
std::vector<double> squaredNorms(std::span<const float* const> buffers, std::int64_t count, ThreadPool& pool) {
  constexpr std::int64_t kBlock = 16384;
  const std::int64_t blocks = ceilDivide(count, kBlock);
  std::vector<double> partial(buffers.size() * static_cast<std::size_t>(blocks), 0.0);
  pool.forEach(std::ssize(partial), [&](std::int64_t i) {
    const float* buffer = at(buffers, i / blocks);
    const std::int64_t begin = i % blocks * kBlock, end = std::min(count, begin + kBlock);
    // Four partial sums for speed, always the same four.
    double sums[4] = {0, 0, 0, 0};
    for (std::int64_t at = begin; at < end; ++at)
      sums[at & 3] += static_cast<double>(buffer[at]) * static_cast<double>(buffer[at]);
    at(partial, i) = (sums[0] + sums[1]) + (sums[2] + sums[3]);
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

// The factor between a replica's gradients and its mean gradient: its buffers hold the sum over examples times the loss
// scale.
double scaleOf(const Cluster& cluster, double examples) {
  return cluster.lossScale(static_cast<std::int64_t>(examples)) * examples;
}

}  // namespace

std::vector<LocalGradient> localGradients(Cluster& cluster) {
  std::vector<LocalGradient> local;
  std::vector<const float*> gradients;
  for (int r = 0; r < cluster.replicas(); ++r) {
    const Replica& replica = cluster.replica(r);
    if (replica.leftOut) continue;
    const auto examples = static_cast<double>(replica.shard().size());
    if (cluster.settings().lossReduction == LossReduction::Fit && !local.empty() && examples != local.front().examples)
      return {};
    local.push_back({examples, 0});
    gradients.push_back(replica.variables.gradients.data());
  }
  const std::vector<double> norms = squaredNorms(gradients, cluster.layout().size(), cluster.pool());
  for (std::size_t r = 0; r < local.size(); ++r) {
    const double scale = scaleOf(cluster, local[r].examples);
    local[r].squaredNorm = scale > 0 ? norms[r] / (scale * scale) : 0;
  }
  return local;
}

std::optional<NoiseSample> noiseOf(Cluster& cluster, std::span<const LocalGradient> local, const float* sum) {
  double scale = 0;
  for (const LocalGradient& each : local) scale += scaleOf(cluster, each.examples);
  if (scale <= 0) return std::nullopt;
  const std::vector<double> norms = squaredNorms(std::span(&sum, 1), cluster.layout().size(), cluster.pool());
  return noiseSample(local, norms.front() / (scale * scale));
}

}  // namespace lab
