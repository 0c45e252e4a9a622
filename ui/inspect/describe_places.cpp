// SPDX-License-Identifier: GPL-3.0-or-later
// Describes what stands still: devices, links, variable shards; and the texts that are the same for a whole run.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "core/trace/messages.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describer.h"
#include "ui/inspect/memory_area.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/captions.h"
#include "ui/playback/fault_captions.h"

namespace lab {

void Describer::device(const Object& object) {
  if (!isEndpoint(object.endpoint)) return;
  const auto endpoint = static_cast<std::size_t>(object.endpoint);
  const DeviceFacts facts = endpoint < info_.devices.size() ? info_.devices[endpoint] : DeviceFacts{};
  text_.title = nameOf(object.endpoint);
  text_.subtitle = QString::fromStdString(facts.hardware);
  row(tr("Kind"), facts.simulated                 ? tr("SIMULATED: computes for real, its time is modelled")
                  : isGpu(info_, object.endpoint) ? tr("REAL GPU: its time is measured, between its own events")
                                                  : tr("REAL CPU: its time is measured"));
  if (addDeath(deadTaskOf(info_, record_, object.endpoint, ns_))) return;
  const Span* busy = step_.activity(object.endpoint, story_, seconds_);
  // For a worker, the same words as on the stage, except for the layer that computes.
  const QString absent = isReplica(object.endpoint) ? absenceWords(record_, object.endpoint) : QString();
  row(tr("Now"),
      !absent.isEmpty() ? absent
      : step_.asynchronous() && isReplica(object.endpoint) && (busy == nullptr || busy->kind != SpanKind::Compute)
          ? doing(object.endpoint)
      : busy != nullptr && busy->label < info_.legend.labels.size() ? coreText(info_.legend.labels[busy->label])
                                                                    : tr("at rest"));
  text_.rows.back().isState = true;
  if (isReplica(object.endpoint) && !info_.isClass) {
    row(tr("Speed"),
        facts.slowdown == 1 ? tr("full") : tr("takes %1 times as long").arg(describeNumber(facts.slowdown)));
    if (facts.simulated) {
      text_.replica = object.endpoint;
      text_.slowdown = facts.slowdown;
    }
  }
  if (endpoint < record_.memoryOverStep.size() && !record_.memoryOverStep[endpoint].empty())
    memory(endpoint);
  else
    keptMemory(endpoint);
}

bool Describer::addDeath(const DeadTask* dead) {
  if (dead == nullptr) return false;
  row(tr("Now"), deathWords(info_, record_, *dead, ns_));
  text_.rows.back().isState = true;
  return true;
}

// The memory over the step.
void Describer::memory(std::size_t endpoint) {
  const MemoryTimeline& timeline = record_.memoryOverStep[endpoint];
  const bool isModelled = timeline.clock == TimeSource::Modelled;
  const MemoryTimeline::Change& peak = timeline.peak();
  row(isModelled ? tr("Peak memory, modelled") : tr("Peak memory, measured"), bytesText(sumOf(peak.bytes)));
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind)
    if (peak.bytes[kind] > 0)
      row(QStringLiteral("  ") + lab::nameOf(static_cast<MemoryKind>(kind)), bytesText(peak.bytes[kind]));
  const double room = endpoint < info_.devices.size() ? info_.devices[endpoint].memoryBytes : 0;
  if (const auto* tooMuch = timeline.firstAbove(room); room > 0 && tooMuch != nullptr) {
    const Span* busy = step_.activity(static_cast<int>(endpoint), tooMuch->ns);
    row(tr("Does not fit"),
        tr("it has %1, which first runs out in \u201C%2\u201D")
            .arg(bytesText(std::llround(room)),
                 coreText(busy != nullptr ? info_.legend.labels[busy->label] : say::createVariables)));
  }
  text_.memory = {timeline, record_.beginNs, record_.endNs, ns_, room};
  const MemoryBreakdown& own = record_.memory[endpoint];
  text_.note = isModelled
                   ? tr("Modelled: what such a device needs at least. This program computes in buffers of its own, %1 "
                        "between steps, measured: some kernels pool an output as they make it, all keep what they have "
                        "allocated from step to step, and packs are summed in place.")
                         .arg(bytesText(own.total()))
                   : tr("Measured: this program's own buffers, as they are allocated and freed. The model counts more "
                        "activations, because some kernels pool an output as they make it. The model frees them, which "
                        "the kernels do not, and it copies packs, which are summed in place here.");
}

// Used if only the memory kept from step to step is known.
void Describer::keptMemory(std::size_t endpoint) {
  if (endpoint >= record_.memory.size() || record_.memory[endpoint].total() == 0) return;
  const MemoryBreakdown& breakdown = record_.memory[endpoint];
  row(info_.isClass ? tr("Memory without activations") : tr("Memory kept between steps"), bytesText(breakdown.total()));
  for (const auto& [name, bytes] : {std::pair{tr("  variables"), breakdown.variables},
                                    {tr("  gradients"), breakdown.gradients},
                                    {tr("  optimizer's slots"), breakdown.optimizer}})
    row(name, bytesText(bytes));
  if (!info_.isClass) row(tr("  activations"), bytesText(breakdown.activations));
  const int stage = info_.replicas > 1 ? strategyInfo(info_.config.strategy).shardStage(info_.config) : 0;
  if (stage >= StrategyInfo::kWholeNowhere)
    text_.note =
        tr("What it keeps between passes. During a pass it also has all weights, and all gradients until they are "
           "summed.");
  else if (stage == 2)
    text_.note = tr("What it keeps between passes. During a pass it also has all gradients, until they are summed.");
}

void Describer::link(const Object& object) {
  if (object.index < 0 || object.index >= std::ssize(info_.legend.tracks)) return;
  const auto track = static_cast<std::size_t>(object.index);
  if (!info_.legend.tracks[track].isLink) return;
  std::int64_t sent = 0, whole = 0, transfers = 0;
  for (const std::size_t i : step_.transfers()) {
    const Span& span = record_.spans[i];
    if (span.track != object.index) continue;
    whole += span.bytes;
    ++transfers;
    if (isOver(span)) sent += span.bytes;
    text_.title = tr("Link %1 → %2").arg(nameOf(span.from), nameOf(span.to));
  }
  if (text_.title.isEmpty()) text_.title = coreText(info_.legend.tracks[track].name);
  const LinkFacts facts = track < info_.links.size() ? info_.links[track] : LinkFacts{};
  text_.subtitle = coreText(facts.name);
  if (facts.gbPerSec > 0) {
    row(tr("Bandwidth"), tr("%1 GB/s effective, modelled").arg(describeNumber(facts.gbPerSec)));
    row(tr("Latency"), tr("%1 µs, modelled").arg(describeNumber(facts.latencyUs)));
  } else if (!info_.isClass) {
    row(tr("Bandwidth"), tr("this computer's memory, measured"));
  }
  row(tr("Transfers in this step"), countText(transfers));
  row(tr("Bytes so far"), bytesText(sent));
  row(tr("Bytes in the whole step"), bytesText(whole));
}

void Describer::shard(const Object& object) {
  if (!isServer(object.endpoint)) return;
  const auto& parts = at(info_.variableShards, object.endpoint - info_.replicas);
  std::int64_t elements = 0;
  for (const VariablePart& part : parts) elements += part.count;
  const auto server = static_cast<std::size_t>(object.endpoint - info_.replicas);
  static const std::vector<VariablePart> kNone;
  const auto& moving = server < info_.movingShards.size() ? info_.movingShards[server] : kNone;
  text_.title = tr("Variable shard of %1").arg(nameOf(object.endpoint));
  const std::int64_t version = versionOf(object.endpoint);
  text_.subtitle = tr("version %1").arg(weightsName(version));
  addDeath(deadTaskOf(info_, record_, object.endpoint, ns_));
  for (const VariablePart& part : parts) row(QString::fromStdString(part.name), bytesText(4 * part.count));
  for (const VariablePart& part : moving)
    row(QString::fromStdString(part.name), tr("%1, not trained").arg(bytesText(4 * part.count)));
  row(moving.empty() ? tr("Total") : tr("Trained, total"), bytesText(4 * elements));
  row(tr("Share of all variables"), tr("%1 %").arg(serverShare(info_, object.endpoint - info_.replicas)));
  if (info_.parameterDevices > 1 && info_.config.partitioner == "none")
    text_.note =
        tr("Variables are distributed to the servers in turn, whole and whatever their size: one shard has nearly "
           "everything. The setting \u201Cpartitioner\u201D cuts them up.");
}

QString tfConfig(const RunInfo& info, int host) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  const bool servers = strategy.variables == StrategyInfo::VariablesOn::Servers;
  if (!readsTaskConfig(info)) return {};
  const int workers = servers ? info.replicas : info.hosts;
  const auto addresses = [](const QString& name, int number) {
    QJsonArray list;
    for (int i = 0; i < number; ++i) list.append(QStringLiteral("%1%2.example:2222").arg(name).arg(i));
    return list;
  };
  QJsonObject cluster{{QStringLiteral("worker"), addresses(QStringLiteral("worker"), workers)}};
  if (servers) {
    cluster.insert(QStringLiteral("chief"), addresses(QStringLiteral("chief"), 1));
    cluster.insert(QStringLiteral("ps"), addresses(QStringLiteral("ps"), info.parameterDevices));
  }
  const bool isServer = servers && host >= workers;
  const QJsonObject task{{QStringLiteral("type"), isServer ? QStringLiteral("ps") : QStringLiteral("worker")},
                         {QStringLiteral("index"), isServer ? host - workers : host}};
  const QJsonObject whole{{QStringLiteral("cluster"), cluster}, {QStringLiteral("task"), task}};
  return QString::fromUtf8(QJsonDocument(whole).toJson(QJsonDocument::Indented)).trimmed();
}

QString splitRule(const RunInfo& info, const StepRecord& record, int replica) {
  const auto& shard = at(record.replicas, replica).shard;
  const QString who = endpointName(info, replica);
  if (!strategyInfo(info.config.strategy).synchronous)
    return tr("Nothing is distributed: every worker draws batches of its own from the whole data set, and this one is "
              "%1's.")
        .arg(who);
  if (info.replicas == 1) return tr("One replica gets the whole batch.");
  std::int64_t before = 0;
  for (int r = 0; r < replica; ++r) before += std::ssize(at(record.replicas, r).shard);
  const std::int64_t share = ceilDivide(record.metric.distributed(), record.taking());
  if (info.hosts > 1 && info.split.policy == AutoShard::Off)
    return tr("Sharding is off: every host reads all the data in the same order, and cuts it into shares for %1 "
              "replicas "
              "by tf.data's newer rule; %2 gets %3 here. Other hosts' replicas get the same images again.")
        .arg(countText(info.replicas))
        .arg(who, countText(std::ssize(shard)));
  if (info.split.rule == SplitRule::V2) {
    return tr("tf.data's newer rule, for examples in files: the global batch of %1 is cut into %2 parts as equal as "
              "possible; %3 gets %4 here.%5")
        .arg(countText(info.config.globalBatch))
        .arg(countText(info.replicas))
        .arg(
            who, countText(std::ssize(shard)),
            info.hosts > 1 && info.split.policy == AutoShard::File ? tr(" Each host reads its own files.") : QString());
  }
  if (info.hosts > 1) {
    return tr("tf.data's older rule, sharded by data: every host cuts the same batch of %1 into %2 shares of %3, and "
              "the %4 hosts take them in turn. So the shares of a host are not neighbours.")
        .arg(countText(record.metric.distributed()))
        .arg(countText(info.replicas))
        .arg(share)
        .arg(info.hosts);
  }
  if (std::ssize(shard) == 1)
    return tr("tf.data's older rule, for examples in memory: neighbouring shares of ⌈%1 ÷ %2⌉ = %3. %4 has image %5 of "
              "the batch.")
        .arg(countText(record.metric.distributed()))
        .arg(countText(record.taking()))
        .arg(share)
        .arg(who, countText(before + 1));
  return tr("tf.data's older rule, for examples in memory: neighbouring shares of ⌈%1 ÷ %2⌉ = %3. %4 has images %5 to "
            "%6 of the batch.")
      .arg(countText(record.metric.distributed()))
      .arg(countText(record.taking()))
      .arg(share)
      .arg(who, countText(before + 1), countText(before + std::ssize(shard)));
}

}  // namespace lab
