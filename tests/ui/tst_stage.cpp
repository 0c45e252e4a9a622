// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=30
// The stage draws what the run did: every executed transfer once, in order, between the right two endpoints, with its
// bytes; every example on exactly the tray of the replica that computed it; staleness as recorded; and nothing that the
// record does not contain.
#include <QRegularExpression>
#include <QScopeGuard>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/platform.h"
#include "core/device/cuda/gpu_module.h"
#include "core/replicas/labels.h"
#include "core/replicas/reduction.h"
#include "core/strategy/strategy.h"
#include "core/training/build.h"
#include "core/training/trainer.h"
#include "tests/support/emulated_gpus.h"
#include "tests/support/host_schedule.h"
#include "tests/ui/stage_fixture.h"
#include "ui/i18n/language.h"
#include "ui/i18n/strategy_words.h"
#include "ui/painting/scene_painter.h"
#include "ui/playback/beat_steps.h"
#include "ui/scene/scene_canvas.h"

using namespace lab;
using test::Picture;
using test::Recorded;
using test::recordSteps;
using test::stageConfig;

namespace {

constexpr QSizeF kSize(1280, 640);

QImage paint(const Scene& scene, const Dataset& data) {
  QImage image(kSize.toSize(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  ScenePainter().paint(painter, scene, data, {});
  return image;
}

std::vector<const Item*> tokensOf(const Scene& scene, std::size_t transfer) {
  std::vector<const Item*> found;
  for (const Item& item : scene.items)
    if (item.object == Object{Object::Kind::Transfer, -1, static_cast<std::int64_t>(transfer)}) found.push_back(&item);
  return found;
}

// Returns the place of an endpoint: a token at this end of its transfer must touch it.
QRectF homeOf(const StageLayout& layout, const RunInfo& info, int endpoint) {
  if (endpoint >= info.replicas)
    return layout.servers[static_cast<std::size_t>(endpoint - info.replicas)].adjusted(0, -30, 0, 0);
  return layout.columnOf(endpoint).box;
}

std::int64_t middleOf(const Span& span) {
  return span.startNs + span.durationNs / 2;
}

}  // namespace

class TestStage : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // NCCL between GPUs does not report its transfers. The movie still has an aggregation, and every replica holds the
  // sum at its end.
  void ncclIsToldWithoutTransfers() {
    replaceGpus([] { return test::makeEmulatedGpus({.gpus = 2}); });
    const Recorded recorded =
        recordSteps(stageConfig(QStringLiteral(
                        "strategy=mirrored replicas=2 devices=cuda global-batch=16 train-examples=64 test-examples=8")),
                    2);
    replaceGpus({});
    QCOMPARE(recorded.info->reducer, std::string("nccl"));
    const StepRecord& record = *recorded.steps.back();
    const Story story = makeStory(*recorded.info, record, Pace::Play);
    const auto beat = std::ranges::find(story.beats, BeatKind::Aggregate, &Beat::kind);
    QVERIFY(beat != story.beats.end());
    const Aggregation aggregation(recorded.info->legend, record);
    QVERIFY(aggregation.transfers().empty());
    for (int r = 0; r < 2; ++r) {
      const std::vector<float> own = aggregation.bufferAt(r, beat->beginNs, 0, 300),
                               sum = aggregation.bufferAt(r, beat->endNs, 0, 300);
      QVERIFY(std::equal(own.begin(), own.end(), record.replicas[static_cast<std::size_t>(r)].gradients.begin()));
      QVERIFY(std::equal(sum.begin(), sum.end(), record.gradients.begin()));
      QVERIFY(own != sum);
      QCOMPARE(aggregation.stateAt(beat->beginNs).of[static_cast<std::size_t>(r)].count(), std::size_t{1});
      QCOMPARE(aggregation.stateAt(beat->endNs).of[static_cast<std::size_t>(r)].count(), std::size_t{2});
    }
  }

  // In a column of several replicas, narrow parts of a gradient share pictures, and each is filled as far as its parts
  // are summed on average.
  void groupedStripsFillAsTheirPartsAreSummed() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=17 global-batch=34 reducer=ring "
                                               "train-examples=64 test-examples=8")),
                    1);
    const StepRecord& record = *run.steps.front();
    const Picture picture(run.info, run.steps.front(), Pace::Play, kSize);
    const Aggregation& aggregation = picture.index.aggregation();
    const std::size_t cells = aggregation.cells().size();
    QCOMPARE(cells, std::size_t{17});
    for (std::size_t k = 0; k < aggregation.transfers().size(); k += 61) {
      const Span& chosen = record.spans[aggregation.transfers()[k]];
      const double seconds = picture.story.leavesAt(chosen.startNs + chosen.durationNs) + 1e-3;
      const std::int64_t ns = picture.story.clockAt(seconds);
      std::vector<std::vector<std::set<int>>> whose(17, std::vector<std::set<int>>(cells));
      for (std::size_t r = 0; r < 17; ++r)
        for (std::set<int>& cell : whose[r]) cell = {static_cast<int>(r)};
      for (const std::size_t i : aggregation.transfers()) {
        const Span& span = record.spans[i];
        if (span.startNs + span.durationNs > ns) continue;
        const std::size_t cell = aggregation.firstCell(span);
        const std::set<int> sent = whose[static_cast<std::size_t>(span.from)][cell];
        std::set<int>& there = whose[static_cast<std::size_t>(span.to)][cell];
        if (!span.add) there.clear();
        there.insert(sent.begin(), sent.end());
      }
      std::map<int, std::map<std::size_t, double>> levels;  // by replica and first cell
      const Scene scene = picture.at(seconds);
      for (const Item& item : scene.items)
        if (item.shape == Item::Shape::Cell && item.object.kind == Object::Kind::Gradient)
          levels[item.object.endpoint][static_cast<std::size_t>(item.object.index)] = item.level;
      QCOMPARE(levels.size(), std::size_t{17});
      for (const auto& [replica, pictures] : levels)
        for (auto each = pictures.begin(); each != pictures.end(); ++each) {
          const std::size_t first = each->first,
                            end = std::next(each) == pictures.end() ? cells : std::next(each)->first;
          double sum = 0;
          for (std::size_t c = first; c < end; ++c)
            sum += static_cast<double>(whose[static_cast<std::size_t>(replica)][c].size());
          QVERIFY(std::abs(each->second - sum / static_cast<double>(end - first) / 17) < 1e-9);
        }
    }
  }

  // The central device's sum is one picture, so it is about all variables, not about the first that arrives.
  void theCentralSumIsTheWholeBuffer() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=central-storage replicas=2 global-batch=8 train-examples=64 "
                                               "test-examples=8")),
                    1);
    const Picture picture(run.info, run.steps[0]);
    QVERIFY(picture.index.aggregation().cells().size() > 1);
    int seen = 0;
    for (const Item& item : picture.at(picture.story.find(BeatKind::Aggregate)->endS).items) {
      if (item.shape != Item::Shape::Cell || item.object.endpoint != run.info->replicas) continue;
      QVERIFY((item.object == Object{Object::Kind::Gradient, item.object.endpoint, -1}));
      ++seen;
    }
    QCOMPARE(seen, 1);
  }

  // If a step leaves out a replica, the text names the numbers that are really divided and added.
  void whatIsLeftOutIsInNoNumber() {
    const Recorded run = recordSteps(
        stageConfig(QStringLiteral("strategy=backup-workers replicas=4 slow=2:3 global-batch=32 loss-scaling=loop "
                                   "train-examples=64 test-examples=8")),
        1);
    QCOMPARE(run.steps[0]->metric.leftOut, std::vector<int>{2});
    const Picture picture(run.info, run.steps[0]);
    const auto wordsAt = [&](BeatKind kind, double part) {
      const Beat& beat = *picture.story.find(kind);
      QStringList words;
      for (const Item& item : picture.at(beat.beginS + part * (beat.endS - beat.beginS)).items) words << item.text;
      return words.join(QLatin1Char('|'));
    };
    const QString losses = wordsAt(BeatKind::Losses, 0.9), update = wordsAt(BeatKind::Update, 0.9);
    QVERIFY2(losses.contains(QStringLiteral("sum ÷ 24")) && !losses.contains(QStringLiteral("÷ 32")),
             qPrintable(losses));
    QVERIFY2(losses.contains(QStringLiteral("left out: 0")), qPrintable(losses));
    QVERIFY2(update.contains(QStringLiteral("sum of 3 of 4 gradients")), qPrintable(update));
    for (const QString& words : {losses, update})
      QVERIFY2(!words.contains(QStringLiteral("of all 4")), qPrintable(words));
    // Its zeros are in no count of a piece in transit: after the first hop, R3 sends its own gradient alone.
    const Beat& aggregate = *picture.story.find(BeatKind::Aggregate);
    std::set<QString> tokens;
    for (int i = 0; i <= 60; ++i)
      for (const Item& item : picture.at(aggregate.beginS + i / 60.0 * (aggregate.endS - aggregate.beginS)).items)
        if (item.shape == Item::Shape::Token && !item.text.isEmpty()) tokens.insert(item.text);
    QVERIFY(tokens.contains(QStringLiteral("+0")));
    for (const QString& token : tokens) QVERIFY2(!token.contains(QStringLiteral("R2")), qPrintable(token));
    double sum = 0;
    for (const double part : lossParts(*run.info, *run.steps[0]).parts) sum += part;
    QVERIFY(std::abs(sum - run.steps[0]->metric.loss) < 1e-6);
  }

  // In a narrow lane, the coordinator's queue and its words stay within the stage.
  void theCoordinatorStaysOnTheStage() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=parameter-server replicas=2 batch-per-replica=4")), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Play, {400, 360});
    const Scene scene = picture.at(picture.story.seconds / 2);
    int seen = 0;
    for (const Item& item : scene.items) {
      if (item.object.kind != Object::Kind::Queue && !item.text.startsWith(QStringLiteral("coordinator"))) continue;
      QVERIFY2(QRectF(0, 0, 400, 360).contains(item.box), qPrintable(item.text));
      ++seen;
    }
    QVERIFY(seen >= 2);
  }

  // With more workers than the coordinator has places for, the last place says how many there are.
  void theCoordinatorLeavesNoWorkerOut() {
    for (const int workers : {16, 20}) {
      const Recorded run = recordSteps(
          stageConfig(QStringLiteral("strategy=parameter-server replicas=%1 batch-per-replica=4").arg(workers)), 1);
      const Picture picture(run.info, run.steps.front());
      int chips = 0, more = 0;
      for (const Item& item : picture.at(picture.story.seconds / 2).items) {
        if (item.shape != Item::Shape::Chip || item.object.kind != Object::Kind::Queue) continue;
        ++chips;
        if (item.text == QStringLiteral("+5")) ++more;
      }
      QCOMPARE(chips, 16);
      QCOMPARE(more, workers == 20 ? 1 : 0);
    }
  }

  void initTestCase() { flushDenormals(); }  // as the training threads do

  static void strategies_data() {
    QTest::addColumn<QString>("settings");
    const auto row = [](const char* name, const char* settings) {
      QTest::newRow(name) << QString::fromLatin1(settings);
    };
    row("default", "strategy=default batch-per-replica=8");
    row("one-device", "strategy=one-device batch-per-replica=8");
    row("mirrored ring 2", "strategy=mirrored replicas=2 global-batch=8 reducer=ring");
    row("mirrored ring 5, odd batch", "strategy=mirrored replicas=5 global-batch=13 reducer=ring");
    row("mirrored nccl 4", "strategy=mirrored replicas=4 global-batch=8");
    row("mirrored ring 4, packs", "strategy=mirrored replicas=4 global-batch=8 reducer=ring bytes-per-pack=1024");
    row("mirrored tree 8", "strategy=mirrored replicas=8 global-batch=8 reducer=tree");
    row("mirrored halving 8", "strategy=mirrored replicas=8 global-batch=8 reducer=halving-doubling");
    row("mirrored halving 6", "strategy=mirrored replicas=6 global-batch=8 reducer=halving-doubling");
    row("mirrored one-device 4", "strategy=mirrored replicas=4 global-batch=8 reducer=one-device");
    row("mirrored empty trays", "strategy=mirrored replicas=8 global-batch=3 reducer=ring");
    row("mirrored straggler", "strategy=mirrored replicas=4 global-batch=8 reducer=ring slow=1:4");
    row("mirrored 20, grouped", "strategy=mirrored replicas=20 global-batch=40 reducer=ring");
    row("mirrored 64, grouped", "strategy=mirrored replicas=64 global-batch=128 reducer=tree");
    row("multi-worker 2 x 2", "strategy=multi-worker-mirrored replicas=4 hosts=2 global-batch=8");
    row("multi-worker hierarchical",
        "strategy=multi-worker-mirrored replicas=8 hosts=2 global-batch=16 reducer=hierarchical");
    // More hosts than columns: two hosts share a column.
    row("multi-worker 20 x 20", "strategy=multi-worker-mirrored replicas=20 hosts=20 global-batch=40");
    row("tpu 8", "strategy=tpu global-batch=16");
    row("central storage 4", "strategy=central-storage replicas=4 global-batch=8");
    row("sharded 4", "strategy=sharded replicas=4 global-batch=8");
    row("sharded, stage 1, packs", "strategy=sharded replicas=3 global-batch=8 shard-stage=1 bytes-per-pack=1024");
    row("sharded, stage 2, hosts", "strategy=sharded replicas=8 hosts=2 global-batch=16 shard-stage=2");
    row("central storage 1", "strategy=central-storage replicas=1 global-batch=8");
    row("parameter server 3 x 2", "strategy=parameter-server replicas=3 parameter-servers=2 batch-per-replica=4");
    row("parameter server 1", "strategy=parameter-server replicas=1 batch-per-replica=4");
    row("parameter server 4, slow", "strategy=parameter-server replicas=4 batch-per-replica=4 slow=2:3");
  }

  // The one device is named by what it is, or simulates: a processor is no GPU.
  void theOneDeviceIsNamedByItsType_data() {
    QTest::addColumn<QString>("devices");
    QTest::addColumn<QString>("name");
    QTest::newRow("this processor") << QStringLiteral("devices=cpu") << QStringLiteral("CPU:0");
    QTest::newRow("simulated processor") << QStringLiteral("devices=simulated device-model=cpu_laptop_core")
                                         << QStringLiteral("CPU:0");
    QTest::newRow("simulated GPU") << QStringLiteral("devices=simulated device-model=v100") << QStringLiteral("GPU:0");
  }
  void theOneDeviceIsNamedByItsType() {
    QFETCH(QString, devices);
    QFETCH(QString, name);
    const Recorded one =
        recordSteps(stageConfig(QStringLiteral("strategy=one-device batch-per-replica=8 ") + devices), 1);
    const Picture picture(one.info, one.steps.front(), Pace::Play, {1900, 900});
    QStringList words;
    for (const Item& item : picture.at(0).items) words << item.text;
    const QString said = words.join(QLatin1Char('|'));
    for (const char* before : {"pinned to ", "prefetched onto "})
      QVERIFY2(said.contains(QString::fromLatin1(before) + name), qPrintable(said));
    const Recorded none =
        recordSteps(stageConfig(QStringLiteral("strategy=default batch-per-replica=8 ") + devices), 1);
    QCOMPARE(strategyWords(*none.info, "device"), QStringLiteral("placed on %1 by TensorFlow · ").arg(name));
  }

  // The TPU's frame names the format that the run computes with, on each host.
  void theTpusFrameNamesTheOperands() {
    for (const auto& [matmul, format] :
         {std::pair{"auto", "bfloat16"}, {"bfloat16", "bfloat16"}, {"float32", "float32"}}) {
      const Recorded run = recordSteps(
          stageConfig(QStringLiteral("strategy=tpu global-batch=16 hosts=2 matmul=") + QLatin1String(matmul)), 1);
      const Picture picture(run.info, run.steps.front(), Pace::Play, {1900, 900});
      int told = 0;
      for (const Item& item : picture.at(0).items) {
        if (!item.text.startsWith(QStringLiteral("TPU board: "))) continue;
        ++told;
        QVERIFY2(item.text.contains(QLatin1String(format) + QStringLiteral(" operands, sums in float32")),
                 qPrintable(item.text));
      }
      QCOMPARE(told, 2);
    }
  }

  // The weights are copied only after the TPU's start has been listed.
  void theTpuIsListedToStartFirst() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=tpu global-batch=16")), 1);
    const Picture picture(run.info, run.steps.front());
    const Beat* startup = picture.story.find(BeatKind::Startup);
    QVERIFY(startup != nullptr);
    QCOMPARE(picture.story.clockAt(startup->motionS + 2.9), startup->beginNs);
    QVERIFY(picture.story.clockAt(startup->endS) > startup->beginNs);
    // No link is lit while the start is listed; one is lit afterwards.
    const auto lit = [&](double seconds) {
      const Scene scene = picture.at(seconds);
      return std::ranges::any_of(scene.items,
                                 [](const Item& item) { return item.shape == Item::Shape::Link && item.glow > 0; });
    };
    QVERIFY(!lit(0) && !lit(startup->motionS + 2.9));
    QVERIFY(lit(0.5 * (startup->endS + startup->motionS + 3)) || lit(startup->endS - 0.05));
  }

  // The card with an epoch's result covers no worker's name and no server.
  void theCardLeavesNamesFree() {
    const Recorded run = recordSteps(
        stageConfig(QStringLiteral("strategy=parameter-server replicas=3 batch-per-replica=4 train-examples=8")), 2);
    const Picture picture(run.info, run.steps.back());
    const Beat* epoch = picture.story.find(BeatKind::Epoch);
    QVERIFY(epoch != nullptr);
    const Scene scene = picture.at(epoch->endS - 0.01);
    const auto card = std::ranges::find_if(scene.items, [](const Item& item) {
      return item.shape == Item::Shape::Panel && item.object.kind == Object::Kind::EpochMean;
    });
    QVERIFY(card != scene.items.end());
    for (const StageColumn& column : picture.layout.columns) QVERIFY(!card->box.intersects(column.box));
    for (const QRectF& server : picture.layout.servers) QVERIFY(!card->box.intersects(server));
  }

  // In a narrow lane the caption is shown whole, and its note is left out if there is no room.
  void aCaptionIsWholeBeforeItsNote() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=parameter-server replicas=4 batch-per-replica=4")), 1);
    int notes = 0, alone = 0;
    for (const double width : {400.0, 470.0, 640.0, 900.0, 1280.0}) {
      Picture picture(run.info, run.steps.front(), Pace::Play, {width, 500});
      const Beat* flow = picture.story.find(BeatKind::Flow);
      QVERIFY(flow != nullptr && !flow->note.isEmpty());
      for (double s = flow->beginS; s < flow->endS; s += 0.3) {
        const Scene scene = picture.at(s);
        const QString caption = flow->captionAt(s);
        const auto words = std::ranges::find(scene.items, caption, &Item::text);
        QVERIFY(words != scene.items.end());
        const bool noted = std::ranges::find(scene.items, flow->note, &Item::text) != scene.items.end();
        ++(noted ? notes : alone);
        QFont font;
        font.setBold(true);
        font.setPixelSize(static_cast<int>(1.08 * picture.layout.px));
        const QRectF box = words->box;
        const QRectF taken =
            QFontMetricsF(font).boundingRect(QRectF(0, 0, box.width(), 1e4), Qt::TextWordWrap, caption);
        QVERIFY2(taken.height() <= box.height(), qPrintable(QStringLiteral("%1 at %2").arg(caption).arg(width)));
      }
    }
    QVERIFY(notes > 0 && alone > 0);
  }

  // The cards about the time before the first batch lie above the devices and never over them.
  void theStartCoversNoDevice_data() { strategies_data(); }
  void theStartCoversNoDevice() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 1);
    for (const QSizeF size : {QSizeF(640, 420), QSizeF(1280, 640), QSizeF(1900, 1000)}) {
      const Picture picture(run.info, run.steps.front(), Pace::Story, size);
      for (const double seconds : {0.0, picture.story.workBeginsS() - 0.01}) {
        int cards = 0;
        for (const Item& card : picture.at(seconds).items) {
          if (card.shape != Item::Shape::Panel || card.object.kind != Object::Kind::Pipeline) continue;
          ++cards;
          QVERIFY(QRectF(QPointF(), size).contains(card.box));
          for (const StageColumn& column : picture.layout.columns) QVERIFY(!card.box.intersects(column.box));
        }
        QVERIFY(cards > 0);
      }
    }
  }

  // The outline of a selected object below a card is not drawn across the card's words.
  void outlinesEndAtACard() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=4 global-batch=8")), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Story, kSize);
    const auto paintedAt = [&](double seconds, const Object& selected) {
      QImage image(kSize.toSize(), QImage::Format_RGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      ScenePainter().paint(painter, picture.at(seconds), *run.info->data,
                           {.selected = selected, .hovered = {}, .lit = {}});
      return image;
    };
    const auto items = picture.at(0).items;
    const auto card = std::ranges::find_if(items, [](const Item& item) { return item.covers; });
    QVERIFY(card != items.end());
    const Object digit{Object::Kind::Digit, 0, 0};
    const double later = picture.story.workBeginsS();
    QVERIFY(paintedAt(later, {}) != paintedAt(later, digit));
    const QImage plain = paintedAt(0, {}), marked = paintedAt(0, digit);
    const QRect inside = card->box.adjusted(2, 2, -2, -2).toRect();
    QVERIFY(plain.copy(inside) == marked.copy(inside));
  }

  // Variables arrive one after the other: the sum is whole when the last one has arrived.
  void theCentralSumIsWholeAtItsEnd() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=central-storage replicas=8 batch-per-replica=4")), 1);
    const Picture picture(run.info, run.steps.front());
    const StepRecord& record = *run.steps.front();
    std::int64_t last = 0;
    for (const std::size_t i : picture.index.aggregation().transfers())
      last = std::max(last, record.spans[i].startNs + record.spans[i].durationNs);
    bool partly = false;
    for (const std::size_t i : picture.index.aggregation().transfers()) {
      const std::int64_t ns = record.spans[i].startNs + record.spans[i].durationNs;
      const Scene scene = picture.atNs(ns);
      const auto sum = std::ranges::find_if(scene.items, [&](const Item& item) {
        return item.shape == Item::Shape::Cell && item.object.endpoint == run.info->replicas;
      });
      QVERIFY(sum != scene.items.end());
      QCOMPARE(sum->text.contains(QStringLiteral("the sum of all 8")), ns == last);
      QCOMPARE(sum->level >= 1 - 1e-9, ns == last);
      partly = partly || (sum->level > 0 && ns < last);
    }
    QVERIFY(partly);
  }

  void everyTransferOnce_data() { strategies_data(); }
  void everyTransferOnce() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 3);
    for (const auto& record : run.steps) {
      const Picture picture(run.info, record);
      std::map<std::int64_t, Scene> scenes;  // transfers of a round begin and end together
      const auto sceneAt = [&](std::int64_t ns) -> const Scene& {
        const auto found = scenes.find(ns);
        return found != scenes.end() ? found->second : scenes.emplace(ns, picture.atNs(ns)).first->second;
      };
      for (const std::size_t i : picture.index.transfers()) {
        const Span& span = record->spans[i];
        const std::int64_t begin = picture.story.clock.front().ns, end = picture.story.clock.back().ns;
        // Other workers' transfers may be visible only in part.
        if (picture.index.asynchronous() && (middleOf(span) < begin || middleOf(span) >= end)) continue;
        const Scene& scene = sceneAt(middleOf(span));
        const auto tokens = tokensOf(scene, i);
        QCOMPARE(tokens.size(), 1U);
        QCOMPARE(tokens.front()->bytes, span.bytes);
        if (span.startNs >= begin) {
          // A step may begin with a transfer; while the story tells of the batch, the clock stands and nothing moves.
          const auto atBegin = tokensOf(sceneAt(span.startNs + 1), i);
          QVERIFY(atBegin.size() == 1);
          QVERIFY(homeOf(picture.layout, *run.info, span.from).intersects(atBegin.front()->box));
        }
        const std::int64_t lastNs = span.startNs + span.durationNs - 1;
        if (lastNs >= end) continue;
        const auto atEnd = tokensOf(sceneAt(lastNs), i);
        QVERIFY(atEnd.size() == 1);
        QVERIFY(homeOf(picture.layout, *run.info, span.to).intersects(atEnd.front()->box));
        // Once the transfer has ended, its token is gone.
        QVERIFY(tokensOf(sceneAt(span.startNs + span.durationNs), i).empty());
      }
    }
  }

  // The picture shows exactly the transfers of the schedule that the strategy was given, in its order.
  void aggregationIsTheSchedule_data() {
    QTest::addColumn<QString>("settings");
    for (const Reducer schedule : kSchedules)
      for (const int replicas : {2, 3, 4, 8})
        if (schedule != Reducer::Hierarchical)  // needs hosts: its own row is below
          QTest::addRow("%s %d", qPrintable(test::nameOf(schedule)), replicas)
              << QStringLiteral("strategy=mirrored reducer=%1 replicas=%2 global-batch=8")
                     .arg(test::nameOf(schedule))
                     .arg(replicas);
    QTest::newRow("hierarchical 2 x 4") << QStringLiteral(
        "strategy=multi-worker-mirrored reducer=hierarchical replicas=8 hosts=2 global-batch=8");
  }
  void aggregationIsTheSchedule() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 1);
    const Picture picture(run.info, run.steps.front());
    const ResolvedSettings& config = run.info->config;
    const ReductionPlan plan =
        makeReductionPlan(config.reducer, static_cast<int>(config.replicas), static_cast<int>(config.hosts),
                          courseNetwork().layout(), config.bytesPerPack);
    std::vector<const Span*> drawn;
    for (const std::size_t i : picture.index.aggregation().transfers()) drawn.push_back(&run.steps.front()->spans[i]);
    std::size_t at = 0;
    double before = 0;
    for (std::size_t pack = 0; pack < plan.packs.size(); ++pack)
      for (const Transfer& transfer : plan.packs[pack].schedule.transfers) {
        QVERIFY(at < drawn.size());
        const Span& span = *drawn[at++];
        QCOMPARE(span.from, transfer.from);
        QCOMPARE(span.to, transfer.to);
        QCOMPARE(span.bytes, transfer.count * 4);
        QCOMPARE(span.offset, plan.packs[pack].pack.offset + transfer.offset);
        QCOMPARE(span.pack, static_cast<int>(pack));
        // Rounds follow one another in the movie; equal replicas send the transfers of a ring's round at the same time.
        const double seconds = picture.story.secondsAt(span.startNs);
        if (config.reducer == Reducer::Ring) QVERIFY(seconds >= before);
        before = seconds;
      }
    QCOMPARE(at, drawn.size());
  }

  void everyExampleOnItsTray_data() { strategies_data(); }
  void everyExampleOnItsTray() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 3);
    for (const auto& record : run.steps) {
      const Picture picture(run.info, record);
      const Scene scene = picture.at(picture.story.seconds);
      std::map<std::pair<int, std::int64_t>, std::int64_t> drawn;  // (replica, position) to example
      for (const Item& item : scene.items) {
        if (item.shape != Item::Shape::Digit) continue;
        QCOMPARE(item.object.kind, Object::Kind::Digit);
        QVERIFY(drawn.try_emplace({item.object.endpoint, item.object.index}, item.example).second);
        QVERIFY(picture.layout.columnOf(item.object.endpoint).tray.contains(item.box));
        QCOMPARE(item.owner, item.object.endpoint);
      }
      for (int r = 0; r < run.info->replicas; ++r) {
        const ReplicaStep& replica = record->replicas[static_cast<std::size_t>(r)];
        if (picture.index.asynchronous() && r != *record->metric.worker) continue;
        for (std::size_t i = 0; i < replica.shard.size(); ++i) {
          const auto found = drawn.find({r, static_cast<std::int64_t>(i)});
          QVERIFY(found != drawn.end());
          QCOMPARE(found->second, replica.shard[i]);
        }
      }
      if (!picture.index.asynchronous()) QCOMPARE(static_cast<std::int64_t>(drawn.size()), record->metric.examples);
    }
  }

  // Fill levels show whose gradients a buffer holds; in the end every buffer holds those of all replicas.
  void everyoneEndsWithTheSum_data() { strategies_data(); }
  void everyoneEndsWithTheSum() {
    QFETCH(QString, settings);
    const RunSettings config = stageConfig(settings);
    const StrategyInfo& strategy = strategyInfo(config.strategy);
    // Where weights differ there may be no sum.
    if (!strategy.hasCopies || strategy.own == StrategyInfo::Own::Weights || !strategy.shards.empty()) return;
    const Recorded run = recordSteps(config, 1);
    const Picture picture(run.info, run.steps.front());
    const Scene scene = picture.at(picture.story.seconds);
    int cells = 0;
    for (const Item& item : scene.items) {
      if (item.shape != Item::Shape::Cell) continue;
      ++cells;
      QCOMPARE(item.level, 1.0);
    }
    QVERIFY(cells >= run.info->replicas);
    // The numbers equal those that the optimizer got, bit for bit.
    const std::int64_t end = picture.story.clock.back().ns;
    for (int r = 0; r < run.info->replicas; ++r) {
      const std::vector<float> sum = picture.index.aggregation().bufferAt(r, end, 0, courseNetwork().layout().size());
      QVERIFY(sum == run.steps.front()->gradients);
    }
  }

  // A sum over the replicas of a host is whole once all of these are in it.
  void aSumOverAGroupIsWhole() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=4 global-batch=8 reducer=ring")), 1);
    const auto record = std::make_shared<StepRecord>(*run.steps.front());
    const auto isAdded = [](const Span& span) { return span.kind == SpanKind::Transfer && isReduction(span.label); };
    std::vector<Span> ring;
    std::ranges::copy_if(record->spans, std::back_inserter(ring), isAdded);
    std::erase_if(record->spans, isAdded);
    const Schedule within = test::sumWithinHosts(4, 2, run.info->parameters);
    for (const Transfer& transfer : within.transfers) {
      Span span = *std::ranges::find(ring, transfer.round, &Span::round);
      span.from = transfer.from;
      span.to = transfer.to;
      span.add = transfer.add;
      span.offset = transfer.offset;
      span.count = transfer.count;
      span.bytes = transfer.bytes();
      record->spans.push_back(span);
    }
    const Picture whole(run.info, record);
    const StepIndex index(run.info, record, ranksInSums(within));
    QCOMPARE(index.inSum(3), 2);
    const Scene scene = makeScene({index, whole.layout, whole.story, whole.story.seconds, {}});
    int cells = 0;
    for (const Item& item : scene.items) {
      if (item.shape != Item::Shape::Cell) continue;
      ++cells;
      QCOMPARE(item.level, 1.0);
      QVERIFY2(!item.text.contains(QLatin1Char('/')), qPrintable(item.text));
    }
    QVERIFY(cells >= run.info->replicas);
  }

  // A buffer holds the replica's gradient, its weights while they travel, and finally their mean with both neighbours.
  void neighboursWeightsAreAveraged() {
    const auto mixing = std::ranges::find(strategies(), Reducer::Neighbours, &StrategyInfo::reducer);
    const RunSettings config =
        stageConfig(QStringLiteral("strategy=%1 replicas=5 global-batch=10").arg(QString::fromStdString(mixing->key)));
    const Recorded run = recordSteps(config, 2);
    const StepRecord& record = *run.steps.back();
    const Picture picture(run.info, run.steps.back());
    const Aggregation& aggregation = picture.index.aggregation();
    QCOMPARE(aggregation.inMean(), std::size_t{3});
    const Span& span = record.spans[aggregation.transfers().front()];
    const std::int64_t begin = span.startNs, end = begin + span.durationNs, size = courseNetwork().layout().size();
    std::set<int> heard;
    for (const std::size_t i : aggregation.transfers())
      if (record.spans[i].to == 2) heard.insert(record.spans[i].from);
    QVERIFY((heard == std::set<int>{1, 3}));
    for (int r = 0; r < 5; ++r) {
      const auto own = [&](int of) -> const ReplicaStep& { return record.replicas[static_cast<std::size_t>(of % 5)]; };
      QVERIFY(aggregation.bufferAt(r, begin - 1, 0, size) == own(r).gradients);
      QVERIFY(aggregation.bufferAt(r, begin, 0, size) == own(r).ownWeights);
      QVERIFY(aggregation.bufferAt(r, end + 1, 0, size) == own(r).gradients);
      const std::vector<float> mean = aggregation.bufferAt(r, end, 0, size);
      for (std::size_t i = 0; i < mean.size(); ++i)
        QVERIFY(std::abs(mean[i] - (own(r).ownWeights[i] + own(r + 1).ownWeights[i] + own(r + 4).ownWeights[i]) / 3) <
                1e-6F);
      // The stage draws each copy's own values, before the update and after it.
      const StepPictures& pictures = picture.index.pictures();
      if (r == 0) continue;
      QVERIFY(pictures.ownWeights(record.metric.step - 1, r) == &own(r).ownWeights);
      QVERIFY(pictures.ownWeights(record.metric.step, r) == &own(r).weightsAfter);
      QVERIFY(own(r).weightsAfter != record.weightsAfter);
    }
    const Beat& beat = *picture.story.find(BeatKind::Aggregate);
    QVERIFY(beat.endS > beat.motionS);
    const Picture large(run.info, run.steps.back(), Pace::Story, {1800, 1400});
    const Scene scene = large.at(large.story.secondsAt(end));
    QVERIFY(std::ranges::any_of(scene.items,
                                [](const Item& item) { return item.text.startsWith(QStringLiteral("= mean")); }));
    QVERIFY(std::ranges::none_of(scene.items,
                                 [](const Item& item) { return item.text.startsWith(QStringLiteral("= sum")); }));
    // If lines of words have no room, the picture of the mean itself says that it shows a mean.
    const Picture low(run.info, run.steps.back(), Pace::Story, {1800, 560});
    const Scene small = low.at(low.story.secondsAt(end));
    const auto told = [&](const QString& words) {
      return std::ranges::count_if(small.items, [&](const Item& item) {
        return item.object.kind == Object::Kind::Gradient && item.text.startsWith(words);
      });
    };
    QCOMPARE(told(QStringLiteral("= mean")), std::ptrdiff_t{5});
    QCOMPARE(told(QStringLiteral("mean")), std::ptrdiff_t{0});
  }

  void withoutATransferThePictureIsAnother_data() { strategies_data(); }
  void withoutATransferThePictureIsAnother() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 2);
    const auto& record = run.steps.back();
    const Picture whole(run.info, record);
    const auto& transfers = whole.index.transfers();
    if (transfers.empty()) return;
    for (const std::size_t chosen : {transfers.front(), transfers[transfers.size() / 2], transfers.back()}) {
      const Span& span = record->spans[chosen];
      const std::int64_t ns = middleOf(span);
      if (ns < whole.story.clock.front().ns || ns >= whole.story.clock.back().ns) continue;
      auto less = std::make_shared<StepRecord>(*record);
      less->spans.erase(less->spans.begin() + static_cast<std::ptrdiff_t>(chosen));
      const Picture lacking(run.info, less);
      // The same moment of the clock, and the same story, so that only the transfer is missing.
      const double seconds = whole.story.secondsAt(ns);
      const QImage with = paint(whole.at(seconds), *run.info->data);
      const QImage without =
          paint(makeScene({lacking.index, lacking.layout, whole.story, seconds, {}}), *run.info->data);
      QVERIFY(with != without);
    }
  }

  // With 16 workers nearly every update is 15 stale: the histogram may not drop bars because there are many.
  void theHistogramHasEveryStaleness() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=parameter-server replicas=2")), 1);
    const Picture picture(run.info, run.steps.front());
    for (const std::size_t workers : {4, 12, 16, 64}) {
      std::vector<std::int64_t> counts(workers, 1);
      counts.back() = 140;
      const Scene scene = makeScene({picture.index, picture.layout, picture.story, picture.story.seconds, counts});
      std::vector<const Item*> bars;
      double all = 0;
      for (const Item& item : scene.items)
        if (item.shape == Item::Shape::Bar) bars.push_back(&item), all += item.level;
      QVERIFY(bars.size() >= 4 && bars.size() <= 12);
      QCOMPARE(bars.back()->level, 1.0);
      for (std::size_t i = 0; i + 1 < bars.size(); ++i) QVERIFY(bars[i]->level < 0.1);
      // All updates are in the bars: the last bar's count is the unit, and says how many numbers the bar covers.
      const auto updates = static_cast<double>(140 + workers - 1);
      const auto last = static_cast<std::size_t>(std::llround(updates / all)) - 139;
      QVERIFY(last >= 1 && last <= workers / 4);
      QVERIFY(std::abs(updates / all - static_cast<double>(139 + last)) < 1e-6);
      // The bars are named in full, as "14–15" for 16 workers.
      const QString name =
          last == 1 ? QString::number(workers - 1) : QStringLiteral("%1–%2").arg(workers - last).arg(workers - 1);
      QVERIFY2(std::ranges::any_of(scene.items, [&](const Item& item) { return item.text == name; }), qPrintable(name));
    }
  }

  // "14–20" beside "21–27" was read as one number.
  void theHistogramsNamesStandApart() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=parameter-server replicas=2")), 1);
    const Picture picture(run.info, run.steps.front());
    const std::vector<std::int64_t> counts(54, 1);
    std::vector<QRectF> names;
    for (const Item& item :
         makeScene({picture.index, picture.layout, picture.story, picture.story.seconds, counts}).items)
      if (item.shape == Item::Shape::Text &&
          QRegularExpression(QStringLiteral("^\\d+–\\d+$")).match(item.text).hasMatch())
        names.push_back(item.box);
    QVERIFY(names.size() >= 4);
    for (std::size_t i = 1; i < names.size(); ++i) QVERIFY(names[i].left() - names[i - 1].right() > 1);
  }

  // The counts include the shown step, whose own update comes last in its movie.
  void theHistogramCountsWhatHasBeenApplied() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=parameter-server replicas=2")), 1);
    const Picture picture(run.info, run.steps.front());
    const std::int64_t stale = *run.steps.front()->metric.staleness;
    std::vector<std::int64_t> counts(4, 2);
    const auto levelAt = [&](double seconds) {
      std::vector<double> levels;
      for (const Item& item : makeScene({picture.index, picture.layout, picture.story, seconds, counts}).items)
        if (item.shape == Item::Shape::Bar) levels.push_back(item.level);
      return levels.at(static_cast<std::size_t>(stale));
    };
    const Beat& apply = *picture.story.find(BeatKind::Apply);
    QCOMPARE(levelAt(apply.beginS - 0.01), 0.5);
    QCOMPARE(levelAt(picture.story.seconds), 1.0);
  }

  void stalenessIsTheRecorded() {
    const Recorded run = recordSteps(
        stageConfig(QStringLiteral("strategy=parameter-server replicas=4 batch-per-replica=4 slow=2:3")), 24);
    std::set<std::int64_t> seen;
    for (const auto& record : run.steps) {
      const Picture picture(run.info, record);
      const Scene scene = picture.at(picture.story.seconds);
      QString badge;
      for (const Item& item : scene.items)
        if (item.shape == Item::Shape::Chip && item.strong &&
            item.object == Object{Object::Kind::Weights, *record->metric.worker})
          badge = item.text;
      const std::int64_t stale = *record->metric.staleness;
      seen.insert(stale);
      QCOMPARE(badge, stale == 0 ? QString() : QStringLiteral("%1 stale").arg(stale));
      // The server's version is the number of updates.
      QVERIFY(std::ranges::any_of(scene.items, [&](const Item& item) {
        return item.object == Object{Object::Kind::Weights, run.info->replicas} &&
               item.text == QStringLiteral("W") + [&] {
                 QString digits;
                 for (const QChar c : QString::number(record->metric.step)) digits += QChar(0x2080 + c.digitValue());
                 return digits;
               }();
      }));
    }
    QVERIFY(seen.size() > 1);
  }

  // The same moment gives the same picture, whichever moments were drawn before.
  void aMomentIsAlwaysTheSamePicture_data() { strategies_data(); }
  void aMomentIsAlwaysTheSamePicture() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 1);
    const Picture forward(run.info, run.steps.front(), Pace::Story);
    std::vector<QImage> pictures;
    const int moments = run.info->replicas > 8 ? 6 : 12;
    for (int i = 0; i <= moments; ++i)
      pictures.push_back(paint(forward.at(forward.story.seconds * i / moments), *run.info->data));
    const Picture backward(run.info, run.steps.front(), Pace::Story);
    for (int i = moments; i >= 0; --i)
      QVERIFY(pictures[static_cast<std::size_t>(i)] ==
              paint(backward.at(backward.story.seconds * i / moments), *run.info->data));
    QVERIFY(pictures.front() != pictures.back());
  }

  // Nothing leaves the canvas, at any size.
  void everythingFits_data() { strategies_data(); }
  void everythingFits() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 1);
    const Picture picture(run.info, run.steps.front());
    const std::pair<QSizeF, double> kinds[] = {
        {{640, 360}, 0},  {{1000, 430}, 0},  {{1500, 760}, 0}, {{3400, 1700}, 0},
        {{960, 520}, 16}, {{1280, 330}, 11}, {{1340, 540}, 43}};  // large letters
    for (const auto& [size, letters] : kinds) {
      const StageLayout layout = layoutStage(*run.info, size, letters);
      const QRectF canvas = QRectF(QPointF(), size).adjusted(-1, -1, 1, 1);
      for (int i = 0; i <= 8; ++i) {
        const Scene scene = makeScene({picture.index, layout, picture.story, picture.story.seconds * i / 8, {}});
        for (const Item& item : scene.items)
          if (item.shape != Item::Shape::Link)
            QVERIFY2(canvas.contains(item.box), qPrintable(QStringLiteral("%1 × %2: shape %3 '%4'")
                                                               .arg(size.width())
                                                               .arg(size.height())
                                                               .arg(int(item.shape))
                                                               .arg(item.text)));
      }
      for (const StageColumn& column : layout.columns) {
        QVERIFY(column.tray.height() > 0 && column.tray.width() > 0);
        // Digits have room enough to be recognised, except where replicas share a column.
        if (column.count == 1)
          QVERIFY2(column.tray.height() >= 2.4 * layout.px, qPrintable(QString::number(column.tray.height())));
        QVERIFY(column.box.contains(column.tray) && column.box.contains(column.strips.back()));
      }
    }
  }

  // A chip that briefly shows what a replica does, or its result, covers no layer, no image and no name.
  void chipsLieOnNoPicture_data() {
    QTest::addColumn<QString>("settings");
    for (const char* settings :
         {"strategy=parameter-server replicas=3 batch-per-replica=4",
          "strategy=parameter-server replicas=8 batch-per-replica=4", "strategy=mirrored replicas=2 global-batch=8",
          "strategy=mirrored replicas=8 global-batch=32"})
      QTest::newRow(settings) << QString::fromLatin1(settings);
  }
  void chipsLieOnNoPicture() {
    QFETCH(QString, settings);
    int chips = 0;
    const Recorded run = recordSteps(stageConfig(settings), 3);
    for (const QSizeF size : {QSizeF(640, 480), QSizeF(900, 560), QSizeF(1280, 640), QSizeF(1900, 900)}) {
      const Picture picture(run.info, run.steps.back(), Pace::Play, size);
      for (int i = 0; i <= 40; ++i) {
        const Scene scene = picture.at(picture.story.seconds * i / 40);
        for (const Item& chip : scene.items) {
          if (chip.shape != Item::Shape::Chip || chip.owner < 0 || chip.object.kind == Object::Kind::Queue) continue;
          ++chips;
          for (const Item& under : scene.items)
            if (under.shape == Item::Shape::Layer || under.shape == Item::Shape::Digit ||
                under.shape == Item::Shape::Cell || under.shape == Item::Shape::Answer)
              QVERIFY2(!under.box.intersects(chip.box), qPrintable(chip.text));
        }
      }
    }
    QVERIFY(chips > 0);
  }

  // Words that were chosen to fit their place do fit: none is cut to "…".
  void wordsHaveRoom_data() {
    QTest::addColumn<QString>("settings");
    for (const char* settings :
         {"strategy=mirrored replicas=2 global-batch=8", "strategy=mirrored replicas=12 global-batch=24",
          "strategy=parameter-server replicas=4 parameter-servers=4 batch-per-replica=4",
          "strategy=parameter-server replicas=2 parameter-servers=8 batch-per-replica=4",
          "strategy=central-storage replicas=3 global-batch=9"})
      QTest::newRow(settings) << QString::fromLatin1(settings);
  }
  void wordsHaveRoom() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 1);
    auto late = std::make_shared<StepRecord>(*run.steps.front());
    late->metric.step = 10000;
    for (Span& span : late->spans) span.step = span.step > 0 ? 10000 : 0;
    for (ReplicaStep& replica : late->replicas) replica.version = 9999;
    for (const QSizeF size : {QSizeF(640, 360), QSizeF(900, 420), QSizeF(1280, 640), QSizeF(1900, 900)}) {
      const Picture picture(run.info, late, Pace::Play, size);
      for (const Item& item : picture.at(picture.story.seconds).items) {
        using Shape = Item::Shape;
        const bool server =
            item.shape == Shape::Text && item.bold &&
            std::ranges::any_of(picture.layout.servers, [&](const QRectF& box) { return box.contains(item.box); });
        if (item.text.isEmpty() ||
            (item.shape != Shape::Weights && item.shape != Shape::Layer && item.shape != Shape::Block && !server))
          continue;
        QFont font;
        font.setPixelSize(std::max(6, qRound(item.fontPx)));
        font.setBold(item.bold || item.shape == Shape::Weights);
        const double room = item.shape == Shape::Weights && item.strong
                                ? 0.95 * std::min(item.box.width(), item.box.height())
                                : item.box.width() - (item.shape == Shape::Layer ? 0.4 * picture.layout.px : 0);
        QVERIFY2(QFontMetricsF(font).horizontalAdvance(item.text) <= room,
                 qPrintable(QStringLiteral("%1 in %2 × %3").arg(item.text).arg(size.width()).arg(size.height())));
      }
    }
  }

  // In a narrow column either all layers have words or none has: "10" by itself would say nothing.
  void layersHaveWordsTogether() {
    int named = 0, numbered = 0;
    for (const int replicas : {1, 2, 3, 4, 6, 8, 12}) {
      const Recorded run = recordSteps(
          stageConfig(QStringLiteral("strategy=mirrored replicas=%1 batch-per-replica=4").arg(replicas)), 1);
      for (const QSizeF size : {QSizeF(640, 360), QSizeF(900, 500), QSizeF(1280, 640), QSizeF(1900, 900)})
        for (const double leastText : {0.0, 18.0, 24.0}) {
          Picture picture(run.info, run.steps.front(), Pace::Play, size);
          picture.layout = layoutStage(*run.info, size, leastText);
          QStringList words;
          for (const Item& item : picture.at(0).items)
            if (item.shape == Item::Shape::Layer && item.owner == 0) words << item.text;
          QVERIFY2(words.count(QString()) == 0 || words.count(QString()) == words.size(),
                   qPrintable(QStringLiteral("%1 replicas, %2: ").arg(replicas).arg(size.width()) +
                              words.join(QLatin1Char('|'))));
          // If one layer says "units" after its number, no other layer shows a bare number.
          QVERIFY2(!words.contains(QStringLiteral("Dense, 64 units")) || !words.contains(QStringLiteral("10")),
                   qPrintable(words.join(QLatin1Char('|'))));
          named += words.contains(QStringLiteral("Conv")) ? 1 : 0;
          numbered += words.contains(QStringLiteral("32")) ? 1 : 0;
        }
    }
    QVERIFY(named > 0 && numbered > 0);
  }

  // The top line shows what runs, facts about it and the clock side by side and uncut, also on a projector.
  void theTopLineIsWhole_data() { strategies_data(); }
  void theTopLineIsWhole() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 1);
    auto late = std::make_shared<StepRecord>(*run.steps.front());
    late->metric.step = 10000;
    const Picture picture(run.info, late);
    for (const auto& [size, letters] : {std::pair{QSizeF(1010, 460), 0.0},
                                        {QSizeF(1280, 520), 26.0},
                                        {QSizeF(640, 400), 19.0},
                                        {QSizeF(1900, 900), 36.0}}) {
      const StageLayout layout = layoutStage(*run.info, size, letters);
      double right = 0;
      for (const Item& item : makeScene({picture.index, layout, picture.story, picture.story.seconds, {}}).items) {
        if (item.shape != Item::Shape::Text || item.text.isEmpty() || item.box.top() > layout.top.top() + 1) continue;
        QFont font;
        font.setPixelSize(std::max(6, qRound(item.fontPx)));
        font.setBold(item.bold);
        const double wide = QFontMetricsF(font).horizontalAdvance(item.text);
        const QString where = QStringLiteral("'%1' in %2 × %3").arg(item.text).arg(size.width()).arg(size.height());
        QVERIFY2(wide <= item.box.width() + 1, qPrintable(where));
        for (const Item& other : makeScene({picture.index, layout, picture.story, picture.story.seconds, {}}).items)
          if (other.shape == Item::Shape::Text && other.text != item.text && !other.text.isEmpty() &&
              other.box.top() <= layout.top.top() + 1)
            QVERIFY2(!other.box.adjusted(1, 0, -1, 0).intersects(item.box), qPrintable(where));
        right = std::max(right, item.box.right());
      }
      QVERIFY(right > 0);
    }
  }

  // The staleness of a worker's weights is shown beside them and not on the worker's images.
  void stalenessLiesOnNoImage() {
    int chips = 0;
    for (const int workers : {4, 8, 16}) {
      const Recorded run = recordSteps(
          stageConfig(QStringLiteral("strategy=parameter-server replicas=%1 batch-per-replica=4").arg(workers)),
          2 * workers);
      for (const QSizeF size : {QSizeF(1010, 460), QSizeF(1280, 640), QSizeF(1900, 900)}) {
        const Picture picture(run.info, run.steps.back(), Pace::Play, size);
        for (int i = 0; i <= 20; ++i) {
          const Scene scene = picture.at(picture.story.seconds * i / 20);
          for (const Item& chip : scene.items) {
            if (chip.shape != Item::Shape::Chip || chip.object.kind != Object::Kind::Weights) continue;
            ++chips;
            for (const Item& digit : scene.items)
              if (digit.shape == Item::Shape::Digit && digit.opacity > 0.1)
                QVERIFY2(!digit.box.adjusted(1, 1, -1, -1).intersects(chip.box),
                         qPrintable(QStringLiteral("%1 workers, %2 wide").arg(workers).arg(size.width())));
          }
        }
      }
    }
    QVERIFY(chips > 0);
  }

  // A badge has its own place: it covers no words and no version of the weights.
  void badgesCoverNoWords_data() {
    QTest::addColumn<QString>("settings");
    for (const char* strategy : {"mirrored", "multi-worker-mirrored", "central-storage", "parameter-server", "tpu"})
      for (const int replicas : {2, 4, 8}) {
        const QString settings = QStringLiteral("devices=simulated strategy=%1 replicas=%2 batch-per-replica=4")
                                     .arg(QLatin1String(strategy))
                                     .arg(replicas);
        QTest::newRow(qPrintable(settings.section(u' ', 1, 2))) << settings;
      }
  }
  void badgesCoverNoWords() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 6);
    // Returns the part of an item's box that its letters cover.
    const auto inkOf = [](const Item& item) {
      const double wide = std::min(widthOf(item.text, item.fontPx, item.bold), item.box.width());
      const double high = std::min(0.75 * item.fontPx, item.box.height());
      QRectF ink(0, 0, wide, high);
      ink.moveCenter(item.box.center());
      if (item.align.testFlag(Qt::AlignLeft)) ink.moveLeft(item.box.left());
      if (item.align.testFlag(Qt::AlignRight)) ink.moveRight(item.box.right());
      return ink;
    };
    for (const QSizeF size : {QSizeF(440, 300), QSizeF(660, 360), QSizeF(980, 430), QSizeF(1366, 430),
                              QSizeF(1366, 560), QSizeF(1900, 800)}) {
      const Picture picture(run.info, run.steps.back(), Pace::Play, size);
      for (int i = 0; i <= 24; ++i) {
        const Scene scene = picture.at(picture.story.seconds * i / 24);
        for (auto badge = scene.items.begin(); badge != scene.items.end(); ++badge) {
          if (badge->shape != Item::Shape::Chip || badge->opacity < 0.1) continue;
          for (auto words = scene.items.begin(); words != badge; ++words) {  // items painted before the badge
            if (words->text.isEmpty() || words->opacity < 0.1) continue;
            if (words->shape != Item::Shape::Text && words->shape != Item::Shape::Weights &&
                words->shape != Item::Shape::Layer)
              continue;
            QVERIFY2(!inkOf(*words).intersects(badge->box),
                     qPrintable(QStringLiteral("'%1' on '%2' at %3 of 24 in %4 × %5")
                                    .arg(badge->text, words->text)
                                    .arg(i)
                                    .arg(size.width())
                                    .arg(size.height())));
          }
        }
      }
    }
  }

  // Every column names its kind of device if all have room, else the top names it once; the name is never cut.
  void theDeviceIsNamedAtEverySize() {
    for (const int replicas : {2, 3, 4, 5, 8}) {
      const Recorded run = recordSteps(
          stageConfig(QStringLiteral("devices=simulated global-batch=8 strategy=mirrored replicas=%1").arg(replicas)),
          1);
      for (const QSizeF size : {QSizeF(560, 300), QSizeF(900, 420), QSizeF(1100, 640), QSizeF(1280, 640),
                                QSizeF(1440, 860), QSizeF(1900, 900)}) {
        const Picture picture(run.info, run.steps.front(), Pace::Play, size);
        int columns = 0, top = 0;
        for (const Item& item : picture.at(0).items) {
          if (item.shape != Item::Shape::Text || !item.text.contains(QStringLiteral("V100"))) continue;
          ++(picture.layout.top.contains(item.box) ? top : columns);
          QVERIFY2(widthOf(item.text, item.fontPx) <= item.box.width() + 0.01, qPrintable(item.text));
        }
        const QString where =
            QStringLiteral("%1 replicas in %2 × %3").arg(replicas).arg(size.width()).arg(size.height());
        QVERIFY2(columns == 0 || columns == replicas, qPrintable(where));
        QVERIFY2(top == (columns == 0 ? 1 : 0), qPrintable(where));
      }
    }
  }

  // The top line shows facts whole, also in a projector's large letters: it drops a fact rather than cut it to "…".
  void theTopsFactsAreWhole() {
    const Recorded run =
        recordSteps(stageConfig(QStringLiteral("strategy=multi-worker-mirrored global-batch=9 replicas=3 hosts=3")), 1);
    const Picture picture(run.info, run.steps.front());
    for (const double letters : {16.0, 20.0, 25.0, 30.0}) {
      const StageLayout layout = layoutStage(*run.info, {1440, 842}, letters);
      for (const Item& item : makeScene({picture.index, layout, picture.story, 0, {}}).items)
        if (item.shape == Item::Shape::Text && item.text.contains(QStringLiteral("3 replicas")))
          QVERIFY2(widthOf(item.text, item.fontPx) <= item.box.width() + 0.01, qPrintable(item.text));
    }
  }

  // A column of several replicas drops words of its loss rather than cut them to "…", also in German.
  void aColumnsLossIsWhole() {
    language::use(QStringLiteral("de"));
    const auto back = qScopeGuard([] { language::use(QStringLiteral("en")); });
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored global-batch=34 replicas=17")), 1);
    int told = 0;
    for (const QSizeF size : {QSizeF(1366, 430), QSizeF(1900, 560), QSizeF(1900, 800)}) {
      const Picture picture(run.info, run.steps.front(), Pace::Play, size);
      for (int i = 0; i <= 8; ++i)
        for (const Item& item : picture.at(picture.story.seconds * i / 8).items) {
          if (item.shape != Item::Shape::Text || !item.text.startsWith(QStringLiteral("Verlust 2,"))) continue;
          ++told;
          QVERIFY2(widthOf(item.text, item.fontPx, item.bold) <= item.box.width(), qPrintable(item.text));
        }
    }
    QVERIFY(told > 0);
  }

  // In a narrow lane the top line drops facts rather than show them in letters of five pixels.
  void theTopsFactsAreLegible() {
    int told = 0;
    for (const char* strategy : {"mirrored", "central-storage"}) {
      const Recorded run = recordSteps(
          stageConfig(QStringLiteral("strategy=%1 replicas=2 global-batch=8").arg(QLatin1String(strategy))), 1);
      for (const QSizeF size : {QSizeF(448, 237), QSizeF(448, 277), QSizeF(380, 240)}) {
        const Picture picture(run.info, run.steps.front(), Pace::Play, size);
        for (const Item& item : picture.at(picture.story.seconds).items) {
          if (item.shape != Item::Shape::Text || !item.text.startsWith(QStringLiteral("2 replicas"))) continue;
          ++told;
          QVERIFY2(item.fontPx >= 7, qPrintable(QStringLiteral("%1: %2").arg(item.text).arg(item.fontPx)));
        }
      }
    }
    QVERIFY(told > 0);
  }

  // A host's description ends before its TF_CONFIG card, in words that fit.
  void aHostsWordsEndBeforeItsCard() {
    for (const int hosts : {2, 3, 4}) {
      const Recorded run = recordSteps(
          stageConfig(QStringLiteral("strategy=multi-worker-mirrored global-batch=8 replicas=%1 hosts=%1").arg(hosts)),
          1);
      for (const QSizeF size : {QSizeF(640, 360), QSizeF(1280, 640), QSizeF(1440, 860), QSizeF(1900, 900)}) {
        const Picture picture(run.info, run.steps.front(), Pace::Play, size);
        int told = 0;
        const Scene scene = picture.at(0);
        for (const Item& words : scene.items) {
          if (words.shape != Item::Shape::Text || !words.text.startsWith(QStringLiteral("host "))) continue;
          ++told;
          QVERIFY2(widthOf(words.text, words.fontPx) <= words.box.width(), qPrintable(words.text));
          for (const Item& card : scene.items)
            if (card.shape == Item::Shape::Chip && card.object.kind == Object::Kind::Host)
              QVERIFY2(!card.box.intersects(words.box), qPrintable(words.text));
        }
        QCOMPARE(told, hosts);
      }
    }
  }

  // TensorFlow's strategies for several machines read TF_CONFIG; what TensorFlow lacks, and a TPU, do not.
  void onlyItsReadersShowTfConfig_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<bool>("reads");
    QTest::newRow("multi-worker-mirrored") << QStringLiteral("multi-worker-mirrored") << true;
    for (const char* strategy : {"sharded", "local-sgd", "gossip", "tpu"})
      QTest::newRow(strategy) << QString::fromLatin1(strategy) << false;
  }
  void onlyItsReadersShowTfConfig() {
    QFETCH(QString, strategy);
    QFETCH(bool, reads);
    const Recorded run = recordSteps(
        stageConfig(QStringLiteral("devices=simulated replicas=4 hosts=2 global-batch=8 strategy=") + strategy), 1);
    const Picture picture(run.info, run.steps.front(), Pace::Play, {1900, 900});
    int cards = 0, programs = 0;
    std::set<std::int64_t> hosts;
    for (const Item& item : picture.at(picture.story.seconds / 2).items) {
      cards += item.text == QStringLiteral("TF_CONFIG") ? 1 : 0;
      programs += item.text.contains(QStringLiteral("its own program")) ? 1 : 0;
      if (item.object.kind == Object::Kind::Host) hosts.insert(item.object.index);
    }
    QCOMPARE(cards, reads ? 2 : 0);
    QCOMPARE(programs, reads ? 2 : 0);
    QCOMPARE(hosts, (std::set<std::int64_t>{0, 1}));
    QStringList lines;
    for (const BeatStep& step : startUpSteps(*run.info, *run.steps.front())) lines << step.line;
    QCOMPARE(lines.join(QLatin1Char('|')).contains(QStringLiteral("TF_CONFIG")), reads);
  }

  // The words about the batch stand over the middle of its images, and thousands of images lie in full rows.
  void theBatchIsInOrder() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=4 global-batch=4000")), 1);
    for (const QSizeF size : {QSizeF(640, 360), QSizeF(1280, 640), QSizeF(1900, 900)}) {
      const Picture picture(run.info, run.steps.front(), Pace::Play, size);
      QRectF images;
      double words = 0;
      std::map<double, int> rows;
      for (const Item& item : picture.at(0).items) {
        if (item.shape == Item::Shape::Text && item.text.startsWith(QStringLiteral("global batch")))
          words = item.box.center().x();
        if (item.shape != Item::Shape::Digit) continue;
        images |= item.box;
        ++rows[item.box.top()];
      }
      QVERIFY(std::abs(words - images.center().x()) < 1);
      QVERIFY(rows.size() > 1);
      for (auto row = rows.begin(); std::next(row) != rows.end(); ++row) QCOMPARE(row->second, rows.begin()->second);
      int all = 0;
      for (const auto& [top, count] : rows) all += count;
      QCOMPARE(all, 1024);
    }
  }
};

QTEST_MAIN(TestStage)
#include "tst_stage.moc"
