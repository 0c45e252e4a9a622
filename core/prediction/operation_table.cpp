// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/operation_table.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "core/base/at.h"
#include "core/model/neural_network.h"
#include "core/replicas/labels.h"
#include "core/replicas/replica.h"

namespace lab {
namespace {

OpCost costOf(const RunInfo& info, const Span& span) {
  const int operation = operationOf(span.label);
  if (span.kind == SpanKind::Compute && operation >= 0)
    return info.network->operations().at(static_cast<std::size_t>(operation)).cost(span.count);
  if (span.kind != SpanKind::Update) return {};
  OptimizerSettings optimizer;
  optimizer.kind = info.config.optimizer;
  optimizer.momentum = info.config.momentum;
  return updateCost(optimizer, span.count);
}

bool touches(const Span& span, std::int64_t fromNs, std::int64_t toNs) {
  const std::int64_t end = span.startNs + span.durationNs;
  return span.startNs < toNs && (end > fromNs || (span.durationNs == 0 && span.startNs == fromNs));
}

}  // namespace

std::vector<int> deviceTracks(const Timeline& timeline, const RunInfo* info) {
  std::vector<int> tracks;
  for (int track = 0; track < timeline.tracks(); ++track) {
    const int endpoint = at(timeline.legend.tracks, track).endpoint;
    const bool feeds =
        info != nullptr
            ? endpoint >= info->replicas + info->parameterDevices
            : std::ranges::all_of(timeline.track(track), [](const Span& span) { return span.kind == SpanKind::Input; });
    if (endpoint >= 0 && !feeds) tracks.push_back(track);
  }
  return tracks;
}

OperationTable operationTable(const Timeline& timeline, const RunInfo* info, std::int64_t fromNs, std::int64_t toNs) {
  std::map<std::pair<SpanKind, std::uint16_t>, OperationRow> rows;
  OperationRow nothing;
  const auto rowOf = [&](const Span& span) -> OperationRow& {
    OperationRow& row = rows[{span.kind, span.label}];
    row.kind = span.kind;
    row.label = span.label;
    return row;
  };
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    const Span& span = timeline.spans[i];
    if (!touches(span, fromNs, toNs)) continue;
    const OpCost cost = info != nullptr && info->network ? costOf(*info, span) : OpCost{};
    OperationRow& row = rowOf(span);
    const int endpoint = at(timeline.legend.tracks, span.track).endpoint;
    row.onReplicas = row.onReplicas && info != nullptr && endpoint >= 0 && endpoint < info->replicas;
    ++row.calls;
    row.totalNs += span.durationNs;
    row.launchNs += timeline.launchNs[i];
    row.flop += cost.flop;
    row.bytes += span.kind == SpanKind::Transfer ? static_cast<double>(span.bytes) : cost.bytes;
  }
  OperationTable table;
  for (const int track : deviceTracks(timeline, info)) {
    table.deviceNs += toNs - fromNs;
    timeline.divide(track, fromNs, toNs, [&](StepStage stage, std::size_t span, std::int64_t ns) {
      OperationRow& row = span < timeline.spans.size() ? rowOf(timeline.spans[span]) : nothing;
      at(row.own, stage) += ns;
    });
  }
  for (auto& [key, row] : rows) {
    row.name = timeline.legend.labels[row.label];
    table.rows.push_back(std::move(row));
  }
  if (sumOf(nothing.own) > 0) table.rows.push_back(std::move(nothing));
  std::ranges::stable_sort(table.rows, std::greater{}, [](const OperationRow& row) { return sumOf(row.own); });
  return table;
}

}  // namespace lab
