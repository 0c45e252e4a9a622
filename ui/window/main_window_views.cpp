// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the pages of the panels' tabs, each when it is first seen, and connects them to the window.
#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>

#include "ui/charts/chart_panel.h"
#include "ui/compare/compare_view.h"
#include "ui/guide/gallery_view.h"
#include "ui/guide/glossary_view.h"
#include "ui/guide/moments_view.h"
#include "ui/guide/quiz_view.h"
#include "ui/i18n/words.h"
#include "ui/inspect/inspector.h"
#include "ui/network/network_page.h"
#include "ui/profile/operations_panel.h"
#include "ui/program/program_pane.h"
#include "ui/runs/run_menu.h"
#include "ui/setup/setup_form.h"
#include "ui/stage/narration.h"
#include "ui/trace/trace_panel.h"
#include "ui/tryout/try_out.h"
#include "ui/whatif/what_if_panel.h"
#include "ui/window/fault_menu.h"
#include "ui/window/main_window.h"
#include "ui/window/on_demand.h"
#include "ui/window/status_line.h"

namespace lab {

QWidget* MainWindow::makeGallery() {
  return new GalleryView(shippedGallery());
}

QWidget* MainWindow::makeMoments() {
  return new MomentsView;
}

QWidget* MainWindow::makeGlossary() {
  return new GlossaryView(shippedGlossary());
}

QWidget* MainWindow::makeQuiz() {
  return new QuizView(shippedQuiz());
}

QWidget* MainWindow::makeNarration() {
  return new Narration(controller_, playback_);
}

QWidget* MainWindow::makeSetup() {
  auto* form = new SetupForm(experiment_);
  connect(form, &SetupForm::picturesChosen, this, &MainWindow::picturesChosen);
  return form;
}

QWidget* MainWindow::makeTryOut() {
  return new TryOut(controller_, playback_);
}

QWidget* MainWindow::makeNetworkPage() {
  auto* page = new NetworkPage(experiment_, selection_);
  connect(page, &NetworkPage::picturesChosen, this, &MainWindow::picturesChosen);
  return page;
}

QWidget* MainWindow::makeInspector() {
  inspector_ = new Inspector(controller_, playback_, selection_);
  connect(inspector_, &Inspector::slowdownWanted, &experiment_, &Experiment::slowDown);
  auto* stack = new QStackedWidget;
  stack->addWidget(inspector_);
  inspected_ = stack;
  inspectFocus();
  fitPace();
  return stack;
}

// Detail shows the focused lane. Its inspector goes with the focus, and therefore before the lane is destroyed.
void MainWindow::inspectFocus() {
  followInProgram();
  faults_->refreshAction();
  if (inspected_ == nullptr) return;
  delete laneInspector_;
  if (layout_ != WindowLayout::Compare || compare_ == nullptr) return;
  const Lane& lane = compare_->lanes().at(compare_->lanes().focus());
  if (!lane.isOwn()) return;
  laneInspector_ = new Inspector(lane.controller(), lane.playback(), lane.selection());
  connect(laneInspector_, &Inspector::slowdownWanted, &experiment_, &Experiment::slowDown);
  inspected_->setCurrentIndex(inspected_->addWidget(laneInspector_));
  fitPace();
}

QWidget* MainWindow::makeProgramPane() {
  program_ = new ProgramPane(controller_, playback_, selection_);
  followInProgram();
  return program_;
}

// Like the inspector, before the lane is destroyed.
void MainWindow::followInProgram() {
  if (program_ == nullptr) return;
  if (layout_ != WindowLayout::Compare || compare_ == nullptr)
    return program_->follow(controller_, playback_, selection_, playback_);
  const Lane& lane = compare_->lanes().at(compare_->lanes().focus());
  program_->follow(lane.controller(), lane.playback(), lane.selection(), playback_);
}

QWidget* MainWindow::makeCharts() {
  charts_ = new ChartPanel(controller_, library_, runs_);
  connect(charts_, &ChartPanel::stepWanted, this, [this](std::int64_t step) {
    playback_.seek(step, 0);
    say(tr("Step %1 is shown.").arg(countText(step)), kMessageMs);
  });
  connect(charts_, &ChartPanel::said, this, [this](const QString& text) { say(text, kMessageMs); });
  fitPace();
  fitPanels();
  return charts_;
}

QWidget* MainWindow::makeRuns() {
  connect(&library_, &RunLibrary::grew, this, [this] {
    if (tab(QStringLiteral("runsTab"))->isVisible()) runs_.schedule();
  });
  connect(tab(QStringLiteral("runsTab")), &OnDemand::seen, &runs_, &RunTable::refresh);
  auto* table = new QTableView;
  table->setObjectName(QStringLiteral("runsView"));
  makeRunView(*table, runs_, library_);
  table->setAccessibleName(tr("Runs of this session"));
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setShowGrid(false);
  table->setWordWrap(false);
  // There are hundreds of runs and dozens of settings: only visible cells are measured, and all rows have the same
  // height.
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setResizeContentsPrecision(0);
  table->horizontalHeader()->setHighlightSections(false);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  return table;
}

QWidget* MainWindow::makeTrace() {
  trace_ = new TracePanel(controller_, playback_, selection_);
  return trace_;
}

QWidget* MainWindow::makeOperations() {
  operations_ = new OperationsPanel(controller_, playback_, selection_);
  connect(operations_, &OperationsPanel::said, this, [this](const QString& text) { say(text, kMessageMs); });
  return operations_;
}

QWidget* MainWindow::makeWhatIf() {
  whatIf_ = new WhatIfPanel(controller_, playback_, experiment_);
  return whatIf_;
}

// In Express, once a second is enough.
void MainWindow::fitPace() {
  const bool express = playback_.mode() == Playback::Mode::Express;
  if (charts_ != nullptr) charts_->setLeisurely(express);
  for (Inspector* inspector : {inspector_, laneInspector_.data()})
    if (inspector != nullptr) inspector->setLeisurely(express);
}

ChartPanel& MainWindow::charts() {
  tab(QStringLiteral("chartsTab"))->content();
  return *charts_;
}

// Screenshots of the window show what is in front.
void MainWindow::refreshAll() {
  refreshNotice();
  status_->refresh();
  if (charts_ != nullptr) charts_->refresh();
  if (inspector_ != nullptr) inspector_->refresh();
  runs_.refresh();
  if (trace_ != nullptr) trace_->refresh();
  if (operations_ != nullptr) operations_->refresh();
  if (whatIf_ != nullptr) whatIf_->refresh();
  if (program_ != nullptr) program_->refresh();
  if (compare_ != nullptr) compare_->refreshAll();
}

}  // namespace lab
