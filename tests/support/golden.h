// SPDX-License-Identifier: GPL-3.0-or-later
// The golden trajectories (golden/README.md): set-up, losses and final weights of float64 runs, and their common
// initial weights.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lab::test {

struct GoldenCase {
  std::string name, optimizer, split, lossReduction;
  double learningRate = 0, momentum = 0;
  std::int64_t globalBatch = 0, examples = 0, steps = 0;
  int replicas = 1;
  std::vector<std::vector<std::int64_t>> shards;  // per step, examples of each replica
  std::vector<std::int64_t> batchSizes;           // per step
  std::vector<double> losses;                     // per step, mean over the delivered examples before the update

  struct Final {
    double l2 = 0, sum = 0;
    std::vector<double> sample;  // five elements, i · ⌊size/5⌋ (tst_golden_reference shows it)
  };
  std::map<std::string, Final> finals;  // by Keras name
  double accuracy = 0;                  // on the first 10,000 training images
};

GoldenCase readGoldenCase(const std::filesystem::path& path);
std::vector<std::string> goldenCaseNames();

// Keras name → values.
using NamedTensors = std::map<std::string, std::vector<float>>;
NamedTensors readInitialWeights(const std::filesystem::path& path);

}  // namespace lab::test
