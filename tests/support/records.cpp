// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/records.h"

#include <bit>

#include "core/options/resolve.h"
#include "tests/support/training.h"

namespace lab::test {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

QString metricDifference(const StepMetric& a, const StepMetric& b, bool times) {
  if (a.step != b.step || !same(a.epoch, b.epoch) || a.examples != b.examples || a.shards != b.shards ||
      a.leftOut != b.leftOut)
    return "step, epoch, shards or who was left out";
  if (!same(a.loss, b.loss) || !same(a.accuracy, b.accuracy) || !same(a.learningRate, b.learningRate))
    return "loss, accuracy or learning rate";
  if (a.bytesSent != b.bytesSent || a.clock != b.clock) return "bytes or clock";
  if (a.worker != b.worker || a.staleness != b.staleness || a.mirrorsIdentical != b.mirrorsIdentical)
    return "worker, staleness or mirrorsIdentical";
  if (!times) return {};
  if (a.stepNs != b.stepNs || a.computeNs != b.computeNs || a.communicationNs != b.communicationNs ||
      a.inputNs != b.inputNs || a.queueNs != b.queueNs || a.stragglerNs != b.stragglerNs || a.launchNs != b.launchNs ||
      !same(a.imagesPerSecond, b.imagesPerSecond))
    return "times";
  return {};
}

bool same(const Span& a, const Span& b, bool times) {
  const bool rest = a.step == b.step && a.bytes == b.bytes && a.offset == b.offset && a.count == b.count &&
                    a.track == b.track && a.from == b.from && a.to == b.to && a.round == b.round && a.pack == b.pack &&
                    a.label == b.label && a.kind == b.kind && a.clock == b.clock && a.add == b.add;
  return rest && (!times || (a.startNs == b.startNs && a.durationNs == b.durationNs));
}

// More spans than any step has; they are taken after each step.
constexpr std::size_t kRecordedSpans = std::size_t{1} << 17;

}  // namespace

RecordPointer recordedStep(Trainer& trainer, Telemetry& telemetry) {
  telemetry.requestRecord();
  trainer.step();
  return telemetry.takeRecord();
}

RecordedRun recordAll(const RunSettings& config, std::shared_ptr<const Dataset> data) {
  Telemetry telemetry(kRecordedSpans);
  Trainer trainer(resolve(config), std::move(data), telemetry);
  RecordedRun run{trainer.info(), {}, {}, {}};
  while (!trainer.finished()) {
    run.records.push_back(recordedStep(trainer, telemetry));
    telemetry.drainSpans(run.spans);
  }
  if (telemetry.droppedSpans() > 0) qFatal("kRecordedSpans is too small");
  run.weights = trainer.weights();
  return run;
}

QString difference(const StepRecord& a, const StepRecord& b, bool times) {
  if (const QString metric = metricDifference(a.metric, b.metric, times); !metric.isEmpty()) return "metric: " + metric;
  if (times && (a.beginNs != b.beginNs || a.endNs != b.endNs)) return "begin or end";
  if (a.spans.size() != b.spans.size()) return QString("%1 and %2 spans").arg(a.spans.size()).arg(b.spans.size());
  for (std::size_t i = 0; i < a.spans.size(); ++i)
    if (!same(a.spans[i], b.spans[i], times)) return QString("span %1").arg(i);
  if (a.replicas.size() != b.replicas.size()) return "replicas";
  for (std::size_t r = 0; r < a.replicas.size(); ++r) {
    const ReplicaStep &x = a.replicas[r], &y = b.replicas[r];
    const QString where = QString("replica %1: ").arg(r);
    if (x.shard != y.shard) return where + "shard";
    if (!sameBits(x.losses, y.losses) || x.predictions != y.predictions) return where + "losses or predictions";
    if (!sameBits(x.gradients, y.gradients)) return where + "gradients";
    if (x.weightsDigest != y.weightsDigest || !same(x.weightsDistance, y.weightsDistance)) return where + "weights";
    if (!sameBits(x.statistics, y.statistics)) return where + "moving statistics";
    if (x.version != y.version) return where + "version";
  }
  if (a.previous.size() != b.previous.size()) return "previous batches";
  for (std::size_t r = 0; r < a.previous.size(); ++r) {
    const ReplicaStep &x = a.previous[r], &y = b.previous[r];
    if (x.shard != y.shard || !sameBits(x.losses, y.losses) || x.predictions != y.predictions || x.version != y.version)
      return QString("previous batch of worker %1").arg(r);
  }
  if (!sameBits(a.gradients, b.gradients)) return "gradients";
  if (!sameBits(a.weightsBefore, b.weightsBefore)) return "weights before";
  if (!sameBits(a.weightsAfter, b.weightsAfter)) return "weights after";
  if (!sameBits(a.statistics, b.statistics)) return "moving statistics";
  if (a.memory.size() != b.memory.size()) return "memory";
  for (std::size_t p = 0; p < a.memory.size(); ++p) {
    const MemoryBreakdown &x = a.memory[p], &y = b.memory[p];
    if (x.variables != y.variables || x.gradients != y.gradients || x.optimizer != y.optimizer ||
        x.activations != y.activations)
      return QString("memory of party %1").arg(p);
  }
  return {};
}

}  // namespace lab::test
