// SPDX-License-Identifier: GPL-3.0-or-later
// The arrows of a trace: from the sender's last action to its transfer, and on to the receiver's next action. Arrows of
// the chosen or hovered bar are always shown, the others only if they are few enough to follow by eye.
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "ui/theme/theme.h"
#include "ui/trace/trace_view.h"

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

void TraceView::setArrows(bool shown) {
  arrowsShown_ = shown;
  refreshGround();
}

const std::vector<TraceFlow>& TraceView::flows() const {
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

bool TraceView::isEndOf(const TraceFlow::End& end, std::int64_t bar) const {
  if (bar == kNone) return false;
  const Span& span = timeline_->spans[static_cast<std::size_t>(bar)];
  return span.lane == end.lane && span.startNs <= end.ns && end.ns < span.startNs + span.durationNs;
}

std::vector<TraceView::Arrow> TraceView::arrows() const {
  std::vector<Arrow> all;
  if (!arrowsShown_ || !timeline_) return all;
  std::set<std::tuple<std::size_t, int, std::size_t, int>> drawn;  // lanes that share a row have the same arrows
  for (const TraceFlow& flow : flows()) {
    const std::size_t fromRow = rowOf(flow.tail.lane), toRow = rowOf(flow.head.lane);
    const double fromX = scale_.xAt(static_cast<double>(flow.tail.ns + 1));
    const double toX = scale_.xAt(static_cast<double>(flow.head.ns));
    const bool inSight = fromRow < rows_.size() && toRow < rows_.size() && toX >= scale_.leftPx &&
                         fromX <= scale_.leftPx + scale_.widthPx;
    if (!inSight || fromRow == toRow) continue;
    if (!drawn.emplace(fromRow, static_cast<int>(fromX), toRow, static_cast<int>(toX)).second) continue;
    const auto touches = [&](std::int64_t bar) { return isEndOf(flow.tail, bar) || isEndOf(flow.head, bar); };
    all.push_back({{fromX, rowRect(fromRow).center().y()},
                   {toX, rowRect(toRow).center().y()},
                   touches(current_) || touches(hovered_)});
  }
  if (std::ssize(all) > static_cast<std::ptrdiff_t>(kMostArrows))
    std::erase_if(all, [](const Arrow& arrow) { return !arrow.chosen; });
  std::ranges::stable_sort(all, {}, &Arrow::chosen);  // chosen arrows on top
  return all;
}

void TraceView::paintArrows(QPainter& painter) const {
  const theme::Colours& colours = theme::colours();
  painter.setClipRect(QRectF(scale_.leftPx, theme::em(kAxisEm), scale_.widthPx, viewport()->height()));
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Arrow& arrow : arrows()) {
    painter.setPen(QPen(arrow.chosen ? colours.ink : colours.quietInk, arrow.chosen ? 2 : 1));
    paintArrow(painter, arrow.from, arrow.to);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setClipping(false);
}

}  // namespace lab
