// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/speed_handle.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/i18n/words.h"
#include "ui/scene/layout.h"
#include "ui/stage/shown_step.h"
#include "ui/step/selection.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kSpeedWords = 12;  // in px: width of the words on the handle

// True if the handle has room for its words beside the track.
bool speedInOneLine(double width, double px) {
  return width > 20 * px;
}

}  // namespace

SpeedHandle::SpeedHandle(const ShownStep& step, const Selection& selection, const StageLayout& layout)
    : step_(step), selection_(selection), layout_(layout) {}

bool SpeedHandle::press(const QPointF& position) {
  if (!box().contains(position)) return false;
  factor_ = factorAt(position.x());
  replica_ = selection_.pinned().endpoint;
  return true;
}

bool SpeedHandle::drag(const QPointF& position) {
  if (factor_ <= 0) return false;
  factor_ = factorAt(position.x());
  return true;
}

double SpeedHandle::release() {
  return std::exchange(factor_, 0);
}

// In a narrow column the track lies below the words.
QRectF SpeedHandle::box() const {
  const Object& pinned = selection_.pinned();
  if (step_.index() == nullptr || !selection_.isChosen() || pinned.kind != Object::Kind::Device ||
      pinned.endpoint < 0 || !step_.slowdownOf(pinned.endpoint))
    return {};
  const QRectF& tray = layout_.columnOf(pinned.endpoint).tray;
  return {tray.left(), tray.top(), tray.width(), (speedInOneLine(tray.width(), layout_.px) ? 1.6 : 3.2) * layout_.px};
}

QLineF SpeedHandle::track() const {
  const QRectF handle = box();
  const double px = layout_.px;
  const bool oneLine = speedInOneLine(handle.width(), px);
  const double left = handle.left() + (oneLine ? kSpeedWords + 0.5 : 1) * px;
  const double y = oneLine ? handle.center().y() : handle.bottom() - 0.9 * px;
  return {left, y, handle.right() - px, y};
}

double SpeedHandle::factorAt(double x) const {
  const QLineF line = track();
  const double part = std::clamp((x - line.x1()) / std::max(1.0, line.dx()), 0.0, 1.0);
  return std::round((1 + 9 * part) * 2) / 2;  // halves, because round numbers are easier to calculate with
}

void SpeedHandle::paint(QPainter& painter) const {
  const QRectF handle = box();
  if (handle.isNull()) return;
  const QLineF line = track();
  const theme::Colours& c = theme::colours();
  const double px = layout_.px;
  const double factor = factor_ > 0 ? factor_ : step_.slowdownOf(selection_.pinned().endpoint).value_or(1);
  painter.setPen(QPen(c.accent, 1));
  painter.setBrush(c.panel);
  painter.drawRoundedRect(handle, 0.5 * px, 0.5 * px);
  QFont font = painter.font();
  font.setPixelSize(std::max(1, static_cast<int>(0.9 * px)));
  font.setBold(false);
  painter.setFont(font);
  painter.setPen(c.ink);
  const QRectF words = speedInOneLine(handle.width(), px)
                           ? QRectF(handle.left(), handle.top(), kSpeedWords * px, handle.height())
                           : QRectF(handle.left(), handle.top() + 0.2 * px, handle.width(), 1.3 * px);
  const QString text = factor == 1 ? tr("drag to slow it down") : tr("%1× slower").arg(numberText(factor));
  drawElided(painter, words, Qt::AlignCenter, text);
  painter.setPen(QPen(c.edge, 2));
  painter.drawLine(line);
  painter.setPen(Qt::NoPen);
  painter.setBrush(c.accent);
  painter.drawEllipse(line.pointAt((std::clamp(factor, 1.0, 10.0) - 1) / 9), 0.55 * px, 0.55 * px);
}

}  // namespace lab
