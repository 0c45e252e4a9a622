// SPDX-License-Identifier: GPL-3.0-or-later
// Reads MNIST's IDX files, plain or gzip (recognised by content, not by name). A file is validated completely before it
// is used, and memory is only allocated for what its bytes can hold. Every function throws a UserError that calls the
// file `name`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/read_count.h"

namespace lab {

inline constexpr std::int64_t kPixelsPerImage = 28 * 28;
inline constexpr std::int64_t kMaxExamples = 300'000;  // in one file: EMNIST digits, the largest relative, has 240,000

enum class IdxKind { Images, Labels };

// Returns the bytes of the header, and of a whole file with `count` examples.
std::int64_t idxHeaderBytes(IdxKind kind);
std::int64_t idxFileBytes(IdxKind kind, std::int64_t count);

// Returns the data after the header: (count, 28, 28) pixels, or (count) labels of 0..9. For images, `progress` counts
// the bytes that readIdx() reads, and those that parseIdx() unpacks.
std::vector<std::uint8_t> parseIdx(std::span<const std::uint8_t> bytes, IdxKind kind, const std::string& name,
                                   ReadCount* progress = nullptr);
std::vector<std::uint8_t> readIdx(const std::filesystem::path& path, IdxKind kind, ReadCount* progress = nullptr);

// Joins images and labels if their counts are equal.
Examples joinExamples(std::vector<std::uint8_t> pixels, std::vector<std::uint8_t> labels, const std::string& imagesName,
                      const std::string& labelsName);

}  // namespace lab
