// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/scaling_view.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/prediction/modelled_timeline.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/trace/breakdown_table.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr double kLeastCurve = 3.9;  // in text sizes: with the room above, the same as the columns have
constexpr double kLeastScaling = 10;
constexpr int kWrappedWords = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

// Three digits. What rounds to 1000 of a unit is one of the next, as "1E+03" is neither short nor plain.
QString rate(double imagesPerSecond) {
  constexpr double kNext = 0.9995;
  constexpr std::pair<double, const char*> kPrefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [images, prefix] : kPrefixes)
    if (imagesPerSecond >= kNext * images)
      return QStringLiteral("%1 %2/s").arg(numberText(imagesPerSecond / images, 'g', 3), QLatin1String(prefix));
  return QStringLiteral("%1 /s").arg(numberText(imagesPerSecond, 'g', 3));
}

}  // namespace

ScalingView::Point viewOf(const ScalingPoint& point) {
  std::vector<StageBreakdown> breakdowns;
  for (const StageNs& stages : point.timing.stages) breakdowns.push_back(breakdownOf(stages));
  return {.devices = point.devices,
          .hosts = point.hosts,
          .examplesPerDevice = point.examplesPerDevice,
          .sharesAlike = point.sharesAlike,
          .extrapolated = point.extrapolated,
          .stepNs = point.timing.stepNs,
          .imagesPerSecond = point.timing.imagesPerSecond,
          .efficiency = point.efficiency,
          .breakdown = meanBreakdown(breakdowns)};
}

ScalingView::ScalingView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("scaling"));
  setAccessibleName(tr("Scaling curve, modelled"));
  setMinimumSize(theme::em(13), theme::em(kLeastScaling));
}

QSize ScalingView::sizeHint() const {
  return {theme::em(24), theme::em(16)};
}

void ScalingView::setPoints(std::vector<Point> points, std::int64_t present, const QString& heading) {
  points_ = std::move(points);
  present_ = present;
  heading_ = heading;
  QStringList words;
  for (const Point& point : points_)
    words << tr("%Ln devices: %1, efficiency %2 %", nullptr, plural(point.devices))
                 .arg(rate(point.imagesPerSecond))
                 .arg(numberText(100 * point.efficiency, 'f', 0));
  why_ = reason();
  QStringList sentences{words.join(QStringLiteral("; ")) + QLatin1Char('.'), hardware(), why_};
  if (!heading_.isEmpty()) sentences.prepend(heading_ + QLatin1Char('.'));
  sentences.removeAll(QString());
  setAccessibleDescription(sentences.join(QLatin1Char(' ')));
  fitWords();
  update();
}

void ScalingView::setOther(std::vector<Point> points, const QString& heading) {
  other_ = std::move(points);
  otherHeading_ = heading;
  fitWords();
  update();
}

QString ScalingView::hardware() const {
  QStringList sentences;
  const auto spread = std::ranges::find_if(points_, [](const Point& point) { return point.hosts > 1; });
  if (spread != points_.end() && points_.front().hosts == 1 && spread->devices > spread->hosts)
    sentences << tr("From %1 devices on, over hosts of %2 each.")
                     .arg(countText(spread->devices), countText(spread->devices / spread->hosts));
  const auto first = std::ranges::find_if(points_, &Point::extrapolated);
  if (first != points_.end()) sentences << tr("Open and dashed: extrapolated; there is no such host.");
  return sentences.join(QLatin1Char(' '));
}

QStringList ScalingView::words() const {
  QStringList words{heading_};
  if (!other_.empty()) words << tr("Thin line: %1").arg(otherHeading_);
  if (const QString said = hardware(); !said.isEmpty()) words << said;
  return words << why_;
}

// The curve keeps its height, however many lines the words take.
void ScalingView::fitWords() {
  const QFontMetrics metrics(theme::smallFont(font()));
  double least = theme::em(0.8) + PlotView::foot() + 2 * theme::em(kLeastCurve);
  for (const QString& one : words())
    least += metrics.boundingRect(QRect(0, 0, width() - theme::em(1), 1), kWrappedWords, one).height();
  const int height = points_.empty() ? theme::em(kLeastScaling) : static_cast<int>(std::ceil(least));
  if (height == minimumHeight()) return;
  setMinimumHeight(std::max(height, theme::em(kLeastScaling)));
  Q_EMIT leastHeightChanged();
}

void ScalingView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitWords();
}

void ScalingView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) fitWords();
}

QString ScalingView::reason() const {
  if (points_.size() < 2) return {};
  const auto found = std::ranges::find(points_, present_, &Point::devices);
  const Point& one = points_.front();
  const Point& many = found == points_.end() || found == points_.begin() ? points_.back() : *found;
  const double times = many.imagesPerSecond / one.imagesPerSecond;
  const auto more = [&](StepStage stage) {
    const auto s = static_cast<std::size_t>(stage);
    return many.breakdown[s] - one.breakdown[s];
  };
  StepStage most = StepStage::Exposed;
  for (const StepStage stage : {StepStage::Straggler, StepStage::Input, StepStage::Launch, StepStage::Queue})
    if (more(stage) > more(most)) most = stage;
  const QString speed =
      tr("%Ln devices: %1× the images a second of one", nullptr, plural(many.devices)).arg(numberText(times, 'f', 2));
  const std::int64_t saved = -more(StepStage::Compute) - more(StepStage::Overlapped) - more(StepStage::Launch);
  const QString added = durationText(std::max<std::int64_t>(0, more(most)));
  if (many.examplesPerDevice < one.examplesPerDevice)
    return tr("%1. Sharing the batch saves %2 a step, %3 adds %4.")
        .arg(speed, durationText(std::max<std::int64_t>(0, saved)), nameOf(most), added);
  if (more(most) <= 0 && std::abs(many.stepNs - one.stepNs) < one.stepNs / 200)
    return tr("%1. A step takes as long: %2.").arg(speed, durationText(many.stepNs));
  const std::int64_t rest = many.stepNs - one.stepNs - std::max<std::int64_t>(0, more(most));
  const QString form = std::abs(rest) < one.stepNs / 200 ? tr("%1. One takes %2 a step; %3 adds %4.")
                       : rest > 0                        ? tr("%1. One takes %2 a step; %3 adds %4, the rest %5.")
                                  : tr("%1. One takes %2 a step; %3 adds %4, the rest takes %5 less.");
  const QString sum = form.arg(speed, durationText(one.stepNs), nameOf(most), added);
  return std::abs(rest) < one.stepNs / 200 ? sum : sum.arg(durationText(std::abs(rest)));
}

std::size_t ScalingView::pointAt(double x) const {
  const double at = axes().scale.valueAt(PlotView::plotArea(rect()), {x, 0}).x();
  return static_cast<std::size_t>(std::clamp(std::round(at), 0.0, static_cast<double>(points_.size()) - 1));
}

void ScalingView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  const theme::Colours& colours = theme::colours();
  painter.fillRect(rect(), colours.panel);
  if (points_.empty()) return;
  painter.setFont(theme::smallFont(font()));
  painter.setPen(colours.quietInk);
  QRectF line(theme::em(0.5), theme::em(0.2), width() - theme::em(1), 1);
  const QStringList lines = words();
  for (const QString& one : lines) {
    painter.setPen(&one == &lines.back() ? colours.ink : colours.quietInk);
    const QRectF box = painter.boundingRect(line, kWrappedWords, one);
    painter.drawText(box, kWrappedWords, one);
    line.moveTop(box.bottom() + (&one == &lines[lines.size() - 2] ? theme::em(0.2) : 0));
  }
  const double head = line.top(), foot = PlotView::foot(), each = (height() - head - foot) / 2;
  // There is no room between the charts for the upper one's numbers, which are the same as the lower one's.
  paintCurve(painter, QRectF(0, head, width(), each + foot));
  paintColumns(painter, QRectF(0, head + each, width(), each + foot));
}

Plot ScalingView::axes() const {
  Plot plot{.scale = {.x = {-0.5, static_cast<double>(places()) - 0.5}}};
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (const auto at = static_cast<double>(i); points_[i].devices == present_)
      plot.bands.push_back({{at - 0.5, at + 0.5}, theme::mix(theme::colours().accent, theme::colours().panel, 0.12)});
  plot.along.emplace();
  return plot;
}

double ScalingView::mostRate() const {
  double most = 0;
  for (const std::vector<Point>* points : {&points_, &other_})
    for (const Point& point : *points) most = std::max(most, point.imagesPerSecond);
  return most;
}

// The ideal line may leave the plot, but begins in it: a parameter server's single worker can be far below one device
// alone.
Range ScalingView::rates() const {
  const double most = mostRate();
  double least = points_.front().imagesPerSecond;
  for (const std::vector<Point>* points : {&points_, &other_})
    for (const Point& point : *points) least = std::min(least, point.imagesPerSecond);
  const double begun = std::max(most, idealOf(points_.front()));
  return {least * std::exp2(-0.3), std::max(most, std::min(idealOf(points_.back()), begun * 4)) * std::exp2(0.2)};
}

void ScalingView::paintCurve(QPainter& painter, const QRectF& place) {
  const theme::Colours& colours = theme::colours();
  const double first = points_.front().imagesPerSecond, most = mostRate();
  Plot plot = axes();
  plot.scale.logarithmic = true;
  plot.scale.y = rates();
  plot.up = std::vector<Tick>{{first, rate(first)}, {most, rate(most)}};
  Curve ideal, curve, extrapolated, other;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& point = points_[i];
    const auto x = static_cast<double>(i);
    ideal.append(x, idealOf(point), 0);
    // The dashed line begins where the other line ends.
    if (point.extrapolated && extrapolated.empty() && !curve.empty()) extrapolated.append(x - 1, curve.y(i - 1), 0);
    (point.extrapolated ? extrapolated : curve).append(x, point.imagesPerSecond, 0);
    plot.marks.push_back({.at = {x, point.imagesPerSecond},
                          .radius = 3,
                          .pen = QPen(colours.accent, 1),
                          .fill = point.extrapolated ? colours.panel : colours.accent});
  }
  for (std::size_t i = 0; i < other_.size(); ++i) other.append(static_cast<double>(i), other_[i].imagesPerSecond, 0);
  plot.series = {{&ideal, {colours.edge, 1, 0, Qt::DashLine}},
                 {&other, {colours.quietInk, 1.2}},
                 {&curve, {colours.accent, 2}},
                 {&extrapolated, {colours.accent, 2, 0, Qt::DashLine}}};
  curveView_.paint(painter, place, plot);
}

void ScalingView::paintColumns(QPainter& painter, const QRectF& place) {
  Plot plot = axes();
  const double longest = static_cast<double>(std::ranges::max(points_, {}, &Point::stepNs).stepNs);
  plot.scale.y = {0, std::max(1.0, longest)};
  plot.xTitle = tr("devices");
  plot.up = std::vector<Tick>{{0, {}}, {longest, durationText(std::llround(longest))}};
  const std::vector<Point>& longer = points_.size() < other_.size() ? other_ : points_;
  for (std::size_t i = 0; i < longer.size(); ++i)
    plot.along->push_back({static_cast<double>(i), countText(longer[i].devices)});
  columnsView_.paint(painter, place, plot);
  const QRectF area = PlotView::plotArea(place);
  painter.setPen(theme::colours().quietInk);
  // On two lines where the words have no room on one.
  painter.drawText(QRectF(0, area.top() + theme::em(0.4), area.left() - theme::em(0.4), theme::em(2.8)),
                   Qt::AlignRight | Qt::TextWordWrap, tr("a step"));
  const double width = std::min(area.width() / static_cast<double>(places()) * 0.72, 3.0 * theme::em(1));
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::int64_t below = 0;
    for (std::size_t s = 0; s < kStages; ++s) {
      const std::int64_t part = points_[i].breakdown[s];
      const auto at = [&](std::int64_t ns) {
        return plot.scale.at(area, {static_cast<double>(i), static_cast<double>(ns)});
      };
      const double top = at(below += part).y(), bottom = at(below - part).y();
      if (part > 0)
        paintBar(painter, QRectF(at(0).x() - width / 2, top, width, bottom - top), lookOf(static_cast<StepStage>(s)));
    }
  }
}

QString ScalingView::wordsAt(double x) const {
  const std::size_t i = pointAt(x);
  const Point& point = points_[i];
  const int devices = plural(point.devices);
  QString text = (point.sharesAlike
                      ? tr("%Ln devices, %1 examples each: %2, %3, efficiency %4 % (modelled)", nullptr, devices)
                      : tr("%Ln devices, up to %1 examples each: %2, %3, efficiency %4 % (modelled)", nullptr, devices))
                     .arg(countText(point.examplesPerDevice))
                     .arg(durationText(point.stepNs), rate(point.imagesPerSecond))
                     .arg(numberText(100 * point.efficiency, 'f', 1));
  if (i < other_.size()) {
    const int share = plural(other_[i].examplesPerDevice);
    text += QLatin1Char('\n') + (other_[i].sharesAlike ? tr("%Ln examples each: %1", nullptr, share)
                                                       : tr("up to %Ln examples each: %1", nullptr, share))
                                    .arg(rate(other_[i].imagesPerSecond));
  }
  // In a modelled mean step only asynchronous workers have idle time: their next cycles.
  for (std::size_t s = 0; s < kStages; ++s)
    if (point.breakdown[s] > 0)
      text += QStringLiteral("\n%1 %2").arg(nameOf(static_cast<StepStage>(s), true), durationText(point.breakdown[s]));
  return text;
}

bool ScalingView::event(QEvent* event) {
  const auto words = [this](const QPoint& at) { return wordsAt(at.x()); };
  return (!points_.empty() && showsTip(*event, *this, words)) || QWidget::event(event);
}

}  // namespace lab
