// SPDX-License-Identifier: GPL-3.0-or-later
// A replica that fills the stage: its maps and units are the step's, the explained sums add up, transfers still move,
// and mouse and keys lead in and out.
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "core/base/ceil_divide.h"
#include "core/model/neural_network.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "tests/ui/stage_fixture.h"
#include "ui/stage/stage.h"
#include "ui/window/main_window.h"

using namespace lab;
using namespace lab::test;

namespace {

using Kind = Object::Kind;

struct Zoomed {
  Picture picture;

  Zoomed(const Recorded& run, int replica, QSizeF size = {1280, 640})
      : picture(run.info, run.steps.back(), Pace::Play, size) {
    picture.layout = layoutStage(*run.info, size, 0, replica);
  }
  Scene at(double seconds, const SceneInput::Look& look = {}) const {
    SceneInput input{picture.index, picture.layout, picture.story, seconds, {}};
    input.look = look;
    return makeScene(input);
  }
  double endOf(BeatKind kind) const { return picture.story.find(kind)->endS; }
  const StepRecord& record() const { return picture.index.record(); }
};

std::vector<const Item*> unitsOf(const Scene& scene, std::size_t layer) {
  std::vector<const Item*> found;
  for (const Item& item : scene.items)
    if (item.object.kind == Kind::Unit && LayerUnit::of(item.object).layer == layer) found.push_back(&item);
  return found;
}

QStringList textsOf(const Scene& scene) {
  QStringList texts;
  for (const Item& item : scene.items)
    if (!item.text.isEmpty()) texts << item.text;
  return texts;
}

// Returns how many of a unit's values are not computed yet.
std::size_t missing(const Item& unit) {
  if (unit.values == nullptr) return 0;
  const auto isMissing = [](float value) { return value != value; };
  return static_cast<std::size_t>(std::ranges::count_if(unit.values->values, isMissing));
}

// Returns the number at a text's end: "+ bias 0.000 = −0.316".
double lastNumber(const QString& text) {
  return text.section(QLatin1Char(' '), -1).replace(QChar(0x2212), QLatin1Char('-')).toDouble();
}

struct Desk {
  RunController controller;
  MainWindow window{controller};
  Stage& stage = window.stage();

  Desk() {
    window.resize(1280, 800);
    window.experiment().begin(smallConfig());
    window.show();
    window.activateWindow();
  }
  bool isReady() {
    return QTest::qWaitForWindowExposed(&window) &&
           QTest::qWaitFor([this] { return !stage.scene().items.empty() && stage.layout().columns.size() == 2; },
                           kPatienceMs);
  }
  QPoint middleOf(int replica) { return stage.layout().columnOf(replica).box.center().toPoint(); }
};

}  // namespace

class TestZoom : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Maps and units show the layers' outputs for the chosen image, on one scale per layer; they appear with the forward
  // pass.
  void unitsAreTheSteps_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("replica");
    QTest::newRow("mirrored") << QStringLiteral("strategy=mirrored replicas=2 global-batch=8") << 1;
    QTest::newRow("one device") << QStringLiteral("strategy=one-device global-batch=4") << 0;
    QTest::newRow("servers") << QStringLiteral("strategy=parameter-server replicas=2 batch-per-replica=4") << -1;
    QTest::newRow("cifar10") << QStringLiteral(
                                    "strategy=mirrored replicas=2 global-batch=4 network=cifar10 dataset=colour")
                             << 0;
  }
  void unitsAreTheSteps() {
    QFETCH(QString, settings);
    QFETCH(int, replica);
    const Recorded run = recordSteps(stageConfig(settings), replica < 0 ? 5 : 2);
    if (replica < 0) replica = *run.steps.back()->metric.worker;
    const Zoomed zoomed(run, replica);
    const StepIndex& index = zoomed.picture.index;
    const NeuralNetwork& network = *run.info->network;
    const std::size_t image = 2 % index.record().replicas[static_cast<std::size_t>(replica)].shard.size();
    const Scene before = zoomed.at(0), after = zoomed.at(zoomed.picture.story.seconds, {.image = image});
    const auto& outputs = index.pictures().layerValues(replica, image);
    QCOMPARE(outputs.size(), network.layers().size());
    std::size_t pictured = 0;
    for (std::size_t layer = 0; layer < network.layers().size(); ++layer) {
      QVERIFY(unitsOf(before, layer).empty());
      const std::vector<std::int64_t>& shape = network.layers()[layer].output;
      double scale = 0;
      for (const Item* unit : unitsOf(after, layer)) {
        if (unit->shape != Item::Shape::Block) continue;
        ++pictured;
        const auto channel = static_cast<std::size_t>(LayerUnit::of(unit->object).channel);
        QVERIFY(scale == 0 || scale == unit->values->scale);
        scale = unit->values->scale;
        QCOMPARE(std::ssize(unit->values->values), shape.size() == 3 ? shape[0] * shape[1] : 1);
        for (std::size_t i = 0; i < unit->values->values.size(); ++i) {
          const float value = outputs[layer][i * static_cast<std::size_t>(shape.back()) + channel];
          QCOMPARE(unit->values->values[i], value);
          QVERIFY(static_cast<double>(std::abs(value)) <= scale);
        }
      }
    }
    QVERIFY(pictured >= 64);
  }

  // What the replica hands to the sum of the losses hides none of its maps and units.
  void itsPartOfTheLossHidesNoPicture() {
    const Zoomed zoomed(recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=4 global-batch=16")), 1), 0);
    const Beat& losses = *zoomed.picture.story.find(BeatKind::Losses);
    const Scene scene = zoomed.at((losses.motionS + losses.endS) / 2);
    const auto chip = std::ranges::find_if(scene.items, [](const Item& item) {
      return item.shape == Item::Shape::Chip && item.object == Object{Kind::Loss, 0};
    });
    QVERIFY(chip != scene.items.end());
    QVERIFY(zoomed.picture.layout.columnOf(0).box.contains(chip->box));
    for (const Item& item : scene.items)
      if (item.object.kind == Kind::Unit || item.object.kind == Kind::Digit)
        QVERIFY2(!item.box.intersects(chip->box), qPrintable(item.text));
  }

  // In the middle of the forward pass, finished layers have all their values. The maps of the computing layer are
  // filled as far as it has come, and a window on the image marks where the next value comes from.
  void layersFillInTheirOrder() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 2);
    const Zoomed zoomed(run, 0);
    std::vector<std::size_t> counts;
    for (const Span* span : zoomed.picture.index.track(0))
      if (span->kind == SpanKind::Compute)
        counts.push_back([&] {
          const Scene scene = zoomed.at(zoomed.picture.story.secondsAt(span->startNs + span->durationNs / 2));
          std::size_t layers = 0;
          for (std::size_t layer = 0; layer < run.info->network->layers().size(); ++layer) {
            const std::vector<const Item*> units = unitsOf(scene, layer);
            layers += units.empty() || missing(*units.front()) > 0 ? 0 : 1;
          }
          return layers;
        }());
    QCOMPARE(counts, (std::vector<std::size_t>{0, 2, 3, 4, 4, 4, 4}));
    const Span& first = **std::ranges::find(zoomed.picture.index.track(0), SpanKind::Compute, &Span::kind);
    const Scene scene = zoomed.at(zoomed.picture.story.secondsAt(first.startNs + first.durationNs / 4));
    const auto& outputs = zoomed.picture.index.pictures().layerValues(0, 0);
    const std::vector<const Item*> maps = unitsOf(scene, 0);
    QCOMPARE(std::ssize(maps), 32);
    for (const Item* map : maps) {
      const auto& values = map->values->values;
      const auto channel = static_cast<std::size_t>(LayerUnit::of(map->object).channel);
      QVERIFY(std::abs(static_cast<double>(missing(*map)) / static_cast<double>(values.size()) - 0.75) < 0.02);
      for (std::size_t i = 0; i < values.size() - missing(*map); ++i) QCOMPARE(values[i], outputs[0][i * 32 + channel]);
    }
    QVERIFY(std::ranges::any_of(scene.items, [&](const Item& item) {
      return item.shape == Item::Shape::Outline && zoomed.picture.layout.image.contains(item.box);
    }));
  }

  // Batch normalisation needs the whole batch: for a large one the window would not answer meanwhile.
  void aBatchThatTakesTooLongHasNoOutputs() {
    for (const int images : {4, 32}) {
      const Recorded run = recordSteps(
          stageConfig(QStringLiteral("strategy=one-device network=resnet20 dataset=colour train-examples=64 "
                                     "global-batch=%1")
                          .arg(images)),
          1);
      const Zoomed zoomed(run, 0);
      QCOMPARE(zoomed.record().replicas[0].shard.size(), static_cast<std::size_t>(images));
      QCOMPARE(zoomed.picture.index.pictures().layerValues(0, 0).empty(), images == 32);
    }
  }

  // The nine products that explain a map's pixel add up to the value that is shown, which is the map's.
  void explainedSumsAddUp() {
    const Recorded run = recordSteps(stageConfig(QStringLiteral("strategy=mirrored replicas=2 global-batch=8")), 2);
    const Zoomed zoomed(run, 0);
    const double end = zoomed.picture.story.seconds;
    const auto& outputs = zoomed.picture.index.pictures().layerValues(0, 0);
    int positive = 0;
    for (const std::int64_t channel : {0, 1, 7, 30}) {
      const Scene plain = zoomed.at(end);
      const auto units = unitsOf(plain, 0);
      const QRectF map = units.at(static_cast<std::size_t>(channel))->box;
      constexpr int kRow = 13, kColumn = 12, kSide = 26;
      const QPointF pointer(map.left() + (kColumn + 0.5) * map.width() / kSide,
                            map.top() + (kRow + 0.5) * map.height() / kSide);
      const Scene scene = zoomed.at(end, {.image = 0, .pointer = pointer});
      const QStringList texts = textsOf(scene);
      double sum = 0;
      int products = 0;
      for (const QString& text : texts) {
        const QStringList factors = text.split(QStringLiteral(" · "));
        if (factors.size() != 2 || text.contains(QLatin1Char(';')) || factors[0].toDouble() > 1) continue;
        bool isNumber = false;
        const double pixel = factors[0].toDouble(&isNumber);
        if (!isNumber) continue;
        sum += pixel * lastNumber(factors[1]);
        ++products;
      }
      QCOMPARE(products, 9);
      const auto line = [&](const QString& with) {
        const auto found = std::ranges::find_if(texts, [&](const QString& text) { return text.contains(with); });
        return found == texts.end() ? -99.0 : lastNumber(*found);
      };
      const double value =
          static_cast<double>(outputs[0][static_cast<std::size_t>((kRow * kSide + kColumn) * 32 + channel)]);
      QVERIFY(std::abs(line(QStringLiteral("products")) - sum) < 0.05);  // pixels are shown with two digits
      QVERIFY(std::abs(std::max(0.0, line(QStringLiteral("+ bias"))) - value) < 6e-4);
      QVERIFY(std::abs(line(QStringLiteral("relu, never")) - value) < 6e-4);
      positive += value > 0 ? 1 : 0;
      // The two outlines are the window on the image and the pixel on the map.
      const auto outlines =
          std::ranges::count_if(scene.items, [](const Item& item) { return item.shape == Item::Shape::Outline; });
      QCOMPARE(outlines, 2);
      for (const Item& item : scene.items)
        if (item.shape == Item::Shape::Outline && !map.adjusted(-1, -1, 1, 1).contains(item.box)) {
          const QRectF& whole = zoomed.picture.layout.image;
          QVERIFY(whole.contains(item.box));
          QVERIFY(std::abs(item.box.left() - whole.left() - whole.width() * kColumn / 28) < 0.01);
          QVERIFY(std::abs(item.box.height() - whole.height() * 3 / 28) < 0.01);
        }
    }
    QVERIFY(positive > 0);
    // If keys choose a unit, its largest value is explained.
    const Scene chosen = zoomed.at(end, {.image = 0, .chosen = {Kind::Unit, 0, LayerUnit{3, 5}.index()}});
    QVERIFY(textsOf(chosen).join(QLatin1Char('\n')).contains(QStringLiteral("5,408 products")));
    QCOMPARE(textsOf(zoomed.at(end)).filter(QStringLiteral("products")).size(), 0);
  }

  // For every strategy, each replica and many sizes: everything lies on the stage, no other replica lies under the
  // zoomed one, and all transfers on their way are drawn.
  void everythingHasAPlace_data() {
    QTest::addColumn<QString>("settings");
    for (const char* strategy : {"mirrored", "tpu", "central-storage", "parameter-server"})
      for (const int replicas : {2, 5, 24})
        QTest::addRow("%s %d", strategy, replicas)
            << QStringLiteral("strategy=%1 replicas=%2 batch-per-replica=2").arg(QLatin1String(strategy)).arg(replicas);
    QTest::newRow("hosts") << QStringLiteral("strategy=multi-worker-mirrored replicas=4 hosts=2 batch-per-replica=2");
    QTest::newRow("default") << QStringLiteral("strategy=default batch-per-replica=5");
  }
  void everythingHasAPlace() {
    QFETCH(QString, settings);
    const Recorded run = recordSteps(stageConfig(settings), 2);
    for (const QSizeF size : {QSizeF(1280, 640), QSizeF(700, 360), QSizeF(1920, 900), QSizeF(380, 310)})
      for (const int replica : {0, run.info->replicas - 1}) {
        const Zoomed zoomed(run, replica, size);
        const StageLayout& layout = zoomed.picture.layout;
        QCOMPARE(layout.columns.size(), static_cast<std::size_t>(run.info->replicas));
        const QRectF own = layout.columnOf(replica).box, stage(QPointF(), size);
        for (const StageColumn& column : layout.columns) {
          QVERIFY(stage.contains(column.box));
          QVERIFY(column.first == replica || !own.intersects(column.box));
          QVERIFY(column.box.bottom() <= layout.caption.top());
        }
        QVERIFY(own.contains(layout.back) && own.contains(layout.image));
        const Picture whole(run.info, run.steps.back(), Pace::Play, size);
        for (int i = 0; i <= 40; ++i) {
          const double seconds = zoomed.picture.story.seconds * i / 40;
          const Scene scene = zoomed.at(seconds);
          const auto moving = [](const Scene& of) {
            return std::ranges::count_if(of.items, [](const Item& item) { return item.object.kind == Kind::Transfer; });
          };
          // The smallest stages have no place for some transfers.
          if (!zoomed.picture.index.asynchronous() && size.width() >= 700)
            QCOMPARE(moving(scene), moving(whole.at(seconds)));
          for (const Item& item : scene.items)
            if (item.shape != Item::Shape::Link)
              QVERIFY2(stage.adjusted(-1, -1, 1, 1).contains(item.box),
                       qPrintable(QStringLiteral("%1 at %2 s").arg(item.text).arg(seconds)));
        }
      }
  }

  // Double click, wheel and Enter lead in; the words at the top, Esc, the wheel and Z lead back.
  void handsLeadInAndOut() {
    Desk desk;
    QVERIFY(desk.isReady());
    Stage& stage = desk.stage;
    QSignalSpy changes(&stage, &Stage::zoomChanged);
    QTest::mouseDClick(&stage, Qt::LeftButton, {}, desk.middleOf(1));
    QCOMPARE(stage.zoomed(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(stage.layout().zoomed, 1, kPatienceMs);
    QVERIFY(!desk.window.selection().pinned());
    QTest::mouseClick(&stage, Qt::LeftButton, {}, stage.layout().back.center().toPoint());
    QCOMPARE(stage.zoomed(), -1);
    QTRY_COMPARE_WITH_TIMEOUT(stage.layout().zoomed, -1, kPatienceMs);
    const auto turn = [&](int by, const QPoint& at) {
      QWheelEvent wheel(at, stage.mapToGlobal(at), {}, {0, by}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(&stage, &wheel);
    };
    turn(120, desk.middleOf(0));
    QCOMPARE(stage.zoomed(), 0);
    turn(-120, desk.middleOf(0));
    QCOMPARE(stage.zoomed(), -1);
    QTRY_COMPARE_WITH_TIMEOUT(stage.layout().zoomed, -1, kPatienceMs);
    desk.window.selection().pin({Kind::Weights, 1});
    stage.setFocus();
    QTest::keyClick(&stage, Qt::Key_Return);
    QCOMPARE(stage.zoomed(), 1);
    QTest::keyClick(&desk.window, Qt::Key_Escape);
    QCOMPARE(stage.zoomed(), -1);
    QTest::keyClick(&desk.window, Qt::Key_Z);
    QCOMPARE(stage.zoomed(), 0);
    QTest::keyClick(&desk.window, Qt::Key_Z);
    QCOMPARE(stage.zoomed(), -1);
    QCOMPARE(changes.count(), 8);
    // Where the stage is not, nothing hidden is zoomed.
    for (const WindowLayout other : {WindowLayout::Compare, WindowLayout::Sweep, WindowLayout::Teach}) {
      desk.window.workspaces().choose(other);
      QTest::keyClick(&desk.window, Qt::Key_Z);
      QCOMPARE(stage.zoomed(), other == WindowLayout::Teach ? 0 : -1);
    }
  }

  // A click on another of the replica's images shows it; fewer replicas lead out of a replica that no longer exists.
  void anImageIsChosen() {
    Desk desk;
    QVERIFY(desk.isReady());
    Stage& stage = desk.stage;
    stage.zoomInto(1);
    desk.window.playback().seek(1, desk.window.playback().story().find(BeatKind::Losses)->beginS);
    const Object second{Kind::Digit, 1, 1};
    const auto large = [&]() -> Object {
      for (const Item& item : stage.scene().items)
        if (item.shape == Item::Shape::Digit && item.box == stage.layout().image) return item.object;
      return {};
    };
    const Object first{Kind::Digit, 1, 0};
    QTRY_COMPARE_WITH_TIMEOUT(large(), first, kPatienceMs);
    const auto small = std::ranges::find_if(stage.scene().items, [&](const Item& item) {
      return item.shape == Item::Shape::Digit && item.object == second;
    });
    QVERIFY(small != stage.scene().items.end());
    QTest::mouseClick(&stage, Qt::LeftButton, {}, small->box.center().toPoint());
    QTRY_COMPARE_WITH_TIMEOUT(large(), second, kPatienceMs);
    desk.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("1"));
    QTRY_COMPARE_WITH_TIMEOUT(stage.zoomed(), -1, kPatienceMs);
  }

  // Two cards split into four, and four meet in two; the card that the user looks into grows, and the others move
  // aside.
  void cardsGoToTheirPlaces() {
    const auto layoutOf = [](int replicas, int zoomed = -1) {
      const Recorded run = recordSteps(
          stageConfig(QStringLiteral("strategy=mirrored batch-per-replica=2 replicas=%1").arg(replicas)), 1);
      return layoutStage(*run.info, {1280, 640}, 0, zoomed);
    };
    const StageLayout two = layoutOf(2), four = layoutOf(4), into = layoutOf(4, 2);
    const auto split = StageChange::movesBetween(two, four), meet = StageChange::movesBetween(four, two);
    QCOMPARE(split.size(), std::size_t{4});
    QCOMPARE(meet.size(), std::size_t{4});
    for (std::size_t i = 0; i < 4; ++i) {
      QCOMPARE(split[i].from, two.columns[i / 2].box);
      QCOMPARE(split[i].to, four.columns[i].box);
      QCOMPARE(meet[i].from, split[i].to);
      QCOMPARE(meet[i].to, split[i].from);
    }
    const auto grow = StageChange::movesBetween(four, into);
    QCOMPARE(grow.size(), std::size_t{4});
    for (std::size_t i = 0; i < 4; ++i) {
      QCOMPARE(grow[i].from, four.columns[i].box);
      QCOMPARE(grow[i].to, into.columns[i].box);
    }
    QVERIFY(grow[2].to.width() > 2 * grow[2].from.width() && grow[1].to.height() < grow[1].from.height());
  }

  // A layout changes in motion and ends with the same picture as without motion; reduced motion shows this picture at
  // once.
  void layoutsChangeInMotion() {
    Desk desk;
    QVERIFY(desk.isReady());
    Stage& stage = desk.stage;
    QVERIFY(QTest::qWaitFor([&] { return !stage.picture().isGliding(); }, kPatienceMs));
    const auto picture = [&] { return stage.grab().toImage(); };
    const QImage before = picture();
    stage.zoomInto(1);
    picture();  // painting makes the layout
    QVERIFY(stage.picture().isGliding());
    const QImage way = picture();
    QVERIFY(QTest::qWaitFor([&] { return !stage.picture().isGliding(); }, kPatienceMs));
    const QImage after = picture();
    QVERIFY(way != after && before != after);
    desk.window.looks().setReducedMotion(true);
    stage.zoomInto(-1);
    QVERIFY(picture() == before);
    stage.zoomInto(1);
    QVERIFY(picture() == after && !stage.picture().isGliding());
    desk.window.looks().setReducedMotion(false);
    // The cards of a run with twice as many replicas come out of the old cards.
    stage.zoomInto(-1);
    picture();
    QVERIFY(QTest::qWaitFor([&] { return !stage.picture().isGliding(); }, kPatienceMs));
    RunSettings more = smallConfig();
    more.replicas = 4;
    desk.window.experiment().begin(more);
    QVERIFY(QTest::qWaitFor([&] { return stage.layout().columns.size() == 4; }, kPatienceMs));
    QVERIFY(QTest::qWaitFor([&] { return !stage.picture().isGliding(); }, kPatienceMs));
  }
};

QTEST_MAIN(TestZoom)
#include "tst_zoom.moc"
