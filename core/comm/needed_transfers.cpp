// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm/needed_transfers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/at.h"
#include "core/base/error.h"

namespace lab {
namespace {

// All elements between two neighbouring ends of transfers are treated alike.
std::vector<std::int64_t> cutsOf(const Schedule& schedule) {
  std::vector<std::int64_t> cuts{0, schedule.elements};
  for (const Transfer& transfer : schedule.transfers) {
    cuts.push_back(transfer.offset);
    cuts.push_back(transfer.offset + transfer.count);
  }
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());  // clang 14 cannot take std::ranges::unique
  return cuts;
}

}  // namespace

// Goes backwards: a sum needs the old value and the added one, a copy only the copied one.
Schedule neededFor(int rank, const Schedule& schedule) {
  LAB_CHECK(rank >= 0 && rank < schedule.ranks);
  const std::vector<std::int64_t> cuts = cutsOf(schedule);
  const auto pieceAt = [&cuts](std::int64_t element) {
    return static_cast<std::size_t>(std::ranges::lower_bound(cuts, element) - cuts.begin());
  };
  std::vector<std::vector<bool>> needed(static_cast<std::size_t>(schedule.ranks), std::vector<bool>(cuts.size() - 1));
  at(needed, rank).assign(cuts.size() - 1, true);

  Schedule rest{schedule.ranks, schedule.elements, {}};
  for (auto transfer = schedule.transfers.rbegin(); transfer != schedule.transfers.rend(); ++transfer) {
    std::vector<bool>& to = at(needed, transfer->to);
    std::vector<bool>& from = at(needed, transfer->from);
    bool joined = false;  // this piece was joined to the taken piece after it
    for (std::size_t piece = pieceAt(transfer->offset + transfer->count); piece-- > pieceAt(transfer->offset);) {
      const bool taken = to[piece];
      if (taken && joined) {
        rest.transfers.back().count += rest.transfers.back().offset - cuts[piece];
        rest.transfers.back().offset = cuts[piece];
      } else if (taken) {
        rest.transfers.push_back(*transfer);
        rest.transfers.back().offset = cuts[piece];
        rest.transfers.back().count = cuts[piece + 1] - cuts[piece];
      }
      joined = taken;
      if (!taken) continue;
      if (!transfer->add) to[piece] = false;
      from[piece] = true;
    }
  }
  std::ranges::reverse(rest.transfers);
  return rest;
}

}  // namespace lab
