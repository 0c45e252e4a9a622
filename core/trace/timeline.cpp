// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/timeline.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/trace/messages.h"

namespace lab {
namespace {

// What claims an instant; the first that does has it.
struct Claim {
  std::int64_t beginNs = 0, endNs = 0;
  StepStage stage = StepStage::Idle;
};

StepStage stageOfWait(const Message& label) {
  if (label.is(say::waitForInput)) return StepStage::Input;
  if (label.is(say::waitForServer)) return StepStage::Queue;
  if (label.is(say::taskIsDead) || label.is(say::waitForDeadTask)) return StepStage::Fault;
  return StepStage::Straggler;
}

bool computes(SpanKind kind) {
  return kind == SpanKind::Compute || kind == SpanKind::Update;
}

}  // namespace

std::int64_t sumOf(const StageBreakdown& breakdown) {
  return std::accumulate(breakdown.begin(), breakdown.end(), std::int64_t{0});
}

void Timeline::arrange() {
  LAB_CHECK(launchNs.empty() || launchNs.size() == spans.size());
  launchNs.resize(spans.size(), 0);
  source.resize(spans.size());
  std::iota(source.begin(), source.end(), std::size_t{0});
  std::ranges::stable_sort(source, {}, [this](std::size_t i) {
    const Span& span = spans[i];
    return std::tuple(span.lane, span.startNs, -span.durationNs);
  });
  std::vector<Span> sorted;
  std::vector<std::int64_t> launches;
  sorted.reserve(spans.size());
  launches.reserve(spans.size());
  for (const std::size_t i : source) {
    LAB_CHECK(isValid(spans[i], legend));
    sorted.push_back(spans[i]);
    launches.push_back(std::clamp<std::int64_t>(launchNs[i], 0, spans[i].durationNs));
  }
  spans = std::move(sorted);
  launchNs = std::move(launches);
  laneBegin_.clear();
  for (int lane = 0; lane <= lanes(); ++lane)
    laneBegin_.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(spans, lane, {}, &Span::lane) - spans.begin()));
}

std::span<const Span> Timeline::lane(int lane) const {
  const auto i = static_cast<std::size_t>(lane);
  return std::span(spans).subspan(laneBegin_[i], laneBegin_[i + 1] - laneBegin_[i]);
}

namespace {

// The time between the first and the last of `edges` by stages; of several claims at a time one counts.
StageBreakdown breakdownOf(const std::vector<Claim>& claims, std::vector<std::int64_t> edges) {
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  // How many claims of each stage hold between two edges, from what begins and ends at each.
  std::vector<std::array<std::int64_t, kStages>> change(edges.size());
  const auto at = [&](std::int64_t ns) {
    return static_cast<std::size_t>(std::ranges::lower_bound(edges, ns) - edges.begin());
  };
  for (const Claim& each : claims) {
    ++change[at(each.beginNs)][static_cast<std::size_t>(each.stage)];
    --change[at(each.endNs)][static_cast<std::size_t>(each.stage)];
  }
  StageBreakdown breakdown{};
  std::array<std::int64_t, kStages> holds{};
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    for (std::size_t s = 0; s < kStages; ++s) holds[s] += change[i][s];
    const auto held = [&](StepStage stage) { return holds[static_cast<std::size_t>(stage)] > 0; };
    StepStage stage = StepStage::Idle;
    if (held(StepStage::Compute))
      stage = held(StepStage::Exposed) ? StepStage::Overlapped : StepStage::Compute;
    else
      for (const StepStage next : {StepStage::Launch, StepStage::Exposed, StepStage::Queue, StepStage::Straggler,
                                   StepStage::Input, StepStage::Fault})
        if (stage == StepStage::Idle && held(next)) stage = next;
    breakdown[static_cast<std::size_t>(stage)] += edges[i + 1] - edges[i];
  }
  return breakdown;
}

}  // namespace

StageBreakdown Timeline::breakdown(int lane, std::int64_t fromNs, std::int64_t toNs) const {
  LAB_CHECK(fromNs <= toNs);
  const int endpoint = legend.lanes[static_cast<std::size_t>(lane)].endpoint;
  LAB_CHECK(endpoint >= 0);
  std::vector<Claim> claims;
  std::vector<std::int64_t> edges{fromNs, toNs};
  const auto claim = [&](std::int64_t begin, std::int64_t end, StepStage stage) {
    begin = std::max(begin, fromNs);
    end = std::min(end, toNs);
    if (begin >= end) return;
    claims.push_back({begin, end, stage});
    edges.push_back(begin);
    edges.push_back(end);
  };
  const std::span<const Span> own = this->lane(lane);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const Span& span = own[i];
    const std::int64_t end = span.startNs + span.durationNs;
    if (computes(span.kind)) {
      const std::int64_t launched = span.startNs + launchNs[laneBegin(lane) + i];
      claim(span.startNs, launched, StepStage::Launch);
      claim(launched, end, StepStage::Compute);
    } else if (span.kind == SpanKind::Reduce) {
      claim(span.startNs, end, StepStage::Exposed);
    } else if (span.kind == SpanKind::Wait) {
      claim(span.startNs, end, stageOfWait(legend.labels[span.label]));
    } else if (span.kind == SpanKind::Input) {
      claim(span.startNs, end, StepStage::Input);
    }
  }
  // While any part of a pack is under way, all its senders and receivers take part in it.
  std::set<std::pair<std::int64_t, std::int32_t>> packs;
  for (const Span& span : spans)
    if (span.kind == SpanKind::Transfer && span.pack >= 0 && (span.from == endpoint || span.to == endpoint))
      packs.emplace(span.step, span.pack);
  for (const Span& span : spans)
    if (span.kind == SpanKind::Transfer && (span.from == endpoint || span.to == endpoint ||
                                            (span.from < 0 && span.to < 0) ||  // without ends: all take part
                                            (span.pack >= 0 && packs.contains({span.step, span.pack}))))
      claim(span.startNs, span.startNs + span.durationNs, StepStage::Exposed);
  return breakdownOf(claims, std::move(edges));
}

Traffic trafficOf(const Timeline& timeline, std::int64_t fromNs, std::int64_t toNs) {
  Traffic traffic;
  for (const Span& span : timeline.spans) {
    if (span.kind != SpanKind::Transfer) continue;
    const std::int64_t end = span.startNs + span.durationNs;
    const std::int64_t within = std::min(end, toNs) - std::max(span.startNs, fromNs);
    if (within < 0 || (within == 0 && span.durationNs > 0)) continue;
    ++traffic.transfers;
    traffic.bytes += static_cast<double>(span.bytes) *
                     (span.durationNs > 0 ? static_cast<double>(within) / static_cast<double>(span.durationNs) : 1.0);
  }
  return traffic;
}

}  // namespace lab
