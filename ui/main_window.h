// SPDX-License-Identifier: GPL-3.0-or-later
// The window: what runs, its figures, its two charts, and the three things one can do to it. It lays out and forwards;
// what is shown is decided in run_summary, what is drawn in charts/.
#pragma once

#include <QMainWindow>
#include <QTimer>

#include <vector>

#include "ui/run_controller.h"

class QAction;
class QLabel;

namespace lab {

class MetricChart;

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(RunController& controller, QWidget* parent = nullptr);

  void refreshAll();  // texts and charts, at once: for a picture

 private:
  struct Card {
    QLabel *name, *value, *note;
  };

  void createActions();
  QWidget* createHeader();
  QWidget* createCards();
  QWidget* createCharts();
  void onUpdated();
  void refreshTexts();
  void refreshCharts();

  RunController& controller_;
  QTimer chartTimer_;  // single shot: charts lag the run by at most its interval, and cost nothing between
  QAction *play_, *step_;
  QLabel *title_, *devices_, *banner_, *stateText_, *dataText_, *droppedText_;
  std::vector<Card> cards_;
  MetricChart *loss_, *accuracy_;
};

}  // namespace lab
