// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset.h"

#include <algorithm>
#include <array>
#include <future>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/data/cifar10.h"
#include "core/data/colour.h"
#include "core/data/data_folders.h"
#include "core/data/gzip.h"
#include "core/data/idx.h"
#include "core/data/messages.h"
#include "core/data/npz.h"
#include "core/data/picture_folder.h"
#include "core/data/verify.h"
#include "resources/resources.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kDigitsTrain = 4000, kDigitsTest = 1000;

// Reads images first: if both files are damaged, the images' error is reported.
Examples readPair(const fs::path& images, const fs::path& labels, ReadCount& count) {
  std::vector<std::uint8_t> pixels = readIdx(images, IdxKind::Images, &count);
  return joinExamples(std::move(pixels), readIdx(labels, IdxKind::Labels, &count), images.string(), labels.string());
}

// Loads the test examples on another thread, because the window waits for them. If both fail, the training examples'
// error is thrown; returning always waits for the other thread.
TrainAndTest readPairs(const std::array<fs::path, 4>& paths, ReadCount& count) {
  auto test =
      std::async(std::launch::async | std::launch::deferred, [&] { return readPair(paths[2], paths[3], count); });
  Examples train = readPair(paths[0], paths[1], count);
  return {std::move(train), test.get()};
}

// Caches the last data set while its files are unchanged: the runs of a session need the same set again and again, and
// unpacking it takes longer than the first picture of a new strategy may.
class LastRead {
 public:
  template <typename Read>
  std::shared_ptr<const Dataset> get(const std::string& name, const std::vector<fs::path>& paths, Read read) {
    const std::vector<FileStamp> files = stampsOf(paths);
    const std::lock_guard lock(mutex_);
    if (dataset_ != nullptr && name_ == name && !files.empty() && files == files_) return dataset_;
    dataset_.reset();  // so that two sets are never in memory at once
    dataset_ = read();
    name_ = name;
    files_ = files;
    return dataset_;
  }

 private:
  struct FileStamp {
    fs::path path;
    std::uintmax_t bytes = 0;
    fs::file_time_type written;
    bool operator==(const FileStamp&) const = default;
  };

  // Returns nothing if a file's size or time cannot be read.
  static std::vector<FileStamp> stampsOf(const std::vector<fs::path>& paths) {
    std::vector<FileStamp> files;
    for (const fs::path& path : paths) {
      std::error_code noSize, noTime;
      files.push_back({path, fs::file_size(path, noSize), fs::last_write_time(path, noTime)});
      if (noSize || noTime) return {};
    }
    return files;
  }

  std::mutex mutex_;
  std::string name_;              // the requested name
  std::vector<FileStamp> files_;  // guarded by mutex_, as is the next member
  std::shared_ptr<const Dataset> dataset_;
};

LastRead& lastRead() {
  static LastRead last;
  return last;
}

// Loads the set in exactly this folder. Returns null if it is missing, and adds the reason to `remarks`; throws a
// UserError if it is damaged. Both sets' files have the same names: the folder tells them apart, or a checksum if there
// is one.
std::shared_ptr<const Dataset> loadFolder(const std::string& name, const fs::path& folder,
                                          std::vector<Message>& remarks, const ReadProgress& progress) {
  std::array<fs::path, 4> paths;
  std::string missing;
  std::size_t found = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    paths[i] = findIdxFile(folder, kIdxFiles[i]);
    if (paths[i].empty())
      missing += (missing.empty() ? "" : ", ") + idxName(kIdxFiles[i]);
    else
      ++found;
  }

  ReadCount count(2, progress);
  std::error_code error;
  const std::string other = name == "mnist" ? "fashion-mnist" : "mnist";
  if (found == paths.size() && checkFile(paths[3], remoteDataset(other).files[3]).state == FileState::Ok) {
    remarks.emplace_back(say::lookedHolds, folder, other);
    return nullptr;
  }
  if (found == paths.size()) {
    return lastRead().get(name, {paths.begin(), paths.end()}, [&] {
      const bool own = checkFile(paths[3], remoteDataset(name).files[3]).state == FileState::Wrong;
      TrainAndTest both = readPairs(paths, count);
      return std::make_shared<const Dataset>(
          Dataset{name, folder.string(), std::move(both.train), std::move(both.test), own});
    });
  }
  if (const fs::path npz = folder / "mnist.npz"; name == "mnist" && fs::exists(npz, error)) {
    return lastRead().get(name, {npz}, [&] {
      TrainAndTest both = readNpz(npz, &count);
      return std::make_shared<const Dataset>(Dataset{name, npz.string(), std::move(both.train), std::move(both.test)});
    });
  }
  if (found > 0)
    remarks.emplace_back(say::lookedLacks, folder, missing);
  else
    remarks.emplace_back(fs::is_directory(folder, error) ? say::looked : say::lookedNoFolder, folder);
  return nullptr;
}

[[noreturn]] void refuseMissing(const std::string& name, const fs::path& dataDir, const std::vector<Message>& remarks) {
  if (dataDir.empty()) throw UserError(say::datasetNotHere, name, remarks);
  if (looksLikePictures(dataDir)) throw UserError(say::folderHoldsPictures, dataDir, name);
  std::string files;
  for (const IdxFileName& file : kIdxFiles) files += (files.empty() ? "" : ", ") + idxName(file);
  throw UserError(name == "mnist" ? say::folderLacksMnist : say::folderLacksDataset, dataDir, name, files, remarks);
}

std::shared_ptr<const Dataset> findAndLoad(const std::string& name, const fs::path& dataDir,
                                           std::vector<Message>& remarks, const ReadProgress& progress) {
  for (const fs::path& folder : dataFolders(name, dataDir)) {
    if (auto dataset = loadFolder(name, folder, remarks, progress)) return dataset;
  }
  return nullptr;
}

std::shared_ptr<const Dataset> loadCifar(const fs::path& dataDir, const ReadProgress& progress) {
  std::vector<Message> remarks;
  for (const fs::path& place : dataFolders("cifar10", dataDir)) {
    for (const fs::path& folder : cifarFoldersIn(place))
      if (const std::vector<fs::path> files = cifarFiles(folder); !files.empty())
        return lastRead().get("cifar10", files, [&] { return readCifarFiles(files, progress); });
    std::error_code error;
    remarks.emplace_back(fs::is_directory(place, error) ? say::looked : say::lookedNoFolder, place);
  }
  throw UserError(say::cifarNotHere, remarks);
}

std::shared_ptr<const Dataset> loadPictures(const fs::path& folder, const ReadProgress& progress,
                                            const std::array<std::int64_t, 3>& shape) {
  std::string name = "colour";  // the cached set has this shape
  for (const std::int64_t extent : shape) name += " " + std::to_string(extent);
  return lastRead().get(name, pictureFiles(folder), [&] {
    PictureFolder read = readPictureFolder(folder, shape, progress);
    Dataset set{"colour", folder.string(), std::move(read.train), std::move(read.test), true};
    set.leftOut = std::ssize(read.leftOut);
    for (const PictureClass& each : read.classes) set.classNames.push_back(each.name);
    return std::make_shared<const Dataset>(std::move(set));
  });
}

std::shared_ptr<const Dataset> unpackDigits() {
  std::int64_t total = 0;
  for (const std::int64_t count : {kDigitsTrain, kDigitsTest})
    total += idxFileBytes(IdxKind::Images, count) + idxFileBytes(IdxKind::Labels, count);
  const std::string name = "the built-in digits";
  std::vector<std::uint8_t> content(static_cast<std::size_t>(total));
  GzipReader reader({resources::embeddedDigits, resources::embeddedDigitsSize}, name);
  LAB_CHECK(reader.read(content) == content.size());

  std::span<const std::uint8_t> rest(content);
  const auto take = [&](IdxKind kind, std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(idxFileBytes(kind, count));
    auto result = parseIdx(rest.first(bytes), kind, name);
    rest = rest.subspan(bytes);
    return result;
  };
  const auto takePair = [&](std::int64_t count) {
    auto pixels = take(IdxKind::Images, count);
    return joinExamples(std::move(pixels), take(IdxKind::Labels, count), name, name);
  };
  auto dataset = std::make_shared<Dataset>();
  dataset->name = "digits";
  dataset->source = "embedded";
  dataset->train = takePair(kDigitsTrain);
  dataset->test = takePair(kDigitsTest);
  return dataset;
}

void keepFirst(Examples& examples, std::optional<std::int64_t> asked, bool train, const std::string& dataset) {
  if (!asked) return;
  const std::int64_t count = *asked;
  if (count < 1 || count > examples.count)
    throw UserError(train ? say::trainExamplesLacking : say::testExamplesLacking,
                    Option{train ? "train-examples" : "test-examples"}, count, dataset, Count{examples.count},
                    examples.count);
  examples.count = count;
  examples.pixels.resize(static_cast<std::size_t>(count * examples.imageSize()));
  examples.labels.resize(static_cast<std::size_t>(count));
}

}  // namespace

std::shared_ptr<const Dataset> embeddedDigits() {
  static const std::shared_ptr<const Dataset> digits = unpackDigits();
  return digits;
}

std::shared_ptr<const Dataset> loadDataset(const std::string& name, const fs::path& dataDir,
                                           const ReadProgress& progress, const std::array<std::int64_t, 3>& pictures) {
  static const std::vector<std::string> kNames = {"auto", "mnist", "fashion-mnist", "digits", "cifar10", "colour"};
  if (std::find(kNames.begin(), kNames.end(), name) == kNames.end())
    throw UserError(unknownName(say::dataSet, name, kNames));
  if (name == "digits") {
    if (!dataDir.empty()) throw UserError(say::dataDirForDigits, Option{"data-dir"}, dataDir);
    return embeddedDigits();
  }
  if (name == "colour") return dataDir.empty() ? colourDigits() : loadPictures(dataDir, progress, pictures);
  if (name == "cifar10") return loadCifar(dataDir, progress);
  const std::string wanted = name == "auto" ? "mnist" : name;
  std::vector<Message> remarks;
  if (auto dataset = findAndLoad(wanted, dataDir, remarks, progress)) return dataset;
  if (name == "auto" && dataDir.empty()) return embeddedDigits();
  refuseMissing(wanted, dataDir, remarks);
}

std::string nameOfAuto(const fs::path& dataDir) {
  if (!dataDir.empty()) return "mnist";  // or nothing: only the standard folders may be without it
  for (const fs::path& folder : dataFolders("mnist", dataDir)) {
    const auto isThere = [&](const IdxFileName& file) { return !findIdxFile(folder, file).empty(); };
    std::error_code error;
    if (std::ranges::all_of(kIdxFiles, isThere) || fs::exists(folder / "mnist.npz", error)) return "mnist";
  }
  return "digits";
}

std::array<std::int64_t, 3> imageShapeOf(const std::string& name) {
  if (name == "cifar10" || name == "colour") return {32, 32, 3};
  return {28, 28, 1};
}

std::shared_ptr<const Dataset> firstExamples(std::shared_ptr<const Dataset> whole, std::optional<std::int64_t> train,
                                             std::optional<std::int64_t> test) {
  LAB_CHECK(whole != nullptr);
  if (!train && !test) return whole;
  auto part = std::make_shared<Dataset>(*whole);
  keepFirst(part->train, train, true, whole->name);
  keepFirst(part->test, test, false, whole->name);
  return part;
}

std::string digestOf(const Examples& examples) {
  Digest digest(DigestKind::Sha256);
  digest.add(examples.pixels);
  digest.add(examples.labels);
  return digest.hex();
}

std::string trainDigestOf(const std::shared_ptr<const Dataset>& dataset) {
  static std::mutex mutex;
  static std::weak_ptr<const Dataset> last;
  static std::string digest;
  LAB_CHECK(dataset != nullptr);
  const std::lock_guard lock(mutex);
  if (last.lock() != dataset) {
    digest = digestOf(dataset->train);
    last = dataset;
  }
  return digest;
}

std::int64_t Dataset::classes() const {
  constexpr std::int64_t kPublished = 10;
  if (!classNames.empty()) return std::ssize(classNames);
  if (!own) return kPublished;
  std::int64_t classes = 0;
  for (const Examples* examples : {&train, &test})
    for (const std::uint8_t label : examples->labels) classes = std::max(classes, std::int64_t{label} + 1);
  return classes;
}

}  // namespace lab
