// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_change.h"

#include <QPainter>
#include <QTimer>

#include <algorithm>
#include <utility>

#include "ui/scene/scene_canvas.h"

namespace lab {
namespace {

constexpr int kMotionMs = 320;
constexpr int kWaitMs = 400;  // a layout that comes later appears without motion

// Draws `part` of what was painted in `image` into `to`.
void drawPart(QPainter& painter, const QRectF& to, const QImage& image, const QRectF& part) {
  const double ratio = image.devicePixelRatio();
  painter.drawImage(to, image, QRectF(part.topLeft() * ratio, part.size() * ratio));
}

}  // namespace

StageChange::StageChange(std::function<void()> update) : update_(std::move(update)) {
  motion_.setStartValue(0.0);
  motion_.setEndValue(1.0);
  motion_.setDuration(kMotionMs);
  QObject::connect(&motion_, &QVariantAnimation::valueChanged, &motion_, [this] { update_(); });
  QObject::connect(&motion_, &QVariantAnimation::finished, &motion_, [this] {
    end();
    update_();
  });
}

void StageChange::leave(const QImage& image, const StageLayout& layout) {
  motion_.stop();
  image_ = image;
  layout_ = layout;
  left_.start();
  // If nothing comes, the stage shows the reason.
  QTimer::singleShot(kWaitMs + 1, &motion_, [this] {
    if (image_.isNull() || isMoving() || waits()) return;
    end();
    update_();
  });
}

void StageChange::arrive(const StageLayout& layout) {
  if (!waits()) return end();
  moves_ = movesBetween(layout_, layout);
  const bool stands = std::ranges::all_of(moves_, [](const Move& move) { return move.from == move.to; });
  if (stands || layout.size != layout_.size) return end();
  motion_.start();
}

void StageChange::end() {
  motion_.stop();
  image_ = {};
}

bool StageChange::waits() const {
  return !image_.isNull() && !isMoving() && left_.elapsed() <= kWaitMs;
}

void StageChange::paintWaiting(QPainter& painter) const {
  painter.drawImage(QPointF(0, 0), image_);
}

void StageChange::paint(QPainter& painter, const QImage& now, const QColor& ground) const {
  const double t = easeInOut(motion_.currentValue().toDouble());
  const double fade = std::clamp((t - 0.3) / 0.4, 0.0, 1.0);  // so that old and new words overlap for only a few frames
  painter.drawImage(QPointF(0, 0), image_);
  painter.setOpacity(fade);
  painter.drawImage(QPointF(0, 0), now);
  painter.setOpacity(1);
  for (const Move& move : moves_) {
    painter.fillRect(move.from, ground);
    painter.fillRect(move.to, ground);
  }
  for (const Move& move : moves_) {
    const QRectF box = between(move.from, move.to, t);
    drawPart(painter, box, image_, move.from);
    painter.setOpacity(fade);
    drawPart(painter, box, now, move.to);
    painter.setOpacity(1);
  }
}

std::vector<StageChange::Move> StageChange::movesBetween(const StageLayout& from, const StageLayout& to) {
  std::vector<Move> moves;
  const auto add = [&moves](std::size_t before, std::size_t after, const auto& boxBefore, const auto& boxAfter) {
    const std::size_t all = before == 0 || after == 0 ? 0 : std::max(before, after);
    for (std::size_t i = 0; i < all; ++i) moves.push_back({boxBefore(i * before / all), boxAfter(i * after / all)});
  };
  add(
      from.columns.size(), to.columns.size(), [&](std::size_t i) { return from.columns[i].box; },
      [&](std::size_t i) { return to.columns[i].box; });
  add(
      from.servers.size(), to.servers.size(), [&](std::size_t i) { return from.servers[i]; },
      [&](std::size_t i) { return to.servers[i]; });
  return moves;
}

}  // namespace lab
