// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment as a file: which one it is, whether it was changed since, and how it is opened and saved. Recordings
// (run files) are opened here too: they join the kept runs. Every write is to a temporary file that takes the place of
// the old one; nothing is lost where it fails.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "core/config/resolved_settings.h"
#include "core/files/experiment_file.h"
#include "core/files/value_table.h"
#include "ui/runview/background.h"

namespace lab {

class Experiment;
class RunLibrary;
struct KeptRun;

// What an experiment is, as a file's name: "mirrored-4", and of a class "mirrored-class".
QString fileStem(const ResolvedSettings& config, bool isClass = false);

class Document final : public QObject {
  Q_OBJECT

 public:
  Document(Experiment& experiment, RunLibrary& library, QObject* parent = nullptr);

  const QString& path() const { return path_; }  // "": has none yet
  QString title() const;                         // the file's name, or "Untitled"
  bool isModified() const;                       // the file says something else
  QByteArray text() const;                       // what save() would write
  // Where the window was when the file was saved; nothing where that is not said.
  const std::optional<SavedView>& view() const { return file_.view; }
  // What the file says beside its settings, under a key that only those who ask for it know: "sweep". Null: nothing.
  const nlohmann::json* other(const char* key) const;
  void setOther(const char* key, nlohmann::json value);  // null: it says nothing of it
  // What the file hides and locks; a change of it is a change of the file.
  const ControlLocks& locks() const { return file_.locks; }
  void setLocks(const ControlLocks& locks);
  // Those that stay in force for an experiment that has none of its own; it then has them.
  void setLocksInForce(std::function<ControlLocks()> locks) { locksInForce_ = std::move(locks); }
  void setViewOf(std::function<SavedView()> viewOf) { viewOf_ = std::move(viewOf); }  // where it is now, to be saved

  // By content: an experiment is begun, a recording and the curves of a CSV of ours join the runs, any other CSV is
  // handed on by tableRead(). False where it cannot be, which is said.
  bool open(const QString& path);
  bool openLink(const QString& text);
  bool save() { return saveAs(path_); }
  bool saveAs(const QString& path);
  void begin();  // anew, as the program starts
  // As an earlier session left it: what it had under this path, though the file may say something else.
  void restore(const QByteArray& text, const QString& path);

  // The numbers of a kept run as a run file, written in the background.
  void saveRecording(int run, const QString& path);
  // The same at once. UserError where it cannot be.
  static void writeRecording(const KeptRun& run, const QString& name, const QString& path);

 Q_SIGNALS:
  void changed();                    // path or isModified()
  void begun();                      // another experiment is here, by open(), openLink() or begin()
  void joined();                     // a recording or curves are among the runs
  void opened(const QString& path);  // or saved: for the list of recent files
  void tableRead(std::shared_ptr<const lab::ValueTable> table, const QString& path);
  void said(const QString& text, bool failure);

 private:
  void openRecording(std::span<const std::uint8_t> bytes, const QString& path);
  void openExperiment(std::span<const std::uint8_t> bytes, const QString& path);
  void openCurves(std::string_view csv, const QString& path);
  void beginWith(ExperimentFile file, const QString& path, bool saved);

  Experiment& experiment_;
  RunLibrary& library_;
  QString path_;
  ExperimentFile file_;  // name, note and what is not known; its config is Experiment's
  RunSettings saved_;    // what the file says
  Lineage savedLineage_;
  nlohmann::json savedOthers_;
  ControlLocks savedLocks_;
  std::function<SavedView()> viewOf_;
  std::function<ControlLocks()> locksInForce_;
  Background background_;
};

}  // namespace lab
