// SPDX-License-Identifier: GPL-3.0-or-later
// A custom data set: four IDX files under any names, or a folder with the usual ones. Their content says which is
// which; a file is trusted only after it was read in full.
#pragma once

#include <array>
#include <filesystem>
#include <span>

#include "core/data/dataset.h"

namespace lab {

struct CustomFiles {
  std::array<std::filesystem::path, 4> paths;  // in the order of kIdxFiles
  Examples train, test;
  // The folder in which loadDataset finds these very files; "" where it does not look for these names or folders.
  std::filesystem::path folder;
};

// `given`: a folder; or one file, whose usual siblings are taken; or the four files. Two images files and two labels
// files, each pair with as many of one as of the other. Which pair is for training: the one with "train" in its names,
// or the other has "test" or "t10k"; else the one with more examples. UserError with what is wrong and what to do.
CustomFiles readCustomFiles(std::span<const std::filesystem::path> given);

// Copies them under their usual names into `folder`, which is made, so that loadDataset finds them there. UserError
// (kind Run); then a folder made for them is removed.
void keepCustomFiles(const CustomFiles& files, const std::filesystem::path& folder);

// How many examples of each class.
std::vector<std::int64_t> classCounts(const Examples& examples, std::int64_t classes);

}  // namespace lab
