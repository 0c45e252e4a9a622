// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_charts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/at.h"
#include "ui/charts/run_curves.h"
#include "ui/charts/series_chart.h"
#include "ui/compare/lane_table.h"
#include "ui/i18n/words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kSmoothing = 0.95;  // like TensorBoard: curves of single batches are too noisy to compare by eye
constexpr double kTwoRows = 18, kFourColumns = 80;  // in text sizes: the least height and width for them
constexpr XAxis kLaneAxes[] = {XAxis::Steps, XAxis::Images};

}  // namespace

Curve differenceOf(const Curve& curve, const Curve& base) {
  Curve difference;
  std::size_t j = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double x = curve.x(i);
    while (j < base.size() && base.x(j) < x) ++j;
    if (j == base.size()) break;
    if (base.x(j) == x) {
      difference.append(x, curve.y(i) - base.y(j), curve.tag(i));
    } else if (j > 0) {
      const double part = (x - base.x(j - 1)) / (base.x(j) - base.x(j - 1));
      difference.append(x, curve.y(i) - std::lerp(base.y(j - 1), base.y(j), part), curve.tag(i));
    }
  }
  return difference;
}

LaneCharts::LaneCharts(Lanes& lanes, QWidget* parent) : QWidget(parent), lanes_(lanes) {
  setProperty("role", QStringLiteral("panel"));
  axis_ = new QComboBox;
  axis_->setObjectName(QStringLiteral("laneChartAxis"));
  for (const XAxis axis : kLaneAxes) axis_->addItem(nameOf(axis));
  axis_->setToolTip(tr("Steps or images"));
  axis_->setWhatsThis(
      tr("The x axis of the curves. Over images, steps of a parameter server's workers line up with steps of the "
         "same number of images."));
  auto* label = new QLabel(tr("&Over"));
  label->setBuddy(axis_);
  connect(axis_, &QComboBox::currentIndexChanged, this, &LaneCharts::refresh);
  connect(&lanes_, &Lanes::changed, this, &LaneCharts::takeAxis);
  smooth_ = new QCheckBox(tr("S&moothed"));
  smooth_->setObjectName(QStringLiteral("laneChartSmooth"));
  smooth_->setChecked(true);
  smooth_->setToolTip(tr("The running mean of each curve, with weight 0.95"));
  smooth_->setWhatsThis(
      tr("Losses of single small batches jump. When they are smoothed, the curves of two lanes can be told apart; "
         "their differences are then those of the smoothed curves."));
  connect(smooth_, &QCheckBox::toggled, this, &LaneCharts::refresh);
  const auto chart = [](const QString& title, SeriesChart::Scale scale) { return new SeriesChart(title, scale); };
  loss_ = chart(tr("Loss"), SeriesChart::Scale::Linear);
  accuracy_ = chart(tr("Accuracy, %"), SeriesChart::Scale::Linear);
  lossDifference_ = chart(tr("Difference in loss"), SeriesChart::Scale::Differences);
  accuracyDifference_ = chart(tr("Difference in accuracy, points"), SeriesChart::Scale::Differences);
  auto* head = new QHBoxLayout;
  head->addWidget(label);
  head->addWidget(axis_);
  head->addWidget(smooth_);
  head->addStretch(1);
  grid_ = new QGridLayout;
  auto* column = new QVBoxLayout(this);
  column->addLayout(head);
  column->addLayout(grid_, 1);
  column->setContentsMargins(0, 0, 0, 0);
  theme::follow(this, [this, column, head] {
    column->setSpacing(theme::em(0.2));
    grid_->setSpacing(theme::em(0.2));
    head->setContentsMargins(theme::em(0.5), theme::em(0.2), theme::em(0.5), 0);
    arrange();
  });
}

// Beside each other if there is no height for two rows: their words would leave no room for a curve.
void LaneCharts::arrange() {
  const bool inRow = height() < theme::em(kTwoRows) && width() >= theme::em(kFourColumns);
  if (std::exchange(inRow_, inRow) == inRow) return;
  const std::array charts{loss_, lossDifference_, accuracy_, accuracyDifference_};
  for (int i = 0; i < static_cast<int>(charts.size()); ++i) {
    grid_->removeWidget(at(charts, i));
    grid_->addWidget(at(charts, i), inRow ? 0 : i % 2, inRow ? i : i / 2);
    grid_->setColumnStretch(i, inRow || i < 2 ? 1 : 0);
  }
  grid_->setRowStretch(0, 3);
  grid_->setRowStretch(1, inRow ? 0 : 2);
}

void LaneCharts::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

SeriesChart& LaneCharts::chart(Quantity quantity, bool difference) const {
  if (quantity == Quantity::Loss) return difference ? *lossDifference_ : *loss_;
  return difference ? *accuracyDifference_ : *accuracy_;
}

void LaneCharts::takeAxis() {
  if (std::exchange(by_, lanes_.by()) == lanes_.by()) return;
  axis_->setCurrentIndex(by_ == InStepBy::Steps ? 0 : 1);  // as in kLaneAxes
}

void LaneCharts::refresh() {
  const XAxis axis = kLaneAxes[std::max(0, axis_->currentIndex())];
  const ChartOptions options{.axis = axis, .smoothing = smooth_->isChecked() ? kSmoothing : 0};
  const std::size_t base = lanes_.baseline();
  for (const Quantity quantity : {Quantity::Loss, Quantity::Accuracy}) {
    const auto lineOf = [&](std::size_t lane) {
      const RunCurves run(0, lanes_.at(lane).controller().metrics(), quantity, options);
      SeriesChart::Series line{lanes_.at(lane).name(), laneColour(lanes_.at(lane)), laneStyle(lane, base), run.main()};
      if (const auto at = run.divergesAt()) line.leavesAt = *at;
      return line;
    };
    const SeriesChart::Series baseLine = lineOf(base);
    std::vector<SeriesChart::Series> lines, differences;
    for (std::size_t i = 0; i < lanes_.count(); ++i) {
      SeriesChart::Series line = i == base ? baseLine : lineOf(i);
      if (i != base)
        differences.push_back({tr("%1 − %2").arg(line.name, baseLine.name), line.colour, Qt::SolidLine,
                               differenceOf(line.curve, baseLine.curve), std::min(line.leavesAt, baseLine.leavesAt)});
      lines.push_back(std::move(line));
    }
    std::rotate(lines.begin() + static_cast<std::ptrdiff_t>(base),
                lines.begin() + static_cast<std::ptrdiff_t>(base) + 1,
                lines.end());  // the baseline above the others
    chart(quantity, false).setSeries(std::move(lines), nameOf(axis));
    chart(quantity, true).setSeries(std::move(differences), nameOf(axis));
  }
}

}  // namespace lab
