// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/run_reports.h"

#include <QCoreApplication>

#include <string>
#include <utility>
#include <vector>

namespace lab {

RunReports::RunReports(std::shared_ptr<RunMetrics> past) : metrics_(std::move(past)), past_(metrics_->steps.size()) {}

std::size_t RunReports::count() const {
  return metrics_->steps.size() + metrics_->evaluations.size() + (metrics_->end ? 1 : 0);
}

bool RunReports::takePreparation(const Telemetry& telemetry) {
  if (metrics_->steps.size() != past_) return false;
  const Preparation before = std::exchange(preparation_, telemetry.preparation());
  return before != preparation_;
}

void RunReports::open(WatchedRun& run, const RunInfo& info, const RunInfo& header, bool resumes) {
  recorder_ = std::make_unique<Recorder>(header, run.telemetry(), QCoreApplication::applicationVersion().toStdString());
  metrics_->examplesPerEpoch = info.examplesPerEpoch;
  if (resumes) {
    const auto isLost = [&info](const auto& metric) { return metric.step >= info.firstStep; };
    std::erase_if(metrics_->steps, isLost);
    std::erase_if(metrics_->evaluations, isLost);
  }
  for (Metric& metric : run.takePast()) metrics_->add(std::move(metric));
  past_ = metrics_->steps.size();
}

void RunReports::drain(WatchedRun& run, ClassRun* trains, bool whole) {
  if (!recorder_) return;
  if (trains != nullptr)
    for (std::string& line : trains->takeOrder()) {
      recorder_->addToRun(line);
      metrics_->order.push_back(std::move(line));
    }
  for (Metric& metric : whole ? recorder_->finish() : recorder_->drain()) metrics_->add(std::move(metric));
  droppedSpans_ = run.telemetry().droppedSpans();
}

}  // namespace lab
