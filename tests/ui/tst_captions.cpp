// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=15
// A caption tells what has happened by its moment: each sentence of each beat of every strategy is compared, at its
// beginning, middle and end, with the record and with the circles and buffers beside it.
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <vector>

#include "core/base/platform.h"
#include "core/config/lineage.h"
#include "core/config/run_edit.h"
#include "core/files/experiment_file.h"
#include "core/lesson/facts.h"
#include "core/model/neural_network.h"
#include "core/options/resolve.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "core/training/branches.h"
#include "tests/ui/stage_fixture.h"
#include "ui/i18n/language.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describe.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/captions.h"
#include "ui/playback/step_milestones.h"
#include "ui/runview/run_summary.h"
#include "ui/scene/scene_canvas.h"
#include "ui/stage/narration.h"

using namespace lab;
using test::Picture;
using test::Recorded;

namespace {

QString captionOf(const Scene& scene, const StageLayout& layout) {
  for (const Item& item : scene.items)
    if (item.shape == Item::Shape::Text && item.bold && layout.caption.contains(item.box)) return item.text;
  return {};
}

QStringList textsOf(const Scene& scene) {
  QStringList texts;
  for (const Item& item : scene.items)
    if (!item.text.isEmpty()) texts << item.text;
  return texts;
}

// Returns when the replica's operation ended in this step, or the largest number if the replica never ran it.
std::int64_t endOf(const Picture& picture, int replica, CnnOp op) {
  std::int64_t ns = std::numeric_limits<std::int64_t>::max();
  for (const Span* span : picture.index.track(replica))
    if (span->kind == SpanKind::Compute && span->label == labelOf(op)) ns = span->startNs + span->durationNs;
  return ns;
}

// Records `steps` steps of a branch that begins with this edit.
Recorded recordEdit(const RunSettings& asked, const RunEdit& edit, int steps) {
  const ResolvedSettings config = resolve(asked);
  Telemetry telemetry;
  const auto data = openDataset(config);
  Trainer trainer(config, data, telemetry, {RunBranch{"", config.asked(), edit.step, edit, std::nullopt}});
  if (!startBranch(trainer, data, nullptr, [] { return true; })) return {};
  Recorded recorded;
  recorded.info = std::make_shared<const RunInfo>(trainer.info());
  for (int i = 0; i < steps; ++i) {
    telemetry.requestRecord();
    trainer.step();
    recorded.steps.push_back(telemetry.takeRecord());
  }
  return recorded;
}

bool reduces(const StepRecord& record) {
  return std::ranges::any_of(record.spans, [](const Span& span) {
    return span.label == labelOf(Label::AllReduce) &&
           (span.kind == SpanKind::Transfer || span.kind == SpanKind::Reduce);
  });
}

bool isLockStep(const Picture& picture) {
  for (int op = 0; op < kCnnOps; ++op)
    for (int r = 1; r < picture.index.info().replicas; ++r)
      if (endOf(picture, r, static_cast<CnnOp>(op)) != endOf(picture, 0, static_cast<CnnOp>(op))) return false;
  return true;
}

// Returns the first number in the caption that is not the loss of a replica that has computed its loss; empty if all
// are.
QString wrongLoss(const Picture& picture, const QString& caption, std::int64_t ns) {
  static const QRegularExpression number(QStringLiteral("\\d\\.(\\d{3,6})"));
  for (auto found = number.globalMatch(caption); found.hasNext();) {
    const QRegularExpressionMatch match = found.next();
    bool known = false;
    for (int r = 0; r < picture.index.info().replicas; ++r)
      known = known ||
              (endOf(picture, r, CnnOp::Loss) <= ns && !picture.index.record().replicas[size_t(r)].losses.empty() &&
               numberText(picture.index.loss(r), 'f', match.capturedLength(1)) == match.captured(0));
    if (!known) return match.captured(0);
  }
  return {};
}

// If a caption says "are now W₇" or "has W₇", all replicas' circles must say so, or that of the device with the only
// copy.
bool weightsAreAsSaid(const Picture& picture, const Scene& scene, const QString& caption) {
  static const QRegularExpression said(QStringLiteral("(?:now|has) (W[₀-₉]+)"));
  const QRegularExpressionMatch match = said.match(caption);
  if (!match.hasMatch()) return true;
  const RunInfo& info = picture.index.info();
  const bool one = picture.index.asynchronous() || (info.parameterDevices > 0 && info.replicas > 1);
  int circles = 0;
  for (const Item& item : scene.items) {
    if (item.shape != Item::Shape::Weights || item.object.kind != Object::Kind::Weights) continue;
    if (one != (item.object.endpoint >= info.replicas)) continue;
    ++circles;
    if (item.text.section(QLatin1Char(' '), 0, 0) != match.captured(1)) return false;
  }
  return circles > 0;
}

}  // namespace

class TestCaptions : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { flushDenormals(); }

  // A file stores its beat by name, so the name must be readable again; lessons know every beat.
  void beatsHaveNamesForFiles() {
    for (int kind = 0; kind <= static_cast<int>(BeatKind::Aborted); ++kind) {
      const char* key = beatKey(static_cast<BeatKind>(kind));
      ExperimentFile file;
      file.view = SavedView{.step = 1, .beat = key};
      QCOMPARE(parseExperiment(experimentText(file, "test"), "test").view->beat, std::string(key));
      const std::string_view inLessons = key == std::string_view("deal") ? "distribute" : key;
      QVERIFY2(std::ranges::count(beatNames(), inLessons) == 1, key);
    }
    QCOMPARE(std::ssize(beatNames()), static_cast<std::ptrdiff_t>(BeatKind::Aborted) + 1);
  }

  // Neighbours' weights are averaged before the update and without a sum over all replicas, not even of losses.
  void neighboursAverageBeforeTheUpdate() {
    const auto mixing = std::ranges::find(strategies(), Reducer::Neighbours, &StrategyInfo::reducer);
    const auto settings =
        QStringLiteral("strategy=%1 replicas=4 global-batch=10").arg(QString::fromStdString(mixing->key));
    const Recorded run = test::recordSteps(test::stageConfig(settings), 2);
    const Picture picture(run.info, run.steps.back(), Pace::Story);
    const auto said = [&](BeatKind kind) {
      const Beat& beat = *picture.story.find(kind);
      return picture.story.captionAt(beat.beginS + 0.98 * (beat.endS - beat.beginS));
    };
    QVERIFY(picture.story.find(BeatKind::Losses) == nullptr);
    QVERIFY(picture.story.find(BeatKind::Aggregate)->endS <= picture.story.find(BeatKind::Update)->beginS);
    QVERIFY(said(BeatKind::Forward).contains(QStringLiteral("weights of its own")));
    QVERIFY(said(BeatKind::Aggregate).contains(QStringLiteral("neighbours on the ring")));
    QVERIFY(said(BeatKind::Update).contains(QStringLiteral("its own gradient")));
    QVERIFY(said(BeatKind::Check).contains(QStringLiteral("not compared")));
  }

  // From a weight's change by hand on, no caption says that all copies have the same weights.
  void aChangedCopyDoesNotHaveTheSameWeights() {
    for (const char* strategy : {"mirrored", "tpu", "central-storage"}) {
      const auto settings = QStringLiteral("strategy=%1 replicas=2 global-batch=8").arg(QLatin1String(strategy));
      const RunEdit edit{.step = 2, .what = RunEdit::What::Weight, .replica = 1, .index = 7, .value = 0.5F};
      const bool keepsCopies = QLatin1String(strategy) != QLatin1String("central-storage");
      const Recorded run = recordEdit(test::stageConfig(settings), edit, keepsCopies ? 2 : 1);
      QVERIFY(!run.steps.empty());
      for (const auto& step : run.steps) {
        if (keepsCopies) QVERIFY(step->metric.mirrorsIdentical == false);
        const Picture picture(run.info, step);
        for (const Beat& beat : picture.story.beats)
          for (const Beat::TimedCaption& saying : beat.sayings)
            QVERIFY2(!saying.text.contains(QStringLiteral("same weights"), Qt::CaseInsensitive),
                     qPrintable(QLatin1String(strategy) + QStringLiteral(": ") + saying.text));
      }
    }
  }

  // A caption such as "8 of 8 are still computing; the others …" is wrong: there are no others.
  void nobodyIsAmongNoOthers() {
    static const QRegularExpression all(
        QStringLiteral("^(?:Still computing: |Backward already[^:]+: )?(\\d+) of \\1 "));
    for (const char* settings : {"strategy=central-storage replicas=8 batch-per-replica=4",
                                 "strategy=mirrored replicas=4 batch-per-replica=4 reducer=ring bytes-per-pack=1024"}) {
      const Recorded run = test::recordSteps(test::stageConfig(QLatin1String(settings)), 1);
      const Picture picture(run.info, run.steps.front());
      bool early = false;
      for (const Beat& beat : picture.story.beats)
        for (const Beat::TimedCaption& saying : beat.sayings) {
          QVERIFY2(!all.match(saying.text).hasMatch(), qPrintable(saying.text));
          early = early || saying.text.startsWith(QStringLiteral("All "));
        }
      QVERIFY2(early || !QLatin1String(settings).contains(QLatin1String("central")), settings);
    }
  }

  // Every strategy says something in each beat and in each language, and what it says is translated.
  void everyStrategySpeaksEveryLanguage_data() {
    QTest::addColumn<QString>("settings");
    for (const StrategyInfo& info : strategies())
      for (const std::int64_t replicas :
           std::set<std::int64_t>{info.goesWithout.empty() ? 1 : info.defaultReplicas, info.defaultReplicas})
        for (const char* batch : {"8", "3"})
          QTest::addRow("%s %d %s", info.key.c_str(), static_cast<int>(replicas), batch)
              << QStringLiteral("strategy=%1 replicas=%2 batch-per-replica=%3")
                     .arg(QString::fromStdString(info.key))
                     .arg(replicas)
                     .arg(QLatin1String(batch));
  }
  void everyStrategySpeaksEveryLanguage() {
    QFETCH(QString, settings);
    const Recorded run = test::recordSteps(test::stageConfig(settings), 2);
    for (const auto& record : run.steps) {
      QStringList said[2];
      for (const bool german : {false, true}) {
        language::use(german ? QStringLiteral("de") : QStringLiteral("en"));
        const Picture picture(run.info, record);
        for (const Beat& beat : picture.story.beats) {
          for (const Beat::TimedCaption& saying : beat.sayings) {
            QVERIFY2(!saying.text.isEmpty(), qPrintable(beat.name));
            said[german] << saying.text;
          }
          QVERIFY(!beat.sayings.empty());
          if (!beat.note.isEmpty()) said[german] << beat.note;
        }
      }
      language::use(QStringLiteral("en"));
      QCOMPARE(said[true].size(), said[false].size());
      for (qsizetype i = 0; i < said[true].size(); ++i)
        QVERIFY2(said[true][i] != said[false][i], qPrintable(said[true][i]));
    }
  }

  // No two schedules share a caption: one without words of its own would be called an all-reduce on one device.
  void everyScheduleHasWordsOfItsOwn() {
    QSet<QString> said;
    for (const Reducer schedule : kSchedules) {
      const Recorded run =
          test::recordSteps(test::stageConfig(QStringLiteral("strategy=multi-worker-mirrored replicas=4 hosts=2 "
                                                             "global-batch=8 reducer=%1")
                                                  .arg(test::nameOf(schedule))),
                            1);
      const Picture picture(run.info, run.steps.front(), Pace::Play);
      const Beat* const sum = picture.story.find(BeatKind::Aggregate);
      QVERIFY(sum != nullptr);
      const QString caption = sum->captionAt(sum->motionS);
      QVERIFY2(!said.contains(caption), qPrintable(test::nameOf(schedule) + QStringLiteral(": ") + caption));
      said << caption;
    }
  }

  // Where there are too few hosts or replicas for a schedule's parts, its caption does not name them.
  void schedulesAreNotSaidToHavePartsThatTheyLack() {
    struct Case {
      const char *settings, *said;
    };
    const Case cases[] = {
        {"strategy=mirrored replicas=4 global-batch=8 reducer=hierarchical", "between the hosts"},
        {"strategy=multi-worker-mirrored replicas=3 hosts=3 global-batch=6 reducer=hierarchical", "inside each host"},
        {"strategy=mirrored replicas=2 global-batch=8 reducer=halving-doubling", "quarters"},
        {"strategy=mirrored replicas=3 global-batch=6 reducer=halving-doubling", "quarters"},
        {"strategy=mirrored replicas=3 global-batch=6 reducer=torus", "rows"},
        {"strategy=mirrored replicas=2 global-batch=8 reducer=torus", "columns"}};
    for (const Case& each : cases) {
      const Recorded run = test::recordSteps(test::stageConfig(QLatin1String(each.settings)), 1);
      const Picture picture(run.info, run.steps.front());
      const Beat* const sum = picture.story.find(BeatKind::Aggregate);
      QVERIFY(sum != nullptr);
      const QString caption = sum->captionAt(sum->motionS);
      QVERIFY2(caption.startsWith(QStringLiteral("All-reduce")), qPrintable(caption));
      QVERIFY2(!caption.contains(QLatin1String(each.said)), qPrintable(caption));
      RunInfo withMpi = *run.info;
      withMpi.reducer = "mpi";
      const StepMilestones course = milestonesOf(withMpi, *run.steps.front());
      const QString said = beatCaption(BeatKind::Aggregate, {withMpi, *run.steps.front(), course});
      QVERIFY2(said.contains(QStringLiteral("MPI")) && !said.contains(QStringLiteral("one device")), qPrintable(said));
    }
  }

  void everyCaptionIsTrue_data() {
    QTest::addColumn<QString>("settings");
    const auto row = [](const QString& settings) { QTest::newRow(qPrintable(settings)) << settings; };
    for (const char* strategy : {"default", "one-device", "central-storage replicas=1", "mirrored replicas=1"})
      row(QStringLiteral("strategy=%1 batch-per-replica=8").arg(QLatin1String(strategy)));
    for (const char* strategy : {"mirrored", "central-storage", "tpu"})
      for (const int replicas : {2, 4, 8})
        for (const int batch : {16, 13, 3})  // equal shares, unequal ones, empty ones
          row(QStringLiteral("strategy=%1 replicas=%2 global-batch=%3")
                  .arg(QLatin1String(strategy))
                  .arg(replicas)
                  .arg(batch));
    for (const Reducer schedule : kSchedules)
      if (schedule != Reducer::Hierarchical)  // needs several hosts; see below
        row(QStringLiteral("strategy=mirrored replicas=4 global-batch=10 slow=1:4 reducer=%1")
                .arg(test::nameOf(schedule)));
    row(QStringLiteral("strategy=mirrored replicas=4 global-batch=10 loss-scaling=loop"));
    row(QStringLiteral("strategy=mirrored replicas=4 global-batch=10 split=file"));
    row(QStringLiteral("strategy=tpu replicas=4 global-batch=16 slow=1:3"));
    row(QStringLiteral("strategy=central-storage replicas=4 global-batch=10 slow=1:4"));
    row(QStringLiteral("strategy=multi-worker-mirrored replicas=4 hosts=2 global-batch=10"));
    row(QStringLiteral("strategy=multi-worker-mirrored replicas=4 hosts=2 global-batch=8 auto-shard=off"));
    row(QStringLiteral("strategy=multi-worker-mirrored replicas=8 hosts=2 global-batch=16 reducer=hierarchical"));
    for (const int workers : {1, 2, 4, 8})
      row(QStringLiteral("strategy=parameter-server replicas=%1 batch-per-replica=4").arg(workers));
    row(QStringLiteral("strategy=parameter-server replicas=4 parameter-servers=2 batch-per-replica=4 slow=2:3"));
    row(QStringLiteral("strategy=mirrored replicas=2 global-batch=13 devices=cpu"));
    row(QStringLiteral("strategy=parameter-server replicas=3 batch-per-replica=4 devices=cpu"));
  }
  // If weights are averaged only now and then, a step without an exchange says so and names the step of the next
  // average.
  void aStepWithoutAnExchangeSaysSo() {
    for (const StrategyInfo& info : strategies()) {
      if (info.repeatsEvery.empty()) continue;
      const auto settings = QStringLiteral("strategy=%1 replicas=3 hosts=1 global-batch=10 steps=5 %2=3");
      const Recorded run =
          test::recordSteps(test::stageConfig(settings.arg(QString::fromStdString(info.key),
                                                           QString::fromStdString(info.repeatsEvery.front()))),
                            5);
      const char* const said[] = {"next average is in step 3", "next average is in step 3", "identical",
                                  "before the run ends", "before the run ends"};
      for (std::size_t i = 0; i < 5; ++i) {
        const Picture picture(run.info, run.steps[i], Pace::Story);
        QVERIFY(picture.story.find(BeatKind::Losses) == nullptr);  // adding the losses would be an exchange
        const Beat* const average = picture.story.find(BeatKind::Aggregate);
        QCOMPARE(average != nullptr, i == 2);
        const Beat& check = *picture.story.find(BeatKind::Check);
        const QString caption = picture.story.captionAt(check.beginS + 0.98 * (check.endS - check.beginS));
        QVERIFY2(caption.contains(QLatin1String(said[i])), qPrintable(caption));
        if (average == nullptr) continue;
        QVERIFY(picture.story.find(BeatKind::Update)->endS <= average->beginS);
        const QString sum = average->captionAt(average->motionS);
        QVERIFY2(sum.contains(QStringLiteral("each copy counts by the number of images")), qPrintable(sum));
      }
    }
  }

  // If replicas keep parts, captions say when the parts are gathered, and no replica is said or shown to have more than
  // it has.
  void partsAreGathered() {
    const auto sharding =
        std::ranges::find_if(strategies(), [](const StrategyInfo& each) { return !each.shards.empty(); });
    for (int stage = 1; stage <= 3; ++stage) {
      const bool nowhere = stage == StrategyInfo::kWholeNowhere;
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=%1 replicas=4 global-batch=8 %2=%3")
                                .arg(QString::fromStdString(sharding->key), QString::fromStdString(sharding->shards))
                                .arg(stage)),
          2);
      const Picture picture(run.info, run.steps[1], Pace::Story);
      QStringList beats;
      for (const Beat& beat : picture.story.beats) beats << QLatin1String(beatKey(beat.kind));
      const QStringList expected = nowhere
                                       ? QStringList{"gather", "forward", "gather", "backward", "aggregate", "update"}
                                       : QStringList{"forward", "backward", "aggregate", "update", "gather"};
      QCOMPARE(beats.mid(2, expected.size()), expected);
      for (const Beat& beat : picture.story.beats)
        for (const Beat::TimedCaption& saying : beat.sayings)
          QVERIFY2(!saying.text.contains(QStringLiteral("every replica has the sum")) &&
                       !saying.text.contains(QStringLiteral("own copy")),
                   qPrintable(saying.text));
      const auto saidAt = [&](BeatKind kind) {
        return picture.story.find(kind)->captionAt(picture.story.find(kind)->endS);
      };
      QVERIFY(saidAt(BeatKind::Aggregate).contains(QStringLiteral("Reduce-scatter")));
      QVERIFY(saidAt(BeatKind::Gather).contains(weightsName(nowhere ? 1 : 2)));
      QVERIFY(saidAt(BeatKind::Check).contains(nowhere ? QStringLiteral("No copies") : QStringLiteral("identical")));
      // Every replica has the new weights when the gather has ended; in a stage without copies it keeps only its part.
      const Beat &update = *picture.story.find(BeatKind::Update), &forward = *picture.story.find(BeatKind::Forward);
      const std::int64_t last = run.steps[1]->endNs;
      for (int r = 0; r < 4; ++r) {
        QCOMPARE(picture.index.versionOf(r, update.endNs, false), nowhere ? 2 : 1);
        QCOMPARE(picture.index.versionOf(r, last, false), 2);
        QCOMPARE(picture.index.partOfWeights(r, forward.beginNs), 1.0);
        QCOMPARE(picture.index.partOfWeights(r, run.steps[1]->beginNs), nowhere ? 0.25 : 1.0);
        QCOMPARE(picture.index.partOfWeights(r, last), nowhere ? 0.25 : 1.0);
      }
      QVERIFY(picture.index.isScattered(last) && !picture.index.isScattered(forward.endNs));
      QCOMPARE(picture.index.keepsSumAlone(last), stage >= 2);
    }
  }

  // If nobody compared the copies, as in a class that trains in step, no caption says that copies differ.
  void whatWasNotComparedIsNotSaidToDiffer() {
    const Recorded run = test::recordSteps(test::stageConfig(QStringLiteral("strategy=mirrored replicas=3")), 1);
    auto record = std::make_shared<StepRecord>(*run.steps.front());
    QVERIFY(record->metric.mirrorsIdentical == true);
    record->metric.mirrorsIdentical.reset();
    const Picture picture(run.info, record, Pace::Story);
    const Beat& check = *picture.story.find(BeatKind::Check);
    for (const double part : {0.1, 0.98}) {
      const QString caption = picture.story.captionAt(check.beginS + part * (check.endS - check.beginS));
      QVERIFY2(caption.contains(QStringLiteral("The server has the new variables")), qPrintable(caption));
    }
  }

  void everyCaptionIsTrue() {
    QFETCH(QString, settings);
    const auto config = test::stageConfig(settings);
    const Recorded run = test::recordSteps(config, strategyInfo(config.strategy).synchronous ? 2 : 20);
    for (const auto& record : run.steps)
      for (const Pace pace : {Pace::Story, Pace::Play}) {
        const Picture picture(run.info, record, pace);
        for (const Beat& beat : picture.story.beats) {
          std::vector<double> moments{beat.beginS};
          for (const double part : {0.0, 0.02, 0.25, 0.5, 0.75, 0.98})
            moments.push_back(beat.motionS + part * (beat.endS - beat.motionS));
          for (const double seconds : moments) check(picture, beat, seconds);
          if (QTest::currentTestFailed()) return;
        }
        check(picture, picture.story.beats.back(), picture.story.seconds);
      }
  }

  // Who waits for whom is said in the asynchronous strategy's own words.
  void workersFlowInTheirStrategysWords() {
    std::set<std::string> said;
    for (const StrategyInfo& info : strategies()) {
      if (info.synchronous) continue;
      for (const char* settings : {"replicas=2 parameter-servers=1", "replicas=8 parameter-servers=1",
                                   "replicas=4 parameter-servers=2", "replicas=3 parameter-servers=1 devices=cpu"}) {
        const Recorded run = test::recordSteps(
            test::stageConfig(QStringLiteral("strategy=%1 batch-per-replica=4 ").arg(QString::fromStdString(info.key)) +
                              QLatin1String(settings)),
            30);
        for (const auto& record : run.steps) {
          std::string moment = "worker.flow";
          if (run.info->clock == TimeSource::Measured)
            moment += ".measured";
          else if (serverLoadOf(*run.info, *record).queued)
            moment += run.info->parameterDevices > 1 ? ".links" : ".link";
          said.insert(moment);
          const QString own = strategyWords(info.kind, moment);
          const StepMilestones course = milestonesOf(*run.info, *record);
          const QString caption = beatCaption(BeatKind::Flow, {*run.info, *record, course});
          QVERIFY2(!own.isEmpty() && caption.startsWith(own + QLatin1Char(' ')), qPrintable(caption));
        }
      }
    }
    QCOMPARE(said.size(), std::size_t{4});
  }

  // Each worker shows its last batch, weights and loss until the next batch, and never shows a wait while it works.
  void workersAreShownInWhatTheyDo_data() {
    QTest::addColumn<QString>("settings");
    for (const char* settings : {"replicas=8 batch-per-replica=8", "replicas=4 batch-per-replica=64 slow=2:3",
                                 "replicas=3 parameter-servers=2 batch-per-replica=4 devices=cpu"})
      QTest::newRow(settings) << QString::fromLatin1(settings);
  }
  void workersAreShownInWhatTheyDo() {
    QFETCH(QString, settings);
    const Recorded run =
        test::recordSteps(test::stageConfig(QStringLiteral("strategy=parameter-server ") + settings), 40);
    std::set<int> haveComputed;
    std::map<int, double> lastLoss;
    for (const auto& record : run.steps) {
      const Picture picture(run.info, record, Pace::Play, {1900, 900});
      for (int i = 0; i <= 8; ++i) {
        const double seconds = picture.story.seconds * i / 8;
        const std::int64_t ns = picture.story.clockAt(seconds);
        const Scene scene = picture.at(seconds);
        for (const int worker : haveComputed) {
          QString badge, idle, loss;
          int digits = 0;
          bool dim = true, dimBadge = false, dimLoss = false;
          const QRectF lossBox = picture.layout.columnOf(worker).loss;
          for (const Item& item : scene.items) {
            if (item.object == Object{Object::Kind::Weights, worker} && item.shape == Item::Shape::Weights)
              badge = item.text, dimBadge = item.quiet;
            if (item.shape == Item::Shape::Text && item.box == lossBox) loss = item.text, dimLoss = item.quiet;
            if (item.shape == Item::Shape::Digit && item.object.endpoint == worker)
              ++digits, dim = dim && item.opacity < 1;
            if (item.shape == Item::Shape::Hatch && item.owner == worker) idle = item.text;
          }
          QVERIFY2(digits > 0, qPrintable(QStringLiteral("worker %1, step %2").arg(worker).arg(record->metric.step)));
          QVERIFY(badge.startsWith(QLatin1Char('W')));
          QCOMPARE(dim, picture.index.isPast(worker, ns));
          // A column is hatched if its worker neither computes nor sends nor receives.
          QCOMPARE(!idle.isEmpty(), picture.index.doing(worker, ns) == StepIndex::Doing::Queues);
          // If a message from or to the worker is on its way, the worker's column says so.
          const auto exchanges = [&](std::int32_t Span::*end) {
            return std::ranges::any_of(record->spans, [&](const Span& span) {
              return span.kind == SpanKind::Transfer && span.*end == worker && span.startNs <= ns &&
                     ns < span.startNs + span.durationNs;
            });
          };
          const bool pushes = exchanges(&Span::from), pulls = exchanges(&Span::to);
          if (pushes || pulls)
            QVERIFY2(std::ranges::any_of(scene.items,
                                         [&](const Item& item) {
                                           return item.owner == worker && ((pushes && item.text == u"pushes") ||
                                                                           (pulls && item.text == u"pulls"));
                                         }),
                     qPrintable(QStringLiteral("worker %1, step %2").arg(worker).arg(record->metric.step)));
          if (picture.index.isPast(worker, ns)) {
            const ReplicaStep& past = *picture.index.batchOf(worker, ns);
            QCOMPARE(StepIndex::loss(past), lastLoss[worker]);
            QVERIFY2(loss.contains(numberText(lastLoss[worker], 'f', 2)) ||
                         loss.contains(numberText(lastLoss[worker], 'f', 3)),
                     qPrintable(loss));
            QVERIFY(dimBadge && dimLoss);
          } else {
            QVERIFY(!dimBadge && !dimLoss);
          }
        }
        if (std::ssize(haveComputed) == run.info->replicas)
          QVERIFY(!textsOf(scene).contains(QStringLiteral("no batch yet")));
      }
      haveComputed.insert(*record->metric.worker);
      lastLoss[*record->metric.worker] = picture.index.loss(*record->metric.worker);
    }
  }

  // Captions say that a worker's gradient is applied, not that the worker is.
  void gradientsAreAppliedAndNotWorkers() {
    int told = 0;
    for (const int workers : {2, 4, 16}) {
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=parameter-server replicas=%1 batch-per-replica=4").arg(workers)),
          4);
      for (const auto& record : run.steps) {
        const Picture picture(run.info, record, Pace::Play, {1280, 560});
        for (int i = 0; i <= 60; ++i)
          for (const QString& text : textsOf(picture.at(picture.story.seconds * i / 60))) {
            if (!text.contains(QStringLiteral("applied"))) continue;
            ++told;
            QVERIFY2(text.contains(QStringLiteral("radient")) || text.contains(QStringLiteral("∇")), qPrintable(text));
          }
      }
    }
    QVERIFY(told > 0);
  }

  // The window says "distribute", as the README and the handbook do; saved moments keep the older key "deal".
  void imagesAreDistributed() {
    QCOMPARE(beatName(BeatKind::Distribute), QStringLiteral("distribute"));
    QCOMPARE(QLatin1String(beatKey(BeatKind::Distribute)), QLatin1String("deal"));
    const Recorded run = test::recordSteps(test::stageConfig(QStringLiteral("strategy=mirrored replicas=2")), 1);
    const Picture picture(run.info, run.steps.front());
    static const QRegularExpression dealing(QStringLiteral("\\bdeal(s|t|ing)?\\b"));
    for (int i = 0; i <= 60; ++i) {
      const double seconds = picture.story.seconds * i / 60;
      QVERIFY(!picture.story.captionAt(seconds).contains(dealing));
      for (const QString& text : textsOf(picture.at(seconds))) QVERIFY2(!text.contains(dealing), qPrintable(text));
    }
    for (const Beat& beat : picture.story.beats) QVERIFY2(!beat.name.contains(dealing), qPrintable(beat.name));
  }

  // If sharding is off, the hosts get the same images, so no caption says that the replicas' parts differ.
  void withoutShardingTheHostsGetTheSameImages() {
    for (const char* shard : {"off", "data"}) {
      const bool off = QLatin1String(shard) == QLatin1String("off");
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=multi-worker-mirrored replicas=4 hosts=2 global-batch=8 "
                                           "auto-shard=%1")
                                .arg(QLatin1String(shard))),
          1);
      const auto& replicas = run.steps.front()->replicas;
      QCOMPARE(replicas[0].shard == replicas[2].shard, off);
      const Picture picture(run.info, run.steps.front());
      const Beat* beat = picture.story.find(BeatKind::Distribute);
      QVERIFY(beat != nullptr);
      const QString caption = beat->captionAt(beat->endS);
      QVERIFY2(caption.contains(QStringLiteral("different part of the batch")) != off, qPrintable(caption));
      QVERIFY2(caption.startsWith(QStringLiteral("The same 4 images go to each of the 2 hosts")) == off,
               qPrintable(caption));
    }
  }

  // Images of a replica that was left out are in the batch, but not in the mean, so it is not one over all images. How
  // short the last batch is does not depend on them.
  void aMeanIsOverTheImagesThatCount() {
    const Recorded run = test::recordSteps(
        test::stageConfig(QStringLiteral("strategy=backup-workers replicas=4 slow=2:3 global-batch=32 "
                                         "train-examples=48 test-examples=8")),
        2);
    for (const auto& step : run.steps) {
      QCOMPARE(step->metric.leftOut, std::vector<int>{2});
      const QString count = countText(step->metric.examples);
      const Picture picture(run.info, step, Pace::Play, {1900, 900});
      const Beat* losses = picture.story.find(BeatKind::Losses);
      QVERIFY(losses != nullptr);
      const QString texts = textsOf(picture.at(0.05 * losses->motionS + 0.95 * losses->endS)).join(QLatin1Char('|'));
      QVERIFY2(texts.contains(QStringLiteral("the mean over the %1 images that count").arg(count)), qPrintable(texts));
      QVERIFY2(!texts.contains(QStringLiteral("over all")), qPrintable(texts));
      const QString caption = lossesCaption(*run.info, *step, 0.9);
      QVERIFY2(caption.contains(QStringLiteral("images that count")), qPrintable(caption));
    }
    QCOMPARE(run.steps.back()->metric.distributed(), std::int64_t{16});
    QCOMPARE(remainderWords(*run.info, run.steps.back()->metric), QStringLiteral("16 of 32 images"));
  }

  // What the aggregation sent is the gradients alone: without weights that are pulled before or gathered after it.
  void anAggregationSendsWhatItsMessagesCarry() {
    for (const auto& [settings, label] : {std::pair{"strategy=central-storage", Label::PushGradients},
                                          {"strategy=sharded shard-stage=1", Label::ReduceScatter}}) {
      const Recorded run = test::recordSteps(
          test::stageConfig(QLatin1String(settings) + QStringLiteral(" replicas=4 global-batch=8")), 2);
      const StepRecord& record = *run.steps.back();
      std::int64_t sent = 0;
      for (const Span& span : record.spans)
        if (span.kind == SpanKind::Transfer && span.label == labelOf(label) && span.step == 2) sent += span.bytes;
      QVERIFY(sent > 0 && sent < record.metric.bytesSent);
      const Picture picture(run.info, run.steps.back());
      const Beat* beat = picture.story.find(BeatKind::Aggregate);
      QVERIFY(beat != nullptr);
      const QString line = narrate(*run.info, record, *beat, beat->endS);
      QVERIFY2(line.endsWith(QStringLiteral(" Sent in total: %1.").arg(bytesText(sent))), qPrintable(line));
    }
  }

  // TensorFlow's log counts one all-reduce for each variable of this network.
  void theLogCountsTheNetworksVariables() {
    for (const char* network : {"", "network=mlp"}) {
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=mirrored replicas=2 reducer=ring ") + QLatin1String(network)), 1);
      const std::size_t variables = run.info->network->layout().variables().size();
      QCOMPARE(variables == 6, *network == '\0');
      const QString log = logExplanation(*run.info);
      QVERIFY2(log.contains(QStringLiteral("tensors: %1 all_reduces").arg(variables)), qPrintable(log));
    }
  }

  // Only ReductionToOneDevice logs it, which several hosts do not use, and TensorFlow lacks some strategies.
  void onlyWhoLogsTheReductionIsSaidTo() {
    for (const auto& [strategy, logs] : {std::pair{"mirrored", true},
                                         {"multi-worker-mirrored", false},
                                         {"backup-workers", false},
                                         {"sharded", false}}) {
      const Recorded run =
          test::recordSteps(test::stageConfig(QStringLiteral("replicas=4 strategy=") + QLatin1String(strategy)), 1);
      QVERIFY2(lossesNote(*run.info).contains(u"Reduce to CPU") == logs, strategy);
      QVERIFY2(logNote(*run.info).contains(u"Reduce to CPU") == logs, strategy);
      QVERIFY2(logExplanation(*run.info).contains(u"Here it is about losses") == logs, strategy);
    }
  }

  // Two losses that are NaN are not said to differ.
  void lossesThatAreNoNumbersDoNotDiffer() {
    const Recorded run = test::recordSteps(test::stageConfig(QStringLiteral("strategy=mirrored replicas=2")), 1);
    const auto saysThatTheyDiffer = [&run](const std::shared_ptr<const StepRecord>& record) {
      const Picture picture(run.info, record);
      const Beat* backward = picture.story.find(BeatKind::Backward);
      const QString caption = picture.story.captionAt(0.1 * backward->beginS + 0.9 * backward->endS);
      return caption.contains(QStringLiteral("losses differ"));
    };
    QVERIFY(saysThatTheyDiffer(run.steps.front()));
    const auto diverged = std::make_shared<StepRecord>(*run.steps.front());
    for (ReplicaStep& replica : diverged->replicas) std::ranges::fill(replica.losses, std::nanf(""));
    QVERIFY(!saysThatTheyDiffer(diverged));
  }

  // Captions say that the link is full if it is, and only then.
  void whereMoreWorkersDoNotHelpItIsSaid() {
    for (const auto& [workers, full] : {std::pair{1, false}, {8, true}}) {
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=parameter-server replicas=%1 batch-per-replica=8").arg(workers)),
          30);
      const StepRecord& record = *run.steps.back();
      const ServerLoad load = serverLoadOf(*run.info, record);
      QVERIFY2(load.isFull() == full, qPrintable(QStringLiteral("%1 %2").arg(load.busy).arg(load.queueShare)));
      QCOMPARE(load.queued, full);
      const Picture picture(run.info, run.steps.back());
      QCOMPARE(picture.story.beats.front().note.contains(QStringLiteral("more workers no longer help")), full);
      QCOMPARE(picture.story.captionAt(0).contains(QStringLiteral("one pulls, one pushes, the others wait their turn")),
               full);
    }
  }

  // Each of three images on the first replica has a third of the weight of the fourth replica's only image.
  void unequalVotesAreSaid() {
    const auto trays = [](const Picture& picture) {
      QStringList words;
      for (const Item& item : picture.at(picture.story.seconds).items)
        if (item.shape == Item::Shape::Text && item.text.contains(QStringLiteral("image"))) words << item.text;
      words.removeFirst();  // the words of the batch
      return words;
    };
    const QString settings = QStringLiteral("strategy=mirrored replicas=4 global-batch=10");
    const Recorded fit = test::recordSteps(test::stageConfig(settings), 1);
    const Picture unequal(fit.info, fit.steps.front(), Pace::Play, {1900, 900});
    QCOMPARE(trays(unequal).size(), 4);
    QVERIFY(trays(unequal)[0].contains(QStringLiteral("each counts 1/12")));
    QVERIFY(trays(unequal)[3].contains(QStringLiteral("each counts 1/4")));
    QVERIFY(unequal.story.find(BeatKind::Distribute)->note.contains(QStringLiteral("an image of R3 weighs 3 times")));
    // If there is less room, the words about an image's weight are the ones that stay.
    for (const double width : {700.0, 900.0, 1100.0, 1300.0}) {
      const Picture narrow(fit.info, fit.steps.front(), Pace::Play, {width, 700});
      int told = 0;
      for (const Item& item : narrow.at(narrow.story.seconds).items) {
        if (item.shape != Item::Shape::Text || !(item.text.contains(u"1/12") || item.text.contains(u"1/4"))) continue;
        QCOMPARE(longestThatFits({item.text, {}}, item.box.width(), item.fontPx), item.text);
        ++told;
      }
      QCOMPARE(told, 4);
    }
    // A replica without images counts in the average as well.
    const Recorded empty =
        test::recordSteps(test::stageConfig(QStringLiteral("strategy=mirrored replicas=4 global-batch=3")), 1);
    const Picture less(empty.info, empty.steps.front(), Pace::Play, {1900, 900});
    QVERIFY(trays(less)[0].contains(QStringLiteral("each counts 1/4")));
    QVERIFY(less.story.find(BeatKind::Distribute)->note.contains(QStringLiteral("the gradient is only 3/4 as large")));
    for (const char* fair : {"strategy=mirrored replicas=4 global-batch=10 loss-scaling=loop",
                             "strategy=mirrored replicas=4 global-batch=12"}) {
      const Recorded run = test::recordSteps(test::stageConfig(QString::fromLatin1(fair)), 1);
      const Picture equal(run.info, run.steps.front(), Pace::Play, {1900, 900});
      for (const QString& words : trays(equal)) QVERIFY2(!words.contains(QStringLiteral("counts")), qPrintable(words));
    }
  }

  // The images of a replica that is left out have no weight: those of the others, which have three each, are equal.
  void votesOfThoseLeftOutAreNotCompared() {
    const Recorded run = test::recordSteps(
        test::stageConfig(QStringLiteral("strategy=backup-workers replicas=4 slow=3:50 global-batch=10")), 1);
    const StepRecord& record = *run.steps.front();
    QCOMPARE(record.metric.leftOut, std::vector<int>{3});
    QCOMPARE(record.metric.shards, (std::vector<std::int64_t>{3, 3, 3, 1}));
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1900, 900});
    QVERIFY(!picture.index.votesDiffer());
    for (const int replica : {0, 1, 2}) QCOMPARE(std::llround(1 / picture.index.vote(replica)), 9LL);
    QCOMPARE(picture.index.vote(3), 0.0);
    const QString note = picture.story.find(BeatKind::Distribute)->note;
    QVERIFY2(!note.contains(QStringLiteral("weighs")), qPrintable(note));
  }

  void aClusterOfOneWorkerWaitsForNobody() {
    for (const int hosts : {1, 2}) {
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=multi-worker-mirrored replicas=2 hosts=%1").arg(hosts)), 1);
      const std::vector<BeatStep> steps = startUpSteps(*run.info, *run.steps.front());
      const auto waits = [](const BeatStep& step) { return step.line.contains(u"waits until all"); };
      QVERIFY(!steps.empty());
      QCOMPARE(std::ranges::any_of(steps, waits), hosts > 1);
    }
  }

  // Two workers share the steps of an epoch, so neither has read everything by its own reading when it ends.
  void aWorkersCacheIsFilledByItsOwnReading() {
    for (const auto& [settings, isOwn] : {std::pair{"strategy=parameter-server replicas=2", true},
                                          {"strategy=parameter-server replicas=1", false},
                                          {"strategy=mirrored replicas=1", false}}) {
      const Recorded run =
          test::recordSteps(test::stageConfig(QString::fromLatin1(settings) +
                                              QStringLiteral(" batch-per-replica=32 train-examples=64 epochs=2")),
                            3);
      QCOMPARE(run.info->stepsPerEpoch, std::int64_t{2});
      for (const std::size_t step : {std::size_t{0}, std::size_t{2}}) {
        const std::vector<BeatStep> steps = inputSteps(*run.info, *run.steps[step]);
        const auto cache = std::ranges::find(steps, QStringLiteral("cache"), &BeatStep::line);
        QVERIFY(cache != steps.end());
        QCOMPARE(cache->saying.contains(QStringLiteral("once that worker has read all 64 images")), isOwn);
        QCOMPARE(cache->saying.contains(step == 0 ? QStringLiteral("the first epoch fills it")
                                                  : QStringLiteral("this is epoch 2")),
                 !isOwn);
      }
    }
  }

  // A copy of the variables is on each device, unless the devices keep parts of them. Workers of parameter servers do
  // not run the graph together.
  void theStartSaysWhereVariablesAre() {
    for (const int stage : {1, 2, 3}) {
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=sharded replicas=4 global-batch=8 shard-stage=%1").arg(stage)), 1);
      QStringList words;
      for (const BeatStep& step : startUpSteps(*run.info, *run.steps.front())) words << step.line << step.saying;
      const QString said = words.join(QLatin1Char('|'));
      QVERIFY2(said.contains(QStringLiteral("one copy per device")) == (stage < 3), qPrintable(said));
      QVERIFY2(said.contains(QStringLiteral("one per device")) == (stage < 3), qPrintable(said));
      QVERIFY2(said.contains(QStringLiteral("its own part of them, 1/4")) == (stage == 3), qPrintable(said));
    }
    for (const bool servers : {false, true}) {
      const QString strategy = servers ? QStringLiteral("parameter-server") : QStringLiteral("mirrored");
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=%1 replicas=4 batch-per-replica=2").arg(strategy)), 1);
      const QString last = startUpSteps(*run.info, *run.steps.front()).back().saying;
      QCOMPARE(last.contains(QStringLiteral("all replicas at once")), !servers);
      QCOMPARE(last.contains(QStringLiteral("each worker whenever it is ready")), servers);
      if (servers) continue;
      // The copies are made with the variables, although the movie comes to them after the graph.
      const Picture picture(run.info, run.steps.front());
      const Beat* startup = picture.story.find(BeatKind::Startup);
      QVERIFY(startup != nullptr);
      QVERIFY2(startup->sayings.back().text.startsWith(QStringLiteral("Shown last: creating the variables copies")),
               qPrintable(startup->sayings.back().text));
    }
    const Recorded one =
        test::recordSteps(test::stageConfig(QStringLiteral("strategy=one-device batch-per-replica=2")), 1);
    const QString last = startUpSteps(*one.info, *one.steps.front()).back().saying;
    QVERIFY2(last.contains(QStringLiteral("on the one device")), qPrintable(last));
  }

  // The terms shown add up to the sum shown, in the caption, on the card and in the lists; otherwise the sum is called
  // approximate, with the reason.
  void lossesThatAreShownAddUp() {
    const WrittenSum two = writtenSum({1.15914, 1.15084});  // 1.1591 + 1.1508 is not 2.3100
    QCOMPARE(two.terms, QStringList({QStringLiteral("1.15914"), QStringLiteral("1.15084")}));
    QCOMPARE(two.total, QStringLiteral("2.30998"));
    QCOMPARE(writtenSum({1.25, 1.5}).whole(), QStringLiteral("2.7500"));
    const WrittenSum thirds = writtenSum({1.0 / 3, 1.0 / 3, 1.0 / 3});
    QCOMPARE(thirds.equals() + thirds.whole(), QStringLiteral(" ≈ 1.0000 (the terms are rounded)"));
    QCOMPARE(thirds.terms.front(), QStringLiteral("0.3333"));
    for (int seed = 1; seed <= 12; ++seed) {
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=16 seed=%1").arg(seed)), 1);
      const Picture picture(run.info, run.steps.front(), Pace::Play, {1900, 900});
      const Beat* losses = picture.story.find(BeatKind::Losses);
      const double late = losses->motionS + 0.95 * (losses->endS - losses->motionS);
      const QString caption = lossesCaption(*run.info, *run.steps.front(), 0.9);
      bool found = false;
      for (const Item& item : picture.at(late).items) {
        if (!item.text.startsWith(QStringLiteral("reduce(SUM): ")) || item.text.contains(QChar(0x2248))) continue;
        const QStringList sides = item.text.section(QStringLiteral(": "), 1).split(QStringLiteral(" = "));
        qint64 sum = 0;
        for (const QString& term : sides.front().split(QStringLiteral(" + ")))
          sum += QString(term).remove(QLatin1Char('.')).toLongLong();
        QVERIFY2(sum == QString(sides.back()).remove(QLatin1Char('.')).toLongLong(), qPrintable(item.text));
        QVERIFY2(caption.contains(sides.back() + QLatin1Char('.')), qPrintable(caption));
        found = true;
      }
      QVERIFY(found);
      // The stage has the sum as soon as the caption says it.
      const double soon = losses->motionS + 0.6 * (losses->endS - losses->motionS);
      const QString said = losses->captionAt(soon);
      QVERIFY2(said.contains(QStringLiteral("strategy.reduce(SUM)")), qPrintable(said));
      for (const Item& item : picture.at(soon).items)
        if (item.text.startsWith(QStringLiteral("reduce(SUM): ")))
          QVERIFY2(!item.text.contains(QChar(0x2026)), qPrintable(item.text));
    }
  }

  // If losses are divided by each replica's own batch, the sum is N times too large. A switch shows this; the run stays
  // as it is.
  void theWrongDivisionIsNTimesTooLarge() {
    for (const char* scaling : {"fit", "loop"}) {
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=mirrored replicas=4 global-batch=16 loss-scaling=%1")
                                .arg(QLatin1String(scaling))),
          1);
      const Picture picture(run.info, run.steps.front(), Pace::Play, {1900, 900});
      const Beat* losses = picture.story.find(BeatKind::Losses);
      QVERIFY(losses != nullptr);
      const double late = losses->motionS + 0.95 * (losses->endS - losses->motionS);
      const auto sumIn = [](const Scene& scene) {
        for (const Item& item : scene.items)
          if (item.text.contains(QStringLiteral("reduce(SUM)")))
            return item.text.section(QStringLiteral(" = "), -1).toDouble();
        return 0.0;
      };
      const double loss = run.steps.front()->metric.loss;
      QVERIFY(std::abs(sumIn(picture.at(late)) - loss) < 1e-4);
      SceneInput wrong{picture.index, picture.layout, picture.story, late, {}};
      wrong.dividesWrongly = true;
      QVERIFY(std::abs(sumIn(makeScene(wrong)) - 4 * loss) < 1e-3);
      // The scene says so at every place: the sum, each replica's part, the caption.
      for (const double part : {0.3, 0.8}) {
        wrong.seconds = losses->beginS + part * (losses->endS - losses->beginS);
        for (const Item& item : makeScene(wrong).items)
          if (item.object.kind == Object::Kind::Loss && !item.text.isEmpty())
            QVERIFY2(item.text.startsWith(QStringLiteral("WRONG")), qPrintable(item.text));
      }
    }
  }

  // Divided by its own batch, a loss is the replica's mean, also where a loop's shares are unequal. Then no one number
  // says how much too large the sum is.
  void theWrongDivisionOfUnequalSharesHasNoFactor() {
    const Recorded run = test::recordSteps(
        test::stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=7 loss-scaling=loop")), 1);
    const StepRecord& record = *run.steps.front();
    QCOMPARE(record.metric.shards, (std::vector<std::int64_t>{4, 3}));
    double means = 0;
    for (const ReplicaStep& replica : record.replicas)
      means += std::reduce(replica.losses.begin(), replica.losses.end(), 0.0) / double(replica.losses.size());
    const LossParts losses = lossParts(*run.info, record);
    QVERIFY(std::abs(losses.wrongSum - means) < 1e-6);
    QCOMPARE(losses.timesTooLarge, std::int64_t{0});
    const QString caption = wrongLossesCaption(*run.info, record);
    QVERIFY2(!caption.contains(QStringLiteral(" times")), qPrintable(caption));
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1900, 900});
    const Beat* beat = picture.story.find(BeatKind::Losses);
    QVERIFY(beat != nullptr);
    SceneInput wrong{picture.index, picture.layout, picture.story, 0.05 * beat->motionS + 0.95 * beat->endS, {}};
    wrong.dividesWrongly = true;
    const QString texts = textsOf(makeScene(wrong)).join(QLatin1Char('\n'));
    for (const char* part : {"WRONG: mean of 4 = ", "WRONG: mean of 3 = "})
      QVERIFY2(texts.contains(QLatin1String(part)), qPrintable(texts));
    QVERIFY2(texts.contains(QStringLiteral("WRONG reduce(SUM)")) && !texts.contains(QStringLiteral(" times too")),
             qPrintable(texts));
  }

  // With one backup worker of two, one replica's loss is the step's: nothing is divided by "the 1 replicas".
  void theOnlyLossThatCountsIsNotDivided() {
    const Recorded run =
        test::recordSteps(test::stageConfig(QStringLiteral("strategy=backup-workers replicas=2 slow=1:3")), 1);
    const StepRecord& record = *run.steps.front();
    QCOMPARE(record.metric.leftOut, std::vector<int>{1});
    const QString caption = lossesCaption(*run.info, record, 0.1);
    QVERIFY2(caption.contains(QStringLiteral("the only replica that counts")), qPrintable(caption));
    const Picture picture(run.info, run.steps.front());
    const Description text = describe({Object::Kind::Loss, 0}, picture.index, picture.story, picture.story.seconds);
    QVERIFY(std::ranges::any_of(text.rows,
                                [](const auto& row) { return row.name.contains(QStringLiteral("no other replica")); }));
  }

  // The caption and the card below it say the same factor: the number of replicas in the sum.
  void theWrongDivisionCountsReplicasOfTheSum() {
    const Recorded run = test::recordSteps(
        test::stageConfig(QStringLiteral("strategy=backup-workers replicas=4 slow=2:3 global-batch=32")), 1);
    const StepRecord& record = *run.steps.front();
    QCOMPARE(record.metric.leftOut, std::vector<int>{2});
    QCOMPARE(lossParts(*run.info, record).timesTooLarge, std::int64_t{3});
    const QString caption = wrongLossesCaption(*run.info, record);
    QVERIFY2(caption.contains(QStringLiteral("3 times")), qPrintable(caption));
  }

  // One replica's own batch is the whole batch that counts.
  void theWrongDivisionOfOneReplicaIsNoDifference() {
    const Recorded run = test::recordSteps(
        test::stageConfig(QStringLiteral("strategy=backup-workers replicas=2 slow=1:3 global-batch=16")), 1);
    const StepRecord& record = *run.steps.front();
    QCOMPARE(record.metric.leftOut, std::vector<int>{1});
    QCOMPARE(lossParts(*run.info, record).timesTooLarge, std::int64_t{1});
    const QString caption = wrongLossesCaption(*run.info, record);
    QVERIFY2(caption.contains(QStringLiteral("no difference")) && !caption.contains(QStringLiteral(" times")),
             qPrintable(caption));
  }

  // The accuracy counts all replicas' right answers, and the epoch's first step tells of the input.
  void anEpochBeginsWithItsInputAndEndsWithATest() {
    for (const char* strategy : {"mirrored", "parameter-server", "one-device"}) {
      RunSettings config = test::stageConfig(QStringLiteral("strategy=%1 batch-per-replica=8 train-examples=32 "
                                                            "test-examples=25 steps=4 epochs=1")
                                                 .arg(QLatin1String(strategy)));
      config.evalEvery = 2;
      Telemetry telemetry;
      Trainer trainer(resolve(config), openDataset(config), telemetry);
      auto info = std::make_shared<const RunInfo>(trainer.info());
      for (int step = 1; step <= 2; ++step) {
        telemetry.requestRecord();
        trainer.step();
        const auto record = telemetry.takeRecord();
        const Picture picture(info, record);
        QCOMPARE(picture.story.find(BeatKind::Input) != nullptr, step == 1);
        QCOMPARE(picture.story.find(BeatKind::Evaluate) != nullptr, step == 2);
        for (const Metric& metric : telemetry.takeMetrics()) {
          const auto* evaluation = std::get_if<EvalMetric>(&metric);
          if (evaluation == nullptr) continue;
          QCOMPARE(evaluation->step, 2);
          std::int64_t right = 0, all = 0;
          for (const EvalShare& share : evaluation->shares) right += share.correct, all += share.examples;
          QCOMPARE(all, 25);
          QCOMPARE(std::ssize(evaluation->shares), static_cast<std::ptrdiff_t>(info->replicas));
          QCOMPARE(double(right) / 25, evaluation->testAccuracy);
        }
      }
    }
  }

  // The workers' counts are not half under the card with their sum.
  void countsStandBesideTheirSum() {
    RunSettings config =
        test::stageConfig(QStringLiteral("strategy=parameter-server replicas=4 batch-per-replica=8 "
                                         "train-examples=64 test-examples=1000 steps=4 epochs=1"));
    config.evalEvery = 4;
    Telemetry telemetry;
    Trainer trainer(resolve(config), openDataset(config), telemetry);
    telemetry.requestRecord();
    while (!trainer.finished()) {
      telemetry.requestRecord();
      trainer.step();
    }
    const Picture picture(std::make_shared<const RunInfo>(trainer.info()), telemetry.takeRecord());
    for (const Metric& metric : telemetry.takeMetrics()) {
      const auto* evaluation = std::get_if<EvalMetric>(&metric);
      if (evaluation == nullptr) continue;
      SceneInput input{picture.index, picture.layout, picture.story, picture.story.seconds, {}};
      input.evaluation = evaluation;
      const Scene scene = makeScene(input);
      std::vector<QRectF> chips;
      QRectF card;
      for (const Item& item : scene.items) {
        if (item.object.kind != Object::Kind::Evaluation) continue;
        item.shape == Item::Shape::Chip ? chips.push_back(item.box) : void(card |= item.box);
      }
      QCOMPARE(std::ssize(chips), 4);
      for (const QRectF& chip : chips) QVERIFY(!chip.intersects(card));
      return;
    }
    QFAIL("no evaluation");
  }

  // A gradient of zeros is drawn empty, both in its place and on its way.
  void zerosAreDrawnEmpty() {
    for (const char* strategy : {"mirrored", "central-storage"}) {
      const Recorded run = test::recordSteps(
          test::stageConfig(QStringLiteral("strategy=%1 replicas=4 global-batch=3").arg(QLatin1String(strategy))), 1);
      const Picture picture(run.info, run.steps.front());
      const Beat* aggregate = picture.story.find(BeatKind::Aggregate);
      QVERIFY(aggregate != nullptr);
      int tokens = 0;
      for (int i = 0; i < 40; ++i) {
        const double seconds = aggregate->beginS + i * (aggregate->endS - aggregate->beginS) / 40;
        for (const Item& item : picture.at(seconds).items) {
          if (i == 0 && item.shape == Item::Shape::Cell && item.object.endpoint < 4)
            QCOMPARE(item.level > 0, item.object.endpoint < 3);
          if (item.shape != Item::Shape::Token || item.owner != 3) continue;
          ++tokens;
          QCOMPARE(item.level, 0.0);
        }
      }
      QVERIFY(tokens > 0);
    }
  }

 private:
  static void check(const Picture& picture, const Beat& beat, double seconds) {
    const RunInfo& info = picture.index.info();
    const StepRecord& record = picture.index.record();
    const Scene scene = picture.at(seconds);
    const QString caption = captionOf(scene, picture.layout);
    const std::int64_t ns = picture.story.clockAt(seconds);
    const QString where =
        QStringLiteral("step %1, %2 at %3 s: %4").arg(record.metric.step).arg(beat.name).arg(seconds).arg(caption);
    const char* const words = qPrintable(where);
    QVERIFY2(!caption.isEmpty(), words);
    static const QRegularExpression oneAsMany(QStringLiteral("\\b1 of \\d+ \\w+ (are|have|know)\\b"));
    QVERIFY2(!oneAsMany.match(caption).hasMatch(), words);
    // The caption must fit into two lines, also in a longer language.
    QFont font;
    font.setBold(true);
    font.setPixelSize(qRound(0.72 * 1.5 * picture.layout.px));
    const double line = picture.layout.caption.width() - 10.4 * picture.layout.px;
    QVERIFY2(QFontMetricsF(font).horizontalAdvance(caption) <= 1.6 * line, words);
    font.setBold(false);
    QVERIFY2(QFontMetricsF(font).horizontalAdvance(beat.note) * 0.95 / 1.5 <= 0.85 * picture.layout.caption.width(),
             words);
    const bool oneByOne = picture.index.asynchronous();
    if (beat.kind == BeatKind::Losses)
      checkLosses(picture, caption, scene, words);
    else if (!oneByOne)
      QVERIFY2(wrongLoss(picture, caption, ns).isEmpty(), words);
    QVERIFY2(weightsAreAsSaid(picture, scene, caption), words);
    if (caption.contains(QStringLiteral("identical"))) {
      QVERIFY2(beat.kind == BeatKind::Check && ns == record.endNs, words);
      QVERIFY2(seconds >= beat.verdictS() - 1e-6, words);  // not before the verdict's sign appears
      QVERIFY2(std::ranges::all_of(record.replicas,
                                   [&](const ReplicaStep& replica) {
                                     return replica.weightsDigest == record.replicas.front().weightsDigest;
                                   }),
               words);
    }
    for (const QString& text : textsOf(scene))
      if (text.contains(QStringLiteral("all-reduce"), Qt::CaseInsensitive)) QVERIFY2(reduces(record), qPrintable(text));
    if (caption.contains(QStringLiteral("lock-step"))) QVERIFY2(isLockStep(picture), words);
    static const QRegularExpression sum(QStringLiteral("[Ee]veryone (gets|has now) the sum"));
    if (caption.contains(sum))
      for (const Item& item : scene.items)
        if (item.shape == Item::Shape::Cell) QVERIFY2(item.level >= 1, words);
    // If the stage shows a wait, the caption does not say that nobody waits.
    const bool waits =
        std::ranges::any_of(scene.items, [](const Item& item) { return item.shape == Item::Shape::Hatch; });
    static const QRegularExpression nobody(QStringLiteral("[Nn]obody waits(?! for another's gradient)"));
    if (waits) QVERIFY2(!caption.contains(nobody), words);
    // The caption says "becomes" only while some replica has not yet updated.
    if (caption.contains(QStringLiteral("becomes")) && !oneByOne) {
      bool all = true;
      for (int r = 0; r < info.replicas; ++r) all = all && picture.index.isUpdated(r, ns);
      QVERIFY2(!all, words);
    }
  }

  // Computes the parts anew from the images' losses: every number said must be one of them, their sum, or the step's
  // loss.
  static void checkLosses(const Picture& picture, const QString& caption, const Scene& scene, const char* words) {
    const RunInfo& info = picture.index.info();
    const StepRecord& record = picture.index.record();
    QSet<QString> known;
    const auto know = [&](double value) {
      for (const int digits : {4, 5, 6}) known << numberText(value, 'f', digits);
    };
    know(record.metric.loss);
    double sum = 0;
    for (int r = 0; r < info.replicas; ++r) {
      const auto& losses = record.replicas[size_t(r)].losses;
      double own = 0;
      for (const float loss : losses) own += double(loss);
      const double divisor = info.config.lossReduction == LossReduction::Loop ? double(info.config.globalBatch)
                                                                              : double(losses.size()) * info.replicas;
      const double part = losses.empty() ? 0 : own / divisor;
      sum += part;
      know(part);
    }
    know(sum);
    static const QRegularExpression number(QStringLiteral("\\d\\.\\d{4,}"));
    QStringList said{caption};
    for (const Item& item : scene.items)
      if (item.text.contains(QStringLiteral("reduce")) || item.object.kind == Object::Kind::Loss) said << item.text;
    for (const QString& text : said)
      for (auto found = number.globalMatch(text); found.hasNext();) {
        const QString value = found.next().captured(0);
        QVERIFY2(known.contains(value), qPrintable(QString::fromUtf8(words) + QLatin1Char(' ') + value));
      }
    if (caption.contains(QStringLiteral("That is the step's loss")))
      QCOMPARE(numberText(sum, 'f', 4), numberText(record.metric.loss, 'f', 4));
  }
};

QTEST_MAIN(TestCaptions)
#include "tst_captions.moc"
