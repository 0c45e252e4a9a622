// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/custom_files.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/data/data_folders.h"
#include "core/data/gzip.h"
#include "core/data/idx.h"
#include "core/data/messages.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

struct CustomFile {
  fs::path path;
  IdxKind kind = IdxKind::Images;
  std::vector<std::uint8_t> content;  // without the header
  std::int64_t count() const {
    const auto size = static_cast<std::int64_t>(content.size());
    return kind == IdxKind::Images ? size / kPixelsPerImage : size;
  }
};

// Returns the kind by the magic number; a file with neither number is refused as an invalid images file.
IdxKind kindOf(std::span<const std::uint8_t> bytes, const std::string& name) {
  constexpr std::uint8_t kLabelsDimensions = 1;  // the fourth byte counts the dimensions
  std::array<std::uint8_t, 4> magic{};
  if (isGzip(bytes)) {
    GzipReader(bytes, name).read(magic);
  } else {
    std::copy_n(bytes.begin(), std::min(bytes.size(), magic.size()), magic.begin());
  }
  return magic[3] == kLabelsDimensions ? IdxKind::Labels : IdxKind::Images;
}

CustomFile readCustomFile(const fs::path& path) {
  CustomFile file;
  file.path = path;
  const std::vector<std::uint8_t> bytes = readFile(path, idxFileBytes(IdxKind::Images, kMaxExamples));
  file.kind = kindOf(bytes, path.string());
  file.content = parseIdx(bytes, file.kind, path.string());
  return file;
}

bool says(const fs::path& path, std::initializer_list<const char*> words) {
  const std::string name = lowerAscii(path.filename().string());
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

// Returns whether the first of two files is for training; nothing if neither names nor counts decide.
std::optional<bool> firstTrains(const CustomFile& first, const CustomFile& second) {
  const bool firstTest = says(first.path, {"t10k", "test"}), secondTest = says(second.path, {"t10k", "test"});
  const bool firstTrain = says(first.path, {"train"}), secondTrain = says(second.path, {"train"});
  if (firstTrain != secondTrain) return firstTrain;
  if (firstTest != secondTest) return secondTest;
  if (first.count() != second.count()) return first.count() > second.count();
  return std::nullopt;
}

// Puts the training file first.
void order(std::vector<CustomFile>& pair, const Text& what) {
  const std::optional<bool> first = firstTrains(pair[0], pair[1]);
  if (!first) throw UserError(say::whichToTrain, pair[0].path, pair[1].path, what);
  if (!*first) std::swap(pair[0], pair[1]);
}

std::array<fs::path, 4> usualFiles(const fs::path& folder) {
  std::array<fs::path, 4> paths;
  std::string missing;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    paths[i] = findIdxFile(folder, kIdxFiles[i]);
    if (paths[i].empty()) missing += (missing.empty() ? "" : ", ") + idxName(kIdxFiles[i]);
  }
  if (!missing.empty()) throw UserError(say::folderLacksFiles, folder, missing);
  return paths;
}

}  // namespace

CustomFiles readCustomFiles(std::span<const fs::path> given) {
  std::error_code error;
  std::vector<fs::path> paths(given.begin(), given.end());
  if (paths.size() == 1) {
    const bool isFolder = fs::is_directory(paths[0], error);
    if (!isFolder) (void)readCustomFile(paths[0]);  // an error of this file is reported before missing siblings
    const auto usual = usualFiles(isFolder ? paths[0] : fs::absolute(paths[0]).parent_path());
    paths.assign(usual.begin(), usual.end());
  }
  if (paths.size() != 4) throw UserError(say::otherNumberOfFiles, paths.size());

  std::vector<CustomFile> images, labels;
  for (const fs::path& path : paths) {
    CustomFile file = readCustomFile(path);
    (file.kind == IdxKind::Images ? images : labels).push_back(std::move(file));
  }
  if (images.size() != 2) throw UserError(say::otherNumberOfKinds, images.size(), labels.size());
  order(images, say::images);
  // Labels belong to the images with the same count; if the counts do not decide, the names do.
  if (images[0].count() != images[1].count()) {
    if (labels[0].count() != images[0].count() && labels[1].count() == images[0].count())
      std::swap(labels[0], labels[1]);
  } else {
    order(labels, say::labels);
  }

  CustomFiles files;
  files.paths = {images[0].path, labels[0].path, images[1].path, labels[1].path};
  files.train = joinExamples(std::move(images[0].content), std::move(labels[0].content), files.paths[0].string(),
                             files.paths[1].string());
  files.test = joinExamples(std::move(images[1].content), std::move(labels[1].content), files.paths[2].string(),
                            files.paths[3].string());
  const fs::path folder = fs::absolute(files.paths[0]).parent_path();
  bool usual = true;
  for (std::size_t i = 0; i < 4; ++i) {
    const fs::path there = findIdxFile(folder, kIdxFiles[i]);
    usual = usual && !there.empty() && fs::equivalent(there, files.paths[i], error);
  }
  if (usual) files.folder = folder;
  return files;
}

void keepCustomFiles(const CustomFiles& files, const fs::path& folder) {
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (error) throw UserError(UserError::Kind::Run, say::cannotMakeHomeFolder, folder, error.message());
  try {
    for (std::size_t i = 0; i < 4; ++i) {
      const std::vector<std::uint8_t> bytes = readFile(files.paths[i], idxFileBytes(IdxKind::Images, kMaxExamples));
      fs::path to = folder / idxName(kIdxFiles[i]);
      if (isGzip(bytes)) to += ".gz";
      writeFileAtomically(to, bytes);
    }
  } catch (const UserError&) {
    if (made) fs::remove_all(folder, error);
    throw;
  }
}

std::vector<std::int64_t> classCounts(const Examples& examples, std::int64_t classes) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(classes));
  for (const std::uint8_t label : examples.labels) ++counts.at(label);
  return counts;
}

}  // namespace lab
