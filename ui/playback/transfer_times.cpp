// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/transfer_times.h"

#include <algorithm>

namespace lab {
namespace {

constexpr std::size_t kInBlock = 256;

std::int64_t arrivalNs(const Span& span) {
  return span.startNs + span.durationNs;
}

}  // namespace

TransferTimes::TransferTimes(std::span<const Span> spans, std::span<const std::size_t> transfers)
    : spans_(spans), transfers_(transfers) {
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const Span& span = spans[transfers[i]];
    if (i % kInBlock == 0) blocks_.push_back({span.startNs, arrivalNs(span), arrivalNs(span)});
    Block& block = blocks_.back();
    block.firstStartNs = std::min(block.firstStartNs, span.startNs);
    block.firstEndNs = std::min(block.firstEndNs, arrivalNs(span));
    block.lastEndNs = std::max(block.lastEndNs, arrivalNs(span));
  }
}

template <typename IsNear, typename IsWanted>
std::vector<std::size_t> TransferTimes::find(IsNear isNear, IsWanted isWanted) const {
  std::vector<std::size_t> found;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (!isNear(blocks_[b])) continue;
    for (std::size_t i = b * kInBlock; i < std::min((b + 1) * kInBlock, transfers_.size()); ++i)
      if (isWanted(spans_[transfers_[i]])) found.push_back(i);
  }
  return found;
}

std::vector<std::size_t> TransferTimes::ended(std::int64_t after, std::int64_t until) const {
  return find([=](const Block& block) { return block.lastEndNs > after && block.firstEndNs <= until; },
              [=](const Span& span) { return arrivalNs(span) > after && arrivalNs(span) <= until; });
}

std::vector<std::size_t> TransferTimes::underWay(std::int64_t since, std::int64_t until) const {
  std::vector<std::size_t> found =
      find([=](const Block& block) { return block.firstStartNs <= until && block.lastEndNs >= since; },
           [=](const Span& span) { return span.startNs <= until && arrivalNs(span) >= since; });
  for (std::size_t& i : found) i = transfers_[i];
  return found;
}

}  // namespace lab
