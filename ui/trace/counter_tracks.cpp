// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/counter_tracks.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/paper.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_paint.h"
#include "ui/trace/trace_view.h"

namespace lab {
namespace {

constexpr double kTrackEm = 2.6, kGapEm = 0.2;  // height of a track: two lines of words; above its area
constexpr double kFill = 0.35;                  // share of the hue in an area, below its edge of the full hue

QColor hueOf(CounterTracks::Kind kind) {
  return kind == CounterTracks::Kind::Memory ? lookOf(SpanKind::Compute).ground : lookOf(SpanKind::Transfer).ground;
}

QString valueText(CounterTracks::Kind kind, std::int64_t value) {
  return kind == CounterTracks::Kind::Links ? countText(value) : bytesText(value);
}

QString clockText(TimeSource clock) {
  return clock == TimeSource::Modelled ? CounterTracks::tr("modelled") : CounterTracks::tr("measured");
}

}  // namespace

CounterTracks::CounterTracks(TraceView& view) : QWidget(&view), view_(view) {
  setObjectName(QStringLiteral("counterTracks"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Counters of the step"));
  setWhatsThis(tr(
      "Bytes in flight, links in use and the memory of the chosen device over the step. Point at a moment to see its "
      "values. The arrow keys go from change to change and from track to track; the other keys are the trace's."));
  hide();
}

void CounterTracks::setTimeline(std::shared_ptr<const Timeline> timeline) {
  timeline_ = std::move(timeline);
  at_.reset();
  makeTracks();
}

void CounterTracks::setDevice(int endpoint) {
  if (endpoint == device_) return;
  device_ = endpoint;
  makeTracks();
  fit();
}

void CounterTracks::setShown(bool shown) {
  shownByHand_ = shown;
  fit();
}

// The counters lie in a margin of the viewport: a moment has the same x in both, and the view needs no more room.
void CounterTracks::fit() {
  const int whole = static_cast<int>(tracks_.size()) * theme::em(kTrackEm);
  const bool hasRoom = view_.contentsRect().height() - whole >= view_.tracks().neededHeight();
  const bool shown = whole > 0 && shownByHand_.value_or(hasRoom);
  const bool changed = shown == isHidden();
  setVisible(shown);
  view_.leaveRoomBelow(shown ? whole : 0);
  // If the user wants counters where there is no room for both, the panel scrolls.
  view_.setMinimumHeight(shown && shownByHand_ ? view_.minimumSizeHint().height() + whole : 0);
  const QRect above = view_.viewport()->geometry();
  setGeometry(above.x(), above.y() + above.height(), above.width(), whole);
  if (!changed) return;
  describe();
  Q_EMIT shownChanged();
}

void CounterTracks::makeTracks() {
  tracks_.clear();
  described_.reset();
  if (timeline_ && timeline_->beginNs < timeline_->endNs) {
    const std::int64_t begin = timeline_->beginNs, end = timeline_->endNs;
    const auto add = [this](Kind kind, const QStringList& names, TimeSource clock, Counter counter) {
      const std::int64_t highest = counter.highest();
      tracks_.push_back({kind, names, clock, std::move(counter), highest});
    };
    // Also in a step without transfers: the tracks of a run stay in their places.
    if (std::ranges::any_of(timeline_->legend.tracks, &TraceLegend::Track::isLink)) {
      add(Kind::Bytes, {tr("bytes in flight")}, timeline_->clock, bytesInFlight(timeline_->linkUse(), begin, end));
      add(Kind::Links, {tr("links in use")}, timeline_->clock, linksInUse(timeline_->linkUse(), begin, end));
    }
    const auto& memory = timeline_->memory;
    auto shown = std::ranges::find_if_not(memory, &MemoryTimeline::empty);
    if (device_ >= 0 && device_ < std::ssize(memory) && !at(memory, device_).empty()) shown = memory.begin() + device_;
    if (shown != memory.end()) {
      const Message& name = at(timeline_->legend.endpoints, shown - memory.begin()).name;
      add(Kind::Memory, {tr("memory of %1").arg(coreText(name)), tr("memory of %1").arg(briefly(name))}, shown->clock,
          memoryOf(*shown, begin, end));
    }
  }
  current_ = std::min(current_, std::max<std::size_t>(tracks_.size(), 1) - 1);
  refresh();
  describe();
}

QRectF CounterTracks::trackRect(std::size_t track) const {
  const double height = theme::em(kTrackEm);
  return {0, static_cast<double>(track) * height, static_cast<double>(width()), height};
}

// Steps narrower than a pixel are one column with their highest value, so that no peak is lost.
std::vector<CounterTracks::Column> CounterTracks::columns(std::size_t track) const {
  const Counter& counter = tracks_[track].counter;
  const TimeScale& scale = view_.axis().scale();
  const double from = scale.leftPx, to = scale.leftPx + scale.widthPx;
  std::vector<Column> columns;
  for (std::size_t i = counter.indexAt(std::llround(scale.beginNs)); i < counter.steps.size(); ++i) {
    const Counter::Stretch stretch = counter.stretch(i);
    const double left = std::max(from, scale.xAt(static_cast<double>(stretch.beginNs)));
    const double right = std::min(to, scale.xAt(static_cast<double>(stretch.endNs)));
    if (left > to) break;
    if (right < from) continue;
    if (!columns.empty() && right - columns.back().left < 1) {
      columns.back().right = right;
      columns.back().value = std::max(columns.back().value, stretch.value);
    } else {
      columns.push_back({left, right, stretch.value});
    }
  }
  return columns;
}

void CounterTracks::refresh() {
  ground_ = {};
  update();
}

std::int64_t CounterTracks::readNs() const {
  return at_.value_or(view_.axis().now().value_or(timeline_->beginNs));
}

void CounterTracks::read(std::optional<std::int64_t> ns) {
  if (at_ == ns) return;
  at_ = ns;
  describe();
  update();
}

// A moment that is not visible is moved to the middle.
void CounterTracks::readInSight(std::int64_t ns) {
  const TimeScale& scale = view_.axis().scale();
  const auto at = static_cast<double>(ns);
  if (!scale.shows(at)) view_.setScale(scale.centred(at));
  read(ns);
}

QString CounterTracks::words() const {
  QStringList all;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const Track& track = tracks_[(current_ + i) % tracks_.size()];
    const Counter::Stretch stretch = track.counter.at(readNs());
    all << tr("%1: %2 from %3 to %4 of the step, up to %5, %6", "counter, value, moments, highest value, clock")
               .arg(track.names.front(), valueText(track.kind, stretch.value),
                    durationText(stretch.beginNs - track.counter.beginNs),
                    durationText(stretch.endNs - track.counter.beginNs), valueText(track.kind, track.highest),
                    clockText(track.clock));
  }
  return all.join(QStringLiteral("; "));
}

// While the movie moves, the description changes only where a value does.
void CounterTracks::describe() {
  if (tracks_.empty() || isHidden()) return;
  const std::int64_t ns = readNs();
  if (described_ && described_->first <= ns && ns < described_->second) return;
  const auto beginOf = [ns](const Track& track) { return track.counter.at(ns).beginNs; };
  const auto endOf = [ns](const Track& track) { return track.counter.at(ns).endNs; };
  described_ = {beginOf(*std::ranges::max_element(tracks_, {}, beginOf)),
                endOf(*std::ranges::min_element(tracks_, {}, endOf))};
  const QString about = words();
  // Qt tells screen readers of a description also where it is the same.
  if (accessibleDescription() != about) setAccessibleDescription(about);
}

QString CounterTracks::tipAt(const QPointF& place) const {
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const Track& track = tracks_[i];
    const double ns = view_.axis().scale().nsAt(place.x());
    if (!trackRect(i).contains(place)) continue;
    if (place.x() < view_.axis().scale().leftPx || ns < static_cast<double>(track.counter.beginNs) ||
        ns >= static_cast<double>(track.counter.endNs))
      return tr("%1: up to %2, %3", "counter, highest value, clock")
          .arg(track.names.front(), valueText(track.kind, track.highest), clockText(track.clock));
    const Counter::Stretch stretch = track.counter.at(static_cast<std::int64_t>(ns));
    return tr("%1: %2, %3\nfrom %4 to %5", "counter, value, clock, moments")
        .arg(track.names.front(), valueText(track.kind, stretch.value), clockText(track.clock),
             durationText(stretch.beginNs - track.counter.beginNs),
             durationText(stretch.endNs - track.counter.beginNs));
  }
  return {};
}

bool CounterTracks::event(QEvent* event) {
  if (takesKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home, Qt::Key_End}) ||
      takesKey(*event, TraceView::kKeys) || (view_.axis().range() && takesKey(*event, {Qt::Key_Escape})))
    return true;
  if (showsTip(*event, *this, [this](const QPoint& at) { return tipAt(at); })) return true;
  return QWidget::event(event);
}

void CounterTracks::keyPressEvent(QKeyEvent* event) {
  if (tracks_.empty()) return QWidget::keyPressEvent(event);
  const Counter& counter = tracks_[current_].counter;
  const Counter::Stretch now = counter.at(readNs());
  switch (event->key()) {
    case Qt::Key_Left:
      return readInSight(now.beginNs < readNs() ? now.beginNs : counter.at(now.beginNs - 1).beginNs);
    case Qt::Key_Right:
      return readInSight(now.endNs < counter.endNs ? now.endNs : readNs());
    case Qt::Key_Home:
      return readInSight(counter.beginNs);
    case Qt::Key_End:
      return readInSight(counter.steps.back().ns);
    case Qt::Key_Up:
    case Qt::Key_Down:
      current_ = event->key() == Qt::Key_Up ? current_ - std::min<std::size_t>(current_, 1)
                                            : std::min(current_ + 1, tracks_.size() - 1);
      described_.reset();
      describe();
      return update();
    default:
      break;
  }
  const bool isTraces = std::ranges::find(TraceView::kKeys, event->key()) != TraceView::kKeys.end();
  if (isTraces || (event->key() == Qt::Key_Escape && view_.axis().range()))
    QCoreApplication::sendEvent(&view_, event);
  else
    QWidget::keyPressEvent(event);
}

// To the trace's own tracks, at a place above all bars.
void CounterTracks::forward(const QMouseEvent& event) {
  QMouseEvent there(event.type(), {event.position().x(), 0}, event.globalPosition(), event.button(), event.buttons(),
                    event.modifiers());
  QCoreApplication::sendEvent(view_.viewport(), &there);
}

void CounterTracks::mousePressEvent(QMouseEvent* event) {
  forward(*event);
}

void CounterTracks::mouseMoveEvent(QMouseEvent* event) {
  forward(*event);
  if (event->buttons() == Qt::NoButton && timeline_)
    read(event->position().x() < view_.axis().scale().leftPx
             ? std::nullopt
             : std::optional<std::int64_t>(std::llround(view_.axis().scale().nsAt(event->position().x()))));
}

// On the trace's own tracks, a click beside all bars takes the selection back; here it would change whose memory is
// shown.
void CounterTracks::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !view_.endPress()) return forward(*event);
  view_.setRange(std::nullopt);
}

void CounterTracks::mouseDoubleClickEvent(QMouseEvent* event) {
  forward(*event);
}

void CounterTracks::wheelEvent(QWheelEvent* event) {
  QWheelEvent there({event->position().x(), 0}, event->globalPosition(), event->pixelDelta(), event->angleDelta(),
                    event->buttons(), event->modifiers(), event->phase(), event->inverted());
  QCoreApplication::sendEvent(view_.viewport(), &there);
  event->accept();
}

void CounterTracks::leaveEvent(QEvent*) {
  if (!hasFocus()) read(std::nullopt);
}

void CounterTracks::focusInEvent(QFocusEvent*) {
  update();
}

void CounterTracks::focusOutEvent(QFocusEvent*) {
  read(std::nullopt);
  update();
}

void CounterTracks::paintEvent(QPaintEvent*) {
  if (!timeline_) return;
  QPainter painter(this);
  keepLeftToRight(painter);
  if (ground_.isNull() || ground_.devicePixelRatio() != devicePixelRatioF() ||
      ground_.deviceIndependentSize().toSize() != size())
    ground_ = makeGround();
  drawPicture(painter, ground_, [&] { paintGround(painter); });
  view_.axis().paintMoments(painter, 0, height());
  if (at_) {
    const double x = view_.axis().scale().xAt(static_cast<double>(*at_));
    painter.setPen(QPen(theme::colours().ink, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
  }
  painter.setClipping(false);
  if (!hasFocus() || tracks_.empty()) return;
  painter.setPen(QPen(theme::colours().accent, 2));
  painter.drawRect(trackRect(current_).adjusted(1, 1, -1, -1));
}

QPixmap CounterTracks::makeGround() const {
  const double ratio = devicePixelRatioF();
  QPixmap ground((QSizeF(size()) * ratio).toSize());
  ground.setDevicePixelRatio(ratio);
  ground.fill(theme::colours().panel);
  QPainter painter(&ground);
  keepLeftToRight(painter);
  paintGround(painter);
  return ground;
}

void CounterTracks::paintGround(QPainter& painter) const {
  painter.fillRect(rect(), theme::colours().panel);
  painter.setFont(theme::smallFont(font()));
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    paintTrack(painter, i);
    paintName(painter, i);
  }
  painter.setClipRect(QRectF(view_.axis().scale().leftPx, 0, view_.axis().scale().widthPx, height()));
  view_.axis().paintBounds(painter, height());
}

void CounterTracks::paintTrack(QPainter& painter, std::size_t track) const {
  const theme::Colours& colours = theme::colours();
  const QRectF whole = trackRect(track);
  const TimeScale& scale = view_.axis().scale();
  const QRectF plot(scale.leftPx, whole.top() + theme::em(kGapEm), scale.widthPx, whole.height() - theme::em(kGapEm));
  painter.fillRect(plot, lookOf(StepStage::Idle).ground);
  const QColor hue = hueOf(tracks_[track].kind);
  const QColor fill = theme::mix(hue, colours.panel, kFill);
  const double perUnit = (plot.height() - 1) / static_cast<double>(std::max<std::int64_t>(1, tracks_[track].highest));
  QPolygonF edge;
  for (const Column& column : columns(track)) {
    const double height = static_cast<double>(column.value) * perUnit;
    const double wide = std::max(1.0, column.right - column.left);
    painter.fillRect(QRectF(column.left, plot.bottom() - height, wide, height), fill);
    edge << QPointF(column.left, plot.bottom() - height) << QPointF(column.left + wide, plot.bottom() - height);
  }
  painter.setPen(QPen(hue, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(edge);
  painter.setPen(QPen(colours.line, 1));
  painter.drawLine(QPointF(0, whole.top() + 0.5), QPointF(whole.right(), whole.top() + 0.5));
}

void CounterTracks::paintName(QPainter& painter, std::size_t track) const {
  const QRectF whole = trackRect(track);
  const double left = theme::em(TraceTracks::kNameLeftEm), chip = theme::em(0.5);
  const QRectF line(left, whole.top() + 1, view_.axis().scale().leftPx - TraceAxis::kEdgePx - left,
                    whole.height() / 2 - 1);
  painter.fillRect(QRectF(theme::em(0.2), line.center().y() - chip / 2, chip, chip), hueOf(tracks_[track].kind));
  QString name;
  for (const QString& form : tracks_[track].names) {
    name = form;
    if (painter.fontMetrics().horizontalAdvance(form) <= line.width()) break;
  }
  painter.setPen(theme::colours().ink);
  drawElided(painter, line, Qt::AlignLeft | Qt::AlignVCenter, name);
  painter.setPen(theme::colours().quietInk);
  drawElided(painter, line.translated(0, line.height()), Qt::AlignLeft | Qt::AlignVCenter,
             tr("up to %1").arg(valueText(tracks_[track].kind, tracks_[track].highest)));
}

}  // namespace lab
