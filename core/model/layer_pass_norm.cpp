// SPDX-License-Identifier: GPL-3.0-or-later
// Batch normalisation in a pass: by the batch's own statistics, by those of all replicas, or by the moving ones.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/model/cnn.h"
#include "core/model/layer_pass.h"

namespace lab {

bool LayerPass::normalize(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), rows = of_.examples * sizeOf(i) / channels;
  const auto count = static_cast<std::size_t>(channels);
  if (!exchanging_) {
    sums_.assign(count + 1, {});
    layers_.sums(rows, channels, input(i), sums_.data());
    sums_.back().first = static_cast<double>(rows);
    exchanging_ = layer.synchronized;
    if (exchanging_) return false;
  }
  exchanging_ = false;
  LayerMemory::Norm& norm = this->norm(i);
  norm.count = sums_.back().first;
  if (norm.count == 0) return true;
  std::vector<double> variance(count);
  std::vector<float> factor(count), term(count);
  for (std::size_t c = 0; c < count; ++c) {
    norm.mean[c] = sums_[c].first / norm.count;
    variance[c] = std::max(0.0, sums_[c].second / norm.count - norm.mean[c] * norm.mean[c]);
    norm.inverse[c] = 1 / std::sqrt(variance[c] + layer.epsilon);
    const double gamma = layer.scaled ? static_cast<double>(weight(layer, "/gamma")[c]) : 1;
    const double beta = layer.centered ? static_cast<double>(weight(layer, "/beta")[c]) : 0;
    factor[c] = static_cast<float>(gamma * norm.inverse[c]);
    term[c] = static_cast<float>(beta - gamma * norm.inverse[c] * norm.mean[c]);
  }
  layers_.scaleAndShift(rows, channels, input(i), factor.data(), term.data(), output(i));
  if (of_.movesStatistics) moveStatistics(layer, norm.mean, variance);
  return true;
}

void LayerPass::moveStatistics(const NetworkLayer& layer, const std::vector<double>& mean,
                               const std::vector<double>& variance) {
  const auto move = [&](const char* which, const std::vector<double>& of) {
    float* moving = of_.statistics + network_.statistics().find(layer.name + which).offset;
    const auto keep = static_cast<float>(layer.momentum), take = static_cast<float>(1 - layer.momentum);
    for (std::size_t c = 0; c < of.size(); ++c) moving[c] = moving[c] * keep + static_cast<float>(of[c]) * take;
  };
  move("/moving_mean", mean);
  move("/moving_variance", variance);
}

void LayerPass::normalizeByMoving(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), rows = of_.examples * sizeOf(i) / channels;
  const float* mean = of_.statistics + network_.statistics().find(layer.name + "/moving_mean").offset;
  const float* variance = of_.statistics + network_.statistics().find(layer.name + "/moving_variance").offset;
  std::vector<float> factor(static_cast<std::size_t>(channels)), term(factor.size());
  for (std::size_t c = 0; c < factor.size(); ++c) {
    const double gamma = layer.scaled ? static_cast<double>(weight(layer, "/gamma")[c]) : 1;
    const double beta = layer.centered ? static_cast<double>(weight(layer, "/beta")[c]) : 0;
    const double inverse = 1 / std::sqrt(static_cast<double>(variance[c]) + layer.epsilon);
    factor[c] = static_cast<float>(gamma * inverse);
    term[c] = static_cast<float>(beta - gamma * inverse * static_cast<double>(mean[c]));
  }
  layers_.scaleAndShift(rows, channels, input(i), factor.data(), term.data(), output(i));
}

bool LayerPass::normalizeBackward(std::size_t i, const float* dy) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), rows = of_.examples * sizeOf(i) / channels;
  const auto count = static_cast<std::size_t>(channels);
  const LayerMemory::Norm& norm = this->norm(i);
  if (!exchanging_) {
    sums_.assign(count + 1, {});
    layers_.gradientSums(rows, channels, input(i), dy, norm.mean.data(), sums_.data());
    // Gradients cover this replica's examples only; they are summed over the replicas as all others are.
    for (std::size_t c = 0; c < count; ++c) {
      if (layer.scaled) gradient(layer, "/gamma")[c] = static_cast<float>(sums_[c].second * norm.inverse[c]);
      if (layer.centered) gradient(layer, "/beta")[c] = static_cast<float>(sums_[c].first);
    }
    exchanging_ = layer.synchronized;
    if (exchanging_) return false;
  }
  exchanging_ = false;
  return true;
}

// Uses the sums present, of this replica or of all replicas.
void LayerPass::normInputGradient(std::size_t i, const float* dy, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), rows = of_.examples * sizeOf(i) / channels;
  const auto count = static_cast<std::size_t>(channels);
  const LayerMemory::Norm& norm = this->norm(i);
  if (norm.count == 0) return;
  // dx = γ/σ · (dy − mean of dy − (x − mean) / σ² · mean of dy·(x − mean))
  std::vector<float> a(count), b(count), c(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double gamma = layer.scaled ? static_cast<double>(weight(layer, "/gamma")[k]) : 1;
    const double factor = gamma * norm.inverse[k];
    const double slope = factor * norm.inverse[k] * norm.inverse[k] * sums_[k].second / norm.count;
    a[k] = static_cast<float>(factor);
    b[k] = static_cast<float>(-slope);
    c[k] = static_cast<float>(slope * norm.mean[k] - factor * sums_[k].first / norm.count);
  }
  layers_.combine(rows, channels, dy, a.data(), input(i), b.data(), c.data(), dx);
}

}  // namespace lab
