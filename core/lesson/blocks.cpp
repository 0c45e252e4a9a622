// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/blocks.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/lesson/messages.h"

namespace lab {
namespace {

constexpr std::string_view kSpaces = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

bool isName(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; });
}

bool isUtf8(std::string_view text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

// Parses "[page slices]". Returns nothing if the line is not a head.
std::optional<Block> headOf(std::string_view line, int number) {
  if (line.back() != ']') return std::nullopt;
  line = trimmed(line.substr(1, line.size() - 2));
  const std::size_t space = line.find_first_of(kSpaces);
  const std::string_view kind = line.substr(0, space);
  const std::string_view name = space == std::string_view::npos ? std::string_view() : trimmed(line.substr(space));
  if (!isName(kind) || (!name.empty() && !isName(name))) return std::nullopt;
  return Block{.kind = std::string(kind), .name = std::string(name), .line = number, .entries = {}};
}

// Parses "title[de]: …". Returns nothing if the line is not an entry.
std::optional<Block::Entry> entryOf(std::string_view line, int number) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view key = trimmed(line.substr(0, colon)), language;
  if (key.ends_with(']')) {
    const std::size_t open = key.find('[');
    if (open == std::string_view::npos) return std::nullopt;
    language = key.substr(open + 1, key.size() - open - 2);
    key = key.substr(0, open);
    if (!isName(language)) return std::nullopt;
  }
  if (!isName(key)) return std::nullopt;
  return Block::Entry{.key = std::string(key),
                      .language = std::string(language),
                      .value = std::string(trimmed(line.substr(colon + 1))),
                      .line = number};
}

}  // namespace

const std::string& LessonText::in(std::string_view language) const {
  const auto found = others.find(language.substr(0, language.find_first_of("_-")));
  return found == others.end() ? english : found->second;
}

const Block::Entry* Block::find(std::string_view key) {
  for (Entry& entry : entries) {
    if (entry.key != key || !entry.language.empty()) continue;
    entry.read = true;
    return &entry;
  }
  return nullptr;
}

std::vector<const Block::Entry*> Block::all(std::string_view key) {
  std::vector<const Entry*> found;
  for (Entry& entry : entries) {
    if (entry.key != key || !entry.language.empty()) continue;
    entry.read = true;
    found.push_back(&entry);
  }
  return found;
}

LessonText Block::text(std::string_view key) {
  const Entry* entry = find(key);
  return entry == nullptr ? LessonText() : textFrom(*entry);
}

LessonText Block::textFrom(const Entry& entry) {
  LessonText text{.english = entry.value, .others = {}};
  for (auto next = static_cast<std::size_t>(&entry - entries.data()) + 1; next < entries.size(); ++next) {
    Entry& other = entries[next];
    if (other.key != entry.key || other.language.empty()) break;
    if (text.others.emplace(other.language, other.value).second) other.read = true;
  }
  return text;
}

void Block::unread(std::vector<LineProblem>& problems) const {
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const Entry& entry : entries)
    if (entry.read) known.emplace(entry.key, entry.language);
  for (const Entry& entry : entries) {
    if (entry.read) continue;
    if (problems.size() >= kMostProblems) return;
    const std::string key = entry.language.empty() ? entry.key : entry.key + "[" + entry.language + "]";
    if (known.contains({entry.key, entry.language}))
      problems.push_back({entry.line, {say::lessonTwice, key}});
    else
      problems.push_back({entry.line, {say::lessonUnknownKey, key, kind}});
  }
}

std::vector<Block> parseBlocks(std::string_view text, std::vector<LineProblem>& problems) {
  std::vector<Block> blocks;
  if (text.size() > kMaxLessonBytes) {
    problems.push_back({1, {say::lessonTooLarge, Bytes{static_cast<std::int64_t>(kMaxLessonBytes)}}});
    return blocks;
  }
  if (!isUtf8(text)) {
    problems.push_back({1, {say::lessonNotText}});
    return blocks;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  bool goesOn = false;  // the latest line can be continued
  for (int number = 1; !text.empty() && problems.size() < kMostProblems; ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end), line = trimmed(whole);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (whole.front() == ' ' || whole.front() == '\t') {
      if (goesOn)
        blocks.back().entries.back().value.append("\n").append(line);
      else
        problems.push_back({number, {say::lessonNoKey}});
      continue;
    }
    goesOn = false;
    if (line.front() == '[') {
      if (std::optional<Block> block = headOf(line, number))
        blocks.push_back(std::move(*block));
      else
        problems.push_back({number, {say::lessonBadHead}});
    } else if (std::optional<Block::Entry> entry = entryOf(line, number); !entry) {
      problems.push_back({number, {say::lessonNoKey}});
    } else if (blocks.empty()) {
      problems.push_back({number, {say::lessonNoHead}});
    } else {
      blocks.back().entries.push_back(std::move(*entry));
      goesOn = true;
    }
  }
  return blocks;
}

}  // namespace lab
