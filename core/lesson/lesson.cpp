// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/lesson/messages.h"
#include "core/lesson/question.h"
#include "resources/resources.h"

namespace lab {
namespace {

constexpr std::size_t kMostLanguages = 64;  // each of them is looked for at each text

// Checks a block's texts: not empty, in all languages of the title, and with existing facts only.
void checkTexts(const Block& block, const std::set<std::string>& languages, std::vector<LineProblem>& problems) {
  static const std::set<std::string_view> kTextKeys{"title", "about", "text",  "hint",    "ask",
                                                    "why",   "right", "wrong", "feedback"};
  for (std::size_t i = 0; i < block.entries.size(); ++i) {
    if (problems.size() >= kMostProblems) return;
    const Block::Entry& entry = block.entries[i];
    if (entry.value.empty()) problems.push_back({entry.line, {say::lessonEmpty, entry.key}});
    if (!kTextKeys.contains(entry.key)) continue;
    (void)piecesOf(entry.value, &problems, entry.line);
    if (!entry.language.empty()) continue;
    std::set<std::string_view> missing(languages.begin(), languages.end());
    for (std::size_t j = i + 1; j < block.entries.size() && block.entries[j].key == entry.key; ++j) {
      if (block.entries[j].language.empty()) break;
      missing.erase(block.entries[j].language);
    }
    for (const std::string_view language : missing)
      problems.push_back({entry.line, {say::lessonLanguage, entry.key, language}});
  }
}

void need(Block& block, const char* key, std::vector<LineProblem>& problems) {
  if (block.find(key) == nullptr) problems.push_back({block.line, {say::lessonMissing, block.kind, key}});
}

std::string readPoint(Block& block, std::vector<LineProblem>& problems) {
  const Block::Entry* entry = block.find("point");
  if (entry == nullptr) return {};
  const std::string& value = entry->value;
  for (const std::string_view kind : {"object ", "control ", "tab "})
    if (value.starts_with(kind) && value.size() > kind.size()) return value;
  problems.push_back({entry->line, {say::lessonPoint, value}});
  return {};
}

// Hashes the task and the right answers, but not their wording: correcting a sentence must not undo anybody's progress.
std::string revisionOf(const Block& block) {
  static const std::set<std::string_view> kDeeds{"until", "range", "truth", "tolerance", "curve", "steps"};
  std::uint32_t hash = 2'166'136'261U;  // FNV-1a
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619U;
    hash = (hash ^ 0x1FU) * 16'777'619U;
  };
  for (const Block::Entry& entry : block.entries) {
    if (!entry.language.empty()) continue;
    if (entry.key == "right" || entry.key == "wrong") add(entry.key);
    if (kDeeds.contains(entry.key)) add(entry.key + "=" + entry.value);
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[(hash >> shift) & 0xFU];
  return text;
}

LessonPage readPage(Block& block, std::vector<LineProblem>& problems) {
  LessonPage page{.name = block.name, .revision = revisionOf(block), .line = block.line};
  need(block, "title", problems);
  need(block, "text", problems);
  page.title = block.text("title");
  page.text = block.text("text");
  for (const Block::Entry* hint : block.all("hint")) page.hints.push_back(block.textFrom(*hint));
  page.point = readPoint(block, problems);
  page.moment = readMoment(block, problems);
  if (const Block::Entry* until = block.find("until")) {
    Message why;
    page.until = Condition::parse(until->value, why);
    if (!why.empty()) problems.push_back({until->line, {say::lessonBadUntil, "until", why}});
  }
  if (const Block::Entry* already = block.find("already")) page.already = already->value == "counts";
  page.question = readQuestion(block, problems);
  if (block.find("until") == nullptr && page.question.kind == LessonQuestion::Kind::None)
    problems.push_back({block.line, {say::lessonNothingToDo}});
  return page;
}

// Checks what conditions say about other pages.
void checkPages(const Lesson& lesson, std::vector<LineProblem>& problems) {
  std::map<std::string_view, bool> asks;  // by name; of several pages with one name, the first counts
  for (const LessonPage& page : lesson.pages) asks.emplace(page.name, page.question.kind != LessonQuestion::Kind::None);
  for (const LessonPage& page : lesson.pages)
    for (const FactCall& call : page.until.calls()) {
      if (call.name->argument != FactName::Argument::Page) continue;
      if (problems.size() >= kMostProblems) return;
      const auto found = asks.find(call.argument);
      if (found == asks.end() || !found->second)
        problems.push_back({page.line, {say::lessonNoSuchPage, call.argument}});
    }
}

// Returns the title's languages, in which all texts must be.
std::set<std::string> languagesOf(const Block& head, std::vector<LineProblem>& problems) {
  std::set<std::string> languages;
  for (const Block::Entry& entry : head.entries)
    if (!entry.language.empty()) languages.insert(entry.language);
  if (languages.size() > kMostLanguages) {
    problems.push_back({head.line, {say::lessonLanguages, kMostLanguages}});
    languages.clear();
  }
  return languages;
}

}  // namespace

std::vector<TextPiece> piecesOf(std::string_view text, std::vector<LineProblem>* problems, int line) {
  std::vector<TextPiece> pieces;
  const auto isFull = [problems] { return problems != nullptr && problems->size() >= kMostProblems; };
  while (!text.empty() && !isFull()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    if (open > 0) pieces.push_back({std::string(text.substr(0, open)), {}});
    text.remove_prefix(open);
    const std::size_t close = text.find('}');
    if (text.empty()) break;
    if (close == std::string_view::npos) {
      pieces.push_back({std::string(text), {}});
      break;
    }
    TextPiece piece;
    Message why;
    const std::string_view inner = text.substr(1, close - 1);
    if (!parseFactCall(inner, piece.call, why)) {
      if (problems != nullptr) problems->push_back({line, {say::lessonBadValue, inner, why}});
      piece = {std::string(text.substr(0, close + 1)), {}};
    }
    pieces.push_back(std::move(piece));
    text.remove_prefix(close + 1);
  }
  return pieces;
}

Lesson readLesson(std::string_view text, std::vector<LineProblem>& problems) {
  std::vector<Block> blocks = parseBlocks(text, problems);
  Lesson lesson;
  std::set<std::string> languages, names;
  if (problems.empty() && (blocks.empty() || blocks.front().kind != "lesson"))
    problems.push_back({blocks.empty() ? 1 : blocks.front().line, {say::lessonNoLesson}});
  for (std::size_t i = 0; i < blocks.size() && problems.size() < kMostProblems; ++i) {
    Block& block = blocks[i];
    const bool head = i == 0 && block.kind == "lesson";
    if (!head && block.kind != "page") {
      problems.push_back({block.line, {say::lessonUnknownKind, block.kind}});
      continue;
    }
    if (block.name.empty()) problems.push_back({block.line, {say::lessonNeedsName, block.kind}});
    if (head) {
      lesson.name = block.name;
      languages = languagesOf(block, problems);
      need(block, "title", problems);
      lesson.title = block.text("title");
      lesson.about = block.text("about");
      lesson.moment = readMoment(block, problems);
    } else {
      if (!block.name.empty() && !names.insert(block.name).second)
        problems.push_back({block.line, {say::lessonNameTwice, block.name}});
      lesson.pages.push_back(readPage(block, problems));
    }
    checkTexts(block, languages, problems);
    block.unread(problems);
  }
  if (lesson.pages.empty() && problems.empty()) problems.push_back({1, {say::lessonNoPages}});
  checkPages(lesson, problems);
  std::ranges::stable_sort(problems, {}, &LineProblem::line);
  return lesson;
}

Lesson openLesson(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    std::string names;
    for (const Lesson& lesson : builtInLessons()) names += (names.empty() ? "" : ", ") + lesson.name;
    throw UserError(say::lessonNotThere, path, names);
  }
  const std::vector<std::uint8_t> bytes = readFile(path, static_cast<std::int64_t>(kMaxLessonBytes));
  std::vector<LineProblem> problems;
  Lesson lesson = readLesson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, problems);
  if (!problems.empty()) throw UserError(say::lessonNotRead, path, problems.front().line, problems.front().what);
  return lesson;
}

// All lessons follow each other in one resource, in the order of their files' names.
std::span<const Lesson> builtInLessons() {
  static const std::vector<Lesson> kLessons = [] {
    const std::string_view all(reinterpret_cast<const char*>(resources::lessons), resources::lessonsSize);
    constexpr std::string_view kHead = "\n[lesson ";
    std::vector<Lesson> lessons;
    for (std::size_t begin = all.find(kHead); begin != std::string_view::npos;) {
      const std::size_t end = all.find(kHead, begin + 1);
      std::vector<LineProblem> problems;
      lessons.push_back(readLesson(all.substr(begin, std::min(end, all.size()) - begin), problems));
      if (!problems.empty()) throw BrokenInvariant(lessons.back().name + ": " + format(problems.front().what));
      begin = end;
    }
    return lessons;
  }();
  return kLessons;
}

}  // namespace lab
