// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_view.h"

#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStandardPaths>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/experiments/sweep_file.h"
#include "core/options/config_field.h"
#include "ui/accessibility/announcer.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/setup/experiment.h"
#include "ui/sweep/sweep_bar.h"
#include "ui/sweep/sweep_export.h"
#include "ui/sweep/sweep_form.h"
#include "ui/sweep/sweep_legend.h"
#include "ui/sweep/sweep_results.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kFormWide = 20, kNarrow = 60;  // in text sizes; in a narrower window the chart lies under the grid
constexpr std::int64_t kMostLastBytes = std::int64_t{1} << 20;

QString ownFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/sweeps");
}

std::string lastFile(const SweepRun& run) {
  return (run.folder().parent_path() / "last-sweep.json").string();
}

}  // namespace

SweepView::SweepView(Experiment& experiment, RunLibrary& library, QWidget* parent, const QString& folder)
    : QWidget(parent),
      experiment_(experiment),
      library_(library),
      run_((folder.isEmpty() ? ownFolder() : folder) + QStringLiteral("/cells")) {
  setObjectName(QStringLiteral("sweepView"));
  build();
  connect(form_, &SweepForm::edited, this, [this] {
    takeForm();
    keepLast();
  });
  connect(form_, &SweepForm::baseWanted, this, [this] { form_->setBase(stageSettings()); });
  connect(form_, &SweepForm::presetWanted, this, &SweepView::setRequest);
  connect(&run_, &SweepRun::changed, this, &SweepView::follow);
  connect(&run_, &SweepRun::stopped, this, &SweepView::tellEnd);
  connect(results_, &SweepResults::cellChosen, this, &SweepView::showRun);
  connect(bar_, &SweepBar::minuteWanted, this, [this] {
    setRequest(classroomSweep());
    start();
  });
  connect(bar_, &SweepBar::startWanted, this, &SweepView::start);
  connect(bar_, &SweepBar::retryWanted, this, [this] { begin(&SweepRun::retryDiverged); });
  connect(bar_, &SweepBar::planWanted, this, [this](bool shown) {
    formArea_->setVisible(shown);
    inShort_->setVisible(!shown);
    fitForm();
  });
  offerLast();
}

SweepView::~SweepView() {
  delete results_;  // they read run_
}

void SweepView::build() {
  form_ = new SweepForm;
  formArea_ = new FittingArea(form_);
  formArea_->setObjectName(QStringLiteral("sweepFormArea"));
  results_ = new SweepResults(run_);
  parts_ = new QSplitter(Qt::Horizontal);
  parts_->setChildrenCollapsible(false);
  parts_->addWidget(formArea_);
  parts_->addWidget(results_);
  parts_->setStretchFactor(1, 1);
  message_ = makeLabel({.name = "sweepMessage", .wraps = true});
  message_->hide();
  example_ = makeLabel({.text = tr("<b>An example</b>, trained in advance: what a sweep looks like when it is done."),
                        .name = "sweepExample",
                        .wraps = true});
  inShort_ = makeLabel({.name = "sweepInShort", .role = "caption", .wraps = true});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(theme::em(0.4), theme::em(0.3), theme::em(0.4), theme::em(0.3));
  column->setSpacing(theme::em(0.3));
  bar_ = new SweepBar(run_);
  fillMenu(bar_->files());
  column->addWidget(bar_);
  column->addWidget(message_);
  column->addWidget(example_);
  column->addWidget(inShort_);
  column->addWidget(parts_, 1);
  formArea_->hide();
  connect(parts_, &QSplitter::splitterMoved, this, [this] { formMoved_ = true; });
  theme::follow(this, [this] { fitForm(); });
}

// The stage's settings, except for those of that run only. Uses the data set's real name, because "auto" may mean
// another one tomorrow.
RunSettings SweepView::stageSettings() const {
  RunSettings base = withoutOutputs(experiment_.asked());
  const KeptRun* present = library_.find(library_.presentId());
  if (base.dataset == "auto" && base.dataDir.empty() && present != nullptr && present->header)
    base.dataset = present->header->dataset;
  return base;
}

// Offers the last sweep, or an example if there is none.
void SweepView::offerLast() {
  try {
    if (QFileInfo::exists(QString::fromStdString(lastFile(run_)))) {
      const auto bytes = readFile(lastFile(run_), kMostLastBytes);
      setRequest(requestFromJson(nlohmann::json::parse(bytes.begin(), bytes.end())));
      return tell(tr("The last sweep is here again."), false);
    }
  } catch (const std::exception&) {  // nobody asked for that sweep: act as if there were none
  }
  showExample();
}

void SweepView::showExample() {
  request_ = classroomSweep();
  form_->setRequest(request_);
  results_->showWhatFits(request_.plan);
  run_.showExample(request_.plan);
  followPlan();
  refresh();
}

// Also before it is started, because the form has no other place.
void SweepView::keepLast() {
  if (!planned_ || run_.isExample()) return;
  try {
    makeSweepFolder(run_.folder());
    writeFileAtomically(lastFile(run_), requestToJson(request_).dump());
  } catch (const std::exception& error) {
    tell(coreSentence(error), true);
  }
}

void SweepView::setRequest(const SweepRequest& request) {
  if (run_.isRunning()) return tell(tr("A sweep is running. Cancel it first; finished runs are kept."), true);
  tell({}, false);  // the message was about an earlier plan, which may be equal to this one
  form_->setRequest(request);
  results_->showWhatFits(request.plan);
  if (run_.isExample()) planned_ = false;
  takeForm();
  keepLast();
}

void SweepView::takeForm() {
  if (run_.isRunning()) return;
  const auto request = form_->request();
  // If the plan is the same, keep its cells.
  if (planned_ && request && requestToJson(*request) == requestToJson(request_)) return refresh();
  planned_ = false;
  tell({}, false);  // the message was about another plan
  if (request) {
    try {
      run_.setPlan(request->plan, request->jobs, static_cast<double>(request->withinSeconds));
      request_ = *request;
      followPlan();
      Q_EMIT replanned();
    } catch (const std::exception& error) {
      form_->complain(coreSentence(error));
    }
  }
  refresh();
}

// Called when run_ has the request's plan.
void SweepView::followPlan() {
  planned_ = true;
  results_->setRequest(request_);
  describePlan();
}

// "180 runs; 12 cannot run: …".
void SweepView::describePlan() {
  QString text = tr("%Ln runs", nullptr, plural(std::ssize(run_.cells())));
  if (const int refused = run_.count(CellState::Refused); refused > 0) {
    const auto first = std::ranges::find(run_.cells(), CellState::Refused, &SweepRun::Cell::state);
    text += QStringLiteral(". ") + tr("%Ln runs cannot be trained: %1", nullptr, refused).arg(coreSentence(first->why));
  }
  form_->say(text);
  inShort_->setText(planText(request_) + QLatin1Char('\n') + text);
}

void SweepView::begin(void (SweepRun::*how)()) {
  if (run_.isRunning()) return;
  if (run_.isExample()) planned_ = false;  // an example is not a plan that can be trained further
  takeForm();
  if (!planned_) return;
  keepLast();
  tell({}, false);
  try {
    (run_.*how)();
  } catch (const std::exception& error) {
    tell(coreSentence(error), true);
  }
}

void SweepView::tellEnd(bool whole) {
  results_->refresh(planned_);  // follow() does nothing while another workspace is shown
  const QString how = whole ? tr("The sweep is done: %1.")
                      : run_.count(CellState::Cancelled) == 0
                          ? tr("Time is up: %1. “Go on” trains the rest.")
                          : tr("Cancelled: %1. Finished runs are kept; “Go on” trains the rest.");
  tell(how.arg(results_->legend().words()), false);
}

void SweepView::follow() {
  if (!isVisible()) return;
  results_->follow();
  refreshBar();
}

void SweepView::refresh() {
  results_->refresh(planned_);
  refreshBar();
}

void SweepView::refreshBar() {
  bar_->refresh(request_, planned_ ? QString() : form_->complaint());
  example_->setVisible(run_.isExample());
  form_->setEnabled(!run_.isRunning());
}

// Starts the cell's settings on the stage; the sweep's run ends at the target, the stage's goes on.
void SweepView::showRun(int cell) {
  const SweepRun::Cell& row = run_.cells().at(static_cast<std::size_t>(cell));
  if (row.state == CellState::Refused) return tell(coreSentence(row.why), true);
  const RunSettings asked = row.cell.asked;  // a copy: what begins here may give the sweep other cells
  try {
    experiment_.begin(asked);
    results_->showCell(cell);
    Q_EMIT runWanted();
  } catch (const std::exception& error) {
    tell(coreSentence(error), true);
  }
}

void SweepView::tell(const QString& text, bool failure) {
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
  setRole(*message_, failure ? QStringLiteral("error") : QStringLiteral("caption"));
  if (text.isEmpty()) return;
  if (isVisible()) return announce(*this, text);  // visible here: no need to say it twice
  Q_EMIT said(text);
}

bool SweepView::open(const QString& path) {
  try {
    const SweepRequest request = readSweep(path);
    if (run_.isRunning()) {
      tell(tr("A sweep is running. Cancel it first; finished runs are kept."), true);
      return false;
    }
    setRequest(request);
    tell(tr("Opened: %1").arg(path), false);
    return true;
  } catch (const std::exception& error) {
    tell(coreSentence(error), true);
    return false;
  }
}

void SweepView::save(const QString& path) {
  takeEdits();
  if (!planned_) return tell(tr("Nothing was saved. %1").arg(form_->complaint()), true);
  try {
    saveSweep(request_, path);
    Q_EMIT saved(path);
    tell(tr("Saved: %1. It holds the plan. Cells stay on this computer; another computer trains them again and gets "
            "the same numbers.")
             .arg(path),
         false);
  } catch (const std::exception& error) {
    tell(coreSentence(error), true);
  }
}

void SweepView::writePicture(const QString& path) {
  try {
    results_->saveChartShown(path);
    tell(tr("Saved: %1").arg(path), false);
  } catch (const std::exception& error) {
    tell(coreSentence(error), true);
  }
}

// Reads up to a thousand files, so not on the window's thread.
void SweepView::exportCells(const QString& path, std::function<void(const std::vector<SweepRow>&)> write) {
  if (run_.isExample())
    return tell(tr("This is an example. Start trains its runs here; then they can be exported."), true);
  auto cells = std::make_shared<std::vector<SweepCell>>();
  for (const SweepRun::Cell& cell : run_.cells()) cells->push_back(cell.cell);
  std::vector<SweepRow> rows;
  for (std::size_t i = 0; i < cells->size(); ++i) rows.push_back({&(*cells)[i], keyOf(run_.cells()[i].state)});
  background_.run([cells, rows = std::move(rows), write = std::move(write)] { write(rows); },
                  [this, path](const QString& failure) {
                    tell(failure.isEmpty() ? tr("Saved: %1").arg(path) : failure, !failure.isEmpty());
                  });
}

void SweepView::writeCsv(const QString& path) {
  exportCells(path, [path, folder = run_.folder()](const std::vector<SweepRow>& rows) {
    writeFileAtomically(path.toStdString(), sweepCsv(rows, folder));
  });
}

void SweepView::writeEvents(const QString& folder) {
  exportCells(folder, [to = std::filesystem::path(folder.toStdString()), from = run_.folder()](const auto& rows) {
    sweepEvents(rows, from, to);
  });
}

void SweepView::fillMenu(QMenu& menu) {
  const auto add = [&](const char* name, const QString& text, bool saves, const QString& title, const QString& filter,
                       const QString& file, auto act) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    connect(action, &QAction::triggered, this, [this, saves, title, filter, file, act] {
      askForPath(this, this, {saves ? FileQuestion::Kind::Save : FileQuestion::Kind::Open, title, filter, file},
                 [this, act](const QString& path) { std::invoke(act, this, path); });
    });
  };
  const QString experiments = tr("Experiments (*.slab)");
  add("sweepOpen", tr("Open a sweep…"), false, tr("Open a sweep"), experiments, {}, &SweepView::open);
  add("sweepSave", tr("Save the sweep…"), true, tr("Save the sweep"), experiments, tr("sweep.slab"), &SweepView::save);
  menu.addSeparator();
  add("sweepCsv", tr("Cells as CSV…"), true, tr("Cells as CSV, one row per evaluation"), tr("CSV (*.csv)"),
      tr("sweep.csv"), &SweepView::writeCsv);
  add("sweepEvents", tr("Cells for TensorBoard…"), true, tr("A folder for TensorBoard"), {}, tr("sweep-events"),
      &SweepView::writeEvents);
  add("sweepPicture", tr("Chart as picture…"), true, tr("Chart as picture"), tr("Pictures (*.png *.svg *.pdf)"),
      tr("sweep.png"), &SweepView::writePicture);
}

void SweepView::takeEdits() {
  form_->tellEdits();
}

// As wide as its words need, if more than half of the width remains for the results.
void SweepView::fitForm() {
  const int wanted = form_->sizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent) + theme::em(0.4);
  const int wide = std::min(std::max(theme::em(kFormWide), wanted), width() * 2 / 5);
  parts_->setSizes({wide, std::max(1, width() - wide)});
  arrange();
}

void SweepView::arrange() {
  const int room = width() - (formArea_->isHidden() ? 0 : theme::em(kFormWide));
  const Qt::Orientation way = room < theme::em(kNarrow) ? Qt::Vertical : Qt::Horizontal;
  if (results_->orientation() == way) return;
  results_->setOrientation(way);
  results_->setSizes({1, 1});
}

void SweepView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void SweepView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  formMoved_ ? arrange() : fitForm();
}

}  // namespace lab
