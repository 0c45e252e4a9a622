// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of the kept runs, with what they have in common: axis, smoothing, which are there, and the legend. A few
// times a second one of them after the other takes up what is new, so that no frame pays for all of them; hidden they
// cost nothing.
#pragma once

#include <QTimer>
#include <QWidget>

#include <vector>

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

  void setOnlyLoss(bool only);        // room for one chart
  void setLeisurely(bool leisurely);  // once a second
  void refresh();                     // at once: for a picture

  MetricChart& chart(Quantity quantity) { return *charts_[static_cast<std::size_t>(quantity)]; }
  bool isWanted(Quantity quantity) const { return wanted_[static_cast<std::size_t>(quantity)]; }
  void setWanted(Quantity quantity, bool wanted);
  const ChartOptions& options() const { return options_; }
  void setOptions(const ChartOptions& options);
  void showAll();
  bool isZoomed() const;

  // To files; a failure comes through said().
  void writeCsv(const QString& path, CsvScope scope, const MetricChart& chart);
  void writePicture(const QString& path, MetricChart& chart);
  void copy(MetricChart& chart);
  void fillMenu(QMenu& menu, MetricChart& chart);
  void fillMenu(QMenu& menu);  // of all charts that are shown, and which are
  int selectedRun() const;     // in the legend, else the present one

 Q_SIGNALS:
  void stepWanted(std::int64_t step);            // of the present run
  void said(const QString& text, bool failure);  // what became of an export, or of a click on another run
  void dragWanted(MetricChart* chart);           // out of the window
  void changed();                                // options, which charts there are, zoom

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
  void fillOwn(QMenu& menu, MetricChart& chart);      // of one chart
  void fillOptions(QMenu& menu, MetricChart& chart);  // of all
  void fillShown(QMenu& menu);                        // which there are
  void askForFile(const QString& title, const QString& filter, const QString& name,
                  const std::function<void(const QString&)>& write);

  RunController& controller_;
  RunLibrary& library_;
  QTimer timer_;  // single shot: costs nothing between
  int intervalMs_;
  bool onlyLoss_ = false;
  ChartOptions options_;
  std::vector<MetricChart*> charts_;
  std::vector<bool> wanted_, chosen_;  // chosen: a person said so
  std::size_t next_ = 0;
  std::vector<MetricChart*> placed_;  // in the grid
  int across_ = 0;                    // of it
  QGridLayout* grid_;
  QScrollArea* area_;
  ChartBar* bar_;
  QListView* legend_;
  Background background_;
};

}  // namespace lab
