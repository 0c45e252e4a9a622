// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded step under another strategy and reducer takes exactly as long, to the nanosecond, as in a run of the
// compared settings, for every pair; the text says what does not hold for the recorded step; and a measured step keeps
// only its computation.
#include <QTest>

#include <algorithm>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/experiments/comparison.h"
#include "core/options/config_field.h"
#include "core/prediction/messages.h"
#include "core/prediction/reprice.h"
#include "core/prediction/step_timeline.h"
#include "core/strategy/strategy.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const WhatIfModel& repricing() {
  static const WhatIfModel made(Catalogue::builtIn(), TimingConstants::builtIn());
  return made;
}

// A step in the middle of a run with these settings, and the model's timing of it. Each run is trained only once,
// whatever pairs it is in.
const Anchor& anchorOfRun(const RunSettings& config) {
  static std::map<std::string, Anchor> known;
  const std::string settings = configToJson(config).dump();
  if (const auto found = known.find(settings); found != known.end()) return found->second;
  const RecordedRun run = recordAll(config, fewDigits(640, 16));
  const StepRecord& record = *run.records[run.records.size() / 2];
  const RecordedStep step = anchorOf(run.info, record, timelineOf(run.info, record));
  return known.emplace(settings, repricing().anchor(whatIfOf(run.info, Catalogue::builtIn(), &config), step))
      .first->second;
}

bool says(const std::vector<Message>& notes, const Text& what) {
  return std::ranges::any_of(notes, [&](const Message& note) { return note.is(what); });
}

}  // namespace

class TestReprice : public QObject {
  Q_OBJECT

  static RunSettings configUnder(const StrategyInfo& info, Settings settings) {
    Settings all{{"strategy", info.key}, {"steps", "8"}, {"eval-every", "0"}, {"devices", "simulated"}};
    if (!info.singleReplica) all.emplace_back("replicas", "4");
    all.emplace_back(info.synchronous ? "global-batch" : "batch-per-replica", info.synchronous ? "64" : "16");
    return configOf(with(all, settings));
  }

 private slots:
  void everyPairTakesWhatCompareTakes_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("more");
    for (const StrategyInfo& from : strategies())
      for (const StrategyInfo& to : strategies())
        for (const char* more : {"", "--device-model t4 --link pcie3_x16", "--slow 0:3 --optimizer sgd"})
          QTest::addRow("%s to %s %s", from.key.c_str(), to.key.c_str(), more)
              << QString::fromStdString(from.key) << QString::fromStdString(to.key) << more;
  }
  void everyPairTakesWhatCompareTakes() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, more);
    const auto info = [](const QString& key) -> const StrategyInfo& {
      return *std::ranges::find(strategies(), key.toStdString(), &StrategyInfo::key);
    };
    const bool fromTpu = info(from).simulatedOnly, toTpu = info(to).simulatedOnly;
    if (fromTpu && more.contains("t4")) return;  // refused as a run
    // A single replica leaves none out, so a comparison gives such a strategy more replicas.
    if (info(from).singleReplica && !info(to).goesWithout.empty()) return;
    Settings settings;
    const QStringList words = more.split(' ', Qt::SkipEmptyParts);
    for (qsizetype i = 0; i + 1 < words.size(); i += 2)
      settings.emplace_back(words[i].mid(2).toStdString(), words[i + 1].toStdString());
    const RunSettings config = configUnder(info(from), settings);
    const Anchor& anchor = anchorOfRun(config);
    const WhatIf what = underStrategy(anchor.base, info(to).kind, config.reducer, repricing().catalogue());
    const WhatIfAnswer answer = repricing().answer(what, anchor);

    const ComparedRun compared = comparedRun(info(to), givenOf(config));
    const TimingRun timing(compared.config.asked(), {}, Catalogue::builtIn(), TimingConstants::builtIn());  // a sweep's
    // If steps differ: the recorded step, or under another strategy the mean of a round.
    const StepTiming swept = timing.step(compared.config.batchPerReplica, what.step);
    QCOMPARE(answer.stepNs, swept.stepNs);
    QCOMPARE(answer.timing.imagesPerSecond, swept.imagesPerSecond);
    const Anchor& trained = anchorOfRun(compared.config.asked());
    const bool isMean = !info(to).repeatsEvery.empty() && what.step == 0;
    if (!isMean) QCOMPARE(answer.stepNs, trained.modelNs);
    if (info(to).synchronous && !isMean) QCOMPARE(answer.stepNs, trained.recordedNs);
    QVERIFY(answer.less == 0 && answer.more == 0);
    const std::vector<Message> notes = repricingNotes(what, anchor, repricing().catalogue());
    QCOMPARE(says(notes, say::repricedOnTpu), toTpu && !fromTpu);
    QCOMPARE(says(notes, say::repricedOffTpu), fromTpu && !toTpu);
    QCOMPARE(says(notes, say::repricedAsCycle), !info(to).synchronous && info(from).synchronous);
    QCOMPARE(says(notes, say::repricedAsStep), !info(from).synchronous && info(to).synchronous);
    QCOMPARE(says(notes, say::repricedAsRound), isMean && from != to);
    if (from == to) QVERIFY(notes.empty());
    // And back: nothing is lost on the way, except the replicas that a single one cannot know of.
    if (info(to).singleReplica || (what.config.strategy != config.strategy && anchor.base.step > 0)) return;
    const WhatIf back = underStrategy(what, info(from).kind, config.reducer, repricing().catalogue());
    QCOMPARE(repricing().answer(back, anchor).stepNs, anchor.modelNs);
  }

  void everyReducerTakesWhatARunWithItTakes() {
    const StrategyInfo& mirrored = strategyInfo(StrategyKind::Mirrored);
    for (const StrategyKind kind : {StrategyKind::Mirrored, StrategyKind::MultiWorkerMirrored}) {
      const RunSettings config = configUnder(strategyInfo(kind), {});
      const Anchor& anchor = anchorOfRun(config);
      for (const Reducer reducer : mirrored.reducers) {
        const WhatIf what = underStrategy(anchor.base, kind, reducer, repricing().catalogue());
        const Anchor& real =
            anchorOfRun(configUnder(strategyInfo(kind), {{"reducer", std::string(toString(reducer))}}));
        QCOMPARE(repricing().answer(what, anchor).stepNs, real.recordedNs);
      }
    }
    // If the other strategy lacks the reducer, it chooses its own.
    const Anchor& anchor = anchorOfRun(configUnder(mirrored, {{"reducer", "tree"}}));
    const WhatIf what =
        underStrategy(anchor.base, StrategyKind::CentralStorage, Reducer::Tree, repricing().catalogue());
    QVERIFY(what.config.reducer == Reducer::Auto);
  }

  void sharesThatAreNotEqual() {
    const RunSettings config = configUnder(strategyInfo(StrategyKind::Mirrored), {{"global-batch", "62"}});
    const Anchor& anchor = anchorOfRun(config);
    for (const StrategyKind kind : {StrategyKind::Tpu, StrategyKind::CentralStorage, StrategyKind::OneDevice}) {
      const Anchor& real = anchorOfRun(comparedRun(strategyInfo(kind), givenOf(config)).config.asked());
      const WhatIf what = underStrategy(anchor.base, kind, Reducer::Auto, repricing().catalogue());
      QCOMPARE(repricing().answer(what, anchor).stepNs, real.recordedNs);
    }
    const WhatIf workers =
        underStrategy(anchor.base, StrategyKind::ParameterServer, Reducer::Auto, repricing().catalogue());
    QCOMPARE(workers.examplesPerDevice, 15);
    QVERIFY(says(repricingNotes(workers, anchor, repricing().catalogue()), say::repricedUneven));
  }

  // Hosts and links that a user composed are kept; those left to the strategy become the other's.
  void aComposedClusterIsKept() {
    const Anchor& anchor = anchorOfRun(configUnder(strategyInfo(StrategyKind::MultiWorkerMirrored), {}));
    QCOMPARE(anchor.base.cluster.hostCount(), 2);
    WhatIf composed = anchor.base;
    composed.cluster = uniformCluster(8, 4, "a100", "nvlink3", "ib_edr");
    const WhatIf workers =
        underStrategy(composed, StrategyKind::ParameterServer, Reducer::Auto, repricing().catalogue());
    QCOMPARE(workers.cluster.hostCount(), 8);
    QCOMPARE(workers.cluster.hosts.front().devices.front(), std::string("a100"));
    QCOMPARE(workers.cluster.hostLink, std::string("ib_edr"));
    const WhatIf one = underStrategy(composed, StrategyKind::Mirrored, Reducer::Auto, repricing().catalogue());
    QCOMPARE(one.cluster.hostCount(), 1);
    QCOMPARE(one.cluster.hosts.front().link, std::string("nvlink3"));
    QCOMPARE(one.cluster.devices(), 8);
  }

  // Measurements of a ring tell nothing about a server, so only the computation's scale is kept.
  void aMeasuredStepKeepsItsComputation() {
    RunSettings config = configUnder(strategyInfo(StrategyKind::Mirrored), {{"devices", "cpu"}});
    const Anchor& anchor = anchorOfRun(config);
    QVERIFY(anchor.scales.calibrated);
    const auto scalesUnder = [&](StrategyKind kind) {
      const WhatIf what = underStrategy(anchor.base, kind, Reducer::Auto, repricing().catalogue());
      return scalesFor(what, anchor.base, anchor.scales);
    };
    const Calibration servers = scalesUnder(StrategyKind::ParameterServer);
    QCOMPARE(servers.compute, anchor.scales.compute);
    QCOMPARE(servers.comm, 1.0);
    QCOMPARE(scalesUnder(StrategyKind::Mirrored).comm, anchor.scales.comm);
    QVERIFY(!scalesUnder(StrategyKind::Tpu).calibrated);
    const WhatIf what =
        underStrategy(anchor.base, StrategyKind::ParameterServer, Reducer::Auto, repricing().catalogue());
    QVERIFY(says(repricingNotes(what, anchor, repricing().catalogue()), say::repricedSending));
  }
};

QTEST_GUILESS_MAIN(TestReprice)
#include "tst_reprice.moc"
