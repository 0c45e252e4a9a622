// SPDX-License-Identifier: GPL-3.0-or-later
// Reads Keras's mnist.npz: a zip of four NumPy arrays (x_train, y_train, x_test, y_test; .npy of version 1 to 3, C
// order, images as bytes, labels as bytes or 64-bit integers). Validated completely, as strictly as the IDX files.
// Throws a UserError that calls the file `name`. `progress` covers two files of images.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/data/dataset.h"
#include "core/data/read_count.h"

namespace lab {

struct TrainAndTest {
  Examples train, test;
};

TrainAndTest parseNpz(std::span<const std::uint8_t> bytes, const std::string& name, ReadCount* progress = nullptr);
TrainAndTest readNpz(const std::filesystem::path& path, ReadCount* progress = nullptr);

}  // namespace lab
