// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics as comma-separated values (RFC 4180) for spreadsheets: one line per metric, with columns named as the keys of
// `--metrics` and the run file, and every number written as there. Modelled and measured times never share a column.
// The entries of a list are separated by semicolons; missing values are empty; a run's memory is left out.
#pragma once

#include <functional>
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

std::string csvText(const std::string& text);  // quoted if necessary

// The first column is the run's name. Lines end with \r\n.
std::string metricsCsv(std::span<const CsvRun> runs);

// The inverse: finite numbers come back with the same bits. `name` begins messages. Throws a UserError, with the line,
// for anything that metricsCsv() does not write. `watch` gets the share of the lines that has been read; it may throw.
std::vector<CsvRun> parseMetricsCsv(std::string_view text, const std::string& name,
                                    const std::function<void(double share)>& watch = {});
bool looksLikeMetricsCsv(std::string_view text);  // its first line begins as metricsCsv()'s does

}  // namespace lab
