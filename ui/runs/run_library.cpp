// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_library.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/classruns/class_branch.h"
#include "core/files/experiment_file.h"
#include "core/options/config_field.h"
#include "ui/runs/run_colours.h"
#include "ui/runs/run_names.h"
#include "ui/setup/experiment.h"

namespace lab {
namespace {

std::shared_ptr<const RunMetrics> sorted(std::vector<Metric> recorded, std::vector<std::string> order = {}) {
  auto metrics = std::make_shared<RunMetrics>();
  metrics->order = std::move(order);
  for (Metric& metric : recorded) metrics->add(std::move(metric));
  return metrics;
}

// The first colour that no kept run has, or else the next in turn after `last`, the latest run's id.
int freeColour(const std::vector<KeptRun>& runs, int last) {
  for (int colour = 0; colour < kRunLooks; ++colour)
    if (std::ranges::find(runs, colour, &KeptRun::colour) == runs.end()) return colour;
  return last % kRunLooks;
}

std::optional<RunLibrary::Bound> exceededBound(const std::vector<KeptRun>& runs) {
  if (runs.size() > RunLibrary::kMostRuns) return RunLibrary::Bound::Runs;
  std::size_t steps = 0;
  for (const KeptRun& run : runs) steps += run.metrics->steps.size();
  return steps > RunLibrary::kMostSteps ? std::optional(RunLibrary::Bound::Steps) : std::nullopt;
}

}  // namespace

RunLibrary::RunLibrary(RunController& controller, Experiment& experiment, QObject* parent)
    : QObject(parent), controller_(controller), experiment_(experiment) {
  connect(&experiment_, &Experiment::aboutToStart, this, &RunLibrary::follow);
  connect(&experiment_, &Experiment::started, this, &RunLibrary::begin);
  connect(&controller_, &RunController::updated, this, &RunLibrary::follow);
}

int RunLibrary::rowOf(int id) const {
  const auto found = std::find_if(runs_.begin(), runs_.end(), [id](const KeptRun& run) { return run.id == id; });
  return found == runs_.end() ? -1 : static_cast<int>(found - runs_.begin());
}

const KeptRun* RunLibrary::find(int id) const {
  const int row = rowOf(id);
  return row < 0 ? nullptr : &at(runs_, row);
}

int RunLibrary::add(KeptRun run) {
  run.id = ++last_;
  const auto same = std::find_if(runs_.begin(), runs_.end(), [&](const KeptRun& r) { return r.colour == run.colour; });
  // The earlier run keeps the colour; the run on the stage yields only while it has no visible curve.
  const bool taken = same != runs_.end() && (same->id != present_ || !isUntouched(*same));
  if (run.colour < 0 || run.colour >= kRunLooks || taken) {
    run.colour = freeColour(runs_, last_);
  } else if (same != runs_.end()) {
    same->colour = freeColour(runs_, last_);
    Q_EMIT changed(static_cast<int>(same - runs_.begin()));
  }
  // The present run stays last.
  const bool beforeLast = !runs_.empty() && run.id != present_ && runs_.back().id == present_;
  const int row = static_cast<int>(runs_.size()) - (beforeLast ? 1 : 0);
  const int id = run.id;
  runs_.insert(runs_.begin() + row, std::move(run));
  names_.clear();
  Q_EMIT added(row);
  for (auto bound = exceededBound(runs_); bound && dropOldest(*bound);) bound = exceededBound(runs_);
  return id;
}

// The metrics of a run that trains are its controller's too: to drop it would free nothing.
bool RunLibrary::dropOldest(Bound bound) {
  const auto oldest = std::find_if(runs_.begin(), runs_.end(), [this](const KeptRun& run) {
    return run.id != present_ && run.id != baseline_ && run.id != last_ && !beside_.has(run.id) && run.note.isEmpty() &&
           run.source.isEmpty() && run.name.isEmpty();
  });
  if (oldest == runs_.end()) return false;
  const QString name = nameOf(*oldest);
  drop(oldest->id);
  Q_EMIT dropped(name, bound);
  return true;
}

void RunLibrary::begin() {
  const int before = std::exchange(present_, 0);
  axesOfPresent_ = chartedSince_.isValid();
  conclude(before);
  if (takeBack()) return follow();
  KeptRun run;
  run.asked = withoutOutputs(experiment_.asked());
  run.resolved = experiment_.resolved();
  beginHere(run);
  run.state = controller_.state();
  run.metrics = controller_.metrics();
  present_ = last_ + 1;
  add(std::move(run));
  follow();
}

// A kept run that was brought back is the present run again, and therefore the last.
bool RunLibrary::takeBack() {
  const auto kept = std::ranges::find(runs_, controller_.metrics(), &KeptRun::metrics);
  if (kept == runs_.end()) return false;
  const auto row = static_cast<int>(kept - runs_.begin());
  KeptRun run = std::move(*kept);
  runs_.erase(kept);
  Q_EMIT removed(row);
  present_ = run.id;
  run.state = controller_.state();
  runs_.push_back(std::move(run));
  Q_EMIT added(static_cast<int>(runs_.size()) - 1);
  return true;
}

void RunLibrary::follow() {
  const int row = rowOf(present_);
  if (row < 0) return;
  KeptRun& run = at(runs_, row);
  if (run.metrics != controller_.metrics()) return;  // the next run has started, but begin() was not called yet
  bool other = run.state != controller_.state();
  run.state = controller_.state();
  if (!run.header && controller_.info() != nullptr) {
    const RunInfo ofFile = controller_.ofClass().fileInfo(*controller_.info());
    run.header = headerOf(ofFile);
    run.settingsKnown = !run.header->isClass;
    // Some of the requested settings do not apply to a class.
    if (run.header->isClass) run.resolved = ofFile.config;
    names_.clear();  // names may mention the data set that was found
    other = true;
  }
  if (other) Q_EMIT changed(row);  // `run` may be elsewhere from here on
  Q_EMIT grew();
}

void RunLibrary::rename(int id, const QString& name) {
  const int row = rowOf(id);
  if (row < 0) return;
  KeptRun& run = at(runs_, row);
  run.name = name.simplified();
  names_.clear();
  Q_EMIT changed(row);
}

void RunLibrary::annotate(int id, const QString& note) {
  const int row = rowOf(id);
  if (row < 0) return;
  at(runs_, row).note = note;
  Q_EMIT changed(row);
}

void RunLibrary::setShown(int id, bool shown) {
  const int row = rowOf(id);
  if (row < 0 || at(runs_, row).shown == shown) return;
  at(runs_, row).shown = shown;
  Q_EMIT changed(row);
}

void RunLibrary::setChartedSince(const QDateTime& time) {
  axesOfPresent_ = axesOfPresent_ || time.isValid();
  if (std::exchange(chartedSince_, time) != time) Q_EMIT charted();
}

void RunLibrary::tellOfPresent() {
  if (!std::exchange(axesOfPresent_, true)) Q_EMIT charted();
}

void RunLibrary::setBaseline(int id) {
  const int before = rowOf(std::exchange(baseline_, find(id) != nullptr ? id : 0)), now = rowOf(baseline_);
  for (const int row : {before, now})
    if (row >= 0) Q_EMIT changed(row);
}

void RunLibrary::report(int id, RunState state) {
  const int row = rowOf(id);
  if (row < 0) return;
  KeptRun& run = at(runs_, row);
  if (std::exchange(run.state, state) != state) Q_EMIT changed(row);
  Q_EMIT grew();
}

void RunLibrary::conclude(int id) {
  const int row = rowOf(id);
  if (row < 0) return;
  KeptRun& run = at(runs_, row);
  if (isUntouched(run) && id != baseline_) return drop(id);
  if (run.state != RunState::Finished && run.state != RunState::Failed) run.state = RunState::Stopped;
  Q_EMIT changed(row);
}

void RunLibrary::drop(int id) {
  const int row = rowOf(id);
  if (row < 0) return;
  runs_.erase(runs_.begin() + row);
  names_.clear();
  divergence_.erase(id);
  if (baseline_ == id) baseline_ = 0;
  Q_EMIT removed(row);
}

void RunLibrary::remove(int id) {
  remove(std::vector<int>{id});
}

void RunLibrary::remove(const std::vector<int>& ids) {
  std::vector<KeptRun> gone;
  const int baseline = baseline_;
  for (const int id : ids) {
    if (!canRemove(id)) continue;
    gone.push_back(*find(id));
    drop(id);
  }
  if (!gone.empty()) Q_EMIT deleted(gone, baseline);
}

QString RunLibrary::nameOf(const KeptRun& run) const {
  if (names_.empty()) names_ = namesByDifference(runs_);
  const auto found = names_.find(run.id);
  const QString name = !run.name.isEmpty() ? run.name : found == names_.end() ? QString() : found->second;
  return markedRunName(name, lineageOf(run));
}

QString RunLibrary::nameOf(int id) const {
  const KeptRun* run = find(id);
  return run == nullptr ? QString() : nameOf(*run);
}

const Divergence& RunLibrary::divergenceOf(const KeptRun& run) const {
  Divergence& divergence = divergence_[run.id];
  divergence.follow(run.metrics->steps);
  return divergence;
}

void RunLibrary::compare(int id) {
  if (canCompare(id)) Q_EMIT compareWanted(id);
}

bool RunLibrary::isRecordedClass(int id) const {
  const KeptRun* run = find(id);
  return run != nullptr && run->header && run->header->isClass && !run->metrics->order.empty();
}

bool RunLibrary::canRepeat(int id) const {
  return find(id) != nullptr && (find(id)->settingsKnown || (id != present_ && isRecordedClass(id)));
}

std::pair<RunSettings, RunController::Start> RunLibrary::lesson(int id) {
  KeptRun& run = at(runs_, rowOf(id));
  if (!run.lesson)
    run.lesson = serving::readClassRecording(withoutOutputs(run.resolved), run.header->dataset, run.metrics->steps,
                                             run.metrics->end.has_value(), run.metrics->order);
  RunController::Start start;
  start.recording = run.lesson;
  start.before = *run.metrics;
  return {serving::branchSettings(run.lesson->config, static_cast<int>(run.lesson->members.size())), start};
}

// A branch can only be repeated as that branch.
void RunLibrary::repeat(int id) {
  const KeptRun* run = find(id);
  if (run == nullptr || !canRepeat(id)) return;
  Q_EMIT repeating(nameOf(*run));
  if (run->settingsKnown) {
    const RunSettings config = run->asked;
    const Lineage lineage = lineageOf(*run);
    return experiment_.beginOrComplain(config, lineage);
  }
  // The kept run becomes the present one, because the stage has its metrics.
  const std::shared_ptr<const RunMetrics> before = run->metrics;
  try {
    auto [settings, start] = lesson(id);
    start.recorded = std::make_shared<RunMetrics>(std::exchange(start.before, {}));
    at(runs_, rowOf(id)).metrics = start.recorded;
    experiment_.look(settings, start);
  } catch (const UserError& error) {
    at(runs_, rowOf(id)).metrics = before;
    experiment_.complain(error);
  }
}

KeptRun RunLibrary::keptFrom(RunRecord record, const QString& source) {
  KeptRun run;
  const RunSettings written = knownConfig(record.header.config);
  run.resolved = unchecked(written);
  run.asked = withoutOutputs(written);
  run.name = QString::fromStdString(record.header.name);
  run.note = QString::fromStdString(record.header.note);
  run.version = QString::fromStdString(record.header.program);
  run.began = QDateTime::fromString(QString::fromStdString(record.header.began), Qt::ISODate);
  run.source = source;
  run.metrics = sorted(std::move(record.metrics), std::move(record.others));
  run.state = run.metrics->end ? RunState::Finished : RunState::Stopped;
  run.settingsKnown = !record.header.isClass;
  run.header = std::move(record.header);
  return run;
}

int RunLibrary::add(std::vector<Metric> metrics, const QString& name, const QString& source) {
  KeptRun run;
  run.name = name;
  run.source = source;
  run.settingsKnown = false;
  run.metrics = sorted(std::move(metrics));
  run.state = RunState::Finished;
  return add(std::move(run));
}

std::string settingOf(const KeptRun& run, const ConfigField& field) {
  std::string value = field.get(run.resolved);
  return field.name == "dataset" && value == "auto" && run.header ? run.header->dataset : value;
}

std::vector<const ConfigField*> differingFields(const std::vector<KeptRun>& runs) {
  std::vector<const ConfigField*> fields;
  std::vector<const KeptRun*> known;
  for (const KeptRun& run : runs)
    if (run.settingsKnown) known.push_back(&run);
  if (known.size() < 2) return fields;
  for (const ConfigField& field : configFields()) {
    if (!field.changesResults) continue;
    const std::string first = settingOf(*known.front(), field);
    if (std::any_of(known.begin() + 1, known.end(),
                    [&](const KeptRun* run) { return settingOf(*run, field) != first; }))
      fields.push_back(&field);
  }
  return fields;
}

bool isUntouched(const KeptRun& run) {
  if (run.metrics->steps.empty()) return true;
  return run.metrics->steps.size() == 1 && lineageOf(run).empty() && run.state != RunState::Finished &&
         run.state != RunState::Failed && run.name.isEmpty() && run.note.isEmpty() && run.source.isEmpty();
}

void beginHere(KeptRun& run) {
  run.began = QDateTime::currentDateTime();
  run.version = QCoreApplication::applicationVersion();
}

const Lineage& lineageOf(const KeptRun& run) {
  static const Lineage kNone;
  return run.header ? run.header->lineage : kNone;
}

}  // namespace lab
