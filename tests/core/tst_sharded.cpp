// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies whose replicas each keep only a part of the variables: compared with Mirrored, whose bits they must have;
// the memory they really need, the bytes they send, and the model's values for both.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/options/messages.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/prediction/rates.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "core/training/build.h"
#include "tests/support/normed_network.h"
#include "tests/support/records.h"
#include "tests/support/refusal.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

constexpr std::int64_t kParameters = 347146, kPart = (kParameters + 3) / 4;

const StrategyInfo& sharding() {
  return *std::ranges::find_if(strategies(), [](const StrategyInfo& info) { return !info.shards.empty(); });
}

// The fifth batch of the 230 images is short, so both have uneven shares.
const Settings kRun{{"global-batch", "50"}, {"steps", "7"},      {"eval-every", "0"},
                    {"replicas", "4"},      {"reducer", "ring"}, {"devices", "simulated"}};

Settings stage(int number, const Settings& more = {}) {
  return with(with(kRun, {{"strategy", sharding().key}, {sharding().shards, std::to_string(number)}}), more);
}
Settings mirrored(const Settings& more = {}) {
  return with(with(kRun, {{"strategy", "mirrored"}}), more);
}

// Weights, slots and statistics of the state, without what says whose it is.
std::map<std::string, std::vector<float>> stateOf(const Checkpoint& state) {
  std::map<std::string, std::vector<float>> all;
  for (const auto& [name, tensor] : state.tensors.tensors) all[name] = tensor.values;
  return all;
}

struct Trained {
  std::vector<double> losses;
  std::map<std::string, std::vector<float>> state;
};
Trained trained(const Settings& settings, const std::shared_ptr<const Dataset>& data) {
  Telemetry telemetry;
  Trainer trainer(resolve(configOf(settings)), data, telemetry);
  while (!trainer.finished()) trainer.step();
  Trained result{{}, stateOf(trainer.saveState())};
  for (const Metric& metric : telemetry.takeMetrics())
    if (const auto* step = std::get_if<StepMetric>(&metric)) result.losses.push_back(step->loss);
  return result;
}

void compare(const Trained& a, const Trained& b, const QString& what) {
  QVERIFY2(a.losses == b.losses, qPrintable(what));
  QCOMPARE(a.state.size(), b.state.size());
  for (const auto& [name, values] : a.state)
    QVERIFY2(b.state.contains(name) && sameBits(values, b.state.at(name)),
             qPrintable(what + QLatin1Char(' ') + QString::fromStdString(name)));
}

}  // namespace

class TestSharded : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  // Transfers during the summing of gradients are named after the operation.
  void plansAreNamed() {
    const Layout& layout = courseNetwork().layout();
    QCOMPARE(makeShardedPlan(4, layout, 0).label(), Label::ReduceScatter);
    QCOMPARE(makeReductionPlan(Reducer::Ring, 4, 1, layout, 0).label(), Label::AllReduce);
    QCOMPARE(makeReductionPlan(Reducer::Neighbours, 4, 1, layout, 0).label(), Label::ShareWeights);
  }

  // One after the other, the halves are the all-reduce; the first leaves each rank with its own chunk.
  void theHalvesAreTheRing() {
    for (const int ranks : {1, 2, 3, 4, 8})
      for (const std::int64_t elements : {0, 1, 7, 64, 347146}) {
        const Schedule whole = makeAllReduce(Reducer::Ring, ranks, 1, elements);
        Schedule both = makeRing(RingHalf::ReduceScatter, ranks, elements);
        for (const Transfer& transfer : makeRing(RingHalf::AllGather, ranks, elements).transfers) {
          const Pack chunk = ringChunk(transfer.from, ranks, elements);
          if (transfer.round == 0) QVERIFY(transfer.offset == chunk.offset && transfer.count == chunk.count);
          both.transfers.push_back(transfer);
          both.transfers.back().round += ranks - 1;
        }
        QCOMPARE(both.transfers.size(), whole.transfers.size());
        for (std::size_t i = 0; i < whole.transfers.size(); ++i) {
          const Transfer &a = both.transfers[i], &b = whole.transfers[i];
          QVERIFY(a.round == b.round && a.from == b.from && a.to == b.to && a.add == b.add && a.offset == b.offset &&
                  a.count == b.count);
        }
        std::int64_t at = 0;
        for (int r = 0; r < ranks; ++r) {
          QCOMPARE(ringChunk(r, ranks, elements).offset, at);
          at += ringChunk(r, ranks, elements).count;
        }
        QCOMPARE(at, elements);
      }
  }

  void itIsMirroredToTheBit_data() {
    QTest::addColumn<QString>("optimizer");
    QTest::addColumn<QString>("momentum");
    for (const char* optimizer : {"sgd", "sgd 0.9", "adam"}) {
      const QStringList words = QString(optimizer).split(QLatin1Char(' '));
      QTest::addRow("%s", optimizer) << words.front() << (words.size() > 1 ? words.back() : QStringLiteral("0"));
    }
  }
  void itIsMirroredToTheBit() {
    QFETCH(QString, optimizer);
    QFETCH(QString, momentum);
    for (const char* replicas : {"1", "2", "3", "4", "8"})
      for (const char* bytes : {"0", "4096"}) {
        const Settings more{{"optimizer", optimizer.toStdString()},
                            {"momentum", momentum.toStdString()},
                            {"replicas", replicas},
                            {"bytes-per-pack", bytes}};
        const Trained whole = trained(mirrored(more), digits_);
        for (int s = 1; s <= 3; ++s) {
          compare(trained(stage(s, more), digits_), whole,
                  QStringLiteral("stage %1, %2 replicas, %3 bytes").arg(QString::number(s), replicas, bytes));
          if (QTest::currentTestFailed()) return;
        }
      }
  }

  void inMeasuredTimeAndOverHostsToo() {
    for (int s = 1; s <= 3; ++s) {
      compare(trained(stage(s, {{"devices", "cpu"}}), digits_), trained(mirrored({{"devices", "cpu"}}), digits_),
              "cpu");
      const Settings hosts{{"hosts", "2"}, {"bytes-per-pack", "4096"}};
      compare(trained(stage(s, hosts), digits_),
              trained(with(mirrored(hosts), {{"strategy", "multi-worker-mirrored"}}), digits_), "hosts");
    }
  }

  // Moving statistics are each replica's own; a synchronised batch normalisation stops in the middle of a pass.
  void batchNormalisation_data() {
    QTest::addColumn<bool>("synchronized");
    QTest::addRow("own") << false;
    QTest::addRow("synchronised") << true;
  }
  void batchNormalisation() {
    QFETCH(bool, synchronized);
    const QTemporaryDir folder;
    const std::string file = lab::test::normedNetworkFile(folder.path(), synchronized).toStdString();
    for (const char* devices : {"simulated", "cpu"}) {
      const Settings more{{"network", file}, {"devices", devices}};
      const Trained whole = trained(mirrored(more), digits_);
      QVERIFY(whole.state.contains("statistics/replica_3"));
      for (int s = 1; s <= 3; ++s) compare(trained(stage(s, more), digits_), whole, QString::number(s));
    }
  }

  // A checkpoint is complete, so any of these strategies can resume any other's.
  void aRunIsResumedByItselfAndByMirrored() {
    const Trained expected = trained(mirrored(), digits_);
    std::vector<Settings> runs{mirrored()};
    for (int s = 1; s <= 3; ++s) runs.push_back(stage(s));
    for (const Settings& first : runs) {
      Telemetry telemetry;
      Trainer one(resolve(configOf(first)), digits_, telemetry);
      while (one.stepsDone() < 3) one.step();
      const Checkpoint state = one.saveState();
      while (!one.finished()) one.step();  // saving changes nothing
      compare({expected.losses, stateOf(one.saveState())}, expected, "saved");
      for (const Settings& then : runs) {
        Trainer other(resolve(configOf(then)), digits_, telemetry);
        Checkpoint taken = state;
        taken.config = other.saveState().config;
        other.loadState(taken);
        while (!other.finished()) other.step();
        compare({expected.losses, stateOf(other.saveState())}, expected, "resumed");
      }
    }
    const QTemporaryDir folder;
    RunSettings config = configOf(stage(3, {{"checkpoint-dir", folder.path().toStdString()}, {"steps", "4"}}));
    (void)train(config, digits_);
    config.steps = 7;
    config.resume = true;
    QVERIFY(sameBits(train(config, digits_).weights, train(configOf(mirrored()), digits_).weights));
  }

  // The memory of a replica between two steps. Reading, saving and evaluating change it only for a while.
  void aReplicaHoldsItsPart() {
    for (int s = 1; s <= 3; ++s) {
      Telemetry telemetry;
      Trainer trainer(resolve(configOf(stage(s, {{"optimizer", "adam"}}))), digits_, telemetry);
      const RecordPointer record = recordedStep(trainer, telemetry);
      (void)trainer.evaluate();
      (void)trainer.saveState();
      trainer.step();
      std::int64_t all = 0;
      for (int r = 0; r < 4; ++r) {
        const Variables& variables = trainer.cluster().replica(r).variables;
        QCOMPARE(variables.weights.size(), s == 3 ? 0 : kParameters);
        QCOMPARE(variables.gradients.size(), s >= 2 ? 0 : kParameters);
        for (const auto& slot : variables.slotValues) QVERIFY(slot.empty());
        QCOMPARE(variables.shard.slotValues.size(), std::size_t{2});
        QVERIFY(variables.shard.slotValues[1].size() <= kPart);
        all += variables.shard.slotValues[0].size();
        const MemoryBreakdown& memory = record->memory[static_cast<std::size_t>(r)];
        QCOMPARE(memory.optimizer, 8 * variables.shard.size());
        QCOMPARE(memory.gradients, 4 * (s >= 2 ? variables.shard.size() : kParameters));
        QCOMPARE(memory.variables, 4 * (s == 3 ? variables.shard.size() : kParameters));
      }
      QCOMPARE(all, kParameters);
    }
    const auto neededBytes = [&](const Settings& settings) {
      return steadyStep(resolve(configOf(with(settings, {{"optimizer", "adam"}, {"global-batch", "48"}}))))
          ->memory.neededBytes;
    };
    const double whole = neededBytes(mirrored()), saved = 4 * (kParameters - kPart);  // of who has the largest part
    QCOMPARE(whole - neededBytes(stage(1)), 2 * saved);
    QCOMPARE(whole - neededBytes(stage(2)), 3 * saved);
    QCOMPARE(whole - neededBytes(stage(3)), 4 * saved);
  }

  // The two halves of an all-reduce send the same bytes and take as long; weights gathered twice, half as much again.
  // The record has all of it, by sender.
  void whatIsSent() {
    const Settings more{{"global-batch", "48"}, {"link", "pcie3_x16"}};
    const Outcome whole = train(configOf(mirrored(more)), digits_);
    for (int s = 1; s <= 3; ++s) {
      const RecordedRun run = recordAll(configOf(stage(s, more)), digits_);
      const StepRecord& record = *run.records[1];
      const StepMetric& plain = whole.steps[1];
      QCOMPARE(record.metric.bytesSent * 2, plain.bytesSent * (s == 3 ? 3 : 2));
      QVERIFY(std::abs(2 * record.metric.communicationNs - (s == 3 ? 3 : 2) * plain.communicationNs) <
              (s == 3 ? plain.communicationNs / 5 : 4));
      std::int64_t summed = 0, gathered = 0, firstUpdate = 0;
      for (const Span& span : record.spans) {
        if (span.kind == SpanKind::Update) firstUpdate = std::max(firstUpdate, span.startNs + span.durationNs);
        if (span.kind != SpanKind::Transfer) continue;
        QVERIFY(span.label == labelOf(span.add ? Label::ReduceScatter : Label::GatherWeights));
        (span.add ? summed : gathered) += span.bytes;
      }
      QCOMPARE(2 * summed, plain.bytesSent);
      QCOMPARE(summed + gathered, record.metric.bytesSent);
      for (const Span& span : record.spans)
        if (span.kind == SpanKind::Transfer && !span.add) QCOMPARE(span.startNs >= firstUpdate, s < 3);
      QCOMPARE(record.metric.mirrorsIdentical, s == 3 ? std::nullopt : std::optional(true));
      const std::optional<SteadyStep> steady = steadyStep(run.info.config);
      QVERIFY(steady && steady->stepNs == record.metric.stepNs);
    }
  }

  // The movie replays the record: the replicas' own gradients, added along the transfers, give each replica its part of
  // the sum.
  void theRecordAddsUp() {
    for (const char* bytes : {"0", "4096"})
      for (int s = 1; s <= 3; ++s) {
        const Settings more{{"bytes-per-pack", bytes}};
        const RecordedRun whole = recordAll(configOf(mirrored(more)), digits_);
        const RecordedRun run = recordAll(configOf(stage(s, more)), digits_);
        for (std::size_t i = 0; i < run.records.size(); ++i) {
          const StepRecord& record = *run.records[i];
          QVERIFY(sameBits(record.gradients, whole.records[i]->gradients));
          QVERIFY(sameBits(record.weightsBefore, whole.records[i]->weightsBefore));
          QVERIFY(sameBits(record.weightsAfter, whole.records[i]->weightsAfter));
          std::vector<std::vector<float>> buffers;
          for (const ReplicaStep& replica : record.replicas) buffers.push_back(replica.gradients);
          std::vector<std::vector<bool>> hasSum(4, std::vector<bool>(kParameters));
          for (const Span& span : record.spans) {
            if (span.kind != SpanKind::Transfer || !span.add) continue;
            for (std::int64_t e = span.offset; e < span.offset + span.count; ++e) {
              const auto at = static_cast<std::size_t>(e);
              buffers[static_cast<std::size_t>(span.to)][at] += buffers[static_cast<std::size_t>(span.from)][at];
              hasSum[static_cast<std::size_t>(span.to)][at] = span.round == 2;
            }
          }
          for (std::size_t r = 0; r < 4; ++r)
            for (std::size_t e = 0; e < hasSum[r].size(); ++e)
              if (hasSum[r][e]) QCOMPARE(buffers[r][e], record.gradients[e]);
          for (std::size_t e = 0; e < hasSum[0].size(); ++e)
            QCOMPARE(int{hasSum[0][e]} + int{hasSum[1][e]} + int{hasSum[2][e]} + int{hasSum[3][e]}, 1);
        }
      }
  }

  // With packs, a layer waits only for its own weights, and sums begin during the backward pass; with one pack,
  // everything waits for all of it.
  void packsOverlap() {
    for (const char* bytes : {"0", "1024"}) {
      const RecordedRun run = recordAll(
          configOf(stage(3, {{"global-batch", "64"}, {"link", "pcie3_x16"}, {"bytes-per-pack", bytes}})), digits_);
      const StepRecord& record = *run.records[1];
      const int loss = courseNetwork().lossOperation();
      std::int64_t lossNs = 0, gatheredNs = 0, againNs = 0;
      constexpr std::int64_t kLate = std::numeric_limits<std::int64_t>::max();
      std::int64_t forwardNs = kLate, backwardNs = kLate, computedNs = 0, sumNs = kLate;
      const auto end = [](const Span& span) { return span.startNs + span.durationNs; };
      for (const Span& span : record.spans) {
        if (span.kind != SpanKind::Compute) continue;
        const bool back = operationOf(span.label) > loss;
        (back ? backwardNs : forwardNs) = std::min(back ? backwardNs : forwardNs, span.startNs);
        computedNs = std::max(computedNs, end(span));
        if (!back) lossNs = std::max(lossNs, end(span));
      }
      for (const Span& span : record.spans) {
        if (span.kind != SpanKind::Transfer) continue;
        if (span.add)
          sumNs = std::min(sumNs, span.startNs);
        else
          (span.startNs < lossNs ? gatheredNs : againNs) =
              std::max(span.startNs < lossNs ? gatheredNs : againNs, end(span));
      }
      const bool inPacks = std::string(bytes) != "0";
      QCOMPARE(forwardNs < gatheredNs, inPacks);
      QCOMPARE(backwardNs < againNs, inPacks);
      QCOMPARE(sumNs < computedNs, inPacks);
    }
  }

  void whatItDoesNotHaveIsRefused() {
    QVERIFY(isRefused([] { (void)resolve(configOf(stage(3, {{"reducer", "tree"}}))); }, say::reducerNotUsed));
    QVERIFY(isRefused([] { (void)resolve(configOf(mirrored({{sharding().shards, "2"}}))); }, say::belongsToStrategy));
    QVERIFY_THROWS_EXCEPTION(UserError, configOf(stage(4)));
  }
};

QTEST_GUILESS_MAIN(TestSharded)
#include "tst_sharded.moc"
