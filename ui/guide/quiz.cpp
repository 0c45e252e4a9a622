// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/quiz.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/parse_number.h"
#include "ui/guide/messages.h"
#include "ui/i18n/written_words.h"

namespace lab {
namespace {

constexpr std::pair<std::string_view, QuizQuestion::Kind> kQuizKinds[]{{"one", QuizQuestion::Kind::One},
                                                                       {"several", QuizQuestion::Kind::Several},
                                                                       {"number", QuizQuestion::Kind::Number},
                                                                       {"order", QuizQuestion::Kind::Order}};

// The lines of a question in the order of the text, each with the 'because' that follows it.
std::vector<QuizLine> linesOf(Block& block) {
  std::vector<const Block::Entry*> all = block.all("right");
  for (const char* key : {"wrong", "because"})
    for (const Block::Entry* entry : block.all(key)) all.push_back(entry);
  std::ranges::sort(all, {}, &Block::Entry::line);
  std::vector<QuizLine> lines;
  for (const Block::Entry* entry : all) {
    if (entry->key != "because")
      lines.push_back({.text = block.textFrom(*entry), .because = {}, .right = entry->key == "right"});
    else if (!lines.empty())
      lines.back().because = block.textFrom(*entry);
  }
  return lines;
}

QuizQuestion::Kind kindOf(Block& block, std::vector<LineProblem>& problems) {
  const Block::Entry* entry = block.find("kind");
  if (entry == nullptr) {
    problems.push_back({block.line, {say::guideMissing, block.kind, "kind"}});
    return QuizQuestion::Kind::One;
  }
  const auto found =
      std::ranges::find(kQuizKinds, std::string_view(entry->value), [](const auto& row) { return row.first; });
  if (found != std::end(kQuizKinds)) return found->second;
  problems.push_back({entry->line, {say::guideKind, entry->value}});
  return QuizQuestion::Kind::One;
}

void check(const Block& block, const QuizQuestion& question, std::vector<LineProblem>& problems) {
  using Kind = QuizQuestion::Kind;
  const auto right = std::ranges::count_if(question.lines, &QuizLine::right);
  for (const auto& [key, is] : {std::pair{"ask", !question.ask.empty()},
                                {"right", right > 0},
                                {"why", !question.why.empty()},
                                {"look", !question.look.empty()},
                                {"settings", !question.moment.empty()}})
    if (!is) problems.push_back({block.line, {say::guideMissing, block.kind, key}});
  if ((question.kind == Kind::One || question.kind == Kind::Number) && right > 1)
    problems.push_back({block.line, {say::guideOneRight}});
  for (const QuizLine& line : question.lines) {
    if (line.because.empty() && !line.right)
      problems.push_back({block.line, {say::guideMissing, block.kind, "because"}});
    if (question.kind == Kind::Number && !parseNumber<double>(line.text.english))
      problems.push_back({block.line, {say::guideNumber, line.right ? "right" : "wrong", line.text.english}});
  }
}

}  // namespace

bool QuizQuestion::isRight(const std::vector<std::size_t>& chosen) const {
  if (kind == Kind::Order) return chosen.size() == lines.size() && std::ranges::is_sorted(chosen);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].right != (std::ranges::find(chosen, i) != chosen.end())) return false;
  return true;
}

double QuizQuestion::numberOf(std::size_t line) const {
  return parseNumber<double>(lines[line].text.english).value_or(0);
}

std::size_t QuizQuestion::lineOf(double number) const {
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (std::abs(number - numberOf(i)) <= within + 1e-9) return i;
  return lines.size();
}

std::vector<std::size_t> QuizQuestion::shownOrder() const {
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (kind != Kind::Order || order.size() < 2) return order;
  // Every second line first, from the end, so that no line precedes the one that it follows.
  std::vector<std::size_t> shown;
  for (const std::size_t first : {order.size() - 2, order.size() - 1})
    for (auto i = static_cast<std::ptrdiff_t>(first); i >= 0; i -= 2) shown.push_back(static_cast<std::size_t>(i));
  return shown;
}

std::vector<QuizQuestion> readQuiz(std::vector<Block> blocks, std::vector<LineProblem>& problems) {
  std::vector<QuizQuestion> questions;
  for (Block& block : blocks) {
    QuizQuestion question;
    question.name = block.name;
    question.kind = kindOf(block, problems);
    question.ask = block.text("ask");
    question.why = block.text("why");
    question.slide = block.text("slide");
    question.look = block.text("look");
    question.lines = linesOf(block);
    if (const Block::Entry* entry = block.find("within")) {
      const std::optional<double> within = parseNumber<double>(entry->value);
      if (!within || *within < 0) problems.push_back({entry->line, {say::guideNumber, "within", entry->value}});
      question.within = std::max(0.0, within.value_or(0));
    }
    question.moment = readMoment(block, problems);
    check(block, question, problems);
    block.unread(problems);
    questions.push_back(std::move(question));
  }
  return questions;
}

const std::vector<QuizQuestion>& shippedQuiz() {
  static const auto all = [] {
    std::vector<LineProblem> problems;
    return readQuiz(writtenBlocks("question"), problems);
  }();
  return all;
}

}  // namespace lab
