// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_axis.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ui/i18n/words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kTickEm = 6.5;

}  // namespace

void TraceAxis::setTimeline(const Timeline* timeline) {
  const std::optional<Range> before = step_;
  step_.reset();
  if (timeline == nullptr) return;
  step_ = {timeline->beginNs, timeline->endNs};
  std::tie(firstNs_, lastNs_) = *step_;
  for (const Span& span : timeline->spans) {
    firstNs_ = std::min(firstNs_, span.startNs);
    lastNs_ = std::max(lastNs_, span.startNs + span.durationNs);
  }
  if (scaledByHand_ && before && !timeline->spans.empty())
    scale_ = scale_.moved(static_cast<double>(step_->first) - static_cast<double>(before->first));
  else
    scale_ = scale_.fitted(static_cast<double>(step_->first), static_cast<double>(step_->second));
}

void TraceAxis::setTimes(const TimeScale& scale) {
  scale_.beginNs = scale.beginNs;
  scale_.endNs = std::max(scale.endNs, scale.beginNs + 1);
}

void TraceAxis::place(double namesPx, double widthPx) {
  scale_.leftPx = namesPx + kEdgePx;
  scale_.widthPx = std::max(10.0, widthPx - scale_.leftPx - kEdgePx);
}

void TraceAxis::showByHand(const TimeScale& scale) {
  scale_ = scale;
  fittedStep_ = false;
  scaledByHand_ = true;
}

void TraceAxis::zoom(double factor, double x) {
  if (step_) showByHand(scale_.zoomed(factor, x, 1.1 * static_cast<double>(lastNs_ - firstNs_)));
}

void TraceAxis::pan(double share) {
  if (step_) showByHand(scale_.panned(share, static_cast<double>(firstNs_), static_cast<double>(lastNs_)));
}

void TraceAxis::fit(const Span* bar) {
  if (!step_) return;
  const bool everything = fittedStep_;
  const auto [from, to] = everything       ? Range{firstNs_, lastNs_}
                          : bar != nullptr ? Range{bar->startNs, bar->startNs + bar->durationNs}
                                           : *step_;
  scale_ = scale_.fitted(static_cast<double>(from), static_cast<double>(to));
  fittedStep_ = !everything;
  scaledByHand_ = everything || bar != nullptr;
}

bool TraceAxis::moveIntoSight(double ns) {
  if (scale_.shows(ns)) return false;
  scale_ = scale_.centred(ns);
  return true;
}

void TraceAxis::paint(QPainter& painter, const QSize& area) const {
  const theme::Colours& colours = theme::colours();
  const double height = theme::em(kHeightEm);
  painter.save();
  painter.fillRect(QRectF(0, 0, area.width(), height), colours.panel);
  painter.setPen(QPen(colours.line, 1));
  painter.drawLine(QPointF(0, height - 0.5), QPointF(area.width(), height - 0.5));
  painter.setFont(theme::smallFont(painter.font()));
  painter.setClipRect(QRectF(scale_.leftPx - 2, 0, scale_.widthPx + kEdgePx, area.height()));
  const TimeTicks ticks = ticksOf(scale_, static_cast<double>(step_->first), theme::em(kTickEm));
  for (const double ns : ticks.ns) {
    const double x = scale_.xAt(ns);
    painter.setPen(QPen(colours.edge, 1));
    painter.drawLine(QPointF(x, height - theme::em(0.35)), QPointF(x, height));
    const std::int64_t since = std::llround(ns) - step_->first;
    const QString text = since == 0 ? QStringLiteral("0")
                                    : (since < 0 ? QStringLiteral("−") : QString()) + durationText(std::abs(since));
    if (x + 3 + painter.fontMetrics().horizontalAdvance(text) > area.width()) continue;  // not cut in part
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(x + 3, 0, theme::em(kTickEm), height - theme::em(0.3)), Qt::AlignLeft | Qt::AlignVCenter,
                     text);
  }
  paintBounds(painter, area.height());
  painter.restore();
}

void TraceAxis::paintBounds(QPainter& painter, double height) const {
  painter.setPen(QPen(theme::colours().quietInk, 1, Qt::DashLine));
  for (const std::int64_t ns : {step_->first, step_->second}) {
    const double x = std::round(scale_.xAt(static_cast<double>(ns))) + 0.5;
    painter.drawLine(QPointF(x, 0), QPointF(x, height));
  }
}

void TraceAxis::paintMoments(QPainter& painter, double top, double height) const {
  painter.setClipRect(QRectF(scale_.leftPx, 0, scale_.widthPx, height));
  if (range_) {
    const double left = scale_.xAt(static_cast<double>(range_->first));
    const double right = scale_.xAt(static_cast<double>(range_->second));
    QColor veil = theme::colours().accent;
    veil.setAlphaF(0.18F);
    painter.fillRect(QRectF(left, 0, right - left, height), veil);
    painter.setPen(QPen(theme::colours().accent, 1.5));
    for (const double x : {left, right}) painter.drawLine(QPointF(x, 0), QPointF(x, height));
  }
  if (nowNs_) {
    const double x = scale_.xAt(static_cast<double>(*nowNs_));
    painter.setPen(QPen(theme::colours().ink, 2));
    painter.drawLine(QPointF(x, top), QPointF(x, height));
  }
}

}  // namespace lab
