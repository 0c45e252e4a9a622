// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics as comma-separated values (RFC 4180) for spreadsheets: one line a metric, the columns named as the keys of
// `--metrics` and the run file, every number written as there. A column of modelled times and one of measured times are
// never the same. Lists have their entries separated by semicolons; what a metric has not is empty.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/metric.h"

namespace lab {

struct CsvRun {
  std::string name;
  std::vector<Metric> metrics;
};

std::string csvText(const std::string& text);  // quoted where it has to be

// The first column is the run's name. Lines end with \r\n.
std::string metricsCsv(std::span<const CsvRun> runs);

// The inverse: what was finite comes back with the same bits. `name` begins messages. UserError, with the line, on what
// metricsCsv() does not write.
std::vector<CsvRun> parseMetricsCsv(std::string_view text, const std::string& name);
bool looksLikeMetricsCsv(std::string_view text);  // its first line begins as metricsCsv()'s does

}  // namespace lab
