// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include <algorithm>
#include <string_view>

#include "core/base/error.h"

namespace lab::cli {

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void Table::add(std::vector<std::string> row) {
  LAB_CHECK(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  if (std::any_of(titles.begin(), titles.end(), [](const std::string& title) { return !title.empty(); }))
    lines.push_back(titles);
  lines.insert(lines.end(), rows_.begin(), rows_.end());

  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], characters(line[i]));

  std::string text;
  for (const auto& line : lines) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(widths[i] - characters(line[i]), ' ');
      if (i > 0) out += "  ";
      out += columns_[i].align == Align::Right ? padding + line[i] : line[i] + padding;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  }
  return text;
}

}  // namespace lab::cli
