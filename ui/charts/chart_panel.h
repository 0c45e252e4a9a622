// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of the kept runs and what they share: axis, smoothing, the choice of charts, and the legend. A few times
// per second, the next chart in turn takes new data, so that no frame pays for all of them; hidden charts cost nothing.
#pragma once

#include <QTimer>
#include <QWidget>

#include <vector>

#include "core/base/at.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/run_curves.h"
#include "ui/runview/background.h"

class QGridLayout;
class QListView;
class QMenu;
class QScrollArea;

namespace lab {

class ChartBar;
class MetricChart;
class RunController;
class RunLibrary;
class RunTable;

class ChartPanel final : public QWidget {
  Q_OBJECT

 public:
  ChartPanel(RunController& controller, RunLibrary& library, RunTable& runs, QWidget* parent = nullptr);
  ~ChartPanel() override;

  void setOnlyLoss(bool only);        // for places with room for one chart only
  void setLeisurely(bool leisurely);  // updates once per second
  void refresh();                     // at once: for a screenshot

  MetricChart& chart(Quantity quantity) { return *at(charts_, quantity); }
  bool isWanted(Quantity quantity) const { return at(wanted_, quantity); }
  void setWanted(Quantity quantity, bool wanted);
  const ChartOptions& options() const { return options_; }
  void setOptions(const ChartOptions& options);
  void showAll();
  bool isZoomed() const;

  // Write to files; said() reports failures.
  void writeCsv(const QString& path, CsvScope scope, const MetricChart& chart);
  void writePicture(const QString& path, MetricChart& chart);
  void copy(MetricChart& chart);
  void fillMenu(QMenu& menu, MetricChart& chart);
  void fillMenu(QMenu& menu);  // for all visible charts, and for choosing which are visible
  int selectedRun() const;     // the one selected in the legend, or else the present one

 Q_SIGNALS:
  void stepWanted(std::int64_t step);            // a step of the present run
  void said(const QString& text, bool failure);  // the result of an export, or of a click on another run
  void dragWanted(MetricChart* chart);           // to drag the chart out of the window
  void changed();                                // options, choice of charts, or zoom

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addChart(Quantity quantity);
  QListView* makeLegend(RunTable& runs);
  void schedule();
  void refreshNext();
  void arrange();
  void placeCharts();
  void fitChoice();
  void pointClicked(int run, std::int64_t step);
  void fillOwn(QMenu& menu, MetricChart& chart);      // the actions for one chart
  void fillOptions(QMenu& menu, MetricChart& chart);  // the actions for all
  void fillShown(QMenu& menu);                        // the choice of charts
  void askForFile(const QString& title, const QString& filter, const QString& name,
                  const std::function<void(const QString&)>& write);

  RunController& controller_;
  RunLibrary& library_;
  QTimer timer_;  // single shot, so it costs nothing while idle
  int intervalMs_;
  bool onlyLoss_ = false;
  ChartOptions options_;
  std::vector<MetricChart*> charts_;
  std::vector<bool> wanted_, chosen_;  // chosen_: decided by the user
  std::size_t next_ = 0;
  std::vector<MetricChart*> placed_;  // those in the grid
  int across_ = 0;                    // charts per row of the grid
  QGridLayout* grid_;
  QScrollArea* area_;
  ChartBar* bar_;
  QListView* legend_;
  Background background_;
};

}  // namespace lab
