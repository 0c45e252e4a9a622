// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that are kept, the present one last: what each was, with its seed and the version that trained it, all
// metrics, and what a person has set for it. It follows Experiment and RunController; charts, table and files
// read it.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/config/run_settings.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/trace/divergence.h"
#include "ui/runview/run_controller.h"

namespace lab {

class Experiment;

struct KeptRun {
  int id = 0;    // from 1; never given twice
  QString name;  // a person's; "" where nobody gave it one: see RunLibrary::nameOf()
  QString note;
  bool shown = true;          // in charts
  int colour = -1;            // see runColour() and runStyle(); -1: the library gives it a free one
  RunSettings asked;          // as asked for, without its output files
  ResolvedSettings resolved;  // with everything filled in
  // Whether its settings give it again: a table of values does not have them, and a class's steps depend on who came.
  bool settingsKnown = true;
  QDateTime began;
  QString version;  // of the program that trained it
  QString source;   // the file it was read from; "" where it was trained here
  RunState state = RunState::Preparing;
  std::optional<RunHeader> header;  // what a run file says of it; nothing while it is being prepared
  std::shared_ptr<const RunMetrics> metrics;
  std::shared_ptr<const serving::ClassRecording> lesson;  // of a class's recording, once its steps have been wanted
};

class RunLibrary final : public QObject {
  Q_OBJECT

 public:
  // More are not kept: the oldest goes that has no note and no name of its own, is no baseline and from no file.
  static constexpr std::size_t kMostRuns = 100;

  RunLibrary(RunController& controller, Experiment& experiment, QObject* parent = nullptr);

  const std::vector<KeptRun>& runs() const { return runs_; }
  const KeptRun* find(int id) const;          // null: not there
  int presentId() const { return present_; }  // of the run that the stage shows; 0 before the first
  // Charts leave out what was not trained here since then, for as long as something is told that begins there; invalid:
  // nothing. The present run is always in them, if it is shown at all.
  void setChartedSince(const QDateTime& time);
  // Charts have the axes of the present run: from when something is told until a run begins that is not part of it.
  bool hasAxesOfPresent() const { return axesOfPresent_; }
  void tellOfPresent();  // it is told of, beside those before it
  bool isCharted(const KeptRun& run) const {
    const bool own = run.id == present_ || (run.source.isEmpty() && run.began.isValid() && run.began >= chartedSince_);
    return run.shown && (!chartedSince_.isValid() || own);
  }
  int baselineId() const { return baseline_; }  // what others are compared with; 0: none

  // The name that a person gave, else what the run differs in from the others: "b512 lr0.4". It may change with them.
  QString nameOf(const KeptRun& run) const;
  QString nameOf(int id) const;                              // "": not there
  const Divergence& divergenceOf(const KeptRun& run) const;  // as far as the run has come

  // What a person does. An id that is not there is let pass.
  void rename(int id, const QString& name);  // "": back to what it differs in
  void annotate(int id, const QString& note);
  void setShown(int id, bool shown);
  void setBaseline(int id);
  void remove(int id);  // the present run cannot be removed: false in canRemove()
  void remove(const std::vector<int>& ids);
  bool canRemove(int id) const { return id != present_ && find(id) != nullptr; }
  void repeat(int id);  // the same once more, same seed; of a class's recording its steps
  bool canRepeat(int id) const;
  bool isRecordedClass(int id) const;  // with its steps
  // The steps of such a one, for who shows them beside others; of the settings that it has as a simulated run.
  // UserError.
  std::pair<RunSettings, RunController::Start> lesson(int id);
  bool canCompare(int id) const { return id != present_ && canRepeat(id); }
  void compare(int id);  // asks whoever shows runs side by side

  // A recording joins the runs; its id.
  int add(RunRecord record, const QString& source);
  int add(KeptRun run);  // from an earlier session; it keeps its colour, and the present run yields
  // Runs beside the present one are kept too, from their first step on, one after the other as long as `controller` is
  // there. One that was kept before (same settings, same lineage) takes its place when it has come as far.
  void followRun(RunController& controller);
  bool isBeside(int id) const;
  // A curve to compare with, from a table of values.
  int add(std::vector<Metric> metrics, const QString& name, const QString& source);

 Q_SIGNALS:
  void dropped(const QString& name);  // as there are more than kMostRuns
  void added(int row);
  void removed(int row);       // it is gone already
  void changed(int row);       // name, note, state, colour, shown or baseline of it
  void compareWanted(int id);  // beside the run on the stage
  void charted();              // other runs are in charts than before
  void grew();                 // the present run has new metrics; at most once in 16 ms

 private:
  struct Beside {
    RunController* controller = nullptr;
    std::shared_ptr<const RunMetrics> metrics{};  // of the run that `id` is
    int id = 0;                                   // 0: not kept yet
    int earlier = 0;                              // the same run of an earlier time, which still stands for it; or 0
  };

  void begin();
  bool takeBack();
  void look(int id);
  void follow();
  void followBeside(RunController& controller);
  void endBeside(Beside& beside);
  void takePlace(Beside& beside, KeptRun run);
  const KeptRun* sameRun(const KeptRun& run) const;
  int append(KeptRun run);
  int rowOf(int id) const;  // -1: not there
  int freeColour() const;
  void removeRow(int row);
  void dropOldest();

  RunController& controller_;
  Experiment& experiment_;
  std::vector<KeptRun> runs_;
  std::vector<Beside> beside_;
  mutable std::map<int, QString> names_;  // of those without one, until the runs are others
  mutable std::map<int, Divergence> divergence_;
  int last_ = 0;  // id
  int present_ = 0, baseline_ = 0;
  QDateTime chartedSince_;
  bool axesOfPresent_ = false;
};

// A setting as the run has it: "auto" for a data set is the one that was found.
std::string settingOf(const KeptRun& run, const ConfigField& field);
// Settings in which not all of these runs are alike, in the table's order; outputs and threads left out.
std::vector<const ConfigField*> differingFields(const std::vector<KeptRun>& runs);

// Nothing of its own: no more than the step that is trained to have a picture, no word of a person's, no branch.
bool isUntouched(const KeptRun& run);
void beginHere(KeptRun& run);                  // its version and its time
const Lineage& lineageOf(const KeptRun& run);  // empty where it is no branch, or while it is being prepared

}  // namespace lab
