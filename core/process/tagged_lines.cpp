// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/tagged_lines.h"

#include <cctype>
#include <optional>
#include <string_view>

namespace lab::process {
namespace {

struct Tag {
  std::size_t begin = 0, end = 0;
  int worker = -1;
  bool isError = false;
};

// Finds a tag such as "[1,0]<stdout>:"; without regular expressions, because lines may have megabytes.
std::optional<Tag> tagAt(std::string_view text, std::size_t begin) {
  std::size_t at = begin + 1;
  const auto number = [&]() -> int {
    int value = 0;
    const std::size_t first = at;
    while (at < text.size() && at - first < 8 && std::isdigit(static_cast<unsigned char>(text[at])) != 0)
      value = 10 * value + (text[at++] - '0');
    return at == first ? -1 : value;
  };
  if (number() < 0 || at >= text.size() || text[at++] != ',') return std::nullopt;
  const int worker = number();
  if (worker < 0) return std::nullopt;
  for (const std::string_view stream : {"]<stdout>:", "]<stderr>:", "]<stddiag>:"})
    if (text.substr(at).starts_with(stream)) return Tag{begin, at + stream.size(), worker, stream != "]<stdout>:"};
  return std::nullopt;
}

std::optional<Tag> nextTag(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('[', from); at != std::string_view::npos; at = text.find('[', at + 1))
    if (const std::optional<Tag> tag = tagAt(text, at)) return tag;
  return std::nullopt;
}

}  // namespace

std::vector<WorkerLine> TaggedLines::add(const std::string& line, bool isError) {
  std::optional<Tag> tag = nextTag(line, 0);
  std::vector<WorkerLine> lines;
  if (!tag || tag->begin > 0) lines.push_back({-1, line.substr(0, tag ? tag->begin : line.size()), isError});
  while (tag) {
    const std::optional<Tag> next = nextTag(line, tag->end);
    std::string& begun = begun_[{tag->worker, tag->isError}];
    begun += line.substr(tag->end, (next ? next->begin : line.size()) - tag->end);
    // If another tag follows, the piece ended without a line's end.
    if (!next) lines.push_back({tag->worker, std::exchange(begun, {}), tag->isError});
    tag = next;
  }
  return lines;
}

std::vector<WorkerLine> TaggedLines::rest() {
  std::vector<WorkerLine> lines;
  for (auto& [writer, text] : begun_)
    if (!text.empty()) lines.push_back({writer.first, std::exchange(text, {}), writer.second});
  return lines;
}

}  // namespace lab::process
