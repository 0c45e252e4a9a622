// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_report.h"

#include <QCoreApplication>

#include <cmath>
#include <optional>
#include <variant>

#include "core/prediction/hardware.h"
#include "core/prediction/step_timeline.h"
#include "ui/compare/lane_table.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/language.h"
#include "ui/i18n/words.h"
#include "ui/lanes/lanes.h"
#include "ui/lanes/unequal.h"

namespace lab {
namespace {

QString publishedText(const std::optional<ErrorBand>& band) {
  return band ? QString::fromStdString(bandRange(*band)) : QStringLiteral("–");
}

// In the order of reporting: an evaluation follows its step.
void takeShown(ReportRun& run, const RunMetrics& metrics, std::int64_t shown) {
  auto eval = metrics.evaluations.begin();
  for (const StepMetric& step : metrics.steps) {
    if (step.step > shown) break;
    run.take(step);
    for (; eval != metrics.evaluations.end() && eval->step <= step.step; ++eval) run.take(*eval);
  }
}

void addNotes(Report& report, const Lanes& lanes) {
  const auto note = [&](const QString& text) { report.notes.push_back(text.toStdString()); };
  note(tr("Every lane at the step that it showed. In brackets, the difference from %1.")
           .arg(lanes.at(lanes.baseline()).name()));
  note(
      tr("Published: how much longer than modelled a step took in 9 in 10 published measurements with the same "
         "bottleneck. Settings have the names that the command line uses."));
  for (std::size_t i = 0; i < lanes.count(); ++i) {
    const Lane& lane = lanes.at(i);
    QStringList words = unequalWords(lane, lanes.at(0), lanes.by());
    if (!lane.playback().record() && lane.refusal().isEmpty())
      words = QStringList{tr("This lane had not trained a step yet and is left out.")};
    else if (i != lanes.baseline() && lane.refusal().isEmpty())
      words << distanceWords(lane, lanes.at(lanes.baseline()));
    if (!words.isEmpty()) note(tr("%1: %2", "lane, sentence").arg(lane.name(), words.join(QLatin1Char(' '))));
  }
}

}  // namespace

Report reportOf(const Lanes& lanes, const LaneTable& table) {
  Report report;
  report.version = QCoreApplication::applicationVersion().toStdString();
  for (int column = 0; column < table.columnCount(); ++column)
    report.heads.push_back(table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString());
  report.heads.push_back(tr("Published").toStdString());
  addNotes(report, lanes);
  for (std::size_t i = 0; i < lanes.count(); ++i) {
    const Lane& lane = lanes.at(i);
    const auto& record = lane.playback().record();
    const RunInfo* info = lane.controller().info();
    if (!record || info == nullptr || !lane.refusal().isEmpty()) continue;
    ReportRun run;
    run.name = lane.name().toStdString();
    run.config = info->config;
    run.dataset = info->dataset;
    takeShown(run, *lane.controller().metrics(), record->metric.step);
    run.step = record->metric;  // for asynchronous workers, the one that is shown
    run.trace = timelineFromZero(*info, *record);
    run.traceStep = record->metric.step;
    run.traceExamples = record->metric.distributed();
    run.traceStepNs = record->metric.stepNs;
    run.band = bandOf(info->config, record->metric);
    if (i == lanes.baseline()) report.baseline = report.runs.size();
    for (int column = 0; column < table.columnCount(); ++column)
      run.cells.push_back(
          table.data(table.index(static_cast<int>(i), column), Qt::DisplayRole).toString().toStdString());
    run.cells.push_back(publishedText(run.band).toStdString());
    report.runs.push_back(std::move(run));
  }
  return report;
}

ReportLanguage windowReportLanguage() {
  return {.code = language::used().toStdString(),
          .words = [](const std::string& english) { return coreText(english).toStdString(); },
          .duration = [](std::int64_t ns) { return durationText(ns).toStdString(); },
          .message = [](const Message& message) { return coreText(message).toStdString(); },
          .number =
              [](double value) {
                return (std::abs(value) >= 1000 ? countText(std::llround(value)) : numberText(value)).toStdString();
              }};
}

}  // namespace lab
