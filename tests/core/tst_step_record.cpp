// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=20
// A step's record is complete: its transfers are the schedule's, its gradients add up along them to what the optimizer
// used, its weights follow from that, and recording changes nothing.
#include <QTest>

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "core/base/bit_digest.h"
#include "core/cluster/cluster.h"
#include "core/options/derived_settings.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

bool isAsynchronous(const RunInfo& info) {
  return !strategyInfo(info.config.strategy).synchronous;
}

// A transfer without its times.
using SentTransfer = std::tuple<int, int, int, int, bool, std::int64_t, std::int64_t, std::int64_t, std::uint16_t>;
SentTransfer transferOf(const Span& span) {
  return {span.pack, span.round, span.from, span.to, span.add, span.offset, span.count, span.bytes, span.label};
}

void append(std::vector<SentTransfer>& transfers, const Schedule& schedule, std::int64_t base, int pack, Label label) {
  for (const Transfer& t : schedule.transfers)
    transfers.emplace_back(pack, t.round, t.from, t.to, t.add, base + t.offset, t.count, t.bytes(), labelOf(label));
}

// The schedules that a synchronous step carries out, built again.
std::vector<SentTransfer> expectedTransfers(const RunInfo& info) {
  const ResolvedSettings& config = info.config;
  const std::int64_t size = courseNetwork().layout().size();
  std::vector<SentTransfer> transfers;
  if (info.replicas == 1) return transfers;
  const StrategyInfo& strategy = strategyInfo(config.strategy);
  if (strategy.variables == StrategyInfo::VariablesOn::Host) {
    std::vector<int> all;
    for (int r = 0; r < info.replicas; ++r) all.push_back(r);
    // Modelled, a variable comes before the layer that needs it, and its gradient leaves when that layer is done.
    if (info.clock == TimeSource::Modelled) {
      const std::vector<Variable>& variables = courseNetwork().layout().variables();
      for (const Variable& v : variables)
        append(transfers, broadcastFrom(info.replicas, all, v.size), v.offset, -1, Label::PullWeights);
      for (auto v = variables.rbegin(); v != variables.rend(); ++v)
        append(transfers, reduceTo(all, info.replicas, v->size), v->offset, -1, Label::PushGradients);
      return transfers;
    }
    append(transfers, broadcastFrom(info.replicas, all, size), 0, -1, Label::PullWeights);
    append(transfers, reduceTo(all, info.replicas, size), 0, -1, Label::PushGradients);
    return transfers;
  }
  if (const int stage = strategy.shardStage(config); stage > 0) {
    const ReductionPlan plan = makeShardedPlan(info.replicas, courseNetwork().layout(), config.bytesPerPack);
    const auto appendAll = [&](Schedule PackedSchedule::*which, Label label) {
      for (std::size_t i = 0; i < plan.packs.size(); ++i)
        append(transfers, plan.packs[i].*which, plan.packs[i].pack.offset, static_cast<int>(i), label);
    };
    const int gathersBefore = stage == StrategyInfo::kWholeNowhere ? 2 : 0;
    for (int i = 0; i < gathersBefore; ++i) appendAll(&PackedSchedule::gather, Label::GatherWeights);
    appendAll(&PackedSchedule::schedule, Label::ReduceScatter);
    if (gathersBefore == 0) appendAll(&PackedSchedule::gather, Label::GatherWeights);
    return transfers;
  }
  ReductionPlan plan = makeReductionPlan(reducerInForce(config), info.replicas, info.hosts, courseNetwork().layout(),
                                         config.bytesPerPack);
  plan.carry(exchangeAfter(config, nextExchange(config, 1)).carried);
  for (std::size_t i = 0; i < plan.packs.size(); ++i)
    append(transfers, plan.packs[i].schedule, plan.packs[i].pack.offset, static_cast<int>(i),
           strategy.reducer == Reducer::Neighbours ? Label::ShareWeights : Label::AllReduce);
  return transfers;
}

std::vector<Span> transfersOf(const StepRecord& record, std::uint16_t label) {
  std::vector<Span> transfers;
  for (const Span& span : record.spans)
    if (span.kind == SpanKind::Transfer && span.label == label && span.step == record.metric.step)
      transfers.push_back(span);
  return transfers;
}

// Each replica's copy after hearing its neighbours: each contributes a third, or a half if there is only one.
std::vector<std::vector<float>> averagedAlongTransfers(const StepRecord& record) {
  std::vector<std::vector<float>> copies;
  for (const ReplicaStep& replica : record.replicas) copies.push_back(replica.ownWeights);
  const float share = copies.size() == 2 ? 1.0F / 2 : 1.0F / 3;
  for (const Span& span : transfersOf(record, labelOf(Label::ShareWeights))) {
    const std::vector<float>& sent = record.replicas[static_cast<std::size_t>(span.from)].ownWeights;
    const std::vector<float>& had = record.replicas[static_cast<std::size_t>(span.to)].ownWeights;
    for (auto i = static_cast<std::size_t>(span.offset); i < static_cast<std::size_t>(span.offset + span.count); ++i)
      copies[static_cast<std::size_t>(span.to)][i] += share * (sent[i] - had[i]);
  }
  return copies;
}

// Every endpoint's buffer after the recorded transfers, starting from the recorded gradients, or from the weights if
// those were averaged.
std::vector<std::vector<float>> addedAlongTransfers(const RunInfo& info, const StepRecord& record) {
  std::vector<std::vector<float>> buffers;
  for (const ReplicaStep& replica : record.replicas)
    buffers.push_back(record.averagesWeights() ? replica.ownWeights : replica.gradients);
  buffers.resize(info.legend.endpoints.size(), std::vector<float>(record.gradients.size(), 0.0F));
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  if (strategy.reducer == Reducer::Neighbours) return averagedAlongTransfers(record);
  const bool inParts = !strategy.shards.empty();
  const Label label = strategy.variables == StrategyInfo::VariablesOn::Host ? Label::PushGradients
                      : inParts                                             ? Label::ReduceScatter
                                                                            : Label::AllReduce;
  for (const Span& span : transfersOf(record, labelOf(label))) {
    const auto& source = buffers[static_cast<std::size_t>(span.from)];
    auto& destination = buffers[static_cast<std::size_t>(span.to)];
    for (auto i = static_cast<std::size_t>(span.offset); i < static_cast<std::size_t>(span.offset + span.count); ++i)
      destination[i] = span.add ? destination[i] + source[i] : source[i];
  }
  return buffers;
}

}  // namespace

class TestStepRecord : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  void shardsLossesAndPredictionsAreTheSteps_data() { addStrategyRows(); }
  void shardsLossesAndPredictionsAreTheSteps() {
    QFETCH(QString, name);
    const RecordedRun run = recordAll(rowConfig(name), digits_);
    for (const RecordPointer& record : run.records) {
      const StepMetric& metric = record->metric;
      std::vector<const ReplicaStep*> delivering;
      if (metric.worker)
        delivering.push_back(&record->replicas[static_cast<std::size_t>(*metric.worker)]);
      else
        for (const ReplicaStep& replica : record->replicas) delivering.push_back(&replica);
      QCOMPARE(delivering.size(), metric.shards.size());
      std::set<std::int64_t> examples;
      double lossSum = 0;
      std::int64_t correct = 0, used = 0;
      for (std::size_t r = 0; r < delivering.size(); ++r) {
        const ReplicaStep& replica = *delivering[r];
        QCOMPARE(std::ssize(replica.shard), metric.shards[r]);
        QCOMPARE(replica.losses.size(), replica.shard.size());
        QCOMPARE(replica.predictions.size(), replica.shard.size());
        examples.insert(replica.shard.begin(), replica.shard.end());
        if (metric.leavesOut(static_cast<int>(r))) continue;
        used += std::ssize(replica.shard);
        double replicaSum = 0;
        for (std::size_t i = 0; i < replica.shard.size(); ++i) {
          replicaSum += static_cast<double>(replica.losses[i]);
          correct += digits_->train.labels[static_cast<std::size_t>(replica.shard[i])] == replica.predictions[i];
        }
        lossSum += replicaSum;
      }
      // Without sharding, every host has the whole data set, and an example may be on two of them.
      if (run.info.split.policy != AutoShard::Off) QCOMPARE(std::ssize(examples), metric.distributed());
      QCOMPARE(metric.examples, used);
      QCOMPARE(metric.loss, lossSum / static_cast<double>(metric.examples));
      QCOMPARE(metric.accuracy, static_cast<double>(correct) / static_cast<double>(metric.examples));
    }
  }

  void everyTransferOfTheScheduleIsThereOnce_data() { addStrategyRows(); }
  void everyTransferOfTheScheduleIsThereOnce() {
    QFETCH(QString, name);
    for (const char* devices : {"simulated", "cpu"}) {
      RunSettings config = rowConfig(name);
      if (!strategyInfo(config.strategy).synchronous) return;
      if (std::string(devices) == "cpu") {
        if (!canBeMeasured(config)) continue;
        config.devices = DeviceChoice::Cpu;
      }
      const RecordedRun run = recordAll(config, digits_);
      const std::vector<SentTransfer> expected = expectedTransfers(run.info);
      for (const RecordPointer& record : run.records) {
        std::vector<SentTransfer> transfers;
        std::int64_t bytes = 0;
        for (const Span& span : record->spans) {
          QVERIFY(isValid(span, run.info.legend));
          if (span.kind != SpanKind::Transfer || span.step == 0) continue;
          transfers.push_back(transferOf(span));
          bytes += span.bytes;
          QVERIFY(run.info.legend.tracks[static_cast<std::size_t>(span.track)].isLink);
          QVERIFY(span.startNs >= record->beginNs && span.startNs + span.durationNs <= record->endNs);
        }
        // In the schedule's order.
        const bool sends = exchangeAfter(run.info.config, record->metric.step).what != Exchange::What::Nothing;
        QVERIFY(transfers == (sends ? expected : std::vector<SentTransfer>()));
        QCOMPARE(bytes, record->metric.bytesSent);
        QCOMPARE(record->endNs - record->beginNs, record->metric.stepNs);
      }
    }
  }

  void gradientsAddUpAlongTheTransfers_data() { addStrategyRows(); }
  void gradientsAddUpAlongTheTransfers() {
    QFETCH(QString, name);
    ThreadPool pool(1);
    const std::unique_ptr<Backend> backend = makeCpuBackend(pool);
    const RecordedRun run = recordAll(rowConfig(name), digits_);
    for (const RecordPointer& record : run.records) {
      if (isAsynchronous(run.info)) {
        const auto worker = static_cast<std::size_t>(*record->metric.worker);
        QVERIFY(sameBits(record->replicas[worker].gradients, record->gradients));
        continue;
      }
      auto buffers = addedAlongTransfers(run.info, *record);
      if (strategyInfo(run.info.config.strategy).reducer == Reducer::Neighbours)
        continue;  // theOptimizerLeadsFromWeightsToWeights
      if (run.info.parameterDevices > 0) {
        QVERIFY(sameBits(buffers[static_cast<std::size_t>(run.info.replicas)], record->gradients));
        continue;
      }
      if (!record->averagesWeights() && record->metric.bytesSent == 0 && record->replicas.size() > 1) {
        QVERIFY(sameBits(record->replicas[0].gradients, record->gradients));  // each has followed its own
        continue;
      }
      if (record->averagesWeights())
        for (std::vector<float>& sum : buffers) divide(*backend, record->replicas.size(), sum);
      if (!strategyInfo(run.info.config.strategy).shards.empty())
        continue;  // tst_sharded: each has its part of the sum
      for (std::size_t r = 0; r < record->replicas.size(); ++r)
        QVERIFY(sameBits(buffers[r], record->averagesWeights() ? record->weightsAfter : record->gradients));
    }
  }

  // The recorded gradients, applied to the recorded weights, give the next recorded weights.
  void theOptimizerLeadsFromWeightsToWeights_data() { addStrategyRows(); }
  void theOptimizerLeadsFromWeightsToWeights() {
    QFETCH(QString, name);
    Telemetry telemetry;
    Trainer trainer(resolve(rowConfig(name)), digits_, telemetry);
    const ClusterSettings& settings = trainer.cluster().settings();
    const std::unique_ptr<Backend> backend = makeCpuBackend(trainer.cluster().pool());
    const std::size_t size = static_cast<std::size_t>(courseNetwork().layout().size());
    std::vector<std::vector<float>> slotValues(settings.optimizer.slotNames().size(), std::vector<float>(size, 0.0F));
    std::vector<float*> slotPointers;
    for (auto& values : slotValues) slotPointers.push_back(values.data());
    // Where copies may differ, the record's is the first one, and the run's is their mean.
    const auto recorded = [&] {
      if (strategyInfo(trainer.info().config.strategy).own != StrategyInfo::Own::Weights) return trainer.weights();
      const auto first = trainer.cluster().copies().of(0).weights.span();
      return std::vector<float>(first.begin(), first.end());
    };
    std::vector<float> before = trainer.weights();
    while (!trainer.finished()) {
      const RecordPointer record = recordedStep(trainer, telemetry);
      QVERIFY(sameBits(record->weightsBefore, before));
      QVERIFY(sameBits(record->weightsAfter, recorded()));
      before = record->weightsAfter;
      if (isAsynchronous(trainer.info())) continue;  // other workers' gradients may have reached some servers
      const bool neighbours = strategyInfo(trainer.info().config.strategy).reducer == Reducer::Neighbours;
      std::vector<float> weights = neighbours ? averagedAlongTransfers(*record).front() : record->weightsBefore;
      applyOptimizer(*backend, settings.optimizer, record->metric.learningRate, record->metric.step,
                     courseNetwork().layout().size(), record->gradients.data(), slotPointers, weights.data());
      if (neighbours) {
        QVERIFY(relativeDistance(weights, record->weightsAfter) <
                1e-6);  // a processor may round once where two do here
        for (std::size_t r = 1; r < record->replicas.size(); ++r) {
          const auto copy = trainer.cluster().copies().of(static_cast<int>(r)).weights.span();
          QVERIFY(std::ranges::equal(record->replicas[r].weightsAfter, copy));
        }
      } else if (!record->averagesWeights()) {
        QVERIFY(sameBits(weights, record->weightsAfter));
      }
    }
  }

  void copiesAreComparedByTheirBits() {
    Telemetry telemetry;
    Trainer trainer(resolve(configOf(with(kShortRun, {{"strategy", "mirrored"}, {"replicas", "4"}}))), digits_,
                    telemetry);
    const RecordPointer equal = recordedStep(trainer, telemetry);
    for (const ReplicaStep& replica : equal->replicas) {
      QCOMPARE(replica.weightsDigest, bitDigest(equal->weightsAfter));
      QCOMPARE(replica.weightsDistance, 0.0);
      QCOMPARE(replica.version, 0);
    }
    float& weight = trainer.cluster().replica(2).variables.weights[123456];
    std::uint32_t bits = 0;
    std::memcpy(&bits, &weight, sizeof bits);
    bits ^= 1U << 20;  // a bit of the mantissa
    std::memcpy(&weight, &bits, sizeof bits);
    const RecordPointer unequal = recordedStep(trainer, telemetry);
    QVERIFY(unequal->metric.mirrorsIdentical == false);
    for (const std::size_t r : {0U, 1U, 3U}) {
      QCOMPARE(unequal->replicas[r].weightsDigest, unequal->replicas[0].weightsDigest);
      QCOMPARE(unequal->replicas[r].weightsDistance, 0.0);
    }
    QVERIFY(unequal->replicas[2].weightsDigest != unequal->replicas[0].weightsDigest);
    QVERIFY(unequal->replicas[2].weightsDistance > 0);
  }

  void everyBitCountsInADigest() {
    std::vector<float> values(7, 1.5F);
    const std::uint64_t plain = bitDigest(values);
    std::set<std::uint64_t> seen{plain};
    for (std::size_t i = 0; i < values.size(); ++i)
      for (int bit = 0; bit < 32; ++bit) {
        std::vector<float> other = values;
        std::uint32_t bits = 0;
        std::memcpy(&bits, &other[i], sizeof bits);
        bits ^= 1U << bit;
        std::memcpy(&other[i], &bits, sizeof bits);
        seen.insert(bitDigest(other));
      }
    QCOMPARE(seen.size(), std::size_t{1 + 7 * 32});
    std::vector<float> twoSigns = values;
    twoSigns[1] = twoSigns[3] = -1.5F;
    QVERIFY(!seen.contains(bitDigest(twoSigns)));
    QVERIFY(bitDigest({}) != bitDigest(std::vector<float>(1)));
  }

  void nothingIsRecordedUnasked() {
    Telemetry telemetry;
    Trainer trainer(resolve(configOf(with(kShortRun, {{"strategy", "mirrored"}}))), digits_, telemetry);
    trainer.step();
    QVERIFY(telemetry.takeRecord() == nullptr);
    QCOMPARE(recordedStep(trainer, telemetry)->metric.step, 2);
    trainer.step();
    QVERIFY(telemetry.takeRecord() == nullptr);
  }

  void recordingChangesNothing_data() { addStrategyRows(); }
  void recordingChangesNothing() {
    QFETCH(QString, name);
    const RunSettings config = rowConfig(name);
    const Outcome plain = train(config, digits_);
    Telemetry telemetry(std::size_t{1} << 20);
    Trainer trainer(resolve(config), digits_, telemetry);
    std::vector<Span> spans;
    for (const StepMetric& expected : plain.steps) {
      const StepMetric metric = recordedStep(trainer, telemetry)->metric;
      QCOMPARE(metric.loss, expected.loss);
      QCOMPARE(metric.stepNs, expected.stepNs);
      QCOMPARE(metric.computeNs, expected.computeNs);
    }
    trainer.finish();  // transfers that are under way at the end are spans too
    telemetry.drainSpans(spans);
    QVERIFY(sameBits(trainer.weights(), plain.weights));
    QCOMPARE(spans.size(), plain.spans.size());
    for (std::size_t i = 0; i < spans.size(); ++i) {
      QCOMPARE(spans[i].startNs, plain.spans[i].startNs);
      QCOMPARE(spans[i].durationNs, plain.spans[i].durationNs);
      QCOMPARE(spans[i].track, plain.spans[i].track);
    }
  }

  // Drawing the step needs the spans, whether or not the run's spans are drawn or written.
  void spansNeedNotBeWanted() {
    const RunSettings config = rowConfig("tpu");
    Telemetry with, without;
    without.setSpansWanted(false);
    Trainer a(resolve(config), digits_, with), b(resolve(config), digits_, without);
    for (int step = 1; step <= 3; ++step)
      QCOMPARE(difference(*recordedStep(a, with), *recordedStep(b, without)), QString());
    std::vector<Span> spans;
    without.drainSpans(spans);
    QVERIFY(spans.empty());
  }

  void theFirstStepsRecordBeginsWithTheStart_data() { addStrategyRows(); }
  void theFirstStepsRecordBeginsWithTheStart() {
    QFETCH(QString, name);
    const RecordedRun run = recordAll(rowConfig(name), digits_);
    const auto startup = [&](const StepRecord& record) {
      return std::ranges::count_if(record.spans, [](const Span& span) {
        return span.step == 0 && (span.kind == SpanKind::Transfer || span.kind == SpanKind::Startup);
      });
    };
    const StrategyInfo& strategy = strategyInfo(run.info.config.strategy);
    const std::int64_t copies = strategy.hasCopies ? run.info.replicas - 1 : 0;
    QCOMPARE(startup(*run.records[0]), copies + (strategy.kind == StrategyKind::Tpu ? 5 : 0));
    for (const Span& span : run.records[0]->spans)
      if (span.step == 0) QVERIFY(span.startNs + span.durationNs <= run.records[0]->beginNs);
    for (std::size_t i = 1; i < run.records.size(); ++i) QCOMPARE(startup(*run.records[i]), 0);
  }

  void memoryIsWhatEachPartyHolds() {
    const std::int64_t p = courseNetwork().layout().bytes();
    const RecordPointer mirrored = recordAll(rowConfig("mirrored"), digits_).records[0];
    QCOMPARE(mirrored->memory.size(), std::size_t{5});
    QCOMPARE(mirrored->memory[3].variables, p);
    QCOMPARE(mirrored->memory[3].gradients, p);
    QCOMPARE(mirrored->memory[3].optimizer, 2 * p);
    QVERIFY(mirrored->memory[3].activations > 0);
    QCOMPARE(mirrored->memory[4].total(), 0);
    const RecordPointer central = recordAll(rowConfig("central-storage"), digits_).records[0];
    QCOMPARE(central->memory[0].optimizer, 0);
    QCOMPARE(central->memory[4].optimizer, 2 * p);
    QCOMPARE(central->memory[4].activations, 0);
    const RecordPointer servers = recordAll(rowConfig("parameter-server, 2 servers, cut"), digits_).records[0];
    QCOMPARE(servers->memory[4].variables + servers->memory[5].variables, p);
    QVERIFY(mirrored->bytes() > 7 * p && mirrored->bytes() < 8 * p);

    // The formula is what the buffers of a fresh replica hold.
    for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
      Activations activations;
      activations.reserve(13, precision);
      QCOMPARE(activationBytes(13, precision), activations.bytes());
    }
  }

  void measuredTimesLeaveTheCopyingOut() {
    RunSettings config = rowConfig("mirrored", {{"devices", "cpu"}, {"reducer", "ring"}});
    const RecordedRun run = recordAll(config, digits_);
    for (std::size_t i = 0; i < run.records.size(); ++i) {
      const StepRecord& record = *run.records[i];
      QCOMPARE(record.metric.clock, TimeSource::Measured);
      QVERIFY(record.metric.stepNs <= record.metric.wallNs);
      if (i > 0) QVERIFY(record.beginNs >= run.records[i - 1]->endNs);
      for (const Span& span : record.spans)
        if (span.step > 0) QVERIFY(span.startNs >= record.beginNs && span.startNs + span.durationNs <= record.endNs);
    }
  }

  // Evaluation also computes on the replicas, and must not disturb what workers have under way.
  void evaluationLeavesNoTrace_data() { addStrategyRows(); }
  void evaluationLeavesNoTrace() {
    QFETCH(QString, name);
    const RecordedRun never = recordAll(rowConfig(name, {{"eval-every", "0"}}), digits_);
    const RecordedRun often = recordAll(rowConfig(name, {{"eval-every", "2"}}), digits_);
    for (std::size_t i = 0; i < never.records.size(); ++i)
      QCOMPARE(difference(*never.records[i], *often.records[i]), QString());
  }

  void theRunIsDescribed() {
    const RunInfo servers = recordAll(rowConfig("parameter-server, 2 servers, cut", {{"slow", "1:2"}}), digits_).info;
    QCOMPARE(servers.replicas, 4);
    QCOMPARE(servers.parameterDevices, 2);
    QCOMPARE(servers.hosts, 6);
    QCOMPARE(servers.devices.size(), std::size_t{6});
    QCOMPARE(servers.devices[1].slowdown, 2.0);
    QVERIFY(servers.devices[1].simulated);
    QCOMPARE(servers.variableShards.size(), std::size_t{2});
    std::int64_t held = 0;
    for (const auto& shard : servers.variableShards)
      for (const VariablePart& part : shard) held += part.count;
    QCOMPARE(held, courseNetwork().layout().size());

    // To two servers and back.
    const RunInfo slow =
        recordAll(rowConfig("parameter-server, 2 servers, cut", {{"slow-link", "1:10"}}), digits_).info;
    const auto linksAt = [&slow](double rate) { return std::ranges::count(slow.links, rate, &LinkFacts::gbPerSec); };
    const double rate = std::ranges::max(slow.links, {}, &LinkFacts::gbPerSec).gbPerSec;
    QVERIFY(rate > 0);
    QCOMPARE(linksAt(rate / 10), 4);
    QCOMPARE(linksAt(rate), 12);

    for (const char* name : {"mirrored", "multi-worker-mirrored", "central-storage", "tpu"}) {
      const RunInfo info = recordAll(rowConfig(name), digits_).info;
      QCOMPARE(info.devices.size(), info.legend.endpoints.size());
      QCOMPARE(info.links.size(), info.legend.tracks.size());
      QCOMPARE(std::ssize(info.legend.endpoints), info.replicas + info.parameterDevices + info.hosts);
      for (std::size_t track = 0; track < info.links.size(); ++track) {
        QCOMPARE(info.links[track].gbPerSec > 0, info.legend.tracks[track].isLink);
        if (info.legend.tracks[track].isLink)
          QVERIFY(format(info.legend.tracks[track].name).ends_with(format(info.links[track].name)));
      }
      QCOMPARE(info.firstStep, 1);
      QVERIFY(info.data != nullptr);
    }
  }
};

QTEST_GUILESS_MAIN(TestStepRecord)
#include "tst_step_record.moc"
