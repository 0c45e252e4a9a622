// SPDX-License-Identifier: GPL-3.0-or-later
// Exports charts and runs: as pictures, to the clipboard, as comma-separated values.
#pragma once

#include <QMimeData>
#include <QString>

#include <memory>
#include <vector>

#include "core/files/metrics_csv.h"
#include "core/trace/metric.h"

namespace lab {

class MetricChart;
class RunLibrary;
struct KeptRun;

enum class CsvScope {
  All,       // every kept run, whole
  Selected,  // one run, whole
  Visible,   // the runs that the chart shows, within its range of x
};

// A run's metrics, in the order of a run file. Returns a copy, so that another thread can write it.
std::vector<Metric> metricsOf(const KeptRun& run);

// `selected`: the run for CsvScope::Selected. Visible leaves out steps and evaluations outside of the chart's range.
std::vector<CsvRun> csvRuns(const RunLibrary& library, CsvScope scope, int selected, const MetricChart& chart);

// Saves the picture as shown, with the names of all its runs: writePainted().
void savePicture(MetricChart& chart, const QString& path);

// Picture and values in one, so that the receiving program can choose.
std::unique_ptr<QMimeData> copyOf(MetricChart& chart, const RunLibrary& library);

}  // namespace lab
