// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/gallery.h"

#include <utility>

#include "ui/guide/messages.h"
#include "ui/i18n/written_words.h"

namespace lab {

std::vector<GalleryEntry> readGallery(std::vector<Block> blocks, std::vector<LineProblem>& problems) {
  std::vector<GalleryEntry> entries;
  for (Block& block : blocks) {
    GalleryEntry entry{.name = block.name,
                       .title = block.text("title"),
                       .shows = block.text("shows"),
                       .moment = readMoment(block, problems)};
    for (const auto& [key, is] : {std::pair{"title", !entry.title.empty()},
                                  {"shows", !entry.shows.empty()},
                                  {"settings", entry.moment.settings.has_value()}})
      if (!is) problems.push_back({block.line, {say::guideMissing, block.kind, key}});
    block.unread(problems);
    entries.push_back(std::move(entry));
  }
  return entries;
}

const std::vector<GalleryEntry>& shippedGallery() {
  static const auto all = [] {
    std::vector<LineProblem> problems;
    return readGallery(writtenBlocks("experiment"), problems);
  }();
  return all;
}

}  // namespace lab
