// SPDX-License-Identifier: GPL-3.0-or-later
// Every number in the texts of lessons, classes, quiz, gallery and glossary, and the facts that can prove it: the
// settings of its moment, and the outcome of a run with them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/moment.h"
#include "tests/support/training.h"

namespace lab::test {

struct WrittenNumber {
  std::string text;  // as written
  double value = 0;
  int decimals = 0;        // the printed decimals
  bool wellFormed = true;  // with the separators of its language
  std::string unit = {};   // the unit after the number: "µs", "ms", "%", "MB", or ""

  bool inWords = false;

  bool tells(double exact) const;  // `exact`, rounded to the printed digits
};

// A true value, in a unit.
struct Fact {
  double value = 0;
  std::string unit = {};
};
bool tells(const WrittenNumber& number, const std::vector<Fact>& facts);

// Returns the numbers of a text, without values that the window fills in ({…}) and without digits that belong to a
// name: "V100", "fixed:2", "CPU:0", or one of `names`. A fraction of two numbers counts as one: "1/4". Words for two
// and more are numbers too: "four", "viermal".
std::vector<WrittenNumber> numbersIn(std::string text, std::string_view language,
                                     const std::vector<std::string>& names);
// Names with digits that are words of letters and digits: "bfloat16".
std::vector<std::string> namesIn(std::string text);

struct WrittenText {
  std::string site;  // "eight/one", "classes/time-one"
  std::string key, language, text;
  int line = 0;
};

// A block and where its moment leads. `premises`: numbers that the block itself sets, in `until`, `truth`, `faults`, ….
struct WrittenSite {
  std::string name;
  std::optional<RunSettings> settings;  // a page without its own has those of the page before
  std::int64_t step = 1;
  std::vector<double> premises;
};

struct WrittenTexts {
  std::vector<WrittenText> texts;
  std::map<std::string, WrittenSite> sites;
  std::map<std::string, std::vector<std::string>> order;  // the order of the blocks, by file
};
WrittenTexts readWrittenTexts();  // from the source tree

// Runs, each trained only once, for as many steps as were asked for.
class Runs {
 public:
  struct Run {
    RunInfo info;
    std::vector<StepMetric> steps;
    std::vector<EvalMetric> evaluations;
  };
  const Run& of(RunSettings config, std::int64_t steps);               // 0: whole epochs, as `config` says
  const Run& of(const std::string& settings, std::int64_t steps = 1);  // as in a moment, on the embedded digits

 private:
  std::map<std::string, Run> runs_;
};

// The facts that a moment's settings state by themselves, and those of its run at its step.
std::vector<Fact> settingsOf(const WrittenSite& site);
std::vector<Fact> outcomeOf(const WrittenSite& site, Runs& runs);

}  // namespace lab::test
