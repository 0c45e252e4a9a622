// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the bytes: a lesson is read, or its problems are reported for lines that exist; conditions are evaluated
// with no known values, and texts are cut into pieces.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/lesson/class_plan.h"
#include "core/lesson/lesson.h"

namespace {

struct NothingKnown : lab::FactSource {
  lab::Fact fact(const lab::FactCall&) const override { return {}; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<lab::LineProblem> problems;
  const lab::Lesson lesson = lab::readLesson(text, problems);
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (const lab::LineProblem& problem : problems)
    if (problem.line < 1 || problem.line > lines || format(problem.what).empty()) std::abort();
  for (const lab::LessonPage& page : lesson.pages) (void)page.until.holds(NothingKnown());
  std::vector<lab::LineProblem> ofClasses;
  const std::vector<lab::Block> blocks = lab::parseBlocks(text, ofClasses);
  (void)lab::readClassPlans(blocks, blocks, ofClasses);
  for (const lab::LineProblem& problem : ofClasses)
    if (problem.line < 1 || problem.line > lines || format(problem.what).empty()) std::abort();
  (void)lab::piecesOf(text);
  return 0;
}
