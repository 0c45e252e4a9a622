// SPDX-License-Identifier: GPL-3.0-or-later
// Charts show fewer points than there are and still the truth: no spike lost, the ends exact, nothing that cannot be
// drawn.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "ui/charts/decimate.h"
#include "ui/charts/metric_chart.h"

using namespace lab;

namespace {

QList<QPointF> noise(qsizetype count) {
  QList<QPointF> points;
  for (qsizetype i = 0; i < count; ++i) {
    points.append({static_cast<double>(i), std::sin(0.37 * static_cast<double>(i * i % 1009))});
  }
  return points;
}

}  // namespace

class TestCharts : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void fewPointsStayAsTheyAre() { QCOMPARE(decimate(noise(2000), 2000), noise(2000)); }

  void decimatedKeepsEndsOrderAndLimit_data() {
    QTest::addColumn<qsizetype>("count");
    QTest::addColumn<qsizetype>("limit");
    QTest::newRow("one too many") << qsizetype{2001} << qsizetype{2000};
    QTest::newRow("uneven buckets") << qsizetype{5003} << qsizetype{2000};
    QTest::newRow("odd limit") << qsizetype{777} << qsizetype{101};
    QTest::newRow("smallest limit") << qsizetype{50} << qsizetype{4};
    QTest::newRow("many") << qsizetype{300000} << qsizetype{2000};
  }
  void decimatedKeepsEndsOrderAndLimit() {
    QFETCH(qsizetype, count);
    QFETCH(qsizetype, limit);
    const QList<QPointF> all = noise(count), kept = decimate(all, limit);
    QVERIFY(kept.size() <= limit);
    QVERIFY(kept.size() >= limit / 2);
    QCOMPARE(kept.first(), all.first());
    QCOMPARE(kept.last(), all.last());
    for (qsizetype i = 1; i < kept.size(); ++i) QVERIFY(kept[i - 1].x() < kept[i].x());
  }

  void aSpikeOfOnePointStays_data() {
    QTest::addColumn<qsizetype>("at");
    for (const qsizetype at : {1, 2, 499, 5000, 99997, 99998}) QTest::addRow("%lld", static_cast<long long>(at)) << at;
  }
  void aSpikeOfOnePointStays() {
    QFETCH(qsizetype, at);
    for (const double height : {7.0, -7.0}) {
      QList<QPointF> points = noise(100000);
      points[at].setY(height);
      QVERIFY(decimate(points, 200).contains(points[at]));
    }
  }

  void whatCannotBeDrawnIsLeftOut() {
    const double infinity = std::numeric_limits<double>::infinity();
    const QList<QPointF> points{{1, 2}, {2, std::nan("")}, {3, infinity}, {4, -infinity}, {5, 1}};
    QCOMPARE(decimate(points, 100), (QList<QPointF>{{1, 2}, {5, 1}}));
    QVERIFY(decimate({}, 4).isEmpty());
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

  void chartShowsTheLastPoint() {
    MetricChart chart(QStringLiteral("Loss"), QStringLiteral("nats"), MetricChart::Range::FromZero,
                      {{QStringLiteral("training"), Qt::black}, {QStringLiteral("test"), Qt::red, true}});
    const QList<QPointF> points = noise(10000);
    chart.setPoints(0, points);
    QCOMPARE(chart.shownPoints(0).last(), points.last());
    QVERIFY(chart.shownPoints(0).size() <= 2000);
    QVERIFY(chart.shownPoints(1).isEmpty());
  }
};

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
