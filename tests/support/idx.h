// SPDX-License-Identifier: GPL-3.0-or-later
// MNIST's training images for the golden tests, read with as little code as possible and apart from core/data, so that
// a mistake there cannot hide here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lab::test {

struct TrainingImages {
  std::int64_t count = 0;
  std::vector<std::uint8_t> pixels;  // (count, 28, 28)
  std::vector<std::uint8_t> labels;  // (count)
};

// The first `count` training examples in `folder`. Throws std::runtime_error on anything unexpected.
TrainingImages readTrainingImages(const std::filesystem::path& folder, std::int64_t count);

}  // namespace lab::test
