// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the cells of validation rows, for validation.cpp alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/csv.h"
#include "core/base/message.h"

namespace lab {

// Why a point cannot be predicted; the validation lists it.
struct MissingCell {
  Message reason;
};

class ValidationRow {
 public:
  ValidationRow(const CsvRow& header, const CsvRow& row, const std::string& name);

  const std::string& text(const std::string& column) const;       // UserError where the column is not there
  std::optional<double> number(const std::string& column) const;  // nothing where empty; UserError where not a number
  double needed(const std::string& column) const;                 // throws MissingCell where empty
  int line() const { return line_; }
  bool has(const std::string& column) const { return cells_.contains(column); }

 private:
  std::map<std::string, std::string> cells_;
  std::string name_;
  int line_ = 0;
};

}  // namespace lab
