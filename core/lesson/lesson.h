// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson: pages that say what to do, and when it is done. A teacher writes its text (the handbook has a chapter on
// this); see blocks.h for the format, moment.h for the places that pages lead to, condition.h for `until`. Independent
// of any widget.
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

// A page's question. If the page has `until`, it is a prediction: the user commits to an answer, then the program
// answers.
struct LessonQuestion {
  enum class Kind { None, Choice, Number, Curve };
  Kind kind = Kind::None;
  LessonText ask, why;                // why: shown once the answer is known
  std::vector<LessonAnswer> answers;  // for a choice
  double low = 0, high = 1;           // for a number, or the height of a curve
  std::string unit;                   // "ms"
  std::optional<double> value;        // for a number: the true value,
  FactCall truth;                     // or the fact with the true value
  double tolerance = 0;               // the largest accepted error
  std::string curve;                  // "loss", "accuracy": per step
  int steps = 20;
};

struct LessonPage {
  std::string name;
  std::string revision;  // changes if the task changes, but not with the texts
  int line = 0;
  LessonText title, text;
  std::vector<LessonText> hints;
  std::string point;     // "object gradient 1", "control strategy", "tab chartsTab"; ""
  Moment moment;         // the target of "Do it for me"
  Condition until;       // empty: the page only has its question
  bool already = false;  // counts even if it holds when the page begins
  LessonQuestion question;

  bool isPrediction() const { return question.kind != LessonQuestion::Kind::None && !until.empty(); }
};

struct Lesson {
  std::string name;
  LessonText title, about;
  Moment moment;  // where the lesson begins
  std::vector<LessonPage> pages;
};

// Reads as much as possible; adds problems in the order of lines.
Lesson readLesson(std::string_view text, std::vector<LineProblem>& problems);
Lesson openLesson(const std::string& path);  // UserError with the first problem

std::span<const Lesson> builtInLessons();

// A text with facts: "{loss}". Each piece is either words or a fact.
struct TextPiece {
  std::string words;
  FactCall call;  // without a name: the piece is words
};
std::vector<TextPiece> piecesOf(std::string_view text, std::vector<LineProblem>* problems = nullptr, int line = 0);

}  // namespace lab
