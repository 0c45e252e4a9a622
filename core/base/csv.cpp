// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/messages.h"

namespace lab {
namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& name, char separator)
      : text_(text), name_(name), separator_(separator) {}

  std::vector<CsvRow> rows() {
    std::vector<CsvRow> rows;
    while (at_ < text_.size()) {
      CsvRow next = row();
      if (next.cells.size() == 1 && next.cells.front().empty()) continue;  // an empty line
      if (!rows.empty() && next.cells.size() != rows.front().cells.size())
        fail(next.line, {say::csvCells, next.cells.size(), rows.front().cells.size()});
      rows.push_back(std::move(next));
    }
    return rows;
  }

 private:
  // Reads one row with its line break, which may be LF or CR LF.
  CsvRow row() {
    CsvRow row{line_, {}};
    for (;;) {
      row.cells.push_back(at_ < text_.size() && text_[at_] == '"' ? quoted() : plain());
      if (at_ < text_.size() && text_[at_] == separator_) {
        ++at_;
        continue;
      }
      if (text_.substr(at_, 2) == "\r\n") ++at_;
      if (at_ == text_.size()) return row;
      if (text_[at_] != '\n') fail(line_, say::csvBehindQuote);
      ++at_;
      ++line_;
      return row;
    }
  }

  std::string plain() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n' && text_.substr(at_, 2) != "\r\n") {
      if (text_[at_] == '"') fail(line_, say::csvQuoteInside);
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string quoted() {
    const int begin = line_;
    std::string cell;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (at_ == text_.size() || text_[at_] != '"') return cell;
      }
      if (text_[at_] == '\n') ++line_;
      cell += text_[at_];
    }
    fail(begin, say::csvQuoteOpen);
  }

  [[noreturn]] void fail(int line, const Message& what) const { throw UserError(say::csvRow, name_, line, what); }

  std::string_view text_;
  const std::string& name_;
  const char separator_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<CsvRow> parseCsv(std::string_view text, const std::string& name, char separator) {
  if (text.size() > kMaxCsvBytes) throw UserError(say::csvTooLarge, name);
  // the byte order mark that spreadsheets put before UTF-8
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return CsvReader(text, name, separator).rows();
}

}  // namespace lab
