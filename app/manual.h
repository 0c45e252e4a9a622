// SPDX-License-Identifier: GPL-3.0-or-later
// A manual page in roff's man macros (man-pages(7), groff_man(7)), made from what the programs say of their options, so
// that it cannot tell anything else than --help.
#pragma once

#include <string>
#include <string_view>

namespace lab {

class ManualPage {
 public:
  // Section 1. `name` "strategylab"; `summary` follows it in the page's NAME, without a full stop.
  ManualPage(const std::string& name, const std::string& version, const std::string& summary);

  void section(std::string_view title);     // "OPTIONS"
  void subsection(std::string_view title);  // "train"
  void paragraph(std::string_view text);
  void entry(std::string_view term, std::string_view text);  // the term in bold, the text indented below it
  void example(std::string_view command);                    // as it is typed, on a line of its own

  // What both programs' pages end with; `other` is the other program.
  void finish(std::string_view other);

  const std::string& text() const { return text_; }

 private:
  void line(std::string_view macro, std::string_view text);
  std::string text_;
};

// What roff would take for commands is made plain text; UTF-8 stays.
std::string roffEscaped(std::string_view text);

}  // namespace lab
