// SPDX-License-Identifier: GPL-3.0-or-later
// The folders and names of data sets on this machine. Only this file knows other programs' folders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/data/idx.h"

namespace lab {

// Returns where `data fetch` puts a set: $XDG_DATA_HOME/strategylab/NAME, by default ~/.local/share/strategylab/NAME;
// "" if the machine has neither.
std::filesystem::path customDataFolder(const std::string& dataset);

// Returns the folders that may hold `dataset` (mnist, fashion-mnist or cifar10), best first. With a dataDir, only
// dataDir and the sub-folders that torchvision and `data fetch` would make in it; otherwise the standard folders.
std::vector<std::filesystem::path> dataFolders(const std::string& dataset, const std::filesystem::path& dataDir);

// The four files of a set, in the order train images, train labels, test images, test labels.
struct IdxFileName {
  const char* stem;  // "train-images", …
  IdxKind kind;
};
inline constexpr IdxFileName kIdxFiles[4] = {{"train-images", IdxKind::Images},
                                             {"train-labels", IdxKind::Labels},
                                             {"t10k-images", IdxKind::Images},
                                             {"t10k-labels", IdxKind::Labels}};

// "train-images-idx3-ubyte", as the set's authors call the file.
std::string idxName(const IdxFileName& file);

// Returns the file in `folder` under one of its usual names (with - or . before idx, with or without .gz); "" if there
// is none.
std::filesystem::path findIdxFile(const std::filesystem::path& folder, const IdxFileName& file);

}  // namespace lab
