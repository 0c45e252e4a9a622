// SPDX-License-Identifier: GPL-3.0-or-later
// The texts in blocks that ship with the program: gallery, glossary and quiz (resources/guide/*.txt), whose blocks are
// read here, and the words of lessons (resources/lessons), which core/lesson reads. Each has its English and its other
// languages side by side, so that whoever writes one needs nothing else.
#pragma once

#include <QString>
#include <QTranslator>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/blocks.h"

namespace lab {

// In the window's language; of a text that does not ship with the program too.
QString writtenWords(const LessonText& text);

// Of one kind, "term", in the order of the files. Their lines are counted from the first file's beginning.
std::vector<Block> writtenBlocks(std::string_view kind);

// From the English of those texts to another language's.
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
