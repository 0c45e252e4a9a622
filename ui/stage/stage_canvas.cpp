// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_canvas.h"
#include "core/base/ceil_divide.h"
#include "core/base/platform.h"
#include "ui/theme/painted_words.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace lab {
namespace {

constexpr int kTile = 32, kBeside = 4;
constexpr std::size_t kLookAhead = 64;  // items that may have been added or removed at one place
constexpr double kMostlyChanged = 0.6;  // share of the tiles above which painting everything at once is faster

// The tiles in which something has changed.
class Tiles {
 public:
  explicit Tiles(const QSize& size)
      : columns_(ceilDivide(size.width(), kTile)),
        rows_(ceilDivide(size.height(), kTile)),
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

QImage newImage(const QSize& pixels) {
  QImage image(pixels, QImage::Format_RGB32);
  adviseHugePages(image.bits(), static_cast<std::size_t>(image.sizeInBytes()));
  return image;
}

// `part` in logical pixels. Setting up a painter on either image would take longer than this copy.
void copyPixels(QImage& to, const QImage& from, const QRect& part) {
  const double ratio = from.devicePixelRatio();
  const int left = std::max(0, static_cast<int>(std::floor(part.left() * ratio)));
  const int top = std::max(0, static_cast<int>(std::floor(part.top() * ratio)));
  const int right = std::min(from.width(), static_cast<int>(std::ceil((part.left() + part.width()) * ratio)));
  const int bottom = std::min(from.height(), static_cast<int>(std::ceil((part.top() + part.height()) * ratio)));
  for (int y = top; y < bottom; ++y)
    std::copy_n(reinterpret_cast<const QRgb*>(from.constScanLine(y)) + left, std::max(0, right - left),
                reinterpret_cast<QRgb*>(to.scanLine(y)) + left);
}

}  // namespace

StageCanvas::Changes StageCanvas::changes(const Scene& scene, std::span<const QRectF> extents) const {
  Tiles ground(setting_.size), all(setting_.size);
  const std::vector<Item>&before = painted_.items, &now = scene.items;
  // Later items lie on top: unchanged items are found in their previous order.
  const auto compare = [&](Tiles& tiles, std::size_t next, std::size_t last, std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      std::size_t same = next;
      const std::size_t farthest = std::min(next + kLookAhead, last);
      while (same < farthest && !(before[same] == now[i])) ++same;
      if (same < farthest) {
        for (; next < same; ++next) tiles.add(extents_[next]);
        ++next;
        continue;
      }
      tiles.add(extents[i]);
      // Usually the item has only moved.
      if (next < last && before[next].shape == now[i].shape && before[next].object == now[i].object)
        tiles.add(extents_[next++]);
    }
    for (; next < last; ++next) tiles.add(extents_[next]);
  };
  compare(ground, 0, painted_.standing, 0, scene.standing);
  all = ground;
  compare(all, painted_.standing, before.size(), scene.standing, now.size());
  const QRect whole({}, setting_.size);
  return {(ground.mostly() ? QRegion(whole) : ground.region()) & whole,
          (all.mostly() ? QRegion(whole) : all.region()) & whole};
}

// Collects the items that are visible in `part`.
void StageCanvas::see(const Scene& scene, std::size_t begin, std::size_t end, const QRect& part) {
  // Called thousands of times per frame, so QRectF::intersects, which is not inline, would be too slow.
  const double left = part.left(), top = part.top(), right = left + part.width(), bottom = top + part.height();
  for (std::size_t i = begin; i < end; ++i) {
    const QRectF& box = extents_[i];
    if (box.x() < right && box.y() < bottom && box.x() + box.width() > left && box.y() + box.height() > top)
      seen_.push_back(&scene.items[i]);
  }
}

void StageCanvas::paintGround(QPainter& painter, const Scene& scene, const QRect& part) {
  seen_.clear();
  see(scene, 0, scene.standing, part);
  painter.setClipRect(part);
  painter.setRenderHint(QPainter::Antialiasing, false);  // faster, and the same for whole pixels
  painter.fillRect(part, setting_.ground);
  painter_.paintItems(painter, seen_, scene.px, *setting_.data, setting_.marked);
}

// Paints what lies above the ground, which `painter` already has; `seen_` holds the items.
void StageCanvas::paintAbove(QPainter& painter, const Scene& scene, const QRect& part) {
  painter.setClipRect(part);
  painter_.paintItems(painter, seen_, scene.px, *setting_.data, setting_.marked);
  if (setting_.marked.none()) return;
  seen_.clear();
  see(scene, 0, scene.items.size(), part);
  painter_.paintOutlines(painter, seen_, scene.px, setting_.marked);
}

void StageCanvas::paintOnPaper(QPainter& painter) const {
  const QRect whole({}, setting_.size);
  painter.save();
  painter.setClipRect(whole);  // on paper a widget may paint beside its place
  painter.fillRect(whole, setting_.ground);
  ScenePainter scenes;
  scenes.setFont(setting_.font);
  scenes.paint(painter, painted_, *setting_.data, setting_.marked);
  painter.restore();
}

QRegion StageCanvas::paint(Scene scene, const Setting& setting) {
  const QSize pixels = (QSizeF(setting.size) * setting.ratio).toSize();
  const bool wholeTiles = std::floor(kTile * setting.ratio) == kTile * setting.ratio;
  const bool anew = !wholeTiles || image_.isNull() || !(setting == setting_) || scene.px != painted_.px ||
                    scene.size != painted_.size;
  for (QImage* image : {&ground_, &image_, &scratch_}) {
    if (image->size() != pixels) *image = newImage(pixels);
    image->setDevicePixelRatio(setting.ratio);
  }
  setting_ = setting;
  std::vector<QRectF> extents;
  extents.reserve(scene.items.size());
  for (const Item& item : scene.items) extents.push_back(ScenePainter::extentOf(item, scene.px));
  const Changes changed = anew ? Changes{QRect({}, setting.size), QRect({}, setting.size)} : changes(scene, extents);
  extents_ = std::move(extents);

  painter_.setFont(setting.font);
  const QRect whole({}, setting.size);
  if (anew) {
    QPainter painter(&ground_);
    keepLeftToRight(painter);
    paintGround(painter, scene, whole);
    painter.end();
    copyPixels(image_, ground_, whole);
    painter.begin(&image_);
    seen_.clear();
    see(scene, scene.standing, scene.items.size(), whole);
    paintAbove(painter, scene, whole);
  } else if (!changed.all.isEmpty()) {
    // Qt may round the last pixels before a clip edge differently, so they are painted beside the part and not copied.
    const auto wider = [&](const QRect& part) { return part.adjusted(-kBeside, 0, kBeside, 0) & whole; };
    QPainter beside(&scratch_), here;
    for (const QRect& part : changed.ground) {
      paintGround(beside, scene, wider(part));
      copyPixels(ground_, scratch_, part);
    }
    const bool outlined = !setting_.marked.none();
    // Images at whole pixels are not rounded; while images are distributed there is nothing else.
    const auto isPlain = [](const Item* item) {
      return item->shape == Item::Shape::Digit && item->level <= 0 && item->opacity >= 1;
    };
    for (const QRect& part : changed.all) {
      seen_.clear();
      see(scene, scene.standing, scene.items.size(), wider(part));
      if (!outlined && std::ranges::all_of(seen_, isPlain)) {
        copyPixels(image_, ground_, part);
        if (seen_.empty()) continue;
        if (!here.isActive()) here.begin(&image_);
        paintAbove(here, scene, part);
      } else {
        copyPixels(scratch_, ground_, wider(part));
        paintAbove(beside, scene, wider(part));
        copyPixels(image_, scratch_, part);
      }
    }
  }
  painted_ = std::move(scene);
  return changed.all;
}

}  // namespace lab
