// SPDX-License-Identifier: GPL-3.0-or-later
// Charts and runs for elsewhere: pictures, the clipboard, comma-separated values.
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

// A run's metrics, in the order of a run file. A copy: it may be written on another thread.
std::vector<Metric> metricsOf(const KeptRun& run);

// `selected`: the run of CsvScope::Selected. Steps and evaluations beyond the chart's range are left out in Visible.
std::vector<CsvRun> csvRuns(const RunLibrary& library, CsvScope scope, int selected, const MetricChart& chart);

// The picture as shown, with the names of all its runs: writePainted().
void savePicture(MetricChart& chart, const QString& path);

// Picture and values in one, for whatever takes them.
std::unique_ptr<QMimeData> copyOf(MetricChart& chart, const RunLibrary& library);

}  // namespace lab
