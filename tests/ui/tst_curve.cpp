// SPDX-License-Identifier: GPL-3.0-or-later
// Curves draw fewer points than there are and still show the truth: no spike is lost, the ends are exact, nothing
// undrawable is drawn; the axes' numbers are round, and the crosshair reads the nearest point. The pyramid is compared
// with a plain search through all points.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_scale.h"
#include "ui/charts/curve.h"
#include "ui/charts/quantity.h"
#include "ui/charts/readout.h"

using namespace lab;

namespace {

double noiseAt(std::size_t i) {
  return std::sin(0.37 * static_cast<double>(i * i % 1009)) + 1e-6 * static_cast<double>(i);
}

Curve noise(std::size_t count, std::size_t spikeAt = SIZE_MAX, double spike = 0) {
  Curve curve;
  for (std::size_t i = 0; i < count; ++i)
    curve.append(static_cast<double>(i), i == spikeAt ? spike : noiseAt(i), static_cast<std::uint32_t>(i));
  return curve;
}

}  // namespace

class TestCurve : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void fewPointsStayAsTheyAre() {
    const Curve curve = noise(2000);
    const QList<QPointF> shown = curve.shown(0, 1999, 1000);
    QCOMPARE(shown.size(), 2000);
    for (std::size_t i = 0; i < 2000; ++i) QCOMPARE(shown[static_cast<qsizetype>(i)], curve.point(i));
  }

  void extremesAreThoseOfAllPoints() {
    const Curve curve = noise(70'001);
    for (const auto& [from, to] : {std::pair{0, 70'000},
                                   {0, 0},
                                   {1, 17},
                                   {15, 16},
                                   {255, 4100},
                                   {4096, 65'535},
                                   {65'536, 70'000},
                                   {69'999, 70'000},
                                   {123, 45'678}}) {
      double low = noiseAt(static_cast<std::size_t>(from)), high = low;
      for (int i = from; i <= to; ++i) {
        low = std::min(low, noiseAt(static_cast<std::size_t>(i)));
        high = std::max(high, noiseAt(static_cast<std::size_t>(i)));
      }
      QCOMPARE(curve.extremes(from, to), (std::pair{low, high}));
    }
  }

  void whatIsShownKeepsEndsOrderAndLimit_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("columns");
    QTest::newRow("one too many") << 2001 << 1000;
    QTest::newRow("uneven columns") << 5003 << 1000;
    QTest::newRow("few columns") << 777 << 50;
    QTest::newRow("one column") << 50 << 1;
    QTest::newRow("many") << 300'000 << 999;
  }
  void whatIsShownKeepsEndsOrderAndLimit() {
    QFETCH(int, count);
    QFETCH(int, columns);
    const Curve curve = noise(static_cast<std::size_t>(count));
    const QList<QPointF> shown = curve.shown(0, count - 1, columns);
    QVERIFY(shown.size() <= 2 * columns + 4);
    QVERIFY(shown.size() >= columns);
    QCOMPARE(shown.first(), curve.point(0));
    QCOMPARE(shown.last(), curve.point(static_cast<std::size_t>(count) - 1));
    for (qsizetype i = 1; i < shown.size(); ++i) QVERIFY(shown[i - 1].x() < shown[i].x());
  }

  void aSpikeOfOnePointStays_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("at");
    for (const int at : {0, 1, 2, 499, 5000, 99'997, 99'999}) QTest::addRow("%d", at) << 100'000 << at;
    QTest::addRow("a million") << 1'000'000 << 654'321;
  }
  void aSpikeOfOnePointStays() {
    QFETCH(int, count);
    QFETCH(int, at);
    for (const double height : {7.0, -7.0}) {
      const Curve curve = noise(static_cast<std::size_t>(count), static_cast<std::size_t>(at), height);
      QVERIFY(curve.shown(0, count - 1, 100).contains(QPointF(at, height)));
    }
  }

  void everyColumnHasItsExtremes() {
    const Curve curve = noise(10'000);
    const QList<QPointF> shown = curve.shown(2000, 6000, 40);
    QCOMPARE(shown.first().x(), 1999.0);  // the line reaches the edge
    QCOMPARE(shown.last().x(), 6001.0);
    for (int column = 0; column < 40; ++column) {
      const int from = 2000 + 100 * column, to = from + (column == 39 ? 100 : 99);
      const auto [low, high] = curve.extremes(from, to);
      const auto is = [&](double value) {
        return std::any_of(shown.begin(), shown.end(), [&](const QPointF& point) {
          return point.y() == value && point.x() >= from && point.x() <= to;
        });
      };
      QVERIFY2(is(low) && is(high), qPrintable(QString::number(column)));
    }
  }

  void columnsHaveTheExtremesAndMeet() {
    const Curve curve = noise(100'000, 54'321, 7.0);
    const auto columns = curve.columns(0, 99'999, 1000);
    QCOMPARE(columns.size(), std::size_t{1000});
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto from = static_cast<double>(i) * 99.999, to = from + 99.999;
      const auto [low, high] = curve.extremes(std::ceil(from), i + 1 < columns.size() ? std::ceil(to) - 1 : to);
      QVERIFY(columns[i].low <= low && columns[i].high >= high);
      QVERIFY(columns[i].x > from && columns[i].x < to);
      if (i > 0) QVERIFY(columns[i].low <= columns[i - 1].high && columns[i].high >= columns[i - 1].low);
    }
    QCOMPARE(columns[543].high, 7.0);
    QVERIFY(columns[542].high < 2 && columns[544].high < 2);  // the spike is in its column alone
    QVERIFY(curve.columns(2e6, 3e6, 10).empty());
  }

  void whatCannotBeDrawnIsLeftOut() {
    const double infinity = std::numeric_limits<double>::infinity();
    Curve curve;
    for (const auto& [x, y] : {std::pair{1.0, 2.0}, {2.0, std::nan("")}, {3.0, infinity}, {4.0, -infinity}, {5.0, 1.0}})
      curve.append(x, y, static_cast<std::uint32_t>(x));
    QCOMPARE(curve.shown(0, 10, 100), (QList<QPointF>{{1, 2}, {5, 1}}));
    QCOMPARE(curve.tag(1), 5U);
    QVERIFY(Curve().shown(0, 1, 4).isEmpty());
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, curve.append(4, 1, 0));  // x goes back
  }

  void smoothingIsTheRunningMean() {
    Curve raw;
    SmoothedCurve smoothed;
    smoothed.begin(0.75);
    double sum = 0, share = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      raw.append(static_cast<double>(i), noiseAt(i), 0);
      if (i % 7 == 0) smoothed.follow(raw);  // a few points at a time
    }
    smoothed.follow(raw);
    QCOMPARE(smoothed.curve().size(), std::size_t{300});
    for (std::size_t i = 0; i < 300; ++i) {
      sum = 0.75 * sum + noiseAt(i);
      share = 0.75 * share + 1;
      QVERIFY(std::abs(smoothed.curve().y(i) - sum / share) < 1e-12);
    }
    QCOMPARE(smoothed.curve().y(0), raw.y(0));  // without bias from the start
  }

  void stepsAreRound_data() {
    QTest::addColumn<double>("maximum");
    QTest::addColumn<double>("step");
    QTest::newRow("loss of ten classes") << 2.31 << 0.5;
    QTest::newRow("exact") << 2.5 << 0.5;
    QTest::newRow("an epoch of MNIST") << 469.0 << 100.0;
    QTest::newRow("small") << 0.0101 << 0.0025;
    QTest::newRow("large") << 9.9e8 << 2e8;
    QTest::newRow("nothing") << 0.0 << 1.0;
    QTest::newRow("no number") << std::nan("") << 1.0;
  }
  void stepsAreRound() {
    QFETCH(double, maximum);
    QFETCH(double, step);
    QCOMPARE(roundStep(maximum, 5), step);
  }

  void ticksAreToldApart() {
    for (const Range& range :
         {Range{0, 2.5}, Range{1e6, 1e6 + 3}, Range{0.1234, 0.1239}, Range{0, 5e7}, Range{0, 469}, Range{-3, 3}}) {
      const std::vector<Tick> ticks = linearTicks(range, 5);
      QVERIFY(ticks.size() >= 3 && ticks.size() <= 7);
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        QVERIFY(ticks[i].at >= range.from - 1e-9 && ticks[i].at <= range.to + 1e-9 * range.length());
        if (i > 0) QVERIFY2(ticks[i].text != ticks[i - 1].text, qPrintable(ticks[i].text));
      }
    }
    // Counted quantities such as staleness, steps and images have no ticks at halves.
    for (const Range& range : {Range{0, 1}, Range{0, 2}, Range{0, 3}, Range{0, 6}, Range{0, 469}, Range{7, 9}}) {
      const std::vector<Tick> ticks = linearTicks(range, 5, true);
      QVERIFY(ticks.size() >= 2 && ticks.size() <= 7);
      for (const Tick& tick : ticks) {
        QCOMPARE(tick.at, std::round(tick.at));
        QVERIFY2(!tick.text.contains(QLatin1Char('.')), qPrintable(tick.text));
      }
    }
    QVERIFY(isCounted(Quantity::Staleness) && isCounted(XAxis::Steps) && isCounted(XAxis::Images));
    QVERIFY(!isCounted(Quantity::Loss) && !isCounted(XAxis::Epochs));
    QCOMPARE(shortNumber(12'345'678), QStringLiteral("12.35 M"));
    QCOMPARE(shortNumber(0), QStringLiteral("0"));
  }

  void logarithmsSurviveZeros() {
    QCOMPARE(logRange(0.02, 3), (Range{0.01, 10}));
    QCOMPARE(logFoot(0.02), 0.001);
    QVERIFY(logFoot(0) > 0);
    // Values that a double hardly holds, such as a learning rate of 1e-307: the axis ends, and so does its search.
    const double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
    for (const Range range : {logRange(1e-307, 1), logRange(1, 1.5e308), logRange(least, least), logRange(most, most),
                              logRange(least, most), Range{logFoot(least), logRange(least, 1).to}}) {
      QVERIFY(range.from > 0 && range.to > range.from && std::isfinite(range.to / range.from));
      QVERIFY(!logTicks(range, 5).empty());
    }
    QVERIFY(logTicks({0, 1}, 5).empty() && logTicks({1, std::numeric_limits<double>::infinity()}, 5).empty());
    const ChartScale scale{{0, 10}, {0.001, 10}, true};
    QCOMPARE(scale.unitY(0), 0.0);  // at the foot, not off the chart
    QCOMPARE(scale.unitY(-5), 0.0);
    QCOMPARE(scale.unitY(10), 1.0);
    QVERIFY(std::abs(scale.unitY(0.1) - 0.5) < 1e-12);
    QVERIFY(std::abs(scale.valueY(0.5) - 0.1) < 1e-12);
    QVERIFY(scale.unitY(0.0001) < -0.2);  // in a closer look, smaller values leave the chart at the bottom
    const ChartScale both{{1, 256}, {0.001, 10}, true, true};
    const QRectF area(10, 20, 800, 400);
    QVERIFY(std::abs(both.at(area, {16, 0.1}).x() - 410) < 1e-9 && std::abs(both.at(area, {16, 0.1}).y() - 220) < 1e-9);
    QVERIFY(std::abs(both.valueAt(area, {410, 220}).x() - 16) < 1e-9);
    QVERIFY(logTicks({0.001, 10}, 6).size() >= 4);
    QVERIFY(logTicks({0.3, 0.5}, 6).size() >= 2);  // within one decade
  }

  void atMostFiveNearestAreRead() {
    std::vector<Curve> curves(8);
    std::vector<const Curve*> given;
    for (std::size_t c = 0; c < curves.size(); ++c) {
      for (int x = 0; x <= 100; ++x) curves[c].append(x, static_cast<double>(c), 0);
      given.push_back(&curves[c]);
    }
    const ChartScale scale{{0, 100}, {0, 7}, false};
    const auto found = readings(given, scale, QSizeF(1000, 700), QPointF(503, 700 - 620), 24);
    QCOMPARE(found.size(), std::size_t{5});
    QCOMPARE(found[0].curve, std::size_t{6});
    QCOMPARE(found[0].value, QPointF(50, 6));
    QCOMPARE(found[1].curve, std::size_t{7});  // the pointer is at 6.2
    QCOMPARE(found[4].curve, std::size_t{3});
    // A curve that has ended is not read beyond its end.
    Curve shortOne;
    for (int x = 0; x <= 20; ++x) shortOne.append(x, 1, 0);
    const std::vector<const Curve*> only{&shortOne};
    QVERIFY(readings(only, scale, QSizeF(1000, 700), QPointF(503, 350), 24).empty());
    QCOMPARE(readings(only, scale, QSizeF(1000, 700), QPointF(210, 350), 24).size(), std::size_t{1});
  }
};

QTEST_GUILESS_MAIN(TestCurve)
#include "tst_curve.moc"
