// SPDX-License-Identifier: GPL-3.0-or-later
// The user's input on a chart: wheel, drag, box, click and keys.
#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "ui/accessibility/own_events.h"
#include "ui/charts/metric_chart.h"
#include "ui/runs/run_library.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kWheelStep = 1.25, kKeyStep = 1.5, kPanPart = 0.1;
constexpr int kClickReach = 4;      // how far the pointer may move in a click, in pixels
constexpr double kPointReach = 30;  // how near to a point a click must be to choose it, in pixels
constexpr double kClosest = 1e-9;   // smallest range relative to its position: doubles have no finer values
constexpr double kSmallestBox = 6;

Range scaled(const Range& range, double factor, double at) {
  const double fixed = range.from + at * range.length();
  return {fixed - (fixed - range.from) * factor, fixed + (range.to - fixed) * factor};
}

bool isUsable(const Range& range) {
  const double size = std::max(std::abs(range.from), std::abs(range.to));
  return std::isfinite(range.from) && std::isfinite(range.to) && range.length() > kClosest * std::max(size, 1e-6) &&
         size < 1e15;
}

}  // namespace

void MetricChart::changed() {
  stale_ = true;
  update();
  Q_EMIT zoomed();
}

void MetricChart::showAll() {
  if (!isZoomed()) return;
  zoomX_.reset();
  zoomY_.reset();
  changed();
}

void MetricChart::zoom(double factor, double at, bool alongY) {
  if (!alongY) {
    Range range = scaled(scale_.x, factor, at);
    range.from = std::max(range.from, 0.0);
    if (!isUsable(range)) return;
    zoomX_ = range;
  } else {
    Range range = scaled(scale_.y, factor, at);
    if (scale_.logarithmic) range = {scale_.valueY(at - at * factor), scale_.valueY(at + (1 - at) * factor)};
    if (!isUsable(range) || (scale_.logarithmic && range.from <= 0)) return;
    zoomY_ = range;
  }
  changed();
}

void MetricChart::pan(double dx, double dy) {
  if (dx != 0) {
    const double by = std::max(dx * scale_.x.length(), -scale_.x.from);  // not beyond 0
    zoomX_ = Range{scale_.x.from + by, scale_.x.to + by};
  }
  if (dy != 0) {
    const Range range{scale_.valueY(dy), scale_.valueY(1 + dy)};
    if (isUsable(range)) zoomY_ = range;
  }
  changed();
}

void MetricChart::zoomInto(Range x, Range y) {
  if (!isUsable(x) || !isUsable(y)) return;
  zoomX_ = x;
  zoomY_ = y;
  changed();
}

QPointF MetricChart::unitAt(const QPointF& position) const {
  const QRectF plot = plotArea();
  return {(position.x() - plot.left()) / plot.width(), (plot.bottom() - position.y()) / plot.height()};
}

void MetricChart::wheelEvent(QWheelEvent* event) {
  const int delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (delta == 0 || !plotArea().contains(event->position())) return event->ignore();
  const QPointF unit = unitAt(event->position());
  const bool alongY = event->modifiers().testFlag(Qt::ControlModifier);
  zoom(std::pow(kWheelStep, -delta / 120.0), alongY ? unit.y() : unit.x(), alongY);
  event->accept();
}

void MetricChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && event->position().y() < plotArea().top()) {
    head_ = event->position();
    return;
  }
  if (event->button() != Qt::LeftButton || !plotArea().contains(event->position())) return event->ignore();
  pressed_ = dragged_ = event->position();
  moved_ = false;
  if (event->modifiers().testFlag(Qt::ShiftModifier)) box_ = event->position();
}

void MetricChart::mouseMoveEvent(QMouseEvent* event) {
  if (head_) {
    if ((event->position() - *head_).manhattanLength() < QApplication::startDragDistance()) return;
    head_.reset();
    Q_EMIT dragWanted();
    return;
  }
  if (!pressed_) {
    point(event->position());
    return;
  }
  if ((event->position() - *pressed_).manhattanLength() > kClickReach) moved_ = true;
  if (!moved_) return;
  if (box_) {
    box_ = event->position();
    update();
    return;
  }
  const QRectF plot = plotArea();
  const QPointF by = event->position() - dragged_;
  dragged_ = event->position();
  pointer_.reset();
  setCursor(Qt::ClosedHandCursor);
  pan(-by.x() / plot.width(), zoomY_ ? by.y() / plot.height() : 0);
}

void MetricChart::mouseReleaseEvent(QMouseEvent* event) {
  head_.reset();
  if (event->button() != Qt::LeftButton || !pressed_) return event->ignore();
  const QPointF from = *pressed_;
  pressed_.reset();
  unsetCursor();
  if (box_) {
    const QRectF box = QRectF(from, *box_).normalized();
    box_.reset();
    if (box.width() >= kSmallestBox && box.height() >= kSmallestBox) {
      const QPointF low = unitAt(box.bottomLeft()), high = unitAt(box.topRight());
      zoomInto({std::max(0.0, scale_.valueX(low.x())), scale_.valueX(high.x())},
               {scale_.valueY(low.y()), scale_.valueY(high.y())});
    }
    update();
    return;
  }
  if (moved_) return point(event->position());
  const std::vector<Reading> found = readingsAt(from);
  if (found.empty() || std::abs(positionOf(found.front().value).x() - from.x()) > kPointReach) return;
  const Line& line = lines_[found.front().curve];
  const RunCurves& curves = curves_[line.curves];
  Q_EMIT pointClicked(curves.run(), curves.stepOf(curveOf(line).tag(found.front().point), line.kind == Kind::Test));
}

void MetricChart::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) showAll();
}

void MetricChart::point(const QPointF& position) {
  const bool inside = plotArea().contains(position);
  if (!inside && !pointer_) return;
  pointer_ = inside ? std::optional(position) : std::nullopt;
  update();
}

void MetricChart::leaveEvent(QEvent*) {
  if (!pointer_) return;
  pointer_.reset();
  update();
}

void MetricChart::focusOutEvent(QFocusEvent*) {
  pointer_.reset();
  update();
}

bool MetricChart::event(QEvent* event) {
  // A chart reached with Tab takes its keys before the window's shortcuts do; Ctrl++ stays the window's.
  if (takesKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Plus, Qt::Key_Minus,
                        Qt::Key_Home, Qt::Key_Return, Qt::Key_Menu}))
    return true;
  return QWidget::event(event);
}

void MetricChart::keyPressEvent(QKeyEvent* event) {
  const QRectF plot = plotArea();
  const auto move = [&](double pixels) {
    const QPointF now = pointer_.value_or(plot.center());
    point({std::clamp(now.x() + pixels, plot.left(), plot.right() - 1), now.y()});
    // A screen reader reads out the crosshair's values.
    setAccessibleDescription(readingWords(*pointer_).join(QStringLiteral("; ")));
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return move(-0.02 * plot.width());
    case Qt::Key_Right:
      return move(0.02 * plot.width());
    case Qt::Key_PageUp:
      return pan(-kPanPart, 0);
    case Qt::Key_PageDown:
      return pan(kPanPart, 0);
    case Qt::Key_Plus:
      return zoom(1 / kKeyStep, pointer_ ? unitAt(*pointer_).x() : 0.5, false);
    case Qt::Key_Minus:
      return zoom(kKeyStep, 0.5, false);
    case Qt::Key_Home:
      return showAll();
    case Qt::Key_Return:
      if (pointer_) {
        QMouseEvent release(QEvent::MouseButtonRelease, *pointer_, mapToGlobal(*pointer_), Qt::LeftButton, {}, {});
        pressed_ = pointer_;
        moved_ = false;
        mouseReleaseEvent(&release);
      }
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void MetricChart::contextMenuEvent(QContextMenuEvent* event) {
  if (menu_->isEnabled()) Q_EMIT menuWanted(event->globalPos());
}

void MetricChart::resizeEvent(QResizeEvent*) {
  menu_->adjustSize();
  menu_->move(width() - menu_->width() - theme::em(0.2), theme::em(0.15));
  stale_ = true;
}

void MetricChart::showEvent(QShowEvent*) {
  refresh();
}

void MetricChart::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    stale_ = true;
    updateGeometry();
    update();
  }
}

}  // namespace lab
