// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/fetch.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/base/messages.h"
#include "core/data/download.h"
#include "core/data/messages.h"
#include "core/data/tar.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// A file to fetch: its name here and at the mirrors, and how to check it.
struct FetchedFile {
  std::string name;
  std::int64_t most = 0;  // bytes
  std::function<FileReport(const fs::path&)> check;
  std::function<fs::path(const fs::path& folder)> find;  // "": not found under any of its names
};

FetchedFile fetchedFile(const RemoteFile& file) {
  return {idxName(file.file) + ".gz", maxArchiveBytes(file),
          [&file](const fs::path& path) { return checkFile(path, file); },
          [&file](const fs::path& folder) { return findIdxFile(folder, file.file); }};
}

FetchedFile fetchedFile(const RemoteArchive& archive) {
  return {archive.name, archive.bytes,
          [&archive](const fs::path& path) { return checkSum(path, archive.bytes, archive.md5); },
          [&archive](const fs::path& folder) {
            std::error_code error;
            return fs::exists(folder / archive.name, error) ? folder / archive.name : fs::path();
          }};
}

// Fetches one file.
class FileFetch {
 public:
  FileFetch(const RemoteDataset& dataset, FetchedFile file, const fs::path& folder)
      : dataset_(dataset), file_(std::move(file)), final_(folder / file_.name), part_(final_) {
    part_ += ".part";
  }

  // Returns false if stopped.
  bool run(const DownloadProgress& progress, std::stop_token stop, const FetchTimeouts& timeouts) {
    if (const fs::path there = file_.find(final_.parent_path()); !there.empty()) {
      const FileReport report = file_.check(there);
      if (report.state == FileState::Ok || report.state == FileState::Unchecked) return true;
      if (there != final_) throw UserError(say::fileInTheWay, there, report.detail);
    }
    if (const FileLock lock = takePart(); partIsRight()) return keep();

    DownloadLimits limits{file_.most, timeouts.connect, timeouts.stall};
    std::vector<Message> reasons;
    for (std::string mirror : dataset_.mirrors) {
      if (!mirror.ends_with('/')) mirror += '/';
      const std::string url = mirror + final_.filename().string();
      // Tries twice, because the first attempt may have continued a part that was damaged or came from elsewhere.
      for (bool again = true; again;) {
        const FileLock lock = takePart();  // anew, because a part that was thrown away took its lock with it
        const DownloadResult result = download(url, part_, limits, progress, stop);
        again = false;
        if (result.end == DownloadResult::End::Stopped) return false;
        if (result.end == DownloadResult::End::Failed) {
          reasons.emplace_back(say::mirrorFailed, url, result.reason);
        } else if (partIsRight()) {
          return keep();
        } else {
          again = result.resumed;
          if (!again) reasons.emplace_back(say::mirrorFailed, url, why_);
          std::error_code ignored;
          fs::remove(part_, ignored);
        }
      }
    }
    throw UserError(UserError::Kind::Run, say::cannotFetch, final_.filename(), dataset_.name, reasons);
  }

 private:
  // Two that append to one part would spoil it, and each throw it away under the other.
  FileLock takePart() const {
    FileLock lock(part_);
    std::error_code ignored;
    if (lock.isTaken() && fs::is_regular_file(part_, ignored))
      throw UserError(UserError::Kind::Run, say::fetchedElsewhere, final_);
    return lock;
  }

  bool partIsRight() {
    std::error_code error;
    const auto size = fs::file_size(part_, error);
    if (error || size == 0) {
      why_ = say::fileEmpty;
      return false;
    }
    const FileReport report = file_.check(part_);
    why_ = report.detail;
    return report.state == FileState::Ok;
  }

  bool keep() {
    std::error_code error;
    fs::rename(part_, final_, error);
    if (error) throw UserError(UserError::Kind::Run, say::cannotKeepFetched, final_, error.message());
    return true;
  }

  const RemoteDataset& dataset_;
  FetchedFile file_;
  fs::path final_, part_;
  Message why_;  // result of the last failed check of the part
};

bool allThere(const RemoteArchive& archive, const fs::path& folder) {
  return std::ranges::all_of(archive.members, [&folder](const RemoteArchive::Member& member) {
    std::error_code error;
    return fs::exists(folder / member.name, error) &&
           checkSum(folder / member.name, member.bytes, member.md5).state == FileState::Ok;
  });
}

// Unpacks the archive's members beside it, and then removes it.
void unpackArchive(const RemoteArchive& archive, const fs::path& folder) {
  const fs::path path = folder / archive.name;
  std::set<std::string> lacking;
  for (const RemoteArchive::Member& member : archive.members) lacking.insert(member.name);
  readTarGz(
      readFile(path, archive.bytes), path.string(),
      [&](const std::string& file, std::int64_t bytes) {
        return std::ranges::any_of(archive.members, [&](const RemoteArchive::Member& member) {
          return member.name == file && member.bytes == bytes;
        });
      },
      [&](const std::string& file, const std::vector<std::uint8_t>& content) {
        writeFileAtomically(folder / file, content);
        lacking.erase(file);
      });
  if (!lacking.empty()) throw UserError(UserError::Kind::Run, say::archiveLacks, File{path}, *lacking.begin());
  std::error_code ignored;
  fs::remove(path, ignored);
}

}  // namespace

bool fetchDataset(const RemoteDataset& dataset, const fs::path& destination,
                  const std::function<void(const FetchProgress&)>& progress, std::stop_token stop,
                  const FetchTimeouts& timeouts) {
  std::error_code error;
  fs::create_directories(destination, error);
  if (error || !fs::is_directory(destination))
    throw UserError(say::cannotMakeFolder, destination,
                    error ? Message(say::verbatim, error.message()) : Message(say::fileOfThatName));
  FetchProgress at;
  const auto report = [&](std::int64_t received, std::int64_t total) {
    at.received = received;
    at.total = total;
    if (progress) progress(at);
  };
  if (dataset.archive) {
    at.file = dataset.archive->name;
    at.files = 1;
    if (allThere(*dataset.archive, destination)) return true;
    if (!FileFetch(dataset, fetchedFile(*dataset.archive), destination).run(report, stop, timeouts)) return false;
    unpackArchive(*dataset.archive, destination);
    return true;
  }
  at.files = static_cast<int>(dataset.files.size());
  for (const RemoteFile& file : dataset.files) {
    if (stop.stop_requested()) return false;
    at.file = idxName(file.file) + ".gz";
    if (!FileFetch(dataset, fetchedFile(file), destination).run(report, stop, timeouts)) return false;
    ++at.fileNumber;
  }
  return true;
}

}  // namespace lab
