// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/trace/messages.h"

namespace lab {
namespace {

// A claim of a stage on a period; at each instant the first claim counts.
struct Claim {
  std::int64_t beginNs = 0, endNs = 0;
  StepStage stage = StepStage::Idle;
  std::size_t span = 0;
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
    return std::tuple(span.track, span.startNs, -span.durationNs);
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
  trackBegin_.clear();
  for (int track = 0; track <= tracks(); ++track)
    trackBegin_.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(spans, track, {}, &Span::track) - spans.begin()));
  LinkUseCounter counter;
  for (const Span& span : spans) counter.take(span, legend);
  linkUse_ = counter.before(std::numeric_limits<std::int64_t>::max());
}

std::span<const Span> Timeline::track(int track) const {
  const auto i = static_cast<std::size_t>(track);
  return std::span(spans).subspan(trackBegin_[i], trackBegin_[i + 1] - trackBegin_[i]);
}

namespace {

// Claims of one stage that may still hold, with the innermost on top: the latest begun, and of these the first to end.
// Expired claims are removed when encountered.
class Claims {
 public:
  void add(const Claim& claim) { open_.push(claim); }
  const Claim* at(std::int64_t ns) {
    while (!open_.empty() && open_.top().endNs <= ns) open_.pop();
    return open_.empty() ? nullptr : &open_.top();
  }

 private:
  struct Contains {
    bool operator()(const Claim& a, const Claim& b) const {
      return std::pair(a.beginNs, b.endNs) < std::pair(b.beginNs, a.endNs);
    }
  };
  std::priority_queue<Claim, std::vector<Claim>, Contains> open_;
};

void divideAmong(std::vector<Claim> claims, std::int64_t fromNs, std::int64_t toNs, std::size_t nothing,
                 const Timeline::TakeStretch& take) {
  std::vector<std::int64_t> edges{fromNs, toNs};
  for (const Claim& claim : claims) edges.insert(edges.end(), {claim.beginNs, claim.endNs});
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::ranges::stable_sort(claims, {}, &Claim::beginNs);
  std::array<Claims, kStages> open;
  const auto of = [&](StepStage stage) -> Claims& { return at(open, stage); };
  auto next = claims.begin();
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    for (; next != claims.end() && next->beginNs == edges[i]; ++next) of(next->stage).add(*next);
    const Claim* claim = nullptr;
    for (const StepStage stage : {StepStage::Compute, StepStage::Launch, StepStage::Exposed, StepStage::Queue,
                                  StepStage::Straggler, StepStage::Input, StepStage::Fault})
      if (claim == nullptr) claim = of(stage).at(edges[i]);
    const bool overlapped =
        claim != nullptr && claim->stage == StepStage::Compute && of(StepStage::Exposed).at(edges[i]) != nullptr;
    take(overlapped         ? StepStage::Overlapped
         : claim != nullptr ? claim->stage
                            : StepStage::Idle,
         claim != nullptr ? claim->span : nothing, edges[i + 1] - edges[i]);
  }
}

}  // namespace

StageBreakdown Timeline::breakdown(int track, std::int64_t fromNs, std::int64_t toNs) const {
  StageBreakdown breakdown{};
  divide(track, fromNs, toNs,
         [&](StepStage stage, std::size_t /*span*/, std::int64_t ns) { at(breakdown, stage) += ns; });
  return breakdown;
}

void Timeline::divide(int track, std::int64_t fromNs, std::int64_t toNs, const TakeStretch& take) const {
  LAB_CHECK(fromNs <= toNs);
  const int endpoint = at(legend.tracks, track).endpoint;
  LAB_CHECK(endpoint >= 0);
  std::vector<Claim> claims;
  const auto claim = [&](std::size_t span, std::int64_t begin, std::int64_t end, StepStage stage) {
    begin = std::max(begin, fromNs);
    end = std::min(end, toNs);
    if (begin < end) claims.push_back({begin, end, stage, span});
  };
  for (std::size_t i = trackBegin(track); i < trackBegin(track + 1); ++i) {
    const Span& span = spans[i];
    const std::int64_t end = span.startNs + span.durationNs;
    if (computes(span.kind)) {
      const std::int64_t launched = span.startNs + launchNs[i];
      claim(i, span.startNs, launched, StepStage::Launch);
      claim(i, launched, end, StepStage::Compute);
    } else if (span.kind == SpanKind::Reduce) {
      claim(i, span.startNs, end, StepStage::Exposed);
    } else if (span.kind == SpanKind::Wait) {
      claim(i, span.startNs, end, stageOfWait(legend.labels[span.label]));
    } else if (span.kind == SpanKind::Input) {
      claim(i, span.startNs, end, StepStage::Input);
    }
  }
  // While any part of a pack is under way, all its senders and receivers are communicating.
  std::set<std::pair<std::int64_t, std::int32_t>> packs;
  for (const Span& span : spans)
    if (span.kind == SpanKind::Transfer && span.pack >= 0 && (span.from == endpoint || span.to == endpoint))
      packs.emplace(span.step, span.pack);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Span& span = spans[i];
    if (span.kind == SpanKind::Transfer && (span.from == endpoint || span.to == endpoint ||
                                            (span.from < 0 && span.to < 0) ||  // without ends: all take part
                                            (span.pack >= 0 && packs.contains({span.step, span.pack}))))
      claim(i, span.startNs, span.startNs + span.durationNs, StepStage::Exposed);
  }
  divideAmong(std::move(claims), fromNs, toNs, spans.size(), take);
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
  const LinkUse most = mostUse(timeline.linkUse(), fromNs, toNs);
  traffic.mostBytes = most.bytes;
  traffic.mostLinks = most.links;
  return traffic;
}

}  // namespace lab
