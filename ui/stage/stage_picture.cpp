// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_picture.h"

#include <QPainter>

#include <utility>

#include "ui/playback/playback.h"
#include "ui/theme/paper.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {

StagePicture::StagePicture(std::function<void()> update, const Playback& playback)
    : playback_(playback), change_(std::move(update)) {}

void StagePicture::arrange(const RunInfo& info, const QSizeF& size, int zoomed, bool isOtherRun) {
  if (!isOtherRun && layout_.size == size && leastText_ == leastText() && layout_.zoomed == zoomed) return;
  if (layout_.size == size) leave();  // no gliding while a window is resized
  leastText_ = leastText();
  layout_ = layoutStage(info, size, leastText_, zoomed);
  change_.arrive(layout_);
  canvas_.forget();
}

void StagePicture::clear() {
  leave();
  canvas_.clear();
}

// After clear() the picture before may still be leaving.
void StagePicture::leave() {
  if (!glides_ || playback_.reducedMotion()) return change_.end();
  if (!scene().items.empty()) change_.leave(canvas_.image(), layout_);
}

// On a projector, and if a text size was chosen, the stage follows it.
double StagePicture::leastText() const {
  if (theme::isProjected() || theme::chosenPoints() != 0) return theme::textSize();
  constexpr int kLarge = 20;  // pixels: in windows higher than 1440
  return beside_ && theme::textSize() >= kLarge ? theme::textSize() : 0;
}

int StagePicture::replicaAt(const QPointF& point) const {
  for (const StageColumn& column : layout_.columns)
    if (column.count == 1 && column.box.contains(point)) return column.first;
  return -1;
}

void StagePicture::paint(QPainter& painter, const QRegion& region, const QColor& ground) const {
  if (isPaper(painter)) return canvas_.paintOnPaper(painter);
  const QImage& image = canvas_.image();
  if (change_.isMoving()) return change_.paint(painter, image, ground);
  for (const QRect& part : region)
    painter.drawImage(part, image, QRectF(QPointF(part.topLeft()) * ratio(), QSizeF(part.size()) * ratio()));
}

bool StagePicture::paintWaiting(QPainter& painter) const {
  if (!change_.waits()) return false;
  change_.paintWaiting(painter);
  return true;
}

}  // namespace lab
