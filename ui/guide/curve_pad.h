// SPDX-License-Identifier: GPL-3.0-or-later
// A chart in which the user draws a curve, by mouse or keys: left and right choose a place, up and down move the curve
// there. The true curve is drawn above it once it is known.
#pragma once

#include <QVector>
#include <QWidget>

#include "ui/charts/plot_view.h"

namespace lab {

class CurvePad final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kPlaces = 21;
  CurvePad(const QString& name, double low, double high, int steps, QWidget* parent = nullptr);

  const QVector<double>& drawn() const { return drawn_; }
  bool isDrawn() const { return touched_; }
  void seal(bool sealed) { sealed_ = sealed; }
  void setTruth(const QVector<double>& bySteps);  // one value per step
  // Mean distance of the two, and at the end.
  double distance() const;
  double excess() const;  // mean of true minus drawn; negative: the true curve is lower
  QSize sizeHint() const override;

 Q_SIGNALS:
  void changed();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  ChartScale scale() const;
  double stepAt(int place) const;
  int placeAt(const QPointF& position) const;
  void drawTo(const QPointF& position);
  void followFrom(int place);
  double drawnAt(double share) const;

  double low_, high_;
  int steps_, place_ = 0, reach_ = 0;  // reach_: the last place that is drawn
  bool touched_ = false, sealed_ = false;
  QVector<double> drawn_, truth_;
  PlotView view_;
};

}  // namespace lab
