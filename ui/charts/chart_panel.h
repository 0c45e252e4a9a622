// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of the present run: loss, accuracy, throughput. Refreshed at most ten times a second, and once a second
// when training is to have all of the machine.
#pragma once

#include <QList>
#include <QPointF>
#include <QTimer>
#include <QWidget>

#include <cstddef>

class QHBoxLayout;

namespace lab {

class MetricChart;
class RunController;

class ChartPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit ChartPanel(RunController& controller, QWidget* parent = nullptr);

  void setOnlyLoss(bool only);        // room for one chart
  void setLeisurely(bool leisurely);  // once a second
  void refresh();                     // at once: for a picture

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void schedule();
  void readRun();

  RunController& controller_;
  QTimer timer_;  // single shot: costs nothing between
  bool onlyLoss_ = false, built_ = false;
  QHBoxLayout* row_;
  MetricChart *loss_ = nullptr, *accuracy_ = nullptr, *throughput_ = nullptr;
  // The run so far as points; only what is new is read.
  std::size_t steps_ = 0, evaluations_ = 0;
  const void* run_ = nullptr;
  QList<QPointF> batchLoss_, batchAccuracy_, rate_, testLoss_, testAccuracy_;
};

}  // namespace lab
