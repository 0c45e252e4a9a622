// SPDX-License-Identifier: GPL-3.0-or-later
// Text in columns, for people. Widths count characters, not bytes: µ and · are one each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lab::cli {

std::size_t characters(std::string_view text);  // in UTF-8

class Table {
 public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Left;
  };

  // If no column has a title, there is no header line.
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> row);  // as many cells as columns
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lab::cli
