// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/question.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/parse_number.h"
#include "core/lesson/messages.h"

namespace lab {
namespace {

void readRange(const Block::Entry& entry, LessonQuestion& question, std::vector<LineProblem>& problems) {
  const std::string_view value = entry.value;
  const std::size_t to = value.find(" to ");
  const auto low = parseNumber<double>(value.substr(0, std::min(to, value.size())));
  const auto high = to == std::string_view::npos ? std::nullopt : parseNumber<double>(value.substr(to + 4));
  if (low && high && std::isfinite(*low) && std::isfinite(*high) && *low < *high) {
    question.low = *low;
    question.high = *high;
  } else {
    problems.push_back({entry.line, {say::lessonRange, entry.key}});
  }
}

void readAnswers(Block& block, LessonQuestion& question, std::vector<LineProblem>& problems) {
  std::vector<const Block::Entry*> entries;
  for (const char* key : {"right", "wrong", "feedback"})
    for (const Block::Entry* entry : block.all(key)) entries.push_back(entry);
  std::ranges::sort(entries, {}, &Block::Entry::line);
  for (const Block::Entry* entry : entries) {
    if (entry->key != "feedback")
      question.answers.push_back({.text = block.textFrom(*entry), .feedback = {}, .right = entry->key == "right"});
    else if (question.answers.empty() || !question.answers.back().feedback.empty())
      problems.push_back({entry->line, {say::lessonFeedback}});
    else
      question.answers.back().feedback = block.textFrom(*entry);
  }
}

void readTruth(Block& block, LessonQuestion& question, std::vector<LineProblem>& problems) {
  const Block::Entry* truth = block.find("truth");
  if (truth == nullptr) {
    problems.push_back({block.line, {say::lessonMissing, block.kind, "truth"}});
    return;
  }
  question.value = parseNumber<double>(truth->value);
  Message why;
  if (!question.value && !parseFactCall(truth->value, question.truth, why))
    problems.push_back({truth->line, {say::lessonBadUntil, "truth", why}});
  else if (!question.value && question.truth.name->kind != FactName::Kind::Number)
    problems.push_back({truth->line, {say::lessonWantsNumber, "truth", truth->value}});
}

}  // namespace

LessonQuestion readQuestion(Block& block, std::vector<LineProblem>& problems) {
  LessonQuestion question;
  const Block::Entry* ask = block.find("ask");
  if (ask == nullptr) return question;
  question.ask = block.text("ask");
  question.why = block.text("why");
  const auto real = [&](const char* key, double low, double high, double& into) {
    const Block::Entry* entry = block.find(key);
    if (entry == nullptr) return;
    const auto number = parseNumber<double>(entry->value);
    if (number && *number >= low && *number <= high)
      into = *number;
    else
      problems.push_back({entry->line, {say::lessonNumber, key, low, high, entry->value}});
  };
  if (const Block::Entry* range = block.find("range")) {
    question.kind = LessonQuestion::Kind::Number;
    readRange(*range, question, problems);
    readTruth(block, question, problems);
    real("tolerance", 0, 1e12, question.tolerance);
    if (const Block::Entry* unit = block.find("unit")) question.unit = unit->value;
  } else if (const Block::Entry* curve = block.find("curve")) {
    question.kind = LessonQuestion::Kind::Curve;
    question.curve = curve->value;
    if (curve->value != "loss" && curve->value != "accuracy")
      problems.push_back({curve->line, {say::lessonCurve, curve->value}});
    if (const Block::Entry* height = block.find("height")) readRange(*height, question, problems);
    double steps = question.steps;
    real("steps", 2, 1000, steps);
    question.steps = static_cast<int>(steps);
  } else {
    question.kind = LessonQuestion::Kind::Choice;
    readAnswers(block, question, problems);
    if (question.answers.size() < 2 || std::ranges::none_of(question.answers, &LessonAnswer::right))
      problems.push_back({ask->line, {say::lessonNoRight}});
  }
  return question;
}

}  // namespace lab
