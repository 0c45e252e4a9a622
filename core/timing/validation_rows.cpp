// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/validation_rows.h"

#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/timing/messages.h"

namespace lab {

ValidationRow::ValidationRow(const CsvRow& header, const CsvRow& row, const std::string& name)
    : name_(name), line_(row.line) {
  for (std::size_t i = 0; i < header.cells.size(); ++i)
    if (!cells_.emplace(header.cells[i], row.cells[i]).second) throw UserError(say::columnTwice, name, header.cells[i]);
}

const std::string& ValidationRow::text(const std::string& column) const {
  const auto found = cells_.find(column);
  if (found == cells_.end()) throw UserError(say::noColumn, name_, column);
  return found->second;
}

std::optional<double> ValidationRow::number(const std::string& column) const {
  const std::string& cell = text(column);
  if (cell.empty()) return std::nullopt;
  const std::optional<double> value = parseNumber<double>(cell);
  constexpr double kLargest = 1e15;
  // The comparison is false for NaN too.
  if (!value || !(*value >= 0 && *value <= kLargest)) throw UserError(say::badCell, name_, line_, column, cell);
  return value;
}

double ValidationRow::needed(const std::string& column) const {
  const std::optional<double> value = number(column);
  if (!value || *value <= 0) throw MissingCell{{say::cellNotKnown, column}};
  return *value;
}

}  // namespace lab
