// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/at.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/trace/counter_tracks.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr double kZoomStep = 1.35, kPanStep = 0.15;
constexpr double kDragPx = 4;

QString tipOf(const Timeline& timeline, std::size_t bar, const TraceRow& row, const QString& whose) {
  const Span& span = timeline.spans[bar];
  const TraceLegend& legend = timeline.legend;
  if (!whose.isEmpty())
    return coreText(legend.labels[span.label]) + QLatin1Char('\n') + durationText(span.durationNs) +
           QStringLiteral(", ") + whose;
  QString text = coreText(legend.labels[span.label]) + QStringLiteral(" · ") + nameOf(span.kind) +
                 QStringLiteral("\n") + durationText(span.durationNs);
  if (timeline.launchNs[bar] > 0)
    text += TraceView::tr(", of which %1 launching").arg(durationText(timeline.launchNs[bar]));
  text += QStringLiteral(", ") +
          (span.clock == TimeSource::Modelled ? TraceView::tr("modelled") : TraceView::tr("measured"));
  if (span.from >= 0 && span.to >= 0)
    text += QStringLiteral("\n%1 → %2, %3")
                .arg(coreText(at(legend.endpoints, span.from).name), coreText(at(legend.endpoints, span.to).name),
                     bytesText(span.bytes));
  if (row.of == TraceRow::Of::Alike)
    text += QLatin1Char('\n') + TraceView::tr("%1: to the nanosecond").arg(namesOf(timeline, row).front());
  return text;
}

}  // namespace

TraceView::TraceView(TraceView* above) : above_(above) {
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Trace"));
  viewport()->setMouseTracking(true);
  setWhatsThis(
      tr("What every device and every link did, on the step's clock. W and S zoom, A and D move, F fits, "
         ". and , go from bar to bar; drag to measure a stretch of time."));
  if (above_ == nullptr) return;
  above_->above_ = this;
  arrange();
}

void TraceView::setTimeline(std::shared_ptr<const Timeline> timeline, const QString& whose) {
  timeline_ = std::move(timeline);
  whose_ = whose;
  whyNone_.clear();
  chosen_ = {};
  axis_.setTimeline(timeline_.get());
  tracks_.setTimeline(timeline_.get(), whose_.isEmpty());
  arrows_.setTimeline(timeline_.get());
  picture_.setTimeline(timeline_.get());
  if (counters_ != nullptr) counters_->setTimeline(timeline_);
  arrange();
  setRange(std::nullopt);
}

void TraceView::setNone(const QString& why) {
  setTimeline(nullptr);
  whyNone_ = why;
}

QString TraceView::placeholder() const {
  if (!whyNone_.isEmpty()) return whyNone_;
  return tr("Play a step: this then shows what each device and link did, and when.");
}

void TraceView::setNow(std::optional<std::int64_t> ns) {
  if (axis_.now() == ns) return;
  const auto repaint = [this] {
    if (!axis_.now()) return;
    const double x = axis_.scale().xAt(static_cast<double>(*axis_.now()));
    const QRect line = QRectF(x - 3, 0, 6, viewport()->height()).toAlignedRect();
    viewport()->update(line);
    if (counters_ != nullptr) counters_->update(line.x(), 0, line.width(), counters_->height());
  };
  repaint();
  axis_.setNow(ns);
  repaint();
  if (counters_ != nullptr) counters_->describe();
}

void TraceView::setRange(std::optional<TraceAxis::Range> range) {
  if (!axis_.setRange(range)) return;
  viewport()->update();
  if (counters_ != nullptr) counters_->update();
  Q_EMIT rangeChanged();
}

void TraceView::rescaled() {
  if (!timeline_) return;
  refresh();
  Q_EMIT scaleChanged();
}

const Span* TraceView::currentBar() const {
  return chosen_.current == kNone ? nullptr : &at(timeline_->spans, chosen_.current);
}

void TraceView::setCurrent(std::int64_t bar, bool intoSight) {
  chosen_.current = bar;
  axis_.forgetFit();
  if (const Span* span = currentBar(); span != nullptr && intoSight) {
    if (axis_.moveIntoSight(static_cast<double>(span->startNs) + static_cast<double>(span->durationNs) / 2))
      Q_EMIT scaleChanged();
    const QRectF row = tracks_.rowRect(tracks_.rowOf(span->track));
    const double above = theme::em(TraceAxis::kHeightEm) - row.top(), below = row.bottom() - viewport()->height();
    QScrollBar& scroll = *verticalScrollBar();
    if (above > 0) scroll.setValue(scroll.value() - static_cast<int>(std::ceil(above)));
    if (below > 0) scroll.setValue(scroll.value() + static_cast<int>(std::ceil(below)));
  }
  refresh();
}

void TraceView::goTo(std::int64_t bar) {
  setCurrent(bar, true);
  Q_EMIT picked(bar, at(timeline_->spans, bar).track);
}

// Goes to the next or the previous bar of the track; without a current bar, to the first track's first or last.
void TraceView::walk(int direction) {
  if (tracks_.rows().empty()) return;
  const int track = currentBar() == nullptr ? tracks_.rows().front().tracks.front() : currentBar()->track;
  const auto first = static_cast<std::int64_t>(timeline_->trackBegin(track));
  const auto count = std::ssize(timeline_->track(track));
  if (count == 0) return;
  const std::int64_t next = current() == kNone ? (direction > 0 ? first : first + count - 1) : current() + direction;
  if (next < first || next >= first + count) return;
  goTo(next);
}

bool TraceView::event(QEvent* event) {
  // Here the trace takes these keys, whatever they mean elsewhere in the window.
  if (takesKey(*event, kKeys)) return true;
  if (axis_.range() && takesKey(*event, {Qt::Key_Escape})) return true;
  return QAbstractScrollArea::event(event);
}

void TraceView::keyPressEvent(QKeyEvent* event) {
  const TimeScale& scale = axis_.scale();
  const QPointF pointer = viewport()->mapFromGlobal(QCursor::pos());
  const bool over = viewport()->rect().contains(pointer.toPoint()) && pointer.x() > scale.leftPx;
  const double x = over ? pointer.x() : scale.leftPx + scale.widthPx / 2;
  const double most = (event->modifiers() & Qt::ShiftModifier) != 0 ? 3 : 1;
  switch (event->key()) {
    case Qt::Key_W:
      return axis_.zoom(std::pow(kZoomStep, most), x), rescaled();
    case Qt::Key_S:
      return axis_.zoom(std::pow(kZoomStep, -most), x), rescaled();
    case Qt::Key_A:
      return axis_.pan(-kPanStep * most), rescaled();
    case Qt::Key_D:
      return axis_.pan(kPanStep * most), rescaled();
    case Qt::Key_F:
      return fit();
    case Qt::Key_Period:
      return walk(1);
    case Qt::Key_Comma:
      return walk(-1);
    case Qt::Key_R:
      if (const Span* bar = currentBar()) setRange(TraceAxis::Range{bar->startNs, bar->startNs + bar->durationNs});
      return;
    case Qt::Key_Escape:
      if (axis_.range()) return setRange(std::nullopt);
      break;
    default:
      break;
  }
  QAbstractScrollArea::keyPressEvent(event);
}

void TraceView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = event->position();
  dragging_ = false;
}

void TraceView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF place = event->position();
  const TimeScale& scale = axis_.scale();
  if (!event->buttons().testFlag(Qt::LeftButton)) pressed_.reset(), dragging_ = false;  // released where nobody told
  if (pressed_ && timeline_ && pressed_->x() >= scale.leftPx) {
    dragging_ = dragging_ || std::abs(place.x() - pressed_->x()) > kDragPx;
    if (!dragging_) return;
    const auto ns = [&scale](double x) {
      return std::llround(scale.nsAt(std::clamp(x, scale.leftPx, scale.leftPx + scale.widthPx)));
    };
    const std::int64_t a = ns(pressed_->x()), b = ns(place.x());
    return setRange(TraceAxis::Range{std::min(a, b), std::max(a, b)});
  }
  hover(tracks_.barAt(place));
}

void TraceView::hover(std::int64_t bar) {
  if (bar == std::exchange(chosen_.hovered, bar)) return;
  if (arrows_.areShown()) refresh();
  Q_EMIT barHovered(bar);
}

bool TraceView::endPress() {
  if (!dragging_) pressed_.reset();
  return !dragging_;
}

void TraceView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !pressed_) return;
  pressed_.reset();
  if (std::exchange(dragging_, false)) return;
  setRange(std::nullopt);
  const std::int64_t bar = tracks_.barAt(event->position());
  const int track = tracks_.trackAt(event->position());
  const bool onNames = event->position().x() < axis_.scale().leftPx;
  // A click on the name of a shared row unfolds it.
  if (onNames && track >= 0 && tracks_.rows()[tracks_.rowOf(track)].of == TraceRow::Of::Alike) return setFolded(false);
  setCurrent(bar, false);
  Q_EMIT picked(bar, bar != kNone || onNames ? track : -1);
}

void TraceView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && timeline_ && event->position().x() >= axis_.scale().leftPx)
    Q_EMIT wanted(std::llround(axis_.scale().nsAt(event->position().x())));
}

void TraceView::wheelEvent(QWheelEvent* event) {
  const double turn = event->angleDelta().y() / 120.0;
  if ((event->modifiers() & Qt::ControlModifier) != 0) {
    axis_.zoom(std::pow(kZoomStep, turn), event->position().x());
  } else if ((event->modifiers() & Qt::ShiftModifier) != 0 || event->angleDelta().x() != 0) {
    axis_.pan(-kPanStep * (turn + event->angleDelta().x() / 120.0));
  } else {
    return QAbstractScrollArea::wheelEvent(event);
  }
  rescaled();
  event->accept();
}

bool TraceView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) hover(kNone);
  const auto words = [this](const QPoint& at) {
    const std::int64_t bar = tracks_.barAt(at);
    if (bar == kNone) return QString();
    const int track = lab::at(timeline_->spans, bar).track;
    return tipOf(*timeline_, static_cast<std::size_t>(bar), tracks_.rows()[tracks_.rowOf(track)], whose_);
  };
  if (showsTip(*event, *viewport(), words)) return true;
  return QAbstractScrollArea::viewportEvent(event);
}

CounterTracks& TraceView::addCounters() {
  counters_ = new CounterTracks(*this);
  return *counters_;
}

void TraceView::leaveRoomBelow(int heightPx) {
  const QMargins margins(0, 0, 0, heightPx);
  if (viewportMargins() != margins) setViewportMargins(margins);
}

void TraceView::arrange() {
  if (counters_ != nullptr) counters_->fit();
  const bool folds = tracks_.arrange();
  placeAxis();
  if (above_ != nullptr) above_->placeAxis();
  verticalScrollBar()->setSingleStep(static_cast<int>(TraceTracks::rowHeight()));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(tracks_.height())) - viewport()->height()));
  if (folds) Q_EMIT foldedChanged();
}

// If two views share the axis, the longer names and the narrower viewport decide: one of them may have a scroll bar.
void TraceView::placeAxis() {
  const TraceView& other = above_ != nullptr ? *above_ : *this;
  axis_.place(std::max(tracks_.namesWidth(), other.tracks_.namesWidth()),
              std::min(viewport()->width(), other.viewport()->width()));
  refresh();
}

void TraceView::refresh() {
  picture_.clear();
  viewport()->update();
  if (counters_ != nullptr) counters_->refresh();
}

void TraceView::resizeEvent(QResizeEvent*) {
  axis_.forgetFit();  // F after the table was shown or hidden means the step again
  arrange();
}

void TraceView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  arrange();
}

void TraceView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  keepLeftToRight(painter);
  if (timeline_) return picture_.paint(painter), axis_.paintMoments(painter, theme::em(0.3), viewport()->height());
  const QRectF area = viewport()->rect();
  painter.fillRect(area, theme::colours().panel);
  painter.setFont(font());
  painter.setPen(theme::colours().quietInk);
  painter.drawText(area.adjusted(theme::em(0.5), 0, -theme::em(0.5), 0), Qt::AlignCenter | Qt::TextWordWrap,
                   placeholder());
}

}  // namespace lab
