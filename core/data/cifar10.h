// SPDX-License-Identifier: GPL-3.0-or-later
// CIFAR-10 in its binary version: records of a label and the planes red, green and blue of a 32×32 image. Any whole
// number of records is a file; checksums belong to fetching and verifying alone. Where Keras and torchvision keep the
// Python version, that is read (pickle_batch.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/data/dataset.h"
#include "core/data/read_count.h"

namespace lab {

inline constexpr std::int64_t kCifarSide = 32, kCifarPlane = kCifarSide * kCifarSide,
                              kCifarRecord = 1 + 3 * kCifarPlane;

// Appends the records to `examples`, pixel by pixel in the order (height, width, channels). UserError; `name` is what
// its text calls them.
void addCifarRecords(std::span<const std::uint8_t> bytes, const std::string& name, Examples& examples);

// The files of a set in this very folder: data_batch_*.bin in the order of their numbers and test_batch.bin, else
// data_batch_* and test_batch of the Python version. Empty where there is none.
std::vector<std::filesystem::path> cifarFiles(const std::filesystem::path& folder);
// The set that they are. UserError where it is not whole or not valid.
std::shared_ptr<const Dataset> readCifarFiles(const std::vector<std::filesystem::path>& files,
                                              const ReadProgress& progress);

// The folder itself, and those within it in which the archives unpack.
std::vector<std::filesystem::path> cifarFoldersIn(const std::filesystem::path& folder);

}  // namespace lab
