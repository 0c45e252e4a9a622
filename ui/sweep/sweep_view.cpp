// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStandardPaths>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <cmath>
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
#include "ui/sweep/coordinates_panel.h"
#include "ui/sweep/sweep_chart.h"
#include "ui/sweep/sweep_coordinates.h"
#include "ui/sweep/sweep_export.h"
#include "ui/sweep/sweep_form.h"
#include "ui/sweep/sweep_legend.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/fitting.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kChartMs = 500;
constexpr std::int64_t kMostLastBytes = std::int64_t{1} << 20;

QString ownFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/sweeps");
}

QString leftText(double seconds) {
  return seconds < 60 ? tr("%Ln seconds", nullptr, plural(std::max<std::int64_t>(1, std::llround(seconds))))
                      : tr("%Ln minutes", nullptr, plural(std::llround(seconds / 60)));
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
  connect(grid_, &SweepGrid::cellChosen, this, &SweepView::showRun);
  connect(chart_, &SweepChart::cellChosen, this, &SweepView::showRun);
  connect(&coordinates_->picture(), &SweepCoordinates::cellChosen, this, &SweepView::showRun);
  connect(&coordinates_->picture(), &SweepCoordinates::changed, this,
          [this] { model_.setLookedAt(coordinates_->picture().inRanges()); });
  chartTimer_.setSingleShot(true);
  chartTimer_.setInterval(kChartMs);
  connect(&chartTimer_, &QTimer::timeout, this, &SweepView::refreshChart);
  offerLast();
}

SweepView::~SweepView() = default;

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
  showWhatFits(request_);
  run_.showExample(request_.plan);
  followPlan();
  refresh();
}

void SweepView::sweepInAMinute() {
  setRequest(classroomSweep());
  start();
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
  form_->setRequest(request);
  showWhatFits(request);
  if (run_.isExample()) planned_ = false;
  takeForm();
  keepLast();
}

// Chooses the quantity and the chart that suit such a sweep.
void SweepView::showWhatFits(const SweepRequest& request) {
  const SweepPlan& plan = request.plan;
  const bool target = plan.target.accuracy.has_value(), workers = !strategyInfo(plan.base.strategy).synchronous;
  const auto quantity = target ? SweepQuantity::Steps : SweepQuantity::Accuracy;
  const auto kind = target                                ? SweepChartKind::Steps
                    : workers && plan.replicas.size() > 1 ? SweepChartKind::Staleness
                    : plan.learningRates.size() > 1       ? SweepChartKind::Rate
                                                          : SweepChartKind::Accuracy;
  quantity_->setCurrentIndex(static_cast<int>(quantity));
  model_.setQuantity(quantity);
  kind_->setCurrentIndex(static_cast<int>(kind));
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
  model_.setRequest(request_);
  fillRules();
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

void SweepView::start() {
  begin(&SweepRun::start);
}

void SweepView::retryDiverged() {
  begin(&SweepRun::retryDiverged);
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

void SweepView::pauseOrGoOn() {
  run_.isPaused() ? run_.resume() : run_.pause();
}

void SweepView::cancel() {
  run_.cancel();
}

void SweepView::tellEnd(bool whole) {
  legend_->setCounts(run_);  // the legend is not updated while another workspace is shown
  refreshChart();
  const QString how = whole ? tr("The sweep is done: %1.")
                      : run_.count(CellState::Cancelled) == 0
                          ? tr("Time is up: %1. “Go on” trains the rest.")
                          : tr("Cancelled: %1. Finished runs are kept; “Go on” trains the rest.");
  tell(how.arg(legend_->words()), false);
}

void SweepView::follow() {
  if (!isVisible()) return;
  model_.refresh();
  legend_->setCounts(run_);
  refreshBar();
  if (!chartTimer_.isActive()) chartTimer_.start();
}

// Whether times are modelled is known only when the first run has ended.
void SweepView::nameTimes() {
  for (int i = 0; i < quantity_->count(); ++i)
    quantity_->setItemText(i, quantityName(static_cast<SweepQuantity>(i), model_.areTimesModelled()));
  for (int i = 0; i < kSweepCharts; ++i)
    kind_->setItemText(i, chartName(static_cast<SweepChartKind>(i), model_.areTimesModelled()));
}

void SweepView::refresh() {
  model_.refresh();
  axes_->setText(tr("Down: %1. Across: %2.").arg(axisName(request_.rows), axisName(request_.columns)));
  legend_->setCounts(run_);
  refreshBar();
  refreshChart();
}

void SweepView::refreshBar() {
  const int ended = run_.ended(), all = run_.runnable(), missing = all - ended;
  const bool running = run_.isRunning();
  start_->setText(ended > 0 && missing > 0 ? tr("Go on") : tr("Start"));
  example_->setVisible(run_.isExample());
  minute_->setEnabled(!running);
  start_->setEnabled(!running && planned_ && (missing > 0 || run_.isExample()) && !run_.isReading());
  progress_->setVisible(!run_.isExample());
  limit_->setText(tr("Start trains for at most %1 seconds, the coarse runs first").arg(request_.withinSeconds));
  limit_->setVisible(start_->isEnabled() && request_.withinSeconds > 0 && !run_.isExample());
  start_->setToolTip(missing == 0 && !run_.isExample() ? tr("All runs of this plan are finished")
                                                       : tr("%Ln runs to go", nullptr, missing > 0 ? missing : all));
  const int diverged = run_.count(CellState::Diverged);
  retry_->setVisible(!running && diverged > 0);
  retry_->setEnabled(planned_ && !run_.isReading());
  retry_->setToolTip(
      tr("%Ln runs diverged. Trains them again, with what is missing. The same settings give the same result, unless "
         "the program has changed.",
         nullptr, diverged));
  pause_->setEnabled(running);
  pause_->setText(run_.isPaused() ? tr("Continue") : tr("Pause"));
  cancel_->setEnabled(running);
  form_->setEnabled(!running);
  progress_->setRange(0, std::max(1, all));
  progress_->setValue(ended);
  const auto planned = run_.inTime();
  const bool some = planned && *planned < all;
  progress_->setFormat(some ? tr("%1 of about %2").arg(countText(ended), countText(*planned))
                            : tr("%1 of %2").arg(countText(ended), countText(all)));
  progress_->setToolTip(some ? tr("There is time for about %1 of the %2 runs; the coarse ones come first.")
                                   .arg(countText(*planned), countText(all))
                             : QString());
  progress_->setAccessibleDescription(some ? progress_->toolTip() : progress_->format());
  const auto left = run_.secondsLeft();
  left_->setText(run_.isPaused()    ? tr("paused")
                 : run_.isReading() ? tr("loading stored cells")
                 : !running         ? QString()
                 : left             ? tr("about %1 left").arg(leftText(*left))
                                    : tr("running"));
}

void SweepView::refreshChart() {
  nameTimes();
  const bool sideBySide = kind_->currentData().toInt() == kSweepCharts;
  for (QWidget* part : std::initializer_list<QWidget*>{chart_, caption_, logX_, logY_}) part->setVisible(!sideBySide);
  coordinates_->setVisible(sideBySide);
  if (!sideBySide) model_.setLookedAt({});  // ignores hidden ranges
  if (sideBySide) return coordinates_->setCells(request_, model_.quantity(), model_.areTimesModelled());
  const auto kind = static_cast<SweepChartKind>(kind_->currentData().toInt());
  chart_->setPlot(planned_ ? makeSweepPlot(kind, request_, run_.cells())
                           : SweepPlot{.title = kind_->currentText(),
                                       .lacking = tr("The plan has an impossible setting: see the form.")});
  logX_->setEnabled(chart_->plot().canLogX);
  logY_->setEnabled(chart_->plot().canLogY);
  caption_->setText(chart_->plot().lacking.isEmpty() ? chart_->plot().caption : QString());
}

void SweepView::fillRules() {
  const QString before = rule_->currentData().toString();
  rule_->clear();
  rule_->addItem(tr("best rule"), QString());
  for (const std::string& rule : model_.table().rules()) rule_->addItem(ruleName(rule), QString::fromStdString(rule));
  rule_->setCurrentIndex(std::max(0, rule_->findData(before)));
  rule_->setVisible(rule_->count() > 1);
  model_.setRule(rule_->currentData().toString().toStdString());
}

// Starts the cell's settings on the stage; the sweep's run ends at the target, the stage's goes on.
void SweepView::showRun(int cell) {
  const SweepRun::Cell& row = run_.cells().at(static_cast<std::size_t>(cell));
  if (row.state == CellState::Refused) return tell(coreSentence(row.why), true);
  const RunSettings asked = row.cell.asked;  // a copy: what begins here may give the sweep other cells
  try {
    experiment_.begin(asked);
    grid_->showCell(cell);
    coordinates_->picture().choose(cell);
    Q_EMIT runWanted();
  } catch (const std::exception& error) {
    tell(coreSentence(error), true);
  }
}

void SweepView::tell(const QString& text, bool failure) {
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
  message_->setProperty("role", failure ? QStringLiteral("error") : QStringLiteral("caption"));
  message_->style()->unpolish(message_);
  message_->style()->polish(message_);
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
    coordinates_->isHidden() ? saveChart(*chart_, path) : saveChart(coordinates_->picture(), path);
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

void SweepView::wait() {
  background_.wait();
}

void SweepView::takeEdits() {
  form_->tellEdits();
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
