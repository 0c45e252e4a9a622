// SPDX-License-Identifier: GPL-3.0-or-later
// A data set of one's own: a folder with a folder of PNG or JPEG files for each class. The folders' names, sorted, are
// the classes. Every fifth picture is for testing, chosen by a hash of its file's bytes: neither names nor other
// pictures change where one is, and equal files are on one side.
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
  Examples train, test;  // in the order of their hashes, so that classes are mixed
};

// Whether there are folders with pictures in it, by the first bytes of some files: for a guess what a folder is.
bool looksLikePictures(const std::filesystem::path& folder);
// How many folders with pictures are in it, in the same way; 0 where it is not there.
std::int64_t pictureClasses(const std::filesystem::path& folder);

// Every picture scaled to `shape`. A file that is none is left out, with the reason; UserError where what is left is
// no data set: fewer than two classes or more than 256, or nothing to train or to test with.
PictureFolder readPictureFolder(const std::filesystem::path& folder, const std::array<std::int64_t, 3>& shape,
                                const ReadProgress& progress = {});

// All regular files that it would read, for what keeps a set while its files are unchanged.
std::vector<std::filesystem::path> pictureFiles(const std::filesystem::path& folder);

}  // namespace lab
