// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment as a file: which file it is, whether the experiment has changed since, and how it is opened and saved.
// Recordings (run files) and tables (CSV) are opened here too, and count once they have been read to the end. Every
// write goes to a temporary file that then replaces the old one, so nothing is lost if a write fails.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <span>

#include "core/config/resolved_settings.h"
#include "core/files/experiment_file.h"
#include "ui/files/file_reader.h"
#include "ui/files/run_files.h"

namespace lab {

class Experiment;

// A file name for an experiment: "mirrored-4"; for a class "mirrored-class".
QString fileStem(const ResolvedSettings& config, bool isClass = false);

class Document final : public QObject {
  Q_OBJECT

 public:
  Document(Experiment& experiment, RunLibrary& library, QObject* parent = nullptr);

  FileReader& reader() { return reader_; }  // of recordings and CSV
  RunFiles& runs() { return runs_; }

  const QString& path() const { return path_; }  // "": not saved yet
  QString title() const;                         // the file's name, or "Untitled"
  bool isModified() const;                       // true if the file's contents differ
  QByteArray text() const;                       // what save() would write
  QByteArray savedText() const;                  // the same without the changes since the file was saved
  // Where the window was when the file was saved; nothing if the file does not say.
  const std::optional<SavedView>& view() const { return file_.view; }
  // What the file contains beside the settings, under a key such as "sweep" that only its user knows. Null: nothing.
  const nlohmann::json* other(const char* key) const;
  void setOther(const char* key, nlohmann::json value);  // null: removes the key
  // What somebody else has just written into the file under this key: the next save() keeps it.
  void takeWritten(const char* key, const nlohmann::json& value);
  // What the file hides and locks; changing this modifies the file.
  const ControlLocks& locks() const { return file_.locks; }
  void setLocks(const ControlLocks& locks);
  // Provides the locks that stay in force for an opened experiment without locks of its own, which then gets them.
  void setLocksInForce(std::function<ControlLocks()> locks) { locksInForce_ = std::move(locks); }
  // Gives what calls setOther() for the edits of the last moment: before text() and isModified() look.
  void setLastEdits(std::function<void()> takeLastEdits) { takeLastEdits_ = std::move(takeLastEdits); }
  void setViewOf(std::function<SavedView()> viewOf) { viewOf_ = std::move(viewOf); }  // gives the view to be saved

  // Opens by content: an experiment begins; a recording, and the curves of our own CSV, join the runs; tableRead()
  // passes on any other CSV. Returns false on failure, which is reported. A recording or a CSV is read in the
  // background, after those that still wait: true then says that it will be.
  // `read`: a recording's content, if somebody has read it already; it joins at once.
  bool open(const QString& file, const std::shared_ptr<RunRecord>& read = nullptr);
  bool openLink(const QString& text);
  QString link() const;             // to the experiment, with what it hides and locks. Throws UserError if too long
  bool save();                      // not over what another window or program has written into the file meanwhile
  bool isChangedElsewhere() const;  // so that save() refuses
  bool saveAs(const QString& file);
  void begin();  // a new experiment, as when the program starts
  // Restores what an earlier session had under this path, even if the file differs.
  void restore(const QByteArray& text, const QString& path);

  // True if what an earlier session had under this path ("": none) is in no file. Settings alone are in its runs too.
  static bool isUnsaved(const QByteArray& text, const QString& path);

 Q_SIGNALS:
  void changed();                        // path or isModified()
  void begun();                          // another experiment has begun, by open(), openLink() or begin()
  void openFailed(const QString& path);  // after said()
  void opened(const QString& path);      // also when saved: for the list of recent files
  void tableRead(std::shared_ptr<const lab::ValueTable> table, const QString& path);
  void said(const QString& text, bool failure);

 private:
  bool take(FileContent content);  // opens what has been read; returns false on failure, which is reported
  void fail(const QString& sentence, const QString& path);
  void openExperiment(std::span<const std::uint8_t> bytes, const QString& path);
  void beginWith(ExperimentFile file, const QString& path, bool saved);
  ExperimentFile present() const;                      // what save() would write, but for the view
  QByteArray textWithView(ExperimentFile file) const;  // the present view

  Experiment& experiment_;
  RunFiles runs_;
  QString path_;
  ExperimentFile file_;   // name, note and unknown keys; Experiment has its config
  ExperimentFile saved_;  // what is in the file
  QByteArray digest_;     // of the file's bytes as read or written here
  std::function<void()> takeLastEdits_ = [] {};
  std::function<SavedView()> viewOf_;
  std::function<ControlLocks()> locksInForce_;
  FileReader reader_;  // the last member: it ends first
};

}  // namespace lab
