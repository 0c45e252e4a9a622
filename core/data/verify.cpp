// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/verify.h"

#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <system_error>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/suggest.h"
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
    // Unpacked: checked by its archive, where that is beside it.
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

// Judged as if its arrays were written as IDX files, whose checksums are known.
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

std::int64_t countOf(const FolderReport& report, FileState state) {
  return std::count_if(report.files.begin(), report.files.end(), [&](const FileReport& f) { return f.state == state; });
}

}  // namespace

const RemoteDataset& remoteDataset(const std::string& name) {
  static const RemoteDataset kMnist = mnist(), kFashionMnist = fashionMnist();
  if (name == kMnist.name) return kMnist;
  if (name == kFashionMnist.name) return kFashionMnist;
  const std::vector<std::string> names = {kMnist.name, kFashionMnist.name};
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

bool FolderReport::ok() const {
  return !dataset.empty() && countOf(*this, FileState::Missing) == 0 && countOf(*this, FileState::Wrong) == 0;
}

FolderReport verifyFolder(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw UserError(say::notAFolder, folder);

  FolderReport mnistReport = compareWith(remoteDataset("mnist"), folder);
  if (countOf(mnistReport, FileState::Missing) == 4 && fs::exists(folder / "mnist.npz", error)) {
    FolderReport report;
    report.files.push_back(judgeNpz(folder / "mnist.npz"));
    if (report.files.front().state == FileState::Ok) report.dataset = "mnist";
    return report;
  }
  // Recognised by a file that is right; unpacked Fashion-MNIST files, which cannot be, by the folder's name.
  if (countOf(mnistReport, FileState::Ok) > 0) {
    mnistReport.dataset = "mnist";
    return mnistReport;
  }
  FolderReport fashionReport = compareWith(remoteDataset("fashion-mnist"), folder);
  std::string path = fs::absolute(folder, error).string();
  std::transform(path.begin(), path.end(), path.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool named = path.find("fashion") != std::string::npos;
  if (countOf(fashionReport, FileState::Ok) > 0 || (named && countOf(fashionReport, FileState::Unchecked) > 0))
    fashionReport.dataset = "fashion-mnist";
  return !fashionReport.dataset.empty() || named ? fashionReport : mnistReport;
}

}  // namespace lab
