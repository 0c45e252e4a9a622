// SPDX-License-Identifier: GPL-3.0-or-later
// A few curves over one axis: those of lanes, their differences, the distance of their weights, the columns of a table.
// It is redrawn only when it gets new data.
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <limits>
#include <vector>

#include "ui/charts/curve.h"
#include "ui/charts/plot_head.h"
#include "ui/charts/plot_view.h"

namespace lab {

class SeriesChart final : public QWidget {
  Q_OBJECT

 public:
  struct Series {
    QString name;
    QColor colour;
    Qt::PenStyle style = Qt::SolidLine;
    Curve curve;
    double leavesAt = std::numeric_limits<double>::infinity();  // in x: from there on it may leave the axis
  };
  enum class Scale {
    Linear,
    Differences,  // linear, with 0 always visible and a line there
    Distances,    // logarithmic, with exact zeros at the foot
  };

  // `title`: "" if other text names the chart and its curves.
  SeriesChart(const QString& title, Scale scale, QWidget* parent = nullptr);

  void setSeries(std::vector<Series> series, const QString& xName, bool countedX = true);
  const std::vector<Series>& series() const { return series_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  PlotHead head() const;
  QRectF place() const;  // of the plot
  ChartScale scale() const;
  Plot plot() const;
  QString wordsAt(double x) const;

  QString title_, xName_;
  Scale kind_;
  bool countedX_ = true;
  std::vector<Series> series_;
  PlotView view_;
};

}  // namespace lab
