// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/captions.h"

#include <QSet>
#include <QStringList>

#include <algorithm>
#include <vector>

#include "ui/words.h"

namespace lab {
namespace {

QString number(std::int64_t value) {
  return countText(value);
}

std::vector<double> meanLosses(const StepRecord& record) {
  std::vector<double> means;
  for (const ReplicaStep& replica : record.replicas) {
    if (replica.losses.empty()) continue;
    double sum = 0;
    for (const float loss : replica.losses) sum += static_cast<double>(loss);
    means.push_back(sum / static_cast<double>(replica.losses.size()));
  }
  return means;
}

// "a, b, c", shortened, with as many digits as tell them apart: late in training 0.000 and 0.000 would not be seen to
// differ.
QString listOf(const std::vector<double>& means) {
  const std::size_t shown = means.size() > 4 ? 3 : means.size();
  QStringList words;
  for (int digits = 3; digits <= 6; ++digits) {
    words.clear();
    for (std::size_t i = 0; i < shown; ++i) words << numberText(means[i], 'f', digits);
    if (QSet<QString>(words.begin(), words.end()).size() == words.size()) break;
  }
  if (shown < means.size()) words << QStringLiteral("…");
  return words.join(QStringLiteral(", "));
}

QString dealCaption(const StepRecord& record) {
  const auto& shards = record.metric.shards;
  if (shards.size() == 1) return tr("The one device gets the whole batch.");
  const auto [least, most] = std::ranges::minmax(shards);
  if (least == most)
    return tr("Each replica gets a different part of the batch: %1 of the %2 images each.")
        .arg(number(most), number(record.metric.examples));
  QStringList sizes;
  for (const std::int64_t size : shards) sizes << number(size);
  if (sizes.size() > 8) sizes = sizes.mid(0, 7) << QStringLiteral("…");
  const auto empty = std::ranges::count(shards, 0);
  QString text = tr("%1 images over %2 replicas: %3.")
                     .arg(number(record.metric.examples), number(std::ssize(shards)), sizes.join(QStringLiteral(", ")));
  if (empty > 0) text += QLatin1Char(' ') + tr("An empty tray means: 0 images, and a gradient of zeros.");
  return text;
}

QString batchCaption(const RunInfo& info, const StepRecord& record) {
  const QString images =
      tr("A global batch: %Ln real images from %1.", nullptr, plural(record.metric.examples)).arg(datasetName(info));
  if (info.hosts == 1) return images;
  switch (info.split.policy) {
    case AutoShard::File:
      return images + QLatin1Char(' ') + tr("Each worker reads its own files.");
    case AutoShard::Off:
      return images + QLatin1Char(' ') + tr("Sharding is off: every worker reads all the data in the same order.");
    default:
      return images + QLatin1Char(' ') + tr("Every worker reads the same stream and keeps its own share of it.");
  }
}

QString aggregateCaption(const RunInfo& info) {
  const std::int64_t n = info.replicas;
  if (info.config.strategy == StrategyKind::CentralStorage)
    return tr("All gradients go up to CPU:0 through one shared bus, one after the other, and are added there.");
  if (info.config.strategy == StrategyKind::Tpu)
    return tr("Cross-replica sum on the TPU's own torus: no host takes part. Everyone gets the sum.");
  const QString everyone = QLatin1Char(' ') + tr("Everyone gets the sum.");
  const std::string& reducer = info.reducer;
  if ((reducer == "ring" || reducer == "nccl") && n == 2)
    return tr("All-reduce: each adds up one half and passes it on.") + everyone;
  if (reducer == "ring" || reducer == "nccl")
    return tr("All-reduce, as a ring: %1 hops add, %1 hops pass the finished pieces on.").arg(number(n - 1)) + everyone;
  if (reducer == "tree")
    return tr("All-reduce, as a tree: sums climb to one replica and are copied back down.") + everyone;
  if (reducer == "halving-doubling")
    return tr("All-reduce by halving and doubling: partners swap halves, then quarters, and back.") + everyone;
  if (reducer == "hierarchical")
    return tr("Hierarchical all-reduce: first inside each host, then between the hosts, then inside again.") + everyone;
  if (reducer == "torus") return tr("All-reduce on a torus: along the rows, along the columns, and back.") + everyone;
  return tr("All gradients go to R0, one after the other; it adds them and copies the sum back.") + everyone;
}

QString forwardCaption(const RunInfo& info, const StepRecord& record) {
  const std::vector<double> means = meanLosses(record);
  const QString losses = listOf(means);
  if (info.replicas == 1) return tr("Forward: the network sees the whole batch. Its loss is %1.").arg(losses);
  if (info.config.strategy == StrategyKind::Tpu)
    return tr("All cores run one XLA program in lock-step, on different images. Losses: %1.").arg(losses);
  if (std::ranges::all_of(means, [&](double mean) { return mean == means.front(); }))
    return tr("Each replica computes the loss of its own images (%1).").arg(losses);
  return tr("Same weights, different images: so the losses differ (%1).").arg(losses);
}

QString updateCaption(const RunInfo& info, const StepRecord& record) {
  const QString to = weightsName(record.metric.step);
  if (info.config.strategy == StrategyKind::CentralStorage && info.replicas > 1)
    return tr("One update, of the one copy: it is now %1.").arg(to);
  if (info.replicas == 1) return tr("The optimizer updates the weights: they are now %1.").arg(to);
  return tr("Every replica applies the same sum to its own copy: all are now %1.").arg(to);
}

QString checkCaption(const RunInfo& info, const StepRecord& record) {
  switch (info.config.strategy) {
    case StrategyKind::Default:
      return tr("That is training without distribution: the strategy's interface is a pass-through.");
    case StrategyKind::OneDevice:
      return tr("The same step as without distribution, with everything pinned to one named device.");
    case StrategyKind::CentralStorage:
      if (info.replicas > 1) return tr("One copy, so nothing to keep in sync; but the bus is shared.");
      return tr("With a single device the variables live on it, and nothing has to be sent.");
    default:
      break;
  }
  if (info.replicas == 1) return tr("One replica: there is nothing to add, and no copy to compare.");
  return record.metric.mirrorsIdentical.value_or(false)
             ? tr("All %1 copies were compared bit by bit: identical.").arg(number(info.replicas))
             : tr("The copies were compared bit by bit, and they differ: this must not happen.");
}

QString flowCaption(const RunInfo& info, const StepRecord& record) {
  if (info.replicas == 1) return tr("The worker pulls weights, computes on a batch of its own, and pushes gradients.");
  return tr("Nobody waits: every worker pulls, computes and pushes at its own pace. Worker %1 is next to finish.")
      .arg(*record.metric.worker);
}

QString applyCaption(const StepRecord& record) {
  const std::int64_t stale = record.metric.staleness.value_or(0);
  const QString applied = tr("Worker %1's gradients are applied at once: %2.")
                              .arg(*record.metric.worker)
                              .arg(weightsName(record.metric.step));
  if (stale == 0) return applied + QLatin1Char(' ') + tr("They are fresh: nobody had updated in between.");
  return applied + QLatin1Char(' ') + tr("They are %Ln updates stale: others came between.", nullptr, plural(stale));
}

QString startupCaption(const RunInfo& info) {
  if (info.config.strategy == StrategyKind::Tpu)
    return tr("Start-up: resolve the cluster, connect, initialise the TPU (its memory is wiped), then the strategy.");
  return tr("At the start the first replica's weights are copied to all: everyone begins with the same %1.")
      .arg(weightsName(0));
}

}  // namespace

const char* beatKey(BeatKind kind) {
  switch (kind) {
    case BeatKind::Startup:
      return QT_TRANSLATE_NOOP("lab", "start-up");
    case BeatKind::Batch:
      return QT_TRANSLATE_NOOP("lab", "batch");
    case BeatKind::Deal:
      return QT_TRANSLATE_NOOP("lab", "deal");
    case BeatKind::Pull:
      return QT_TRANSLATE_NOOP("lab", "pull");
    case BeatKind::Forward:
      return QT_TRANSLATE_NOOP("lab", "forward");
    case BeatKind::Backward:
      return QT_TRANSLATE_NOOP("lab", "backward");
    case BeatKind::Aggregate:
      return QT_TRANSLATE_NOOP("lab", "aggregate");
    case BeatKind::Update:
      return QT_TRANSLATE_NOOP("lab", "update");
    case BeatKind::Check:
      return QT_TRANSLATE_NOOP("lab", "check");
    case BeatKind::Flow:
      return QT_TRANSLATE_NOOP("lab", "workers");
    case BeatKind::Apply:
      return QT_TRANSLATE_NOOP("lab", "apply");
  }
  return "";
}

QString beatName(BeatKind kind) {
  return tr(beatKey(kind));
}

QString beatCaption(BeatKind kind, const RunInfo& info, const StepRecord& record) {
  switch (kind) {
    case BeatKind::Startup:
      return startupCaption(info);
    case BeatKind::Batch:
      return batchCaption(info, record);
    case BeatKind::Deal:
      return dealCaption(record);
    case BeatKind::Pull:
      return tr("Every device reads the one copy of the weights through the same bus: they queue.");
    case BeatKind::Forward:
      return forwardCaption(info, record);
    case BeatKind::Backward:
      return info.replicas == 1 ? tr("Backward, last layer first: the gradient of every weight.")
                                : tr("Backward, last layer first: each replica gets a gradient of its own.");
    case BeatKind::Aggregate:
      return aggregateCaption(info);
    case BeatKind::Update:
      return updateCaption(info, record);
    case BeatKind::Check:
      return checkCaption(info, record);
    case BeatKind::Flow:
      return flowCaption(info, record);
    case BeatKind::Apply:
      return applyCaption(record);
  }
  return {};
}

QString beatNote(BeatKind kind, const RunInfo& info, const StepRecord& record) {
  const StrategyKind strategy = info.config.strategy;
  if (kind == BeatKind::Deal && !record.metric.shards.empty() && info.replicas > 1) {
    if (info.split.rule == SplitRule::Legacy)
      return tr("In-memory data: R0 gets the first ⌈%1/%2⌉, and so on; the last ones get what is left.")
          .arg(number(info.config.globalBatch.value_or(0)), number(info.replicas));
    return tr("File-backed data: shares differ by at most one. “Split evenly” is only one of TensorFlow's two rules.");
  }
  if (kind == BeatKind::Aggregate) {
    if (strategy == StrategyKind::Mirrored && info.reducer == "nccl" && isGpu(info, 0))
      return tr("NCCL did this between the GPUs. It chooses ring or tree by itself and does not tell its transfers.");
    if (strategy == StrategyKind::Mirrored && info.reducer == "nccl")
      return tr(
          "NCCL chooses ring or tree internally; these devices are no GPUs of this machine, so its ring was "
          "executed.");
    if (strategy == StrategyKind::Mirrored && info.reducer == "ring")
      return tr(
          "Slides show “reduce to CPU:0, then broadcast”: TensorFlow logs that for losses and metrics, not for "
          "these gradients.");
    if (strategy == StrategyKind::MultiWorkerMirrored)
      return tr("AUTO is said to choose by hardware and topology; in TensorFlow's code it is the ring.");
  }
  if (kind == BeatKind::Flow && strategy == StrategyKind::ParameterServer)
    return tr("num_replicas_in_sync is the replicas of one worker, not the number of workers.");
  if (kind == BeatKind::Check && strategy == StrategyKind::CentralStorage && info.replicas > 1)
    return tr("With one GPU the variables would live on that GPU: the CPU holds them only for two devices or more.");
  return {};
}

QString datasetName(const RunInfo& info) {
  if (info.data != nullptr && info.data->own) return tr("your own data");
  if (info.dataset == "mnist") return QStringLiteral("MNIST");
  if (info.dataset == "fashion-mnist") return QStringLiteral("Fashion-MNIST");
  return tr("the embedded digits");
}

QString partyName(const RunInfo& info, int party) {
  const bool asynchronous = info.config.strategy == StrategyKind::ParameterServer;
  if (party < 0) return {};
  if (party < info.replicas) return (asynchronous ? tr("worker %1") : QStringLiteral("R%1")).arg(party);
  const int server = party - info.replicas;
  if (server < info.parameterDevices)
    return asynchronous ? QStringLiteral("PS%1").arg(server) : QStringLiteral("CPU:0");
  return tr("host %1").arg(server - info.parameterDevices);
}

QString weightsName(std::int64_t version) {
  QString text = QStringLiteral("W");
  for (const QChar digit : QString::number(version)) text += QChar(0x2080 + digit.digitValue());
  return text;
}

}  // namespace lab
