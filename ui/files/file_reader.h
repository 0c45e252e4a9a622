// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files in the background, one after the other, because that takes seconds for the largest recordings. What has
// been read counts once it is whole: nothing comes of a file that is cancelled.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/message.h"
#include "core/files/metrics_csv.h"
#include "core/files/value_table.h"
#include "ui/files/file_kind.h"
#include "ui/runs/run_library.h"
#include "ui/runview/background.h"

namespace lab {

// What a file contains: one of these, by its kind.
struct FileContent {
  QString path;
  FileKind kind = FileKind::Experiment;
  std::optional<KeptRun> run{};  // of a recording, which may have a fault
  Message fault{};
  std::vector<CsvRun> curves{};
  std::shared_ptr<const ValueTable> table{};
  std::vector<std::uint8_t> bytes{};  // of an experiment
};
FileContent contentOf(RunRecord record, const QString& path);
// Any thread. Throws UserError on failure. `watch` gets the share that has been read, 0 to 1; it may throw.
FileContent readContent(const QString& path, const std::function<void(double share)>& watch);

class FileReader final : public QObject {
  Q_OBJECT

 public:
  explicit FileReader(std::function<void(FileContent)> take, QObject* parent = nullptr);
  ~FileReader() override;  // cancels

  void read(const QString& path);  // after those that still wait
  bool isReading() const { return reading_ != nullptr || !waiting_.empty(); }
  void finish();  // waits until all that is being read, or waits, has been taken: for pictures
  void cancel();  // and what waits; nothing of either is taken

 Q_SIGNALS:
  void began(const QString& path);
  void progressed(double share);  // 0 to 1
  void failed(const QString& sentence, const QString& path);
  void ended();  // after a file was taken, or has failed, or was cancelled

 private:
  struct Reading;  // a file that is being read
  void readNext();
  void end(Reading& reading, const QString& failure);

  std::function<void(FileContent)> take_;
  std::deque<QString> waiting_;  // files that are read next
  std::shared_ptr<Reading> reading_;
  QTimer progress_;
  Background background_;  // the last member: it ends first
};

}  // namespace lab
