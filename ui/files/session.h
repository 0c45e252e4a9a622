// SPDX-License-Identifier: GPL-3.0-or-later
// What the next start finds again, whether this one ends or is killed: the experiment's settings, its file, and the
// kept runs with all their numbers. Where something has changed it is written within kAutosaveMs, on a thread of its
// own; where nothing has, nothing is done. Each window has a folder of its own, so that two do not overwrite one
// another.
#pragma once

#include <QFileSystemWatcher>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "ui/files/run_journal.h"
#include "ui/runview/background.h"

namespace lab {

class Document;
class Experiment;
class RunLibrary;

class Session final : public QObject {
  Q_OBJECT

 public:
  static constexpr int kAutosaveMs = 8'000;  // with the writing, at most 10 s may be lost
  static constexpr int kMostRuns = 30;

  // `folder` is created; UserError where it cannot be.
  Session(const QString& folder, Document& document, Experiment& experiment, RunLibrary& library,
          QObject* parent = nullptr);
  ~Session() override;

  void setIntervalMs(int ms) { timer_.setInterval(ms); }

  // Begins what the last session had; false where there is nothing. Its runs join the library as they are read. After a
  // crash, said() says so.
  bool restore();
  // Of that the runs alone, where this start begins something else.
  void restoreRuns();
  // Another window has been here first, and so the session of the last start is its.
  bool isOtherThere() const { return !others_.isEmpty(); }
  // Begins what that window has kept until now, as a copy without a file; its runs join as in restore(). False where it
  // has kept nothing.
  bool copyOther();
  void finish();  // everything, at once: the program ends as it should

 Q_SIGNALS:
  void saved();
  void said(const QString& text, bool failure);
  void restored();    // the runs are there
  void otherEnded();  // the window that was here first

 private:
  struct Kept {
    std::string file;  // within the folder
    std::size_t steps = 0, evaluations = 0, order = 0;
    bool headed = false, ended = false;
  };
  enum class Restore { All, Runs, Copy };
  struct Wanted;
  static std::vector<Wanted> wantedRuns(const nlohmann::json& runs);
  QStringList adopt(const std::vector<Wanted>& wanted, std::vector<std::optional<Journal>>& runs, bool copy);
  bool begin(const QString& folder, Restore restore);
  void schedule();
  void save();
  // What is new since the last time, and what was kept of it before: put back where it cannot be written.
  struct Part {
    JournalPart journal;
    int run = 0;
    Kept before;
  };
  using Parts = std::vector<Part>;
  Parts takeParts();
  static void write(const Parts& parts, std::size_t& written);  // UserError; `written` of them are
  void putBack(const Parts& parts, std::size_t written);
  std::string sessionText(bool clean) const;
  std::filesystem::path pathOf(const std::string& file) const;
  void prune(const std::vector<std::string>& listed) const;

  QString folder_;
  QStringList others_;  // folders of windows that were here first
  QFileSystemWatcher watcher_;
  std::unique_ptr<QLockFile> lock_;
  Document& document_;
  Experiment& experiment_;
  RunLibrary& library_;
  QTimer timer_;              // single shot
  std::map<int, Kept> kept_;  // by the run's id
  bool loading_ = false;      // runs of the last session are still being read: not to be forgotten
  bool reported_ = false;     // of a failure; said once
  Background background_;     // last: it ends first
};

}  // namespace lab
