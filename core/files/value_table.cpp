// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/value_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/files/messages.h"

namespace lab {
namespace {

// Guesses the separator from the header, whose names rarely contain one.
char separatorOf(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('\n'));
  const auto count = [&](char c) { return std::ranges::count(head, c); };
  if (count('\t') > count(',') && count('\t') >= count(';')) return '\t';
  return count(';') > count(',') ? ';' : ',';
}

std::optional<double> numberOf(std::string cell, bool decimalComma) {
  if (decimalComma) std::ranges::replace(cell, ',', '.');
  std::string_view text = cell;
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::optional<double> value = parseNumber<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// A comma may separate thousands: then some number has a decimal point, or two commas.
bool hasDecimalCommas(std::span<const CsvRow> rows) {
  const auto isOther = [](std::string cell) {
    const auto commas = std::erase(cell, ',');
    return (commas > 1 || cell.find('.') != std::string::npos) && numberOf(cell, false).has_value();
  };
  return std::ranges::none_of(rows, [&](const CsvRow& row) { return std::ranges::any_of(row.cells, isOther); });
}

bool rises(const std::vector<double>& values) {
  return values.size() > 1 && values.front() < values.back() && std::ranges::is_sorted(values) &&
         std::ranges::none_of(values, [](double value) { return std::isnan(value); });
}

}  // namespace

ValueTable parseValueTable(std::string_view text, const std::string& name) {
  if (text.find('\0') != std::string_view::npos) throw UserError(say::tableNoText, name);
  const char separator = separatorOf(text);
  const std::vector<CsvRow> rows = parseCsv(text, name, separator);
  if (rows.empty()) throw UserError(say::tableEmpty, name);
  const std::vector<std::string>& heads = rows.front().cells;
  const bool decimalComma = separator != ',' && hasDecimalCommas(std::span(rows).subspan(1));
  if (std::ranges::all_of(heads, [&](const std::string& head) { return numberOf(head, decimalComma).has_value(); }))
    throw UserError(say::tableNoHeader, name);
  if (rows.size() == 1) throw UserError(say::tableNoRows, name);
  ValueTable table;
  table.rows = rows.size() - 1;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    ValueTable::Column column{heads[i].empty() ? "#" + std::to_string(i + 1) : heads[i], {}, 0};
    column.values.reserve(table.rows);
    for (const CsvRow& row : std::span(rows).subspan(1)) {
      const std::optional<double> value = numberOf(row.cells[i], decimalComma);
      column.values.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
      if (!value) ++column.gaps;
    }
    if (column.gaps < static_cast<std::int64_t>(table.rows)) table.columns.push_back(std::move(column));
  }
  if (table.columns.empty()) throw UserError(say::tableNoNumbers, name);
  return table;
}

TableAxes usualAxes(const ValueTable& table) {
  TableAxes axes;
  if (table.columns.size() < 2) return axes;
  const auto found =
      std::ranges::find_if(table.columns, [](const ValueTable::Column& column) { return rises(column.values); });
  if (found == table.columns.end()) return axes;
  axes.x = static_cast<std::size_t>(found - table.columns.begin());
  axes.y = axes.x == 0 ? 1 : 0;
  return axes;
}

}  // namespace lab
