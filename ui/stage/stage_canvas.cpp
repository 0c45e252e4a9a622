// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace lab {
namespace {

constexpr int kTile = 32, kBeside = 4;
constexpr std::size_t kLookAhead = 64;  // items that may have come or gone at one place
constexpr double kMostlyChanged = 0.6;  // of the tiles: from there on all at once is quicker

// The tiles that something has changed in.
class Tiles {
 public:
  explicit Tiles(const QSize& size)
      : columns_((size.width() + kTile - 1) / kTile),
        rows_((size.height() + kTile - 1) / kTile),
        changed_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), false) {}

  void add(const QRectF& box) {
    const auto tileOf = [](double at, int count) {
      return std::clamp(static_cast<int>(std::floor(at / kTile)), -1, count);
    };
    const int left = std::max(0, tileOf(box.left(), columns_)), top = std::max(0, tileOf(box.top(), rows_));
    const int right = std::min(columns_ - 1, tileOf(box.right(), columns_));
    const int bottom = std::min(rows_ - 1, tileOf(box.bottom(), rows_));
    for (int y = top; y <= bottom; ++y)
      for (int x = left; x <= right; ++x) changed_[index(x, y)] = true;
  }

  bool mostly() const {
    const auto changed = static_cast<double>(std::ranges::count(changed_, true));
    return changed > kMostlyChanged * static_cast<double>(changed_.size());
  }

  QRegion region() const {
    QRegion region;
    for (int y = 0; y < rows_; ++y) {
      for (int x = 0; x < columns_; ++x) {
        const int begin = x;
        while (x < columns_ && changed_[index(x, y)]) ++x;
        if (x > begin) region += QRect(begin * kTile, y * kTile, (x - begin) * kTile, kTile);
      }
    }
    return region;
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x);
  }

  int columns_, rows_;
  std::vector<bool> changed_;
};

}  // namespace

QRegion StageCanvas::changes(const Scene& scene, std::span<const QRectF> extents) const {
  Tiles tiles(setting_.size);
  const std::vector<Item>&before = painted_.items, &now = scene.items;
  // The order tells what lies on top: items that stay are found in the order they had.
  std::size_t next = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    std::size_t same = next;
    const std::size_t end = std::min(next + kLookAhead, before.size());
    while (same < end && !(before[same] == now[i])) ++same;
    if (same < end) {
      for (; next < same; ++next) tiles.add(extents_[next]);
      ++next;
      continue;
    }
    tiles.add(extents[i]);
    // Most often it has only moved.
    if (next < before.size() && before[next].shape == now[i].shape && before[next].object == now[i].object)
      tiles.add(extents_[next++]);
  }
  for (; next < before.size(); ++next) tiles.add(extents_[next]);
  return tiles.mostly() ? QRegion(QRect({}, setting_.size)) : tiles.region();
}

QRegion StageCanvas::paint(const Scene& scene, const Setting& setting) {
  const QSize pixels = (QSizeF(setting.size) * setting.ratio).toSize();
  const bool wholeTiles = std::floor(kTile * setting.ratio) == kTile * setting.ratio;
  const bool anew = !wholeTiles || image_.isNull() || !(setting == setting_) || scene.px != painted_.px ||
                    scene.size != painted_.size;
  if (image_.size() != pixels) image_ = QImage(pixels, QImage::Format_RGB32);
  image_.setDevicePixelRatio(setting.ratio);
  setting_ = setting;
  std::vector<QRectF> extents;
  extents.reserve(scene.items.size());
  for (const Item& item : scene.items) extents.push_back(ScenePainter::extentOf(item, scene.px));

  painter_.setFont(setting.font);
  const auto paintPart = [&](QPainter& painter, const QRect& part) {
    seen_.clear();
    // Thousands of times a frame, so that QRectF::intersects, which is not inline, would count.
    const double left = part.left(), top = part.top(), right = left + part.width(), bottom = top + part.height();
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const QRectF& box = extents[i];
      if (box.x() < right && box.y() < bottom && box.x() + box.width() > left && box.y() + box.height() > top)
        seen_.push_back(&scene.items[i]);
    }
    painter.setClipRect(part);
    painter.setRenderHint(QPainter::Antialiasing, false);  // quicker, and the same for whole pixels
    painter.fillRect(part, setting.ground);
    painter_.paint(painter, seen_, scene.px, *setting.data, setting.selected, setting.hovered);
  };
  const QRect whole({}, setting.size);
  const QRegion changed = anew ? QRegion(whole) : changes(scene, extents) & whole;
  if (anew) {
    QPainter painter(&image_);
    paintPart(painter, whole);
  } else if (!changed.isEmpty()) {
    if (scratch_.size() != pixels) scratch_ = QImage(pixels, QImage::Format_RGB32);
    scratch_.setDevicePixelRatio(setting.ratio);
    QPainter beside(&scratch_);
    QPainter here(&image_);
    here.setCompositionMode(QPainter::CompositionMode_Source);
    for (const QRect& part : changed) {
      // Qt may round the last pixels before a cut differently: they are painted beside the part and left there.
      paintPart(beside, part.adjusted(-kBeside, 0, kBeside, 0) & whole);
      here.drawImage(part, scratch_,
                     QRectF(QPointF(part.topLeft()) * setting.ratio, QSizeF(part.size()) * setting.ratio));
    }
  }
  painted_ = scene;
  extents_ = std::move(extents);
  return changed;
}

}  // namespace lab
