// SPDX-License-Identifier: GPL-3.0-or-later
// Keys, pointer and contents. The painting is in trace_view_paint.cpp.
#include "ui/trace/trace_view.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

#include "ui/accessibility/own_events.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/theme/theme.h"
#include "ui/trace/counter_tracks.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr double kZoomStep = 1.35, kPanStep = 0.15;
constexpr double kDragPx = 4;

}  // namespace

TraceView::TraceView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Trace"));
  viewport()->setMouseTracking(true);
  setWhatsThis(
      tr("What every device and every link did, on the step's clock. W and S zoom, A and D move, F fits, "
         ". and , go from bar to bar; drag to measure a stretch of time."));
}

void TraceView::setTimeline(std::shared_ptr<const Timeline> timeline) {
  const double before = timeline_ ? static_cast<double>(timeline_->beginNs) : 0;
  const bool had = timeline_ != nullptr;
  timeline_ = std::move(timeline);
  hovered_ = current_ = kNone;
  flows_.reset();
  markedBars_.clear();
  markedLanes_.clear();
  eachRow_.reset();
  fewerRows_.reset();
  if (range_) {
    range_.reset();
    Q_EMIT rangeChanged();
  }
  longest_.clear();
  if (timeline_) {
    firstNs_ = timeline_->beginNs;
    lastNs_ = timeline_->endNs;
    longest_.assign(timeline_->legend.lanes.size(), 0);
    for (const Span& span : timeline_->spans) {
      firstNs_ = std::min(firstNs_, span.startNs);
      lastNs_ = std::max(lastNs_, span.startNs + span.durationNs);
      auto& longest = longest_[static_cast<std::size_t>(span.lane)];
      longest = std::max(longest, span.durationNs);
    }
    if (scaledByHand_ && had && !timeline_->spans.empty()) {
      const double by = static_cast<double>(timeline_->beginNs) - before;
      scale_.beginNs += by;
      scale_.endNs += by;
    } else {
      scale_ = scale_.fitted(static_cast<double>(timeline_->beginNs), static_cast<double>(timeline_->endNs));
    }
  }
  if (tracks_ != nullptr) tracks_->setTimeline(timeline_);
  arrange();
  refreshGround();
}

void TraceView::shareAxis(TraceView& other) {
  above_ = &other;
  other.above_ = this;
  arrange();
}

void TraceView::setFolded(bool folded) {
  foldedByHand_ = folded;
  arrange();
  refreshGround();
}

void TraceView::setNow(std::optional<std::int64_t> ns) {
  if (nowNs_ == ns) return;
  refreshNow();
  nowNs_ = ns;
  refreshNow();
  if (tracks_ != nullptr) tracks_->describe();
}

void TraceView::setMarks(const std::function<bool(std::size_t)>& span, const std::function<bool(int)>& lane) {
  const auto marks = [](std::size_t count, auto isMarked) {
    std::vector<bool> marked(count);
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) any = (marked[i] = isMarked(i)) || any;
    return any ? marked : std::vector<bool>();
  };
  std::vector<bool> bars, lanes;
  if (timeline_ && span) bars = marks(timeline_->spans.size(), span);
  if (timeline_ && lane)
    lanes = marks(timeline_->legend.lanes.size(), [&lane](std::size_t i) { return lane(static_cast<int>(i)); });
  if (bars == markedBars_ && lanes == markedLanes_) return;  // the pointer moves over much that marks nothing else
  markedBars_ = std::move(bars);
  markedLanes_ = std::move(lanes);
  refreshGround();
}

void TraceView::setRange(std::optional<Range> range) {
  if (range_ == range) return;
  range_ = range;
  viewport()->update();
  if (tracks_ != nullptr) tracks_->update();
  Q_EMIT rangeChanged();
}

void TraceView::setScale(const TimeScale& scale) {
  scale_.beginNs = scale.beginNs;
  scale_.endNs = std::max(scale.endNs, scale.beginNs + 1);
  refreshGround();
}

double TraceView::wholeNs() const {
  return 1.1 * static_cast<double>(lastNs_ - firstNs_);
}

void TraceView::zoom(double factor, double x) {
  if (!timeline_) return;
  scale_ = scale_.zoomed(factor, x, wholeNs());
  fittedStep_ = false;
  scaledByHand_ = true;
  refreshGround();
  Q_EMIT scaleChanged();
}

void TraceView::pan(double share) {
  if (!timeline_) return;
  scale_ = scale_.panned(share, static_cast<double>(firstNs_), static_cast<double>(lastNs_));
  fittedStep_ = false;
  scaledByHand_ = true;
  refreshGround();
  Q_EMIT scaleChanged();
}

void TraceView::fit() {
  if (!timeline_) return;
  if (fittedStep_) {
    scale_ = scale_.fitted(static_cast<double>(firstNs_), static_cast<double>(lastNs_));
    fittedStep_ = false;
    scaledByHand_ = true;
  } else if (current_ != kNone) {
    const Span& bar = timeline_->spans[static_cast<std::size_t>(current_)];
    scale_ = scale_.fitted(static_cast<double>(bar.startNs), static_cast<double>(bar.startNs + bar.durationNs));
    fittedStep_ = scaledByHand_ = true;
  } else {
    scale_ = scale_.fitted(static_cast<double>(timeline_->beginNs), static_cast<double>(timeline_->endNs));
    fittedStep_ = true;
    scaledByHand_ = false;
  }
  refreshGround();
  Q_EMIT scaleChanged();
}

void TraceView::setCurrent(std::int64_t bar, bool intoSight) {
  current_ = bar;
  fittedStep_ = false;
  if (timeline_ && bar != kNone && intoSight) {
    const Span& span = timeline_->spans[static_cast<std::size_t>(bar)];
    const double middle = static_cast<double>(span.startNs) + static_cast<double>(span.durationNs) / 2;
    if (middle < scale_.beginNs || middle > scale_.endNs) {
      const double by = middle - (scale_.beginNs + scale_.endNs) / 2;
      scale_.beginNs += by;
      scale_.endNs += by;
      Q_EMIT scaleChanged();
    }
    const QRectF row = rowRect(rowOf(span.lane));
    const double top = rowTop(0) + verticalScrollBar()->value();
    if (row.top() < top)
      verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(std::ceil(top - row.top())));
    if (row.bottom() > viewport()->height())
      verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                    static_cast<int>(std::ceil(row.bottom() - viewport()->height())));
  }
  refreshGround();
}

void TraceView::goTo(std::int64_t bar) {
  setCurrent(bar, true);
  Q_EMIT picked(bar, timeline_->spans[static_cast<std::size_t>(bar)].lane);
}

std::vector<std::int64_t> TraceView::find(const QString& words) const {
  std::vector<std::int64_t> bars;
  if (!timeline_ || words.isEmpty()) return bars;
  const auto has = [&](const QString& text) { return text.contains(words, Qt::CaseInsensitive); };
  std::vector<bool> named;
  for (const Message& label : timeline_->legend.labels) named.push_back(has(coreText(label)));
  for (std::size_t i = 0; i < timeline_->spans.size(); ++i) {
    const Span& span = timeline_->spans[i];
    if (!named[span.label] && !(whose_.isEmpty() && has(nameOf(span.kind)))) continue;
    const TraceRow& row = rows_[rowOf(span.lane)];  // of lanes that are alike, only one is drawn
    if (row.of == TraceRow::Of::Alike && span.lane != row.lanes.front() && isWithinStep(*timeline_, span)) continue;
    bars.push_back(static_cast<std::int64_t>(i));
  }
  std::ranges::stable_sort(bars, {},
                           [&](std::int64_t i) { return timeline_->spans[static_cast<std::size_t>(i)].startNs; });
  return bars;
}

// Goes to the next or the previous bar of the lane; without a current bar, to the first lane's first or last.
void TraceView::walk(int direction) {
  if (!timeline_ || rows_.empty()) return;
  const int lane =
      current_ == kNone ? rows_.front().lanes.front() : timeline_->spans[static_cast<std::size_t>(current_)].lane;
  const auto first = static_cast<std::int64_t>(timeline_->laneBegin(lane));
  const auto count = std::ssize(timeline_->lane(lane));
  if (count == 0) return;
  const std::int64_t next = current_ == kNone ? (direction > 0 ? first : first + count - 1) : current_ + direction;
  if (next < first || next >= first + count) return;
  goTo(next);
}

bool TraceView::event(QEvent* event) {
  // Here the trace takes these keys, whatever they mean elsewhere in the window.
  if (takesKey(*event, kKeys)) return true;
  if (range_ && takesKey(*event, {Qt::Key_Escape})) return true;
  return QAbstractScrollArea::event(event);
}

void TraceView::keyPressEvent(QKeyEvent* event) {
  const QPointF pointer = viewport()->mapFromGlobal(QCursor::pos());
  const bool over = viewport()->rect().contains(pointer.toPoint()) && pointer.x() > scale_.leftPx;
  const double x = over ? pointer.x() : scale_.leftPx + scale_.widthPx / 2;
  const double most = (event->modifiers() & Qt::ShiftModifier) != 0 ? 3 : 1;
  switch (event->key()) {
    case Qt::Key_W:
      return zoom(std::pow(kZoomStep, most), x);
    case Qt::Key_S:
      return zoom(std::pow(kZoomStep, -most), x);
    case Qt::Key_A:
      return pan(-kPanStep * most);
    case Qt::Key_D:
      return pan(kPanStep * most);
    case Qt::Key_F:
      return fit();
    case Qt::Key_Period:
      return walk(1);
    case Qt::Key_Comma:
      return walk(-1);
    case Qt::Key_R:
      if (current_ != kNone) {
        const Span& bar = timeline_->spans[static_cast<std::size_t>(current_)];
        setRange(Range{bar.startNs, bar.startNs + bar.durationNs});
      }
      return;
    case Qt::Key_Escape:
      if (range_) return setRange(std::nullopt);
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
  if (!event->buttons().testFlag(Qt::LeftButton)) pressed_.reset(), dragging_ = false;  // released where nobody told
  if (pressed_ && timeline_ && pressed_->x() >= scale_.leftPx) {
    dragging_ = dragging_ || std::abs(place.x() - pressed_->x()) > kDragPx;
    if (!dragging_) return;
    const auto ns = [this](double x) {
      return std::llround(scale_.nsAt(std::clamp(x, scale_.leftPx, scale_.leftPx + scale_.widthPx)));
    };
    const std::int64_t a = ns(pressed_->x()), b = ns(place.x());
    setRange(Range{std::min(a, b), std::max(a, b)});
    return;
  }
  const std::int64_t bar = barAt(place);
  if (bar == hovered_) return;
  hovered_ = bar;
  if (arrowsShown_) refreshGround();
  Q_EMIT barHovered(bar);
}

void TraceView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !pressed_) return;
  pressed_.reset();
  if (std::exchange(dragging_, false)) return;
  setRange(std::nullopt);
  const std::int64_t bar = barAt(event->position());
  const int lane = laneAt(event->position());
  // A click on the name of a shared row unfolds it.
  if (bar == kNone && lane >= 0 && event->position().x() < scale_.leftPx &&
      rows_[rowOf(lane)].of == TraceRow::Of::Alike)
    return setFolded(false);
  setCurrent(bar, false);
  Q_EMIT picked(bar, bar != kNone || event->position().x() < scale_.leftPx ? lane : -1);
}

void TraceView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && timeline_ && event->position().x() >= scale_.leftPx)
    Q_EMIT wanted(std::llround(scale_.nsAt(event->position().x())));
}

void TraceView::wheelEvent(QWheelEvent* event) {
  const double turn = event->angleDelta().y() / 120.0;
  if ((event->modifiers() & Qt::ControlModifier) != 0) {
    zoom(std::pow(kZoomStep, turn), event->position().x());
  } else if ((event->modifiers() & Qt::ShiftModifier) != 0 || event->angleDelta().x() != 0) {
    pan(-kPanStep * (turn + event->angleDelta().x() / 120.0));
  } else {
    return QAbstractScrollArea::wheelEvent(event);
  }
  event->accept();
}

void TraceView::scrollContentsBy(int, int) {
  refreshGround();
}

bool TraceView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave && hovered_ != kNone) {
    hovered_ = kNone;
    if (arrowsShown_) refreshGround();
    Q_EMIT barHovered(kNone);
  }
  const auto words = [this](const QPoint& at) {
    const std::int64_t bar = barAt(at);
    return bar == kNone ? QString() : tipOf(static_cast<std::size_t>(bar));
  };
  if (showsTip(*event, *viewport(), words)) return true;
  return QAbstractScrollArea::viewportEvent(event);
}

QString TraceView::tipOf(std::size_t bar) const {
  const Span& span = timeline_->spans[bar];
  const TraceLegend& legend = timeline_->legend;
  const TraceRow& row = rows_[rowOf(span.lane)];
  if (!whose_.isEmpty())
    return coreText(legend.labels[span.label]) + QLatin1Char('\n') + durationText(span.durationNs) +
           QStringLiteral(", ") + whose_;
  QString text = coreText(legend.labels[span.label]) + QStringLiteral(" · ") + nameOf(span.kind) +
                 QStringLiteral("\n") + durationText(span.durationNs);
  if (timeline_->launchNs[bar] > 0) text += tr(", of which %1 launching").arg(durationText(timeline_->launchNs[bar]));
  text += QStringLiteral(", ") + (span.clock == TimeSource::Modelled ? tr("modelled") : tr("measured"));
  if (span.from >= 0 && span.to >= 0)
    text += QStringLiteral("\n%1 → %2, %3")
                .arg(coreText(legend.endpoints[static_cast<std::size_t>(span.from)].name),
                     coreText(legend.endpoints[static_cast<std::size_t>(span.to)].name), bytesText(span.bytes));
  if (row.of == TraceRow::Of::Alike)
    text += QLatin1Char('\n') + tr("%1: to the nanosecond").arg(namesOf(*timeline_, row).front());
  return text;
}

}  // namespace lab
