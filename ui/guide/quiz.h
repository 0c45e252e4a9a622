// SPDX-License-Identifier: GPL-3.0-or-later
// Questions with what is right and what is wrong about each answer (resources/guide/quiz.txt):
//   [question steps]
//   kind: one                    one, several, number, order
//   ask: What is added in an all-reduce?
//   right: The gradients.        of "order" the lines in their right order; of "number" the number
//   because: the answer to the choice of the line before it
//   wrong: The weights.          of "number" a number that somebody may come to
//   because: …
//   why: said with the right answer
//   slide: what the course's slides say otherwise
//   look: what to see at the moment that proves it, which the moment's keys name
//   within: 0.5                  of "number": how far from it is still right
#pragma once

#include <string>
#include <vector>

#include "core/lesson/moment.h"

namespace lab {

struct QuizLine {
  LessonText text, because;
  bool right = false;
};

struct QuizQuestion {
  enum class Kind { One, Several, Number, Order };
  std::string name;
  Kind kind = Kind::One;
  LessonText ask, why, slide, look;
  std::vector<QuizLine> lines;  // as written
  double within = 0;            // for Number
  Moment moment;

  // True if these are exactly the right lines. For Order: the order of the lines.
  bool isRight(const std::vector<std::size_t>& chosen) const;
  // For Number: the line that a number matches; lines.size(): none.
  std::size_t lineOf(double number) const;
  double numberOf(std::size_t line) const;
  // The order in which the lines are shown at first. For Order never the right one; the same at every start.
  std::vector<std::size_t> shownOrder() const;
};

std::vector<QuizQuestion> readQuiz(std::vector<Block> blocks, std::vector<LineProblem>& problems);
const std::vector<QuizQuestion>& shippedQuiz();

}  // namespace lab
