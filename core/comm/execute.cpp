// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm/execute.h"

#include <algorithm>
#include <vector>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/device/device_clock.h"

namespace lab {
namespace {

// Elements that a thread takes at once. A block of every rank's buffer stays in the cache while the whole schedule runs
// on it, so each buffer is read from memory once and not once per round.
constexpr std::int64_t kBlockElements = 2048;

// The transfers that touch each block, in the schedule's order, all in one array: block b has items[begins[b]] …
// items[begins[b + 1] - 1]. Without this table every block would look at every transfer.
struct TransfersByBlock {
  std::vector<std::int64_t> begins;
  std::vector<std::int32_t> items;
};

std::int64_t firstBlock(const Transfer& transfer) {
  return transfer.offset / kBlockElements;
}
std::int64_t lastBlock(const Transfer& transfer) {
  return (transfer.offset + transfer.count - 1) / kBlockElements;
}

TransfersByBlock groupByBlock(const Schedule& schedule) {
  const std::int64_t blocks = ceilDivide(schedule.elements, kBlockElements);
  TransfersByBlock groups;
  groups.begins.assign(static_cast<std::size_t>(blocks) + 1, 0);
  for (const Transfer& transfer : schedule.transfers)
    for (std::int64_t block = firstBlock(transfer); block <= lastBlock(transfer); ++block)
      ++groups.begins[static_cast<std::size_t>(block) + 1];
  for (std::size_t block = 1; block < groups.begins.size(); ++block) groups.begins[block] += groups.begins[block - 1];
  groups.items.resize(static_cast<std::size_t>(groups.begins.back()));
  std::vector<std::int64_t> next(groups.begins.begin(), groups.begins.end() - 1);
  for (std::size_t i = 0; i < schedule.transfers.size(); ++i)
    for (std::int64_t block = firstBlock(schedule.transfers[i]); block <= lastBlock(schedule.transfers[i]); ++block)
      at(groups.items, at(next, block)++) = static_cast<std::int32_t>(i);
  return groups;
}

// `begin` is an offset in the schedule's elements.
void carryOut(const Transfer& transfer, std::int64_t begin, std::int64_t count, std::int64_t base,
              std::span<float* const> buffers, Backend& backend) {
  const float* source = at(buffers, transfer.from) + base + begin;
  float* destination = at(buffers, transfer.to) + base + begin;
  if (transfer.add)
    backend.add(count, source, destination);
  else
    backend.copy(count, source, destination);
}

// Returns elements [begin, begin + count) of all ranks, before any is averaged.
std::vector<float> copiesOf(const Schedule& schedule, std::int64_t begin, std::int64_t count,
                            std::span<float* const> buffers, Backend& backend) {
  std::vector<float> before(static_cast<std::size_t>(count * schedule.ranks));
  for (int rank = 0; rank < schedule.ranks; ++rank)
    backend.copy(count, at(buffers, rank) + begin, before.data() + rank * count);
  return before;
}

// w + (v - w) / inMean for each received v: equal values stay the same to the bit, and one rank gains what the other
// loses. `change` has room for `count` elements.
void averageIn(const Transfer& transfer, std::size_t inMean, std::int64_t begin, std::int64_t count,
               const std::vector<float>& before, std::span<float* const> buffers, std::vector<float>& change,
               Backend& backend) {
  backend.copy(count, before.data() + transfer.from * count, change.data());
  backend.sgd(count, 1, 0, before.data() + transfer.to * count, nullptr, change.data());
  backend.sgd(count, -1.0F / static_cast<float>(inMean), 0, change.data(), nullptr, at(buffers, transfer.to) + begin);
}

void executeAverages(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers, Backend& backend,
                     ThreadPool& pool) {
  const std::vector<std::vector<int>> means = ranksInSums(schedule);
  pool.forEach(ceilDivide(schedule.elements, kBlockElements), [&](std::int64_t block) {
    const std::int64_t begin = base + block * kBlockElements;
    const std::int64_t count = std::min(kBlockElements, base + schedule.elements - begin);
    const std::vector<float> before = copiesOf(schedule, begin, count, buffers, backend);
    std::vector<float> change(static_cast<std::size_t>(count));
    for (const Transfer& transfer : schedule.transfers)
      averageIn(transfer, at(means, transfer.to).size(), begin, count, before, buffers, change, backend);
  });
}

struct Times {
  std::int64_t beginNs = 0, endNs = 0;
};

// Each rank averages what it receives into its own values.
void measureAverages(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers, Backend& backend,
                     ThreadPool& pool, const TransferTiming& done) {
  const std::vector<float> before = copiesOf(schedule, base, schedule.elements, buffers, backend);
  const std::vector<std::vector<int>> means = ranksInSums(schedule);
  std::vector<Times> times(schedule.transfers.size());
  pool.forEach(schedule.ranks, [&](std::int64_t rank) {
    std::vector<float> change(static_cast<std::size_t>(schedule.elements));
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (schedule.transfers[i].to != rank) continue;
      times[i].beginNs = steadyNs();
      averageIn(schedule.transfers[i], at(means, rank).size(), base, schedule.elements, before, buffers, change,
                backend);
      times[i].endNs = steadyNs();
    }
  });
  for (std::size_t i = 0; done && i < times.size(); ++i) done(schedule.transfers[i], times[i].beginNs, times[i].endNs);
}

}  // namespace

void execute(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers, Backend& backend,
             ThreadPool& pool, const RangeDone& then) {
  LAB_CHECK(base >= 0 && buffers.size() >= static_cast<std::size_t>(schedule.ranks));
  LAB_CHECK(!then || !(schedule.transfers.empty() || schedule.averages));
  if (schedule.transfers.empty()) return;
  if (schedule.averages) return executeAverages(schedule, base, buffers, backend, pool);
  const TransfersByBlock groups = groupByBlock(schedule);
  pool.forEach(static_cast<std::int64_t>(groups.begins.size()) - 1, [&](std::int64_t block) {
    const std::int64_t blockBegin = block * kBlockElements, blockEnd = blockBegin + kBlockElements;
    const std::size_t last = static_cast<std::size_t>(groups.begins[static_cast<std::size_t>(block) + 1]);
    for (auto i = static_cast<std::size_t>(at(groups.begins, block)); i < last; ++i) {
      const Transfer& transfer = at(schedule.transfers, groups.items[i]);
      const std::int64_t begin = std::max(transfer.offset, blockBegin);
      const std::int64_t end = std::min(transfer.offset + transfer.count, blockEnd);
      carryOut(transfer, begin, end - begin, base, buffers, backend);
    }
    if (then) then(base + blockBegin, std::min(blockEnd, schedule.elements) - blockBegin);
  });
}

void executeMeasured(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers, Backend& backend,
                     ThreadPool& pool, const TransferTiming& done) {
  LAB_CHECK(base >= 0 && buffers.size() >= static_cast<std::size_t>(schedule.ranks));
  if (schedule.averages) return measureAverages(schedule, base, buffers, backend, pool, done);
  std::vector<Times> times;
  const std::vector<Transfer>& transfers = schedule.transfers;
  for (std::size_t first = 0, next = 0; first < transfers.size(); first = next) {
    while (next < transfers.size() && transfers[next].round == transfers[first].round) ++next;
    times.assign(next - first, {});
    pool.forEach(static_cast<std::int64_t>(times.size()), [&](std::int64_t i) {
      const Transfer& transfer = transfers[first + static_cast<std::size_t>(i)];
      Times& taken = at(times, i);
      taken.beginNs = steadyNs();
      carryOut(transfer, transfer.offset, transfer.count, base, buffers, backend);
      taken.endNs = steadyNs();
    });
    if (!done) continue;
    for (std::size_t i = 0; i < times.size(); ++i) done(transfers[first + i], times[i].beginNs, times[i].endNs);
  }
}

}  // namespace lab
