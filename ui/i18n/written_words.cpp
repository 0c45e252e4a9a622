// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/i18n/written_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "ui/i18n/language.h"

namespace lab::resources {

extern const unsigned char guideTexts[];
extern const std::size_t guideTextsSize;
extern const unsigned char lessons[];
extern const std::size_t lessonsSize;

}  // namespace lab::resources

namespace lab {
namespace {

constexpr const char* kContext = "written";

std::vector<Block> blocksOf(const unsigned char* text, std::size_t size) {
  std::vector<LineProblem> problems;  // ignored: the tests check every file
  return parseBlocks({reinterpret_cast<const char*>(text), size}, problems);
}

const std::vector<Block>& shippedBlocks() {
  static const auto all = blocksOf(resources::guideTexts, resources::guideTextsSize);
  return all;
}

}  // namespace

// Tries the application's translators first, as for all texts of the window, so that the tests' languages apply too.
QString writtenWords(const LessonText& text) {
  const QString english = QString::fromStdString(text.english);
  const QString translated = QCoreApplication::translate(kContext, text.english.c_str());
  if (translated != english) return translated;
  return QString::fromStdString(text.in(language::used().toStdString()));
}

std::vector<Block> writtenBlocks(std::string_view kind) {
  std::vector<Block> blocks;
  std::ranges::copy_if(shippedBlocks(), std::back_inserter(blocks),
                       [kind](const Block& block) { return block.kind == kind; });
  return blocks;
}

WrittenTranslator::WrittenTranslator(std::string_view language) {
  add(shippedBlocks(), language);
  add(blocksOf(resources::lessons, resources::lessonsSize), language);
}

void WrittenTranslator::add(const std::vector<Block>& blocks, std::string_view language) {
  for (const Block& block : blocks) {
    const Block::Entry* english = nullptr;
    for (const Block::Entry& entry : block.entries) {
      if (entry.language.empty())
        english = &entry;
      else if (english != nullptr && entry.key == english->key && entry.language == language)
        texts_[english->value] = QString::fromStdString(entry.value);
    }
  }
}

QString WrittenTranslator::translate(const char* context, const char* text, const char*, int) const {
  if (context == nullptr || text == nullptr || std::string_view(context) != kContext) return {};
  const auto found = texts_.find(std::string_view(text));
  return found == texts_.end() ? QString() : found->second;
}

}  // namespace lab
