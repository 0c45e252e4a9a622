// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs for spreadsheets.
#include <cmath>
#include <optional>

#include "core/base/units.h"
#include "core/files/metrics_csv.h"
#include "core/options/config_field.h"
#include "core/training/branches.h"
#include "ui/runs/run_table.h"
#include "ui/runview/run_summary.h"

namespace lab {
namespace {

std::string written(std::optional<double> value) {
  return value && std::isfinite(*value) ? shortest(*value) : "";
}

}  // namespace

std::string RunTable::csv() const {
  std::string text = "run";
  for (const ConfigField* field : fields_) text += "," + field->name;
  text +=
      ",steps,divergedAtStep,loss,testAccuracy,clock,imagesPerSecond,seed,version,note,branch,"
      "meanImagesPerSecond\r\n";
  for (const int id : ids_) {
    const KeptRun& run = *library_.find(id);
    const RunMetrics& recorded = *run.metrics;
    std::vector<std::string> cells{library_.nameOf(run).toStdString()};
    for (const ConfigField* field : fields_) cells.push_back(run.settingsKnown ? settingOf(run, *field) : "");
    cells.push_back(std::to_string(recorded.steps.size()));
    const auto diverged = library_.divergenceOf(run).index();
    cells.push_back(diverged ? std::to_string(recorded.steps[*diverged].step) : "");
    cells.push_back(recorded.steps.empty() ? "" : written(recorded.steps.back().loss));
    cells.push_back(recorded.evaluations.empty() ? "" : written(recorded.evaluations.back().testAccuracy));
    const bool modelled = !recorded.steps.empty() && recorded.steps.back().clock == TimeSource::Modelled;
    cells.push_back(recorded.steps.empty() ? "" : modelled ? "modelled" : "measured");
    const Throughput rate = recentThroughput(recorded.steps);
    cells.push_back(written(modelled ? rate.modelled : rate.measured));
    cells.push_back(run.settingsKnown ? std::to_string(run.resolved.seed) : "");
    cells.push_back(run.version.toStdString());
    cells.push_back(run.note.toStdString());
    std::string branch;
    for (const Message& part : describe(lineageOf(run))) branch += (branch.empty() ? "" : "; ") + format(part);
    cells.push_back(branch);
    const Throughput mean = meanThroughput(recorded.steps);
    cells.push_back(written(modelled ? mean.modelled : mean.measured));
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + csvText(cells[i]);
    text += "\r\n";
  }
  return text;
}

}  // namespace lab
