// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson: pages that say what to do, and when it is done. Text that a teacher writes (the handbook has a chapter on
// it); see blocks.h for its form, moment.h for the places that pages lead to, condition.h for `until`. It knows no
// widget.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/blocks.h"
#include "core/lesson/condition.h"
#include "core/lesson/moment.h"

namespace lab {

struct LessonAnswer {
  LessonText text, feedback;
  bool right = false;
};

// What a page asks. With `until` on the page it is a prediction: sealed first, then the program answers.
struct LessonQuestion {
  enum class Kind { None, Choice, Number, Curve };
  Kind kind = Kind::None;
  LessonText ask, why;                // why: said when the answer is known
  std::vector<LessonAnswer> answers;  // of a choice
  double low = 0, high = 1;           // of a number, of a curve's height
  std::string unit;                   // "ms"
  std::optional<double> value;        // of a number: what is true,
  FactCall truth;                     // or the fact that says it
  double tolerance = 0;               // how far off is still right
  std::string curve;                  // "loss", "accuracy": of each step
  int steps = 20;
};

struct LessonPage {
  std::string name;
  std::string revision;  // another where something else is to be done, whatever its texts say
  int line = 0;
  LessonText title, text;
  std::vector<LessonText> hints;
  std::string point;     // "object gradient 1", "control strategy", "tab chartsTab"; ""
  Moment moment;         // where "Do it for me" leads
  Condition until;       // empty: the question is all
  bool already = false;  // counts where it is so when the page begins
  LessonQuestion question;

  bool isPrediction() const { return question.kind != LessonQuestion::Kind::None && !until.empty(); }
};

struct Lesson {
  std::string name;
  LessonText title, about;
  Moment moment;  // where it begins
  std::vector<LessonPage> pages;
};

// What can be read of it; problems are added, in the order of lines.
Lesson readLesson(std::string_view text, std::vector<LineProblem>& problems);
Lesson openLesson(const std::string& path);  // UserError with the first problem

std::span<const Lesson> builtInLessons();

// Facts in a text: "{loss}". Each piece is words, or a call.
struct TextPiece {
  std::string words;
  FactCall call;  // without a name: words
};
std::vector<TextPiece> piecesOf(std::string_view text, std::vector<LineProblem>* problems = nullptr, int line = 0);

}  // namespace lab
