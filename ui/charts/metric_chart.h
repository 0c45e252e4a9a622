// SPDX-License-Identifier: GPL-3.0-or-later
// One chart of a run's numbers over its steps. It draws what it is given: the owner decides how often (Qt Charts pays
// for every change with all points of the series, so at most ten times a second, and whole series at once).
#pragma once

#include <QChartView>
#include <QColor>
#include <QList>
#include <QPointF>
#include <QString>

#include <vector>

class QLineSeries;
class QValueAxis;

namespace lab {

class MetricChart final : public QChartView {
  Q_OBJECT

 public:
  struct Line {
    QString name;
    QColor colour;
    bool marked = false;  // few points that each count: a marker at each, and a stronger line
  };
  enum class Range {
    FromZero,  // up to a round number above the largest value
    Percent,   // 0 to 100
  };

  MetricChart(const QString& title, const QString& unit, Range range, const std::vector<Line>& lines,
              QWidget* parent = nullptr);

  void setPoints(std::size_t line, const QList<QPointF>& points);
  void setLastStep(double step);  // the x axis ends here or a little later
  void setWords(const QString& title, const QString& unit);

  QList<QPointF> shownPoints(std::size_t line) const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::vector<QLineSeries*> series_;  // owned by the chart
  std::vector<bool> marked_;          // each line's
  QValueAxis* xAxis_;
  QValueAxis* yAxis_;
  Range range_;
  double largest_ = 2.5;  // value on the y axis

  void fitTicks();
};

// A round step (1, 2, 2.5 or 5 times a power of ten) that covers [0, maximum] in at most `count` steps.
double roundStep(double maximum, int count);

}  // namespace lab
