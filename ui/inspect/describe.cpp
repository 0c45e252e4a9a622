// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/describe.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/base/bit_digest.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/class_words.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describer.h"
#include "ui/painting/digit_images.h"
#include "ui/playback/captions.h"
#include "ui/playback/fault_captions.h"
#include "ui/step/layer_words.h"

namespace lab {
namespace {

QString checksumText(std::uint64_t digest) {
  return QStringLiteral("%1").arg(digest, 16, 16, QLatin1Char('0'));
}

// How several replicas' copies of the weights are handled.
QString copiesNote(const RunInfo& info) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  const std::int64_t round = strategy.round(info.config);
  const char* const moment = round == 1 ? "copies.always" : "copies";
  if (const QString own = strategyWords(info.config.strategy, moment, countText(round)); !own.isEmpty()) return own;
  if (!strategy.keepsCopies(info.config))
    return tr("This replica keeps 1/%1 of the weights, which it alone updates. The others' parts come before each "
              "pass and are freed after it.")
        .arg(countText(info.replicas));
  if (strategy.shardStage(info.config) > 0)
    return tr("Every replica has all weights. It updates only its own part of them, 1/%1, and gets the other parts "
              "from the replicas that update those.")
        .arg(countText(info.replicas));
  return tr("A mirrored variable: every replica has its own copy and applies the same update to it.");
}

}  // namespace

QString describeNumber(double value) {
  return numberText(value, 'g', 4).replace(QLatin1Char('-'), QChar(0x2212));
}

Describer::Describer(const StepIndex& step, const Story& story, double seconds, const EvalMetric* evaluation)
    : step_(step),
      record_(step.record()),
      info_(step.info()),
      story_(story),
      seconds_(seconds),
      ns_(story.clockAt(seconds)),
      evaluation_(evaluation) {}

void Describer::row(const QString& name, const QString& value) {
  text_.rows.push_back({.name = name, .value = value});
}

QString Describer::kindOfTime() const {
  return info_.clock == TimeSource::Modelled ? tr("modelled") : tr("measured");
}

QString Describer::nameOf(int endpoint) const {
  return isEndpoint(endpoint) ? endpointName(info_, endpoint) : QStringLiteral("–");
}

// True for a worker that has left its class, or has not joined yet: the step has no data about it.
bool Describer::isAway(int endpoint) const {
  const auto found = std::ranges::find(record_.absent, endpoint, &Absence::replica);
  return isReplica(endpoint) && found != record_.absent.end() && found->why != Absence::Why::NoPart;
}

Description Describer::of(const Object& object) {
  if (object.kind != Object::Kind::Device && object.kind != Object::Kind::Loss && isAway(object.endpoint)) {
    text_.title = nameOf(object.endpoint);
    text_.subtitle = absenceWords(record_, object.endpoint);
    return std::move(text_);
  }
  fill(object);
  if (object && text_.title.isEmpty()) {
    text_.title = tr("Not in this step");
    text_.note = tr("The selected object does not occur in the shown step. It appears again with a step that has it.");
  }
  return std::move(text_);
}

void Describer::fill(const Object& object) {
  using Kind = Object::Kind;
  switch (object.kind) {
    case Kind::Digit:
      digit(object);
      break;
    case Kind::Gradient:
      gradient(object);
      break;
    case Kind::Transfer:
      transfer(object);
      break;
    case Kind::Weights:
      weights(object);
      break;
    case Kind::Layer:
      layer(object);
      break;
    case Kind::Device:
      device(object);
      break;
    case Kind::Link:
      link(object);
      break;
    case Kind::VariableShard:
      shard(object);
      break;
    case Kind::Queue:
      queue();
      break;
    case Kind::Host:
      host(object);
      break;
    case Kind::Pipeline:
      pipeline(object);
      break;
    case Kind::Loss:
      loss(object);
      break;
    case Kind::Evaluation:
      evaluation();
      break;
    case Kind::EpochMean:
      epochMean();
      break;
    case Kind::Unit:
      unit(object);
      break;
    case Kind::None:
      break;
  }
}

void Describer::digit(const Object& object) {
  if (!isReplica(object.endpoint)) return;
  const bool past = step_.isPast(object.endpoint, ns_);
  const ReplicaStep& replica = past ? *step_.batchOf(object.endpoint, ns_) : at(record_.replicas, object.endpoint);
  if (object.index < 0 || object.index >= std::ssize(replica.shard)) return;
  const auto at = static_cast<std::size_t>(object.index);
  const std::int64_t example = replica.shard[at];
  const Examples& train = info_.data->train;
  if (example < 0 || example >= train.count) return;
  const int label = lab::at(train.labels, example);
  const bool computed = (past || step_.hasLoss(object.endpoint, ns_)) && at < replica.predictions.size();
  text_.title = tr("Training image %1").arg(countText(example));
  text_.subtitle = tr("of %1, %2").arg(datasetName(info_), nameOf(object.endpoint));
  text_.digit = exampleImage(train, example);
  row(tr("Label"), classWords(*info_.data, label));
  const QString notYet = tr("not computed yet");
  const auto predicted = [&] { return classWords(*info_.data, replica.predictions[at]); };
  row(tr("Prediction"), !computed                          ? notYet
                        : replica.predictions[at] == label ? tr("%1, right").arg(predicted())
                                                           : tr("%1, wrong").arg(predicted()));
  row(tr("Its loss"), computed ? describeNumber(static_cast<double>(replica.losses[at])) : notYet);
  row(tr("Place"),
      tr("%1 of %2 on %3")
          .arg(countText(object.index + 1), countText(std::ssize(replica.shard)), nameOf(object.endpoint)));
  if (!step_.asynchronous()) vote(object.endpoint);
  text_.note = splitRule(info_, record_, object.endpoint);
  if (past)
    text_.note += QLatin1Char(' ') + tr("Its gradients have been applied; the next batch comes with the next weights.");
}

// The image's weight in the sum of all gradients, compared with its weight in equal shares.
void Describer::vote(int replica) {
  const double vote = step_.vote(replica);
  if (vote <= 0) return;
  const QString share = QStringLiteral("1/%1").arg(countText(std::llround(1 / vote)));
  row(tr("Counts in the gradient"),
      step_.votesDiffer() ? tr("%1; in equal shares it would be 1/%2").arg(share, countText(record_.metric.examples))
                          : share);
}

bool Describer::isApplied() const {
  const Beat* apply = story_.find(BeatKind::Apply);
  return apply != nullptr && seconds_ >= apply->motionS;
}

// The same version as the badge on the stage shows.
std::int64_t Describer::versionOf(int endpoint) const {
  return step_.versionOf(endpoint, ns_, isApplied());
}

bool Describer::hasBegun(const Span& span) const {
  return span.startNs <= ns_ && (span.step != record_.metric.step || story_.isUnderWay(seconds_));
}

void Describer::serverWeights(int server, bool isDead) {
  const auto& shard = at(info_.variableShards, server - info_.replicas);
  std::int64_t elements = 0;
  for (const VariablePart& part : shard) elements += part.count;
  row(tr("Values"), countText(elements));
  row(tr("Bytes"), bytesText(4 * elements));
  if (!record_.weightsAfter.empty())
    row((info_.parameterDevices > 1 ? tr("Checksum of all servers after step %1") : tr("Checksum after step %1"))
            .arg(countText(record_.metric.step)),
        checksumText(bitDigest(record_.weightsAfter)));
  if (!isDead) text_.note = tr("The only copy: every device that needs these weights pulls them from here.");
}

void Describer::weights(const Object& object) {
  const int endpoint = object.endpoint;
  if (!isReplica(endpoint) && !isServer(endpoint)) return;
  text_.title = tr("Weights of %1").arg(nameOf(endpoint));
  const std::int64_t version = versionOf(endpoint);
  row(tr("Version now"),
      version < 0 ? tr("none yet") : tr("%1: after %Ln updates", nullptr, plural(version)).arg(weightsName(version)));
  const bool isDead = addDeath(deadTaskOf(info_, record_, endpoint, ns_));
  if (isServer(endpoint)) return serverWeights(endpoint, isDead);
  const ReplicaStep& replica = at(record_.replicas, endpoint);
  row(tr("Values"), countText(info_.parameters));
  if (isDead) return;
  if (step_.isPast(endpoint, ns_)) {
    text_.note =
        tr("The worker computed its last batch with these weights, and keeps them until it pulls the next ones.");
    return;
  }
  if (replica.weightsDigest == 0 || version < 0) {
    text_.note = tr("This replica has no copy of its own yet.");
    return;
  }
  const StrategyInfo& strategy = strategyInfo(info_.config.strategy);
  if (strategy.hasCopies && !strategy.keepsCopies(info_.config) && info_.replicas > 1) {
    text_.note = copiesNote(info_);
    return;
  }
  if (record_.metric.aborted && !step_.asynchronous()) {
    text_.note = tr("The step was given up before any update: this copy is still as it was when the step began.");
    return;
  }
  row(tr("Checksum after step %1").arg(countText(record_.metric.step)), checksumText(replica.weightsDigest));
  row(tr("Learning rate of step %1").arg(countText(record_.metric.step)), describeNumber(record_.metric.learningRate));
  if (record_.metric.copiesShared) {
    text_.note = tr("This program keeps one copy of the variables for all %1 replicas. On real devices each would have "
                    "its own, equal to this one.")
                     .arg(countText(info_.replicas));
    movingStatistics(endpoint);
    return;
  }
  const bool servers = info_.parameterDevices > 0;
  row(strategy.variables == StrategyInfo::VariablesOn::Host && servers ? tr("Distance to the copy on CPU:0")
      : servers                                                        ? tr("Distance to the servers' copy")
                                                                       : tr("Distance to the first copy"),
      replica.weightsDistance == 0 ? tr("0: the same bits") : describeNumber(replica.weightsDistance));
  if (step_.asynchronous() && version >= 0)
    row(tr("Behind the servers by"), countText(step_.staleness(endpoint, ns_, isApplied())));
  if (!strategyInfo(info_.config.strategy).hasCopies || info_.replicas < 2 || info_.isClass) return;
  const bool all = std::ranges::all_of(record_.replicas, [&](const ReplicaStep& other) {
    return other.weightsDigest == record_.replicas[0].weightsDigest;
  });
  row(info_.replicas == 2 ? tr("Both copies after the step")
                          : tr("All %1 copies after the step").arg(countText(info_.replicas)),
      all ? tr("identical, bit by bit") : tr("they differ"));
  text_.note = copiesNote(info_);
  movingStatistics(endpoint);
}

void Describer::layer(const Object& object) {
  if (!isReplica(object.endpoint)) return;
  const NeuralNetwork& network = *info_.network;
  for (const NetworkLayer& layer : network.layers()) {
    if (layer.forward < 0 || (object.index != layer.forward && object.index != layer.backward)) continue;
    text_.title = layerWords(network, layer).full;
    text_.subtitle = tr("on %1").arg(nameOf(object.endpoint));
    row(tr("Parameters"), countText(layer.parameters));
    for (const int each : {layer.forward, layer.backward}) {
      const Span* found = nullptr;
      for (const Span* span : step_.track(object.endpoint))
        if (span->kind == SpanKind::Compute && operationOf(span->label) == each) found = span;
      const QString name = each == layer.forward ? tr("Forward") : tr("Backward");
      if (found == nullptr) {
        row(name, tr("in another step's time"));
        continue;
      }
      const QString state = !hasBegun(*found) ? tr("to come") : isOver(*found) ? tr("done") : tr("now");
      row(name, record_.timesKnown ? tr("%1 %2, %3").arg(durationText(found->durationNs), kindOfTime(), state) : state);
    }
    const auto images = std::ssize(at(record_.replicas, object.endpoint).shard);
    const auto flop = [&](int operation) { return at(network.operations(), operation).cost(images).flop; };
    row(tr("Arithmetic, on paper"), tr("%1 operations for %Ln images", nullptr, plural(images))
                                        .arg(countText(std::llround(flop(layer.forward) + flop(layer.backward)))));
    text_.note = tr("On paper, forwards and backwards: a multiplication and an addition count as two.");
    // Counts a dense convolution, like NeuralNetwork::addProduct().
    if (layer.kind == NetworkLayer::Kind::Conv2D)
      text_.note += QLatin1Char(' ') + tr("Backwards, kernels may leave out what is zero, such as three of four "
                                          "gradients behind max pooling.");
    if (layer.kind == NetworkLayer::Kind::BatchNorm) batchNorm(layer, object.endpoint);
  }
}

// Names the unit and what computes it; its values are those for the image on the stage.
void Describer::unit(const Object& object) {
  if (!isReplica(object.endpoint) || object.index < 0) return;
  const auto [index, channel] = LayerUnit::of(object);
  const std::vector<NetworkLayer>& layers = info_.network->layers();
  if (index >= layers.size() || channel >= layers[index].output.back()) return;
  const NetworkLayer& layer = layers[index];
  const bool isMap = layer.output.size() == 3;
  text_.title = (isMap ? tr("Feature map %1") : tr("Unit %1")).arg(channel + 1);
  text_.subtitle = tr("%1, on %2").arg(layerWords(*info_.network, layer).full, nameOf(object.endpoint));
  if (isMap) row(tr("Size"), QStringLiteral("%1×%2").arg(layer.output[0]).arg(layer.output[1]));
  const std::span<const float> weights = step_.pictures().weightsWith(object.endpoint);
  for (const Variable& variable : info_.network->layout().variables()) {
    if (weights.empty() || !variable.name.starts_with(layer.name + "/") || variable.shape.back() != layer.output.back())
      continue;
    TensorPart part;
    part.name = tr("%1, for this one").arg(QString::fromStdString(variable.name));
    for (std::int64_t i = channel; i < variable.size; i += variable.shape.back())
      part.values.push_back(at(weights, variable.offset + i));
    if (part.values.size() == 1) {
      row(QString::fromStdString(variable.name), describeNumber(static_cast<double>(part.values.front())));
      continue;
    }
    part.columns = variable.shape.size() == 4 ? variable.shape[1] * variable.shape[2]
                                              : std::max<std::int64_t>(1, std::lround(std::sqrt(part.values.size())));
    text_.parts.push_back(std::move(part));
  }
  text_.note = tr("On the stage: what it makes of the image that is shown. Point at a value to see its sum.");
}

void Describer::queue() {
  if (!step_.asynchronous()) return;
  text_.title = tr("Coordinator's queue");
  text_.subtitle = tr("One closure at a time for every worker");
  const auto chief = std::ranges::find(record_.dead, RunFault::Task::Chief, &DeadTask::task);
  if (chief != record_.dead.end() && chief->sinceNs <= ns_) addDeath(&*chief);
  for (int worker = 0; worker < info_.replicas; ++worker) row(nameOf(worker), doing(worker));
  text_.note = strategyWords(info_.config.strategy, "worker.closure");
  if (record_.metric.clock != TimeSource::Modelled || info_.replicas < 2) return;
  const ServerLoad load = serverLoadOf(info_, record_);
  row(tr("Busiest link of the servers"), tr("busy for %1 % of the time").arg(percentNumber(load.busy, 0)));
  row(load.hasTurns ? tr("Waiting") : tr("In its queue"),
      tr("%1, %2 % of its cycle").arg(nameOf(*record_.metric.worker)).arg(percentNumber(load.queueShare, 0)));
  if (load.queued) text_.note += QLatin1Char(' ') + strategyWords(info_.config.strategy, "worker.queue.links");
  if (load.isFull())
    text_.note +=
        QLatin1Char(' ') + tr("The link is busy all the time: more workers do not help, they only queue longer.");
}

QString Describer::doing(int worker) const {
  if (const QString absent = absenceWords(record_, worker); !absent.isEmpty()) return absent;
  if (const DeadTask* dead = deadTaskOf(info_, record_, worker, ns_)) {
    const QString words = deathWords(info_, record_, *dead, ns_);
    const bool isTaken = dead->takenBy >= 0 && dead->takenNs <= ns_;
    return isTaken ? tr("%1; worker %2 has taken its closure").arg(words, QString::number(dead->takenBy)) : words;
  }
  switch (step_.doing(worker, ns_)) {
    case StepIndex::Doing::Computes:
      return tr("computes its batch");
    case StepIndex::Doing::Pulls:
      return tr("pulls weights");
    case StepIndex::Doing::Pushes:
      return tr("pushes gradients");
    case StepIndex::Doing::IsApplied:
      return tr("has its gradients applied");
    case StepIndex::Doing::Queues:
      break;
  }
  const bool modelled = record_.metric.clock == TimeSource::Modelled;
  if (info_.isClass || (modelled && !step_.hasMessages(ns_))) return tr("waits");
  return modelled ? strategyWords(info_.config.strategy, "worker.queue") : tr("waits for its turn");
}

void Describer::host(const Object& object) {
  const int host = static_cast<int>(object.index);
  if (host < 0 || host >= info_.hosts) return;
  text_.title = tr("Host %1").arg(host);
  QStringList endpoints;
  for (int endpoint = 0; endpoint < info_.replicas + info_.parameterDevices; ++endpoint)
    if (at(info_.legend.endpoints, endpoint).host == host) endpoints << nameOf(endpoint);
  row(tr("Here"), endpoints.join(QStringLiteral(", ")));
  text_.code = tfConfig(info_, host);
  text_.note = text_.code.isEmpty()
                   ? tr("This strategy reads no TF_CONFIG.")
                   : tr("TF_CONFIG, as the program on this host finds it in its environment. It must be there before "
                        "the strategy is constructed.");
}

Description describe(const Object& object, const StepIndex& step, const Story& story, double seconds,
                     const EvalMetric* evaluation) {
  return Describer(step, story, seconds, evaluation).of(object);
}

}  // namespace lab
