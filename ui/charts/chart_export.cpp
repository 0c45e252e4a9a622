// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include <QPainter>

#include <algorithm>
#include <string>

#include "ui/charts/metric_chart.h"
#include "ui/runs/run_library.h"
#include "ui/theme/picture_file.h"

namespace lab {
namespace {

Painted paintedOf(MetricChart& chart) {
  const QSize size = chart.pictureSize().toSize();
  return {size, chart.accessibleName(), {}, [&chart, size](QPainter& painter) {
            painter.setFont(chart.font());
            chart.paintPicture(painter, size, MetricChart::Names::All);
          }};
}

// A table's rows are told apart by their runs' names.
std::string nameAmong(const std::vector<CsvRun>& runs, const std::string& name) {
  std::string own = name;
  for (int next = 2; std::ranges::find(runs, own, &CsvRun::name) != runs.end(); ++next)
    own = name + " (" + std::to_string(next) + ")";
  return own;
}

}  // namespace

std::vector<Metric> metricsOf(const KeptRun& run) {
  std::vector<Metric> metrics;
  const RunMetrics& recorded = *run.metrics;
  metrics.reserve(recorded.steps.size() + recorded.evaluations.size() + 1);
  auto evaluation = recorded.evaluations.begin();
  for (const StepMetric& step : recorded.steps) {
    for (; evaluation != recorded.evaluations.end() && evaluation->step < step.step; ++evaluation)
      metrics.emplace_back(*evaluation);
    metrics.emplace_back(step);
  }
  for (; evaluation != recorded.evaluations.end(); ++evaluation) metrics.emplace_back(*evaluation);
  if (recorded.end) metrics.emplace_back(*recorded.end);
  return metrics;
}

std::vector<CsvRun> csvRuns(const RunLibrary& library, CsvScope scope, int selected, const MetricChart& chart) {
  std::vector<CsvRun> runs;
  for (const KeptRun& run : library.runs()) {
    if (scope == CsvScope::Selected && run.id != selected) continue;
    if (scope == CsvScope::Visible && !library.isCharted(run)) continue;
    std::vector<Metric> metrics = metricsOf(run);
    if (scope == CsvScope::Visible) {
      Places places;
      places.begin(chart.lines().options().axis);
      places.follow(*run.metrics);
      const Range visible = chart.scale().x;
      const auto isVisible = [&](std::int64_t step) {
        const auto place = places.after(*run.metrics, step);
        return place && *place >= visible.from && *place <= visible.to;
      };
      std::erase_if(metrics, [&](const Metric& metric) {
        if (const auto* step = std::get_if<StepMetric>(&metric)) return !isVisible(step->step);
        if (const auto* evaluation = std::get_if<EvalMetric>(&metric)) return !isVisible(evaluation->step);
        return true;
      });
    }
    runs.push_back({nameAmong(runs, library.nameOf(run).toStdString()), std::move(metrics)});
  }
  return runs;
}

void savePicture(MetricChart& chart, const QString& path) {
  writePainted(paintedOf(chart), path);
}

std::unique_ptr<QMimeData> copyOf(MetricChart& chart, const RunLibrary& library) {
  auto data = std::make_unique<QMimeData>();
  data->setImageData(imageOf(paintedOf(chart)));
  const std::string csv = metricsCsv(csvRuns(library, CsvScope::Visible, 0, chart));
  data->setText(QString::fromStdString(csv));
  data->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(csv));
  return data;
}

}  // namespace lab
