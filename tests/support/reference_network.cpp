// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reference_network.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lab::test {
namespace {

using Values = std::vector<double>;

// What one example leaves behind for its backward pass.
struct Example {
  Values pooled = Values(13 * 13 * 32);
  std::vector<int> winner = std::vector<int>(13 * 13 * 32);  // index of the winning conv output's top left pixel, or -1
  Values hidden = Values(64);
  std::array<double, 10> probabilities{};
};

double forwardOne(const DoubleTensors& weights, const double* image, int label, Example& e) {
  const Values& kernel = weights.at("conv2d/kernel");
  const Values& bias = weights.at("conv2d/bias");
  for (int row = 0; row < 13; ++row) {
    for (int column = 0; column < 13; ++column) {
      std::array<double, 32> best;
      std::array<int, 32> winner;
      best.fill(-INFINITY);
      winner.fill(-1);
      for (const int corner : {0, 1, 28, 29}) {
        const int origin = 56 * row + 2 * column + corner;
        std::array<double, 32> value;  // one value per filter, in the kernel's order
        std::ranges::copy(bias, value.begin());
        for (int y = 0; y < 3; ++y) {
          for (int x = 0; x < 3; ++x) {
            const double pixel = image[origin + 28 * y + x];
            const double* const weight = kernel.data() + (3 * y + x) * 32;
            for (std::size_t filter = 0; filter < 32; ++filter) value[filter] += pixel * weight[filter];
          }
        }
        for (std::size_t filter = 0; filter < 32; ++filter) {
          if (value[filter] > best[filter]) {
            best[filter] = value[filter];
            winner[filter] = origin;
          }
        }
      }
      for (std::size_t filter = 0; filter < 32; ++filter) {
        const auto cell = static_cast<std::size_t>((13 * row + column) * 32) + filter;
        e.pooled[cell] = std::max(best[filter], 0.0);
        e.winner[cell] = best[filter] > 0 ? winner[filter] : -1;
      }
    }
  }

  const Values& dense = weights.at("dense/kernel");
  e.hidden = weights.at("dense/bias");
  for (std::size_t k = 0; k < e.pooled.size(); ++k) {
    if (e.pooled[k] == 0) continue;
    for (std::size_t j = 0; j < 64; ++j) e.hidden[j] += e.pooled[k] * dense[64 * k + j];
  }
  for (double& value : e.hidden) value = std::max(value, 0.0);

  const Values& last = weights.at("dense_1/kernel");
  std::array<double, 10> logits{};
  for (std::size_t c = 0; c < 10; ++c) {
    logits[c] = weights.at("dense_1/bias")[c];
    for (std::size_t j = 0; j < 64; ++j) logits[c] += e.hidden[j] * last[10 * j + c];
  }
  const double top = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - top);
  for (std::size_t c = 0; c < 10; ++c) e.probabilities[c] = std::exp(logits[c] - top) / sum;
  return std::log(sum) + top - logits[static_cast<std::size_t>(label)];
}

void backwardOne(const DoubleTensors& weights, const double* image, int label, double scale, const Example& e,
                 DoubleTensors& gradients) {
  std::array<double, 10> dLogits = e.probabilities;
  dLogits[static_cast<std::size_t>(label)] -= 1;
  for (double& value : dLogits) value *= scale;

  const Values& last = weights.at("dense_1/kernel");
  Values& dLast = gradients.at("dense_1/kernel");
  std::array<double, 64> dHidden{};
  for (std::size_t c = 0; c < 10; ++c) gradients.at("dense_1/bias")[c] += dLogits[c];
  for (std::size_t j = 0; j < 64; ++j) {
    for (std::size_t c = 0; c < 10; ++c) {
      dLast[10 * j + c] += e.hidden[j] * dLogits[c];
      if (e.hidden[j] > 0) dHidden[j] += last[10 * j + c] * dLogits[c];
    }
  }

  const Values& dense = weights.at("dense/kernel");
  Values& dDense = gradients.at("dense/kernel");
  Values& dKernel = gradients.at("conv2d/kernel");
  Values& dBias = gradients.at("conv2d/bias");
  for (std::size_t j = 0; j < 64; ++j) gradients.at("dense/bias")[j] += dHidden[j];
  for (std::size_t k = 0; k < e.pooled.size(); ++k) {
    if (e.winner[k] < 0) continue;  // then the cell is 0 and neither product has a term
    double dCell = 0;
    for (std::size_t j = 0; j < 64; ++j) {
      dDense[64 * k + j] += e.pooled[k] * dHidden[j];
      dCell += dense[64 * k + j] * dHidden[j];
    }
    const std::size_t filter = k % 32;
    dBias[filter] += dCell;
    for (std::size_t y = 0; y < 3; ++y) {
      for (std::size_t x = 0; x < 3; ++x) {
        dKernel[(3 * y + x) * 32 + filter] += dCell * image[static_cast<std::size_t>(e.winner[k]) + 28 * y + x];
      }
    }
  }
}

DoubleTensors zerosLike(const DoubleTensors& tensors) {
  DoubleTensors result = tensors;
  for (auto& [name, values] : result) std::ranges::fill(values, 0.0);
  return result;
}

}  // namespace

DoubleTensors toDouble(const NamedTensors& tensors) {
  DoubleTensors result;
  for (const auto& [name, values] : tensors) result[name] = Values(values.begin(), values.end());
  return result;
}

NetworkOutcome runNetwork(const DoubleTensors& weights, std::int64_t n, const double* images,
                          const std::uint8_t* labels, double scale, DoubleTensors* gradients) {
  NetworkOutcome outcome;
  Example example;
  for (std::int64_t i = 0; i < n; ++i) {
    outcome.lossSum += forwardOne(weights, images + 784 * i, labels[i], example);
    const auto best = std::ranges::max_element(example.probabilities) - example.probabilities.begin();
    outcome.correct += best == labels[i] ? 1 : 0;
    if (gradients != nullptr) backwardOne(weights, images + 784 * i, labels[i], scale, example, *gradients);
  }
  return outcome;
}

void DoubleOptimizer::apply(std::int64_t iteration, const DoubleTensors& gradients, DoubleTensors& weights) {
  if (m.empty()) m = v = zerosLike(weights);
  const double t = static_cast<double>(iteration);
  const double alpha = learningRate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
  const bool adam = kind == "adam";
  for (auto& [name, w] : weights) {
    const Values& g = gradients.at(name);
    Values &first = m.at(name), &second = v.at(name);
    for (std::size_t i = 0; i < w.size(); ++i) {
      if (adam) {
        first[i] = 0.9 * first[i] + 0.1 * g[i];
        second[i] = 0.999 * second[i] + 0.001 * g[i] * g[i];
        w[i] -= alpha * first[i] / (std::sqrt(second[i]) + 1e-7);
      } else {
        first[i] = momentum * first[i] - learningRate * g[i];
        w[i] += first[i];
      }
    }
  }
}

Trajectory trainInDouble(const GoldenCase& set, const NamedTensors& initial, const std::vector<std::uint8_t>& pixels,
                         const std::vector<std::uint8_t>& labels) {
  Trajectory trajectory{{}, toDouble(initial)};
  DoubleOptimizer optimizer{set.optimizer, set.learningRate, set.momentum, {}, {}};
  Values images(pixels.begin(), pixels.end());
  for (double& pixel : images) pixel /= 255;

  std::int64_t at = 0;  // the next example of the pass
  for (std::int64_t step = 0; step < set.steps; ++step) {
    DoubleTensors gradients = zerosLike(trajectory.weights);
    double lossSum = 0;
    std::int64_t delivered = 0;
    for (const std::int64_t share : set.shards[static_cast<std::size_t>(step)]) {
      const double divisor =
          set.lossReduction == "fit" ? static_cast<double>(share * set.replicas) : static_cast<double>(set.globalBatch);
      lossSum += runNetwork(trajectory.weights, share, images.data() + 784 * (at + delivered),
                            labels.data() + at + delivered, 1 / divisor, &gradients)
                     .lossSum;
      delivered += share;
    }
    trajectory.losses.push_back(lossSum / static_cast<double>(delivered));
    optimizer.apply(step + 1, gradients, trajectory.weights);
    at += delivered;
    if (at >= set.examples) at = 0;
  }
  return trajectory;
}

}  // namespace lab::test
