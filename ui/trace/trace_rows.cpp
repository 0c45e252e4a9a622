// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_rows.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <unordered_map>

#include "core/base/at.h"
#include "core/trace/messages.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

// With fewer tracks, a folded row with its words is not shorter.
constexpr std::size_t kLeastFolded = 2;

const TraceLegend::Track& factsOf(const Timeline& timeline, int track) {
  return at(timeline.legend.tracks, track);
}

bool isUsedInStep(const Timeline& timeline, int track) {
  return std::ranges::any_of(timeline.track(track), [&](const Span& span) { return isWithinStep(timeline, span); });
}

const Text* kindOf(const Timeline& timeline, int track) {
  const TraceLegend::Track& facts = factsOf(timeline, track);
  return facts.endpoint < 0 ? nullptr : at(timeline.legend.endpoints, facts.endpoint).name.text();
}

// Everything visible of the track's bars within the step.
auto inStep(const Timeline& timeline, int track) {
  using Seen = std::tuple<SpanKind, decltype(Span::label), std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  std::vector<Seen> seen;
  std::size_t index = timeline.trackBegin(track);
  for (const Span& span : timeline.track(track)) {
    const std::int64_t launch = timeline.launchNs[index++];
    if (isWithinStep(timeline, span))
      seen.emplace_back(span.kind, span.label, span.startNs, span.durationNs, span.bytes, launch);
  }
  return seen;
}

// The same for tracks that are alike, and hardly ever for others: it spares comparing each track with each row.
std::size_t hashOf(const Timeline& timeline, int track) {
  std::size_t hash = 0;
  std::size_t index = timeline.trackBegin(track);
  const auto mix = [&hash](std::int64_t value) { hash = 31 * hash + std::hash<std::int64_t>{}(value); };
  for (const Span& span : timeline.track(track)) {
    const std::int64_t launch = timeline.launchNs[index++];
    if (!isWithinStep(timeline, span)) continue;
    for (const std::int64_t value : {static_cast<std::int64_t>(span.kind), static_cast<std::int64_t>(span.label),
                                     span.startNs, span.durationNs, span.bytes, launch})
      mix(value);
  }
  return hash;
}

// True if both have the same bars at the same times, to the nanosecond, on the same kind of device.
bool areAlike(const Timeline& timeline, int a, int b) {
  if (factsOf(timeline, a).isLink != factsOf(timeline, b).isLink || kindOf(timeline, a) != kindOf(timeline, b))
    return false;
  return inStep(timeline, a) == inStep(timeline, b);
}

QString alikeWords(const Timeline& timeline, const TraceRow& row) {
  const int count = plural(std::ssize(row.tracks));
  if (factsOf(timeline, row.tracks.front()).isLink) return tr("%Ln links, alike", nullptr, count);
  const Text* kind = kindOf(timeline, row.tracks.front());
  const auto is = [kind](const Text& text) { return kind != nullptr && Message(*kind).is(text); };
  if (is(say::replicaEndpoint)) return tr("%Ln replicas, alike", nullptr, count);
  if (is(say::workerEndpoint)) return tr("%Ln workers, alike", nullptr, count);
  if (is(say::serverEndpoint)) return tr("%Ln parameter servers, alike", nullptr, count);
  return tr("%Ln devices, alike", nullptr, count);
}

QStringList trackNames(const TraceLegend::Track& track) {
  const QString whole = coreText(track.name);
  QStringList names{whole, whole.section(QStringLiteral(" · "), 0, 0)};
  const auto endpoint = [&](std::size_t i) {
    return briefly(std::get<std::vector<Message>>(track.name.values()[i]).front());
  };
  if (track.name.is(say::deviceTrack)) names << endpoint(0);
  if (track.name.is(say::linkTrack)) names << QStringLiteral("%1 → %2").arg(endpoint(0), endpoint(1));
  return names;
}

}  // namespace

bool isWithinStep(const Timeline& timeline, const Span& span) {
  return span.startNs < timeline.endNs && span.startNs + span.durationNs > timeline.beginNs;
}

std::vector<TraceRow> traceRows(const Timeline& timeline, bool folded) {
  std::vector<TraceRow> rows, idle;
  TraceRow atStart{{}, TraceRow::Of::StartUp};
  std::unordered_multimap<std::size_t, std::size_t> byHash;  // places in `rows`
  for (const bool links : {false, true})
    for (int track = 0; track < timeline.tracks(); ++track) {
      if (factsOf(timeline, track).isLink != links || (links && timeline.track(track).empty())) continue;
      if (!isUsedInStep(timeline, track)) {
        if (links)
          atStart.tracks.push_back(track);
        else
          idle.push_back({{track}, TraceRow::Of::Track});
        continue;
      }
      const std::size_t hash = folded ? hashOf(timeline, track) : 0;
      const auto [from, to] = byHash.equal_range(hash);
      const auto known = std::find_if(
          from, to, [&](const auto& entry) { return areAlike(timeline, rows[entry.second].tracks.front(), track); });
      if (known == to) {
        if (folded) byHash.emplace(hash, rows.size());
        rows.push_back({{track}, TraceRow::Of::Track});
      } else {
        rows[known->second].tracks.push_back(track);
        rows[known->second].of = TraceRow::Of::Alike;
      }
    }
  rows.insert(rows.end(), idle.begin(), idle.end());
  if (!atStart.tracks.empty() && atStart.tracks.size() < kLeastFolded) atStart.of = TraceRow::Of::Track;
  if (!atStart.tracks.empty()) rows.push_back(std::move(atStart));
  return rows;
}

QStringList namesOf(const Timeline& timeline, const TraceRow& row) {
  const int count = plural(std::ssize(row.tracks));
  switch (row.of) {
    case TraceRow::Of::Track:
      break;
    case TraceRow::Of::Alike:
      return {alikeWords(timeline, row), tr("%1 alike").arg(count)};
    case TraceRow::Of::StartUp:
      return {tr("%Ln links, at start-up only", nullptr, count), tr("%1 at start-up").arg(count)};
  }
  return trackNames(factsOf(timeline, row.tracks.front()));
}

}  // namespace lab
