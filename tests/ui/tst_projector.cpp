// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=10
// In projector mode, the important things can be read from ten metres: every letter in the window and on the stage is
// at least 1/45 of the window's height, pictures are larger than usual, and a chart is there when it has something to
// show.
#include <QFontInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QPaintEngine>
#include <QPainter>
#include <QScopeGuard>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "tests/support/patience.h"
#include "tests/ui/stage_fixture.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/help/command_palette.h"
#include "ui/i18n/language.h"
#include "ui/lanes/lane_figures.h"
#include "ui/painting/scene_painter.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/stage/stage.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

struct Drawn {
  QString words;
  double pixels = 0;
};

// Records the words that are painted and ignores everything else.
class WordEngine final : public QPaintEngine {
 public:
  WordEngine() : QPaintEngine(AllFeatures) {}
  std::vector<Drawn> found;

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return User; }
  void updateState(const QPaintEngineState& now) override {
    if ((now.state() & DirtyPen) != 0) hasPen_ = now.pen().style() != Qt::NoPen;
  }
  void drawTextItem(const QPointF&, const QTextItem& item) override {
    const QString words = item.text().simplified();
    if (hasPen_ && !words.isEmpty()) found.push_back({words, static_cast<double>(QFontInfo(item.font()).pixelSize())});
  }
  void drawPath(const QPainterPath&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}

 private:
  bool hasPen_ = true;
};

class WordDevice final : public QPaintDevice {
 public:
  explicit WordDevice(const QSize& size) : size_(size) {}
  WordEngine& words() { return engine_; }
  QPaintEngine* paintEngine() const override { return &engine_; }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    constexpr int kDpi = 96;
    const auto millimetres = [](int pixels) { return qRound(pixels * 25.4 / kDpi); };
    switch (metric) {
      case PdmWidth:
        return size_.width();
      case PdmHeight:
        return size_.height();
      case PdmWidthMM:
        return millimetres(size_.width());
      case PdmHeightMM:
        return millimetres(size_.height());
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return kDpi;
      default:
        return QPaintDevice::metric(metric);
    }
  }

 private:
  QSize size_;
  mutable WordEngine engine_;
};

// Returns all words that are painted.
template <typename Paint>
std::vector<Drawn> drawn(const QSize& size, Paint paint) {
  WordDevice device(size);
  {
    QPainter painter(&device);
    paint(painter);
  }
  return device.words().found;
}

std::vector<Drawn> drawnOnStage(const Stage& stage, const Dataset& data) {
  ScenePainter painter;
  painter.setFont(stage.font());
  return drawn(stage.size(), [&](QPainter& to) { painter.paint(to, stage.scene(), data, {}); });
}

// A window of the given size, in projector mode if `projected`.
struct Room {
  RunController controller;
  MainWindow window{controller};
  Playback& playback = window.playback();

  Room(const QString& settings, const QSize& size, bool projected = true) {
    window.resize(size);
    window.show();
    window.experiment().begin(test::stageConfig(settings));
    (void)QTest::qWaitFor([this] { return playback.record() != nullptr; }, kPatienceMs);
    if (!projected) return;
    window.looks().setProjectorMode(true);
    window.showNormal();
    window.resize(size);
    settle();
  }
  ~Room() {
    if (window.looks().isProjectorMode()) window.looks().setProjectorMode(false);
  }
  void settle() {
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    window.grab();
  }
  void seek(BeatKind kind, double part) {
    const Beat& beat = *playback.story().find(kind);
    playback.seek(playback.step(), beat.beginS + part * (beat.endS - beat.beginS));
    window.grab();
  }
};

}  // namespace

class TestProjector : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyLetterIsReadFromTenMetres_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("withGuide");
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
      for (const char* settings :
           {"strategy=mirrored replicas=2 batch-per-replica=4", "strategy=mirrored replicas=4 batch-per-replica=4",
            "strategy=central-storage replicas=2 batch-per-replica=4", "strategy=one-device batch-per-replica=8",
            "strategy=parameter-server replicas=3 parameter-servers=2 batch-per-replica=4"})
        QTest::addRow("%d, %s", size.height(), settings) << settings << size << false;
    QTest::addRow("beside the Guide") << "strategy=mirrored replicas=2 batch-per-replica=4" << QSize(1920, 1080)
                                      << true;
  }
  void everyLetterIsReadFromTenMetres() {
    QFETCH(QString, settings);
    QFETCH(QSize, size);
    QFETCH(bool, withGuide);
    Room room(settings, size);
    QCOMPARE(room.window.size(), size);
    if (withGuide) QTest::keyClick(&room.window, Qt::Key_F7);
    room.settle();
    const double least = size.height() / 45.0;
    QStringList small;
    for (const Beat& beat : std::vector<Beat>(room.playback.story().beats)) {
      room.playback.seek(room.playback.step(), beat.beginS + 0.6 * (beat.endS - beat.beginS));
      room.window.grab();
      for (const Drawn& each : drawn(size, [&](QPainter& to) { room.window.render(&to); }))
        if (each.pixels < least) small << QStringLiteral("%1 px '%2'").arg(each.pixels).arg(each.words);
      for (const Drawn& each : drawnOnStage(room.window.stage(), *room.controller.info()->data))
        if (each.pixels < least)
          small << QStringLiteral("%1 px '%2' on the stage (%3)").arg(each.pixels).arg(each.words, beat.name);
    }
    small.removeDuplicates();
    QVERIFY2(small.isEmpty(), qPrintable(small.join(QStringLiteral("; "))));
  }

  // Four strategies side by side: lanes and their figures fill the window, the table needs no scrolling, and in a small
  // picture no word is far larger than the others.
  void lanesHaveTheRoom() {
    Room room(QStringLiteral("strategy=mirrored replicas=4 batch-per-replica=4"), {1920, 1080});
    room.window.workspaces().choose(WindowLayout::Compare);
    CompareView& view = *room.window.centre().comparison();
    for (const StrategyKind kind : {StrategyKind::CentralStorage, StrategyKind::ParameterServer, StrategyKind::Tpu})
      view.compareWith(strategyInfo(kind));
    QVERIFY(QTest::qWaitFor([&] { return view.lanes().lockstep().isSettled(); }, kPatienceMs));
    for (const char* name : {"branchHere", "breakIt", "compareReport", "laneTarget"})
      QVERIFY2(!view.findChild<QWidget*>(QLatin1String(name))->isVisible(), name);
    room.seek(BeatKind::Aggregate, 0.5);
    view.refreshAll();
    room.settle();
    const auto& table = *view.findChild<QTableView*>(QStringLiteral("laneTable"));
    QTRY_COMPARE_WITH_TIMEOUT(table.horizontalScrollBar()->maximum(), 0, kPatienceMs);
    QVERIFY(!table.isColumnHidden(1 + static_cast<int>(LaneFigure::ModelledStep)));
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const Stage& stage = view.laneView(lane).stage();
      const auto words = drawnOnStage(stage, *view.lanes().at(lane).controller().info()->data);
      QVERIFY(!words.empty());
      for (const Drawn& each : words)
        QVERIFY2(each.pixels <= theme::kMostLarger * 1.25 * stage.layout().px + 1, qPrintable(each.words));
    }
    room.window.looks().setProjectorMode(false);
    for (const char* name : {"branchHere", "breakIt", "compareReport", "laneTarget"})
      QVERIFY2(view.findChild<QWidget*>(QLatin1String(name))->isVisible(), name);
  }

  // The curve is below the stage, from edge to edge, with its whole name, as soon as it has a line. If large letters
  // leave no room for both, the stage stays as it is.
  void theCurveIsAWideStrip_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<bool>("fits");
    QTest::newRow("two replicas") << "strategy=mirrored replicas=2 batch-per-replica=4" << true;
    QTest::newRow("servers") << "strategy=parameter-server replicas=3 parameter-servers=2 batch-per-replica=4" << false;
  }
  void theCurveIsAWideStrip() {
    QFETCH(QString, settings);
    QFETCH(bool, fits);
    Room room(settings, {1920, 1080});
    const QWidget& evidence = *room.window.findChild<QWidget*>(QStringLiteral("evidencePanel"));
    const auto steps = [&](std::int64_t step) {
      room.controller.requestStep(step);
      return QTest::qWaitFor([&] { return room.controller.liveStep() >= step; }, kPatienceMs);
    };
    QVERIFY(!evidence.isVisible());
    QVERIFY(steps(4));
    room.playback.seek(4, 0);
    QTRY_COMPARE_WITH_TIMEOUT(room.playback.step(), 4, kPatienceMs);
    room.playback.advance(0);
    room.settle();
    QTRY_COMPARE_WITH_TIMEOUT(evidence.isVisible(), fits, kPatienceMs);
    const auto isWhole = [&] {
      QCOMPARE(evidence.width(), room.window.width());
      QVERIFY(evidence.y() > room.window.stage().mapTo(&room.window, QPoint()).y());
      auto* chart = evidence.findChild<MetricChart*>();
      QVERIFY(chart != nullptr && chart->isVisible());
      QStringList words;
      for (const Drawn& each : drawn(chart->size(), [&](QPainter& to) {
             to.setFont(chart->font());
             chart->paintPicture(to, chart->size(), MetricChart::Names::InHeader);
           })) {
        words << each.words;
        QVERIFY2(each.pixels >= 1080 / 45, qPrintable(each.words));
      }
      const QString all = words.join(QLatin1Char(' '));
      QVERIFY2(all.contains(QStringLiteral("Loss")) && all.contains(QStringLiteral("nats")) &&
                   all.contains(QStringLiteral("each batch")) && !all.contains(QStringLiteral("…")),
               qPrintable(all));
    };
    if (fits) isWhole();
    QVERIFY(room.window.stage().layout().px >= theme::textSize());
    QVERIFY(!room.window.stage().layout().columns.front().flat);  // layers have names and pictures
    // The curve is there when projector mode is entered again.
    room.window.looks().setProjectorMode(false);
    room.window.looks().setProjectorMode(true);
    room.window.showNormal();
    room.window.resize(1920, 1080);
    if (fits) QTRY_VERIFY_WITH_TIMEOUT(evidence.isVisible(), kPatienceMs);
    // The curve's key opens it at any time.
    room.settle();
    if (!evidence.isVisible()) QTest::keyClick(&room.window, Qt::Key_F9);
    room.settle();
    QVERIFY(evidence.isVisible());
    isWhole();
  }

  // Pictures are large: a digit takes an eighth of the window's height and a gradient a fortieth, which is twice the
  // area that the ordinary window gives a digit.
  void picturesAreLarge() {
    Room room(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4"), {1920, 1080});
    room.seek(BeatKind::Aggregate, 1);
    double digit = 1080, strip = 1080;
    for (const Item& item : room.window.stage().scene().items) {
      if (item.shape == Item::Shape::Digit) digit = std::min(digit, item.box.height());
      if (item.shape == Item::Shape::Cell) strip = std::min(strip, item.box.height());
    }
    QVERIFY2(digit >= 1080 / 8.0, qPrintable(QString::number(digit)));
    QVERIFY2(strip >= 1080 / 40.0, qPrintable(QString::number(strip)));
  }

  // Beside the Guide, where there is least room, a layer's name stands beside its picture.
  void namesStandBesideTheirPictures_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size :
         {QSize(1024, 768), QSize(1280, 720), QSize(1366, 768), QSize(1440, 900), QSize(1600, 1200), QSize(1920, 1080)})
      QTest::addRow("%d x %d", size.width(), size.height()) << size;
  }
  void namesStandBesideTheirPictures() {
    QFETCH(QSize, size);
    Room room(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4"), size);
    QTest::keyClick(&room.window, Qt::Key_F7);
    room.settle();
    QVERIFY(room.window.findChild<QWidget*>(QStringLiteral("guidePanel"))->isVisible());
    room.seek(BeatKind::Backward, 0.1);
    int named = 0;
    for (Item item : room.window.stage().scene().items) {
      if (item.shape != Item::Shape::Layer || item.values == nullptr || item.text.isEmpty()) continue;
      ++named;
      QVERIFY2(item.text.contains(QStringLiteral("Conv2D, 32")) || item.text.contains(QStringLiteral("Dense")),
               qPrintable(item.text));
      item.values = sharedValues(1, 1, 1, {kNoValue});  // leaves only the name to paint
      item.glow = 0;
      QImage image(size, QImage::Format_RGB32);
      image.fill(Qt::white);
      {
        QPainter painter(&image);
        ScenePainter scenes;
        scenes.setFont(room.window.stage().font());
        const Item* const items[] = {&item};
        scenes.paintItems(painter, items, room.window.stage().scene().px, *room.controller.info()->data, {});
      }
      const QRect within = item.box.adjusted(0, 6, -6, -6).toRect();
      for (int y = within.top(); y < within.bottom(); ++y)
        for (int x = static_cast<int>(item.picture.left()); x < within.right(); ++x)
          QVERIFY2(qGray(image.pixel(x, y)) > 120, qPrintable(item.text));
    }
    QVERIFY(named >= 3);
  }

  // A low stage has letters larger than its own measure, but a replica's name and hardware do not overlap.
  void namesStandBesideTheirHardware() {
    Room room(QStringLiteral("strategy=mirrored replicas=4 batch-per-replica=4"), {1366, 768});
    room.window.workspaces().choose(WindowLayout::Compare);
    room.settle();
    QTRY_VERIFY_WITH_TIMEOUT(room.window.centre().comparison() != nullptr, kPatienceMs);
    const Stage* lane = room.window.centre().comparison()->findChild<Stage*>();
    QVERIFY(lane != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(lane->isVisible() && !lane->scene().items.empty(), kPatienceMs);
    const std::vector<Item>& items = lane->scene().items;
    const auto widthOf = [&](const Item& item) {
      QFont font = lane->font();
      font.setBold(item.bold);
      font.setPixelSize(std::max(static_cast<int>(item.fontPx), theme::leastLetters()));
      return QFontMetricsF(font).horizontalAdvance(item.text);
    };
    int names = 0;
    for (const Item& name : items) {
      if (!name.bold || name.text != QStringLiteral("R%1").arg(names)) continue;
      ++names;
      for (const Item& other : items)
        if (other.text.contains(QStringLiteral("V100")) && std::abs(other.box.top() - name.box.top()) < 2 &&
            other.box.left() >= name.box.left() && other.box.right() <= name.box.right())
          QVERIFY2(other.box.left() >= name.box.left() + widthOf(name) && widthOf(other) <= other.box.width() + 1,
                   qPrintable(name.text));
    }
    QCOMPARE(names, 4);
  }

  // Words of the scrubber that have too little room become narrower before they become lower.
  void shrunkWordsKeepTheirHeight() {
    QImage image(300, 60, QImage::Format_RGB32);
    QPainter painter(&image);
    QFont font;
    font.setPixelSize(24);
    painter.setFont(font);
    const QString words = QStringLiteral("distribute");
    const double room = 0.8 * painter.fontMetrics().horizontalAdvance(words);
    theme::setProjected(true);
    shrinkFont(painter, words, room, 0.7);
    theme::setProjected(false);
    QCOMPARE(painter.font().pixelSize(), 24);
    QVERIFY(painter.fontMetrics().horizontalAdvance(words) <= room);
    painter.setFont(font);
    shrinkFont(painter, words, room, 0.7);
    QVERIFY(painter.font().pixelSize() < 24);
  }

  // The palette's message for an empty result can be read whole, in every language.
  void thePaletteSaysItWhole_data() {
    QTest::addColumn<QString>("language");
    for (const QString& name : language::names()) QTest::newRow(qPrintable(name)) << name;
  }
  void thePaletteSaysItWhole() {
    QFETCH(QString, language);
    const auto english = qScopeGuard([] { language::use(QStringLiteral("en")); });
    language::use(language);
    Room room(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4"), {1280, 720});
    CommandPalette palette({}, room.window.experiment(), &room.window);
    palette.setAttribute(Qt::WA_DeleteOnClose, false);
    palette.show();
    palette.findChild<QLineEdit*>()->setText(QStringLiteral("replicas of all the devices"));
    QCoreApplication::processEvents();
    auto& list = *palette.findChild<QListWidget*>();
    QCOMPARE(list.count(), 1);
    const QRect place = list.visualItemRect(list.item(0));
    const QRect words = list.fontMetrics().boundingRect(QRect(0, 0, place.width() - theme::em(0.6), 9999),
                                                        Qt::TextWordWrap, list.item(0)->text());
    QVERIFY(place.width() <= list.viewport()->width() && words.width() <= place.width());
    QVERIFY2(words.height() <= place.height(),
             qPrintable(QStringLiteral("%1 of %2").arg(place.height()).arg(words.height())));
  }
};

QTEST_MAIN(TestProjector)
#include "tst_projector.moc"
