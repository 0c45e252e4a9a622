// SPDX-License-Identifier: GPL-3.0-or-later
// A modelled step's timeline agrees with its sums; what-if starts from the recorded step and answers in the right
// direction; and the MNIST CNN gets slower with more GPUs at small batches and faster at large ones, for the reasons in
// its breakdown.
#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/prediction/modelled_timeline.h"
#include "core/prediction/step_timeline.h"
#include "core/prediction/what_if.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const WhatIfModel& model() {
  static const WhatIfModel made(Catalogue::builtIn(), TimingConstants::builtIn());
  return made;
}

WhatIf gpus(std::int64_t devices, std::int64_t examplesPerDevice, StrategyKind strategy = StrategyKind::Mirrored) {
  WhatIf what;
  what.config.strategy = strategy;
  what.cluster =
      uniformCluster(devices, strategy == StrategyKind::ParameterServer ? devices : 1, "v100", "nvlink2", "eth_10g");
  what.examplesPerDevice = examplesPerDevice;
  return what;
}

StepTiming stepOf(const WhatIf& what) {
  return model().runOf(what, {}).step(what.examplesPerDevice);
}

std::int64_t of(const StageBreakdown& breakdown, StepStage stage) {
  return breakdown[static_cast<std::size_t>(stage)];
}

// A recorded step of the run, not the first.
struct Recorded {
  RunInfo info;
  RecordedStep step;
};
Recorded recordedStepOf(const Settings& settings) {
  const RecordedRun run = recordAll(configOf(settings), fewDigits(96, 16));
  return {run.info, anchorOf(run.info, *run.records[2], timelineOf(run.info, *run.records[2]))};
}

double meanOf(const std::vector<StageBreakdown>& breakdowns, std::initializer_list<StepStage> stages) {
  double sum = 0;
  for (const StageBreakdown& breakdown : breakdowns)
    for (const StepStage stage : stages) sum += static_cast<double>(of(breakdown, stage));
  return sum / static_cast<double>(breakdowns.size());
}

}  // namespace

class TestWhatIf : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void timelinesSayWhatTheBookkeepingSays() {
    Rng rng(3, 5);
    constexpr StrategyKind kKinds[] = {StrategyKind::Mirrored, StrategyKind::MultiWorkerMirrored, StrategyKind::Tpu,
                                       StrategyKind::CentralStorage, StrategyKind::ParameterServer};
    for (int round = 0; round < 120; ++round) {
      WhatIf what = gpus(1 + static_cast<std::int64_t>(rng.below(9)), 1 + static_cast<std::int64_t>(rng.below(4000)),
                         kKinds[rng.below(5)]);
      what.bytesPerPack = rng.below(2) == 0 ? 0 : static_cast<std::int64_t>(rng.below(1'000'000));
      what.jitter = rng.below(2) == 0 ? 0 : 0.2 * rng.uniform();
      what.model = rng.below(3) == 0 ? "resnet9" : "course-cnn";
      what.config.seed = round;
      const TimingRun run = model().runOf(what, {}, true);
      // Which draw of the stragglers; of asynchronous workers the mean cycle.
      const StepTiming timing =
          run.step(what.examplesPerDevice, what.config.strategy == StrategyKind::ParameterServer ? 0 : round);
      const Timeline timeline = timelineOf(run, timing);
      QCOMPARE(timeline.endNs, timing.stepNs);
      for (int r = 0; r < run.replicas(); ++r) {
        const StageBreakdown breakdown = timeline.breakdown(r, 0, timeline.endNs),
                             booked = breakdownOf(timing.stages[static_cast<std::size_t>(r)]);
        QCOMPARE(sumOf(breakdown), timing.stepNs);
        QCOMPARE(breakdown, booked);
      }
    }
  }

  // On simulated devices there is nothing to calibrate: tst_step_times compares to the nanosecond.
  void nothingIsScaledOnSimulatedDevices() {
    const Recorded recorded = recordedStepOf({{"strategy", "mirrored"},
                                              {"replicas", "2"},
                                              {"steps", "4"},
                                              {"batch-per-replica", "8"},
                                              {"eval-every", "0"},
                                              {"device-model", "v100"},
                                              {"devices", "simulated"}});
    const Anchor anchor = model().anchor(whatIfOf(recorded.info), recorded.step);
    QVERIFY(!anchor.scales.calibrated);
    // Eight of them, asked of two and of eight: the question.
    WhatIf eight = withDevices(anchor.base, 8);
    eight.examplesPerDevice = 1;
    const WhatIfAnswer asked = model().answer(eight, anchor);
    const Recorded real = recordedStepOf({{"strategy", "mirrored"},
                                          {"replicas", "8"},
                                          {"steps", "4"},
                                          {"batch-per-replica", "1"},
                                          {"eval-every", "0"},
                                          {"device-model", "v100"},
                                          {"devices", "simulated"}});
    QCOMPARE(asked.stepNs, real.step.stepNs);
    QVERIFY(asked.less == 0 && asked.more == 0);
  }

  // A GPU is known by whole words of its name. In place of an unknown one a GPU stands, not a processor, and it is
  // said.
  void anUnknownGpuStaysAGpu() {
    Recorded recorded = recordedStepOf({{"strategy", "mirrored"},
                                        {"replicas", "2"},
                                        {"steps", "4"},
                                        {"batch-per-replica", "8"},
                                        {"eval-every", "0"},
                                        {"devices", "cpu"}});
    const auto deviceOf = [&] { return whatIfOf(recorded.info).cluster.hosts.front().devices.front(); };
    QVERIFY(Catalogue::builtIn().device(deviceOf()).isProcessor() && whyStandIn(recorded.info).empty());
    recorded.info.config.devices = DeviceChoice::Cuda;
    for (const auto& [name, id] : {std::pair{"NVIDIA H100 80GB HBM3", "h100"},
                                   {"NVIDIA A100-SXM4-40GB", "a100"},
                                   {"Tesla T4", "t4"},
                                   {"NVIDIA GeForce RTX 4090", "rtx4090"}}) {
      recorded.info.devices.front().hardware = name;
      QCOMPARE(deviceOf(), std::string(id));
      QVERIFY(whyStandIn(recorded.info).empty());
    }
    for (const char* name : {"NVIDIA GeForce RTX 5090", "NVIDIA T400 4GB", "Quadro P400"}) {
      recorded.info.devices.front().hardware = name;
      QCOMPARE(deviceOf(), strategyInfo(StrategyKind::Mirrored).defaultDeviceModel);
      QVERIFY(format(whyStandIn(recorded.info)).find(name) != std::string::npos);
      // Scaled to the measured step, it computes for as long as that GPU.
      const Anchor anchor = model().anchor(whatIfOf(recorded.info), recorded.step);
      QVERIFY(anchor.scales.calibrated);
    }
  }

  void measuredStepsAreAnchoredToo() {
    const Recorded recorded = recordedStepOf({{"strategy", "mirrored"},
                                              {"replicas", "2"},
                                              {"steps", "4"},
                                              {"batch-per-replica", "32"},
                                              {"eval-every", "0"},
                                              {"devices", "cpu"}});
    const WhatIf same = whatIfOf(recorded.info);
    const Calibration scales = model().calibrate(same, recorded.step);
    const StepTiming timing = model().runOf(same, scales).step(same.examplesPerDevice);
    double busy = 0;
    for (const StageNs& s : timing.stages) busy += static_cast<double>(s.compute + s.overlapped + s.launch) / 2;
    const double wanted = meanOf(recorded.step.breakdowns, {StepStage::Compute, StepStage::Overlapped});
    QVERIFY2(std::abs(busy - wanted) < 0.02 * wanted, qPrintable(QString("%1 %2").arg(busy).arg(wanted)));
    // With nothing changed the answer is the recorded step; the gap to the model is named, and is a band elsewhere.
    const Anchor anchor = model().anchor(same, recorded.step);
    const WhatIfAnswer unchanged = model().answer(anchor.base, anchor);
    QCOMPARE(unchanged.ratio, 1.0);
    QCOMPARE(unchanged.stepNs, recorded.step.stepNs);
    QVERIFY(unchanged.less == 0 && unchanged.more == 0);
    QCOMPARE(anchor.gap(), static_cast<double>(recorded.step.stepNs) / static_cast<double>(anchor.modelNs));
    WhatIf faster = anchor.base;
    faster.deviceSpeed = 2;
    const WhatIfAnswer band = model().answer(faster, anchor);
    QVERIFY(band.ratio < 1 && band.anchored);
    QVERIFY(band.less >= 0 && band.less < 1 && band.more >= 0 && (band.less > 0 || band.more > 0));
    WhatIf elsewhere = same;
    for (std::string& device : elsewhere.cluster.hosts.front().devices) device = "v100";
    const WhatIfAnswer catalogue = model().answer(elsewhere, anchor);
    QVERIFY(!catalogue.anchored);
    QVERIFY(std::abs(std::max(catalogue.more, catalogue.less) - std::abs(anchor.gap() - 1)) < 1e-9);
    // Nothing was measured for another device.
    WhatIf other = same;
    for (std::string& device : other.cluster.hosts.front().devices) device = "v100";
    QVERIFY(!scalesFor(other, same, scales).calibrated);
    QVERIFY(scalesFor(same, same, scales).calibrated);
    other = same;
    other.model = "resnet50";
    QVERIFY(!scalesFor(other, same, scales).calibrated);
  }

  // The curve's efficiency is that of `sweep --timing-only`: relative to one device alone, which sends nothing, while a
  // parameter server's single worker does.
  void efficiencyIsRelativeToOneDeviceAlone() {
    constexpr std::int64_t kBatch = 64;
    for (const StrategyKind kind : {StrategyKind::Mirrored, StrategyKind::ParameterServer})
      for (const bool strong : {false, true}) {
        const WhatIf what = gpus(4, kBatch, kind);
        const auto globalBatch = strong ? std::optional(4 * kBatch) : std::nullopt;
        const std::vector<ScalingPoint> curve = scalingCurve(model(), what, {}, 4, globalBatch);
        QCOMPARE(curve.size(), std::size_t{3});
        QCOMPARE(curve.front().efficiency < 1, kind == StrategyKind::ParameterServer);
        const StepTiming alone = model().runOf(what, {}).alone(strong ? 4 * kBatch : kBatch);
        for (const ScalingPoint& point : curve)
          QCOMPARE(point.efficiency, scalingEfficiency(alone, point.timing, static_cast<int>(point.devices)));
      }
  }

  // A host decodes an example a second: no clock counts the step of 4,000,000 of them. A curve ends there, and one that
  // begins there is empty.
  void aCurveEndsWhereStepsTakeTooLong() {
    WhatIf what = gpus(2, 1'500'000);
    what.decodeUs = 1e6;
    what.inputThreads = 1;
    const std::vector<ScalingPoint> weak = scalingCurve(model(), what, {}, 8);
    QCOMPARE(weak.size(), std::size_t{2});
    QVERIFY(weak[1].timing.stepNs >= 3'000'000'000'000'000);
    QVERIFY(scalingCurve(model(), what, {}, 8, 6'000'000).empty());
    QCOMPARE(scalingCurve(model(), what, {}, 8, 3'000'000).size(), std::size_t{4});
  }

  void smallBatchesGetSlowerWithMoreGpusAndLargeOnesFaster() {
    const auto curveOf = [](std::int64_t globalBatch) {
      std::vector<ScalingPoint> curve = scalingCurve(model(), gpus(1, 64), {}, 8, globalBatch);
      if (curve.size() != 4) qFatal("1, 2, 4, 8");
      return curve;
    };
    const std::vector<ScalingPoint> small = curveOf(64), large = curveOf(16384);
    for (std::size_t i = 1; i < 4; ++i) {
      QVERIFY(small[i].timing.stepNs > small[0].timing.stepNs);  // slower than one
      QVERIFY(large[i].timing.stepNs < large[i - 1].timing.stepNs);
    }
    QVERIFY(large[3].efficiency > 0.5);
    QVERIFY(small[3].efficiency < 0.125);
    // Why: there was nothing left to compute, and sending was added.
    const StageNs &one = small[0].timing.stages[0], &eight = small[3].timing.stages[0];
    QVERIFY(one.compute + one.overlapped < one.launch);
    QVERIFY(eight.exposed > one.compute - eight.compute);
    const StageNs &alone = large[0].timing.stages[0], &shared = large[3].timing.stages[0];
    QVERIFY(alone.compute > 10 * alone.launch);
    QVERIFY(shared.exposed < alone.compute - shared.compute);
  }

  // One note for each kind of device that lacks units for the operands, and for no other.
  void operandsWithoutUnitsAreNamed() {
    WhatIf what = gpus(4, 64);
    QVERIFY(model().runOf(what, {}).asFloat32().empty());
    what.config.matmul = Precision::Bfloat16;
    QCOMPARE(model().runOf(what, {}).asFloat32().size(), std::size_t{1});
    what.cluster.hosts.front().devices = {"v100", "h100", "p100", "v100"};
    QCOMPARE(model().runOf(what, {}).asFloat32().size(), std::size_t{2});
    what.cluster.hosts.front().devices.assign(4, "h100");
    QVERIFY(model().runOf(what, {}).asFloat32().empty());
  }

  // Sixteen V100 are the most that NVLink 2 joins: from there on there are more hosts.
  void theCurveGoesOnOverHosts() {
    const std::vector<ScalingPoint> curve = scalingCurve(model(), gpus(4, 64), {}, 1024);
    QCOMPARE(curve.size(), std::size_t{11});
    for (const ScalingPoint& point : curve) {
      QCOMPARE(point.hosts, std::max<std::int64_t>(1, point.devices / 16));
      QVERIFY(!point.extrapolated);
    }
    // Who has composed a host of 64 has it on the curve, and there it is extrapolated.
    const WhatIf crowded = gpus(64, 64);
    const std::vector<ScalingPoint> beyond = scalingCurve(model(), crowded, {}, 256);
    QCOMPARE(beyond[6].timing.stepNs, stepOf(crowded).stepNs);
    for (const ScalingPoint& point : beyond) QCOMPARE(point.extrapolated, point.devices > 16);
    QVERIFY(!model().runOf(crowded, {}).extrapolated().empty() &&
            model().runOf(gpus(16, 64), {}).extrapolated().empty());
    // No host has more than 1,024, whatever a person has composed; a kept host of them goes on over hosts.
    const WhatIf full = withDevices(gpus(4, 64), 65'536);
    QCOMPARE(full.cluster.hostCount(), std::int64_t{64});
    QVERIFY(full.goesOnOverHosts && !withDevices(gpus(4, 64), 1024).goesOnOverHosts);
    const std::vector<ScalingPoint> whole = scalingCurve(model(), full, {}, 65'536);
    QCOMPARE(whole.size(), std::size_t{17});
    QCOMPARE(whole.back().timing.stepNs, stepOf(full).stepNs);
    QCOMPARE(whole.back().hosts, std::int64_t{64});
    QCOMPARE(scalingCurve(model(), gpus(4, 64, StrategyKind::CentralStorage), {}, 4096).size(), std::size_t{11});
    const std::atomic<bool> stop = true;
    QVERIFY(scalingCurve(model(), full, {}, 65'536, {}, &stop).empty());
    // One copy in the host's memory is of one host, however many devices there are.
    for (const ScalingPoint& point : scalingCurve(model(), gpus(4, 64, StrategyKind::CentralStorage), {}, 64)) {
      QCOMPARE(point.hosts, std::int64_t{1});
      QCOMPARE(point.extrapolated, point.devices > 16);
    }
  }

  void factorsActInTheRightDirection() {
    WhatIf what = gpus(16, 64, StrategyKind::MultiWorkerMirrored);
    what.cluster = uniformCluster(16, 4, "v100", "nvlink2", "eth_10g");
    const std::int64_t base = stepOf(what).stepNs;
    const auto with = [&](auto change) {
      WhatIf changed = what;
      change(changed);
      return stepOf(changed).stepNs;
    };
    QVERIFY(with([](WhatIf& w) { w.hostBandwidth = 4; }) < base);
    QVERIFY(with([](WhatIf& w) { w.hostBandwidth = 0.25; }) > base);
    QVERIFY(with([](WhatIf& w) { w.latency = 8; }) > base);
    QVERIFY(with([](WhatIf& w) { w.deviceSpeed = 0.1; }) > base);
    QVERIFY(with([](WhatIf& w) { w.linkBandwidth = 0.001; }) > base);
    QVERIFY(with([](WhatIf& w) { w.examplesPerDevice = 4096; }) > base);
    QCOMPARE(with([](WhatIf&) {}), base);
    // Half as fast a device computes twice as long, to the nanosecond of rounding.
    WhatIf one = gpus(1, 4096);
    const std::int64_t compute = stepOf(one).stages[0].compute;
    one.deviceSpeed = 0.5;
    QVERIFY(std::abs(stepOf(one).stages[0].compute - 2 * compute) < 50);
    // NCCL's own latencies too.
    WhatIf nccl = gpus(8, 64);
    const std::int64_t before = stepOf(nccl).stages[0].exposed;
    nccl.latency = 4;
    QVERIFY(stepOf(nccl).stages[0].exposed > before);
  }

  void devicesAreSpreadAsTheStrategyCan() {
    const WhatIf mirrored = withDevices(gpus(2, 64), 16);
    QCOMPARE(mirrored.cluster.hostCount(), std::int64_t{1});
    WhatIf several = gpus(8, 64, StrategyKind::MultiWorkerMirrored);
    QCOMPARE(withDevices(several, 64).cluster.hostCount(), std::int64_t{8});
    QCOMPARE(withDevices(several, 4).cluster.hostCount(), std::int64_t{1});
    QCOMPARE(withDevices(gpus(2, 64, StrategyKind::ParameterServer), 32).cluster.hostCount(), std::int64_t{32});
    for (const std::int64_t devices : {1, 2, 3, 12, 1024})
      QCOMPARE(withDevices(several, devices).cluster.devices(), devices);
  }

  void whatCannotBeIsSaid() {
    WhatIf what = gpus(4, 64);
    what.cluster = uniformCluster(4, 2, "v100", "nvlink2", "eth_10g");
    const auto says = [](const WhatIf& asked, const char* text) {
      try {
        (void)model().runOf(asked, {});
        return false;
      } catch (const UserError& error) {
        return QString(error.what()).contains(text) || (qWarning("%s", error.what()), false);
      }
    };
    QVERIFY(says(what, "runs on one host"));
    what.cluster.hostLink = "eth_11g";
    QVERIFY(says(what, "'eth_11g'"));
    what.cluster.hostLink.clear();
    QVERIFY(says(what, "host"));
  }
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "tst_what_if.moc"
