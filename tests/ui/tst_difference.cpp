// SPDX-License-Identifier: GPL-3.0-or-later
// The cause of two runs' different weights in a step is named correctly: for known changes in records, and for the
// message of a real aggregation, which the test finds again from gradients and schedule alone.
#include <QTest>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/messages.h"
#include "core/comm/schedule.h"
#include "core/model/neural_network.h"
#include "core/options/resolve.h"
#include "tests/ui/small_config.h"
#include "ui/branches/difference_cause.h"

using namespace lab;

namespace {

using What = DifferenceCause::What;

RunSettings differenceConfig(StrategyKind strategy, std::int64_t replicas) {
  RunSettings config = test::smallConfig();
  config.strategy = strategy;
  config.replicas = replicas;
  config.evalEvery = 0;
  config.devices = DeviceChoice::Simulated;
  config.globalBatch = 8;
  config.batchPerReplica.reset();
  if (strategy != StrategyKind::ParameterServer) return config;
  config.globalBatch.reset();
  config.batchPerReplica = 4;
  return config;
}

// A run and the record of one of its steps.
struct Step {
  Telemetry telemetry;
  Trainer trainer;
  StepRecord record;

  Step(const RunSettings& config, int step) : trainer(resolve(config), openDataset(config), telemetry) {
    for (int i = 1; i <= step; ++i) {
      if (i == step) telemetry.requestRecord();
      trainer.step();
    }
    record = *telemetry.takeRecord();
  }
  StepOf of() const { return {trainer.info(), record}; }
  Story story() const { return makeStory(trainer.info(), record, Pace::Story); }
};

bool sameFloat(float a, float b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// A transfer that adds to an element, and the sum that it makes.
struct Made {
  Transfer transfer;
  float value;
};
std::vector<Made> sumsOf(const Schedule& schedule, const StepRecord& record, std::size_t element) {
  std::vector<float> at;
  for (const ReplicaStep& replica : record.replicas) at.push_back(replica.gradients[element]);
  std::vector<Made> sums;
  for (const Transfer& transfer : schedule.transfers) {
    const auto offset = static_cast<std::size_t>(transfer.offset);
    if (element < offset || element >= offset + static_cast<std::size_t>(transfer.count)) continue;
    float& to = at[static_cast<std::size_t>(transfer.to)];
    const float from = at[static_cast<std::size_t>(transfer.from)];
    to = transfer.add ? to + from : from;
    if (transfer.add) sums.push_back({transfer, to});
  }
  return sums;
}

}  // namespace

class TestDifference : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void knownChangesAreNamed() {
    const Step step(differenceConfig(StrategyKind::Mirrored, 4), 2);
    QCOMPARE(differenceCause(step.of(), step.of()).what, What::Nothing);
    const auto changed = [&](auto change) {
      StepRecord other = step.record;
      other.weightsAfter[7] += 1;
      change(other);
      const StepOf base{step.trainer.info(), other};
      return differenceCause(step.of(), base);
    };
    QCOMPARE(changed([](StepRecord&) {}).what, What::Update);
    QCOMPARE(changed([](StepRecord&) {}).element, 7);
    QCOMPARE(changed([](StepRecord& other) { other.weightsBefore[3] += 1; }).what, What::Earlier);
    QCOMPARE(changed([](StepRecord& other) { ++other.replicas[1].shard[0]; }).what, What::Images);
    const DifferenceCause gradient = changed([](StepRecord& other) {
      other.replicas[2].gradients[1234] += 1;
      other.gradients[1234] += 1;
    });
    QCOMPARE(gradient.what, What::Gradient);
    QCOMPARE(gradient.replica, 2);
    QCOMPARE(gradient.element, 1234);
    QVERIFY(sameFloat(gradient.value, step.record.replicas[2].gradients[1234]));
    const auto words = [&](const RunInfo& info) { return differenceWords(gradient, {info, step.record}, {}); };
    QVERIFY2(words(step.trainer.info()).startsWith(QStringLiteral("The gradient of R2 differs")),
             qPrintable(words(step.trainer.info())));
    RunInfo ofClass = step.trainer.info();
    ofClass.legend.endpoints[2].name = Message(say::verbatim, "Otter 3");
    QVERIFY2(words(ofClass).startsWith(QStringLiteral("The gradient of Otter 3 differs")), qPrintable(words(ofClass)));
    const Story story = step.story();
    QCOMPARE(differenceSeconds(gradient, step.of(), story), story.find(BeatKind::Backward)->endS);
    QCOMPARE(differenceSeconds(changed([](StepRecord&) {}), step.of(), story), story.find(BeatKind::Update)->endS);
  }

  void theMessageIsNamed_data() {
    QTest::addColumn<int>("mine");
    QTest::addColumn<int>("other");
    QTest::newRow("ring, one device") << static_cast<int>(Reducer::Ring) << static_cast<int>(Reducer::OneDevice);
    QTest::newRow("one device, ring") << static_cast<int>(Reducer::OneDevice) << static_cast<int>(Reducer::Ring);
    QTest::newRow("tree, ring") << static_cast<int>(Reducer::Tree) << static_cast<int>(Reducer::Ring);
  }
  void theMessageIsNamed() {
    QFETCH(int, mine);
    QFETCH(int, other);
    RunSettings config = differenceConfig(StrategyKind::Mirrored, 4);
    config.reducer = static_cast<Reducer>(mine);
    const Step step(config, 1);
    config.reducer = static_cast<Reducer>(other);
    const Step base(config, 1);
    const DifferenceCause cause = differenceCause(step.of(), base.of());
    QCOMPARE(cause.what, What::Transfer);
    const auto element = static_cast<std::size_t>(cause.element);
    for (std::size_t i = 0; i < element; ++i) QVERIFY(sameFloat(step.record.gradients[i], base.record.gradients[i]));
    QVERIFY(!sameFloat(step.record.gradients[element], base.record.gradients[element]));
    // The test finds the first sum that the other run never has, by the schedules alone. One device adds one variable
    // at a time.
    const auto schedule = [&](int reducer) {
      return makeAllReduce(static_cast<Reducer>(reducer), 4, 1, std::ssize(step.record.gradients));
    };
    const std::vector<Made> sums = sumsOf(schedule(mine), step.record, element);
    const std::vector<Made> others = sumsOf(schedule(other), base.record, element);
    const auto isOwn = [&](const Made& one) {
      return std::ranges::none_of(others, [&](const Made& two) { return sameFloat(one.value, two.value); });
    };
    const auto expected = std::ranges::find_if(sums, isOwn);
    QVERIFY(expected != sums.end());
    const Span& span = step.record.spans[static_cast<std::size_t>(cause.span)];
    QCOMPARE(span.from, expected->transfer.from);
    QCOMPARE(span.to, expected->transfer.to);
    QVERIFY(sameFloat(cause.value, expected->value));
    const QString words = differenceWords(cause, step.of(), QStringLiteral("base"));
    QVERIFY2(words.contains(QStringLiteral("→")) && words.contains(QStringLiteral("base")), qPrintable(words));
    // The movie goes to the moment when the message has arrived.
    const Story story = step.story();
    const double seconds = differenceSeconds(cause, step.of(), story);
    const Beat* beat = story.find(BeatKind::Aggregate);
    QVERIFY(seconds > beat->beginS && seconds <= beat->endS);
    QVERIFY(story.clockAt(seconds) >= span.startNs + span.durationNs - 1);
  }

  // The first gradient is added to zeros on the parameter device; the result is not a new sum, and the other run has it
  // too.
  void centralStoragesMessageMakesASum() {
    const Step central(differenceConfig(StrategyKind::CentralStorage, 4), 1);
    RunSettings config = differenceConfig(StrategyKind::Mirrored, 4);
    config.reducer = Reducer::Ring;
    const Step ring(config, 1);
    const DifferenceCause cause = differenceCause(central.of(), ring.of());
    QCOMPARE(cause.what, What::Transfer);
    const Span& span = central.record.spans[static_cast<std::size_t>(cause.span)];
    QCOMPARE(span.to, central.trainer.info().replicas);
    QVERIFY(span.from > 0);
    for (const ReplicaStep& replica : ring.record.replicas)
      QVERIFY(!sameFloat(cause.value, replica.gradients[static_cast<std::size_t>(cause.element)]));
  }

  void roundedOperandsShowInAGradient() {
    RunSettings config = differenceConfig(StrategyKind::Tpu, 4);
    const Step tpu(config, 1), mirrored(differenceConfig(StrategyKind::Mirrored, 4), 1);
    QCOMPARE(differenceCause(tpu.of(), mirrored.of()).what, What::Gradient);
  }

  void otherImagesAreSaid() {
    const Step worker(differenceConfig(StrategyKind::ParameterServer, 2), 1);
    const Step mirrored(differenceConfig(StrategyKind::Mirrored, 2), 1);
    QCOMPARE(differenceCause(worker.of(), mirrored.of()).what, What::Images);
  }

  // A worker pulled before another worker's update came in, so its weights are older than those of the other run.
  void olderWeightsAreSaid() {
    const Step stale(differenceConfig(StrategyKind::ParameterServer, 4), 3);
    const int worker = *stale.record.metric.worker;
    QVERIFY(*stale.record.metric.staleness > 0);
    const auto index = static_cast<std::size_t>(worker);
    StepRecord fresh = stale.record;
    fresh.weightsAfter[0] += 1;
    const auto causeWith = [&] { return differenceCause(stale.of(), {stale.trainer.info(), fresh}); };
    QCOMPARE(causeWith().what, What::Update);  // both runs' weights are equally old
    fresh.replicas[index].version = 2;
    const DifferenceCause cause = causeWith();
    QCOMPARE(cause.what, What::Pulled);
    QCOMPARE(cause.replica, worker);
    QVERIFY(!differenceWords(cause, stale.of(), QStringLiteral("base")).isEmpty());
    if (cause.span < 0) return;
    const Span& span = stale.record.spans[static_cast<std::size_t>(cause.span)];
    QCOMPARE(span.to, worker);
    QVERIFY(span.from >= stale.trainer.info().replicas);
    QVERIFY(span.startNs + span.durationNs < stale.record.endNs);
  }
};

QTEST_MAIN(TestDifference)
#include "tst_difference.moc"
