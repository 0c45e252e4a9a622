// SPDX-License-Identifier: GPL-3.0-or-later
// The results of a sweep: its grid, and one chart beside or below it, with what they show to choose above each.
#pragma once

#include <QSplitter>
#include <QTimer>

#include "ui/sweep/sweep_grid.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace lab {

class CoordinatesPanel;
class SweepChart;
class SweepLegend;

class SweepResults final : public QSplitter {
  Q_OBJECT

 public:
  explicit SweepResults(const SweepRun& run, QWidget* parent = nullptr);

  void setRequest(const SweepRequest& request);  // and the run's cells, which are this request's
  void showWhatFits(const SweepPlan& plan);      // chooses the quantity and the chart that suit such a sweep
  void refresh(bool planned);                    // false: the form's plan is impossible, and has no chart
  void follow();                                 // takes new results; the chart has them a moment later
  void showCell(int cell);                       // in all pictures
  void saveChartShown(const QString& path);      // throws UserError
  const SweepLegend& legend() const { return *legend_; }

 Q_SIGNALS:
  void cellChosen(int cell);

 private:
  QWidget* makeGridSide();
  QWidget* makeChartSide();
  void fillRules();
  void nameTimes();
  void refreshChart();

  const SweepRun& run_;
  bool planned_ = false;
  SweepGridModel model_{run_};
  QComboBox *quantity_, *rule_, *kind_;
  QLabel *axes_, *caption_;
  SweepGrid* grid_;
  SweepLegend* legend_;
  QCheckBox *logX_, *logY_;
  SweepChart* chart_;
  CoordinatesPanel* coordinates_;  // in place of the chart, if chosen
  QTimer chartTimer_;              // single shot
};

}  // namespace lab
