// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/trainer.h"

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/device/device_clock.h"
#include "core/keras/keras_file.h"
#include "core/options/derived_settings.h"
#include "core/options/learning_rate.h"
#include "core/options/messages.h"
#include "core/options/network_of.h"
#include "core/options/own_pictures.h"
#include "core/strategy/strategy.h"
#include "core/training/branches.h"
#include "core/training/build.h"
#include "core/training/checkpoint.h"
#include "core/training/evaluation.h"
#include "core/training/messages.h"
#include "core/training/process_role.h"
#include "core/training/trainer_state.h"
#include "core/training/training_input.h"

namespace lab {
namespace {

// Keras too allows more outputs than classes.
void requireOutputs(const SettingsBase& config, const Dataset& dataset) {
  const std::int64_t outputs = networkOf(config)->classes(), classes = dataset.classes();
  if (outputs < classes)
    throw UserError(say::tooFewOutputs, Option{"network"}, config.network, outputs,
                    config.dataDir.empty() ? dataset.name : config.dataDir, classes);
}

// Describes replicas, devices, links, variable shards and split; the configuration is already in `info`.
void describeCluster(RunInfo& info, Cluster& cluster) {
  const Topology& topology = cluster.topology();
  const TopologySettings& hardware = topology.settings();
  info.replicas = topology.replicas();
  info.parameterDevices = cluster.parameterDevices();
  info.hosts = topology.hosts();
  const auto facts = [&](const DeviceModel& model) {
    return DeviceFacts{hardware.measured ? processorName() : model.name, !hardware.measured, 1,
                       hardware.measured ? 0 : model.launchOverheadUs, hardware.measured ? 0 : 1e9 * model.memoryGb};
  };
  info.devices.assign(static_cast<std::size_t>(topology.endpoints()), facts(hardware.hostProcessor));
  for (int r = 0; r < info.replicas; ++r) {
    DeviceFacts& replica = at(info.devices, r);
    replica = facts(hardware.device);
    if (hardware.measured) replica.hardware = topology.hardwareOf(r);
    replica.slowdown = cluster.replica(r).slowdown();
  }
  // Simulated devices count as what they simulate.
  const bool isProcessor = hardware.measured ? !areOnGpus(info.config) : hardware.device.isProcessor();
  const bool isTpu = !hardware.measured && hardware.device.standsInTorus();
  info.deviceType = isProcessor ? "CPU" : isTpu ? "TPU" : "GPU";
  const std::vector<Topology::TrackLink> links = topology.linksOfTracks();
  for (std::size_t track = 0; track < links.size(); ++track) {
    LinkFacts link;
    const auto& [model, from, to] = links[track];
    if (model != nullptr) link = {{say::verbatim, model->name}, model->effectiveGbPerSec, model->latencyUs};
    for (const auto& [worker, factor] : info.config.slowLink)
      if (model != nullptr && (from == worker || to == worker)) link.gbPerSec /= std::max(1.0, factor);
    if (model == nullptr && info.legend.tracks[track].isLink) link.name = topology.linkNameOf(static_cast<int>(track));
    info.links.push_back(link);
  }
  info.processes = processFacts(info.config);
  for (int i = 0; i < info.parameterDevices; ++i) {
    info.variableShards.push_back(cluster.parameterDevice(i).parts());
    info.movingShards.push_back(cluster.parameterDevice(i).moving());
  }
  if (strategyInfo(info.config.strategy).synchronous) info.split = resolveSplit(splitOf(info.config));
}

}  // namespace

std::shared_ptr<const Dataset> openDataset(const SettingsBase& config, Telemetry* telemetry) {
  const auto progress = [telemetry](std::int64_t done, std::int64_t total) {
    if (telemetry != nullptr) telemetry->preparing({Preparation::Part::Data, total > 0 ? done : 0, total});
  };
  std::array<std::int64_t, 3> pictures{32, 32, 3};
  if (takesOwnPictures(config)) std::ranges::copy(networkOf(config)->input(), pictures.begin());
  auto whole = loadDataset(config.dataset, config.dataDir, progress, pictures);
  // Only resolve() gives the program's own networks their outputs, and these settings may be unresolved.
  if (!isNetworkName(config.network)) requireOutputs(config, *whole);
  return firstExamples(std::move(whole), config.trainExamples, config.testExamples);
}

namespace {

void writeWeights(const ResolvedSettings& config, const NeuralNetwork& network, const TensorFile& tensors) {
  if (isKerasFile(config.save))
    writeKerasFile(config.save, network, tensors, {config.optimizer, config.learningRate, config.momentum});
  else
    writeSafetensors(config.save, tensors);
}

}  // namespace

Trainer::Trainer(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry,
                 const Lineage& lineage)
    : state_(new State{.telemetry = telemetry}) {
  State& s = *state_;
  s.dataset = std::move(dataset);
  s.info.config = config;
  const ResolvedSettings& resolved = s.config();
  const StrategyInfo& info = s.strategyRow();
  checkLineage(lineage, resolved);
  requireOutputs(resolved, *s.dataset);
  s.info.lineage = lineage;

  // Checks now, before a long run, that outputs can be written at its end.
  const bool writes = isReporter(resolved);
  if (!resolved.save.empty() && writes) checkWritable(resolved.save);
  if (!resolved.checkpointDir.empty() && !resolved.resume && writes) makeCheckpointFolder(resolved.checkpointDir);
  // Reads the user's initial weights before anything is allocated. If there are several processes, the first one's
  // weights are broadcast, and no other process needs the file.
  ResolvedSettings weightsOf = resolved;
  if (!writes) weightsOf.init.clear();
  const std::vector<float> initial = initialWeights(weightsOf);

  std::vector<float> statistics = initialStatistics(weightsOf);

  s.make(clusterSettings(resolved, lineage), initial);
  if (!statistics.empty()) {
    s.cluster->group().shareFromFirst(statistics);
    s.cluster->movingStatistics().set(statistics);
  }

  s.info.data = s.dataset;
  if (!resolved.checkpointDir.empty()) s.examplesDigest = trainDigestOf(s.dataset);
  s.info.dataset = s.dataset->name;
  s.info.datasetSource = s.dataset->source;
  s.info.trainExamples = s.dataset->train.count;
  s.info.testExamples = s.dataset->test.count;
  s.info.network = s.cluster->settings().network;
  s.info.parameters = s.cluster->layout().size();
  s.info.stepsPerEpoch = s.input->stepsPerEpoch();
  s.info.examplesPerEpoch = s.input->examplesPerEpoch();
  s.info.totalSteps = resolved.totalSteps(s.info.stepsPerEpoch);
  s.info.reducer =
      info.reducers.empty() || resolved.replicas == 1 ? "" : std::string(toString(reducerInForce(resolved)));
  s.info.clock = s.cluster->clock();
  s.info.legend = s.cluster->topology().legend();
  describeCluster(s.info, *s.cluster);
  s.addEdits();
  if (resolved.resume) withFiles(resolved, 0, [&] { s.resume(); });
  s.info.firstStep = s.steps + 1;
}

Trainer::~Trainer() = default;

void Trainer::State::make(const ClusterSettings& settings, const std::vector<float>& initialWeights) {
  ResolvedSettings made = config();
  made.reducer = reducerInForce(config());
  cluster = std::make_unique<Cluster>(settings, dataset, telemetry);
  strategy = strategyRow().make(made);
  input = std::make_unique<TrainingInput>(config(), *cluster, dataset->train,
                                          TrainingInput::prefetches(config(), *cluster));
  telemetry.preparing({Preparation::Part::Weights});
  cluster->beginStep(0, 0);
  strategy->prepare(*cluster, initialWeights);
  (void)cluster->endStep();
}

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
  return state_->aborted || state_->steps >= state_->info.totalSteps;
}
Cluster& Trainer::cluster() {
  state_->reacquire();
  return *state_->cluster;
}

void Trainer::step() {
  State& s = *state_;
  LAB_CHECK(!finished());
  s.reacquire();
  const std::int64_t beganNs = steadyNs();
  ++s.steps;
  s.cluster->beginStep(s.steps, learningRateAt(s.config(), s.steps, s.info.stepsPerEpoch));
  StepResult result;
  FinishedStep finished = [&] {
    try {
      result = s.strategy->step(*s.cluster, *s.input);
      return s.cluster->endStep();
    } catch (const TaskLost&) {
      s.aborted = true;
      FinishedStep given = s.cluster->endAbortedStep();
      result = s.abortedResult();
      return given;
    }
  }();
  s.settle(true);  // the previous step
  const std::int64_t tookNs = steadyNs() - beganNs - finished.recordingNs;
  s.unreported = s.account(result, std::move(finished), tookNs);
  if (s.unreported->outcome.isKnown()) s.settle();

  if (s.aborted) return;
  const std::int64_t evalEvery = s.info.evalEvery();
  if (evalEvery > 0 && s.steps % evalEvery == 0) evaluate();
  const std::int64_t checkpointEvery = s.info.checkpointEvery();
  if (!s.config().checkpointDir.empty() && s.steps % checkpointEvery == 0) s.checkpoint();
}

// Completes and reports the metric of the last step, if this has not been done yet.
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
  metric.copiesShared = cluster->settings().sharesCopies;
  metric.stepNs = gave.times.stepNs;
  metric.computeNs = gave.times.computeNs;
  metric.communicationNs = gave.times.communicationNs;
  metric.inputNs = gave.times.inputNs;
  metric.queueNs = gave.times.queueNs;
  metric.stragglerNs = gave.times.stragglerNs;
  metric.launchNs = gave.times.launchNs;
  metric.faultNs = gave.times.faultNs;
  metric.overlappedNs = gave.times.overlappedNs;
  // Asynchronous updates overlap: the elapsed time on the clock is the time when the last update was applied, and
  // images per second count all workers' images so far over this time.
  modelledNs = metric.worker ? std::max(modelledNs, doneNs) : modelledNs + metric.stepNs;
  if (metric.worker && metric.aborted) modelledNs += metric.stepNs;
  const bool overlap = metric.worker && metric.clock == TimeSource::Modelled;
  const std::int64_t ns = overlap ? modelledNs : metric.stepNs;
  const double images = static_cast<double>(overlap ? examples : metric.examples);
  metric.imagesPerSecond = ns > 0 ? images * 1e9 / static_cast<double>(ns) : 0;
  mirrorsIdentical = mirrorsIdentical && metric.mirrorsIdentical.value_or(true);
  // Before the metric, so that a reader of the metric can already have the record.
  if (record) {
    record->metric = metric;
    telemetry.record(record);
  }
  telemetry.metric(std::move(metric));
}

// Returns what was computed in a step that was given up: the whole batch, because a dying worker dies as it sends its
// gradients.
StepResult Trainer::State::abortedResult() {
  StepResult result;
  const bool synchronous = strategyRow().synchronous;
  for (int r = 0; r < cluster->replicas(); ++r) {
    if (!synchronous && r != cluster->workers().lastWorker()) continue;
    result.shards.push_back(cluster->replica(r).shard());
    result.examples += std::ssize(result.shards.back());
  }
  if (synchronous) return result;
  result.worker = cluster->workers().lastWorker();
  result.staleness = 0;
  result.doneNs = modelledNs;
  return result;
}

Trainer::State::Unreported Trainer::State::account(const StepResult& result, FinishedStep step,
                                                   std::int64_t stepWallNs) {
  StepMetric metric;
  metric.step = steps;
  metric.examples = result.examples;
  for (const auto& shard : result.shards) metric.shards.push_back(std::ssize(shard));
  metric.leftOut = std::move(step.leftOut);
  metric.examples -= metric.dropped();
  if (!aborted) {
    examples += metric.examples;
    distributed += metric.distributed();
  }
  examplesHere += metric.examples;
  wallNs += stepWallNs;
  // An epoch is over when its images have been handed out, whether or not every replica's share was used.
  metric.epoch = static_cast<double>(distributed) / static_cast<double>(input->examplesPerEpoch());
  metric.learningRate = cluster->learningRate();
  metric.bytesSent = step.bytesSent;
  metric.wallNs = stepWallNs;
  metric.clock = cluster->clock();
  metric.aborted = aborted;
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
  s.reacquire();
  s.settle();
  EvalMetric metric = evaluateOn(s.dataset->test, evaluationSplitOf(s.config()), *s.cluster, *s.strategy);
  metric.step = s.steps;
  s.evaluatedAt = s.steps;
  s.telemetry.metric(metric);
  return metric;
}

EndMetric Trainer::finish() {
  State& s = *state_;
  s.reacquire();
  s.settle();
  s.cluster->workers().recordUnderWay();
  if (!s.aborted && s.info.evalEvery() != 0 && s.evaluatedAt != s.steps) evaluate();
  if (!s.aborted && !s.config().checkpointDir.empty() && s.checkpointedAt != s.steps) s.checkpoint();
  // All processes together make a mean of the copies or a whole of the parts; only the first process knows whether it
  // is saved.
  const StrategyInfo& row = s.strategyRow();
  const bool reports = isReporter(s.config());
  const bool together =
      row.own == StrategyInfo::Own::Weights || row.shardStage(s.config()) >= StrategyInfo::kWholeNowhere;
  const bool asked = !s.config().save.empty(), saves = together ? agreed(s.config(), asked) : asked && reports;
  if (saves && !reports) (void)s.strategy->weightsOf(*s.cluster, 0);
  if (saves && reports) {
    TensorFile tensors = weightsToTensors(s.cluster->layout(), weights());
    tensors.tensors.merge(
        weightsToTensors(s.info.network->statistics(), s.cluster->movingStatistics().values()).tensors);
    if (tensorNotFinite(tensors).empty())
      withFiles(s.config(), s.steps, [&] { writeWeights(s.config(), *s.info.network, tensors); });
    else
      s.notWritten.emplace_back(s.notWritten.empty() ? say::inFile : say::andFile, File{s.config().save});
  }

  EndMetric end;
  end.steps = s.steps;
  end.seconds = static_cast<double>(s.wallNs) / 1e9;
  end.imagesPerSecond = end.seconds > 0 ? static_cast<double>(s.examplesHere) / end.seconds : 0;
  if (s.cluster->clock() == TimeSource::Modelled) end.modelledSeconds = static_cast<double>(s.modelledNs) / 1e9;
  end.copiesShared = s.cluster->settings().sharesCopies;
  // If copies need not be equal now, says nothing about them, unless they once had to be and were not.
  if (s.strategyRow().mustAgree(s.config(), s.steps) && !end.copiesShared)
    end.mirrorsIdentical = s.mirrorsIdentical && s.cluster->copies().areIdentical().value_or(true);
  else if (!s.mirrorsIdentical)
    end.mirrorsIdentical = false;
  end.dataset = s.info.dataset;
  end.parameters = s.info.parameters;
  end.memory = s.peakMemory();
  s.telemetry.metric(end);
  if (!s.notWritten.empty()) throw UserError(UserError::Kind::Run, say::diverged, s.notWritten);
  return end;
}

std::vector<float> Trainer::weights() const {
  state_->reacquire();
  const float* weights = state_->strategy->weightsOf(*state_->cluster, 0);
  return {weights, weights + state_->cluster->layout().size()};
}

}  // namespace lab
