// SPDX-License-Identifier: GPL-3.0-or-later
// A user's data set: four IDX files with any names, or a folder with the usual ones. Their content tells which is
// which; a file is trusted only after it was read completely.
#pragma once

#include <array>
#include <filesystem>
#include <span>

#include "core/data/dataset.h"

namespace lab {

struct CustomFiles {
  std::array<std::filesystem::path, 4> paths;  // in the order of kIdxFiles
  Examples train, test;
  // The folder in which loadDataset finds exactly these files; "" if it does not search for these names or folders.
  std::filesystem::path folder;
};

// `given`: a folder; or one file, whose usual siblings are used; or the four files. There must be two images files and
// two labels files, with pairs of equal counts. The training pair is the one with "train" in its names, or the one
// whose counterpart has "test" or "t10k"; otherwise the larger one. Throws a UserError with what is wrong and what to
// do.
CustomFiles readCustomFiles(std::span<const std::filesystem::path> given);

// Copies the files under their usual names into `folder`, which is created, so that loadDataset finds them there.
// Throws a UserError (kind Run), and then removes a folder that was created.
void keepCustomFiles(const CustomFiles& files, const std::filesystem::path& folder);

// Returns the number of examples of each class.
std::vector<std::int64_t> classCounts(const Examples& examples, std::int64_t classes);

}  // namespace lab
