// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_arrows.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <set>
#include <tuple>

#include "core/base/at.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr std::size_t kMostSpans = 20'000;  // with more, arrows are not computed for every step
constexpr std::size_t kMostArrows = 48;     // the most quiet arrows that are visible
constexpr double kHeadEm = 0.4, kBendEm = 1;

void paintArrow(QPainter& painter, const QPointF& from, const QPointF& to) {
  const double bend = theme::em(kBendEm), head = theme::em(kHeadEm);
  QPainterPath path(from);
  path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  painter.setBrush(painter.pen().color());
  painter.drawPolygon(QPolygonF({to, to + QPointF(-head, -head / 2), to + QPointF(-head, head / 2)}));
}

}  // namespace

const std::vector<TraceFlow>& TraceArrows::flows() const {
  if (flows_) return *flows_;
  flows_.emplace();
  if (timeline_->spans.size() > kMostSpans) return *flows_;
  std::vector<std::size_t> order(timeline_->spans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [this](std::size_t i) {
    const Span& span = timeline_->spans[i];
    return std::tuple(span.step, span.startNs);
  });
  TraceFlows takes(timeline_->legend);
  for (const std::size_t i : order)
    for (const TraceFlow& flow : takes.take(timeline_->spans[i])) flows_->push_back(flow);
  return *flows_;
}

bool TraceArrows::touches(const TraceFlow& flow, std::int64_t bar) const {
  if (bar == TraceTracks::kNone) return false;
  const Span& span = at(timeline_->spans, bar);
  return std::ranges::any_of(std::initializer_list{flow.tail, flow.head}, [&span](const TraceFlow::End& end) {
    return span.track == end.track && span.startNs <= end.ns && end.ns < span.startNs + span.durationNs;
  });
}

std::vector<TraceArrows::Arrow> TraceArrows::inSight() const {
  std::vector<Arrow> all;
  if (!shown_ || timeline_ == nullptr) return all;
  const TimeScale& scale = axis_.scale();
  std::set<std::tuple<std::size_t, int, std::size_t, int>> drawn;  // tracks that share a row have the same arrows
  for (const TraceFlow& flow : flows()) {
    const std::size_t fromRow = tracks_.rowOf(flow.tail.track), toRow = tracks_.rowOf(flow.head.track);
    const double fromX = scale.xAt(static_cast<double>(flow.tail.ns + 1));
    const double toX = scale.xAt(static_cast<double>(flow.head.ns));
    const bool isSeen = fromRow < tracks_.rows().size() && toRow < tracks_.rows().size() && toX >= scale.leftPx &&
                        fromX <= scale.leftPx + scale.widthPx;
    if (!isSeen || fromRow == toRow) continue;
    if (!drawn.emplace(fromRow, static_cast<int>(fromX), toRow, static_cast<int>(toX)).second) continue;
    all.push_back({{fromX, tracks_.rowRect(fromRow).center().y()},
                   {toX, tracks_.rowRect(toRow).center().y()},
                   touches(flow, chosen_.current) || touches(flow, chosen_.hovered)});
  }
  if (std::ssize(all) > static_cast<std::ptrdiff_t>(kMostArrows))
    std::erase_if(all, [](const Arrow& arrow) { return !arrow.chosen; });
  std::ranges::stable_sort(all, {}, &Arrow::chosen);  // chosen arrows on top
  return all;
}

void TraceArrows::paint(QPainter& painter) const {
  const theme::Colours& colours = theme::colours();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Arrow& arrow : inSight()) {
    painter.setPen(QPen(arrow.chosen ? colours.ink : colours.quietInk, arrow.chosen ? 2 : 1));
    paintArrow(painter, arrow.from, arrow.to);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace lab
