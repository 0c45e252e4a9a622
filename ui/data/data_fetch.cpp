// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_fetch.h"

#include <QDir>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_lock.h"
#include "ui/i18n/words.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr int kIntervalMs = 100;

QString native(const fs::path& path) {
  return QDir::toNativeSeparators(QString::fromStdString(path.string()));
}

}  // namespace

DataFetch::DataFetch(const RemoteDataset& set, std::vector<fs::path> places, fs::path folder, QObject* parent)
    : QObject(parent), set_(set), places_(std::move(places)), target_(std::move(folder)) {
  timer_.setInterval(kIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &DataFetch::refreshProgress);
}

DataFetch::~DataFetch() {
  stop_->request_stop();
}

QString DataFetch::title() const {
  if (set_.name == "mnist") return QStringLiteral("MNIST");
  if (set_.name == "fashion-mnist") return QStringLiteral("Fashion-MNIST");
  if (set_.name == "cifar10") return QStringLiteral("CIFAR-10");
  return QString::fromStdString(set_.name);
}

void DataFetch::become(State state, const QString& words) {
  state_ = state;
  words_ = words;
  if (state == State::Fetching || state == State::Ending) {
    timer_.start();
  } else {
    timer_.stop();
  }
  Q_EMIT changed();
}

bool DataFetch::partsThere() const {
  const auto isThere = [this](const std::string& file) {
    std::error_code ignored;
    const fs::path whole = target_ / file;
    return fs::exists(whole, ignored) || fs::exists(whole.string() + ".part", ignored);
  };
  if (set_.archive) return isThere(set_.archive->name);
  return std::any_of(set_.files.begin(), set_.files.end(),
                     [&](const RemoteFile& file) { return isThere(idxName(file.file) + ".gz"); });
}

void DataFetch::look() {
  if (background_.busy()) return;
  auto found = std::make_shared<fs::path>();
  background_.run(
      [found, places = places_, name = set_.name] {
        for (const fs::path& place : places) {
          std::error_code ignored;
          if (!fs::is_directory(place, ignored)) continue;
          const FolderReport report = verifyFolder(place);
          if (!report.ok() || report.dataset != name) continue;
          *found = place;
          return;
        }
      },
      [this, found](const QString& failure) {
        if (!failure.isEmpty()) return become(State::Failed, failure);
        folder_ = *found;
        if (!found->empty())
          return become(State::Here, tr("On this machine, in %1. Its checksums are right.").arg(native(*found)));
        if (partsThere())
          return become(State::Partial, tr("Part of the data set is here; fetching continues from there."));
        become(State::Absent, tr("Not on this machine."));
      });
}

void DataFetch::fetch() {
  if (background_.busy() || state_ == State::Here) return;
  if (target_.empty())
    return become(State::Failed, tr("No home folder is set on this machine, so there is no place to keep data."));
  stop_ = std::make_shared<std::stop_source>();
  cancelled_ = false;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->progress = {};
  }
  auto done = std::make_shared<bool>(false);
  background_.run(
      [this, done, shared = shared_, token = stop_->get_token()] {  // set_ and target_ never change
        const auto progress = [&](const FetchProgress& at) {
          const std::lock_guard lock(shared->mutex);
          shared->progress = at;
        };
        *done = fetchDataset(set_, target_, progress, token);
      },
      [this, done](const QString& failure) {
        if (!failure.isEmpty()) {
          become(State::Failed, failure);
          Q_EMIT ended();
        } else if (*done) {
          folder_ = target_;
          share_ = 1;
          become(State::Here, tr("Complete, in %1. The checksums of all files are right.").arg(native(target_)));
          Q_EMIT ended();
        } else {
          stopped();
        }
      });
  become(State::Fetching, tr("Connecting…"));
}

void DataFetch::refreshProgress() {
  if (state_ != State::Fetching) return;
  FetchProgress at;
  {
    const std::lock_guard lock(shared_->mutex);
    at = shared_->progress;
  }
  if (at.file.empty()) return;
  // An archive's progress is its received share. Single files are weighted by their unpacked sizes, which are known
  // beforehand.
  double all = 0, here = 0;
  if (set_.archive) {
    all = static_cast<double>(set_.archive->bytes);
    here = static_cast<double>(at.received);
  }
  for (std::size_t i = 0; !set_.archive && i < set_.files.size(); ++i) {
    const auto size = static_cast<double>(set_.files[i].contentBytes);
    all += size;
    const int number = static_cast<int>(i) + 1;
    if (number < at.fileNumber) here += size;
    if (number == at.fileNumber && at.total > 0)
      here += size * static_cast<double>(at.received) / static_cast<double>(at.total);
  }
  const double share = all > 0 ? here / all : 0;
  const QString words = at.total > 0
                            ? tr("File %1 of %2: %3 of %4")
                                  .arg(at.fileNumber)
                                  .arg(at.files)
                                  .arg(bytesText(at.received), bytesText(at.total))
                            : tr("File %1 of %2: %3").arg(at.fileNumber).arg(at.files).arg(bytesText(at.received));
  if (share == share_ && words == words_) return;
  share_ = share;
  words_ = words;
  Q_EMIT changed();
}

void DataFetch::pause() {
  if (state_ != State::Fetching) return;
  stop_->request_stop();
  become(State::Ending, tr("Pausing…"));
}

void DataFetch::cancel() {
  cancelled_ = true;
  if (background_.busy()) {
    stop_->request_stop();
    return become(State::Ending, tr("Cancelling…"));
  }
  stopped();
}

// Complete files stay even after a cancellation: they are right, and the next fetch need not load them again.
void DataFetch::stopped() {
  if (cancelled_) {
    const auto removePart = [this](const std::string& file) {
      std::error_code ignored;
      const fs::path part = target_ / (file + ".part");
      if (fs::exists(part, ignored) && !FileLock(part).isTaken()) fs::remove(part, ignored);  // taken: another window's
    };
    if (set_.archive) removePart(set_.archive->name);
    for (const RemoteFile& file : set_.files)
      if (!set_.archive) removePart(idxName(file.file) + ".gz");
    share_ = 0;
    return become(State::Absent, tr("Cancelled. Not on this machine."));
  }
  become(State::Partial, tr("Paused. The part already fetched is kept."));
}

}  // namespace lab
