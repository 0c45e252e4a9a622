// SPDX-License-Identifier: GPL-3.0-or-later
// What the next start restores, whether this session ends or is killed: the experiment's settings, its file, and the
// kept runs with all their numbers. Changes are written within kAutosaveMs, on a separate thread; without changes
// nothing is written. Each window has a folder of its own, so that two windows do not overwrite each other.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/base/file_lock.h"
#include "core/base/message.h"
#include "ui/files/run_journal.h"
#include "ui/runview/background.h"

namespace lab {

class Document;
class Experiment;
class RunLibrary;
struct KeptRun;

class Session final : public QObject {
  Q_OBJECT

 public:
  static constexpr int kAutosaveMs = 8'000;  // including the time for writing, at most 10 s may be lost

  // Creates `folder`; throws UserError on failure.
  Session(const QString& folder, Document& document, Experiment& experiment, RunLibrary& library,
          QObject* parent = nullptr);
  ~Session() override;
  static void forget(const QString& folder);  // removes what is in `folder`, but no session that a window holds

  void setIntervalMs(int ms) { timer_.setInterval(ms); }

  // Begins what the last session had; false if there is nothing, or its settings cannot be used here, which said()
  // reports, as it does after a crash. Its runs join the library as they are read.
  bool restore();
  // Restores only the runs, if this start begins something else. An experiment that is in no file goes to one of its
  // own, which said() names.
  void restoreRuns();
  // Restores nothing, but keeps the last session's runs stored beside this one's. Its experiment as in restoreRuns().
  void passOn();
  // True if another window was here first, which therefore holds the last session.
  bool isOtherThere() const { return !others_.isEmpty(); }
  // Begins what that window has stored so far, as a copy without a file; its runs join as in restore(). Returns false
  // if the window has stored nothing.
  bool copyOther();
  // Saves everything at once, for a regular end of the program. `discards`: the file's changes are not to come back.
  void finish(bool discards = false);

 Q_SIGNALS:
  void saved();
  void said(const QString& text, bool failure);
  void restored();    // the runs have been read
  void otherEnded();  // the window that was here first has ended

 private:
  struct Kept {
    std::string file;  // name within the folder
    std::size_t steps = 0, evaluations = 0, order = 0;
    bool headed = false, ended = false, full = false;
  };
  enum class Restore { All, Runs, Copy, Nothing };
  struct Wanted;
  static std::vector<Wanted> wantedRuns(const nlohmann::json& runs);
  static nlohmann::json listedOf(const nlohmann::json& runs, const std::vector<std::string>& listed);
  QStringList adopt(const std::vector<Wanted>& wanted, std::vector<std::optional<Journal>>& runs, bool copy);
  QString beginSettings(const nlohmann::json& session, bool copy);
  QString keepUnsaved(const nlohmann::json& session) const;
  bool begin(const QString& folder, Restore restore);
  void setAside(const QString& folder);
  void schedule();
  void save();
  // What is new since the last save, and what was stored before, which is put back if the write fails.
  struct Part {
    JournalPart journal;
    int run = 0;
    Kept before;
    Message tooLarge{};  // if its journal cannot hold it
  };
  using Parts = std::vector<Part>;
  bool isBegunAgain(const KeptRun& run) const;
  bool isSpare(const KeptRun& run) const;
  Parts takeParts();
  static void write(Parts& parts, std::size_t& written);  // throws UserError; counts `written` parts
  Message closeFull(const Parts& parts);
  void putBack(const Parts& parts, std::size_t written);
  std::string sessionText(bool clean, bool discards = false) const;
  std::filesystem::path pathOf(const std::string& file) const;
  void prune(const std::vector<std::string>& listed) const;

  QString folder_;
  QStringList others_;  // folders of windows that were here first
  QFileSystemWatcher watcher_;
  FileLock lock_;
  Document& document_;
  Experiment& experiment_;
  RunLibrary& library_;
  // Earlier runs that are stored, but not in the library.
  nlohmann::json passedOn_ = nlohmann::json::array();
  QTimer timer_;              // single shot
  std::map<int, Kept> kept_;  // by the run's id
  int begun_ = 0;             // id of the last run that was there before those of the last session
  bool loading_ = false;      // runs of the last session are still being read and must not be dropped
  bool reported_ = false;     // a failure was reported; reported only once
  Background background_;     // last member: it ends first
};

}  // namespace lab
