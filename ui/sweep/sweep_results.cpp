// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_results.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "ui/sweep/coordinates_panel.h"
#include "ui/sweep/sweep_chart.h"
#include "ui/sweep/sweep_coordinates.h"
#include "ui/sweep/sweep_export.h"
#include "ui/sweep/sweep_legend.h"
#include "ui/sweep/sweep_plots.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kChartMs = 500;

QComboBox* makeChoice(const char* name, const QString& accessible) {
  auto* list = new QComboBox;
  list->setObjectName(QLatin1String(name));
  list->setAccessibleName(accessible);
  list->setFocusPolicy(Qt::TabFocus);
  list->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  theme::follow(list, [list] { list->setMinimumWidth(theme::em(9)); });  // can be narrower if letters are large
  return list;
}

// The choices in a row above the parts, each with its stretch.
QWidget* makeSide(const std::vector<QWidget*>& choices, const std::vector<std::pair<QWidget*, int>>& parts) {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(theme::em(0.2));
  auto* above = new QWidget;
  auto* row = new FlowLayout(above);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.4));
  for (QWidget* choice : choices) row->addWidget(choice);
  column->addWidget(above);
  for (const auto& [part, stretch] : parts) column->addWidget(part, stretch);
  return side;
}

}  // namespace

SweepResults::SweepResults(const SweepRun& run, QWidget* parent) : QSplitter(Qt::Horizontal, parent), run_(run) {
  setChildrenCollapsible(false);
  addWidget(makeGridSide());
  addWidget(makeChartSide());
  connect(grid_, &SweepGrid::cellChosen, this, &SweepResults::cellChosen);
  connect(chart_, &SweepChart::cellChosen, this, &SweepResults::cellChosen);
  const SweepCoordinates& picture = coordinates_->picture();
  connect(&picture, &SweepCoordinates::cellChosen, this, &SweepResults::cellChosen);
  connect(&picture, &SweepCoordinates::changed, this, [this, &picture] { model_.setLookedAt(picture.inRanges()); });
  chartTimer_.setSingleShot(true);
  chartTimer_.setInterval(kChartMs);
  connect(&chartTimer_, &QTimer::timeout, this, &SweepResults::refreshChart);
}

QWidget* SweepResults::makeGridSide() {
  quantity_ = makeChoice("sweepQuantity", tr("What the cells show"));
  for (int i = 0; i < kSweepQuantities; ++i) quantity_->addItem(quantityName(static_cast<SweepQuantity>(i), true));
  quantity_->setToolTip(tr("Number and colour of the cells. Times of simulated devices are modelled"));
  rule_ = makeChoice("sweepRule", tr("Of which learning-rate rule"));
  rule_->setToolTip(tr("Each cell shows the rule that does best in it, or one rule throughout"));
  axes_ = makeLabel({.role = "caption", .wraps = true});
  grid_ = new SweepGrid(model_);
  grid_->setWhatsThis(
      tr("<p>Rows and columns are the two axes. A number is the mean over the seeds, with the standard "
         "deviation below; the stronger the colour, the better. A frame marks the best of its row. A click, "
         "or Enter, puts that run on the stage.</p>"));
  legend_ = new SweepLegend;
  connect(quantity_, &QComboBox::activated, this, [this](int i) {
    model_.setQuantity(static_cast<SweepQuantity>(i));
    refreshChart();
  });
  connect(rule_, &QComboBox::activated, this,
          [this] { model_.setRule(rule_->currentData().toString().toStdString()); });
  return makeSide({quantity_, rule_}, {{axes_, 0}, {grid_, 1}, {legend_, 0}});
}

QWidget* SweepResults::makeChartSide() {
  kind_ = makeChoice("sweepChartKind", tr("Chart"));
  for (int i = 0; i < kSweepCharts; ++i) kind_->addItem(chartName(static_cast<SweepChartKind>(i), true), i);
  kind_->addItem(tr("Parallel coordinates"), kSweepCharts);
  logX_ = new QCheckBox(tr("log x"));
  logY_ = new QCheckBox(tr("log y"));
  logX_->setAccessibleName(tr("Logarithmic x axis"));
  logY_->setAccessibleName(tr("Logarithmic y axis"));
  logX_->setToolTip(tr("Equal distances are equal factors: perfect scaling is a straight line"));
  logY_->setToolTip(logX_->toolTip());
  kind_->setToolTip(tr("One chart of the same cells"));
  logX_->setObjectName(QStringLiteral("sweepLogX"));
  logY_->setObjectName(QStringLiteral("sweepLogY"));
  chart_ = new SweepChart;
  coordinates_ = new CoordinatesPanel(run_);
  coordinates_->hide();
  caption_ = makeLabel({.name = "sweepCaption", .role = "caption", .wraps = true, .selectable = true});
  for (QCheckBox* box : {logX_, logY_}) {
    box->setChecked(true);
    connect(box, &QCheckBox::toggled, this, [this] { chart_->setLogarithmic(logX_->isChecked(), logY_->isChecked()); });
  }
  connect(kind_, &QComboBox::activated, this, &SweepResults::refreshChart);
  return makeSide({kind_, logX_, logY_}, {{chart_, 1}, {caption_, 0}, {coordinates_, 1}});
}

void SweepResults::setRequest(const SweepRequest& request) {
  model_.setRequest(request);
  fillRules();
}

void SweepResults::showWhatFits(const SweepPlan& plan) {
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

void SweepResults::fillRules() {
  const QString before = rule_->currentData().toString();
  rule_->clear();
  rule_->addItem(tr("best rule"), QString());
  for (const std::string& rule : model_.table().rules()) rule_->addItem(ruleName(rule), QString::fromStdString(rule));
  rule_->setCurrentIndex(std::max(0, rule_->findData(before)));
  rule_->setVisible(rule_->count() > 1);
  model_.setRule(rule_->currentData().toString().toStdString());
}

void SweepResults::follow() {
  model_.refresh();
  legend_->setCounts(run_);
  if (!chartTimer_.isActive()) chartTimer_.start();
}

void SweepResults::refresh(bool planned) {
  planned_ = planned;
  model_.refresh();
  axes_->setText(tr("Down: %1. Across: %2.").arg(axisName(model_.request().rows), axisName(model_.request().columns)));
  legend_->setCounts(run_);
  refreshChart();
}

// Whether times are modelled is known only when the first run has ended.
void SweepResults::nameTimes() {
  for (int i = 0; i < quantity_->count(); ++i)
    quantity_->setItemText(i, quantityName(static_cast<SweepQuantity>(i), model_.areTimesModelled()));
  for (int i = 0; i < kSweepCharts; ++i)
    kind_->setItemText(i, chartName(static_cast<SweepChartKind>(i), model_.areTimesModelled()));
}

void SweepResults::refreshChart() {
  nameTimes();
  const bool sideBySide = kind_->currentData().toInt() == kSweepCharts;
  for (QWidget* part : std::initializer_list<QWidget*>{chart_, caption_, logX_, logY_}) part->setVisible(!sideBySide);
  coordinates_->setVisible(sideBySide);
  if (!sideBySide) model_.setLookedAt({});  // ignores hidden ranges
  if (sideBySide) return coordinates_->setCells(model_.request(), model_.quantity(), model_.areTimesModelled());
  const auto kind = static_cast<SweepChartKind>(kind_->currentData().toInt());
  chart_->setPlot(planned_ ? makeSweepPlot(kind, model_.request(), run_.cells())
                           : SweepPlot{.title = kind_->currentText(),
                                       .lacking = tr("The plan has an impossible setting: see the form.")});
  logX_->setEnabled(chart_->plot().canLogX);
  logY_->setEnabled(chart_->plot().canLogY);
  caption_->setText(chart_->plot().lacking.isEmpty() ? chart_->plot().caption : QString());
}

void SweepResults::showCell(int cell) {
  grid_->showCell(cell);
  coordinates_->picture().choose(cell);
}

void SweepResults::saveChartShown(const QString& path) {
  coordinates_->isHidden() ? saveChart(*chart_, path) : saveChart(coordinates_->picture(), path);
}

}  // namespace lab
