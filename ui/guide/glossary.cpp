// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/glossary.h"

#include <sstream>
#include <utility>

#include "ui/guide/messages.h"
#include "ui/i18n/written_words.h"

namespace lab {

std::vector<GlossaryTerm> readGlossary(std::vector<Block> blocks, std::vector<LineProblem>& problems) {
  std::vector<GlossaryTerm> terms;
  for (Block& block : blocks) {
    GlossaryTerm term{.name = block.name,
                      .term = block.text("term"),
                      .text = block.text("text"),
                      .tensorflow = {},
                      .see = {},
                      .moment = readMoment(block, problems)};
    if (const Block::Entry* entry = block.find("tensorflow")) term.tensorflow = entry->value;
    if (const Block::Entry* entry = block.find("see")) {
      std::istringstream names(entry->value);
      for (std::string name; names >> name;) term.see.push_back(name);
    }
    for (const auto& [key, is] :
         {std::pair{"term", !term.term.empty()}, {"text", !term.text.empty()}, {"settings", !term.moment.empty()}})
      if (!is) problems.push_back({block.line, {say::guideMissing, block.kind, key}});
    block.unread(problems);
    terms.push_back(std::move(term));
  }
  return terms;
}

const std::vector<GlossaryTerm>& shippedGlossary() {
  static const auto all = [] {
    std::vector<LineProblem> problems;
    return readGlossary(writtenBlocks("term"), problems);
  }();
  return all;
}

}  // namespace lab
