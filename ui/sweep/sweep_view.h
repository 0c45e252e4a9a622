// SPDX-License-Identifier: GPL-3.0-or-later
// The workspace of sweeps: the form, the grid, one chart beside it, and the bar that starts, pauses, cancels and
// resumes. Cells are stored in a folder of the program, with the last plan, so that the next session finds both. A
// click on a cell or a point starts that run on the stage.
#pragma once

#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

#include "core/experiments/sweep_file.h"
#include "ui/runview/background.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/sweep/sweep_plots.h"
#include "ui/sweep/sweep_request.h"
#include "ui/sweep/sweep_run.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QProgressBar;
class QSplitter;
class QPushButton;
class QToolButton;

namespace lab {

class CoordinatesPanel;
class Experiment;
class FittingArea;
class RunLibrary;
class SweepChart;
class SweepForm;
class SweepLegend;

class SweepView final : public QWidget {
  Q_OBJECT

 public:
  // `folder`: where cells are stored; "": the program's own.
  SweepView(Experiment& experiment, RunLibrary& library, QWidget* parent = nullptr, const QString& folder = {});
  ~SweepView() override;

  void setRequest(const SweepRequest& request);  // into the form; the stored results go into the grid
  const SweepRun& run() const { return run_; }
  const SweepRequest& request() const { return request_; }

  void start();          // what is missing; nothing if the form has an impossible value
  void retryDiverged();  // retries diverged cells too
  void pauseOrGoOn();
  void cancel();
  bool open(const QString& path);  // opens the sweep of an experiment's file; reports errors
  void save(const QString& path);
  void writeCsv(const QString& path);
  void writeEvents(const QString& folder);  // for TensorBoard
  void writePicture(const QString& path);
  void wait();       // until all files are written
  void takeEdits();  // now, those of the last moment too

 Q_SIGNALS:
  void runWanted();                 // a run of the sweep has begun on the stage
  void replanned();                 // request() is another plan
  void saved(const QString& path);  // the plan, into an experiment's file
  void said(const QString& text);   // while another workspace is open

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();  // this and the next three are in sweep_view_layout.cpp
  void arrange();
  void fitForm();
  QWidget* makeBar();
  QWidget* makeGridSide();
  QWidget* makeChartSide();
  void fillMenu(QMenu& menu);
  RunSettings stageSettings() const;
  void begin(void (SweepRun::*how)());
  void tellEnd(bool whole);
  void offerLast();
  void showExample();
  void sweepInAMinute();
  void keepLast();
  void showWhatFits(const SweepRequest& request);
  void takeForm();  // plans anew if nothing runs
  void followPlan();
  void describePlan();
  void follow();  // takes the cells' new results
  void refresh();
  void refreshBar();
  void refreshChart();
  void fillRules();
  void nameTimes();
  void showRun(int cell);
  void tell(const QString& text, bool failure);
  void exportCells(const QString& path, std::function<void(const std::vector<SweepRow>&)> write);
  void askForFile(bool saves, const QString& title, const QString& filter, const QString& name,
                  const std::function<void(const QString&)>& act);

  Experiment& experiment_;
  RunLibrary& library_;
  SweepRun run_;
  SweepRequest request_;
  bool formMoved_ = false;  // by the user
  bool planned_ = false;    // run_ has the form's plan
  SweepGridModel model_{run_};
  SweepForm* form_;
  FittingArea* formArea_;
  QSplitter *parts_, *pictures_;  // the form beside the rest; the grid beside the chart
  SweepGrid* grid_;
  SweepLegend* legend_;
  SweepChart* chart_;
  CoordinatesPanel* coordinates_;                                              // in place of the chart, if chosen
  QLabel *left_, *limit_, *caption_, *message_, *axes_, *example_, *inShort_;  // inShort_: the plan, while the form is
                                                                               // folded
  QProgressBar* progress_;
  QPushButton* minute_;
  QToolButton *start_, *retry_, *pause_, *cancel_, *plan_, *menu_;
  QComboBox *quantity_, *rule_, *kind_;
  QCheckBox *logX_, *logY_;
  QTimer chartTimer_;  // single shot
  Background background_;
};

}  // namespace lab
