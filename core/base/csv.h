// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated values as RFC 4180 defines them: quoted cells may hold commas, line breaks and doubled quotes. Every
// row has as many cells as the first; empty lines are skipped. The size is limited to that of tables made by hand.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct CsvRow {
  int line = 0;  // 1-based, where the row begins
  std::vector<std::string> cells;
};

inline constexpr std::size_t kMaxCsvBytes = std::size_t{16} << 20;

// Returns the rows, with the header first. Messages call the text `name`. A UserError names the wrong line.
std::vector<CsvRow> parseCsv(std::string_view text, const std::string& name, char separator = ',');

}  // namespace lab
