// SPDX-License-Identifier: GPL-3.0-or-later
// A few lines over one axis, painted: curves of the lanes, their differences, the distance of their weights. It is
// drawn when it is told something new, and holds as many points as there are steps.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>
#include <QWidget>

#include <vector>

#include "ui/charts/curve.h"

namespace lab {

class SeriesChart final : public QWidget {
  Q_OBJECT

 public:
  struct Series {
    QString name;
    QColor colour;
    Qt::PenStyle style = Qt::SolidLine;
    Curve curve;
  };
  enum class Scale {
    Linear,
    Differences,  // linear, with 0 in sight and a line there
    Distances,    // logarithmic, with a row for what is exactly 0
  };

  SeriesChart(const QString& title, Scale scale, QWidget* parent = nullptr);

  void setSeries(std::vector<Series> series, const QString& xName);
  const std::vector<Series>& series() const { return series_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Axes;
  Axes axes() const;
  QFont smallFont() const;
  QString zeroWords() const;  // beside the row for zeros; "" where there is none
  void paintGrid(QPainter& painter, const Axes& axes) const;
  void paintLegend(QPainter& painter) const;
  QString wordsAt(double x) const;

  QString title_, xName_;
  Scale kind_;
  std::vector<Series> series_;
};

}  // namespace lab
