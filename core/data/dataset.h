// SPDX-License-Identifier: GPL-3.0-or-later
// The examples: images and their labels, as stored in the file. Immutable once loaded, and shared by all.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/read_count.h"

namespace lab {

inline constexpr std::int64_t kMostClasses = 256;  // a label is a byte

struct Examples {
  std::int64_t count = 0;
  std::vector<std::uint8_t> pixels;                 // (count, H, W, C)
  std::vector<std::uint8_t> labels;                 // (count), below the number of classes
  std::array<std::int64_t, 3> shape = {28, 28, 1};  // of an image: height, width, channels

  std::int64_t imageSize() const { return shape[0] * shape[1] * shape[2]; }
  const std::uint8_t* image(std::int64_t i) const { return pixels.data() + i * imageSize(); }
};

std::string digestOf(const Examples& examples);  // SHA-256 of images and labels, in hexadecimal

struct Dataset {
  std::string name;    // "mnist", "fashion-mnist", "digits", "cifar10", "colour"
  std::string source;  // where it was found: a folder, or "embedded"
  Examples train;
  Examples test;
  bool own = false;  // the test labels are not the publishers': the set has MNIST's form and names, but other content
  std::vector<std::string> classNames = {};  // of its labels, if the set has its own; otherwise see class_names.h
  std::int64_t leftOut = 0;                  // number of unusable files in a folder of pictures

  std::int64_t classes() const;  // ten for published sets; otherwise as many as the set has
};

// Loads a data set. `name` is auto, mnist, fashion-mnist, digits, cifar10 or colour; colour with a dataDir is a folder
// of pictures (picture_folder.h), which are scaled to `pictures`, (H, W, C). auto takes MNIST if it is found, otherwise
// the embedded digits, and Dataset::name tells which. `dataDir` "" means the standard folders: $STRATEGYLAB_DATA, the
// XDG data folder, and Keras's and torchvision's folders. Throws a UserError if the data set is missing (listing every
// searched folder, and `data fetch`) or invalid. The last set is cached, and read again when its files have changed.
// `progress` counts the bytes of image files; cached and embedded sets are available at once.
std::shared_ptr<const Dataset> loadDataset(const std::string& name, const std::filesystem::path& dataDir,
                                           const ReadProgress& progress = {},
                                           const std::array<std::int64_t, 3>& pictures = {32, 32, 3});

// Returns the set that auto means with this dataDir, by the names of the files that are there: nothing is read.
std::string nameOfAuto(const std::filesystem::path& dataDir);

// Returns only the first examples of each part; all if no count is given. More than there are is a UserError.
std::shared_ptr<const Dataset> firstExamples(std::shared_ptr<const Dataset> whole, std::optional<std::int64_t> train,
                                             std::optional<std::int64_t> test);

// Returns digestOf() the training examples. The digest of the last set is kept, because a run asks more than once.
std::string trainDigestOf(const std::shared_ptr<const Dataset>& dataset);

// Returns the shape of this set's images, which its name alone decides.
std::array<std::int64_t, 3> imageShapeOf(const std::string& name);

std::shared_ptr<const Dataset> embeddedDigits();  // 4,000 / 1,000, stratified; decompressed once per process

}  // namespace lab
