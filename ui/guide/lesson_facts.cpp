// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/lesson_facts.h"

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/base/parse_number.h"
#include "core/config/run_settings.h"
#include "core/options/config_field.h"
#include "core/trace/divergence.h"
#include "ui/playback/captions.h"
#include "ui/playback/playback.h"
#include "ui/runs/run_library.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/experiment.h"
#include "ui/step/object_name.h"
#include "ui/step/selection.h"

namespace lab {
namespace {

template <typename Number>
Fact numberOf(const std::optional<Number>& number) {
  return number ? Fact(static_cast<double>(*number)) : Fact();
}

constexpr double kNsPerMs = 1e6;

// Files of experiments use an old word for one of the beats.
std::string beatWordOf(BeatKind kind) {
  return kind == BeatKind::Distribute ? "distribute" : beatKey(kind);
}

}  // namespace

LessonFacts::LessonFacts(const LessonWorld& world, QObject* parent) : QObject(parent), world_(world) {
  connect(&world_.playback, &Playback::changed, this, &LessonFacts::follow);
  connect(&world_.playback, &Playback::acted, this, &LessonFacts::acted);
  connect(&world_.selection, &Selection::changed, this, &LessonFacts::acted);
  connect(&world_.experiment, &Experiment::started, this, [this] {
    step_ = 0;
    seconds_ = 0;
    seen_.clear();  // they belong to another run
    Q_EMIT acted();
  });
  connect(&world_.controller, &RunController::updated, this, &LessonFacts::followRun);
}

// A step in which a real process died has no record and no beats, but the user who killed the process has seen the step
// given up.
void LessonFacts::followRun() {
  const bool lost = world_.controller.processes().lostWorker() >= 0;
  if (lost && !std::exchange(lost_, lost)) seen_.insert(beatWordOf(BeatKind::Aborted));
  lost_ = lost;
  Q_EMIT changed();
}

void LessonFacts::beginPage() {
  seen_.clear();
  step_ = world_.playback.step();
  seconds_ = world_.playback.seconds();
}

void LessonFacts::setAnswers(const std::set<std::string>& predicted, const std::set<std::string>& answered) {
  predicted_ = predicted;
  answered_ = answered;
}

// Adds all beats that the movie has passed, including those that the user has stepped over.
void LessonFacts::follow() {
  const Playback& playback = world_.playback;
  const bool same = playback.step() == step_;
  if (same && playback.seconds() == seconds_) return;
  const double from = same ? std::min(seconds_, playback.seconds()) : 0, to = playback.seconds();
  for (const Beat& beat : playback.story().beats)
    if (beat.beginS < to && beat.endS > from) seen_.insert(beatWordOf(beat.kind));
  // A single step arrives where a beat begins.
  if (!playback.story().beats.empty() && to > 0)
    seen_.insert(beatWordOf(playback.story().beats[playback.story().beatAt(to)].kind));
  step_ = playback.step();
  seconds_ = to;
  Q_EMIT acted();
}

Fact LessonFacts::fact(const FactCall& call) const {
  const std::string name = call.name->name;
  if (name == "seen") return seen_.contains(call.argument);
  if (name == "predicted") return predicted_.contains(call.argument);
  if (name == "answered") return answered_.contains(call.argument);
  if (name == "workspace" || name == "shown" || name == "lanes" || name == "sweep.done" || name.starts_with("class."))
    return world_.window(call);
  for (const Fact& fact : {ofSettings(call), ofStage(name, call), ofRun(name, call.argument)})
    if (!std::holds_alternative<std::monostate>(fact)) return fact;
  return {};
}

Fact LessonFacts::ofSettings(const FactCall& call) const {
  const std::string name = call.name->name;
  const ResolvedSettings& config = world_.experiment.resolved();
  if (name == "strategy") return std::string(strategyKey(config.strategy));
  if (name == "setting") return configField(call.argument).get(config);
  if (name == "replicas") return static_cast<double>(config.replicas);
  if (name == "batch.global") return config.globalBatch > 0 ? Fact(static_cast<double>(config.globalBatch)) : Fact();
  if (name == "batch.per-replica") return static_cast<double>(config.largestShare());
  if (name == "learning-rate") return config.learningRate;
  return {};
}

Fact LessonFacts::ofStage(const std::string& name, const FactCall& call) const {
  const Playback& playback = world_.playback;
  if (name == "step") return static_cast<double>(playback.step());
  if (name == "playing") return playback.isPlaying();
  if (name == "paused") return !playback.isPlaying();
  const std::string object = lab::objectName(world_.selection.pinned());
  if (name == "object") return object;
  if (name == "selected") return object.substr(0, object.find(' '));
  const auto& record = playback.record();
  if (record == nullptr) return {};
  const Story& story = playback.story();
  if (!story.beats.empty() && (name == "beat" || name == "part")) {
    const Beat& beat = story.beats[story.beatAt(playback.seconds())];
    if (name == "beat") return beatWordOf(beat.kind);
    return beat.endS > beat.beginS ? (playback.seconds() - beat.beginS) / (beat.endS - beat.beginS) : 0;
  }
  const StepMetric& metric = record->metric;
  if (name == "aborted") return metric.aborted;
  if (name == "dead") return static_cast<double>(record->dead.size());
  // Also in later steps: Live shows every k-th step, and a page that waits for this must not miss it.
  if (name == "taken") return std::ranges::any_of(record->dead, [](const DeadTask& dead) { return dead.takenBy >= 0; });
  if (name == "shard") {
    const auto replica = parseNumber<std::size_t>(call.argument).value_or(metric.shards.size());
    return replica < metric.shards.size() ? Fact(static_cast<double>(metric.shards[replica])) : Fact();
  }
  if (name == "examples") return static_cast<double>(metric.examples);
  if (name == "loss") return metric.loss;
  if (name == "accuracy") return metric.accuracy;
  if (name == "staleness") return numberOf(metric.staleness);
  if (name == "bytes") return static_cast<double>(metric.bytesSent);
  if (name == "time.step") return static_cast<double>(metric.stepNs) / kNsPerMs;
  if (name == "time.compute") return static_cast<double>(metric.computeNs) / kNsPerMs;
  if (name == "time.communication") return static_cast<double>(metric.communicationNs) / kNsPerMs;
  if (name == "time.straggler") return static_cast<double>(metric.stragglerNs) / kNsPerMs;
  if (name == "time.queue") return static_cast<double>(metric.queueNs) / kNsPerMs;
  if (name == "speed") return metric.imagesPerSecond;
  if (name == "identical") return metric.mirrorsIdentical ? Fact(*metric.mirrorsIdentical) : Fact();
  return {};
}

// True if a task of that kind has died, or come back, on the way to the present run.
bool LessonFacts::had(bool revived, const std::string& task) const {
  // A real process was killed, and then all were started again.
  const WorkerProcesses& run = world_.controller.processes();
  if (task == taskNames().front() && (revived ? run.wereResumed() : run.lostWorker() >= 0)) return true;
  return std::ranges::any_of(world_.experiment.lineage(), [&](const RunBranch& branch) {
    return branch.fault && (branch.fault->what == RunFault::What::Revive) == revived &&
           at(taskNames(), branch.fault->task) == task;
  });
}

Fact LessonFacts::ofRun(const std::string& name, const std::string& argument) const {
  const RunController& controller = world_.controller;
  const std::vector<StepMetric>& steps = controller.steps();
  if (name == "steps") return static_cast<double>(steps.size());
  if (name == "epoch.steps")
    return controller.info() == nullptr ? Fact() : Fact(static_cast<double>(controller.info()->stepsPerEpoch));
  if (name == "over") return controller.isOver();
  if (name == "killed" || name == "revived") return had(name == "revived", argument);
  if (name == "runs") return static_cast<double>(world_.library.runs().size());
  if (name == "divergence") {
    Divergence divergence;
    divergence.follow(steps);
    return divergence.index().has_value();
  }
  if (name == "staleness.highest") {
    std::optional<std::int64_t> most;
    for (const StepMetric& step : steps)
      if (step.staleness) most = std::max(most.value_or(0), *step.staleness);
    return numberOf(most);
  }
  return {};
}

}  // namespace lab
