// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/messages.h"

namespace lab {
namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearestName(std::string_view typed, std::span<const std::string> candidates) {
  // A typed name is short; a longer text is another kind of mistake and does not deserve a quadratic search.
  if (typed.empty() || typed.size() > 64) return "";
  std::string best;
  // A name farther away than this was not meant.
  std::size_t bestDistance = (typed.size() <= 3 ? 1 : std::max<std::size_t>(2, (typed.size() + 1) / 2)) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = candidate.starts_with(typed) ? 1 : editDistance(typed, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

Message unknownName(const Message& what, std::string_view typed, std::span<const std::string> candidates) {
  std::string shown(typed.substr(0, 64));
  if (typed.size() > 64) shown += "…";
  std::string all;
  for (const std::string& candidate : candidates) all += (all.empty() ? "" : " ") + candidate;
  const std::string nearest = nearestName(typed, candidates);
  if (nearest.empty()) return {say::unknownName, what, shown, all};
  return {say::unknownNameNear, what, shown, nearest, all};
}

}  // namespace lab
