// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that are kept, the present one last: the settings of each, with its seed and the version that trained it,
// all metrics, and what the user has set for it. It follows Experiment and RunController; charts, table and files read
// from it.
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
#include "ui/runs/runs_beside.h"
#include "ui/runview/run_controller.h"

namespace lab {

class Experiment;

struct KeptRun {
  int id = 0;    // from 1; never reused
  QString name;  // given by the user; "" if none was given: see RunLibrary::nameOf()
  QString note;
  bool shown = true;          // in charts
  int colour = -1;            // see runColour() and runStyle(); -1: the library assigns a free one
  RunSettings asked;          // as requested, without its output files
  ResolvedSettings resolved;  // with everything filled in
  // Whether its settings reproduce it: a table of values has none, and a class's steps depend on who joined.
  bool settingsKnown = true;
  QDateTime began;
  QString version;  // of the program that trained the run
  QString source;   // the file from which it was read; "" if trained here
  RunState state = RunState::Preparing;
  std::optional<RunHeader> header;  // what a run file says about it; empty while it is being prepared
  std::shared_ptr<const RunMetrics> metrics;
  std::shared_ptr<const serving::ClassRecording> lesson;  // the recording of a class, after its steps were first asked
                                                          // for
};

class RunLibrary final : public QObject {
  Q_OBJECT

 public:
  // The most runs that are kept, and the most steps of all of them together, which are what needs the memory: 300 to
  // 500 MB with their curves. Beyond that, as soon as another run joins, the oldest is dropped that has no note or name
  // from the user, is not a baseline, is not from a file, and does not train.
  static constexpr std::size_t kMostRuns = 100, kMostSteps = 1'000'000;
  enum class Bound { Runs, Steps };

  RunLibrary(RunController& controller, Experiment& experiment, QObject* parent = nullptr);

  const std::vector<KeptRun>& runs() const { return runs_; }
  const KeptRun* find(int id) const;          // null if not there
  int presentId() const { return present_; }  // the run on the stage; 0 before the first
  // While a lesson or demonstration is running, charts leave out runs not trained here since it began; invalid: no
  // filter. The present run, if shown at all, is always included.
  void setChartedSince(const QDateTime& time);
  // Charts use the axes of the present run: from the beginning of a lesson until a run begins that is not part of it.
  bool hasAxesOfPresent() const { return axesOfPresent_; }
  void tellOfPresent();  // the lesson is about the present run, beside earlier ones
  bool isCharted(const KeptRun& run) const {
    const bool own = run.id == present_ || (run.source.isEmpty() && run.began.isValid() && run.began >= chartedSince_);
    return run.shown && (!chartedSince_.isValid() || own);
  }
  int baselineId() const { return baseline_; }  // the run that others are compared with; 0: none

  // The user's name for the run, else its differences from the others: "b512 lr0.4". May change when they change.
  QString nameOf(const KeptRun& run) const;
  QString nameOf(int id) const;                              // "" if not there
  const Divergence& divergenceOf(const KeptRun& run) const;  // up to the run's latest step

  // The user's acts. An unknown id is ignored.
  void rename(int id, const QString& name);  // "": back to the name by differences
  void annotate(int id, const QString& note);
  void setShown(int id, bool shown);
  void setBaseline(int id);
  void remove(int id);  // the present run cannot be removed: false in canRemove()
  void remove(const std::vector<int>& ids);
  bool canRemove(int id) const { return id != present_ && find(id) != nullptr; }
  void repeat(int id);  // the same settings and seed again; for a class's recording, its steps
  bool canRepeat(int id) const;
  bool isRecordedClass(int id) const;  // true if the steps are recorded
  // The steps of a recorded class, for showing them beside others, with the settings that it has as a simulated run.
  // Throws UserError.
  std::pair<RunSettings, RunController::Start> lesson(int id);
  bool canCompare(int id) const { return id != present_ && canRepeat(id); }
  void compare(int id);  // asks the comparison to show the run

  // A recording as a run that can be added. Any thread.
  static KeptRun keptFrom(RunRecord record, const QString& source);
  int add(KeptRun run);  // recorded, or from an earlier session: it keeps its colour, and the present run yields
  // A curve to compare with, from a table of values.
  int add(std::vector<Metric> metrics, const QString& name, const QString& source);

  // Runs that train beside the present one. They use the next three functions, which ignore an unknown id.
  RunsBeside& beside() { return beside_; }
  void report(int id, RunState state);  // the run has new metrics, and is in this state
  void conclude(int id);                // it trains no more; a run that has not passed its first picture is dropped
  void drop(int id);                    // another run takes its place

 Q_SIGNALS:
  void dropped(const QString& name, RunLibrary::Bound bound);  // because there is more than the bound
  void added(int row);
  void removed(int row);  // emitted after the removal
  // By the user, who may want them back: add() takes them. `baseline`: the id of the baseline before.
  void deleted(const std::vector<KeptRun>& runs, int baseline);
  void changed(int row);                // its name, note, state, colour, visibility or baseline
  void compareWanted(int id);           // beside the run on the stage
  void repeating(const QString& name);  // before the settings become this run's
  void charted();                       // the set of runs in charts has changed
  void grew();                          // the present run has new metrics; at most once per 16 ms

 private:
  void begin();
  bool takeBack();
  void follow();
  int rowOf(int id) const;       // -1: not there
  bool dropOldest(Bound bound);  // false: there is none to drop

  RunController& controller_;
  Experiment& experiment_;
  std::vector<KeptRun> runs_;
  RunsBeside beside_{*this};
  mutable std::map<int, QString> names_;  // names by difference, until the set of runs changes
  mutable std::map<int, Divergence> divergence_;
  int last_ = 0;  // id
  int present_ = 0, baseline_ = 0;
  QDateTime chartedSince_;
  bool axesOfPresent_ = false;
};

// A setting with its value in the run: "auto" for a data set becomes the one that was found.
std::string settingOf(const KeptRun& run, const ConfigField& field);
// Settings that are not the same in all of these runs, in the table's order; without outputs and threads.
std::vector<const ConfigField*> differingFields(const std::vector<KeptRun>& runs);

// True if nothing would be lost: trained no further than its first picture, nothing from the user, no branch.
bool isUntouched(const KeptRun& run);
void beginHere(KeptRun& run);                  // sets its version and its time
const Lineage& lineageOf(const KeptRun& run);  // empty if not a branch, or while it is being prepared

}  // namespace lab
