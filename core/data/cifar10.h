// SPDX-License-Identifier: GPL-3.0-or-later
// CIFAR-10 in its binary version: records of a label and the planes red, green and blue of a 32×32 image. Any whole
// number of records is a file; checksums belong to fetching and verifying alone.
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

// The set in this very folder: data_batch_*.bin in the order of their numbers, and test_batch.bin. Null where neither
// is there, with why added to `remarks`; UserError where one is there and the set is not whole or not valid.
std::shared_ptr<const Dataset> readCifarFolder(const std::filesystem::path& folder, std::vector<Message>& remarks,
                                               const ReadProgress& progress);
// The files that it would read.
std::vector<std::filesystem::path> cifarFiles(const std::filesystem::path& folder);

// The folders that may hold it, best first; with a dataDir only it and sub-folders of usual names.
std::vector<std::filesystem::path> cifarFolders(const std::filesystem::path& dataDir);

}  // namespace lab
