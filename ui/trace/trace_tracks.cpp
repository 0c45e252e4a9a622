// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_tracks.h"

#include <QAbstractScrollArea>
#include <QFontMetricsF>
#include <QScrollBar>

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "ui/i18n/core_words.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr double kRowEm = 1.55, kBarEm = 1.2;
constexpr double kNameEm = 5, kLongestNameEm = 17;
constexpr double kNamesShare = 0.3, kMostNamesShare = 0.5;  // share of the width: for whole names; for the shortest
constexpr double kReachPx = 1.5;                            // so that the thinnest bars can be hit too

}  // namespace

void TraceTracks::setTimeline(const Timeline* timeline, bool isOurs) {
  timeline_ = timeline;
  isOurs_ = isOurs;
  each_.clear();
  longest_.clear();
  if (timeline_ != nullptr) {
    each_ = traceRows(*timeline_, false);
    longest_.resize(timeline_->legend.tracks.size());
    for (const Span& span : timeline_->spans) {
      auto& longest = at(longest_, span.track);
      longest = std::max(longest, span.durationNs);
    }
  }
  fewer_ = timeline_ != nullptr && isOurs_ ? traceRows(*timeline_, true) : each_;
}

bool TraceTracks::arrange() {
  const bool fold = canFold() && foldedByHand_.value_or(heightOf(each_.size()) > area_.viewport()->height());
  const bool couldFold = std::exchange(couldFold_, canFold()), wasFolded = std::exchange(folded_, fold);
  rowOfTrack_.assign(longest_.size(), rows().size());
  for (std::size_t row = 0; row < rows().size(); ++row)
    for (const int track : rows()[row].tracks) at(rowOfTrack_, track) = row;
  fitNames();
  return wasFolded != folded_ || couldFold != couldFold_;
}

void TraceTracks::fitNames() {
  double whole = theme::em(kNameEm), shortest = 0;
  const QFontMetrics metrics(boldFont());
  const auto widthOf = [&](const QString& name) { return metrics.horizontalAdvance(name) + theme::em(1.4); };
  for (const TraceRow& row : rows()) {
    const QStringList forms = namesOf(*timeline_, row);
    whole = std::max<double>(whole, widthOf(forms.front()));
    shortest = std::max<double>(shortest, widthOf(forms.back()));
  }
  const int width = area_.viewport()->width();
  namesPx_ = std::max(std::min({whole, static_cast<double>(theme::em(kLongestNameEm)), width * kNamesShare}),
                      std::min(shortest, width * kMostNamesShare));
}

double TraceTracks::rowHeight() {
  return theme::em(kRowEm);
}

double TraceTracks::heightOf(std::size_t rows) {
  return theme::em(TraceAxis::kHeightEm) + static_cast<double>(rows) * rowHeight();
}

// Counters neither fold tracks nor make them scroll.
double TraceTracks::neededHeight() const {
  const bool fold = foldedByHand_.value_or(heightOf(each_.size()) > area_.contentsRect().height());
  return std::max<double>(area_.minimumSizeHint().height(), heightOf((fold ? fewer_ : each_).size()));
}

QRectF TraceTracks::rowRect(std::size_t row) const {
  const double top = heightOf(row) - area_.verticalScrollBar()->value();
  return {0, top, static_cast<double>(area_.viewport()->width()), rowHeight()};
}

QRectF TraceTracks::stripRect(std::size_t row) const {
  const QRectF whole = rowRect(row);
  const double height = theme::em(kBarEm);
  return {axis_.scale().leftPx, whole.top() + (whole.height() - height) / 2, axis_.scale().widthPx, height};
}

QFont TraceTracks::boldFont() const {
  QFont bold = area_.font();
  bold.setBold(true);
  return bold;
}

QString TraceTracks::rowName(const TraceRow& row) const {
  const QFontMetricsF metrics(boldFont());
  const double room = axis_.scale().leftPx - TraceAxis::kEdgePx - theme::em(kNameLeftEm);
  QString name;
  for (const QString& form : namesOf(*timeline_, row)) {
    name = form;
    if (metrics.horizontalAdvance(form) <= room) break;
  }
  return metrics.elidedText(name, Qt::ElideRight, room);
}

// Within the step they are alike, and one is enough; before the step they may differ.
bool TraceTracks::isDrawn(const Span& span) const {
  const TraceRow& row = rows()[rowOf(span.track)];
  return row.of != TraceRow::Of::Alike || span.track == row.tracks.front() || !isWithinStep(*timeline_, span);
}

QRectF TraceTracks::barRect(std::size_t span) const {
  const Span& bar = timeline_->spans[span];
  const std::size_t row = rowOf(bar.track);
  if (row == rows().size()) return {};
  const QRectF strip = stripRect(row);
  const double left = axis_.scale().xAt(static_cast<double>(bar.startNs));
  const double right = axis_.scale().xAt(static_cast<double>(bar.startNs + bar.durationNs));
  return {left, strip.top(), std::max(1.0, right - left), strip.height()};
}

QRectF TraceTracks::trackRect(int track) const {
  const std::size_t row = rowOf(track);
  return row < rows().size() && rows()[row].tracks.front() == track ? rowRect(row) : QRectF();
}

int TraceTracks::trackAt(const QPointF& place) const {
  const double first = rowRect(0).top();
  if (place.y() < theme::em(TraceAxis::kHeightEm) || place.y() < first) return -1;
  const auto row = static_cast<std::size_t>((place.y() - first) / rowHeight());
  return row < rows().size() ? rows()[row].tracks.front() : -1;
}

std::span<const Span> TraceTracks::barsFrom(int track, double ns) const {
  const std::span<const Span> bars = timeline_->track(track);
  const auto longest = static_cast<double>(at(longest_, track));
  const auto from =
      std::ranges::lower_bound(bars, ns - longest, {}, [](const Span& s) { return static_cast<double>(s.startNs); });
  return {from, bars.end()};
}

std::int64_t TraceTracks::barAt(const QPointF& place) const {
  const int track = trackAt(place);
  if (track < 0 || place.x() < axis_.scale().leftPx) return kNone;
  const double ns = axis_.scale().nsAt(place.x()), reach = kReachPx * axis_.scale().nsPerPx();
  std::int64_t best = kNone;
  for (const Span& bar : barsFrom(track, ns - reach)) {
    if (static_cast<double>(bar.startNs) > ns + reach) break;
    if (static_cast<double>(bar.startNs + bar.durationNs) >= ns - reach)
      best = &bar - timeline_->spans.data();  // the last bar lies on top
  }
  return best;
}

std::vector<std::int64_t> TraceTracks::find(const QString& words) const {
  std::vector<std::int64_t> bars;
  if (timeline_ == nullptr || words.isEmpty()) return bars;
  const auto has = [&](const QString& text) { return text.contains(words, Qt::CaseInsensitive); };
  std::vector<bool> named;
  for (const Message& label : timeline_->legend.labels) named.push_back(has(coreText(label)));
  for (const Span& span : timeline_->spans)
    if ((named[span.label] || (isOurs_ && has(nameOf(span.kind)))) && isDrawn(span))
      bars.push_back(&span - timeline_->spans.data());
  std::ranges::stable_sort(bars, {}, [&](std::int64_t i) { return at(timeline_->spans, i).startNs; });
  return bars;
}

}  // namespace lab
