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

constexpr double kLeast = 8, kLeastBeside = 6;  // height, in text sizes; beside the stage, the head is at the chart's
                                                // end
constexpr int kFewPoints = 20;                  // with fewer points, each is marked
constexpr double kFaded = 0.5;                  // opacity of earlier runs
constexpr double kSmooth = 1.0 / 3;             // share of the points that is enough for a smooth curve
constexpr double kBold = 1.7;                   // factor for the width of a bold line

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
  if (other) {
    curves_.clear();
    lines_.clear();
  }
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
  const auto curvesOf = [this](const KeptRun* run) {
    return std::find_if(curves_.begin(), curves_.end(),
                        [run](const RunCurves& curves) { return curves.run() == run->id; });
  };
  std::vector<RunCurves> added, kept;  // those that are added first: if one throws, the others must still be here
  for (const KeptRun* run : wanted)
    if (curvesOf(run) == curves_.end()) added.emplace_back(run->id, run->metrics, quantity_, options_);
  kept.reserve(wanted.size());
  auto next = added.begin();
  for (const KeptRun* run : wanted) {
    const auto found = curvesOf(run);
    kept.push_back(std::move(found != curves_.end() ? *found : *next++));
  }
  curves_ = std::move(kept);
  chooseLines();  // a click may come before the next paint
  return true;
}

// Each run keeps its colour as long as it is kept. Earlier runs fade beside the run on the stage, which is bold. Noisy
// lines lie below those that one reads.
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
}

std::vector<Plot::Exit> MetricChart::exits() const {
  std::vector<Plot::Exit> exits;
  for (const RunCurves& curves : curves_) {
    const std::optional<double> at = curves.divergesAt();
    if (!at) continue;
    const KeptRun* run = library_.find(curves.run());
    // Zooming may bring it back onto the axis.
    const Curve& each = curves.each();
    const std::size_t nearest = each.empty() ? 0 : each.nearest(*at);
    if (!each.empty() && each.x(nearest) == *at && each.y(nearest) <= scale_.y.to) continue;
    exits.push_back({*at, run == nullptr ? theme::colours().ink : runColour(run->colour), tr("diverged")});
  }
  return exits;
}

Plot MetricChart::plot() const {
  Plot plot{.scale = scale_,
            .xTitle = lab::nameOf(options_.axis),
            .countedX = isCounted(options_.axis),
            .countedY = isCounted(quantity_),
            .foot = hasZeros_ && !zoomY_ ? QStringLiteral("0") : QString()};
  for (const Line& line : lines_)
    plot.series.push_back(
        {&curveOf(line), line.look, line.kind == Kind::Each, line.kind == Kind::Smoothed ? kSmooth : 1});
  // Below the noise scale a larger batch pays off; above it, hardly.
  if (const std::optional<double> batch = batchLine())
    plot.rules.push_back({*batch, QPen(theme::colours().accent, 0.09 * theme::textSize(), Qt::DashLine),
                          tr("global batch %1").arg(countText(std::llround(*batch)))});
  plot.exits = exits();
  // Nothing forms a line yet. A run that has gone on, but has no line in this quantity, will have none.
  const KeptRun* present = library_.find(library_.presentId());
  const auto hasLine = [](const RunCurves& curves) { return curves.each().size() > 1 || curves.test().size() > 1; };
  if (present != nullptr && present->metrics->steps.size() <= 1 && !std::ranges::any_of(curves_, hasLine))
    plot.lacking = tr("As training goes on, a line grows here: a point for each value.");
  return plot;
}

void MetricChart::refresh() {
  const bool other = matchRuns();
  bool more = false;
  for (RunCurves& curves : curves_) more = curves.follow() || more;
  if (!other && !more) return;
  // A zoomed view does not change if no new data lies in it.
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
  return QSizeF(width(), height() + layout(head(Names::All), size(), Names::All).namesHeight());
}

void MetricChart::paintPicture(QPainter& painter, const QSizeF& size, Names names) {
  painter.fillRect(QRectF({0, 0}, size), theme::colours().panel);
  chooseLines();
  chooseRanges();
  const PlotHead head = this->head(names);
  const PlotHead::Layout layout = this->layout(head, size, names);
  head.paint(painter, size, layout);
  view_.paint(painter, layout.plot, plot());
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
  const Names names = legendBeside_ ? Names::Beside : Names::InHeader;
  return PlotView::plotArea(layout(head(names), size(), names).plot);
}

QPointF MetricChart::positionOf(const QPointF& value) const {
  return scale_.at(plotArea(), value);
}

QList<QPointF> MetricChart::shownPoints(int run, Kind kind) const {
  for (const Line& line : lines_) {
    if (line.kind == kind && curves_[line.curves].run() == run)
      return curveOf(line).shown(scale_.x.from, scale_.x.to, PlotView::columnsOf(plotArea()));
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
