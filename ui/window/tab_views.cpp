// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tab_views.h"

#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>

#include <algorithm>

#include "ui/charts/chart_panel.h"
#include "ui/compare/compare_view.h"
#include "ui/frame/messages.h"
#include "ui/frame/on_demand.h"
#include "ui/frame/stage_run.h"
#include "ui/frame/workspaces.h"
#include "ui/guide/gallery_view.h"
#include "ui/guide/glossary_view.h"
#include "ui/guide/lesson_view.h"
#include "ui/guide/moments_view.h"
#include "ui/guide/quiz_view.h"
#include "ui/i18n/words.h"
#include "ui/inspect/inspector.h"
#include "ui/network/network_page.h"
#include "ui/profile/operations_panel.h"
#include "ui/program/program_pane.h"
#include "ui/runs/run_menu.h"
#include "ui/serving/served_class.h"
#include "ui/setup/setup_form.h"
#include "ui/stage/narration.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/projected.h"
#include "ui/trace/trace_panel.h"
#include "ui/tryout/try_out.h"
#include "ui/whatif/what_if_panel.h"
#include "ui/window/centre.h"
#include "ui/window/class_serving.h"
#include "ui/window/panels.h"

namespace lab {
namespace {

constexpr unsigned kNowhere = 0, kExplore = bitOf(WindowLayout::Explore), kProfile = bitOf(WindowLayout::Profile);

}  // namespace

struct TabViews::Row {
  const char* name;
  const char* title;
  PanelPlace panel;
  unsigned front;  // as in PanelTab
  QWidget* (*make)(TabViews& views);
};

std::span<const TabViews::Row> TabViews::rows() {
  using Place = PanelPlace;
  // In the order of the tabs. The workbench connects those of the Guide.
  static constexpr Row kRows[]{
      {"lessonsTab", QT_TRANSLATE_NOOP("lab::TabViews", "Lessons"), Place::Guide, kNowhere,
       [](TabViews& views) { return views.makeLessons(); }},
      {"galleryTab", QT_TRANSLATE_NOOP("lab::TabViews", "Gallery"), Place::Guide, kNowhere,
       [](TabViews&) -> QWidget* { return new GalleryView(shippedGallery()); }},
      {"momentsTab", QT_TRANSLATE_NOOP("lab::TabViews", "Moments"), Place::Guide, kNowhere,
       [](TabViews&) -> QWidget* { return new MomentsView; }},
      {"glossaryTab", QT_TRANSLATE_NOOP("lab::TabViews", "Glossary"), Place::Guide, kNowhere,
       [](TabViews&) -> QWidget* { return new GlossaryView(shippedGlossary()); }},
      {"quizTab", QT_TRANSLATE_NOOP("lab::TabViews", "Quiz"), Place::Guide, kNowhere,
       [](TabViews&) -> QWidget* { return new QuizView(shippedQuiz()); }},
      {"narrationTab", QT_TRANSLATE_NOOP("lab::TabViews", "Narration"), Place::Guide, kExplore,
       [](TabViews& views) -> QWidget* { return new Narration(views.run_.controller, views.run_.playback); }},
      {"inspectorTab", QT_TRANSLATE_NOOP("lab::TabViews", "Inspector"), Place::Detail, kNowhere,
       [](TabViews& views) { return views.makeInspector(); }},
      {"setupTab", QT_TRANSLATE_NOOP("lab::TabViews", "Setup"), Place::Detail, kExplore,
       [](TabViews& views) { return views.makeSetup(); }},
      {"networkTab", QT_TRANSLATE_NOOP("lab::TabViews", "Network"), Place::Detail, kNowhere,
       [](TabViews& views) { return views.makeNetworkPage(); }},
      {"programTab", QT_TRANSLATE_NOOP("lab::TabViews", "Program"), Place::Detail, kNowhere,
       [](TabViews& views) { return views.makeProgramPane(); }},
      {"tryTab", QT_TRANSLATE_NOOP("lab::TabViews", "Try it"), Place::Detail, kNowhere,
       [](TabViews& views) -> QWidget* { return new TryOut(views.run_.controller, views.run_.playback); }},
      {"chartsTab", QT_TRANSLATE_NOOP("lab::TabViews", "Charts"), Place::Evidence, kNowhere,
       [](TabViews& views) { return views.makeCharts(); }},
      {"traceTab", QT_TRANSLATE_NOOP("lab::TabViews", "Trace"), Place::Evidence, kProfile,
       [](TabViews& views) { return views.makeTrace(); }},
      {"operationsTab", QT_TRANSLATE_NOOP("lab::TabViews", "Operations"), Place::Evidence, kNowhere,
       [](TabViews& views) { return views.makeOperations(); }},
      {"runsTab", QT_TRANSLATE_NOOP("lab::TabViews", "Runs"), Place::Evidence, kNowhere,
       [](TabViews& views) { return views.makeRuns(); }},
      {"whatIfTab", QT_TRANSLATE_NOOP("lab::TabViews", "What if"), Place::Evidence, kNowhere,
       [](TabViews& views) { return views.makeWhatIf(); }},
      {"classTab", QT_TRANSLATE_NOOP("lab::TabViews", "Class"), Place::Evidence, kNowhere,
       [](TabViews& views) -> QWidget* { return views.serving_.makePanel(); }},
  };
  return kRows;
}

TabViews::TabViews(StageRun& run, Centre& centre, const Workspaces& workspaces, Panels& panels, ClassServing& serving,
                   Messages& messages)
    : run_(run), centre_(centre), workspaces_(workspaces), panels_(panels), serving_(serving), messages_(messages) {
  for (const Row& row : rows())
    panels.addTab({row.name, tr(row.title), row.panel, row.front}, [this, &row] { return row.make(*this); });
  connect(&centre, &Centre::laneFocused, this, &TabViews::inspectFocus);
  connect(&run.playback, &Playback::acted, this, &TabViews::fitPace);
}

TabViews::~TabViews() {
  delete laneInspector_;
}

QWidget* TabViews::makeLessons() {
  const auto fact = [this](const FactCall& call) { return windowFact(call); };
  lessons_ = new LessonView({run_.controller, run_.playback, run_.selection, run_.experiment, run_.library, fact},
                            centre_.stage(), *centre_.window());
  connect(&serving_.served(), &ServedClass::changed, lessons_, &LessonView::look);
  connect(lessons_, &LessonView::controlPointedAt, this, &TabViews::controlPointedAt);
  return lessons_;
}

// What lessons can ask of the window itself.
Fact TabViews::windowFact(const FactCall& call) const {
  const std::string name = call.name->name;
  if (name == "workspace") return std::string(keyOf(workspaces_.current()));
  if (name == "lanes")
    return centre_.comparison() == nullptr ? 1.0 : static_cast<double>(centre_.comparison()->lanes().count());
  if (name == "sweep.done") {
    const auto* sweep = centre_.findChild<SweepView*>();
    return sweep != nullptr && sweep->run().ended() > 0 && sweep->run().ended() == sweep->run().runnable();
  }
  const ServedClass& served = serving_.served();
  if (name == "class.workers") return static_cast<double>(served.isOpen() ? served.totals().workers : 0);
  if (name == "class.slowed" || name == "class.left") {
    const bool left = name == "class.left";
    return static_cast<double>(!served.isOpen() ? 0 : std::ranges::count_if(served.members(), [left](auto& each) {
      return left ? !isThere(each) : isThere(each) && each.slowdown > 1;
    }));
  }
  return panels_.shows(QString::fromStdString(call.argument));
}

void TabViews::look() {
  if (lessons_ != nullptr) lessons_->look();
}

QWidget* TabViews::makeSetup() {
  auto* form = new SetupForm(run_.experiment);
  connect(form, &SetupForm::picturesChosen, this, &TabViews::picturesChosen);
  return form;
}

QWidget* TabViews::makeNetworkPage() {
  auto* page = new NetworkPage(run_.experiment, run_.selection);
  connect(page, &NetworkPage::picturesChosen, this, &TabViews::picturesChosen);
  return page;
}

QWidget* TabViews::makeInspector() {
  inspector_ = new Inspector(run_.controller, run_.playback, run_.selection);
  connect(inspector_, &Inspector::slowdownWanted, &run_.experiment, &Experiment::slowDown);
  auto* stack = new QStackedWidget;
  stack->addWidget(inspector_);
  inspected_ = stack;
  inspectFocus();
  fitPace();
  return stack;
}

Lane* TabViews::focusedLane() const {
  CompareView* view = centre_.comparison();
  if (workspaces_.current() != WindowLayout::Compare || view == nullptr) return nullptr;
  return &view->lanes().at(view->lanes().focus());
}

// Detail shows the focused lane. Its inspector goes with the focus, and therefore before the lane is destroyed.
void TabViews::inspectFocus() {
  followInProgram();
  if (inspected_ == nullptr) return;
  delete laneInspector_;
  Lane* lane = focusedLane();
  if (lane == nullptr || !lane->isOwn()) return;
  laneInspector_ = new Inspector(lane->controller(), lane->playback(), lane->selection());
  connect(laneInspector_, &Inspector::slowdownWanted, &run_.experiment, &Experiment::slowDown);
  inspected_->setCurrentIndex(inspected_->addWidget(laneInspector_));
  fitPace();
}

QWidget* TabViews::makeProgramPane() {
  program_ = new ProgramPane(run_.controller, run_.playback, run_.selection);
  followInProgram();
  return program_;
}

// Like the inspector, before the lane is destroyed.
void TabViews::followInProgram() {
  if (program_ == nullptr) return;
  if (Lane* lane = focusedLane())
    program_->follow(lane->controller(), lane->playback(), lane->selection(), run_.playback);
  else
    program_->follow(run_.controller, run_.playback, run_.selection, run_.playback);
}

QWidget* TabViews::makeCharts() {
  charts_ = new ChartPanel(run_.controller, run_.library, run_.table);
  connect(charts_, &ChartPanel::stepWanted, this, [this](std::int64_t step) {
    run_.playback.seek(step, 0);
    messages_.say(tr("Step %1 is shown.").arg(countText(step)));
  });
  connect(charts_, &ChartPanel::said, this, [this](const QString& text) { messages_.say(text); });
  fitPace();
  fit();
  return charts_;
}

QWidget* TabViews::makeRuns() {
  connect(&run_.library, &RunLibrary::grew, this, [this] {
    if (panels_.tab(QStringLiteral("runsTab"))->isVisible()) run_.table.schedule();
  });
  connect(panels_.tab(QStringLiteral("runsTab")), &OnDemand::seen, &run_.table, &RunTable::refresh);
  auto* table = new QTableView;
  table->setObjectName(QStringLiteral("runsView"));
  makeRunView(*table, run_.table, run_.library);
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

QWidget* TabViews::makeTrace() {
  trace_ = new TracePanel(run_.controller, run_.playback, run_.selection);
  return trace_;
}

QWidget* TabViews::makeOperations() {
  operations_ = new OperationsPanel(run_.controller, run_.playback, run_.selection);
  connect(operations_, &OperationsPanel::said, this, [this](const QString& text) { messages_.say(text); });
  return operations_;
}

QWidget* TabViews::makeWhatIf() {
  whatIf_ = new WhatIfPanel(run_.controller, run_.playback, run_.experiment);
  return whatIf_;
}

// In Express, once a second is enough.
void TabViews::fitPace() {
  const bool express = run_.playback.mode() == Playback::Mode::Express;
  if (charts_ != nullptr) charts_->setLeisurely(express);
  for (Inspector* inspector : {inspector_, laneInspector_.data()})
    if (inspector != nullptr) inspector->setLeisurely(express);
}

ChartPanel& TabViews::charts() {
  panels_.tab(QStringLiteral("chartsTab"))->content();
  return *charts_;
}

void TabViews::fit() {
  if (charts_ != nullptr) charts_->setOnlyLoss(theme::isProjected() || workspaces_.current() == WindowLayout::Teach);
}

// Screenshots of the window show what is in front.
void TabViews::refreshAll() {
  if (charts_ != nullptr) charts_->refresh();
  if (inspector_ != nullptr) inspector_->refresh();
  run_.table.refresh();
  if (trace_ != nullptr) trace_->refresh();
  if (operations_ != nullptr) operations_->refresh();
  if (whatIf_ != nullptr) whatIf_->refresh();
  if (program_ != nullptr) program_->refresh();
}

}  // namespace lab
