// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of a trace, and its painting.
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

#include "core/trace/messages.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/trace/counter_tracks.h"
#include "ui/trace/trace_paint.h"
#include "ui/trace/trace_view.h"

namespace lab {
namespace {

constexpr double kRowEm = 1.55, kBarEm = 1.2;
constexpr double kNameEm = 5, kLongestNameEm = 17, kTickEm = 6.5;
constexpr double kNamesShare = 0.3, kMostNamesShare = 0.5;  // share of the width: for whole names; for the shortest

bool ownsAHue(const Message& endpoint) {
  return endpoint.is(say::replicaEndpoint) || endpoint.is(say::workerEndpoint);
}

double rowHeight() {
  return theme::em(kRowEm);
}

}  // namespace

void TraceView::arrange() {
  fitTracks();
  makeRows();
  double names = theme::em(kNameEm), shortest = 0;
  if (timeline_)
    for (const TraceRow& row : rows_) {
      const QStringList forms = namesOf(*timeline_, row);
      const auto widthOf = [this](const QString& name) {
        return QFontMetrics(boldFont()).horizontalAdvance(name) + theme::em(1.4);
      };
      names = std::max<double>(names, widthOf(forms.front()));
      shortest = std::max<double>(shortest, widthOf(forms.back()));
    }
  names = std::min({names, static_cast<double>(theme::em(kLongestNameEm)), viewport()->width() * kNamesShare});
  names = std::max(names, std::min(shortest, viewport()->width() * kMostNamesShare));
  names_ = names;
  placeAxis();
  if (above_ != nullptr) above_->placeAxis();
  const double content = heightFor(rows_);
  verticalScrollBar()->setSingleStep(static_cast<int>(rowHeight()));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(content)) - viewport()->height()));
}

// If two views share the axis, the longer names and the narrower viewport decide: one of them may have a scroll bar.
void TraceView::placeAxis() {
  const TraceView& other = above_ != nullptr ? *above_ : *this;
  scale_.leftPx = std::max(names_, other.names_) + kEdgePx;
  const int width = std::min(viewport()->width(), other.viewport()->width());
  scale_.widthPx = std::max(10.0, width - scale_.leftPx - kEdgePx);
  refreshGround();
}

void TraceView::makeRows() {
  const bool foldedBefore = folded_, couldFold = canFold_;
  rows_.clear();
  canFold_ = folded_ = false;
  if (timeline_) {
    fillRows();
    rows_ = *eachRow_;
    const std::vector<TraceRow>& fewer = whose_.isEmpty() ? *fewerRows_ : *eachRow_;
    canFold_ = fewer.size() < rows_.size();
    folded_ = canFold_ && foldedByHand_.value_or(heightFor(rows_) > viewport()->height());
    if (folded_) rows_ = fewer;
  }
  rowOfLane_.assign(timeline_ ? timeline_->legend.lanes.size() : 0, rows_.size());
  for (std::size_t row = 0; row < rows_.size(); ++row)
    for (const int lane : rows_[row].lanes) rowOfLane_[static_cast<std::size_t>(lane)] = row;
  if (foldedBefore != folded_ || couldFold != canFold_) Q_EMIT foldedChanged();
}

void TraceView::fillRows() {
  if (!eachRow_) eachRow_ = traceRows(*timeline_, false);
  if (!fewerRows_ && whose_.isEmpty()) fewerRows_ = traceRows(*timeline_, true);
}

double TraceView::heightFor(const std::vector<TraceRow>& rows) const {
  return theme::em(kAxisEm) + static_cast<double>(rows.size()) * rowHeight();
}

// The height of the rows as they would be without tracks, which neither fold lanes nor make them scroll.
double TraceView::lanesNeed() const {
  const double each = heightFor(*eachRow_);
  const bool fold = fewerRows_ && foldedByHand_.value_or(each > contentsRect().height());
  return std::max<double>(minimumSizeHint().height(), fold ? heightFor(*fewerRows_) : each);
}

CounterTracks& TraceView::addTracks() {
  tracks_ = new CounterTracks(*this);
  return *tracks_;
}

bool TraceView::areTracksShown() const {
  return tracks_ != nullptr && !tracks_->isHidden();
}

// The tracks lie in a margin of the viewport: a moment has the same x in both, and the view needs no more room.
void TraceView::fitTracks() {
  if (tracks_ == nullptr) return;
  if (timeline_) fillRows();
  const int height = tracks_->wholeHeight();
  const bool shown = height > 0 && timeline_ && tracksByHand_.value_or(contentsRect().height() - height >= lanesNeed());
  const bool changed = shown == tracks_->isHidden();
  tracks_->setVisible(shown);
  const QMargins margins(0, 0, 0, shown ? height : 0);
  if (viewportMargins() != margins) setViewportMargins(margins);
  // If the user wants tracks where there is no room for both, the panel scrolls.
  setMinimumHeight(shown && tracksByHand_ ? minimumSizeHint().height() + height : 0);
  const QRect lanes = viewport()->geometry();
  tracks_->setGeometry(lanes.x(), lanes.y() + lanes.height(), lanes.width(), height);
  if (!changed) return;
  tracks_->describe();
  Q_EMIT tracksChanged();
}

std::size_t TraceView::rowOf(int lane) const {
  return rowOfLane_[static_cast<std::size_t>(lane)];
}

void TraceView::refreshGround() {
  ground_ = {};
  viewport()->update();
  if (tracks_ != nullptr) tracks_->refresh();
}

double TraceView::rowTop(std::size_t row) const {
  return theme::em(kAxisEm) + static_cast<double>(row) * rowHeight() - verticalScrollBar()->value();
}

QRectF TraceView::laneRect(int lane) const {
  const std::size_t row = rowOf(lane);
  return row < rows_.size() && rows_[row].lanes.front() == lane ? rowRect(row) : QRectF();
}

QRectF TraceView::rowRect(std::size_t row) const {
  return {0, rowTop(row), static_cast<double>(viewport()->width()), rowHeight()};
}

QRectF TraceView::barRect(std::size_t span) const {
  const Span& bar = timeline_->spans[span];
  const std::size_t place = rowOf(bar.lane);
  if (place == rows_.size()) return {};
  const QRectF row = rowRect(place);
  const double left = scale_.xAt(static_cast<double>(bar.startNs));
  const double right = scale_.xAt(static_cast<double>(bar.startNs + bar.durationNs));
  const double height = theme::em(kBarEm);
  return {left, row.top() + (row.height() - height) / 2, std::max(1.0, right - left), height};
}

int TraceView::laneAt(const QPointF& place) const {
  const double first = rowTop(0);
  if (!timeline_ || place.y() < theme::em(kAxisEm) || place.y() < first) return -1;
  const auto row = static_cast<std::size_t>((place.y() - first) / rowHeight());
  return row < rows_.size() ? rows_[row].lanes.front() : -1;
}

std::int64_t TraceView::barAt(const QPointF& place) const {
  constexpr double kReachPx = 1.5;  // so that the thinnest bars can be hit too
  const int lane = laneAt(place);
  if (lane < 0 || place.x() < scale_.leftPx) return kNone;
  const std::span<const Span> bars = timeline_->lane(lane);
  const double ns = scale_.nsAt(place.x()), reach = kReachPx * scale_.nsPerPx();
  const auto longest = static_cast<double>(longest_[static_cast<std::size_t>(lane)]);
  const auto from = std::ranges::lower_bound(bars, ns - reach - longest, {},
                                             [](const Span& s) { return static_cast<double>(s.startNs); });
  std::int64_t best = kNone;
  for (auto it = from; it != bars.end() && static_cast<double>(it->startNs) <= ns + reach; ++it)
    if (static_cast<double>(it->startNs + it->durationNs) >= ns - reach)
      best = static_cast<std::int64_t>(timeline_->laneBegin(lane)) + (it - bars.begin());  // the last bar lies on top
  return best;
}

void TraceView::resizeEvent(QResizeEvent*) {
  fittedStep_ = false;  // F after the table was shown or hidden means the step again
  arrange();
  refreshGround();
}

void TraceView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  arrange();
  refreshGround();
}

QRect TraceView::nowRect() const {
  if (!nowNs_) return {};
  const double x = scale_.xAt(static_cast<double>(*nowNs_));
  return QRectF(x - 3, 0, 6, viewport()->height()).toAlignedRect();
}

void TraceView::refreshNow() {
  const QRect line = nowRect();
  viewport()->update(line);
  if (tracks_ != nullptr) tracks_->update(line.x(), 0, line.width(), tracks_->height());
}

void TraceView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  keepLeftToRight(painter);
  if (ground_.isNull() || ground_.devicePixelRatio() != viewport()->devicePixelRatioF()) ground_ = makeGround();
  painter.drawPixmap(0, 0, ground_);
  if (timeline_) paintMoments(painter, theme::em(0.3), viewport()->height());
}

void TraceView::paintMoments(QPainter& painter, double top, double height) const {
  painter.setClipRect(QRectF(scale_.leftPx, 0, scale_.widthPx, height));
  if (range_) {
    const double left = scale_.xAt(static_cast<double>(range_->first));
    const double right = scale_.xAt(static_cast<double>(range_->second));
    QColor veil = theme::colours().accent;
    veil.setAlphaF(0.18F);
    painter.fillRect(QRectF(left, 0, right - left, height), veil);
    painter.setPen(QPen(theme::colours().accent, 1.5));
    for (const double x : {left, right}) painter.drawLine(QPointF(x, 0), QPointF(x, height));
  }
  if (nowNs_) {
    const double x = scale_.xAt(static_cast<double>(*nowNs_));
    painter.setPen(QPen(theme::colours().ink, 2));
    painter.drawLine(QPointF(x, top), QPointF(x, height));
  }
}

QPixmap TraceView::makeGround() const {
  const double ratio = viewport()->devicePixelRatioF();
  QPixmap ground((QSizeF(viewport()->size()) * ratio).toSize());
  ground.setDevicePixelRatio(ratio);
  const theme::Colours& colours = theme::colours();
  ground.fill(colours.panel);
  QPainter painter(&ground);
  keepLeftToRight(painter);
  painter.setFont(font());
  if (!timeline_) {
    painter.setPen(colours.quietInk);
    const double edge = theme::em(0.5);
    painter.drawText(QRectF(viewport()->rect()).adjusted(edge, 0, -edge, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Play a step: this then shows what each device and link did, and when."));
    return ground;
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double top = rowTop(row);
    if (top + rowHeight() < theme::em(kAxisEm) || top > viewport()->height()) continue;
    paintRow(painter, row);
    paintName(painter, row);
  }
  if (arrowsShown_) paintArrows(painter);
  paintAxis(painter);
  return ground;
}

void TraceView::paintAxis(QPainter& painter) const {
  const theme::Colours& colours = theme::colours();
  const double height = theme::em(kAxisEm);
  painter.fillRect(QRectF(0, 0, viewport()->width(), height), colours.panel);
  painter.setPen(QPen(colours.line, 1));
  painter.drawLine(QPointF(0, height - 0.5), QPointF(viewport()->width(), height - 0.5));
  painter.setFont(theme::smallFont(font()));
  painter.setClipRect(QRectF(scale_.leftPx - 2, 0, scale_.widthPx + kEdgePx, viewport()->height()));
  const TimeTicks ticks = ticksOf(scale_, static_cast<double>(timeline_->beginNs), theme::em(kTickEm));
  for (const double ns : ticks.ns) {
    const double x = scale_.xAt(ns);
    painter.setPen(QPen(colours.edge, 1));
    painter.drawLine(QPointF(x, height - theme::em(0.35)), QPointF(x, height));
    const std::int64_t since = std::llround(ns) - timeline_->beginNs;
    const QString text = since == 0 ? QStringLiteral("0")
                                    : (since < 0 ? QStringLiteral("−") : QString()) + durationText(std::abs(since));
    if (x + 3 + painter.fontMetrics().horizontalAdvance(text) > viewport()->width()) continue;  // not cut in part
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(x + 3, 0, theme::em(kTickEm), height - theme::em(0.3)), Qt::AlignLeft | Qt::AlignVCenter,
                     text);
  }
  paintBounds(painter, viewport()->height());
  painter.setClipping(false);
  painter.setFont(font());
}

void TraceView::paintBounds(QPainter& painter, double height) const {
  painter.setPen(QPen(theme::colours().quietInk, 1, Qt::DashLine));
  for (const std::int64_t ns : {timeline_->beginNs, timeline_->endNs}) {
    const double x = std::round(scale_.xAt(static_cast<double>(ns))) + 0.5;
    painter.drawLine(QPointF(x, 0), QPointF(x, height));
  }
}

void TraceView::paintName(QPainter& painter, std::size_t row) const {
  const int lane = rows_[row].lanes.front();
  const TraceLegend::Lane& facts = timeline_->legend.lanes[static_cast<std::size_t>(lane)];
  const theme::Colours& colours = theme::colours();
  const QRectF area(0, rowTop(row), scale_.leftPx - kEdgePx, rowHeight());
  painter.fillRect(area, colours.panel);
  const double chip = theme::em(0.5);
  painter.fillRect(
      QRectF(theme::em(0.2), area.center().y() - chip / 2, chip, chip),
      facts.isLink ? lookOf(SpanKind::Transfer).ground
      : facts.endpoint >= 0 && ownsAHue(timeline_->legend.endpoints[static_cast<std::size_t>(facts.endpoint)].name)
          ? theme::replicaColour(facts.endpoint)
          : colours.edge);
  QFont words = font();
  words.setBold(isLaneMarked(rows_[row]));
  painter.setFont(words);
  painter.setPen(facts.isLink ? colours.quietInk : colours.ink);
  painter.drawText(area.adjusted(theme::em(kNameLeftEm), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   rowName(rows_[row]));
  painter.setFont(font());  // the next row's bars have their own words
}

QFont TraceView::boldFont() const {
  QFont bold = font();
  bold.setBold(true);
  return bold;
}

QString TraceView::laneName(int lane) const {
  const std::size_t row = rowOf(lane);
  return row < rows_.size() ? rowName(rows_[row]) : QString();
}

bool TraceView::isLaneMarked(const TraceRow& row) const {
  return !markedLanes_.empty() &&
         std::ranges::any_of(row.lanes, [this](int lane) { return markedLanes_[static_cast<std::size_t>(lane)]; });
}

// `bar`: a bar of the lane that stands for all; the corresponding bar of any other lane counts too.
bool TraceView::isMarked(const TraceRow& row, std::size_t bar) const {
  if (static_cast<std::int64_t>(bar) == current_) return true;
  if (markedBars_.empty() || row.of != TraceRow::Of::Alike) return isBarMarked(bar);
  const Span& shown = timeline_->spans[bar];
  return std::ranges::any_of(row.lanes, [&](int lane) {
    const auto bars = timeline_->lane(lane);
    const auto first = std::ranges::lower_bound(bars, shown.startNs, {}, &Span::startNs);
    for (auto it = first; it != bars.end() && it->startNs == shown.startNs; ++it)
      if (it->kind == shown.kind &&
          isBarMarked(timeline_->laneBegin(lane) + static_cast<std::size_t>(it - bars.begin())))
        return true;
    return false;
  });
}

QString TraceView::rowName(const TraceRow& row) const {
  const QFontMetricsF metrics(boldFont());  // bold, so that the name does not change when it is marked
  const double room = scale_.leftPx - kEdgePx - theme::em(kNameLeftEm);
  QString name;
  for (const QString& form : namesOf(*timeline_, row)) {
    name = form;
    if (metrics.horizontalAdvance(form) <= room) break;
  }
  return metrics.elidedText(name, Qt::ElideRight, room);
}

void TraceView::paintRow(QPainter& painter, std::size_t row) const {
  painter.setClipRect(QRectF(scale_.leftPx, theme::em(kAxisEm), scale_.widthPx, viewport()->height()));
  const QRectF whole(scale_.leftPx, rowTop(row), scale_.widthPx, rowHeight());
  const double height = theme::em(kBarEm);
  painter.fillRect(QRectF(whole.left(), whole.center().y() - height / 2, whole.width(), height),
                   lookOf(StepStage::Idle).ground);
  const TraceRow& shown = rows_[row];
  for (const int lane : shown.lanes) paintBars(painter, shown, lane, whole);
  painter.setClipping(false);
}

void TraceView::paintBars(QPainter& painter, const TraceRow& row, int lane, const QRectF& whole) const {
  const theme::Colours& colours = theme::colours();
  const std::span<const Span> bars = timeline_->lane(lane);
  const auto longest = static_cast<double>(longest_[static_cast<std::size_t>(lane)]);
  const auto from = std::ranges::lower_bound(bars, scale_.beginNs - longest, {},
                                             [](const Span& s) { return static_cast<double>(s.startNs); });
  double paintedTo = -1;
  SpanKind paintedKind = SpanKind::Startup;
  for (auto it = from; it != bars.end() && static_cast<double>(it->startNs) < scale_.endNs; ++it) {
    // Within the step they are alike, and one is enough; before the step they may differ.
    if (row.of == TraceRow::Of::Alike && lane != row.lanes.front() && isWithinStep(*timeline_, *it)) continue;
    const std::size_t index = timeline_->laneBegin(lane) + static_cast<std::size_t>(it - bars.begin());
    const QRectF bar = barRect(index);
    const bool marked = isMarked(row, index);
    // Thousands of bars on one pixel are drawn as one.
    if (!marked && bar.right() - paintedTo < 0.7 && it->kind == paintedKind) continue;
    paintedTo = bar.right();
    paintedKind = it->kind;
    // Far outside, coordinates would exceed the painter's range.
    const QRectF seen = bar.intersected(whole.adjusted(-20, 0, 20, 0));
    paintBar(painter, seen, lookOf(it->kind));
    const double launched = scale_.xAt(static_cast<double>(it->startNs + timeline_->launchNs[index]));
    if (timeline_->launchNs[index] > 0 && launched - bar.left() >= 1.5) {
      QRectF launch = seen;
      launch.setRight(std::min(launched, seen.right()));
      if (launch.width() > 0) paintBar(painter, launch, lookOf(StepStage::Launch));
    }
    if (marked) {
      painter.setPen(QPen(colours.ink, 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(seen.adjusted(-1, -1, 1, 1));
    }
    if (it->kind == SpanKind::Wait || it->kind == SpanKind::Input || it->kind == SpanKind::Startup) continue;
    QRectF room = bar.intersected(whole).adjusted(3, 0, -3, 0);
    if (timeline_->launchNs[index] > 0) room.setLeft(std::max(room.left(), launched + 3));
    const QString label = coreText(timeline_->legend.labels[it->label]);
    if (room.width() < theme::em(3)) continue;
    const QString text = painter.fontMetrics().elidedText(label, Qt::ElideRight, static_cast<int>(room.width()));
    if (text != label && room.width() < theme::em(5)) continue;
    painter.setPen(it->kind == SpanKind::Reduce || it->kind == SpanKind::Update ? colours.ink : colours.onAccent);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
  }
}

}  // namespace lab
