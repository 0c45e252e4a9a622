// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/file_reader.h"

#include <QCoreApplication>

#include <atomic>
#include <span>
#include <stop_token>
#include <utility>

#include "core/base/file.h"
#include "core/files/run_file.h"

namespace lab {
namespace {

constexpr int kProgressMs = 100;

struct Cancelled {};  // thrown while a file is read

}  // namespace

FileContent contentOf(RunRecord record, const QString& path) {
  const Message fault = record.fault;
  return {
      .path = path, .kind = FileKind::Recording, .run = RunLibrary::keptFrom(std::move(record), path), .fault = fault};
}

FileContent readContent(const QString& path, const std::function<void(double share)>& watch) {
  const std::string name = path.toStdString();
  std::vector<std::uint8_t> all = readFile(name, kMaxRunFileBytes, [&](std::span<const std::uint8_t>) { watch(0); });
  const FileKind kind = fileKind(all, path);
  switch (kind) {
    case FileKind::Recording:
      return contentOf(parseRunFile(all, name,
                                    [&](std::int64_t bytesRead) {
                                      watch(static_cast<double>(bytesRead) / static_cast<double>(all.size()));
                                    }),
                       path);
    case FileKind::Curves:
      return {.path = path, .kind = kind, .curves = parseMetricsCsv(textOf(all), name, watch)};
    case FileKind::Table:
      return {
          .path = path, .kind = kind, .table = std::make_shared<const ValueTable>(parseValueTable(textOf(all), name))};
    case FileKind::Experiment:
      break;
  }
  return {.path = path, .kind = kind, .bytes = std::move(all)};
}

// Shared by the window and the thread that reads.
struct FileReader::Reading {
  explicit Reading(const QString& itsPath) : path(itsPath) {}

  const QString path;
  std::stop_source stop;
  std::atomic<double> share = 0;
  FileContent content;  // for the window, once it has been read
};

FileReader::FileReader(std::function<void(FileContent)> take, QObject* parent)
    : QObject(parent), take_(std::move(take)) {
  connect(&progress_, &QTimer::timeout, this, [this] { Q_EMIT progressed(reading_->share); });
}

FileReader::~FileReader() {
  cancel();
}

void FileReader::read(const QString& path) {
  waiting_.push_back(path);
  readNext();
}

void FileReader::readNext() {
  if (reading_ != nullptr || waiting_.empty()) return;
  reading_ = std::make_shared<Reading>(waiting_.front());
  waiting_.pop_front();
  progress_.start(kProgressMs);
  Q_EMIT began(reading_->path);
  background_.run(
      [reading = reading_] {
        try {
          reading->content = readContent(reading->path, [&](double share) {
            if (reading->stop.stop_requested()) throw Cancelled();
            reading->share = share;
          });
        } catch (const Cancelled&) {
        }
      },
      [this, reading = reading_](const QString& failure) { end(*reading, failure); });
}

void FileReader::end(Reading& reading, const QString& failure) {
  progress_.stop();
  reading_ = nullptr;
  if (!reading.stop.stop_requested()) {
    if (failure.isEmpty())
      take_(std::move(reading.content));
    else
      Q_EMIT failed(failure, reading.path);
  }
  Q_EMIT ended();
  readNext();
}

void FileReader::finish() {
  while (isReading()) {
    background_.wait();
    QCoreApplication::sendPostedEvents(&background_);
  }
}

void FileReader::cancel() {
  waiting_.clear();
  if (reading_ != nullptr) reading_->stop.request_stop();
}

}  // namespace lab
