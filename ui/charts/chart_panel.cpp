// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_panel.h"

#include <QEvent>
#include <QHBoxLayout>

#include "ui/charts/metric_chart.h"
#include "ui/run_controller.h"
#include "ui/theme.h"

namespace lab {
namespace {

constexpr int kIntervalMs = 250, kLeisurelyMs = 1000;
constexpr std::size_t kBatchLine = 0, kTestLine = 1;

}  // namespace

ChartPanel::ChartPanel(RunController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), row_(new QHBoxLayout(this)) {
  setProperty("role", QStringLiteral("panel"));
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(0);
  timer_.setSingleShot(true);
  timer_.setInterval(kIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &ChartPanel::refresh);
  connect(&controller_, &RunController::updated, this, &ChartPanel::schedule);
  build();
}

void ChartPanel::build() {
  for (MetricChart* chart : {loss_, accuracy_, throughput_}) delete chart;
  const std::vector<MetricChart::Line> lines{{tr("each batch"), theme::colours().batchLine, false},
                                             {tr("test"), theme::colours().ink, true}};
  loss_ = new MetricChart(tr("Loss"), tr("nats"), MetricChart::Range::FromZero, lines);
  accuracy_ = new MetricChart(tr("Accuracy"), tr("% correct"), MetricChart::Range::Percent, lines);
  throughput_ = new MetricChart(tr("Throughput"), tr("images/s"), MetricChart::Range::FromZero,
                                {{tr("each step"), theme::colours().ink, false}});
  loss_->setObjectName(QStringLiteral("loss"));
  accuracy_->setObjectName(QStringLiteral("accuracy"));
  throughput_->setObjectName(QStringLiteral("throughput"));
  for (MetricChart* chart : {loss_, accuracy_, throughput_}) row_->addWidget(chart, 1);
  built_ = true;
  setOnlyLoss(onlyLoss_);
}

void ChartPanel::setOnlyLoss(bool only) {
  onlyLoss_ = only;
  accuracy_->setVisible(!only);
  throughput_->setVisible(!only);
}

void ChartPanel::setLeisurely(bool leisurely) {
  timer_.setInterval(leisurely ? kLeisurelyMs : kIntervalMs);
}

void ChartPanel::schedule() {
  if (isVisible() && !timer_.isActive()) timer_.start();
}

void ChartPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  schedule();
}

void ChartPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // Qt Charts follows neither palette nor font.
  if (!built_ || (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)) return;
  built_ = false;
  QTimer::singleShot(0, this, [this] {
    if (built_) return;
    build();
    refresh();
  });
}

void ChartPanel::readRun() {
  const auto& steps = controller_.steps();
  const auto& evaluations = controller_.evaluations();
  if (run_ != controller_.info() || steps.size() < steps_ || evaluations.size() < evaluations_) {
    for (QList<QPointF>* points : {&batchLoss_, &batchAccuracy_, &rate_, &testLoss_, &testAccuracy_}) points->clear();
    steps_ = evaluations_ = 0;
    run_ = controller_.info();
  }
  for (; steps_ < steps.size(); ++steps_) {
    const StepMetric& step = steps[steps_];
    const auto x = static_cast<double>(step.step);
    batchLoss_.append({x, step.loss});
    batchAccuracy_.append({x, 100 * step.accuracy});
    rate_.append({x, step.imagesPerSecond});
  }
  for (; evaluations_ < evaluations.size(); ++evaluations_) {
    const EvalMetric& evaluation = evaluations[evaluations_];
    const auto x = static_cast<double>(evaluation.step);
    testLoss_.append({x, evaluation.testLoss});
    testAccuracy_.append({x, 100 * evaluation.testAccuracy});
  }
}

void ChartPanel::refresh() {
  timer_.stop();
  readRun();
  const RunInfo* info = controller_.info();
  const double last = steps_ == 0 ? 0 : static_cast<double>(controller_.steps().back().step);
  for (MetricChart* chart : {loss_, accuracy_, throughput_}) chart->setLastStep(last);
  loss_->setPoints(kBatchLine, batchLoss_);
  loss_->setPoints(kTestLine, testLoss_);
  if (onlyLoss_) return;
  accuracy_->setPoints(kBatchLine, batchAccuracy_);
  accuracy_->setPoints(kTestLine, testAccuracy_);
  if (info != nullptr)
    throughput_->setWords(info->clock == Clock::Modelled ? tr("Throughput, modelled") : tr("Throughput, measured"),
                          tr("images/s"));
  throughput_->setPoints(kBatchLine, rate_);
}

}  // namespace lab
