// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/metric_chart.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/paper.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLeast = 8, kLeastBeside = 6;  // height, in text sizes; beside the stage, the head is at the chart's
                                                // end
constexpr double kSmooth = 1.0 / 3;             // share of the points that is enough for a smooth curve
constexpr double kMenu = 2.2;                   // in text sizes: the menu's button
constexpr double kWheelStep = 1.25, kKeyStep = 1.5, kPanPart = 0.1;
constexpr int kClickReach = 4;      // how far the pointer may move in a click, in pixels
constexpr double kPointReach = 30;  // how near to a point a click must be to choose it, in pixels
constexpr double kSmallestBox = 6;

}  // namespace

MetricChart::MetricChart(Quantity quantity, RunLibrary& library, QWidget* parent)
    : QWidget(parent),
      words_(wordsOf(quantity)),
      lines_(quantity, library),
      ranges_(lines_, library),
      crosshair_(lines_, ranges_.scale()) {
  setObjectName(QLatin1String(words_.key));
  setAccessibleName(words_.name);
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setWhatsThis(tr("<p><b>%1</b></p><p>Wheel: zoom along x, with Ctrl along y. Drag: move. Shift and drag: zoom into a "
                  "box. Double-click: show everything again. Click on a point: the stage goes to that "
                  "step.</p><p>Where there are more points than pixels, the smallest and the largest value of each "
                  "pixel column are drawn: no spike is lost.</p>")
                   .arg(words_.name));
  menu_ = new QToolButton(this);
  menu_->setText(QStringLiteral("⋯"));
  menu_->setObjectName(QStringLiteral("chartMenu"));
  menu_->setAccessibleName(tr("What to do with the chart %1").arg(words_.name));
  menu_->setToolTip(tr("Copy, export, show as a table"));
  menu_->setFocusPolicy(Qt::TabFocus);
  menu_->setAutoRaise(true);
  connect(&ranges_, &ChartRanges::zoomed, this, &MetricChart::outdate);
  connect(menu_, &QToolButton::clicked, this,
          [this] { Q_EMIT menuWanted(menu_->mapToGlobal(QPoint(0, menu_->height()))); });
}

QSize MetricChart::minimumSizeHint() const {
  return {theme::em(14), theme::em(ranges_.isBesideStage() ? kLeastBeside : kLeast)};
}
QSize MetricChart::sizeHint() const {
  return {theme::em(24), theme::em(14)};
}

void MetricChart::setBesideStage(bool beside) {
  if (!ranges_.setBesideStage(beside)) return;
  updateGeometry();
  redraw();
}

void MetricChart::setOptions(const ChartOptions& options) {
  const ChartOptions& before = lines_.options();
  if (options == before) return;
  ranges_.forget(options.axis != before.axis, options.logarithmic != before.logarithmic);
  lines_.setOptions(options);
  redraw();
}

void MetricChart::outdate() {
  stale_ = true;
  update();
}

void MetricChart::refresh() {
  if (!lines_.follow()) return;
  // A zoomed view does not change if no new data lies in it.
  stale_ = true;
  if (isVisible()) update();
}

void MetricChart::redraw() {
  lines_.follow();
  outdate();
}

Plot MetricChart::plot() const {
  Plot plot{.scale = scale(),
            .xTitle = nameOf(lines_.options().axis),
            .countedX = isCounted(lines_.options().axis),
            .countedY = isCounted(lines_.quantity()),
            .foot = ranges_.hasFoot() ? QStringLiteral("0") : QString()};
  for (const ChartLines::Line& line : lines_.lines())
    plot.series.push_back({&lines_.curveOf(line), line.look, line.kind == ChartLines::Kind::Each,
                           line.kind == ChartLines::Kind::Smoothed ? kSmooth : 1});
  // Below the noise scale a larger batch pays off; above it, hardly.
  if (const std::optional<double> batch = lines_.batchLine())
    plot.rules.push_back({*batch, QPen(theme::colours().accent, 0.09 * theme::textSize(), Qt::DashLine),
                          tr("global batch %1").arg(countText(std::llround(*batch)))});
  plot.exits = lines_.exits(scale().y.to);
  if (lines_.isAwaited()) plot.lacking = tr("As training goes on, a line grows here: a point for each value.");
  return plot;
}

PlotHead MetricChart::head(Names names) const {
  PlotHead head{.title = words_.name,
                .unit = (words_.unit.isEmpty() ? QString() : tr(", %1").arg(words_.unit)) +
                        (scale().logarithmic ? tr(", logarithmic") : QString()),
                .entries = {},
                .menu = double(theme::em(kMenu))};
  // Beside the chart are the names of several runs.
  if (names != Names::Beside || lines_.curves().size() < 2) head.entries = lines_.entries();
  return head;
}

PlotHead::Layout MetricChart::layout(const PlotHead& head, const QSizeF& size, Names names) const {
  return head.layout(font(), size, names == Names::All ? PlotHead::Names::All : PlotHead::Names::End);
}

QSizeF MetricChart::pictureSize() {
  lines_.chooseLooks();
  ranges_.fit(plotArea());
  return QSizeF(width(), height() + layout(head(Names::All), size(), Names::All).namesHeight());
}

void MetricChart::paintPicture(QPainter& painter, const QSizeF& size, Names names) {
  painter.fillRect(QRectF({0, 0}, size), theme::colours().panel);
  lines_.chooseLooks();
  ranges_.fit(plotArea());
  const PlotHead head = this->head(names);
  const PlotHead::Layout layout = this->layout(head, size, names);
  head.paint(painter, size, layout);
  view_.paint(painter, layout.plot, plot());
}

void MetricChart::paintEvent(QPaintEvent*) {
  const double ratio = devicePixelRatioF();
  if (stale_ || picture_.size() != size() * ratio) {
    stale_ = false;
    ++paints_;
    if (picture_.size() != size() * ratio) picture_ = QPixmap(size() * ratio);
    picture_.setDevicePixelRatio(ratio);
    QPainter painter(&picture_);
    keepLeftToRight(painter);
    painter.setFont(font());
    paintPicture(painter, QSizeF(size()), legendBeside_ ? Names::Beside : Names::InHeader);
  }
  QPainter painter(this);
  keepLeftToRight(painter);
  drawPicture(painter, picture_,
              [&] { paintPicture(painter, QSizeF(size()), legendBeside_ ? Names::Beside : Names::InHeader); });
  if (box_) {
    QColor fill = theme::colours().accent;
    fill.setAlphaF(0.15F);
    painter.setPen(theme::colours().accent);
    painter.setBrush(fill);
    painter.drawRect(QRectF(*pressed_, *box_).normalized());
  } else if (crosshair_.at()) {
    crosshair_.paint(painter, plotArea(), size());
  }
  if (hasFocus()) {
    painter.setPen(QPen(theme::colours().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
}

QRectF MetricChart::plotArea() const {
  const Names names = legendBeside_ ? Names::Beside : Names::InHeader;
  return PlotView::plotArea(layout(head(names), size(), names).plot);
}

QPointF MetricChart::positionOf(const QPointF& value) const {
  return scale().at(plotArea(), value);
}

QList<QPointF> MetricChart::shownPoints(int run, ChartLines::Kind kind) const {
  const Curve* curve = lines_.curve(run, kind);
  if (curve == nullptr) return {};
  return curve->shown(scale().x.from, scale().x.to, PlotView::columnsOf(plotArea()));
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
  ranges_.zoom(std::pow(kWheelStep, -delta / 120.0), alongY ? unit.y() : unit.x(), alongY);
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
  if (!pressed_) return point(event->position());
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
  crosshair_.hide();
  setCursor(Qt::ClosedHandCursor);
  ranges_.pan(-by.x() / plot.width(), ranges_.isZoomedUp() ? by.y() / plot.height() : 0);
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
      ranges_.zoomInto({std::max(0.0, scale().valueX(low.x())), scale().valueX(high.x())},
                       {scale().valueY(low.y()), scale().valueY(high.y())});
    }
    update();
    return;
  }
  if (moved_) return point(event->position());
  const std::vector<Reading> found = crosshair_.readingsAt(from, plotArea());
  if (found.empty() || std::abs(positionOf(found.front().value).x() - from.x()) > kPointReach) return;
  const ChartLines::Line& line = lines_.lines()[found.front().curve];
  const RunCurves& curves = lines_.curves()[line.curves];
  const std::uint32_t tag = lines_.curveOf(line).tag(found.front().point);
  Q_EMIT pointClicked(curves.run(), curves.stepOf(tag, line.kind == ChartLines::Kind::Test));
}

void MetricChart::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) ranges_.showAll();
}

void MetricChart::point(const QPointF& position) {
  if (crosshair_.move(position, plotArea())) update();
}

void MetricChart::leaveEvent(QEvent*) {
  if (crosshair_.hide()) update();
}

void MetricChart::focusOutEvent(QFocusEvent*) {
  crosshair_.hide();
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
    const QPointF now = crosshair_.at().value_or(plot.center());
    point({std::clamp(now.x() + pixels, plot.left(), plot.right() - 1), now.y()});
    // A screen reader reads out the crosshair's values.
    setAccessibleDescription(crosshair_.wordsAt(*crosshair_.at(), plot).join(QStringLiteral("; ")));
  };
  const std::optional<QPointF>& at = crosshair_.at();
  switch (event->key()) {
    case Qt::Key_Left:
      return move(-0.02 * plot.width());
    case Qt::Key_Right:
      return move(0.02 * plot.width());
    case Qt::Key_PageUp:
      return ranges_.pan(-kPanPart, 0);
    case Qt::Key_PageDown:
      return ranges_.pan(kPanPart, 0);
    case Qt::Key_Plus:
      return ranges_.zoom(1 / kKeyStep, at ? unitAt(*at).x() : 0.5, false);
    case Qt::Key_Minus:
      return ranges_.zoom(kKeyStep, 0.5, false);
    case Qt::Key_Home:
      return ranges_.showAll();
    case Qt::Key_Return:
      if (at) {
        QMouseEvent release(QEvent::MouseButtonRelease, *at, mapToGlobal(*at), Qt::LeftButton, {}, {});
        pressed_ = at;
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
    updateGeometry();
    outdate();
  }
}

}  // namespace lab
