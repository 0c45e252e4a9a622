// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/beat_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/at.h"
#include "core/model/neural_network.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/playback/step_milestones.h"

namespace lab {
namespace {

using Steps = std::vector<BeatStep>;

// The TPU's five steps in order. The address comes first; the lines of the others are the run's own spans.
Steps tpuStart(const RunInfo& info, const StepRecord& record) {
  Steps steps{{tr("1. find the TPU's address"),
               {},
               tr("First the TPU's address: its name, or “local” on the machine that has it.")}};
  const QString sayings[] = {
      tr("Then a resolver for this address: it knows where the cluster is."),
      tr("Now the program connects to the cluster that the resolver has found."),
      tr("The TPU system is initialised: whatever was in its memory is wiped."),
      tr("Only now is the strategy made: it asks the TPU for the number of its cores."),
      tr("Variables are created in the strategy's scope, one copy per core."),
  };
  std::size_t i = 0;
  for (const Span& span : record.spans) {
    if (span.kind != SpanKind::Startup) continue;
    const QString line = coreText(at(info.legend.labels, span.label));
    const bool known = i < std::size(sayings);
    steps.push_back({i < 4 ? QStringLiteral("%1. %2").arg(i + 2).arg(line) : line, {}, known ? sayings[i] : line});
    ++i;
  }
  return steps;
}

Steps workersStart(const RunInfo& info) {
  const QString hosts = countText(info.hosts);
  return {
      {tr("TF_CONFIG is read: who is in the cluster, and who am I"),
       {},
       tr("Every worker runs the same program and reads from TF_CONFIG which task it is. It must be set before.")},
      {tr("worker 0 is the chief: it saves checkpoints and logs"),
       {},
       tr("No chief is named, so worker 0 is the chief: it alone keeps checkpoints and logs, and trains like the "
          "rest.")},
      info.hosts == 1
          ? BeatStep{tr("the constructor waits for nobody: one worker"),
                     {},
                     tr("The cluster has one worker, so the strategy's constructor waits for nobody.")}
          : BeatStep{tr("each constructor waits until all %1 workers are there").arg(hosts),
                     {},
                     tr("The strategy's constructor blocks until all %1 workers are there. If one never starts, all "
                        "wait forever.")
                         .arg(hosts)},
      {tr("variables are created; the chief's initial values count"),
       {},
       tr("Variables are created in the scope. The chief's initial values are broadcast, whatever seeds the others "
          "have.")},
  };
}

Steps serversStart(const RunInfo& info) {
  return {
      {tr("TF_CONFIG: chief 1, workers %1, servers %2").arg(countText(info.replicas), countText(info.parameterDevices)),
       {},
       tr("TF_CONFIG gives each task its role: one coordinator (the chief), workers, and parameter servers.")},
      {tr("workers and servers start tf.distribute.Server and wait"),
       {},
       tr("Workers and servers only start a server and wait; the training program runs only on the coordinator.")},
      {tr("the coordinator connects to all of them"),
       {},
       tr("The coordinator connects to the cluster and makes the strategy and a ClusterCoordinator.")},
      {tr("variables are created on the servers, in turn"),
       {},
       tr("Variables are created on the servers, one after the other in turn, whatever their size.")},
  };
}

// At stage 3 no device has all variables (StrategyInfo::shards).
bool areInParts(const RunInfo& info) {
  return strategyInfo(info.config.strategy).shardStage(info.config) >= StrategyInfo::kWholeNowhere;
}

BeatStep partsStep(const RunInfo& info) {
  const QString parts = countText(info.replicas);
  return {tr("variables are created, 1/%1 on each device").arg(parts),
          {},
          tr("Variables are created; then each device keeps only its own part of them, 1/%1.").arg(parts)};
}

// For strategies that TensorFlow lacks, on several hosts.
Steps hostsStart(const RunInfo& info) {
  const QString name = coreText(strategyInfo(info.config.strategy).name), hosts = countText(info.hosts);
  return {
      {tr("the strategy: %1, %2 hosts").arg(name, hosts),
       {},
       tr("TensorFlow has no such strategy: StrategyLab carries it out on %1 hosts, without a TF_CONFIG.").arg(hosts)},
      areInParts(info)
          ? partsStep(info)
          : BeatStep{tr("variables are created, one copy per device"),
                     {},
                     tr("Variables are created, one copy per device. The first replica's initial values count.")}};
}

Steps oneMachineStart(const RunInfo& info) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  const QString name = coreText(strategy.name);
  if (info.replicas == 1)
    return {{tr("the strategy: %1").arg(name), {}, tr("The strategy is there: one replica, nothing to connect to.")},
            {tr("variables are created, once"), {}, tr("Variables are created, each once.")}};
  const bool shared = strategy.variables == StrategyInfo::VariablesOn::Host;
  return {
      {tr("the strategy: %1, %2 devices").arg(name, countText(info.replicas)),
       {},
       tr("The strategy finds the devices of this machine: %1, each becomes a replica.").arg(countText(info.replicas))},
      shared ? BeatStep{tr("variables are created on CPU:0, once"),
                        {},
                        tr("Variables are created in the strategy's scope: one copy of each, on CPU:0.")}
      : areInParts(info)
          ? partsStep(info)
          : BeatStep{tr("variables are created in scope(), one per device"),
                     {},
                     tr("Variables created in the strategy's scope are mirrored: one copy per device.")}};
}

void addTracing(Steps& steps, const RunInfo& info, bool asynchronous) {
  steps.push_back(
      {tr("eager: Python runs operation by operation, up to here"),
       {},
       tr("So far Python ran eagerly, one operation after the other. Eager mode is for set-up and debugging.")});
  steps.push_back(
      {tr("first call of the step: traced once, into a graph"),
       {},
       tr("The first call of the step, a tf.function, is traced once: Python runs, and a graph is written.")});
  const QString runs = asynchronous         ? tr("From then on the graph runs, in each worker whenever it is ready.")
                       : info.replicas == 1 ? tr("From then on the graph runs, on the one device.")
                                            : tr("From then on the graph runs, all replicas at once.");
  steps.push_back({tr("from then on the graph runs, without Python"),
                   {},
                   runs + QLatin1Char(' ') + tr("(A note: StrategyLab traces nothing; its step is compiled.)")});
}

QString policyDetail(const RunInfo& info) {
  switch (info.split.policy) {
    case AutoShard::File:
      return tr("FILE: each worker reads its own files");
    case AutoShard::Off:
      return tr("OFF: every worker gets all the data");
    default:
      return tr("DATA: each keeps one part in %1").arg(countText(info.hosts));
  }
}

BeatStep cacheStep(const RunInfo& info, const StepRecord& record) {
  // The steps of an epoch are all workers' together, so at its end perhaps no worker has read all images.
  if (record.metric.worker && info.replicas > 1)
    return {tr("cache"), tr("each worker fills its own"),
            tr("cache(): every worker has its own and fills it by its own reading; it is full once that worker has "
               "read all %1 images.")
                .arg(countText(info.trainExamples))};
  const std::int64_t epoch = epochOf(info, record);
  if (epoch == 1)
    return {tr("cache"), tr("epoch 1: it is filled"),
            tr("cache(): the first epoch fills it with scaled images; later epochs read them from it.")};
  return {tr("cache"), tr("epoch %1: read from it").arg(countText(epoch)),
          tr("cache(): this is epoch %1, the scaled images are read from it.").arg(countText(epoch))};
}

BeatStep shardStep(const RunInfo& info) {
  QString saying;
  switch (info.split.policy) {
    case AutoShard::File:
      saying = tr("Auto-shard by FILE comes first in the pipeline, so each worker reads other files.");
      break;
    case AutoShard::Off:
      saying = tr("Auto-shard is OFF: every worker's pipeline gives all the data.");
      break;
    default:
      saying = tr("Auto-shard, by DATA: every worker runs all of the pipeline and keeps its own part of each batch.");
  }
  return {tr("auto-shard"), policyDetail(info), saying};
}

}  // namespace

std::vector<BeatStep> startUpSteps(const RunInfo& info, const StepRecord& record) {
  if (record.metric.step != 1 || info.legend.endpoints.empty()) return {};
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  Steps steps = hasStartupSequence(record)                                 ? tpuStart(info, record)
                : strategy.variables == StrategyInfo::VariablesOn::Servers ? serversStart(info)
                : readsTaskConfig(info)                                    ? workersStart(info)
                : info.hosts > 1                                           ? hostsStart(info)
                                                                           : oneMachineStart(info);
  addTracing(steps, info, record.metric.worker.has_value());
  return steps;
}

bool readsTaskConfig(const RunInfo& info) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  // TensorFlow's own strategy for several machines reads it even on one.
  return strategy.severalMachines && (!strategy.beyondTensorFlow || (info.hosts > 1 && !info.processes.empty()));
}

std::vector<BeatStep> inputSteps(const RunInfo& info, const StepRecord& record) {
  const ResolvedSettings& config = info.config;
  const bool asynchronous = record.metric.worker.has_value();
  const std::int64_t count = info.trainExamples, buffer = std::min(config.shuffleBuffer, count);
  const std::int64_t batch = config.examplesPerStep();
  QStringList extents;  // height and width; for colour images also the channels
  const std::vector<std::int64_t> input = info.network != nullptr ? info.network->input() : std::vector<std::int64_t>{};
  for (std::size_t i = 0; i < input.size(); ++i)
    if (i < 2 || input[i] > 1) extents << QString::number(input[i]);
  Steps steps;
  steps.push_back({tr("read"), tr("%1 images, bytes 0–255").arg(countText(count)),
                   tr("The input pipeline: %1 images of %2, each of %3 bytes from 0 to 255.")
                       .arg(countText(count), datasetName(info), extents.join(QStringLiteral(" × ")))});
  if (info.hosts > 1 && !asynchronous && info.split.policy == AutoShard::File) steps.push_back(shardStep(info));
  steps.push_back({tr("scale"), tr("÷ 255: from 0 to 1"),
                   tr("Scaled: every pixel is divided by 255, so that it lies from 0 to 1.")});
  steps.push_back(cacheStep(info, record));
  if (buffer > 1)
    steps.push_back(
        {tr("shuffle"), tr("a buffer of %1").arg(countText(buffer)),
         buffer < count
             ? tr("shuffle(%1): each draw takes one of %2 waiting images; the next of the rest takes its place.")
                   .arg(countText(config.shuffleBuffer), countText(buffer))
             : tr("shuffle(%1): the buffer holds all %2 images, so every order is equally likely.")
                   .arg(countText(config.shuffleBuffer), countText(buffer))});
  else
    steps.push_back(
        {tr("no shuffle"), tr("in the data's order"), tr("No shuffle: the images come in the data's order.")});
  steps.push_back(
      {tr("batch"), tr("%1 images").arg(countText(batch)),
       asynchronous
           ? tr("batch(%1): for one worker's step. Every worker has its own pipeline like this.").arg(countText(batch))
           : tr("batch(%1): these are the images that were drawn first in this epoch.").arg(countText(batch))});
  if (info.hosts > 1 && !asynchronous && info.split.policy != AutoShard::File) steps.push_back(shardStep(info));
  return steps;
}

std::vector<BeatStep> stepsOf(BeatKind kind, const RunInfo& info, const StepRecord& record) {
  if (kind == BeatKind::Startup) return startUpSteps(info, record);
  if (kind == BeatKind::Input) return inputSteps(info, record);
  if (kind == BeatKind::Losses) return std::vector<BeatStep>(2);  // each replica's loss, then their sum
  return {};
}

std::size_t stepAt(std::size_t steps, double part) {
  if (steps == 0) return 0;
  const double at = std::clamp(part, 0.0, 1.0) * static_cast<double>(steps);
  return std::min(steps - 1, static_cast<std::size_t>(at));
}

QString sayingAt(const std::vector<BeatStep>& steps, double part) {
  return steps.empty() ? QString() : steps[stepAt(steps.size(), part)].saying;
}

bool beginsEpoch(const RunInfo& info, const StepRecord& record) {
  return info.stepsPerEpoch > 0 && info.trainExamples > 0 && (record.metric.step - 1) % info.stepsPerEpoch == 0;
}

bool endsEpoch(const RunInfo& info, const StepRecord& record) {
  return !record.metric.aborted && info.stepsPerEpoch > 1 && record.metric.step > 0 &&
         record.metric.step % info.stepsPerEpoch == 0;
}

bool isEvaluated(const RunInfo& info, const StepRecord& record) {
  const std::int64_t every = info.evalEvery();
  if (every <= 0 || record.metric.step <= 0 || record.metric.aborted) return false;
  return record.metric.step % every == 0 || record.metric.step == info.totalSteps;
}

std::int64_t epochOf(const RunInfo& info, const StepRecord& record) {
  return info.stepsPerEpoch > 0 ? (record.metric.step - 1) / info.stepsPerEpoch + 1 : 1;
}

namespace {

// Returns the whole number that all factors are, up to rounding; 0 if they differ, or are no whole number.
std::int64_t wholeFactor(const std::vector<double>& factors) {
  if (factors.empty()) return 0;
  const double whole = std::round(factors.front());
  const bool isSame = std::ranges::all_of(factors, [whole](double factor) { return std::abs(factor - whole) < 1e-6; });
  return isSame ? static_cast<std::int64_t>(whole) : 0;
}

}  // namespace

LossParts lossParts(const RunInfo& info, const StepRecord& record) {
  LossParts losses;
  std::vector<double> factors;  // of the replicas that count: how much larger their wrong part is
  const bool loop = info.config.lossReduction == LossReduction::Loop;
  losses.used = record.taking() - std::ssize(record.metric.leftOut);
  const auto replicas = static_cast<double>(losses.used);
  losses.batch =
      record.metric.worker ? record.metric.examples : info.config.examplesPerStep() - record.metric.dropped();
  for (std::size_t r = 0; r < record.replicas.size(); ++r) {
    const ReplicaStep& replica = record.replicas[r];
    double sum = 0;
    for (const float loss : replica.losses) sum += static_cast<double>(loss);
    double divisor = loop ? static_cast<double>(losses.batch) : static_cast<double>(replica.losses.size()) * replicas;
    if (info.isClass) divisor = replica.vote > 0 ? 1 / replica.vote : 0;  // it may have done two shares
    const bool isUsed = divisor > 0 && !record.metric.leavesOut(static_cast<int>(r));
    losses.sums.push_back(sum);
    losses.parts.push_back(isUsed ? sum / divisor : 0);
    losses.sum += losses.parts.back();
    const auto images = static_cast<double>(replica.losses.size());
    losses.wrongParts.push_back(isUsed && images > 0 ? sum / images : 0);
    losses.wrongSum += losses.wrongParts.back();
    if (isUsed && images > 0) factors.push_back(divisor / images);
  }
  losses.timesTooLarge = wholeFactor(factors);
  losses.reported = record.metric.loss;
  losses.isReported = lossNumber(losses.sum) == lossNumber(losses.reported);
  return losses;
}

namespace {

constexpr int kLossDigits = 4, kMostLossDigits = 6;

}  // namespace

QString lossNumber(double value) {
  return lossText(value, kLossDigits);
}

WrittenSum writtenSum(const std::vector<double>& terms) {
  const double sum = std::reduce(terms.begin(), terms.end());
  int digits = kLossDigits;
  const auto addsUp = [&] {
    const double unit = std::pow(10.0, digits);
    double rounded = 0;
    for (const double term : terms) rounded += std::round(term * unit);
    return rounded == std::round(sum * unit);
  };
  while (digits < kMostLossDigits && !addsUp()) ++digits;
  WrittenSum written;
  written.addsUp = addsUp();
  if (!written.addsUp) digits = kLossDigits;
  for (const double term : terms) written.terms << numberText(term, 'f', digits);
  written.total = numberText(sum, 'f', digits);
  return written;
}

QString WrittenSum::equals() const {
  return addsUp ? QStringLiteral(" = ") : QStringLiteral(" ≈ ");
}

QString WrittenSum::whole() const {
  return addsUp ? total : tr("%1 (the terms are rounded)").arg(total);
}

}  // namespace lab
