// SPDX-License-Identifier: GPL-3.0-or-later
// A table of numbers from anywhere: comma-separated values whose first line names the columns. Spreadsheets that write
// decimal commas separate by semicolons or tabs, which are read too. Only columns with numbers are kept; cells that
// hold none are gaps, and counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct ValueTable {
  struct Column {
    std::string name;
    std::vector<double> values;  // NaN: the cell holds no number
    std::int64_t gaps = 0;
  };
  std::vector<Column> columns;  // at least one
  std::size_t rows = 0;         // at least one
};

// `name` begins messages. UserError, with the line where there is one, for what has no header, no rows or no numbers.
ValueTable parseValueTable(std::string_view text, const std::string& name);

// What to plot before a person has chosen. x: the first column that only rises, such as a step, an epoch or a time,
// else kRowNumber; y: the first other column.
struct TableAxes {
  static constexpr std::size_t kRowNumber = static_cast<std::size_t>(-1);
  std::size_t x = kRowNumber, y = 0;
};
TableAxes usualAxes(const ValueTable& table);

}  // namespace lab
