// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/picture_folder.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <future>
#include <system_error>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/data/idx.h"
#include "core/data/messages.h"
#include "core/data/picture.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostPictureBytes = std::int64_t{256} << 20;
constexpr std::uint64_t kTestShare = 5;
constexpr double kPicturesShare = 0.9;  // of the machine's memory, as for a run

bool isHidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

// Lists a folder; one that cannot be opened has no entries. A disk may fail in the middle, where a loop over the
// iterator would throw: then `failed` is set, and the entries until there are returned.
std::vector<fs::path> sortedEntries(const fs::path& folder, std::error_code& failed) {
  std::vector<fs::path> entries;
  std::error_code unopened;
  failed.clear();
  for (fs::directory_iterator entry(folder, unopened), end; !failed && entry != end; entry.increment(failed))
    if (!isHidden(entry->path())) entries.push_back(entry->path());
  std::ranges::sort(entries);
  return entries;
}

// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/), finished as in splitmix64, so that the last digits
// depend on all bytes.
std::uint64_t hashOf(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3ULL;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
  return hash ^ (hash >> 31);
}

struct ReadPicture {
  fs::path path;
  std::size_t folder = 0;  // index of the class's folder
  std::uint64_t hash = 0;
  std::vector<std::uint8_t> pixels;  // empty: the file is left out
  Message why;
};

void readPicture(ReadPicture& file, const std::array<std::int64_t, 3>& shape, ReadCount& count) {
  try {
    const std::vector<std::uint8_t> bytes = readFile(file.path, kMostPictureBytes);
    Picture picture;
    if (decodePicture(bytes, picture, file.why)) {
      file.hash = hashOf(bytes);
      file.pixels = scaledPicture(picture, shape);
    }
    count.read(std::ssize(bytes));
  } catch (const UserError& error) {
    file.why = error.message();
  }
}

// Uses all processors; each file is read independently, so their number changes nothing.
void readPictures(std::vector<ReadPicture>& files, const std::array<std::int64_t, 3>& shape,
                  const ReadProgress& progress) {
  ReadCount count(1, progress);
  std::int64_t total = 0;
  std::error_code error;
  for (const ReadPicture& file : files) {
    const std::uintmax_t bytes = fs::file_size(file.path, error);
    total += error ? 0 : static_cast<std::int64_t>(bytes);
  }
  count.expect(total);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) readPicture(files[i], shape, count);
  };
  std::vector<std::future<void>> others;
  for (int i = 1; i < processorCount(); ++i) others.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& other : others) other.get();
}

// As above, but a set of pictures of which some are missing must not be taken for the whole.
std::vector<fs::path> allEntries(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> entries = sortedEntries(folder, failed);
  if (failed) throw UserError(UserError::Kind::Run, say::readingFailed, folder, failed.message());
  return entries;
}

struct Listed {
  std::vector<fs::path> folders;
  std::vector<ReadPicture> files;
  std::vector<LeftOutFile> leftOut;
};

Listed listPictures(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw UserError(say::notAFolder, folder);
  Listed listed;
  for (const fs::path& entry : allEntries(folder)) {
    if (!fs::is_directory(entry, error)) {
      listed.leftOut.push_back({entry.filename().string(), say::pictureInNoClass});
      continue;
    }
    for (const fs::path& file : allEntries(entry)) {
      if (fs::is_regular_file(file, error))
        listed.files.push_back({file, listed.folders.size(), 0, {}, {}});
      else
        listed.leftOut.push_back({(entry.filename() / file.filename()).string(),
                                  fs::is_directory(file, error) ? say::pictureNoFile : say::pictureNotThere});
    }
    listed.folders.push_back(entry);
  }
  if (std::ssize(listed.files) > kMaxExamples)
    throw UserError(say::tooManyPictures, folder, std::ssize(listed.files), kMaxExamples);
  return listed;
}

// Refuses, before any is read, pictures that do not fit into memory: each file's own and their copies among the
// examples, as if all were pictures.
void requireMemory(const fs::path& folder, const Listed& listed, const std::array<std::int64_t, 3>& shape) {
  double need = 2 * static_cast<double>(listed.files.size());
  for (const std::int64_t extent : shape) need *= static_cast<double>(extent);
  const double there = kPicturesShare * static_cast<double>(memoryBytes());
  if (there > 0 && need > there)
    throw UserError(say::picturesTooLarge, folder, std::ssize(listed.files), Bytes{std::llround(need)},
                    Bytes{std::llround(there)});
}

// Moves the picture: its own pixels are freed.
void addPicture(ReadPicture& file, std::uint8_t label, Examples& examples) {
  examples.pixels.insert(examples.pixels.end(), file.pixels.begin(), file.pixels.end());
  file.pixels = std::vector<std::uint8_t>();
  examples.labels.push_back(label);
  ++examples.count;
}

// Returns the labels of the folders that have pictures; -1 for the others.
std::vector<int> labelsOfFolders(const Listed& listed, PictureFolder& result) {
  std::vector<std::int64_t> pictures(listed.folders.size());
  for (const ReadPicture& file : listed.files)
    if (!file.pixels.empty()) ++pictures[file.folder];
  std::vector<int> labels;
  for (std::size_t i = 0; i < listed.folders.size(); ++i) {
    const std::string name = listed.folders[i].filename().string();
    labels.push_back(pictures[i] > 0 ? static_cast<int>(result.classes.size()) : -1);
    if (pictures[i] > 0)
      result.classes.push_back({name});
    else
      result.leftOut.push_back({name, say::folderWithoutPictures});
  }
  const auto classes = std::ssize(result.classes);
  if (classes == 0) throw UserError(say::noPictures, result.folder, kMostClasses);
  if (classes == 1) throw UserError(say::oneClassOfPictures, result.folder, result.classes.front().name);
  if (classes > kMostClasses) throw UserError(say::tooManyPictureClasses, result.folder, classes, kMostClasses);
  return labels;
}

bool isForTesting(const ReadPicture& file) {
  return file.hash % kTestShare == 0;
}

// Reserves memory for the examples, because growing would hold them twice for a while.
void reserveExamples(const Listed& listed, PictureFolder& result) {
  std::size_t train = 0, test = 0;
  for (const ReadPicture& file : listed.files)
    if (!file.pixels.empty()) ++(isForTesting(file) ? test : train);
  const auto size = static_cast<std::size_t>(result.train.imageSize());
  result.train.pixels.reserve(train * size);
  result.test.pixels.reserve(test * size);
}

// Judges by the first bytes of at most `most` files, some of which are not pictures in many folders.
bool hasPictures(const fs::path& folder, std::int64_t most) {
  std::error_code error, ignored;
  if (!fs::is_directory(folder, error)) return false;
  std::int64_t tried = 0;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    if (isHidden(file->path()) || !fs::is_regular_file(*file, ignored)) continue;
    if (++tried > most) return false;
    if (looksLikePicture(file->path())) return true;
  }
  return false;
}

}  // namespace

bool looksLikePicture(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  char begin[3] = {};
  std::ifstream(file, std::ios::binary).read(begin, sizeof begin);
  return std::string_view(begin, 3) == "\x89PN" || std::string_view(begin, 3) == "\xff\xd8\xff";
}

bool looksLikePictures(const fs::path& folder) {
  constexpr std::int64_t kTried = 20;
  std::error_code ignored;
  return std::ranges::any_of(sortedEntries(folder, ignored),
                             [](const fs::path& entry) { return hasPictures(entry, kTried); });
}

std::int64_t pictureClasses(const fs::path& folder) {
  std::error_code ignored;
  return std::ranges::count_if(sortedEntries(folder, ignored),
                               [](const fs::path& entry) { return hasPictures(entry, kMaxExamples); });
}

std::vector<fs::path> pictureFiles(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (ReadPicture& file : listPictures(folder).files) paths.push_back(std::move(file.path));
  return paths;
}

PictureFolder readPictureFolder(const fs::path& folder, const std::array<std::int64_t, 3>& shape,
                                const ReadProgress& progress) {
  Listed listed = listPictures(folder);
  requireMemory(folder, listed, shape);
  readPictures(listed.files, shape, progress);
  PictureFolder result;
  result.folder = folder;
  result.leftOut = std::move(listed.leftOut);
  for (const ReadPicture& file : listed.files)
    if (file.pixels.empty())
      result.leftOut.push_back({(file.path.parent_path().filename() / file.path.filename()).string(), file.why});
  const std::vector<int> labels = labelsOfFolders(listed, result);
  std::ranges::stable_sort(result.leftOut, {}, &LeftOutFile::path);
  std::ranges::stable_sort(listed.files, {}, &ReadPicture::hash);
  result.train.shape = result.test.shape = shape;
  reserveExamples(listed, result);
  for (ReadPicture& file : listed.files) {
    if (file.pixels.empty()) continue;
    const int label = labels[file.folder];
    const bool tests = isForTesting(file);
    addPicture(file, static_cast<std::uint8_t>(label), tests ? result.test : result.train);
    PictureClass& of = at(result.classes, label);
    ++(tests ? of.test : of.train);
  }
  if (result.train.count == 0 || result.test.count == 0)
    throw UserError(say::tooFewPictures, folder, result.train.count, result.test.count);
  return result;
}

}  // namespace lab
