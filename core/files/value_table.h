// SPDX-License-Identifier: GPL-3.0-or-later
// A table of numbers from any source: comma-separated values whose first line names the columns. Semicolons and tabs,
// which spreadsheets with decimal commas use, are read too. Only columns with numbers are kept; cells without a number
// are counted as gaps.
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
    std::vector<double> values;  // NaN: the cell has no number
    std::int64_t gaps = 0;
  };
  std::vector<Column> columns;  // at least one
  std::size_t rows = 0;         // at least one
};

// `name` begins messages. Throws a UserError, with the line if there is one, if there is no header, no row or no
// number.
ValueTable parseValueTable(std::string_view text, const std::string& name);

// What to plot before a person has chosen. x: the first column that only rises, such as a step, an epoch or a time,
// otherwise kRowNumber; y: the first other column.
struct TableAxes {
  static constexpr std::size_t kRowNumber = static_cast<std::size_t>(-1);
  std::size_t x = kRowNumber, y = 0;
};
TableAxes usualAxes(const ValueTable& table);

}  // namespace lab
