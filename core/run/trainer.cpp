// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/trainer.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/cluster/cluster.h"
#include "core/cluster/differing_copies.h"
#include "core/device/device_clock.h"
#include "core/run/build.h"
#include "core/run/checkpoint.h"
#include "core/run/describe_cluster.h"
#include "core/run/evaluation.h"
#include "core/run/learning_rate.h"
#include "core/run/messages.h"
#include "core/run/state_history.h"
#include "core/run/training_input.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

// What must not differ between the run that wrote a checkpoint and the one that resumes it.
void checkSameRun(const nlohmann::json& saved, const RunConfig& config) {
  const RunConfig before = configFromJson(saved);
  for (const ConfigField& field : configFields()) {
    if (!field.changesResults || field.get(before) == field.get(config)) continue;
    const std::string was = field.get(before), is = field.get(config);
    throw UserError(say::otherSettings, Option{field.name},
                    was.empty() ? Message(say::unset) : Message(say::verbatim, was),
                    is.empty() ? Message(say::itUnset) : Message(say::verbatim, is));
  }
}

}  // namespace

struct Trainer::State {
  RunInfo info;
  std::shared_ptr<const Dataset> dataset;
  Telemetry& telemetry;
  std::unique_ptr<Cluster> cluster;
  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<TrainingInput> input;

  std::int64_t steps = 0;
  std::int64_t examples = 0;      // delivered so far
  std::int64_t wallNs = 0;        // in steps, evaluation left out; this process only
  std::int64_t examplesHere = 0;  // delivered by this process
  std::int64_t modelledNs = 0;
  std::int64_t evaluatedAt = -1;
  std::int64_t checkpointedAt = -1;
  std::vector<Message> notWritten;  // what was asked for, since the run has diverged
  bool mirrorsIdentical = true;
  NoiseScale noise;
  // The last step, until what it gave is known: on GPUs that is later.
  struct Unreported {
    StepMetric metric;
    StepOutcome outcome;
    std::shared_ptr<StepRecord> record;
    std::int64_t doneNs = 0;  // of a worker's step
  };
  std::optional<Unreported> unreported;

  const RunConfig& config() const { return info.config; }
  const StrategyInfo& strategyRow() const { return strategyInfo(config().strategy); }

  Unreported account(const StepResult& result, FinishedStep step, std::int64_t stepWallNs);
  void settle(bool duringStep = false);
  Checkpoint save() const;
  void load(const Checkpoint& saved);
  void checkpoint();
  void resume();
  void addEdits();
};

bool isGpu(const RunInfo& info, int endpoint) {
  return info.config.devices == DeviceChoice::Cuda && info.clock == Clock::Measured && endpoint < info.replicas;
}

std::shared_ptr<const Dataset> openDataset(const RunConfig& config, Telemetry* telemetry) {
  const auto progress = [telemetry](std::int64_t done, std::int64_t total) {
    if (telemetry != nullptr) telemetry->preparing({Preparation::Part::Data, total > 0 ? done : 0, total});
  };
  return firstExamples(loadDataset(config.dataset, config.dataDir, progress), config.trainExamples.value_or(-1),
                       config.testExamples.value_or(-1));
}

Trainer::Trainer(const RunConfig& config, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry,
                 const Lineage& lineage)
    : state_(new State{.telemetry = telemetry}) {
  State& s = *state_;
  s.dataset = std::move(dataset);
  s.info.config = resolveConfig(config);
  const RunConfig& resolved = s.config();
  const StrategyInfo& info = s.strategyRow();
  checkLineage(lineage, resolved);
  s.info.lineage = lineage;

  // What is written late is found out now, before a long run: that it can be.
  if (!resolved.save.empty()) checkWritable(resolved.save);
  if (!resolved.checkpointDir.empty() && !resolved.resume) makeCheckpointFolder(resolved.checkpointDir);
  // Before anything is allocated: what the user gave us to start from.
  const std::vector<float> initial = initialWeights(resolved);

  RunConfig made = resolved;
  made.reducer = reducerInForce(resolved);
  s.cluster = std::make_unique<Cluster>(clusterSettings(resolved), s.dataset, telemetry);
  s.strategy = info.make(made);
  s.input = std::make_unique<TrainingInput>(resolved, *s.cluster, s.dataset->train,
                                            TrainingInput::prefetches(resolved, *s.cluster));
  telemetry.preparing({Preparation::Part::Weights});
  s.cluster->beginStep(0, 0);
  s.strategy->prepare(*s.cluster, initial);
  (void)s.cluster->endStep();

  s.info.data = s.dataset;
  s.info.dataset = s.dataset->name;
  s.info.datasetSource = s.dataset->source;
  s.info.trainExamples = s.dataset->train.count;
  s.info.testExamples = s.dataset->test.count;
  s.info.network = s.cluster->settings().network;
  s.info.parameters = s.cluster->layout().size();
  s.info.stepsPerEpoch = s.input->stepsPerEpoch();
  s.info.examplesPerEpoch = s.input->examplesPerEpoch();
  s.info.totalSteps = resolved.steps.value_or(resolved.epochs * s.info.stepsPerEpoch);
  s.info.reducer = info.reducers.empty() || *resolved.replicas == 1 ? "" : std::string(toString(made.reducer));
  s.info.clock = s.cluster->clock();
  s.info.legend = s.cluster->topology().legend();
  describeCluster(s.info, *s.cluster);
  s.addEdits();
  if (resolved.resume) s.resume();
  s.info.firstStep = s.steps + 1;
}

Trainer::~Trainer() = default;

const RunInfo& Trainer::info() const {
  return state_->info;
}
std::int64_t Trainer::stepsDone() const {
  return state_->steps;
}
std::int64_t Trainer::wallNs() const {
  return state_->wallNs;
}
bool Trainer::finished() const {
  return state_->steps >= state_->info.totalSteps;
}
Cluster& Trainer::cluster() {
  return *state_->cluster;
}

void Trainer::step() {
  State& s = *state_;
  LAB_CHECK(!finished());
  const std::int64_t beganNs = steadyNs();
  ++s.steps;
  s.cluster->beginStep(s.steps, learningRateAt(s.config(), s.steps, s.info.stepsPerEpoch));
  const StepResult result = s.strategy->step(*s.cluster, *s.input);
  FinishedStep finished = s.cluster->endStep();
  s.settle(true);  // the step before
  const std::int64_t tookNs = steadyNs() - beganNs - finished.recordingNs;
  s.unreported = s.account(result, std::move(finished), tookNs);
  if (s.unreported->outcome.isKnown()) s.settle();

  const std::int64_t evalEvery = s.config().evalEvery.value_or(s.info.stepsPerEpoch);
  if (evalEvery > 0 && s.steps % evalEvery == 0) evaluate();
  const std::int64_t checkpointEvery = s.config().checkpointEvery.value_or(s.info.stepsPerEpoch);
  if (!s.config().checkpointDir.empty() && s.steps % checkpointEvery == 0) s.checkpoint();
}

// Completes and reports the metric of the last step, if not done yet.
void Trainer::State::settle(bool duringStep) {
  if (!unreported) return;
  auto [metric, outcome, record, doneNs] = std::move(*std::exchange(unreported, std::nullopt));
  const bool waited = !outcome.isKnown() && !duringStep;
  const std::int64_t beganNs = steadyNs();
  const StepValues& gave = outcome.get();
  if (waited) wallNs += steadyNs() - beganNs;
  const double delivered = static_cast<double>(std::max<std::int64_t>(1, metric.examples));
  metric.loss = gave.lossSum / delivered;
  metric.accuracy = static_cast<double>(gave.correct) / delivered;
  metric.mirrorsIdentical = gave.mirrorsIdentical;
  metric.stepNs = gave.times.stepNs;
  metric.computeNs = gave.times.computeNs;
  metric.communicationNs = gave.times.communicationNs;
  metric.inputNs = gave.times.inputNs;
  metric.queueNs = gave.times.queueNs;
  metric.stragglerNs = gave.times.stragglerNs;
  metric.launchNs = gave.times.launchNs;
  // Asynchronous updates overlap: what has passed on the clock is when the last of them was applied, and images per
  // second are all workers' so far over the time so far.
  modelledNs = metric.worker ? std::max(modelledNs, doneNs) : modelledNs + metric.stepNs;
  const bool overlap = metric.worker && metric.clock == Clock::Modelled;
  const std::int64_t ns = overlap ? modelledNs : metric.stepNs;
  const double images = static_cast<double>(overlap ? examples : metric.examples);
  metric.imagesPerSecond = ns > 0 ? images * 1e9 / static_cast<double>(ns) : 0;
  mirrorsIdentical = mirrorsIdentical && metric.mirrorsIdentical.value_or(true);
  // Before the metric: a reader of that can have this.
  if (record) {
    record->metric = metric;
    telemetry.record(record);
  }
  telemetry.metric(std::move(metric));
}

Trainer::State::Unreported Trainer::State::account(const StepResult& result, FinishedStep step,
                                                   std::int64_t stepWallNs) {
  examples += result.examples;
  examplesHere += result.examples;
  wallNs += stepWallNs;

  StepMetric metric;
  metric.step = steps;
  metric.epoch = static_cast<double>(examples) / static_cast<double>(input->examplesPerEpoch());
  metric.examples = result.examples;
  for (const auto& shard : result.shards) metric.shards.push_back(std::ssize(shard));
  metric.learningRate = cluster->learningRate();
  metric.bytesSent = step.bytesSent;
  metric.wallNs = stepWallNs;
  metric.clock = cluster->clock();
  metric.worker = result.worker;
  metric.staleness = result.staleness;
  if (step.noise) {
    noise.add(*step.noise);
    metric.gradientSquared = step.noise->gradientSquared;
    metric.gradientTrace = step.noise->trace;
    metric.noiseScale = noise.examples();
  }
  if (step.record) strategy->complete(*step.record);
  return {std::move(metric), std::move(step.outcome), std::move(step.record), result.doneNs};
}

EvalMetric Trainer::evaluate() {
  State& s = *state_;
  s.settle();
  EvalMetric metric = evaluateOn(s.dataset->test, evaluationSplitOf(s.config()), *s.cluster, *s.strategy);
  metric.step = s.steps;
  s.evaluatedAt = s.steps;
  s.telemetry.metric(metric);
  return metric;
}

EndMetric Trainer::finish() {
  State& s = *state_;
  s.settle();
  s.cluster->recordUnderWay();
  if (s.config().evalEvery.value_or(1) != 0 && s.evaluatedAt != s.steps) evaluate();
  if (!s.config().checkpointDir.empty() && s.checkpointedAt != s.steps) s.checkpoint();
  if (!s.config().save.empty()) {
    const TensorFile tensors = weightsToTensors(s.cluster->layout(), weights());
    if (tensorNotFinite(tensors).empty())
      writeSafetensors(s.config().save, tensors);
    else
      s.notWritten.emplace_back(s.notWritten.empty() ? say::inFile : say::andFile, File{s.config().save});
  }

  EndMetric end;
  end.steps = s.steps;
  end.seconds = static_cast<double>(s.wallNs) / 1e9;
  end.imagesPerSecond = end.seconds > 0 ? static_cast<double>(s.examplesHere) / end.seconds : 0;
  if (s.cluster->clock() == Clock::Modelled) end.modelledSeconds = static_cast<double>(s.modelledNs) / 1e9;
  if (s.strategyRow().hasCopies && s.cluster->replicas() > 1)
    end.mirrorsIdentical = s.mirrorsIdentical && (!s.strategyRow().mustAgree(s.config(), s.steps) ||
                                                  s.cluster->mirrorsIdentical().value_or(true));
  end.dataset = s.info.dataset;
  end.parameters = s.info.parameters;
  s.telemetry.metric(end);
  if (!s.notWritten.empty()) throw UserError(UserError::Kind::Run, say::diverged, s.notWritten);
  return end;
}

std::vector<float> Trainer::weights() const {
  const float* weights = state_->strategy->weightsOf(*state_->cluster, 0);
  return {weights, weights + state_->cluster->layout().size()};
}

// ---- Checkpoints

void Trainer::settle() {
  state_->settle();
}

// Gradients of an ancestor's edit may still be under way to the servers; a synchronous step leaves nothing behind.
void Trainer::State::addEdits() {
  const Lineage& lineage = info.lineage;
  for (std::size_t i = 0; i < lineage.size(); ++i) {
    const bool past = i + 1 < lineage.size();
    if (lineage[i].edit && (!past || !strategyRow().synchronous))
      cluster->addEdit(*lineage[i].edit, static_cast<int>(i), past);
  }
}

Checkpoint Trainer::saveState() const {
  state_->settle();
  return state_->save();
}
void Trainer::loadState(const Checkpoint& saved) {
  state_->load(saved);
}

Checkpoint Trainer::State::save() const {
  Checkpoint saved;
  saved.config = configToJson(config());
  saved.state = {{"step", steps},
                 {"examples", examples},
                 {"modelledNs", modelledNs},
                 {"evaluatedAt", evaluatedAt},
                 {"mirrorsIdentical", mirrorsIdentical},
                 {"noise", {noise.state().gradientSquared, noise.state().trace, noise.state().weight}},
                 {"dataset", info.dataset},
                 {"trainExamples", info.trainExamples},
                 {"input", input->save()},
                 {"clocks", cluster->save(saved.tensors)}};
  strategy->save(*cluster, saved.tensors);
  if (!mirrorsIdentical && strategyRow().hasCopies) saveDifferingCopies(*cluster, saved.tensors);
  return saved;
}

void Trainer::State::load(const Checkpoint& saved) {
  steps = saved.state.at("step").get<std::int64_t>();
  examples = saved.state.at("examples").get<std::int64_t>();
  modelledNs = saved.state.at("modelledNs").get<std::int64_t>();
  evaluatedAt = saved.state.at("evaluatedAt").get<std::int64_t>();
  mirrorsIdentical = saved.state.at("mirrorsIdentical").get<bool>();
  // Checkpoints of earlier versions have none.
  if (const auto found = saved.state.find("noise"); found != saved.state.end())
    noise.setState({found->at(0).get<double>(), found->at(1).get<double>(), found->at(2).get<double>()});
  LAB_CHECK(steps >= 0 && examples >= 0 && modelledNs >= 0);
  input->load(saved.state.at("input"));
  cluster->load(saved.state.at("clocks"), saved.tensors);
  strategy->load(*cluster, saved.tensors);
  if (strategyRow().hasCopies) loadDifferingCopies(*cluster, saved.tensors);
}

void Trainer::startFrom(const Checkpoint& parent) {
  State& s = *state_;
  const RunConfig was = configFromJson(parent.config);
  const bool sameCluster =
      was.strategy == s.config().strategy && was.replicas == s.config().replicas && was.hosts == s.config().hosts;
  if (sameCluster) {
    s.load(parent);
  } else {
    if (hasDifferingCopies(parent.tensors)) throw UserError(say::copiesDiffer, Option{"strategy"});
    Checkpoint state = parent;
    state.state["clocks"] = s.cluster->clocksAt(parent.state.at("clocks"), stepOf(parent));
    s.load(state);
  }
  s.info.firstStep = s.steps + 1;
}

void Trainer::State::checkpoint() {
  settle();
  Checkpoint state = save();
  if (!info.lineage.empty()) state.state["branches"] = lineageToJson(info.lineage);
  checkpointedAt = steps;
  if (tensorNotFinite(state.tensors).empty()) {
    writeCheckpoint(config().checkpointDir, steps, state);
  } else if (notWritten.empty()) {
    // Nobody could resume it, and those before it, which would make room for it, can be.
    notWritten.emplace_back(say::checkpointsFrom, steps);
  }
}

void Trainer::State::resume() {
  const Checkpoint saved = readNewestCheckpoint(config().checkpointDir);
  checkSameRun(saved.config, config());
  if (saved.state.value("branches", nlohmann::json::array()) != lineageToJson(info.lineage))
    throw UserError(say::otherBranch, File{config().checkpointDir});
  try {
    if (saved.state.at("dataset") != info.dataset || saved.state.at("trainExamples") != info.trainExamples)
      throw UserError(say::otherExamples, File{config().checkpointDir}, saved.state.at("dataset").get<std::string>());
    if (const std::string name = tensorNotFinite(saved.tensors); !name.empty())
      throw UserError(say::checkpointNotFinite, File{config().checkpointDir}, name);
    load(saved);
    checkpointedAt = steps;
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    // The digest was right, so somebody wrote this file by hand or another program did.
    throw UserError(say::checkpointDoesNotFit, File{config().checkpointDir}, messageOf(error));
  }
}

}  // namespace lab
