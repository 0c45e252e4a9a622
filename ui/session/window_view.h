// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window is: the moment on the stage, layout, theme and mode, as an experiment's file keeps them. What a file
// says is shown only when somebody asks for it; then the run is trained up to the step, if it has to be. "Show me" of
// lessons, gallery, quiz and glossary leads to a Moment in the same way.
#pragma once

#include <QObject>
#include <QString>

#include <vector>

#include "core/files/experiment_file.h"
#include "core/lesson/moment.h"

namespace lab {

class MainWindow;
struct RunInfo;

class WindowView final : public QObject {
  Q_OBJECT

 public:
  explicit WindowView(MainWindow& window, QObject* parent = nullptr);

  SavedView now() const;
  // In what the window would change: "step 12, all-reduce · layout Explore". "" where it shows all of it, and for names
  // that are not known here.
  QString difference(const SavedView& saved) const;
  void show(const SavedView& saved);
  // There, with what is selected and the tab in front; other settings begin another experiment, which undo takes back.
  // Its faults are done as a person does them, those that the present run does not have yet; a run with others begins
  // anew. Panels, theme and workspace are visited. UserError for settings that cannot be; names that are not known are
  // left out. What is locked stays, but for the teacher's own. arrived() follows, unless somebody goes elsewhere.
  void show(const Moment& moment, Experiment::By whom = Experiment::By::Anyone);
  // After the step that was given up all started again from this backup: every so many steps there was one. 0: an
  // epoch's.
  static std::int64_t backupsEvery(std::int64_t backup, std::int64_t givenUp, const RunInfo* info);
  // What of it the window does not know: "object", "beat", …; "" where it knows all.
  static QString unknownIn(const Moment& moment, const QStringList& tabs);

 Q_SIGNALS:
  void arrived();

 private:
  void goTo(std::int64_t step, const std::string& beat, double part);
  void goOn();
  void compare(const std::vector<StrategyKind>& kinds);
  void ask(const std::string& question);
  void goToNext();
  void strike();
  void arrive();

  MainWindow& window_;
  std::int64_t step_ = 0;  // where it goes, to the beat there; 0: nowhere
  std::string beat_;
  double part_ = 0;
  bool going_ = false;  // the playback has it
  std::string object_;  // to select there
  // Faults on the way there, which begin other runs; and where it leads behind them.
  std::vector<MomentFault> faults_;
  SavedView last_;
  bool striking_ = false;
};

}  // namespace lab
