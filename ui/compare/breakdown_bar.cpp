// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/breakdown_bar.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>

#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/lanes/lane_figures.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr double kHeight = 1.5, kTime = 9.5, kMargin = 0.5;  // of the text size

}  // namespace

BreakdownBar::BreakdownBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("laneBreakdown"));
  setAccessibleName(tr("Where the step's time went"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BreakdownBar::show(const std::optional<StepMetric>& step, std::int64_t longestNs, double room,
                        std::int64_t fullBatch) {
  const auto stepOf = [](const std::optional<StepMetric>& one) { return one ? one->step : 0; };
  if (stepOf(step) == stepOf(step_) && longestNs == longestNs_ && room == room_ && fullBatch == fullBatch_ &&
      step.has_value() == step_.has_value() && (!step || step->stepNs == step_->stepNs))
    return;
  step_ = step;
  longestNs_ = longestNs;
  room_ = room;
  fullBatch_ = fullBatch;
  setAccessibleDescription(words());
  update();
}

double BreakdownBar::timeWidth() const {
  return std::min<double>(theme::em(kTime), width() / 2.0);
}

double BreakdownBar::room() const {
  return width() - timeWidth() - 2 * theme::em(kMargin);
}

double BreakdownBar::pixelsPerNs() const {
  const std::int64_t longest = std::max<std::int64_t>({longestNs_, step_ ? step_->stepNs : 0, 1});
  return std::min(room_, room()) / static_cast<double>(longest);
}

QStringList BreakdownBar::timeWords() const {
  const StepMetric& step = *step_;
  const QString time =
      (step.clock == TimeSource::Modelled ? tr("%1 modelled") : tr("%1 measured")).arg(durationText(step.stepNs));
  if (step.distributed() >= fullBatch_) return {time};
  const auto with = [&](const QString& images) { return tr("%1, %2", "a time, of how many images").arg(time, images); };
  return {with(tr("%1 of %2 images").arg(countText(step.distributed()), countText(fullBatch_))),
          with(tr("%Ln images", nullptr, plural(step.distributed()))), time};
}

QString BreakdownBar::words() const {
  if (!step_) return {};
  QStringList parts;
  for (const StepPart& part : partsOf(*step_))
    if (part.ns > 0)
      parts << QStringLiteral("%1 %2 (%3)")
                   .arg(part.name, durationText(part.ns),
                        percentText(static_cast<double>(part.ns) /
                                    static_cast<double>(std::max<std::int64_t>(1, step_->stepNs))));
  return tr("%1: %2", "time of a step, its parts").arg(timeWords().front(), parts.join(QStringLiteral(", ")));
}

QSize BreakdownBar::sizeHint() const {
  return {theme::em(16), theme::em(kHeight)};
}

void BreakdownBar::paintEvent(QPaintEvent*) {
  if (!step_) return;
  QPainter painter(this);
  keepLeftToRight(painter);
  const double margin = theme::em(kMargin), time = timeWidth();
  const QRectF area(margin, theme::em(0.25), room(), height() - theme::em(0.5));
  double x = area.left();
  for (const StepPart& part : partsOf(*step_)) {
    const double wide = static_cast<double>(part.ns) * pixelsPerNs();
    if (wide > 0.3) paintBar(painter, QRectF(x, area.top(), wide, area.height()), lookOf(part.stage));
    x += wide;
  }
  painter.setPen(theme::colours().ink);
  QFont font = painter.font();
  font.setPixelSize(theme::smallText(theme::kSmallShare));
  painter.setFont(font);
  // A step of few images has a short bar; the free space behind it shows the number of images.
  const double room = std::max(time, width() - margin - std::max(x, area.left()));
  const QStringList words = timeWords();
  const auto fits = std::ranges::find_if(
      words, [&](const QString& each) { return painter.fontMetrics().horizontalAdvance(each) <= room; });
  drawElided(painter, QRectF(width() - room - margin / 2, 0, room, height()), Qt::AlignRight | Qt::AlignVCenter,
             fits == words.end() ? words.back() : *fits);
}

bool BreakdownBar::event(QEvent* event) {
  return showsTip(*event, *this, [this](const QPoint&) { return words(); }) || QWidget::event(event);
}

}  // namespace lab
