// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/metric_chart.h"

#include <QEvent>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/runs/run_library.h"
#include "ui/theme/icons.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kMostColumns = 999;               // of a line, two points in each
constexpr double kLeast = 8, kLeastBeside = 6;  // height, of the text size; beside the stage it has its head at its end
constexpr int kFewPoints = 20;                  // marked one by one
constexpr double kFaded = 0.5;                  // of their colour is left to earlier runs
constexpr double kBold = 1.7;                   // times as wide a line

// Far outside of the plot numbers are larger than can be drawn: a line is cut where it is out of sight already, and
// led along there.
constexpr double kOutside = 4;  // plots
QList<QPointF> kept(const QList<QPointF>& points) {
  const auto inside = [](const QPointF& point) { return std::abs(point.y()) <= kOutside; };
  if (std::all_of(points.begin(), points.end(), inside)) return points;
  QList<QPointF> cut;
  for (qsizetype i = 0; i < points.size(); ++i) {
    const QPointF& to = points[i];
    if (i > 0 && (!inside(points[i - 1]) || !inside(to))) {
      const QPointF& from = points[i - 1];
      const bool up = to.y() > from.y();
      for (const double edge : {up ? -kOutside : kOutside, up ? kOutside : -kOutside}) {
        const double part = (edge - from.y()) / (to.y() - from.y());
        if (part > 0 && part < 1) cut.append({from.x() + part * (to.x() - from.x()), edge});
      }
    }
    cut.append({to.x(), std::clamp(to.y(), -kOutside, kOutside)});
  }
  return cut;
}

bool noisy(MetricChart::Kind kind) {
  return kind == MetricChart::Kind::Each;
}

}  // namespace

MetricChart::MetricChart(Quantity quantity, RunLibrary& library, QWidget* parent)
    : QWidget(parent), quantity_(quantity), words_(wordsOf(quantity)), library_(library) {
  setObjectName(QLatin1String(words_.key));
  setAccessibleName(words_.name);
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setWhatsThis(
      tr("<p><b>%1</b></p><p>Wheel: closer or further along x, with Ctrl along y. Drag: move. Shift and drag: "
         "into a box. Double click: everything again. Click on a point: the stage goes to that step.</p><p>"
         "Where there are more points than pixels, the smallest and the largest value of each pixel column are "
         "drawn: no spike is lost.</p>")
          .arg(words_.name));
  menu_ = new QToolButton(this);
  menu_->setText(QStringLiteral("⋯"));
  menu_->setObjectName(QStringLiteral("chartMenu"));
  menu_->setAccessibleName(tr("What to do with the chart %1").arg(words_.name));
  menu_->setToolTip(tr("Copy, export, show as a table"));
  menu_->setFocusPolicy(Qt::TabFocus);
  menu_->setAutoRaise(true);
  connect(menu_, &QToolButton::clicked, this,
          [this] { Q_EMIT menuWanted(menu_->mapToGlobal(QPoint(0, menu_->height()))); });
}

MetricChart::~MetricChart() = default;

QSize MetricChart::minimumSizeHint() const {
  return {theme::em(14), theme::em(besideStage_ ? kLeastBeside : kLeast)};
}
QSize MetricChart::sizeHint() const {
  return {theme::em(24), theme::em(14)};
}

void MetricChart::setBesideStage(bool beside) {
  if (std::exchange(besideStage_, beside) == beside) return;
  updateGeometry();
  redraw();
}

void MetricChart::setOptions(const ChartOptions& options) {
  if (options == options_) return;
  if (options.axis != options_.axis) zoomX_.reset();
  if (options.logarithmic != options_.logarithmic) zoomY_.reset();
  const bool other = options.axis != options_.axis || options.smoothing != options_.smoothing;
  options_ = options;
  if (other) curves_.clear();
  redraw();
}

const Curve& MetricChart::curveOf(const Line& line) const {
  const RunCurves& curves = curves_[line.curves];
  return line.kind == Kind::Each ? curves.each() : line.kind == Kind::Smoothed ? curves.smoothed() : curves.test();
}

bool MetricChart::matchRuns() {
  std::vector<const KeptRun*> wanted;
  for (const KeptRun& run : library_.runs())
    if (library_.isCharted(run)) wanted.push_back(&run);
  const bool same = std::equal(wanted.begin(), wanted.end(), curves_.begin(), curves_.end(),
                               [](const KeptRun* run, const RunCurves& curves) { return run->id == curves.run(); });
  if (same) return false;
  std::vector<RunCurves> kept;
  for (const KeptRun* run : wanted) {
    const auto found = std::find_if(curves_.begin(), curves_.end(),
                                    [run](const RunCurves& curves) { return curves.run() == run->id; });
    if (found != curves_.end()) {
      kept.push_back(std::move(*found));
    } else {
      kept.emplace_back(run->id, run->metrics, quantity_, options_);
    }
  }
  curves_ = std::move(kept);
  return true;
}

// Each run has a colour of its own for as long as it is kept. Earlier ones fade beside the run on the stage, which is
// bold. What is noisy lies below what is read from it.
void MetricChart::chooseLines() {
  const theme::Colours& colours = theme::colours();
  const double em = theme::textSize();
  const bool smooth = options_.smoothing > 0, tested = isTested(quantity_);
  const bool hasPresent =
      std::ranges::any_of(curves_, [this](const RunCurves& curves) { return curves.run() == library_.presentId(); });
  lines_.clear();
  for (const Kind kind : {Kind::Each, Kind::Smoothed, Kind::Test}) {
    if ((kind == Kind::Smoothed && !smooth) || (kind == Kind::Test && !tested)) continue;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      const int id = curves_[i].run();
      const KeptRun* run = library_.find(id);
      const bool present = id == library_.presentId(), earlier = hasPresent && !present && !library_.isBeside(id);
      double share = noisy(kind) && (smooth || tested) ? (smooth ? 0.35 : 0.6) : 1;
      if (earlier) share *= kFaded;
      const QColor own = run == nullptr ? colours.ink : runColour(run->colour);
      const double width = (noisy(kind) ? 0.09 : 0.14) * em * (present && curves_.size() > 1 ? kBold : 1);
      const bool marked =
          (noisy(kind) ? curves_[i].each() : curves_[i].test()).size() < kFewPoints && kind != Kind::Smoothed;
      lines_.push_back({i,
                        kind,
                        {share < 1 ? theme::faint(own, share) : own, width, marked ? 0.3 * em : 0,
                         run == nullptr ? Qt::SolidLine : runStyle(run->colour)}});
    }
  }
  std::vector<PlotView::Line> looks;
  for (const Line& line : lines_) looks.push_back(line.look);
  plot_.setLines(looks);
}

void MetricChart::place(int columns) {
  zeros_.clear();
  leaving_.clear();
  for (const RunCurves& curves : curves_) {
    const std::optional<double> at = curves.divergesAt();
    if (!at) continue;
    const KeptRun* run = library_.find(curves.run());
    // By zooming it may be brought back onto the axis.
    const Curve& each = curves.each();
    const std::size_t nearest = each.empty() ? 0 : each.nearest(*at);
    if (!each.empty() && each.x(nearest) == *at && each.y(nearest) <= scale_.y.to) continue;
    const double x = scale_.unitX(*at);
    if (x < 0 || x > 1) continue;
    leaving_.emplace_back(x, run == nullptr ? theme::colours().ink : runColour(run->colour));
  }
  const int most = std::min(columns, kMostColumns);
  const auto mark = [&](double x, double value, const Line& line) {
    if (scale_.logarithmic && value <= 0 && x >= 0 && x <= 1) zeros_.emplace_back(QPointF(x, 0), line.look.colour);
  };
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Curve& curve = curveOf(lines_[i]);
    const auto [from, to] = scale_.x;
    if (lines_[i].kind == Kind::Each && curve.countWithin(from, to) > static_cast<std::size_t>(columns)) {
      std::vector<Curve::Column> strokes = curve.columns(from, to, columns);
      for (Curve::Column& column : strokes) {
        mark(scale_.unitX(column.x), column.low, lines_[i]);
        column = {scale_.unitX(column.x), std::clamp(scale_.unitY(column.low), -kOutside, kOutside),
                  std::clamp(scale_.unitY(column.high), -kOutside, kOutside)};
      }
      plot_.setColumns(i, std::move(strokes));
      continue;
    }
    // A smooth curve needs fewer points.
    QList<QPointF> points = curve.shown(from, to, lines_[i].kind == Kind::Smoothed ? std::max(1, most / 3) : most);
    for (QPointF& value : points) {
      mark(scale_.unitX(value.x()), value.y(), lines_[i]);
      value = scale_.unit(value);
    }
    plot_.setPoints(i, kept(points));
  }
}

void MetricChart::refresh() {
  const bool other = matchRuns();
  bool more = false;
  for (RunCurves& curves : curves_) more = curves.follow() || more;
  if (!other && !more) return;
  // What is looked at closely stays as it is, where nothing new lies in it.
  stale_ = true;
  if (isVisible()) update();
}

bool MetricChart::isBehind() const {
  return std::any_of(curves_.begin(), curves_.end(), [](const RunCurves& curves) { return curves.isBehind(); });
}

void MetricChart::redraw() {
  matchRuns();
  for (RunCurves& curves : curves_) curves.follow();
  stale_ = true;
  update();
}

QSizeF MetricChart::pictureSize() {
  chooseLines();
  chooseRanges();
  return QSizeF(width(), height() + namesHeight(namePlaces(width())));
}

void MetricChart::paintPicture(QPainter& painter, const QSizeF& size, Names names) {
  painter.fillRect(QRectF({0, 0}, size), theme::colours().panel);
  chooseLines();
  chooseRanges();
  const Head written = head(size, names);
  const QSizeF rest = written.plot.size();
  place(std::max(16, static_cast<int>(PlotView::plotArea(rest).width())));
  drawHead(painter, size, written, legend(names != Names::Beside));
  painter.save();
  painter.translate(written.plot.topLeft());
  plot_.paint(painter, rest);
  drawZeros(painter, PlotView::plotArea(rest));
  drawBatch(painter, PlotView::plotArea(rest));
  drawLeaving(painter, PlotView::plotArea(rest));
  drawAwaited(painter, PlotView::plotArea(rest));
  painter.restore();
}

// Nothing that could be a line yet: what will be there. Of a run that has gone on a quantity that has no line has none.
void MetricChart::drawAwaited(QPainter& painter, const QRectF& plot) const {
  const KeptRun* present = library_.find(library_.presentId());
  if (present == nullptr || present->metrics->steps.size() > 1) return;
  const auto hasLine = [](const RunCurves& curves) { return curves.each().size() > 1 || curves.test().size() > 1; };
  if (std::ranges::any_of(curves_, hasLine)) return;
  painter.setPen(theme::colours().quietInk);
  painter.drawText(plot, Qt::AlignCenter | Qt::TextWordWrap,
                   tr("As training goes on, a line grows here: a point for each value."));
}

std::optional<double> MetricChart::batchLine() const {
  if (quantity_ != Quantity::NoiseScale) return std::nullopt;
  std::optional<double> batch;
  for (const RunCurves& curves : curves_) {
    const KeptRun* run = library_.find(curves.run());
    if (run == nullptr || !run->resolved.noiseScale || run->resolved.globalBatch == 0) continue;
    batch = static_cast<double>(run->resolved.globalBatch);
    if (run->id == library_.presentId()) break;
  }
  return batch;
}

// Below the noise scale a larger batch pays; above it, hardly.
void MetricChart::drawBatch(QPainter& painter, const QRectF& plot) const {
  const std::optional<double> batch = batchLine();
  if (!batch) return;
  const double unit = scale_.unitY(*batch);
  if (!(unit >= 0 && unit <= 1)) return;
  const double y = plot.bottom() - unit * plot.height();
  painter.setPen(QPen(theme::colours().accent, 0.09 * theme::textSize(), Qt::DashLine));
  painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
  const QString text = tr("global batch %1").arg(countText(std::llround(*batch)));
  const double height = QFontMetricsF(painter.font()).height();
  const bool above = y - height > plot.top();
  painter.setPen(theme::colours().quietInk);
  painter.drawText(QRectF(plot.left(), above ? y - height : y, plot.width(), height), Qt::AlignRight | Qt::AlignVCenter,
                   text);
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
  painter.drawPixmap(0, 0, picture_);
  if (box_) {
    QColor fill = theme::colours().accent;
    fill.setAlphaF(0.15F);
    painter.setPen(theme::colours().accent);
    painter.setBrush(fill);
    painter.drawRect(QRectF(*pressed_, *box_).normalized());
  } else if (pointer_) {
    drawReadout(painter);
  }
  if (hasFocus()) {
    painter.setPen(QPen(theme::colours().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
}

QRectF MetricChart::plotArea() const {
  const QRectF plot = head(QSizeF(size()), legendBeside_ ? Names::Beside : Names::InHeader).plot;
  return PlotView::plotArea(plot.size()).translated(plot.topLeft());
}

QPointF MetricChart::positionOf(const QPointF& value) const {
  const QRectF plot = plotArea();
  const QPointF unit = scale_.unit(value);
  return {plot.left() + unit.x() * plot.width(), plot.bottom() - unit.y() * plot.height()};
}

QList<QPointF> MetricChart::shownPoints(int run, Kind kind) const {
  for (const Line& line : lines_) {
    if (line.kind == kind && curves_[line.curves].run() == run)
      return curveOf(line).shown(scale_.x.from, scale_.x.to,
                                 std::clamp(static_cast<int>(plotArea().width()), 16, kMostColumns));
  }
  return {};
}

const Curve* MetricChart::curve(int run, Kind kind) const {
  for (const RunCurves& curves : curves_) {
    if (curves.run() != run) continue;
    return kind == Kind::Each ? &curves.each() : kind == Kind::Smoothed ? &curves.smoothed() : &curves.test();
  }
  return nullptr;
}

QString MetricChart::nameOf(const Line& line) const {
  const QString kind = line.kind == Kind::Test       ? tr("test")
                       : line.kind == Kind::Smoothed ? tr("smoothed")
                                                     : words_.each;
  if (curves_.size() < 2) return kind;
  const KeptRun* run = library_.find(curves_[line.curves].run());
  return run == nullptr ? kind : tr("%1, %2").arg(library_.nameOf(*run), kind);
}

}  // namespace lab
