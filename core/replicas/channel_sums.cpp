// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/channel_sums.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "core/base/error.h"

namespace lab {

Schedule makeSumsSchedule(Reducer method, int replicas, int hosts, int central, std::int64_t elements) {
  if (central >= 0) {
    std::vector<int> all(static_cast<std::size_t>(replicas));
    std::iota(all.begin(), all.end(), 0);
    Schedule schedule = reduceTo(all, central, elements);
    const std::int32_t first = schedule.rounds();
    for (Transfer transfer : broadcastFrom(central, all, elements).transfers) {
      transfer.round += first;
      schedule.transfers.push_back(transfer);
    }
    return schedule;
  }
  const bool known = std::ranges::find(kSchedules, method) != kSchedules.end();
  return makeAllReduce(known ? method : Reducer::Ring, replicas, hosts, elements);
}

std::vector<float> asFloats(const std::vector<ChannelSums>& sums) {
  std::vector<float> floats;
  for (std::size_t c = 0; c + 1 < sums.size(); ++c) floats.push_back(static_cast<float>(sums[c].first));
  for (std::size_t c = 0; c + 1 < sums.size(); ++c) floats.push_back(static_cast<float>(sums[c].second));
  floats.push_back(static_cast<float>(sums.back().first));
  return floats;
}

void takeFloats(const std::vector<float>& floats, std::vector<ChannelSums>& sums) {
  LAB_CHECK(floats.size() + 1 == 2 * sums.size());
  const std::size_t channels = sums.size() - 1;
  for (std::size_t c = 0; c < channels; ++c)
    sums[c] = {static_cast<double>(floats[c]), static_cast<double>(floats[channels + c])};
  sums.back().first = static_cast<double>(floats.back());
}

}  // namespace lab
