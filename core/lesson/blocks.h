// SPDX-License-Identifier: GPL-3.0-or-later
// Text in blocks, as a teacher writes it: the format of lessons, the gallery, the glossary and lists of moments.
//   # a comment
//   [page slices]
//   title: Every replica gets a slice
//   title[de]: Jedes Replikat bekommt einen Teil
//   text: A value may go on
//     on lines that begin with spaces; each is a line of its own in the value.
// A mistake never refuses the whole text: each is reported with its line, and the rest is read, up to kMostProblems.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"

namespace lab {

struct LineProblem {
  int line = 0;  // from 1
  Message what;
};

// A text in English and in other languages, by their codes: "de".
struct LessonText {
  std::string english;
  std::map<std::string, std::string, std::less<>> others;

  bool empty() const { return english.empty(); }
  const std::string& in(std::string_view language) const;  // English if that language is missing
};

class Block {
 public:
  struct Entry {
    std::string key, language;  // "title", "de" or ""
    std::string value;
    int line = 0;
    bool read = false;
  };

  std::string kind, name;  // "page", "slices"; the name may be ""
  int line = 0;
  std::vector<Entry> entries;  // in their order in the text

  // These functions mark entries as known; unread() reports the others. Null: there is no such entry.
  const Entry* find(std::string_view key);                // without a language
  std::vector<const Entry*> all(std::string_view key);    // for repeatable keys; without a language
  LessonText text(std::string_view key);                  // with all languages
  LessonText textFrom(const Entry& entry);                // the entry and the languages that follow it directly
  void unread(std::vector<LineProblem>& problems) const;  // keys that mean nothing here, or come twice
};

inline constexpr std::size_t kMaxLessonBytes = std::size_t{1} << 20;
// Nobody reads more; and a text of this size can have so many that they would take all memory.
inline constexpr std::size_t kMostProblems = 100;

// Adds problems to `problems`. Text that is not UTF-8 is a problem, and nothing of it is read.
std::vector<Block> parseBlocks(std::string_view text, std::vector<LineProblem>& problems);

}  // namespace lab
