// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/roofline_chart.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/at.h"
#include "ui/accessibility/announcer.h"
#include "ui/accessibility/own_events.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr double kGiga = 1e9;                               // the axis is in GFLOP/s
constexpr double kRadius = 0.36, kReach = 0.9, kGap = 0.3;  // in text sizes: a point, its reach, the gap to its name
constexpr double kAir = 2;                                  // the axes extend beyond the outermost point by this factor
constexpr int kTicks = 5;

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("roofline"));
  setAccessibleName(tr("Roofline"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setWhatsThis(
      tr("Each point is an operation: to the right with more arithmetic for each byte, higher with more arithmetic a "
         "second. The roofs are what the device can do at most: the slope is what the memory's bandwidth allows, the "
         "level is the peak of "
         "the arithmetic. The arrow keys go from point to point; a click chooses the operation in the table."));
}

QSize RooflineChart::sizeHint() const {
  return {theme::em(22), theme::em(15)};
}

QSize RooflineChart::minimumSizeHint() const {
  return {theme::em(14), theme::em(8)};
}

void RooflineChart::setOperations(const std::vector<OperationRow>& rows, const std::optional<DeviceRoofs>& roofs,
                                  const QString& lacking) {
  rows_ = rows;
  roofs_ = roofs;
  lacking_ = roofs ? QString() : lacking;
  if (current_ >= static_cast<int>(rows_.size())) current_ = -1;
  roof_.clear();
  if (roofs_) {
    const Range x = scale().x;
    for (const double at : {x.from, std::clamp(roofs_->ridge(), x.from, x.to), x.to})
      roof_.append(at, roofs_->at(at) / kGiga, 0);
  }
  describe();
  update();
}

void RooflineChart::setCurrent(int row) {
  if (row == current_) return;
  current_ = row;
  describe();
  update();
}

std::vector<int> RooflineChart::points() const {
  std::vector<int> points;
  for (int row = 0; row < static_cast<int>(rows_.size()); ++row)
    if (roofs_ && placeOf(lab::at(rows_, row), *roofs_)) points.push_back(row);
  std::ranges::stable_sort(points, {}, [this](int row) { return lab::at(rows_, row).flopPerByte(); });
  return points;
}

QString RooflineChart::words() const {
  if (!roofs_) return lacking_;
  const std::vector<int> all = points();
  if (std::ranges::find(all, current_) != all.end()) return boundWords(lab::at(rows_, current_), *roofs_);
  int memory = 0, compute = 0, launches = 0;
  for (const int row : all) {
    const Bound bound = placeOf(lab::at(rows_, row), *roofs_)->bound;
    ++(bound == Bound::Memory ? memory : bound == Bound::Compute ? compute : launches);
  }
  QStringList parts;
  if (memory > 0) parts << tr("%1 bound by memory").arg(memory);
  if (compute > 0) parts << tr("%1 bound by arithmetic").arg(compute);
  if (launches > 0) parts << tr("%1 bound by launches").arg(launches);
  return all.empty() ? QString() : tr("Operations: %1.").arg(parts.join(QStringLiteral(", ")));
}

void RooflineChart::describe() {
  setAccessibleDescription(words());
}

ChartScale RooflineChart::scale() const {
  ChartScale scale{.x = {0.1, 1000}, .y = {1, 1000}, .logarithmic = true, .logarithmicX = true};
  if (!roofs_) return scale;
  double left = roofs_->ridge(), right = left, low = roofs_->flopPerSecond, high = low;
  for (const int point : points()) {
    const OperationRow& row = lab::at(rows_, point);
    left = std::min(left, row.flopPerByte());
    right = std::max(right, row.flopPerByte());
    low = std::min(low, row.flopPerSecond());
    high = std::max(high, row.flopPerSecond());
  }
  scale.x = {left / kAir, right * kAir};
  scale.y = {low / kAir / kGiga, high * kAir / kGiga};
  return scale;
}

PlotHead RooflineChart::head() const {
  if (!roofs_) return {};
  return {.title = QString::fromStdString(roofs_->device), .unit = tr(", GFLOP/s"), .entries = {}};
}

QRectF RooflineChart::area() const {
  return PlotView::plotArea(head().layout(font(), size(), PlotHead::Names::Below).plot);
}

Plot RooflineChart::plot() const {
  const theme::Colours& colours = theme::colours();
  Plot plot{.scale = scale(), .xTitle = tr("FLOP/byte"), .lacking = lacking_};
  plot.along = logTicks(plot.scale.x, kTicks);
  if (!roofs_) {
    plot.along = plot.up = std::vector<Tick>{};
    plot.xTitle.clear();
    return plot;
  }
  plot.series.push_back({&roof_, {.colour = colours.ink, .width = 2}});
  plot.rules.push_back({roofs_->ridge(), QPen(colours.edge, 1, Qt::DashLine), {}, true});
  for (const int point : points()) {
    const OperationRow& row = lab::at(rows_, point);
    const bool chosen = point == current_;
    plot.marks.push_back({.at = {row.flopPerByte(), row.flopPerSecond() / kGiga},
                          .radius = (chosen ? 1.5 : 1) * kRadius * theme::textSize(),
                          .pen = QPen(chosen ? colours.accent : colours.panel, chosen ? 3 : 1),
                          .fill = lookOf(*row.kind).ground});
  }
  return plot;
}

std::optional<QPointF> RooflineChart::at(int row) const {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return std::nullopt;
  const OperationRow& one = lab::at(rows_, row);
  if (!roofs_ || !placeOf(one, *roofs_)) return std::nullopt;
  return scale().at(area(), {one.flopPerByte(), one.flopPerSecond() / kGiga});
}

int RooflineChart::rowAt(const QPointF& place) const {
  int best = -1;
  double nearest = kReach * theme::textSize();
  for (const int row : points()) {
    const QPointF away = *at(row) - place;
    const double distance = std::hypot(away.x(), away.y());
    if (distance > nearest) continue;
    nearest = distance;
    best = row;
  }
  return best;
}

void RooflineChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.fillRect(rect(), theme::colours().panel);
  const PlotHead::Layout layout = head().layout(font(), size(), PlotHead::Names::Below);
  head().paint(painter, size(), layout);
  view_.paint(painter, layout.plot, plot());
  paintNames(painter);
  if (hasFocus()) {
    painter.setPen(QPen(theme::colours().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
  }
}

bool RooflineChart::isOnRoof(const QRectF& box) const {
  const ChartScale values = scale();
  const QRectF place = area();
  const auto below = [&](const QPointF& at) {
    const QPointF value = values.valueAt(place, at);
    return value.y() * kGiga < roofs_->at(value.x());
  };
  return below(box.topLeft()) != below(box.bottomRight()) || below(box.topRight()) != below(box.bottomLeft());
}

// Names the operations that took longest first. Leaves out names that would cover another name, a point or the roof.
void RooflineChart::paintNames(QPainter& painter) const {
  painter.setFont(theme::smallFont(font()));
  const QFontMetricsF metrics(painter.font());
  std::vector<int> order = points();
  std::ranges::stable_sort(order, std::greater{}, [this](int row) {
    return row == current_ ? std::numeric_limits<std::int64_t>::max() : lab::at(rows_, row).totalNs;
  });
  std::vector<QRectF> taken;
  const double half = kRadius * theme::textSize(), gap = kGap * theme::textSize();
  for (const int row : order) taken.emplace_back(*at(row) - QPointF(half, half), QSizeF(2 * half, 2 * half));
  const QRectF place = area();
  for (const int row : order) {
    const QString name = operationName(lab::at(rows_, row));
    const QSizeF size(metrics.horizontalAdvance(name), metrics.height());
    const QPointF point = *at(row);
    const double across = size.width() / 2 + half + gap, up = size.height() / 2 + half;
    for (const QPointF& away : {QPointF(across, 0), {-across, 0}, {0, up}, {0, -up}}) {
      QRectF box({0, 0}, size);
      box.moveCenter(point + away);
      const bool fits = place.contains(box) && !isOnRoof(box) &&
                        std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(box); });
      if (!fits) continue;
      taken.push_back(box);
      painter.setPen(theme::colours().ink);
      painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, name);
      break;
    }
  }
}

void RooflineChart::mousePressEvent(QMouseEvent* event) {
  const int row = event->button() == Qt::LeftButton ? rowAt(event->position()) : -1;
  if (row < 0) return QWidget::mousePressEvent(event);
  setCurrent(row);
  Q_EMIT chosen(row);
}

void RooflineChart::keyPressEvent(QKeyEvent* event) {
  const std::vector<int> all = points();
  const auto here = std::ranges::find(all, current_);
  auto to = all.end();
  if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Up)
    to = here == all.end() ? all.begin() : here + 1 == all.end() ? here : here + 1;
  else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Down)
    to = here == all.end() ? all.end() - (all.empty() ? 0 : 1) : here == all.begin() ? here : here - 1;
  else if (event->key() == Qt::Key_Home)
    to = all.begin();
  else if (event->key() == Qt::Key_End && !all.empty())
    to = all.end() - 1;
  if (to == all.end()) return QWidget::keyPressEvent(event);
  setCurrent(*to);
  announce(*this, words(), Announcer::Kind::Passing);
  Q_EMIT chosen(*to);
}

void RooflineChart::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  update();
}

bool RooflineChart::event(QEvent* event) {
  if (takesKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home, Qt::Key_End}, {}))
    return true;
  const auto words = [this](const QPoint& place) {
    const int row = rowAt(place);
    return row < 0 ? QString() : boundWords(lab::at(rows_, row), *roofs_);
  };
  return showsTip(*event, *this, words) || QWidget::event(event);
}

}  // namespace lab
