// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual.h"

namespace lab {

std::string roffEscaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    // A point or an apostrophe at a line's beginning is a command; a plain hyphen may be set as a typographic one.
    if (out.empty() || out.back() == '\n')
      if (c == '.' || c == '\'') out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '"') {
      out += "\\(dq";
    } else {
      out += c;
    }
  }
  return out;
}

ManualPage::ManualPage(const std::string& name, const std::string& version, const std::string& summary) {
  text_ = ".TH \"" + name + "\" \"1\" \"\" \"StrategyLab " + version + "\" \"User Commands\"\n.nh\n.ad l\n";
  section("NAME");
  text_ += roffEscaped(name) + " \\- " + roffEscaped(summary) + "\n";
}

void ManualPage::line(std::string_view macro, std::string_view text) {
  text_ += std::string(macro) + " \"" + roffEscaped(text) + "\"\n";
}

void ManualPage::section(std::string_view title) {
  line(".SH", title);
}
void ManualPage::subsection(std::string_view title) {
  line(".SS", title);
}

void ManualPage::paragraph(std::string_view text) {
  text_ += ".PP\n" + roffEscaped(text) + "\n";
}

void ManualPage::entry(std::string_view term, std::string_view text) {
  text_ += ".TP\n";
  line(".B", term);
  text_ += roffEscaped(text) + "\n";
}

void ManualPage::example(std::string_view command) {
  text_ += ".PP\n.EX\n    " + roffEscaped(command) + "\n.EE\n";
}

void ManualPage::finish(std::string_view other) {
  section("FILES");
  entry(
      "$XDG_DATA_HOME/strategylab/NAME, ~/.local/share/strategylab/NAME",
      "Where data sets are put that the program fetches. They are also looked for in $STRATEGYLAB_DATA and where Keras "
      "and torchvision keep theirs.");
  entry("~/.config/StrategyLab/StrategyLab.ini", "What the window remembers from one start to the next.");
  section("ENVIRONMENT");
  entry("STRATEGYLAB_DATA", "A folder that holds data sets.");
  entry("STRATEGYLAB_CUDA_MODULE", "The file of the CUDA module, where it is not the one that came with the program.");
  entry("STRATEGYLAB_NCCL", "The file of NCCL, where it is not libnccl.so.2 of the system.");
  section("SEE ALSO");
  text_ += ".BR " + roffEscaped(other) + " (1)\n";
}

}  // namespace lab
