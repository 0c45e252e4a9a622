// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_picture.h"

#include <QAbstractScrollArea>
#include <QPainter>

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/trace/messages.h"
#include "ui/i18n/core_words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/paper.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

bool ownsAHue(const Message& endpoint) {
  return endpoint.is(say::replicaEndpoint) || endpoint.is(say::workerEndpoint);
}

}  // namespace

bool TracePicture::setMarks(const std::function<bool(std::size_t)>& span, const std::function<bool(int)>& track) {
  const auto marks = [](std::size_t count, auto isMarked) {
    std::vector<bool> marked(count);
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) any = (marked[i] = isMarked(i)) || any;
    return any ? marked : std::vector<bool>();
  };
  std::vector<bool> bars, tracks;
  if (timeline_ != nullptr && span) bars = marks(timeline_->spans.size(), span);
  if (timeline_ != nullptr && track)
    tracks = marks(timeline_->legend.tracks.size(), [&track](std::size_t i) { return track(static_cast<int>(i)); });
  // The pointer moves over much that marks nothing else.
  const bool others = bars != markedBars_ || tracks != markedTracks_;
  markedBars_ = std::move(bars);
  markedTracks_ = std::move(tracks);
  return others;
}

void TracePicture::paint(QPainter& painter) {
  if (picture_.isNull() || picture_.devicePixelRatio() != area_.viewport()->devicePixelRatioF()) picture_ = make();
  drawPicture(painter, picture_, [&] { paintAll(painter); });
}

QPixmap TracePicture::make() const {
  const QSize size = area_.viewport()->size();
  const double ratio = area_.viewport()->devicePixelRatioF();
  QPixmap picture((QSizeF(size) * ratio).toSize());
  picture.setDevicePixelRatio(ratio);
  picture.fill(theme::colours().panel);
  QPainter painter(&picture);
  keepLeftToRight(painter);
  paintAll(painter);
  return picture;
}

void TracePicture::paintAll(QPainter& painter) const {
  const QSize size = area_.viewport()->size();
  painter.fillRect(QRect({}, size), theme::colours().panel);
  painter.setFont(area_.font());
  const TimeScale& scale = axis_.scale();
  const QRectF bars(scale.leftPx, theme::em(TraceAxis::kHeightEm), scale.widthPx, size.height());
  for (std::size_t row = 0; row < tracks_.rows().size(); ++row) {
    const QRectF place = tracks_.rowRect(row);
    if (place.bottom() < bars.top() || place.top() > size.height()) continue;
    const TraceRow& shown = tracks_.rows()[row];
    const QRectF strip = tracks_.stripRect(row);
    painter.setClipRect(bars);
    painter.fillRect(strip, lookOf(StepStage::Idle).ground);
    for (const int track : shown.tracks) paintBars(painter, shown, track, strip);
    painter.setClipping(false);
    paintName(painter, shown, place);
  }
  painter.setClipRect(bars);
  arrows_.paint(painter);
  painter.setClipping(false);
  axis_.paint(painter, size);
}

void TracePicture::paintName(QPainter& painter, const TraceRow& row, const QRectF& place) const {
  const int track = row.tracks.front();
  const TraceLegend::Track& facts = at(timeline_->legend.tracks, track);
  const theme::Colours& colours = theme::colours();
  const QRectF area(0, place.top(), axis_.scale().leftPx - TraceAxis::kEdgePx, place.height());
  painter.fillRect(area, colours.panel);
  const double chip = theme::em(0.5);
  painter.fillRect(QRectF(theme::em(0.2), area.center().y() - chip / 2, chip, chip),
                   facts.isLink ? lookOf(SpanKind::Transfer).ground
                   : facts.endpoint >= 0 && ownsAHue(at(timeline_->legend.endpoints, facts.endpoint).name)
                       ? theme::replicaColour(facts.endpoint)
                       : colours.edge);
  QFont words = area_.font();
  words.setBold(isTrackMarked(row));
  painter.setFont(words);
  painter.setPen(facts.isLink ? colours.quietInk : colours.ink);
  painter.drawText(area.adjusted(theme::em(TraceTracks::kNameLeftEm), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   tracks_.rowName(row));
  painter.setFont(area_.font());  // the next row's bars have their own words
}

bool TracePicture::isTrackMarked(const TraceRow& row) const {
  return !markedTracks_.empty() &&
         std::ranges::any_of(row.tracks, [this](int track) { return at(markedTracks_, track); });
}

// `bar`: a bar of the track that stands for all; the corresponding bar of any other track counts too.
bool TracePicture::isMarked(const TraceRow& row, std::size_t bar) const {
  if (static_cast<std::int64_t>(bar) == chosen_.current) return true;
  if (markedBars_.empty() || row.of != TraceRow::Of::Alike) return isBarMarked(bar);
  const Span& shown = timeline_->spans[bar];
  return std::ranges::any_of(row.tracks, [&](int track) {
    const auto bars = timeline_->track(track);
    const auto first = std::ranges::lower_bound(bars, shown.startNs, {}, &Span::startNs);
    for (auto it = first; it != bars.end() && it->startNs == shown.startNs; ++it)
      if (it->kind == shown.kind &&
          isBarMarked(timeline_->trackBegin(track) + static_cast<std::size_t>(it - bars.begin())))
        return true;
    return false;
  });
}

void TracePicture::paintBars(QPainter& painter, const TraceRow& row, int track, const QRectF& strip) const {
  const TimeScale& scale = axis_.scale();
  double paintedTo = -1;
  SpanKind paintedKind = SpanKind::Startup;
  for (const Span& span : tracks_.barsFrom(track, scale.beginNs)) {
    if (static_cast<double>(span.startNs) >= scale.endNs) break;
    if (!tracks_.isDrawn(span)) continue;
    const auto index = static_cast<std::size_t>(&span - timeline_->spans.data());
    const QRectF bar = tracks_.barRect(index);
    const bool marked = isMarked(row, index);
    // Thousands of bars on one pixel are drawn as one.
    if (!marked && bar.right() - paintedTo < 0.7 && span.kind == paintedKind) continue;
    paintedTo = bar.right();
    paintedKind = span.kind;
    // Far outside, coordinates would exceed the painter's range.
    const QRectF seen = bar.intersected(strip.adjusted(-20, 0, 20, 0));
    paintBar(painter, seen, lookOf(span.kind));
    const bool launches = timeline_->launchNs[index] > 0;
    const double launched = scale.xAt(static_cast<double>(span.startNs + timeline_->launchNs[index]));
    if (launches && launched - bar.left() >= 1.5) {
      QRectF launch = seen;
      launch.setRight(std::min(launched, seen.right()));
      if (launch.width() > 0) paintBar(painter, launch, lookOf(StepStage::Launch));
    }
    if (marked) {
      painter.setPen(QPen(theme::colours().ink, 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(seen.adjusted(-1, -1, 1, 1));
    }
    QRectF room = bar.intersected(strip).adjusted(3, 0, -3, 0);
    if (launches) room.setLeft(std::max(room.left(), launched + 3));
    paintWords(painter, span, room);
  }
}

void TracePicture::paintWords(QPainter& painter, const Span& bar, const QRectF& room) const {
  if (bar.kind == SpanKind::Wait || bar.kind == SpanKind::Input || bar.kind == SpanKind::Startup) return;
  if (room.width() < theme::em(3)) return;
  const QString label = coreText(timeline_->legend.labels[bar.label]);
  const QString text = painter.fontMetrics().elidedText(label, Qt::ElideRight, static_cast<int>(room.width()));
  if (text != label && room.width() < theme::em(5)) return;
  const bool isLight = bar.kind == SpanKind::Reduce || bar.kind == SpanKind::Update;
  painter.setPen(isLight ? theme::colours().ink : theme::colours().onAccent);
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
}

}  // namespace lab
