// SPDX-License-Identifier: GPL-3.0-or-later
// Charts through real events: wheel, drag, box, click and keys; several runs; pixels that show a spike; an exported
// picture, table and CSV that agree with the run; and nothing is drawn while the charts are hidden.
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <QXmlStreamReader>
#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "chart_fixture.h"
#include "core/base/error.h"
#include "core/files/metric_json.h"
#include "core/options/resolve.h"
#include "small_config.h"
#include "tests/support/patience.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_table.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/run_curves.h"
#include "ui/charts/series_chart.h"
#include "ui/runs/run_colours.h"
#include "ui/runs/run_table.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>

using namespace lab;
using lab::test::ChartFixture;
using lab::test::madeUpMetrics;
using Kind = ChartLines::Kind;

namespace {

struct Desk : ChartFixture {
  MetricChart chart{Quantity::Loss, library};

  Desk() {
    chart.resize(700, 400);
    chart.show();
    (void)QTest::qWaitForWindowExposed(&chart);
  }
  void draw() {
    chart.redraw();
    chart.grab();
  }
  void move(const QPointF& at) {
    QMouseEvent event(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&chart, &event);
  }
  void wheel(const QPointF& at, int delta, Qt::KeyboardModifiers keys = {}) {
    QWheelEvent event(at, chart.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&chart, &event);
    chart.grab();
  }
};

double contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& colour) {
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
  };
  const double light = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
  return (light + 0.05) / (dark + 0.05);
}

}  // namespace

class TestCharts : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { theme::apply(*qApp); }

  // The labels at the axes of the lanes' charts end within the charts.
  void laneChartsCutNoLabel() {
    SeriesChart chart(QStringLiteral("Weight distance"), SeriesChart::Scale::Distances);
    std::vector<SeriesChart::Series> all(1);
    all.front() = {QStringLiteral("a"), Qt::red, Qt::SolidLine, {}};
    all.front().curve.append(1, 0.03, 0);
    all.front().curve.append(5000, 0.6, 1);
    chart.setSeries(std::move(all), QStringLiteral("step"));
    chart.resize(1100, 300);
    const QImage image = chart.grab().toImage();
    for (int y = 0; y < image.height(); ++y)
      for (const int x : {0, image.width() - 1})
        QVERIFY2(image.pixelColor(x, y) == theme::colours().panel, qPrintable(QStringLiteral("%1 %2").arg(x).arg(y)));
  }

  // A line without a number takes no room from the number of the next line, along both axes.
  void linesWithoutNumbersHideNone() {
    const auto numbers = [](const std::vector<Tick>& ticks) {
      QImage image(300, 200, QImage::Format_RGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      Plot plot;
      plot.along = plot.up = ticks;
      PlotView().paint(painter, image.rect(), plot);
      const QRect area = PlotView::plotArea(image.size()).toRect();
      return std::pair(image.copy(0, 0, area.left() - 2, image.height()),
                       image.copy(0, area.bottom() + 3, image.width(), image.height() - area.bottom() - 3));
    };
    const Tick numbered{0.5, QStringLiteral("7")};
    const auto seen = numbers({numbered}), none = numbers({});
    QVERIFY(seen.first != none.first && seen.second != none.second);
    QVERIFY(numbers({{0.49, {}}, numbered}) == seen);
  }

  // A title does not end in ",…": what does not fit behind it is left out, part by part.
  void unitsAreLeftOutWhole() {
    const QString unit = QStringLiteral(", images/s"), both = unit + QStringLiteral(", logarithmic");
    const QFont small = theme::smallFont(QGuiApplication::font());
    QFont bold = small;
    bold.setWeight(QFont::DemiBold);
    const QString title = QStringLiteral("Throughput, modelled");
    const auto painted = [&](const QString& words, int width) {
      QImage image(width, 200, QImage::Format_RGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      painter.setFont(QGuiApplication::font());
      const PlotHead head{.title = title, .unit = words, .entries = {}};
      head.paint(painter, image.size(), head.layout(painter.font(), image.size(), PlotHead::Names::Below));
      return image;
    };
    const int narrow = theme::em(1.5) + QFontMetrics(bold).horizontalAdvance(title),
              wide = narrow + QFontMetrics(small).horizontalAdvance(unit);
    QVERIFY(painted(both, narrow) == painted({}, narrow));
    QVERIFY(painted(both, wide) == painted(unit, wide));
    QVERIFY(painted(unit, wide) != painted({}, wide));
  }

  void aSinglePointFarFromZeroHasRoom() {
    SeriesChart chart(QStringLiteral("Loss"), SeriesChart::Scale::Linear);
    std::vector<SeriesChart::Series> all(1);
    all.front() = {QStringLiteral("a"), Qt::red, Qt::SolidLine, {}};
    all.front().curve.append(1e17, 2, 0);
    chart.setSeries(std::move(all), QStringLiteral("id"));
    chart.resize(600, 300);
    const QImage image = chart.grab().toImage();
    bool seen = false;  // its marker, in the middle of the plot
    for (int y = 40; y < image.height() && !seen; ++y)
      for (int x = image.width() / 3; x < image.width() && !seen; ++x) seen = image.pixelColor(x, y) == QColor(Qt::red);
    QVERIFY(seen);
  }

  // A curve that may leave the axis takes no height from the others, unless it is alone there.
  void aCurveThatLeavesTakesNoHeight() {
    const auto rowsOfRed = [](double redLeaves, double otherLeaves) {
      SeriesChart chart(QString(), SeriesChart::Scale::Linear);
      std::vector<SeriesChart::Series> all(2);
      all[0] = {QStringLiteral("a"), Qt::red, Qt::SolidLine, {}, redLeaves};
      all[1] = {QStringLiteral("b"), Qt::blue, Qt::SolidLine, {}, otherLeaves};
      for (int x = 1; x <= 10; ++x) {
        all[0].curve.append(x, 2 - 0.1 * x, 0);
        all[1].curve.append(x, x < 5 ? 2 : 1e6, 0);
      }
      chart.setSeries(std::move(all), QStringLiteral("step"));
      chart.resize(600, 300);
      const QImage image = chart.grab().toImage();
      int first = image.height(), last = 0;
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
          if (image.pixelColor(x, y) == QColor(Qt::red)) {
            first = std::min(first, y);
            last = y;
          }
      return last - first;
    };
    constexpr double kNever = std::numeric_limits<double>::infinity();
    QVERIFY(rowsOfRed(kNever, kNever) < 20);
    QVERIFY(rowsOfRed(kNever, 5) > 100);
    QVERIFY(rowsOfRed(1, 1) < 20);
  }

  void showsTheRunToItsLastPoint() {
    Desk desk;
    auto metrics = madeUpMetrics(10'000);
    metrics->evaluations = {{5000, 0.5, 0.9}, {10'000, 0.25, 0.95}};
    const int run = desk.add(metrics);
    desk.draw();
    const QList<QPointF> each = desk.chart.shownPoints(run, Kind::Each);
    QVERIFY(each.size() <= 2002);
    QCOMPARE(each.last(), QPointF(10'000, metrics->steps.back().loss));
    QCOMPARE(desk.chart.shownPoints(run, Kind::Test), (QList<QPointF>{{5000, 0.5}, {10'000, 0.25}}));
    QVERIFY(desk.chart.scale().y.from <= 0 && desk.chart.scale().y.to > 2.2);
  }

  void aSpikeIsSeenWhenAllIsShown() {
    Desk desk;
    auto metrics = madeUpMetrics(1'000'000);
    metrics->steps[654'320].loss = 40;
    desk.add(metrics);
    desk.draw();
    QVERIFY(desk.chart.scale().y.to >= 40);
    const QPointF top = desk.chart.positionOf({654'321, 40}), above = desk.chart.positionOf({654'321, 25});
    const QImage picture = desk.chart.grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QColor ground = theme::colours().panel;
    // Near the spike, every row of pixels between 25 and 40 is coloured.
    for (int y = qRound(top.y()) + 2; y < qRound(above.y()); ++y) {
      int darkest = 255;
      for (int x = qRound(top.x()) - 2; x <= qRound(top.x()) + 2; ++x)
        darkest = std::min(darkest, qGray(picture.pixel(x, y)));
      QVERIFY2(darkest < qGray(ground.rgb()) - 40, qPrintable(QString::number(y)));
    }
  }

  // A diverging run does not flatten the others: the axis fits values that can be compared, and a mark shows where the
  // run leaves it.
  void aRunThatDivergesLeavesTheAxis_data() {
    QTest::addColumn<double>("loss");
    QTest::addColumn<bool>("logarithmic");
    for (const bool logarithmic : {false, true})
      for (const double loss : {3e10, 1e30, 100.0, std::numeric_limits<double>::infinity(), std::nan("")})
        QTest::addRow("%g %s", loss, logarithmic ? "log" : "linear") << loss << logarithmic;
  }
  void aRunThatDivergesLeavesTheAxis() {
    QFETCH(double, loss);
    QFETCH(bool, logarithmic);
    Desk desk;
    desk.add(madeUpMetrics(60));
    desk.chart.setOptions({XAxis::Steps, 0, logarithmic});
    desk.draw();
    const Range alone = desk.chart.scale().y;
    auto metrics = madeUpMetrics(60);
    for (std::size_t i = 29; i < metrics->steps.size(); ++i) metrics->steps[i].loss = loss;
    const int run = desk.add(metrics);
    desk.draw();
    QCOMPARE(desk.chart.scale().y, alone);
    // The mark has the run's colour and stands at the very top of the plot, where the run leaves it.
    const QColor colour = runColour(desk.library.find(run)->colour);
    const QImage picture = desk.chart.grab().toImage();
    const QPoint top = desk.chart.positionOf({30, alone.to}).toPoint();
    int marked = 0;
    for (int y = top.y() + 2; y < top.y() + 9; ++y)
      if (QColor(picture.pixel(top.x(), y)) == colour) ++marked;
    QVERIFY2(marked >= 4, qPrintable(QString::number(marked)));
    // A user who zooms to the values sees them.
    if (!(loss < 1e20)) return;  // the chart can zoom no further
    desk.chart.ranges().zoomInto({40, 60}, {0.1, 2 * loss});
    desk.draw();
    QVERIFY(desk.chart.scale().y.to >= loss);
  }

  // A single bad batch, and a rise that is followed by a fall, do not count as divergence.
  void whatComesBackDidNotDiverge() {
    const auto divergence = [](const std::vector<double>& losses) {
      auto metrics = madeUpMetrics(static_cast<std::int64_t>(losses.size()));
      for (std::size_t i = 0; i < losses.size(); ++i) metrics->steps[i].loss = losses[i];
      Divergence watch;
      for (std::size_t n = 1; n <= losses.size(); ++n) watch.follow(std::span(metrics->steps).first(n));
      return watch.index();
    };
    QVERIFY(!divergence({2.3, 2.1, 40, 2, 1.9, 1.8}));
    QVERIFY(!divergence({2.3, 30, 40, 50, 30, 2.2, 2, 2, 2, 2, 2, 2, 2}));
    QVERIFY(!divergence({40, 30, 20, 10, 60, 70, 80, 90}));  // the run began as high
    QCOMPARE(divergence({2.3, 2.1, 40, 41, 42}).value_or(0), std::size_t{2});
    QCOMPARE(divergence({2.3, 3e10}).value_or(0), std::size_t{1});
    QCOMPARE(divergence({2.3, 2.2, std::nan(""), 2.1}).value_or(0), std::size_t{2});
    QCOMPARE(divergence({2.3, 50, 60, 2.2, 2.1, 2, 1.9, 60, 70, 80, 90}).value_or(0), std::size_t{7});
  }

  // The run on the stage is bold and keeps its colour whatever run comes beside it; earlier runs fade.
  void thePresentRunIsBoldAndKeepsItsColour() {
    const auto pixelsOf = [](MetricChart& chart, const QColor& colour) {
      const QImage picture = chart.grab().toImage();
      int count = 0;
      for (int y = theme::em(2); y < picture.height(); ++y)  // below the heading with its dots
        for (int x = 0; x < picture.width(); ++x) count += QColor(picture.pixel(x, y)) == colour ? 1 : 0;
      return count;
    };
    Desk desk;
    desk.experiment.begin(test::smallConfig());
    desk.stepOn(12);
    QVERIFY(QTest::qWaitFor([&] { return desk.controller.steps().size() >= 12; }, kPatienceMs));
    const int first = desk.library.presentId();
    const int place = desk.library.find(first)->colour;
    desk.chart.setOptions({XAxis::Steps, 0.5, false});
    desk.draw();
    const int alone = pixelsOf(desk.chart, runColour(place));
    QVERIFY2(alone > 20, qPrintable(QString::number(alone)));
    // A run of an earlier session that had the same colour takes another.
    KeptRun kept;
    kept.resolved = resolve(RunSettings{});
    kept.colour = place;
    kept.header = RunHeader{};
    kept.metrics = madeUpMetrics(12);
    const int older = desk.library.add(std::move(kept));
    QCOMPARE(desk.library.find(first)->colour, place);
    desk.draw();
    QVERIFY(pixelsOf(desk.chart, runColour(place)) > alone);
    QCOMPARE(pixelsOf(desk.chart, runColour(desk.library.find(older)->colour)), 0);
    // The lines that one reads are seen on the noisy one of their run.
    const auto colourOf = [&](Kind kind) {
      for (const ChartLines::Line& line : desk.chart.lines().lines())
        if (line.kind == kind && desk.chart.lines().curves()[line.curves].run() == older) return line.look.colour;
      return QColor();
    };
    for (const Kind kind : {Kind::Smoothed, Kind::Test})
      QVERIFY(theme::contrast(colourOf(kind), colourOf(Kind::Each)) > 1.2);
  }

  // While a lesson is told, the charts leave out the runs before the lesson's first.
  void chartsBeginWhereALessonDoes() {
    Desk desk;
    const int before = desk.add(madeUpMetrics(5000));
    const QDateTime now = QDateTime::currentDateTime();
    desk.library.setChartedSince(now);
    const auto add = [&](const QDateTime& began, std::int64_t steps) {
      KeptRun run;
      run.resolved = resolve(RunSettings{});
      run.header = RunHeader{};
      run.metrics = madeUpMetrics(steps);
      run.began = began;
      return desk.library.add(std::move(run));
    };
    const int own = add(now, 200);
    add(now.addDays(-1), 4000);  // a run of an earlier session that is read late
    desk.draw();
    QVERIFY(desk.chart.lines().curve(before, ChartLines::Kind::Each) == nullptr);
    QVERIFY(desk.chart.lines().curve(own, ChartLines::Kind::Each) != nullptr);
    QVERIFY(desk.chart.scale().x.to < 300);
    desk.library.setChartedSince({});
    desk.draw();
    QVERIFY(desk.chart.scale().x.to >= 5000);
  }

  // On a projector and during a lesson, the axes fit the run on the stage; earlier runs may leave them.
  void theAxesAreThePresentRuns() {
    Desk desk;
    desk.add(madeUpMetrics(5000));
    const auto trains = [&] {
      desk.stepOn();
      return QTest::qWaitFor([&] { return !desk.controller.steps().empty(); }, kPatienceMs);
    };
    desk.experiment.begin(lab::test::smallConfig());
    QVERIFY(trains());
    const auto last = [&] {
      desk.draw();
      return desk.chart.scale().x.to;
    };
    QVERIFY(last() >= 5000);
    desk.chart.setBesideStage(true);
    QVERIFY(last() >= 5000);
    theme::setProjected(true);
    QVERIFY(last() < 100);
    theme::setProjected(false);
    desk.library.setChartedSince(QDateTime::currentDateTime());
    QVERIFY(last() < 100);
    desk.library.setChartedSince({});  // the lesson is over, but the axes stay as they are until the next run
    QVERIFY(last() < 100);
    desk.experiment.again();
    QVERIFY(trains());
    QVERIFY(last() >= 5000);
  }

  // In a high chart, names that do not fit into the header get lines of their own; a low chart has the header at its
  // side.
  void theHeadLeavesThePlotItsHeight() {
    Desk desk;
    for (const char* name : {"Mirrored, 4 replicas", "Mirrored, 8 replicas", "ParameterServer, 4 workers"})
      desk.add(madeUpMetrics(200), QLatin1String(name));
    const auto plot = [&](const QSize& size) {
      desk.chart.resize(size);
      desk.draw();
      const ChartScale& scale = desk.chart.scale();
      return QRectF(desk.chart.positionOf({scale.x.from, scale.y.to}),
                    desk.chart.positionOf({scale.x.to, scale.y.from}));
    };
    const double line = theme::em(1.5);
    const QRectF narrow = plot({320, 600}), wide = plot({1200, 600});
    QVERIFY(narrow.top() >= wide.top() + 2 * line);  // each name is whole, in a line of its own
    QVERIFY(plot({320, 150}).top() < wide.top() + line);
    const QRectF low = plot({1060, 113});
    QVERIFY2(low.height() >= 75, qPrintable(QString::number(low.height())));
    QVERIFY(low.width() >= 700);
  }

  // With more runs than colours, no two runs look alike.
  void linesDifferWhenColoursEnd() {
    ChartFixture fixture;
    QSet<QString> looks;
    for (int i = 0; i < kRunLooks; ++i) {
      const int place = fixture.library.find(fixture.add(madeUpMetrics(3)))->colour;
      looks << runColour(place).name() + QString::number(runStyle(place));
    }
    QCOMPARE(looks.size(), kRunLooks);
    // Runs beyond the colours are dashed: along a level line there are gaps.
    const auto covered = [](int runs) {
      Desk desk;
      for (int i = 0; i < runs; ++i) {
        auto metrics = madeUpMetrics(100);
        for (StepMetric& step : metrics->steps) step.loss = 1 + 0.1 * i;
        desk.library.setShown(desk.add(metrics), i == 0 || i + 1 == runs);
      }
      desk.chart.setOptions({XAxis::Steps, 0.5, false});
      desk.draw();
      const QImage picture = desk.chart.grab().toImage();
      const double level = 1 + 0.1 * (runs - 1);
      const QPoint from = desk.chart.positionOf({10, level}).toPoint(),
                   to = desk.chart.positionOf({90, level}).toPoint();
      int gaps = 0;
      bool before = true;
      for (int x = from.x(); x < to.x(); ++x) {
        bool coloured = false;
        for (int y = from.y() - 2; y <= from.y() + 2; ++y) {
          const QColor pixel(picture.pixel(x, y));
          coloured = coloured || pixel.saturation() > 90;
        }
        if (!coloured && before) ++gaps;
        before = coloured;
      }
      return gaps;
    };
    QVERIFY(covered(9) > 10);
  }

  void wheelZoomsAroundThePointer() {
    Desk desk;
    desk.add(madeUpMetrics(1000));
    desk.draw();
    const Range before = desk.chart.scale().x;
    const QPointF at = desk.chart.positionOf({400, 1});
    desk.wheel(at, 120);
    const Range after = desk.chart.scale().x;
    QVERIFY(after.length() < before.length());
    QVERIFY(std::abs(desk.chart.positionOf({400, 1}).x() - at.x()) < 0.01);
    const Range y = desk.chart.scale().y;
    desk.wheel(at, 120, Qt::ControlModifier);
    QCOMPARE(desk.chart.scale().x, after);
    QVERIFY(desk.chart.scale().y.length() < y.length());
    QTest::mouseDClick(&desk.chart, Qt::LeftButton, {}, at.toPoint());
    desk.chart.grab();
    QCOMPARE(desk.chart.scale().x, before);
    QVERIFY(!desk.chart.ranges().isZoomed());
    for (int i = 0; i < 400; ++i) desk.wheel(at, 120);  // as close as numbers go, and no further
    QVERIFY(desk.chart.scale().x.length() > 0);
    for (int i = 0; i < 400; ++i) desk.wheel(at, -120);
    QVERIFY(std::isfinite(desk.chart.scale().x.to));
  }

  void dragPansAndShiftDragZoomsIntoABox() {
    Desk desk;
    desk.add(madeUpMetrics(1000));
    desk.draw();
    desk.wheel(desk.chart.positionOf({500, 1}), 480);
    const Range before = desk.chart.scale().x;
    const QPoint from = desk.chart.positionOf({500, desk.chart.scale().valueY(0.5)}).toPoint();
    QTest::mousePress(&desk.chart, Qt::LeftButton, {}, from);
    desk.move(from + QPoint(-60, 0));
    QTest::mouseRelease(&desk.chart, Qt::LeftButton, {}, from + QPoint(-60, 0));
    desk.chart.grab();
    QVERIFY(desk.chart.scale().x.from > before.from);
    QVERIFY(std::abs(desk.chart.scale().x.length() - before.length()) < 1e-6);

    desk.chart.ranges().showAll();
    desk.chart.grab();
    const QPoint low = desk.chart.positionOf({200, 0.5}).toPoint(), high = desk.chart.positionOf({300, 2}).toPoint();
    QTest::mousePress(&desk.chart, Qt::LeftButton, Qt::ShiftModifier, low);
    desk.move(high);
    QTest::mouseRelease(&desk.chart, Qt::LeftButton, Qt::ShiftModifier, high);
    desk.chart.grab();
    QVERIFY(std::abs(desk.chart.scale().x.from - 200) < 3 && std::abs(desk.chart.scale().x.to - 300) < 3);
    QVERIFY(std::abs(desk.chart.scale().y.from - 0.5) < 0.02 && std::abs(desk.chart.scale().y.to - 2) < 0.02);
  }

  void aClickAsksForTheStep() {
    Desk desk;
    auto metrics = madeUpMetrics(50);
    const int run = desk.add(metrics);
    desk.draw();
    QSignalSpy clicked(&desk.chart, &MetricChart::pointClicked);
    const QPoint at = desk.chart.positionOf({20, metrics->steps[19].loss}).toPoint();
    QTest::mouseClick(&desk.chart, Qt::LeftButton, {}, at);
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked[0][0].toInt(), run);
    QCOMPARE(clicked[0][1].value<std::int64_t>(), std::int64_t{20});
    // By keyboard, an arrow moves the crosshair along the curve, and Enter clicks.
    desk.chart.setFocus();
    QTest::keyClick(&desk.chart, Qt::Key_Right);
    QVERIFY(!desk.chart.accessibleDescription().isEmpty());
    QTest::keyClick(&desk.chart, Qt::Key_Return);
    QCOMPARE(clicked.size(), 2);
  }

  // The words begin with the step that is pointed at; a value of a step far from it names its own.
  void theReadoutSaysWhichStepsItReads() {
    Desk desk;
    auto metrics = madeUpMetrics(60);
    for (const std::int64_t step : {2, 60}) {
      EvalMetric evaluation;
      evaluation.step = step;
      evaluation.testLoss = 1.5;
      metrics->evaluations.push_back(evaluation);
    }
    desk.add(metrics);
    desk.draw();
    desk.chart.setFocus();
    QTest::keyClick(&desk.chart, Qt::Key_Right);  // beside the middle
    const QStringList words = desk.chart.accessibleDescription().split(QStringLiteral("; "));
    QCOMPARE(words.size(), 3);
    QVERIFY2(words[0].startsWith(QStringLiteral("Steps: ")), qPrintable(words[0]));
    const auto step = static_cast<std::size_t>(words[0].mid(7).toInt());
    QVERIFY2(step > 10 && step < 55, qPrintable(words[0]));
    int tests = 0, batches = 0;
    for (const QString& value : {words[1], words[2]}) {
      const bool test = value.contains(QStringLiteral("test"));
      ++(test ? tests : batches);
      QCOMPARE(value.endsWith(QStringLiteral(", at 2")) || value.endsWith(QStringLiteral(", at 60")), test);
      if (!test)
        QVERIFY(std::abs(value.section(QLatin1Char(' '), 0, 0).toDouble() - metrics->steps[step - 1].loss) < 1e-3);
    }
    QVERIFY(tests == 1 && batches == 1);
  }

  // A run goes, and before the chart is painted again, somebody clicks where its line was.
  void aClickBeforeTheNextPaintAsksForARunThatIsThere() {
    Desk desk;
    const int stays = desk.add(madeUpMetrics(100)), goes = desk.add(madeUpMetrics(100));
    desk.draw();
    QSignalSpy clicked(&desk.chart, &MetricChart::pointClicked);
    desk.library.remove(goes);
    for (int x = 0; x < desk.chart.width(); x += 10)
      for (int y = 60; y < desk.chart.height(); y += 10) QTest::mouseClick(&desk.chart, Qt::LeftButton, {}, {x, y});
    QVERIFY(!clicked.isEmpty());
    for (const QVariantList& each : clicked) QCOMPARE(each.front().toInt(), stays);
  }

  void everyAxisHasItsOwnPlaces_data() {
    QTest::addColumn<int>("axis");
    QTest::addColumn<double>("last");
    QTest::newRow("steps") << 0 << 1000.0;
    QTest::newRow("epochs") << 1 << 10.0;
    QTest::newRow("images") << 2 << 64'000.0;
    QTest::newRow("seconds here") << 3 << 5.0;
    QTest::newRow("modelled seconds") << 4 << 2.0;
  }
  void everyAxisHasItsOwnPlaces() {
    QFETCH(int, axis);
    QFETCH(double, last);
    Desk desk;
    const int run = desk.add(madeUpMetrics(1000));
    auto measured = madeUpMetrics(10);
    for (StepMetric& step : measured->steps) step.clock = TimeSource::Measured;
    const int other = desk.add(measured);
    desk.chart.setOptions({static_cast<XAxis>(axis), 0, false});
    desk.draw();
    QVERIFY(std::abs(desk.chart.shownPoints(run, Kind::Each).last().x() - last) < 1e-6);
    // A run that was measured has no modelled seconds.
    QCOMPARE(desk.chart.shownPoints(other, Kind::Each).isEmpty(), axis == 4);
  }

  // Such epochs are in a recording that is damaged, or that another program wrote.
  void epochsThatAreNoNumbersKeepTheirPlace() {
    Desk desk;
    const auto metrics = madeUpMetrics(3);
    metrics->steps[0].epoch = 0.5;
    metrics->steps[1].epoch = std::nan("");
    metrics->steps[2].epoch = 0.2;
    desk.chart.setOptions({XAxis::Epochs, 0, false});
    const int run = desk.add(metrics);
    desk.draw();
    const QList<QPointF> shown = desk.chart.shownPoints(run, Kind::Each);
    QCOMPARE(shown.size(), 3);
    for (const QPointF& point : shown) QCOMPARE(point.x(), 0.5);
  }

  // A run that resumes from a checkpoint loses the steps after it; no point of them stays.
  void aRunThatLosesStepsKeepsNoPointsOfThem() {
    Desk desk;
    const auto metrics = madeUpMetrics(57);
    metrics->evaluations = {{25, 0.5, 0.9}, {55, 0.4, 0.92}};
    RunCurves curves(1, metrics, Quantity::Loss, {XAxis::Images, 0.6, false});
    const int run = desk.add(metrics);
    desk.draw();
    QCOMPARE(desk.chart.shownPoints(run, Kind::Each).size(), 57);
    metrics->steps.resize(50);
    metrics->evaluations.resize(1);
    QVERIFY(curves.isBehind());
    QVERIFY(curves.follow());
    QVERIFY(!curves.isBehind());
    for (const Curve* curve : {&curves.each(), &curves.smoothed()}) {
      QCOMPARE(curve->size(), std::size_t{50});
      QCOMPARE(curves.stepOf(curve->tag(49), false), std::int64_t{50});
    }
    QCOMPARE(curves.test().size(), std::size_t{1});
    const RunCurves fresh(1, metrics, Quantity::Loss, {XAxis::Images, 0.6, false});
    QCOMPARE(curves.smoothed().point(49), fresh.smoothed().point(49));
    // In a chart a click asks for a step that is there, and the table has these steps alone.
    desk.chart.refresh();
    QVERIFY(!desk.chart.lines().isBehind());
    desk.chart.grab();
    QSignalSpy clicked(&desk.chart, &MetricChart::pointClicked);
    const QPointF last = desk.chart.positionOf({50, metrics->steps.back().loss});
    QTest::mouseClick(&desk.chart, Qt::LeftButton, {}, last.toPoint());
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked[0][1].value<std::int64_t>(), std::int64_t{50});
    QCOMPARE(ChartTable(desk.chart, desk.library).rowCount(), 50);
  }

  // Cycles of a class's workers overlap: the chart shows the mean so far by wall time, not one worker's own rate.
  void measuredRateOfWorkersIsOfAllOfThem() {
    const auto metrics = madeUpMetrics(60);
    for (StepMetric& step : metrics->steps) {
      step.clock = TimeSource::Measured;
      step.worker = static_cast<int>(step.step % 4);
      step.stepNs = 4 * step.wallNs;
      step.imagesPerSecond = 3'200;  // of one worker, as older recordings have it
    }
    metrics->steps[0].wallNs = 15'000'000;
    RunCurves curves(1, metrics, Quantity::MeasuredThroughput, {});
    QCOMPARE(curves.each().y(0), 64 / 0.015);
    QCOMPARE(curves.each().y(1), 128 / 0.020);
    metrics->steps.resize(50);
    QVERIFY(curves.follow());
    QCOMPARE(curves.each().y(49), 50 * 64 / 0.260);
  }

  // A run of 230 examples in batches of 48 is resumed at the short batch of 38 that ends the first pass.
  void imagesOfAResumedRunAreAllItHasSeen() {
    for (const std::int64_t perEpoch : {230, 0}) {  // 230 for a run here, 0 (unknown) for a recording
      RunMetrics run;
      run.examplesPerEpoch = perEpoch;
      std::int64_t seen = 192;
      for (const std::int64_t examples : {38, 48, 48}) {
        StepMetric step;
        step.step = 5 + std::ssize(run.steps);
        step.examples = examples;
        step.epoch = static_cast<double>(seen += examples) / 230;
        run.steps.push_back(step);
      }
      Places places;
      places.begin(XAxis::Images);
      places.follow(run);
      QCOMPARE(places.ofStep(0), 230.0);
      QCOMPARE(places.ofStep(2), 326.0);
    }
  }

  void theNoiseScaleStandsBesideTheBatch() {
    ChartFixture desk;
    auto metrics = madeUpMetrics(100);
    for (StepMetric& step : metrics->steps) {
      step.gradientSquared = 0.5;
      step.gradientTrace = 100;
      if (step.step > 5) step.noiseScale = 20 + static_cast<double>(step.step);  // not before there is enough data
    }
    RunSettings config;
    config.noiseScale = true;
    config.globalBatch = 256;
    KeptRun kept;
    kept.resolved = resolve(config);
    kept.header = RunHeader{};
    kept.metrics = metrics;
    const int run = desk.library.add(std::move(kept));
    MetricChart chart(Quantity::NoiseScale, desk.library);
    chart.resize(500, 300);
    chart.redraw();
    (void)chart.grab();
    QCOMPARE(chart.shownPoints(run, Kind::Each).size(), 95);
    QCOMPARE(chart.shownPoints(run, Kind::Each).last().y(), 120.0);
    QCOMPARE(chart.lines().batchLine(), std::optional<double>(256));
    QVERIFY(chart.scale().y.to >= 256);  // the line is in the picture
    MetricChart loss(Quantity::Loss, desk.library);
    loss.resize(500, 300);
    loss.redraw();
    (void)loss.grab();
    QVERIFY(!loss.lines().batchLine());
    // The noise scale has a column in the CSV.
    const std::vector<CsvRun> runs{{"a", {metrics->steps.begin(), metrics->steps.end()}}};
    QVERIFY(QString::fromStdString(metricsCsv(runs)).section('\n', 0, 0).contains(QStringLiteral(",noiseScale")));
    // If a run measures the noise scale, its chart is shown without being asked for.
    RunTable table(desk.library);
    ChartPanel panel(desk.controller, desk.library, table);
    QVERIFY(panel.isWanted(Quantity::NoiseScale));
    desk.library.setShown(run, false);
    QVERIFY(!panel.isWanted(Quantity::NoiseScale));
  }

  void smoothingKeepsTheValuesInTheBackground() {
    Desk desk;
    const int run = desk.add(madeUpMetrics(500));
    desk.chart.setOptions({XAxis::Steps, 0.9, false});
    desk.draw();
    const QList<QPointF> raw = desk.chart.shownPoints(run, Kind::Each);
    const QList<QPointF> smoothed = desk.chart.shownPoints(run, Kind::Smoothed);
    QCOMPARE(raw.size(), 500);
    QCOMPARE(smoothed.size(), 500);
    QVERIFY(raw[300] != smoothed[300]);
  }

  // The rate was set: the mean of two would be one that no step was made with.
  void theLearningRateIsNotSmoothed() {
    ChartFixture desk;
    desk.add(madeUpMetrics(50));
    RunTable table(desk.library);
    ChartPanel panel(desk.controller, desk.library, table);
    panel.setOptions({XAxis::Steps, 0.9, false});
    QCOMPARE(panel.chart(Quantity::Loss).lines().options().smoothing, 0.9);
    QCOMPARE(panel.chart(Quantity::LearningRate).lines().options().smoothing, 0.0);
  }

  void zerosStayOnALogarithmicAxis() {
    Desk desk;
    auto metrics = madeUpMetrics(200);
    metrics->steps[100].loss = 0;
    metrics->steps[120].loss = -1;
    const int run = desk.add(metrics);
    desk.chart.setOptions({XAxis::Steps, 0, true});
    desk.draw();
    QVERIFY(desk.chart.scale().logarithmic);
    QVERIFY(desk.chart.scale().y.from > 0);
    QCOMPARE(desk.chart.shownPoints(run, Kind::Each).size(), 200);
    QCOMPARE(desk.chart.scale().unitY(0), 0.0);
    // A zero is marked at the foot of the plot.
    const QPoint foot = desk.chart.positionOf({101, 0}).toPoint() - QPoint(0, 3);
    const QImage marked = desk.chart.grab().toImage();
    QVERIFY(qGray(marked.pixel(foot)) < 200);
    // If all values are zero, there is no logarithm but still a chart.
    for (StepMetric& step : metrics->steps) step.loss = 0;
    Desk zeros;
    zeros.add(metrics);
    zeros.chart.setOptions({XAxis::Steps, 0, true});
    zeros.draw();
    QVERIFY(!zeros.chart.scale().logarithmic);
  }

  void runsAreShownTogetherHiddenAndRemoved() {
    Desk desk;
    const int a = desk.add(madeUpMetrics(300)), b = desk.add(madeUpMetrics(500, 1), QStringLiteral("second"));
    desk.draw();
    QCOMPARE(desk.chart.shownPoints(a, Kind::Each).size(), 300);
    QCOMPARE(desk.chart.shownPoints(b, Kind::Each).size(), 500);
    const QStringList words = desk.chart.crosshair().wordsAt(desk.chart.positionOf({250, 2}), desk.chart.plotArea());
    QCOMPARE(words.size(), 3);  // the step and two values
    QVERIFY(words.join(QLatin1Char(' ')).contains(QStringLiteral("second")));
    desk.library.setShown(a, false);
    desk.draw();
    QVERIFY(desk.chart.shownPoints(a, Kind::Each).isEmpty());
    desk.library.remove(b);
    desk.draw();
    QVERIFY(desk.chart.shownPoints(b, Kind::Each).isEmpty());
  }

  void hiddenChartsDrawNothing() {
    Desk desk;
    auto metrics = madeUpMetrics(100);
    desk.add(metrics);
    desk.draw();
    const std::int64_t before = desk.chart.paints();
    desk.chart.refresh();  // nothing new
    desk.chart.grab();
    QCOMPARE(desk.chart.paints(), before);
    desk.chart.hide();
    metrics->steps.push_back(metrics->steps.back());
    metrics->steps.back().step = 101;
    desk.chart.refresh();
    QCoreApplication::processEvents();
    QCOMPARE(desk.chart.paints(), before);
    desk.chart.show();
    desk.chart.grab();
    QCOMPARE(desk.chart.paints(), before + 1);
    // The crosshair moves over the kept picture.
    desk.move(desk.chart.positionOf({50, 1}));
    desk.chart.grab();
    QCOMPARE(desk.chart.paints(), before + 1);
  }

  void csvSaysWhatTheRunFileSays() {
    Desk desk;
    auto metrics = madeUpMetrics(30);
    metrics->steps[3].loss = std::nan("");
    metrics->steps[4].shards = {32, 16, 16};
    metrics->evaluations = {{10, 0.5, 0.9}, {30, 1.0 / 3, 0.95}};
    metrics->end = EndMetric{30, 0.25, 1000, 0.1, true, "digits, own", 347'146};
    const int run = desk.add(metrics, QStringLiteral("with, comma"));
    desk.add(madeUpMetrics(5));
    desk.chart.ranges().zoomInto({10, 20}, {0, 3});
    desk.draw();
    const auto runs = csvRuns(desk.library, CsvScope::Selected, run, desk.chart);
    const QStringList lines = QString::fromStdString(metricsCsv(runs)).split(QStringLiteral("\r\n"));
    QCOMPARE(lines.size(), 30 + 2 + 1 + 2);  // plus the header and the empty text after the last line break
    const QStringList keys = lines[0].split(QLatin1Char(','));
    const std::vector<Metric> all = metricsOf(*desk.library.find(run));
    for (qsizetype row = 0; row < 33; ++row) {
      // `--metrics` and the run file write the same for this metric, key by key.
      const auto object = nlohmann::json::parse(toJsonLine(all[static_cast<std::size_t>(row)]));
      QString line = lines[row + 1];
      QVERIFY(line.startsWith(QStringLiteral("\"with, comma\",")));
      line.remove(0, 14);
      line.replace(QStringLiteral("\"digits, own\""), QStringLiteral("DATASET"));
      const QStringList cells = line.split(QLatin1Char(','));
      QCOMPARE(cells.size(), keys.size() - 1);
      std::size_t filled = 0;
      for (qsizetype c = 0; c < cells.size(); ++c) {
        const auto value = object.find(keys[c + 1].toStdString());
        if (value == object.end() || value->is_null()) {
          QVERIFY(cells[c].isEmpty());
          continue;
        }
        ++filled;
        if (value->is_array()) {
          QCOMPARE(cells[c], value->empty() ? QString() : QStringLiteral("32;16;16"));
        } else if (value->is_number()) {
          QCOMPARE(cells[c].toStdString(), value->dump());
          QCOMPARE(cells[c].toDouble(), value->get<double>());
        } else if (value->is_string()) {
          QCOMPARE(cells[c] == QStringLiteral("DATASET") ? QStringLiteral("digits, own") : cells[c],
                   QString::fromStdString(value->get<std::string>()));
        }
      }
      QVERIFY(filled >= 3);
    }
    QCOMPARE(csvRuns(desk.library, CsvScope::All, 0, desk.chart).size(), std::size_t{2});
    const auto visible = csvRuns(desk.library, CsvScope::Visible, 0, desk.chart);
    QCOMPARE(visible[0].metrics.size(), std::size_t{12});  // steps 10 to 20, and the evaluation after 10
    QVERIFY(visible[1].metrics.empty());
  }

  // A branch may have its parent's name, and begins at a later step.
  void runsOfOneNameAreToldApartInATable() {
    Desk desk;
    auto later = madeUpMetrics(9);
    later->steps.erase(later->steps.begin(), later->steps.begin() + 4);
    desk.add(madeUpMetrics(9), QStringLiteral("a"));
    desk.add(later, QStringLiteral("a"));
    desk.add(later, QStringLiteral("a"));
    const std::vector<CsvRun> read =
        parseMetricsCsv(metricsCsv(csvRuns(desk.library, CsvScope::All, 0, desk.chart)), "a.csv");
    QCOMPARE(read.size(), std::size_t{3});
    QCOMPARE(read[0].name, std::string("a"));
    QCOMPARE(read[1].name, std::string("a (2)"));
    QCOMPARE(read[2].name, std::string("a (3)"));
    QCOMPARE(read[1].metrics.size(), std::size_t{5});
  }

  void picturesAndClipboard() {
    Desk desk;
    desk.add(madeUpMetrics(100));
    desk.draw();
    const QTemporaryDir folder;
    const QString png = folder.filePath(QStringLiteral("a.png")), svg = folder.filePath(QStringLiteral("a.svg"));
    savePicture(desk.chart, png);
    savePicture(desk.chart, svg);
    QCOMPARE(QImage(png).size(), desk.chart.size() * 2);
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    int texts = 0, lines = 0;
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isStartElement() && xml.name() == QStringLiteral("text")) ++texts;
      if (xml.isStartElement() && (xml.name() == QStringLiteral("polyline") || xml.name() == QStringLiteral("path")))
        ++lines;
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QVERIFY(texts > 5 && lines > 50);
    QVERIFY_THROWS_EXCEPTION(UserError, savePicture(desk.chart, folder.filePath(QStringLiteral("none/a.png"))));
    QVERIFY_THROWS_EXCEPTION(UserError, savePicture(desk.chart, folder.filePath(QStringLiteral("a.txt"))));
    savePicture(desk.chart, folder.filePath(QStringLiteral("a.pdf")));
    QFile pages(folder.filePath(QStringLiteral("a.pdf")));
    QVERIFY(pages.open(QIODevice::ReadOnly) && pages.read(4) == "%PDF");
    const auto copied = copyOf(desk.chart, desk.library);
    QVERIFY(copied->hasImage() && copied->text().startsWith(QStringLiteral("run,event,step")));
  }

  // On paper nobody can point at a curve, so every run is named, however many there are.
  void aPictureNamesEveryRun() {
    Desk desk;
    desk.chart.resize(320, 200);
    QStringList names;
    for (int i = 0; i < 9; ++i) {
      names << QStringLiteral("b%1 lr0.%2 Mirrored").arg(8 << i).arg(i + 1);
      desk.add(madeUpMetrics(100, i), names.last());
    }
    desk.draw();
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.svg"));
    savePicture(desk.chart, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QStringList texts;
    while (!xml.atEnd())
      if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QStringLiteral("text"))
        texts << xml.readElementText().trimmed();
    for (const QString& name : names)
      QVERIFY2(texts.contains(name), qPrintable(name + QStringLiteral(": ") + texts.join(QStringLiteral(" | "))));
    QVERIFY(texts.filter(QRegularExpression(QStringLiteral("^\\+\\d"))).isEmpty());
    // The curves keep their height.
    savePicture(desk.chart, folder.filePath(QStringLiteral("a.png")));
    QVERIFY(QImage(folder.filePath(QStringLiteral("a.png"))).height() > 2 * desk.chart.height());
  }

  void tableHasThePoints() {
    Desk desk;
    auto metrics = madeUpMetrics(60);
    metrics->evaluations = {{30, 0.5, 0.9}};
    desk.add(metrics);
    desk.chart.setOptions({XAxis::Images, 0.5, false});
    desk.draw();
    ChartTable table(desk.chart, desk.library);
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(table.rowCount(), 60);
    QCOMPARE(table.columnCount(), 6);
    QCOMPARE(table.index(29, 1).data().toInt(), 30);
    QCOMPARE(table.index(29, 2).data().toDouble(), 30.0 * 64);
    QVERIFY(std::abs(table.index(29, 3).data().toDouble() - metrics->steps[29].loss) < 1e-8);
    QCOMPARE(table.index(29, 5).data().toDouble(), 0.5);
    QVERIFY(!table.index(28, 5).data().isValid());
  }

  void coloursOfRunsAreSeen() {
    for (const theme::Kind kind : theme::kKinds)
      for (int i = 0; i < kRunColours; ++i)
        QVERIFY(contrast(runColour(i, kind), theme::coloursOf(kind).panel) >= theme::kLeastGraphics);
  }

  void panelShowsWhatThereIs() {
    ChartFixture fixture;
    RunTable table(fixture.library);
    ChartPanel panel(fixture.controller, fixture.library, table);
    panel.resize(1000, 300);
    panel.show();
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel, kPatienceMs));
    const int a = fixture.add(madeUpMetrics(20), QStringLiteral("first"));
    auto& legend = *panel.findChild<QListView*>(QStringLiteral("chartLegend"));
    QVERIFY(!legend.isVisible());
    fixture.add(madeUpMetrics(20), QStringLiteral("other"));
    QTRY_VERIFY_WITH_TIMEOUT(legend.isVisible(), kPatienceMs);
    QVERIFY(!panel.chart(Quantity::LearningRate).isVisible());
    panel.setWanted(Quantity::LearningRate, true);
    QTRY_VERIFY_WITH_TIMEOUT(panel.chart(Quantity::LearningRate).isVisible(), kPatienceMs);
    // In the legend, Space hides a run, F2 renames it, and Delete removes it.
    legend.setCurrentIndex(table.index(1, 0));  // the latest comes first
    QCOMPARE(panel.selectedRun(), a);
    legend.setFocus();
    QTest::keyClick(&legend, Qt::Key_Space);
    QVERIFY(!fixture.library.find(a)->shown);
    QTest::keyClick(&legend, Qt::Key_F2);
    auto* editor = legend.findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->setText(QStringLiteral("renamed"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.library.find(a)->name, QStringLiteral("renamed"), kPatienceMs);
    QTest::keyClick(&legend, Qt::Key_Delete);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.library.find(a) == nullptr, kPatienceMs);

    QMenu menu;
    panel.fillMenu(menu, panel.chart(Quantity::Loss));
    QVERIFY(menu.actions().size() > 8);
    panel.copy(panel.chart(Quantity::Loss));
    QVERIFY(QGuiApplication::clipboard()->mimeData()->hasImage());
    const QTemporaryDir folder;
    const QString csv = folder.filePath(QStringLiteral("a.csv"));
    QSignalSpy said(&panel, &ChartPanel::said);
    panel.writeCsv(csv, CsvScope::All, panel.chart(Quantity::Loss));
    QTRY_COMPARE_WITH_TIMEOUT(said.size(), 1, kPatienceMs);
    QVERIFY(!said[0][1].toBool() && QFile::exists(csv));
    panel.writeCsv(folder.filePath(QStringLiteral("none/a.csv")), CsvScope::All, panel.chart(Quantity::Loss));
    QTRY_COMPARE_WITH_TIMEOUT(said.size(), 2, kPatienceMs);
    QVERIFY(said[1][1].toBool() && said[1][0].toString().contains(QStringLiteral("none")));
  }
};

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
