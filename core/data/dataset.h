// SPDX-License-Identifier: GPL-3.0-or-later
// The examples: 28×28 grey images and their labels, as they lie in the file. Immutable once loaded, shared by all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/data/read_count.h"

namespace lab {

struct Examples {
  std::int64_t count = 0;
  std::vector<std::uint8_t> pixels;  // (count, 28, 28)
  std::vector<std::uint8_t> labels;  // (count), 0..9

  const std::uint8_t* image(std::int64_t i) const { return pixels.data() + i * 784; }
};

struct Dataset {
  std::string name;    // "mnist", "fashion-mnist", "digits"
  std::string source;  // where it was found: a folder, or "embedded"
  Examples train;
  Examples test;
  bool own = false;  // the test labels are not the publishers': it has MNIST's form and names, and is something else
};

// Loads a data set. `name` is auto, mnist, fashion-mnist or digits; auto takes MNIST if it is found, else the embedded
// digits, and says so in Dataset::name. `dataDir` "" means the standard folders: $STRATEGYLAB_DATA, the XDG data
// folder, and where Keras and torchvision keep theirs. Throws UserError when the data set is not there (listing every
// searched folder, and `data fetch`) or is not valid. The last one is kept, and read again when its files have
// changed. `progress` counts the bytes of files of images; what is kept or embedded is there at once.
std::shared_ptr<const Dataset> loadDataset(const std::string& name, const std::filesystem::path& dataDir,
                                           const ReadProgress& progress = {});

// The same with only the first so many examples of each; a count of -1 is all. More than there are is a UserError.
std::shared_ptr<const Dataset> firstExamples(std::shared_ptr<const Dataset> whole, std::int64_t train,
                                             std::int64_t test);

std::shared_ptr<const Dataset> embeddedDigits();  // 4,000 / 1,000, stratified; decompressed once per process

}  // namespace lab
