// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window is: the moment on the stage, layout, theme and mode, as an experiment's file stores them. A file's
// view is shown only when the user asks for it; then the run is trained up to the step if necessary. "Show me" in
// lessons, gallery, quiz and glossary leads to a Moment in the same way.
#pragma once

#include <QObject>
#include <QString>

#include <vector>

#include "core/files/experiment_file.h"
#include "core/lesson/moment.h"
#include "ui/setup/experiment.h"

namespace lab {

class MainWindow;
struct RunInfo;

class WindowView final : public QObject {
  Q_OBJECT

 public:
  explicit WindowView(MainWindow& window, QObject* parent = nullptr);

  SavedView now() const;
  // What would change in the window: "step 12, all-reduce · layout Explore". "" if the window shows all of it already,
  // and for unknown names.
  QString difference(const SavedView& saved) const;
  void show(const SavedView& saved);
  // Goes to the moment, with its selection and its tab in front; other settings begin another experiment, which undo
  // takes back. Faults that the present run lacks are made in the way a user makes them; a run with other faults begins
  // anew. Panels, theme and workspace change temporarily. Throws UserError for impossible settings; ignores unknown
  // names. Locked controls stay, except for the teacher's own moments. arrived() follows, unless the user goes
  // elsewhere.
  void show(const Moment& moment, Experiment::By whom = Experiment::By::Anyone);
  // The number of steps between backups, if all tasks restarted from this backup after the step that was given up. 0:
  // one backup per epoch.
  static std::int64_t backupsEvery(std::int64_t backup, std::int64_t givenUp, const RunInfo* info);
  // What of the moment the window does not know: "object", "beat", …; "" if it knows everything.
  static QString unknownIn(const Moment& moment, const QStringList& tabs);

 Q_SIGNALS:
  void arrived();

 private:
  void goTo(std::int64_t step, const std::string& beat, double part);
  void goOn();
  void compare(const std::vector<StrategyKind>& kinds);
  void ask(const std::string& question);
  void showStage();
  void goToNext();
  void strike();
  void arrive();

  MainWindow& window_;
  std::int64_t step_ = 0;  // the destination, at the beat beat_; 0: none
  std::string beat_;
  double part_ = 0;
  bool going_ = false;  // the playback has the request
  std::string object_;  // to be selected there
  // Faults on the way there, each of which begins another run; and the view to go to after them.
  std::vector<MomentFault> faults_;
  SavedView last_;
  bool striking_ = false;
};

}  // namespace lab
