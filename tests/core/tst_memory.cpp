// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of each device over a step: modelled from the step's spans, and measured as this program's buffers are
// allocated and freed. Both are compared with sizes worked out by hand, and with each other.
#include <QTest>

#include <algorithm>

#include "core/base/aligned_buffer.h"
#include "core/cluster/cluster.h"
#include "core/model/model_presets.h"
#include "core/options/memory_need.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/prediction/rates.h"
#include "core/prediction/timing_run.h"
#include "core/strategy/strategy.h"
#include "core/timing/memory_model.h"
#include "core/trace/messages.h"
#include "core/training/checkpoint.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

constexpr std::int64_t kParameters = 347146, kBatch = 16;

const StrategyInfo& sharding() {
  return *std::ranges::find_if(strategies(), [](const StrategyInfo& info) { return !info.shards.empty(); });
}

const Settings kFour{{"replicas", "4"},   {"batch-per-replica", "16"}, {"steps", "3"},
                     {"eval-every", "0"}, {"optimizer", "adam"},       {"devices", "simulated"}};

std::vector<MemoryTimeline> recorded(const Settings& settings) {
  const auto data = fewDigits(230, 20);
  Telemetry telemetry;
  Trainer trainer(resolve(configOf(settings)), data, telemetry);
  (void)trainer.step();
  return recordedStep(trainer, telemetry)->memoryOverStep;
}

MemoryTimeline modelled(const Settings& settings) {
  const TimingRun run(configOf(settings), {.traced = true}, Catalogue::builtIn(), TimingConstants::builtIn());
  const StepTiming timing = run.step(kBatch);
  StepRequest request = run.shared()->asked();
  request.batchPerReplica = kBatch;
  return memoryOver(request, timing).front();
}

std::int64_t peakOf(const MemoryTimeline& timeline, MemoryKind kind) {
  return of(timeline.most(), kind);
}

}  // namespace

class TestMemory : public QObject {
  Q_OBJECT

 private slots:
  // A buffer is counted in the scope that allocated it, wherever it moves, until it is freed.
  void buffersAreCounted() {
    MemoryTally tally;
    tally.begin(0);
    {
      AlignedBuffer<float> kept;
      {
        const MemoryScope scope(&tally, MemoryKind::Optimizer);
        AlignedBuffer<float> made(100, 7);
        {
          const MemoryScope inner(&tally, MemoryKind::Packs);
          const AlignedBuffer<std::uint8_t> bytes(9);
          QCOMPARE(of(tally.step().changes.back().bytes, MemoryKind::Packs), 9);
        }
        kept = std::move(made);
      }
      const AlignedBuffer<float> outside(1000);
      QCOMPARE(tally.step().changes.back().bytes, (MemoryByKind{0, 0, 400, 0, 0, 0}));
      kept = AlignedBuffer<float>(50);
      QCOMPARE(sumOf(tally.step().changes.back().bytes), 0);
    }
    QCOMPARE(std::ssize(tally.step().changes), 5);
    QCOMPARE(sumOf(tally.most()), 409);
  }

  // The course network: its fused convolution pools the 26×26×32 map, which the model counts as its output.
  void aModelledStepByHand() {
    const MemoryTimeline timeline = modelled(with(kFour, {{"strategy", "mirrored"}, {"reducer", "ring"}}));
    const ModelProfile& course = modelPreset("course-cnn");
    const auto bytes = [&](double elements) { return static_cast<std::int64_t>(4 * elements) * kBatch; };
    const MemoryByKind begin{4 * kParameters, 4 * kParameters, 8 * kParameters, bytes(784), 0, 0};
    QCOMPARE(timeline.changes[1].bytes, begin);
    // At the loss, every layer's output exists; gradients enter the single pack as they are made, and leave it.
    QCOMPARE(peakOf(timeline, MemoryKind::Activations), bytes(784 + course.activations()));
    QCOMPARE(peakOf(timeline, MemoryKind::Packs), 4 * kParameters);
    const MemoryByKind end{4 * kParameters, 4 * kParameters, 8 * kParameters, 0, 0, 0};
    QCOMPARE(timeline.changes.back().bytes, end);
    // The first step that does not fit needs more than all before it; with memory of the peak's size, all fit.
    const auto most = static_cast<double>(sumOf(timeline.peak().bytes));
    QVERIFY(timeline.firstAbove(most) == nullptr && MemoryTimeline().firstAbove(0) == nullptr);
    QCOMPARE(timeline.firstAbove(0), &timeline.changes.front());
    const MemoryTimeline::Change* tooMuch = timeline.firstAbove(most - 1);
    QVERIFY(tooMuch == &timeline.peak());
    QVERIFY(std::ranges::is_sorted(timeline.changes, {}, &MemoryTimeline::Change::ns));
    // One layer after the other: its output, and in the backward pass its gradient before its output is freed.
    std::vector<std::int64_t> outputs;
    for (const MemoryTimeline::Change& change : timeline.changes)
      outputs.push_back(of(change.bytes, MemoryKind::Activations));
    std::int64_t sum = bytes(784);
    for (std::size_t i = 0; i < course.layers.size(); ++i)
      QCOMPARE(outputs[i + 2], sum += bytes(course.layers[i].activations));
  }

  // An asynchronous worker has its variables and gradients, and activations while it computes; servers have the slots.
  void workersHaveCurves() {
    const auto data = fewDigits(230, 20);
    for (const char* workers : {"1", "3"}) {
      Telemetry telemetry;
      Trainer trainer(
          resolve(configOf(with(kFour, {{"strategy", "parameter-server"}, {"replicas", workers}, {"steps", "6"}}))),
          data, telemetry);
      for (int step = 1; step <= 6; ++step) {
        const auto record = recordedStep(trainer, telemetry);
        const auto updated = static_cast<std::size_t>(*record->metric.worker);
        for (std::size_t w = 0; w < record->replicas.size(); ++w) {
          const MemoryTimeline& timeline = record->memoryOverStep[w];
          QCOMPARE(timeline.empty(), record->replicas[w].gradients.empty());
          if (timeline.empty()) continue;
          QCOMPARE(timeline.clock, TimeSource::Modelled);
          QCOMPARE(timeline.changes.front().ns, record->beginNs);
          QVERIFY(timeline.changes.back().ns <= record->endNs);
          QVERIFY(std::ranges::is_sorted(timeline.changes, {}, &MemoryTimeline::Change::ns));
          for (const MemoryTimeline::Change& change : timeline.changes) {
            QCOMPARE(of(change.bytes, MemoryKind::Variables), 4 * kParameters);
            QCOMPARE(of(change.bytes, MemoryKind::Gradients), 4 * kParameters);
            QCOMPARE(of(change.bytes, MemoryKind::Optimizer), 0);
          }
        }
        // A single worker's step is its cycle.
        const MemoryTimeline& own = record->memoryOverStep[updated];
        QCOMPARE(of(own.changes.back().bytes, MemoryKind::Activations), 0);
        if (record->replicas.size() > 1) continue;
        const double elements = 784 + modelPreset("course-cnn").activations();
        QCOMPARE(peakOf(own, MemoryKind::Activations), static_cast<std::int64_t>(4 * elements) * kBatch);
        QCOMPARE(of(own.changes.front().bytes, MemoryKind::Activations), 0);
      }
    }
  }

  // A step that is computed again, from the state before it, has the curves that it had, also after a later step.
  void workersCurvesAreComputedAgain() {
    const auto data = fewDigits(230, 20);
    const ResolvedSettings config = resolve(
        configOf(with(kFour, {{"strategy", "parameter-server"}, {"replicas", "3"}, {"slow", "2:3"}, {"steps", "9"}})));
    Telemetry telemetry;
    Trainer trainer(config, data, telemetry), again(config, data, telemetry);
    std::vector<Checkpoint> before;
    std::vector<std::vector<MemoryTimeline>> live;
    while (!trainer.finished()) {
      before.push_back(trainer.saveState());
      live.push_back(recordedStep(trainer, telemetry)->memoryOverStep);
    }
    QVERIFY(!live.back()[2].empty());
    for (std::size_t i = live.size(); i-- > 0;) {
      again.loadState(before[i]);
      QVERIFY(recordedStep(again, telemetry)->memoryOverStep == live[i]);
    }
  }

  // The parts of ZeRO: weights that are gathered once per pass, and all gradients until they are summed.
  void partsComeAndGo() {
    const std::int64_t whole = 4 * kParameters, part = 4 * ((kParameters + 3) / 4);
    for (int stage = 1; stage <= 3; ++stage) {
      const Settings settings = with(kFour, {{"strategy", sharding().key}, {sharding().shards, std::to_string(stage)}});
      for (const char* devices : {"simulated", "cpu"}) {
        const MemoryTimeline timeline = recorded(with(settings, {{"devices", devices}})).front();
        const MemoryByKind& begin = timeline.changes.front().bytes;
        QCOMPARE(of(begin, MemoryKind::Variables), stage == 3 ? part : whole);
        QCOMPARE(of(begin, MemoryKind::Gradients), stage >= 2 ? part : whole);
        QCOMPARE(of(begin, MemoryKind::Optimizer), 2 * part);
        QCOMPARE(of(begin, MemoryKind::Packs), 0);
        QCOMPARE(of(timeline.changes.back().bytes, MemoryKind::Packs), 0);
        QCOMPARE(peakOf(timeline, MemoryKind::Packs), stage == 3                                             ? 2 * whole
                                                      : stage == 2 || timeline.clock == TimeSource::Modelled ? whole
                                                                                                             : 0);
      }
    }
    // Variables that travel in packs are there pack by pack.
    const Settings packs = with(kFour, {{"strategy", sharding().key}, {sharding().shards, "3"}});
    QVERIFY(peakOf(modelled(with(packs, {{"bytes-per-pack", "100000"}})), MemoryKind::Packs) <
            peakOf(modelled(packs), MemoryKind::Packs));
  }

  // For every strategy, the modelled memory equals its buffers to the byte, on replicas and where variables are held.
  void modelledAndMeasuredAgree_data() { addStrategyRows(); }
  void modelledAndMeasuredAgree() {
    QFETCH(const QString, name);
    const RunSettings config = rowConfig(name, {{"steps", "3"}, {"eval-every", "0"}});
    if (!canBeMeasured(config)) return;
    const auto stepOf = [&](DeviceChoice devices) {
      RunSettings own = config;
      own.devices = devices;
      const auto data = fewDigits(230, 20);
      Telemetry telemetry;
      Trainer trainer(resolve(own), data, telemetry);
      (void)trainer.step();
      return recordedStep(trainer, telemetry)->memoryOverStep;
    };
    const std::vector<MemoryTimeline> model = stepOf(DeviceChoice::Simulated), real = stepOf(DeviceChoice::Cpu);
    QVERIFY(!real.empty() && real.size() == model.size());
    for (std::size_t i = 0; i < real.size(); ++i) {
      const StrategyInfo& info = strategyInfo(config.strategy);
      if (!info.synchronous && i < static_cast<std::size_t>(*config.replicas)) continue;
      QCOMPARE(model[i].empty(), real[i].empty());  // empty for a host's processor, which only feeds
      if (model[i].empty()) continue;
      for (const MemoryKind kind : {MemoryKind::Variables, MemoryKind::Gradients, MemoryKind::Optimizer})
        QCOMPARE(peakOf(model[i], kind), peakOf(real[i], kind));
      QVERIFY(model[i].clock == TimeSource::Modelled && real[i].clock == TimeSource::Measured);
    }
  }

  // The measured memory equals the sizes that the replica's buffers report.
  void measuredIsWhatTheBuffersAre() {
    const Settings settings = with(kFour, {{"strategy", "mirrored"}, {"devices", "cpu"}, {"replicas", "2"}});
    Telemetry telemetry;
    Trainer trainer(resolve(configOf(settings)), fewDigits(230, 20), telemetry);
    (void)trainer.step();
    const RecordPointer record = recordedStep(trainer, telemetry);
    for (int r = 0; r < 2; ++r) {
      const Replica& replica = trainer.cluster().replica(r);
      const MemoryByKind measured = record->memoryOverStep[static_cast<std::size_t>(r)].changes.back().bytes;
      QCOMPARE(of(measured, MemoryKind::Variables), 4 * kParameters);
      QCOMPARE(of(measured, MemoryKind::Gradients), 4 * kParameters);
      QCOMPARE(of(measured, MemoryKind::Optimizer), 8 * kParameters);
      // The prefetched batch changes places with the current one, and may still be on its way.
      const std::int64_t batch = kBatch * (4 * 784 + 1), buffers = of(measured, MemoryKind::Buffers);
      QVERIFY(buffers == 0 || buffers == batch);
      QCOMPARE(of(measured, MemoryKind::Activations), replica.activations.bytes());
      QCOMPARE(of(measured, MemoryKind::Packs), 0);
    }
  }

  // The step's record, sweeps, What if and the run's end all report the same number.
  void oneNumberEverywhere() {
    for (const char* strategy : {"mirrored", "central-storage", "sharded", "gossip"})
      for (const char* devices : {"simulated", "cpu"}) {
        const ResolvedSettings config = resolve(configOf(with(kFour, {{"strategy", strategy}, {"devices", devices}})));
        Telemetry telemetry;
        Trainer trainer(config, fewDigits(230, 20), telemetry);
        const MemoryTimeline first = recordedStep(trainer, telemetry)->memoryOverStep.front();
        const std::optional<PeakMemory> end = trainer.finish().memory;
        QVERIFY(end && end->clock == first.clock);
        const std::optional<SteadyStep> steady = steadyStep(config);
        QCOMPARE(steady.has_value(), first.clock == TimeSource::Modelled);
        if (!steady) continue;
        QCOMPARE(first.peak().bytes, steady->memory.most);
        QCOMPARE(end->bytes, steady->memory.most);
        QCOMPARE(end->device, std::string("replica 0"));
      }
  }

  // The first operation that does not fit, and the least memory that would do.
  void whatDoesNotFitIsNamed() {
    const auto memoryWith = [](double gigabytes) {
      std::vector<DeviceModel> devices = Catalogue::builtIn().devices();
      for (DeviceModel& device : devices) device.memoryGb = gigabytes;
      const RunSettings config = configOf(with(kFour, {{"strategy", "mirrored"}, {"reducer", "ring"}}));
      return TimingRun(config, {}, Catalogue::of(devices, Catalogue::builtIn().links()), TimingConstants::builtIn())
          .memory(kBatch);
    };
    const auto kept = 16e-9 * kParameters;
    const DeviceMemory whole = memoryWith(16);
    QVERIFY(whole.fits() && whole.firstTooMuchIn.empty());
    QCOMPARE(format(whole.endpoint), std::string("replica 0"));
    const double most = 1e-9 * static_cast<double>(sumOf(whole.most));
    QVERIFY(memoryWith(most).fits());
    const DeviceMemory less = memoryWith(most - 1e-9);
    QVERIFY(!less.fits());
    QVERIFY(format(less.firstTooMuchIn) == format(less.mostIn) && less.mostIn.is(say::backwardOf));
    QVERIFY(memoryWith(kept + 1e-4).firstTooMuchIn.is(say::forwardOf));
    QVERIFY(memoryWith(kept + 1e-9).firstTooMuchIn.is(say::input));
    QVERIFY(memoryWith(kept / 2).firstTooMuchIn.is(say::createVariables));
  }

  // The estimate that refuses runs counts the strategy's own buffers, here two on each of 4 replicas.
  void theNeedCountsBuffersBesideTheSlots() {
    const auto needOf = [](const char* outer) {
      return memoryNeed(resolve(configOf(with(kFour, {{"strategy", "local-sgd"}, {"outer-optimizer", outer}}))));
    };
    QCOMPARE(needOf("nesterov") - needOf("none"), 4.0 * 2 * 4 * kParameters);
  }

  // Only the parameter device holds the single copy of the variables, with its optimizer slots.
  void centralStorageHoldsThemOnce() {
    const std::vector<MemoryTimeline> all =
        recorded(with(kFour, {{"strategy", "central-storage"}, {"reducer", "auto"}}));
    for (int r = 0; r < 4; ++r) QCOMPARE(peakOf(all[static_cast<std::size_t>(r)], MemoryKind::Optimizer), 0);
    QCOMPARE(all[4].changes.front().bytes, (MemoryByKind{4 * kParameters, 4 * kParameters, 8 * kParameters, 0, 0, 0}));
  }
};

QTEST_GUILESS_MAIN(TestMemory)
#include "tst_memory.moc"
