// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector shows the run's own numbers for everything on the stage, and nothing that lies after the shown moment.
#include <QApplication>
#include <QDir>
#include <QHelpEvent>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include <algorithm>
#include <fstream>
#include <set>

#include "core/base/bit_digest.h"
#include "core/config/run_settings.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "core/training/trainer.h"
#include "tests/support/patience.h"
#include "tests/support/records.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describe.h"
#include "ui/inspect/describer.h"
#include "ui/inspect/heat_map.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/memory_area.h"
#include "ui/playback/playback.h"
#include "ui/playback/step_milestones.h"
#include "ui/runview/run_controller.h"
#include "ui/scene/scene.h"
#include "ui/stage/stage.h"
#include "ui/step/selection.h"
#include "ui/step/value_map.h"
#include "ui/theme/theme.h"

using namespace lab;

namespace {

using Kind = Object::Kind;

struct Moment {
  std::unique_ptr<StepIndex> index;
  Story story;

  Description at(const Object& object, double part) const {
    return describe(object, *index, story, part * story.seconds);
  }
};

Moment record(const char* strategy, const std::vector<std::pair<const char*, const char*>>& settings = {},
              int steps = 2) {
  RunSettings config;
  config.dataset = "digits";
  config.evalEvery = 0;
  config.threads = 2;
  configField("strategy").set(config, strategy);
  for (const auto& [name, value] : settings) configField(name).set(config, value);
  const bool synchronous = strategyInfo(config.strategy).synchronous;
  if (!config.globalBatch && synchronous) config.globalBatch = 8;
  if (!synchronous) config.batchPerReplica = 4;
  Telemetry telemetry;
  Trainer trainer(resolve(config), openDataset(config), telemetry);
  std::shared_ptr<const StepRecord> last;
  for (int i = 0; i < steps; ++i) last = test::recordedStep(trainer, telemetry);
  Moment moment;
  moment.index = std::make_unique<StepIndex>(std::make_shared<const RunInfo>(trainer.info()), last);
  moment.story = makeStory(moment.index->info(), *last, Pace::Play);
  return moment;
}

QString valueOf(const Description& text, const char* name) {
  for (const Description::Row& row : text.rows)
    if (row.name == QLatin1String(name)) return row.value;
  return QStringLiteral("no such row");
}

}  // namespace

class TestInspect : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // The row says which of a link's two bandwidths it shows.
  void aLinkHasItsEffectiveBandwidth() {
    const Moment moment = record("mirrored", {{"replicas", "2"}});
    const auto& tracks = moment.index->info().legend.tracks;
    const auto link = std::ranges::find_if(tracks, [](const auto& track) { return track.isLink; });
    QVERIFY(link != tracks.end());
    const Description text =
        describe({.kind = Kind::Link, .index = link - tracks.begin()}, *moment.index, moment.story, 0);
    QCOMPARE(valueOf(text, "Bandwidth"), QStringLiteral("120 GB/s effective, modelled"));
  }

  // The picture of an answer has room only for a class's number, so if classes have names, the image's tip and the
  // inspector say them.
  void namedClassesAreNamed() {
    const QTemporaryDir folder;
    for (const char* name : {"cat", "dog"}) {
      QVERIFY(QDir(folder.path()).mkdir(QLatin1String(name)));
      QImage picture(32, 32, QImage::Format_RGB32);
      for (int i = 0; i < 16; ++i) {
        picture.fill(QColor::fromHsv((*name == 'c' ? 0 : 180) + i, 200, 200));
        QVERIFY(picture.save(folder.filePath(QStringLiteral("%1/%2.png").arg(QLatin1String(name)).arg(i))));
      }
    }
    RunSettings config;
    config.dataset = "colour";
    config.dataDir = folder.path().toStdString();
    config.network = "cifar10";
    config.replicas = 2;
    config.globalBatch = 4;
    config.evalEvery = 0;
    RunController controller;
    Playback playback(controller);
    Selection selection;
    Stage stage(controller, playback, selection);
    playback.setReducedMotion(true);
    stage.resize(1100, 560);
    stage.show();
    controller.start(config, true);
    QTRY_VERIFY2_WITH_TIMEOUT(playback.record() != nullptr, qPrintable(controller.failure()), kPatienceMs);
    playback.seek(1, playback.story().seconds);
    QTRY_VERIFY_WITH_TIMEOUT(!playback.isMoving(), kPatienceMs);
    stage.grab();
    const auto& items = stage.scene().items;
    const auto digit = std::ranges::find(items, Item::Shape::Digit, &Item::shape);
    QVERIFY(digit != items.end());
    const QPoint at = digit->box.center().toPoint();
    QHelpEvent help(QEvent::ToolTip, at, stage.mapToGlobal(at));
    QApplication::sendEvent(&stage, &help);
    static const QRegularExpression named(
        QStringLiteral("\\nLabel: (cat|dog)\\nPrediction: (cat|dog), (right|wrong)$"));
    QVERIFY2(QToolTip::text().contains(named), qPrintable(QToolTip::text()));
  }

  // A test step shows what each replica counted, and the sum, once the moment has reached the result.
  void theTestStepHasItsCounts() {
    const Moment moment = record("mirrored", {{"replicas", "2"}, {"eval-every", "2"}});
    EvalMetric evaluation{.step = 2, .testLoss = 1.5, .testAccuracy = 0.7, .shares = {{6, 4}, {4, 3}}};
    const auto at = [&](double part, const EvalMetric* known) {
      return describe({Kind::Evaluation}, *moment.index, moment.story, part * moment.story.seconds, known);
    };
    QCOMPARE(valueOf(at(0, &evaluation), "Recognised"), QStringLiteral("not computed yet"));
    QCOMPARE(valueOf(at(1, nullptr), "Recognised"), QStringLiteral("the result is not there yet"));
    const Description text = at(1, &evaluation);
    QCOMPARE(valueOf(text, "R0 recognised"), QStringLiteral("4 of 6"));
    QCOMPARE(valueOf(text, "R1 recognised"), QStringLiteral("3 of 4"));
    QVERIFY(valueOf(text, "reduce(SUM)").startsWith(QStringLiteral("7 of ")));
    QVERIFY(valueOf(text, "Accuracy").startsWith(QStringLiteral("70")));
    QVERIFY(evaluationAfter({evaluation}, *moment.index) != nullptr);
    evaluation.step = 1;
    QVERIFY(evaluationAfter({evaluation}, *moment.index) == nullptr);
  }

  // Copies that may differ are evaluated by their mean, and the note says so.
  void theNoteSaysWhichWeightsAnswer() {
    for (const char* strategy : {"gossip", "mirrored"}) {
      const Moment moment = record(strategy, {{"replicas", "4"}, {"eval-every", "2"}});
      const QString note = moment.at({Kind::Evaluation}, 1).note;
      const bool own = QLatin1String(strategy) == QLatin1String("mirrored");
      QVERIFY2(note.contains(QStringLiteral("its own weights")) == own, qPrintable(note));
      QVERIFY2(note.contains(QStringLiteral("mean of all copies")) != own, qPrintable(note));
    }
    for (const char* strategy : {"central-storage", "parameter-server"}) {
      const QString note = record(strategy, {{"replicas", "2"}, {"eval-every", "2"}}).at({Kind::Evaluation}, 1).note;
      QVERIFY2(note.contains(QStringLiteral("the only copy")), qPrintable(note));
    }
  }

  // A strategy that has words of its own for its copies is described by them.
  void aCopyIsDescribedInItsStrategysWords() {
    int described = 0;
    for (const StrategyInfo& info : strategies()) {
      const QString own = strategyWords(info.kind, "copies"), always = strategyWords(info.kind, "copies.always");
      if (own.isEmpty()) continue;
      ++described;
      const QString said = strategyWords(info.kind, "copies", countText(info.round(RunSettings{})));
      const QString note = record(info.key.c_str(), {{"replicas", "4"}}).at({Kind::Weights, 1, -1}, 1).note;
      QVERIFY2(note.contains(said), qPrintable(note));
      if (always.isEmpty()) continue;
      const Moment each = record(info.key.c_str(), {{"replicas", "4"}, {info.repeatsEvery.front().c_str(), "1"}});
      QVERIFY(each.at({Kind::Weights, 1, -1}, 1).note.contains(always));
    }
    QVERIFY(described > 0);
  }

  // So are the messages that bring its copies together.
  void aMessageIsDescribedInItsStrategysWords() {
    int described = 0;
    for (const StrategyInfo& info : strategies()) {
      if (strategyWords(info.kind, "transfer").isEmpty()) continue;
      ++described;
      const Moment moment = record(info.key.c_str(), {{"replicas", "4"}});
      const auto first = static_cast<std::int64_t>(moment.index->aggregation().transfers().front());
      const auto copies = static_cast<std::int64_t>(moment.index->aggregation().inMean());
      QCOMPARE(moment.at({.kind = Kind::Transfer, .index = first}, 1).note,
               strategyWords(info.kind, "transfer", countText(copies)));
    }
    QVERIFY(described > 0);
  }

  void everythingOnTheStageIsDescribed_data() {
    QTest::addColumn<QByteArray>("strategy");
    QTest::addColumn<int>("steps");
    for (const StrategyInfo& info : strategies())
      for (const int steps : {1, 5})
        QTest::addRow("%s, step %d", info.key.c_str(), steps) << QByteArray::fromStdString(info.key) << steps;
  }
  void everythingOnTheStageIsDescribed() {
    QFETCH(QByteArray, strategy);
    QFETCH(int, steps);
    const Moment moment = record(strategy.constData(), {}, steps);
    const StageLayout layout = layoutStage(moment.index->info(), QSizeF(1280, 640));
    std::set<int> kinds;
    for (int i = 0; i <= 20; ++i) {
      const double seconds = moment.story.seconds * i / 20;
      for (const Item& item : makeScene({*moment.index, layout, moment.story, seconds, {}}).items) {
        if (!item.object) continue;
        const Description text = describe(item.object, *moment.index, moment.story, seconds);
        QVERIFY2(!text.title.isEmpty() && text.title != QStringLiteral("Not in this step"),
                 qPrintable(QStringLiteral("kind %1 party %2 index %3")
                                .arg(static_cast<int>(item.object.kind))
                                .arg(item.object.endpoint)
                                .arg(item.object.index)));
        kinds.insert(static_cast<int>(item.object.kind));
      }
    }
    QVERIFY(kinds.size() >= 4);
  }

  void whatIsNotThereIsSaid() {
    const Moment moment = record("mirrored");
    for (const Object& object : {Object{Kind::Digit, 7, 0}, Object{Kind::Digit, 0, 99}, Object{Kind::Gradient, -4, 3},
                                 Object{Kind::Transfer, -1, 1'000'000}, Object{Kind::Weights, 60, 0},
                                 Object{Kind::Layer, 0, 99}, Object{Kind::Device, 1000, 0}, Object{Kind::Link, 0, 5000},
                                 Object{Kind::VariableShard, 0, 0}, Object{Kind::Queue}, Object{Kind::Host, 0, 70}})
      QCOMPARE(moment.at(object, 0.5).title, QStringLiteral("Not in this step"));
    QVERIFY(moment.at({}, 0.5).title.isEmpty());
  }

  void aDigitIsTheRunsOwn() {
    const Moment moment = record("mirrored");
    const StepRecord& step = moment.index->record();
    for (int replica = 0; replica < 2; ++replica) {
      const ReplicaStep& own = step.replicas[static_cast<std::size_t>(replica)];
      for (std::size_t i = 0; i < own.shard.size(); ++i) {
        const Object digit{Kind::Digit, replica, static_cast<std::int64_t>(i)};
        const int label = moment.index->info().data->train.labels[static_cast<std::size_t>(own.shard[i])];
        const Description before = moment.at(digit, 0), after = moment.at(digit, 1);
        QCOMPARE(valueOf(before, "Prediction"), QStringLiteral("not computed yet"));
        QCOMPARE(valueOf(before, "Its loss"), QStringLiteral("not computed yet"));
        QCOMPARE(valueOf(after, "Label"), QString::number(label));
        QCOMPARE(valueOf(after, "Prediction"),
                 QString::number(own.predictions[i]) +
                     (own.predictions[i] == label ? QStringLiteral(", right") : QStringLiteral(", wrong")));
        QCOMPARE(valueOf(after, "Its loss"), describeNumber(static_cast<double>(own.losses[i])));
        QCOMPARE(after.digit.size(), QSize(28, 28));
        QCOMPARE(after.subtitle, QStringLiteral("of the built-in digits, R%1").arg(replica));
        QVERIFY(after.note.contains(QStringLiteral("= 4.")));
      }
    }
  }

  // Under fit, an image of a small share counts more, and the inspector says so.
  void whatAnImageCountsIsTold() {
    const auto counts = [](const Moment& moment, int replica) {
      return valueOf(moment.at({Kind::Digit, replica, 0}, 1), "Counts in the gradient");
    };
    const Moment unequal = record("mirrored", {{"replicas", "4"}, {"global-batch", "10"}});
    QCOMPARE(counts(unequal, 0), QStringLiteral("1/12; in equal shares it would be 1/10"));
    QCOMPARE(counts(unequal, 3), QStringLiteral("1/4; in equal shares it would be 1/10"));
    QCOMPARE(counts(record("mirrored", {{"replicas", "4"}, {"global-batch", "10"}, {"loss-scaling", "loop"}}), 3),
             QStringLiteral("1/10"));
    QCOMPARE(counts(record("mirrored"), 1), QStringLiteral("1/8"));
  }

  // What the coordinator's queue says of waiting agrees with the use of the links.
  void theQueueTellsOfTheLink() {
    const Description full = record("parameter-server", {{"replicas", "8"}}, 30).at({Kind::Queue, -1, -1}, 0.3);
    const QString own = strategyWords(StrategyKind::ParameterServer, "worker.closure");
    QVERIFY(own.contains(QStringLiteral("Nobody waits for another's gradient")) && full.note.startsWith(own));
    QVERIFY(full.note.contains(QStringLiteral("more workers do not help")));
    const QRegularExpression always(QStringLiteral("^busy for (100|(> )?99\\.\\d) %"));
    QVERIFY(always.match(valueOf(full, "Busiest link of the servers")).hasMatch());
    QVERIFY(full.note.contains(strategyWords(StrategyKind::ParameterServer, "worker.queue.links")));
    int queue = 0;
    const QString queues = strategyWords(StrategyKind::ParameterServer, "worker.queue");
    QVERIFY(queues.contains(QStringLiteral("the server's link")));
    for (const Description::Row& row : full.rows) queue += row.value == queues;
    QVERIFY2(queue >= 5, qPrintable(QString::number(queue)));
  }

  // Workers are said to queue for the link where one does, as in the caption, and nowhere else.
  void theQueueIsNamedWhereThereIsOne() {
    std::set<bool> seen;
    for (const char* workers : {"2", "8"})
      for (const int steps : {10, 20, 30}) {
        const Moment moment = record("parameter-server", {{"replicas", workers}}, steps);
        const bool queued = serverLoadOf(moment.index->info(), moment.index->record()).queued;
        const QString note = moment.at({Kind::Queue, -1, -1}, 0).note;
        const QString own = strategyWords(StrategyKind::ParameterServer, "worker.queue.links");
        QVERIFY(own.contains(QStringLiteral("the others wait their turn")));
        QVERIFY2(note.contains(own) == queued, qPrintable(note));
        seen.insert(queued);
      }
    QCOMPARE(seen.size(), std::size_t{2});
  }

  // A single worker stands behind nobody: while it does nothing, its request is in transit.
  void aSingleWorkerQueuesForNothing() {
    const Moment moment =
        record("parameter-server", {{"replicas", "1"}, {"batch-per-replica", "4"}, {"devices", "simulated"}}, 3);
    const QString queues = strategyWords(StrategyKind::ParameterServer, "worker.queue");
    std::set<QString> done;
    for (int i = 0; i <= 100; ++i) {
      const QString told = valueOf(moment.at({Kind::Queue, -1, -1}, moment.story.seconds * i / 100), "worker 0");
      QVERIFY2(told != queues, qPrintable(QString::number(i)));
      done.insert(told);
    }
    QVERIFY(done.contains(QStringLiteral("pulls weights")) && done.contains(QStringLiteral("computes its batch")));
  }

  // A worker's device and the coordinator's queue say the same of the worker at every moment.
  void aWorkerDoesOneThing() {
    const Moment moment =
        record("parameter-server", {{"replicas", "4"}, {"batch-per-replica", "4"}, {"devices", "simulated"}}, 20);
    std::set<QString> done;
    for (int i = 0; i <= 100; ++i) {
      const Description queue = moment.at({Kind::Queue, -1, -1}, i / 100.0);
      for (int worker = 0; worker < 4; ++worker) {
        const QString told = valueOf(queue, qPrintable(QStringLiteral("worker %1").arg(worker)));
        const QString now = valueOf(moment.at({Kind::Device, worker, -1}, i / 100.0), "Now");
        done.insert(told);
        if (told != QStringLiteral("computes its batch")) QCOMPARE(now, told);  // otherwise `now` names the layer
      }
    }
    QVERIFY(done.size() >= 4);
  }

  // A server with nearly all variables does not have all, and the stage says the same of it.
  void aServersShareIsThatOfTheStage() {
    const Moment moment = record("parameter-server", {{"replicas", "2"}, {"parameter-servers", "2"}});
    const StageLayout layout = layoutStage(moment.index->info(), {1280, 640});
    const Scene scene = makeScene({*moment.index, layout, moment.story, 0, {}});
    for (const auto& [endpoint, expected] : {std::pair{2, "99.97 %"}, {3, "0.03 %"}}) {
      const QString share = valueOf(moment.at({Kind::VariableShard, endpoint, -1}, 0), "Share of all variables");
      QCOMPARE(share, QLatin1String(expected));
      QVERIFY(std::ranges::any_of(scene.items, [&share](const Item& item) { return item.text.contains(share); }));
    }
  }

  // The servers' copy has a checksum, so it can be compared with another run's, as every replica's copy can.
  void theServersCopyHasAChecksum() {
    for (const char* strategy : {"central-storage", "parameter-server"}) {
      const Moment moment = record(strategy, {{"replicas", "2"}, {"devices", "simulated"}});
      const QString digest =
          QStringLiteral("%1").arg(bitDigest(moment.index->record().weightsAfter), 16, 16, QLatin1Char('0'));
      QCOMPARE(valueOf(moment.at({Kind::Weights, 2, -1}, 1), "Checksum after step 2"), digest);
    }
  }

  // The count is exact, so a reader who multiplies gets the same: 3×3 products and sums for 26×26×32 values, twice.
  void operationsAreCounted() {
    const Moment moment = record("mirrored", {{"replicas", "2"}, {"global-batch", "8"}});
    const QString conv = valueOf(moment.at({Kind::Layer, 0, 0}, 1), "Arithmetic, on paper");
    QCOMPARE(conv, QStringLiteral("3,115,008 operations for 4 images"));
    QVERIFY(moment.at({Kind::Layer, 0, 0}, 1).note.contains(QStringLiteral("three of four gradients")));
    for (int layer = 0; layer < 3; ++layer)
      QVERIFY(!valueOf(moment.at({Kind::Layer, 0, layer}, 1), "Arithmetic, on paper").startsWith(QLatin1Char('0')));
  }

  // A worker's batch does not begin with another worker's images.
  void thePipelineIsThatOfItsWorker() {
    const Moment moment = record("parameter-server", {{"replicas", "2"}});
    const StepRecord& step = moment.index->record();
    QStringList images;
    for (const std::int64_t example : step.replicas[static_cast<std::size_t>(*step.metric.worker)].shard)
      images << countText(example);
    QCOMPARE(valueOf(moment.at({Kind::Pipeline, -1, 0}, 0), "First images of this batch"),
             images.join(QStringLiteral(" · ")));
  }

  // A worker's gradients do not take the place of the servers' weights.
  void pushedGradientsAreApplied() {
    const Moment moment = record("parameter-server", {{"replicas", "2"}});
    const std::vector<Span>& spans = moment.index->record().spans;
    std::set<QString> pushes;
    for (std::size_t i = 0; i < spans.size(); ++i)
      if (spans[i].kind == SpanKind::Transfer && spans[i].to == 2)
        pushes.insert(valueOf(moment.at({Kind::Transfer, -1, static_cast<std::int64_t>(i)}, 1), "On arrival"));
    QCOMPARE(pushes, (std::set<QString>{QStringLiteral("is applied to the variables there")}));
  }

  void anAdditionHasTheRealNumbers() {
    const Moment moment = record("mirrored", {{"replicas", "3"}, {"reducer", "ring"}});
    const Aggregation& aggregation = moment.index->aggregation();
    const StepRecord& step = moment.index->record();
    int additions = 0;
    for (const std::size_t transfer : aggregation.transfers()) {
      const Description text = moment.at({Kind::Transfer, -1, static_cast<std::int64_t>(transfer)}, 0.7);
      QCOMPARE(text.sums.size(), 5);
      const Span& span = step.spans[transfer];
      const auto numbers = aggregation.numbers(transfer, span.offset, span.count);
      std::set<QString> possible;
      for (std::size_t i = 0; i < numbers.source.size(); ++i) {
        const auto figure = [](float value) { return describeNumber(static_cast<double>(value)); };
        possible.insert(span.add
                            ? QStringLiteral("%1 + %2 = %3")
                                  .arg(figure(numbers.before[i]), figure(numbers.source[i]), figure(numbers.after[i]))
                            : figure(numbers.source[i]));
      }
      for (const QString& sum : text.sums)
        QVERIFY2(possible.contains(sum.section(QLatin1Char('\n'), 1).trimmed()), qPrintable(sum));
      additions += span.add ? 1 : 0;
      QCOMPARE(valueOf(text, "On arrival"),
               span.add ? QStringLiteral("is added to what is there") : QStringLiteral("replaces what is there"));
    }
    QCOMPARE(additions, 3 * 2);
  }

  // Parts that come together after their update are the new weights; those that a pass needs are the old ones.
  void gatheredPartsAreTheWeightsOfTheirTime() {
    const auto sharding =
        std::ranges::find_if(strategies(), [](const StrategyInfo& each) { return !each.shards.empty(); });
    for (const char* stage : {"1", "2", "3"}) {
      const Moment moment = record(sharding->key.c_str(), {{"replicas", "4"}, {sharding->shards.c_str(), stage}});
      const StepRecord& step = moment.index->record();
      const std::vector<float>& weights = *stage == '3' ? step.weightsBefore : step.weightsAfter;
      QVERIFY(step.weightsBefore != step.weightsAfter);
      int gathers = 0;
      for (std::size_t i = 0; i < step.spans.size(); ++i) {
        const Span& span = step.spans[i];
        if (span.kind != SpanKind::Transfer || span.label != labelOf(Label::GatherWeights)) continue;
        ++gathers;
        std::vector<float> shown;
        for (const TensorPart& part : moment.at({Kind::Transfer, -1, static_cast<std::int64_t>(i)}, 1).parts)
          shown.insert(shown.end(), part.values.begin(), part.values.end());
        std::vector<float> expected(weights.begin() + span.offset, weights.begin() + span.offset + span.count);
        std::ranges::sort(shown);  // the largest part comes first
        std::ranges::sort(expected);
        QVERIFY2(shown == expected, stage);
      }
      QVERIFY(gathers > 0);
    }
  }

  void aBufferFillsUp() {
    const Moment moment = record("mirrored", {{"replicas", "2"}});
    const Object buffer{Kind::Gradient, 0, 0};
    QVERIFY(moment.at(buffer, 0).note.startsWith(QStringLiteral("Not computed yet")));
    QCOMPARE(valueOf(moment.at(buffer, 1), "Contains"), QStringLiteral("R0 + R1 (2 of 2)"));
    const Beat* aggregate = moment.story.find(BeatKind::Aggregate);
    QVERIFY(aggregate != nullptr);
    // After the first of two hops one half is the sum, and the other is R0's own.
    const std::vector<Span>& spans = moment.index->record().spans;
    const auto hop = std::ranges::find_if(
        spans, [](const Span& span) { return span.kind == SpanKind::Transfer && span.to == 0 && span.add; });
    QVERIFY(hop != spans.end());
    const double halfway = moment.story.secondsAt(hop->startNs + hop->durationNs) + 0.001;
    QCOMPARE(valueOf(moment.at({Kind::Gradient, 0}, halfway / moment.story.seconds), "Contains"),
             QStringLiteral("1 to 2 of 2, by part"));
    QCOMPARE(valueOf(moment.at({Kind::Gradient, 0}, 1), "Contains"), QStringLiteral("R0 + R1 (2 of 2)"));
    const Description own = moment.at(buffer, aggregate->beginS / moment.story.seconds);
    QCOMPARE(valueOf(own, "Contains"), QStringLiteral("R0 (1 of 2)"));
    QVERIFY(!own.parts.empty());
    const auto& gradients = moment.index->record().replicas[0].gradients;
    QVERIFY(std::ranges::find(gradients, own.parts[0].values[0]) != gradients.end());
  }

  // The zeros that a late replica adds are no gradient, as the caption says.
  void whatCameTooLateIsNotContained() {
    const Moment moment = record("backup-workers", {{"replicas", "4"}, {"slow", "3:3"}});
    QCOMPARE(moment.index->record().metric.leftOut, std::vector<int>{3});
    QCOMPARE(valueOf(moment.at({Kind::Gradient, 0, 0}, 1), "Contains"), QStringLiteral("R0 + R1 + R2 (3 of 4)"));
    const QString late = moment.at({Kind::Gradient, 3}, 1).note;
    QVERIFY2(late.startsWith(QStringLiteral("Too late")), qPrintable(late));
  }

  // Where weights are averaged, a gradient is added to no other, and a neighbours' mean is whole without the others.
  void anAverageIsOfItsCopies() {
    const auto contents = [](const Moment& moment) {
      std::set<QString> all;
      for (int i = 0; i <= 200; ++i) all.insert(valueOf(moment.at({Kind::Gradient, 0}, i / 200.0), "Contains"));
      return all;
    };
    const Moment local = record("local-sgd", {{"replicas", "3"}, {"local-steps", "2"}});
    QVERIFY(contents(local).contains(QStringLiteral("R0 (1 of 1)")));
    QVERIFY(local.at({Kind::Gradient, 0}, 1).note.contains(QStringLiteral("divided by 3 at the end")));
    const Moment ring = record("gossip", {{"replicas", "4"}});
    const double averagedS = ring.story.find(BeatKind::Aggregate)->endS;
    QCOMPARE(valueOf(describe({Kind::Gradient, 0}, *ring.index, ring.story, averagedS), "Contains"),
             QStringLiteral("R0 + R1 + R3 (3 of 3)"));
    for (const QString& each : contents(ring)) QVERIFY2(!each.endsWith(QStringLiteral("of 4)")), qPrintable(each));
  }

  void copiesAreComparedByTheirChecksums() {
    const Description text = record("mirrored").at({Kind::Weights, 1, -1}, 1);
    QCOMPARE(valueOf(text, "Distance to the first copy"), QStringLiteral("0: the same bits"));
    QVERIFY(valueOf(text, "Both copies after the step").contains(QStringLiteral("identical")));
    QVERIFY(valueOf(text, "Version now").contains(QStringLiteral("after 2 updates")));
    QVERIFY(
        valueOf(record("mirrored").at({Kind::Weights, 1, -1}, 0), "Version now").contains(QStringLiteral("after 1 ")));
  }

  // Where not every replica has a row, the sum does not seem to be that of the rows.
  void theSumOfLossesSaysHowManyItLeavesOut() {
    const Description text = record("mirrored", {{"replicas", "40"}, {"global-batch", "40"}}, 1).at({Kind::Loss}, 1);
    QVERIFY(valueOf(text, "R31") != QStringLiteral("no such row"));
    QCOMPARE(valueOf(text, "R32"), QStringLiteral("no such row"));
    QCOMPARE(valueOf(text, "and 8 more"), QStringLiteral("…"));
  }

  // Central storage has no servers: its one copy is in the host's memory.
  void theOneCopyIsNamedByItsPlace() {
    const Moment moment = record("central-storage", {{"replicas", "2"}});
    QVERIFY(valueOf(moment.at({Kind::Weights, 1, -1}, 1), "Distance to the copy on CPU:0") !=
            QStringLiteral("no such row"));
  }

  // Modelled and measured memory are called so; the arrow keys go from change to change, and the words follow.
  void aDeviceHasItsMemoryOverTheStep() {
    for (const bool measured : {false, true}) {
      const Moment moment = record("sharded", {{"replicas", "2"}, {"devices", measured ? "cpu" : "simulated"}});
      const Description text = moment.at({Kind::Device, 1, -1}, 0.5);
      const MemoryTimeline& timeline = text.memory.timeline;
      QVERIFY(timeline == moment.index->record().memoryOverStep[1] && timeline.changes.size() > 2);
      const char* kind = measured ? "measured" : "modelled";
      QCOMPARE(valueOf(text, measured ? "Peak memory, measured" : "Peak memory, modelled"),
               bytesText(sumOf(timeline.peak().bytes)));
      QCOMPARE(valueOf(text, "  gradients"), bytesText(of(timeline.peak().bytes, MemoryKind::Gradients)));
      MemoryArea area;
      area.show(text.memory);
      QVERIFY(area.words().contains(QLatin1String(kind)));
      auto* plot = area.findChild<QWidget*>(QStringLiteral("memoryArea"));
      QVERIFY(plot != nullptr && plot->accessibleName().contains(QLatin1String(kind)));
      QTest::keyClick(plot, Qt::Key_Home);
      QVERIFY(area.words().contains(bytesText(sumOf(timeline.at(text.memory.beginNs)))));
      const auto after =
          std::ranges::upper_bound(timeline.changes, text.memory.beginNs, {}, &MemoryTimeline::Change::ns);
      QTest::keyClick(plot, Qt::Key_Right);
      QVERIFY(area.words().contains(bytesText(sumOf(after->bytes))));
      QVERIFY(plot->accessibleDescription().contains(area.words()));
      QTest::keyClick(plot, Qt::Key_End);
      QVERIFY(area.words().contains(bytesText(sumOf(timeline.at(text.memory.endNs)))));
      area.show({});
      QVERIFY(area.isHidden());
    }
  }

  // A device with too little memory says at which operation the memory runs out.
  void aDeviceThatIsTooSmallSaysWhere() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("own.csv").toStdString();
    std::ofstream(path)
        << "kind,id,name,fp32_peak_tflops,fp32_source,matrix_peak_tflops,matrix_precision,matrix_source,mem_gb,"
           "mem_gb_per_s,mem_source,launch_overhead_us,launch_source,cnn_train_eff_of_peak,eff_source,"
           "link_gb_per_s_per_dir,link_bw_source,link_effective_gb_per_s,link_eff_source,link_latency_us,"
           "latency_source,notes\n"
           "device,own_gpu,Own,10,s,,,,0.006,5000,s,0.1,s,0.4,s,,,,,,,\n"
           "link,own_net,Own,,,,,,,,,,,,,2000,s,2000,s,0.1,s,\n";
    const Description text =
        record("mirrored",
               {{"replicas", "2"}, {"catalogue", path.c_str()}, {"device-model", "own_gpu"}, {"link", "own_net"}})
            .at({Kind::Device, 0, -1}, 0.5);
    const QString where = valueOf(text, "Does not fit");
    QVERIFY2(where.contains("6.00 MB") && where.contains("backward"), qPrintable(where));
  }

  void aSlowDeviceSaysSo() {
    const Description text = record("mirrored", {{"slow", "1:2.5"}}).at({Kind::Device, 1, -1}, 0.5);
    QCOMPARE(valueOf(text, "Speed"), QStringLiteral("takes 2.5 times as long"));
    QCOMPARE(text.replica, 1);
    QCOMPARE(text.slowdown, 2.5);
    QVERIFY(valueOf(text, "Kind").startsWith(QStringLiteral("SIMULATED")));
    QVERIFY(valueOf(text, "  variables").contains(QStringLiteral("1.39 MB")));
  }

  void configurationOfAHostIsTensorFlows() {
    const Moment moment = record("multi-worker-mirrored");
    const Description text = moment.at({Kind::Host, -1, 1}, 0);
    const QJsonObject json = QJsonDocument::fromJson(text.code.toUtf8()).object();
    QCOMPARE(json[QStringLiteral("cluster")][QStringLiteral("worker")].toArray().size(), 2);
    QCOMPARE(json[QStringLiteral("task")][QStringLiteral("type")].toString(), QStringLiteral("worker"));
    QCOMPARE(json[QStringLiteral("task")][QStringLiteral("index")].toInt(), 1);
    QVERIFY(tfConfig(record("mirrored").index->info(), 0).isEmpty());
    const Moment sharded = record("sharded", {{"replicas", "4"}, {"hosts", "2"}});
    QVERIFY(sharded.at({Kind::Host, -1, 1}, 0).code.isEmpty());
    QCOMPARE(sharded.at({Kind::Host, -1, 1}, 0).note, QStringLiteral("This strategy reads no TF_CONFIG."));
  }

  // Where a panel has become wider or narrower, rows are arranged anew, though they say the same.
  void rowsFollowTheWidth() {
    RunSettings config;
    config.dataset = "digits";
    config.globalBatch = 8;
    config.evalEvery = 0;
    RunController controller;
    Playback playback(controller);
    Selection selection;
    Inspector inspector(controller, playback, selection);
    const auto isBeside = [&inspector] {
      const auto names = inspector.findChildren<QLabel*>(QStringLiteral("rowName")),
                 values = inspector.findChildren<QLabel*>(QStringLiteral("rowValue"));
      for (qsizetype i = 0; i < names.size(); ++i)
        if (values[i]->isVisible()) return names[i]->y() == values[i]->y();
      return false;
    };
    inspector.resize(theme::em(12), theme::em(60));
    inspector.show();
    controller.start(config, true);
    QTRY_VERIFY2_WITH_TIMEOUT(playback.record() != nullptr, qPrintable(controller.failure()), kPatienceMs);
    controller.disconnect(&inspector);  // nothing but its width makes it refresh
    playback.disconnect(&inspector);
    inspector.refresh();
    QVERIFY(!isBeside());
    inspector.resize(theme::em(40), theme::em(60));
    QTRY_VERIFY_WITH_TIMEOUT(isBeside(), kPatienceMs);
    inspector.resize(theme::em(12), theme::em(60));
    QTRY_VERIFY_WITH_TIMEOUT(!isBeside(), kPatienceMs);
  }

  void splitRulesAreNamed() {
    const auto rule = [](const Moment& moment, int replica) {
      return splitRule(moment.index->info(), moment.index->record(), replica);
    };
    const Moment uneven = record("mirrored", {{"replicas", "4"}, {"global-batch", "5"}});
    QVERIFY(rule(uneven, 1).contains(QStringLiteral("\u23085 \u00F7 4\u2309 = 2")));
    QVERIFY(rule(uneven, 1).endsWith(QStringLiteral("R1 has images 3 to 4 of the batch.")));
    QVERIFY(rule(uneven, 2).endsWith(QStringLiteral("R2 has image 5 of the batch.")));
    QVERIFY(rule(record("mirrored", {{"split", "file"}}), 0).startsWith(QStringLiteral("tf.data's newer rule")));
    QVERIFY(rule(record("multi-worker-mirrored"), 0).contains(QStringLiteral("sharded by data")));
    QVERIFY(
        rule(record("multi-worker-mirrored", {{"auto-shard", "off"}}), 0).startsWith(QStringLiteral("Sharding is")));
    QVERIFY(rule(record("parameter-server"), 0).startsWith(QStringLiteral("Nothing is distributed")));
  }

  void heatMapLosesNothing() {
    TensorPart part{QStringLiteral("dense/kernel"), 64, std::vector<float>(5408 * 64, 0.0F)};
    part.values[123'457] = -2;
    QCOMPARE(largestMagnitude(part.values), 2.0);
    const QImage image = heatImage(part, 2, QSize(200, 60));
    QVERIFY(image.width() <= 200 && image.height() <= 60);
    int marked = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) marked += image.pixelColor(x, y) == theme::colours().negative ? 1 : 0;
    QCOMPARE(marked, 1);
  }
};

QTEST_MAIN(TestInspect)
#include "tst_inspect.moc"
