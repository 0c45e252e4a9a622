// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/verify.h"

#include <zlib.h>

#include <algorithm>
#include <system_error>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/suggest.h"
#include "core/data/cifar10.h"
#include "core/data/gzip.h"
#include "core/data/idx.h"
#include "core/data/messages.h"
#include "core/data/npz.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

RemoteDataset mnist() {
  return {"mnist",
          {"https://ossci-datasets.s3.amazonaws.com/mnist/", "https://storage.googleapis.com/cvdf-datasets/mnist/"},
          {{{kIdxFiles[0], idxFileBytes(IdxKind::Images, 60'000),
             "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db", ""},
            {kIdxFiles[1], idxFileBytes(IdxKind::Labels, 60'000),
             "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5", ""},
            {kIdxFiles[2], idxFileBytes(IdxKind::Images, 10'000),
             "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7", ""},
            {kIdxFiles[3], idxFileBytes(IdxKind::Labels, 10'000),
             "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2", ""}}}};
}

RemoteDataset fashionMnist() {
  return {"fashion-mnist",
          {"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"},
          {{{kIdxFiles[0], idxFileBytes(IdxKind::Images, 60'000), "", "8d4fb7e6c68d591d4c3dfef9ec88bf0d"},
            {kIdxFiles[1], idxFileBytes(IdxKind::Labels, 60'000), "", "25c81989df183df01b3e8a0aad5dffbe"},
            {kIdxFiles[2], idxFileBytes(IdxKind::Images, 10'000), "", "bef4ecab320f06d8554ea6380940ec79"},
            {kIdxFiles[3], idxFileBytes(IdxKind::Labels, 10'000), "", "bb300cfdad3c16e7a12a480ee83cd310"}}}};
}

// The archive's size and sum: https://www.cs.toronto.edu/~kriz/cifar.html. The publisher gives none for the unpacked
// files: the binary version's sums are those that fetching programs compare with (several agree), the Python version's
// are torchvision's (torchvision/datasets/cifar.py).
RemoteDataset cifar10() {
  constexpr std::int64_t kBytes = 10'000 * kCifarRecord;
  RemoteDataset set{"cifar10", {"https://www.cs.toronto.edu/~kriz/"}, {}};
  set.archive = RemoteArchive{"cifar-10-binary.tar.gz",
                              170'052'171,
                              "c32a1d4ab5d03f1284b67883e8d87530",
                              {{"data_batch_1.bin", kBytes, "5dd7e06a14cb22eb9f671a540d1b7c25"},
                               {"data_batch_2.bin", kBytes, "5ea93a67294ea407fff1d09f752e9692"},
                               {"data_batch_3.bin", kBytes, "942cd6a4bcdd0dd3c604fbe906cb4421"},
                               {"data_batch_4.bin", kBytes, "ae636b3ba5c66a11e91e8cb52e771fcb"},
                               {"data_batch_5.bin", kBytes, "53f37980c15c3d472c316c40844f3f0d"},
                               {"test_batch.bin", kBytes, "803d5f7f4d78ea53de84dbe85f74fb6d"}}};
  return set;
}

// Members of the Python version; their sizes vary with other content, so they are 0 here.
const std::vector<RemoteArchive::Member>& cifarPythonFiles() {
  static const std::vector<RemoteArchive::Member> files{
      {"data_batch_1", 0, "c99cafc152244af753f735de768cd75f"}, {"data_batch_2", 0, "d4bba439e000b95fd0a9bffe97cbabec"},
      {"data_batch_3", 0, "54ebc095f3ab1f0389bbae665268c751"}, {"data_batch_4", 0, "634d18415352ddfa80567beed471001a"},
      {"data_batch_5", 0, "482c414d41f54cd18b22e5b47cb7c3cb"}, {"test_batch", 0, "40351d587109b95175f43aff81a1287e"}};
  return files;
}

FileReport judge(const fs::path& path, const RemoteFile& published) {
  FileReport report{path.filename().string(), FileState::Wrong, {}};
  const std::vector<std::uint8_t> bytes = readFile(path, maxArchiveBytes(published));
  const bool packed = isGzip(bytes);
  const auto compare = [&](const Text& difference, const std::string& actual, const std::string& wanted) {
    report.state = actual == wanted ? FileState::Ok : FileState::Wrong;
    if (report.state == FileState::Wrong) report.detail = {difference, actual, wanted};
  };
  if (!published.md5OfArchive.empty() && packed) {
    compare(say::otherMd5, hexDigest(DigestKind::Md5, bytes), published.md5OfArchive);
  } else if (!published.sha256OfContent.empty()) {
    compare(
        say::otherSha256,
        hexDigest(DigestKind::Sha256, packed ? gunzip(bytes, published.contentBytes, path.filename().string()) : bytes),
        published.sha256OfContent);
  } else {
    // Unpacked files are checked by their archive, if it is beside them.
    fs::path archive = path;
    archive += ".gz";
    std::error_code error;
    if (path.extension() != ".gz" && fs::is_regular_file(archive, error)) {
      if (judge(archive, published).state == FileState::Ok) {
        const auto content =
            gunzip(readFile(archive, maxArchiveBytes(published)), published.contentBytes, archive.string());
        report.state = content == bytes ? FileState::Ok : FileState::Wrong;
        if (content != bytes) report.detail = say::notItsArchive;
        return report;
      }
    }
    parseIdx(bytes, published.file.kind, path.filename().string());
    const bool whole = static_cast<std::int64_t>(bytes.size()) == published.contentBytes;
    report.state = whole ? FileState::Unchecked : FileState::Wrong;
    report.detail = whole ? Message(say::noChecksum)
                          : Message(say::otherSize, Count{std::ssize(bytes)}, Count{published.contentBytes});
  }
  return report;
}

std::string contentHash(const Examples& examples, IdxKind kind) {
  std::vector<std::uint8_t> file;
  const auto word = [&](std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) file.push_back(static_cast<std::uint8_t>(value >> shift));
  };
  const bool images = kind == IdxKind::Images;
  word(images ? 0x803 : 0x801);
  word(static_cast<std::uint32_t>(examples.count));
  if (images) {
    word(28);
    word(28);
  }
  const std::vector<std::uint8_t>& content = images ? examples.pixels : examples.labels;
  file.insert(file.end(), content.begin(), content.end());
  return hexDigest(DigestKind::Sha256, file);
}

// Judges the arrays as if they were written as IDX files, whose checksums are known.
FileReport judgeNpz(const fs::path& path) {
  FileReport report{path.filename().string(), FileState::Wrong, {}};
  try {
    const TrainAndTest both = readNpz(path);
    const Examples* parts[] = {&both.train, &both.train, &both.test, &both.test};
    const RemoteDataset& published = remoteDataset("mnist");
    for (std::size_t i = 0; i < published.files.size(); ++i) {
      const RemoteFile& file = published.files[i];
      if (contentHash(*parts[i], file.file.kind) != file.sha256OfContent) {
        report.detail = {say::notMnists, file.file.stem};
        return report;
      }
    }
    report.state = FileState::Ok;
  } catch (const UserError& error) {
    report.detail = error.message();
  }
  return report;
}

FolderReport compareWith(const RemoteDataset& dataset, const fs::path& folder) {
  FolderReport report;
  for (const RemoteFile& file : dataset.files) {
    const fs::path path = findIdxFile(folder, file.file);
    report.files.push_back(path.empty() ? FileReport{idxName(file.file), FileState::Missing, say::fileNotThere}
                                        : checkFile(path, file));
  }
  return report;
}

// Reports on the first folder that has any of the files; nothing if none has.
std::optional<FolderReport> reportOfCifar(const fs::path& place) {
  for (const fs::path& folder : cifarFoldersIn(place)) {
    const std::vector<fs::path> there = cifarFiles(folder);
    if (there.empty()) continue;
    const bool binary = there.front().extension() == ".bin";
    FolderReport report;
    report.dataset = "cifar10";
    for (const RemoteArchive::Member& file : binary ? remoteDataset("cifar10").archive->members : cifarPythonFiles()) {
      std::error_code error;
      const fs::path path = folder / file.name;
      report.files.push_back(fs::exists(path, error) ? checkSum(path, file.bytes, file.md5)
                                                     : FileReport{file.name, FileState::Missing, say::fileNotThere});
    }
    return report;
  }
  return std::nullopt;
}

std::int64_t countOf(const FolderReport& report, FileState state) {
  return std::count_if(report.files.begin(), report.files.end(), [&](const FileReport& f) { return f.state == state; });
}

}  // namespace

const RemoteDataset& remoteDataset(const std::string& name) {
  static const RemoteDataset kMnist = mnist(), kFashionMnist = fashionMnist(), kCifar10 = cifar10();
  for (const RemoteDataset* set : {&kMnist, &kFashionMnist, &kCifar10})
    if (name == set->name) return *set;
  const std::vector<std::string> names = {kMnist.name, kFashionMnist.name, kCifar10.name};
  throw UserError(unknownName(say::dataSet, name, names));
}

std::int64_t maxArchiveBytes(const RemoteFile& file) {
  return static_cast<std::int64_t>(compressBound(static_cast<uLong>(file.contentBytes))) + 256;
}

FileReport checkFile(const fs::path& path, const RemoteFile& published) {
  try {
    return judge(path, published);
  } catch (const UserError& error) {
    return {path.filename().string(), FileState::Wrong, error.message()};
  }
}

FileReport checkSum(const fs::path& path, std::int64_t bytes, const std::string& md5) {
  FileReport report{path.filename().string(), FileState::Wrong, {}};
  try {
    constexpr std::int64_t kMost = std::int64_t{1} << 30;
    const std::vector<std::uint8_t> content = readFile(path, bytes > 0 ? bytes : kMost);
    const std::string actual = hexDigest(DigestKind::Md5, content);
    if (actual == md5)
      report.state = FileState::Ok;
    else if (bytes > 0 && std::ssize(content) != bytes)
      report.detail = {say::otherSize, Count{std::ssize(content)}, Count{bytes}};
    else
      report.detail = {say::otherMd5, actual, md5};
  } catch (const UserError& error) {
    report.detail = error.message();
  }
  return report;
}

bool FolderReport::ok() const {
  return !dataset.empty() && countOf(*this, FileState::Missing) == 0 && countOf(*this, FileState::Wrong) == 0;
}

FolderReport verifyFolder(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw UserError(say::notAFolder, folder);

  if (std::optional<FolderReport> cifar = reportOfCifar(folder)) return *cifar;
  FolderReport mnistReport = compareWith(remoteDataset("mnist"), folder);
  if (countOf(mnistReport, FileState::Missing) == 4 && fs::exists(folder / "mnist.npz", error)) {
    FolderReport report;
    report.files.push_back(judgeNpz(folder / "mnist.npz"));
    if (report.files.front().state == FileState::Ok) report.dataset = "mnist";
    return report;
  }
  // MNIST is recognised by a correct file; unpacked Fashion-MNIST, which cannot be checked, by the folder's name.
  if (countOf(mnistReport, FileState::Ok) > 0) {
    mnistReport.dataset = "mnist";
    return mnistReport;
  }
  FolderReport fashionReport = compareWith(remoteDataset("fashion-mnist"), folder);
  const std::string path = lowerAscii(fs::absolute(folder, error).string());
  const bool named = path.find("fashion") != std::string::npos;
  if (countOf(fashionReport, FileState::Ok) > 0 || (named && countOf(fashionReport, FileState::Unchecked) > 0))
    fashionReport.dataset = "fashion-mnist";
  return !fashionReport.dataset.empty() || named ? fashionReport : mnistReport;
}

}  // namespace lab
