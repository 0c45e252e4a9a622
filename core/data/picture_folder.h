// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own data set: a folder with a sub-folder of PNG or JPEG files for each class. The sub-folders' names,
// sorted, are the classes. Every fifth picture is for testing, chosen by a hash of its file's bytes: names and other
// pictures have no influence, and equal files end up on the same side.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/data/dataset.h"

namespace lab {

struct PictureClass {
  std::string name;
  std::int64_t train = 0, test = 0;
};
struct LeftOutFile {
  std::string path;  // within the folder
  Message why;       // a sentence
};

struct PictureFolder {
  std::filesystem::path folder;
  std::vector<PictureClass> classes;  // in the order of their labels
  std::vector<LeftOutFile> leftOut;
  Examples train, test;  // in the order of their hashes, which mixes the classes
};

bool looksLikePicture(const std::filesystem::path& file);  // by its first bytes: PNG or JPEG
// Guesses from the first bytes of some files whether the folder has sub-folders with pictures.
bool looksLikePictures(const std::filesystem::path& folder);
// Counts the sub-folders with pictures by the first bytes of their files, up to the first picture in each: a network
// has an output for each of them. 0 if the folder is missing.
std::int64_t pictureClasses(const std::filesystem::path& folder);

// Reads every picture, scaled to `shape`. A file that is not a picture is left out, with the reason. Throws a UserError
// if the rest is not a data set: fewer than two classes or more than 256, or nothing to train or test with.
PictureFolder readPictureFolder(const std::filesystem::path& folder, const std::array<std::int64_t, 3>& shape,
                                const ReadProgress& progress = {});

// Returns all regular files that readPictureFolder() would read, so that a cache can notice changes.
std::vector<std::filesystem::path> pictureFiles(const std::filesystem::path& folder);

}  // namespace lab
