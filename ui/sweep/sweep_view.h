// SPDX-License-Identifier: GPL-3.0-or-later
// The workspace of sweeps: the form, the grid, one chart beside it, and the bar that starts, pauses, cancels and
// resumes. Cells are stored in a folder of the program, with the last plan, so that the next session finds both. A
// click on a cell or a point starts that run on the stage.
#pragma once

#include <QWidget>

#include <functional>
#include <vector>

#include "core/experiments/sweep_file.h"
#include "ui/runview/background.h"
#include "ui/sweep/sweep_request.h"
#include "ui/sweep/sweep_run.h"

class QLabel;
class QMenu;
class QSplitter;

namespace lab {

class Experiment;
class FittingArea;
class RunLibrary;
class SweepBar;
class SweepForm;
class SweepResults;

class SweepView final : public QWidget {
  Q_OBJECT

 public:
  // `folder`: where cells are stored; "": the program's own.
  SweepView(Experiment& experiment, RunLibrary& library, QWidget* parent = nullptr, const QString& folder = {});
  ~SweepView() override;

  void setRequest(const SweepRequest& request);  // into the form; the stored results go into the grid
  const SweepRun& run() const { return run_; }
  const SweepRequest& request() const { return request_; }

  void start() { begin(&SweepRun::start); }  // what is missing; nothing if the form has an impossible value
  void cancel() { run_.cancel(); }
  bool open(const QString& path);  // opens the sweep of an experiment's file; reports errors
  void save(const QString& path);
  void writeCsv(const QString& path);
  void writeEvents(const QString& folder);  // for TensorBoard
  void writePicture(const QString& path);
  void wait() { background_.wait(); }  // until all files are written
  void takeEdits();                    // now, those of the last moment too

 Q_SIGNALS:
  void runWanted();                 // a run of the sweep has begun on the stage
  void replanned();                 // request() is another plan
  void saved(const QString& path);  // the plan, into an experiment's file
  void said(const QString& text);   // while another workspace is open

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  void arrange();
  void fitForm();
  void fillMenu(QMenu& menu);
  RunSettings stageSettings() const;
  void begin(void (SweepRun::*how)());
  void tellEnd(bool whole);
  void offerLast();
  void showExample();
  void keepLast();
  void takeForm();  // plans anew if nothing runs
  void followPlan();
  void describePlan();
  void follow();  // takes the cells' new results
  void refresh();
  void refreshBar();
  void showRun(int cell);
  void tell(const QString& text, bool failure);
  void exportCells(const QString& path, std::function<void(const std::vector<SweepRow>&)> write);

  Experiment& experiment_;
  RunLibrary& library_;
  SweepRun run_;
  SweepRequest request_;
  bool formMoved_ = false;  // by the user
  bool planned_ = false;    // run_ has the form's plan
  SweepForm* form_;
  FittingArea* formArea_;
  QSplitter* parts_;  // the form beside the results
  SweepResults* results_;
  SweepBar* bar_;
  QLabel *message_, *example_, *inShort_;  // inShort_: the plan, while the form is folded
  Background background_;
};

}  // namespace lab
