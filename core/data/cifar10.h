// SPDX-License-Identifier: GPL-3.0-or-later
// CIFAR-10's binary version: records of a label and the red, green and blue planes of a 32×32 image. A file may have
// any whole number of records; only fetching and verifying use checksums. The Python version, which Keras and
// torchvision store, is read too (pickle_batch.h).
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

// Appends the records to `examples`, pixel by pixel in the order (height, width, channels). Throws a UserError that
// calls them `name`.
void addCifarRecords(std::span<const std::uint8_t> bytes, const std::string& name, Examples& examples);

// Returns the files of a set in exactly this folder: data_batch_*.bin by number and test_batch.bin, or else
// data_batch_* and test_batch of the Python version. Empty if there is no set.
std::vector<std::filesystem::path> cifarFiles(const std::filesystem::path& folder);
// Reads the set from these files. Throws a UserError if it is incomplete or invalid.
std::shared_ptr<const Dataset> readCifarFiles(const std::vector<std::filesystem::path>& files,
                                              const ReadProgress& progress);

// Returns the folder itself, and the folders in it into which the archives unpack.
std::vector<std::filesystem::path> cifarFoldersIn(const std::filesystem::path& folder);

}  // namespace lab
