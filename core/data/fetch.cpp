// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/fetch.h"

#include <system_error>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/data/download.h"
#include "core/data/messages.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// What one file takes to arrive.
class FileFetch {
 public:
  FileFetch(const RemoteDataset& dataset, const RemoteFile& file, const fs::path& folder)
      : dataset_(dataset), file_(file), final_(folder / (idxName(file.file) + ".gz")), part_(final_) {
    part_ += ".part";
  }

  // False if stopped.
  bool run(const DownloadProgress& progress, std::stop_token stop, const FetchTimeouts& timeouts) {
    if (const fs::path there = findIdxFile(final_.parent_path(), file_.file); !there.empty()) {
      const FileReport report = checkFile(there, file_);
      if (report.state == FileState::Ok || report.state == FileState::Unchecked) return true;
      if (there != final_) throw UserError(say::fileInTheWay, there, report.detail);
    }
    if (partIsRight()) return keep();

    DownloadLimits limits{maxArchiveBytes(file_), timeouts.connect, timeouts.stall};
    std::vector<Message> reasons;
    for (std::string mirror : dataset_.mirrors) {
      if (!mirror.ends_with('/')) mirror += '/';
      const std::string url = mirror + final_.filename().string();
      // Twice, because the first time may have continued a part that came from somewhere else or was damaged.
      for (bool again = true; again;) {
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
  bool partIsRight() {
    std::error_code error;
    const auto size = fs::file_size(part_, error);
    if (error || size == 0) {
      why_ = say::fileEmpty;
      return false;
    }
    const FileReport report = checkFile(part_, file_);
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
  const RemoteFile& file_;
  fs::path final_, part_;
  Message why_;  // the last check of the part went wrong
};

}  // namespace

bool fetchDataset(const RemoteDataset& dataset, const fs::path& destination,
                  const std::function<void(const FetchProgress&)>& progress, std::stop_token stop,
                  const FetchTimeouts& timeouts) {
  std::error_code error;
  fs::create_directories(destination, error);
  if (error || !fs::is_directory(destination))
    throw UserError(UserError::Kind::Run, say::cannotMakeFolder, destination,
                    error ? Message(say::verbatim, error.message()) : Message(say::fileOfThatName));
  FetchProgress at;
  at.files = static_cast<int>(dataset.files.size());
  for (const RemoteFile& file : dataset.files) {
    if (stop.stop_requested()) return false;
    at.file = idxName(file.file) + ".gz";
    const auto report = [&](std::int64_t received, std::int64_t total) {
      at.received = received;
      at.total = total;
      if (progress) progress(at);
    };
    if (!FileFetch(dataset, file, destination).run(report, stop, timeouts)) return false;
    ++at.fileNumber;
  }
  return true;
}

}  // namespace lab
