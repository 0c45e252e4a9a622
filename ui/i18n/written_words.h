// SPDX-License-Identifier: GPL-3.0-or-later
// Texts in blocks that ship with the program: gallery, glossary and quiz (resources/guide/*.txt), whose blocks are
// parsed here, and the words of lessons (resources/lessons), which core/lesson parses. Each file holds the English and
// the other languages side by side, so that an author edits only one file.
#pragma once

#include <QString>
#include <QTranslator>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/blocks.h"

namespace lab {

// The text in the window's language. Also works for texts that do not ship with the program.
QString writtenWords(const LessonText& text);

// All blocks of one kind, such as "term", in the order of the files. Their line numbers count from the beginning of the
// first file.
std::vector<Block> writtenBlocks(std::string_view kind);

// Translates the English of these texts into another language.
class WrittenTranslator final : public QTranslator {
 public:
  explicit WrittenTranslator(std::string_view language);
  bool isEmpty() const override { return texts_.empty(); }
  QString translate(const char* context, const char* text, const char* note, int n) const override;

 private:
  void add(const std::vector<Block>& blocks, std::string_view language);

  std::map<std::string, QString, std::less<>> texts_;
};

}  // namespace lab
