// SPDX-License-Identifier: GPL-3.0-or-later
// A GIF with one palette for all its frames, which libimagequant makes from the studied frames. Each pixel gets the
// nearest colour, without dithering, so that still parts do not flicker. A frame stores only the part that has changed.
#include <gif_lib.h>
#include <libimagequant.h>

#include <QHash>
#include <QRect>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "core/base/error.h"
#include "ui/i18n/messages.h"
#include "ui/movie/movie_encoder.h"

namespace lab {
namespace {

constexpr int kColours = 255, kSame = 255;  // the last index, kSame: the pixel is as in the frame before

int writeTo(GifFileType* gif, const GifByteType* bytes, int count) {
  auto* out = static_cast<std::string*>(gif->UserData);
  out->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
  return count;
}

// The rectangle around all pixels that differ; null if none does.
QRect changedPart(const QImage& before, const QImage& now) {
  int left = now.width(), right = -1, top = now.height(), bottom = -1;
  for (int y = 0; y < now.height(); ++y) {
    const auto *a = reinterpret_cast<const QRgb*>(before.constScanLine(y)),
               *b = reinterpret_cast<const QRgb*>(now.constScanLine(y));
    const auto different = std::mismatch(a, a + now.width(), b).first - a;
    if (different == now.width()) continue;
    int last = now.width() - 1;
    while (a[last] == b[last]) --last;
    left = std::min(left, static_cast<int>(different));
    right = std::max(right, last);
    top = std::min(top, y);
    bottom = y;
  }
  return right < 0 ? QRect() : QRect(QPoint(left, top), QPoint(right, bottom));
}

class GifEncoder final : public MovieEncoder {
 public:
  GifEncoder(QSize size, int framesPerSecond)
      : size_(size), delay_(100 / framesPerSecond), colours_(liq_attr_create()) {
    if (colours_ == nullptr) throw UserError(say::movieNotMade, "libimagequant");
    liq_set_max_colors(colours_, kColours);
    histogram_ = liq_histogram_create(colours_);
  }
  ~GifEncoder() override {
    if (gif_ != nullptr) EGifCloseFile(gif_, nullptr);
    if (histogram_ != nullptr) liq_histogram_destroy(histogram_);
    liq_attr_destroy(colours_);
  }

  void study(const QImage& picture) override {
    const QImage plain = picture.convertToFormat(QImage::Format_RGBA8888);
    liq_image* image = liq_image_create_rgba(colours_, plain.constBits(), plain.width(), plain.height(), 0);
    if (image == nullptr) throw UserError(say::movieNotMade, "libimagequant");
    liq_histogram_add_image(histogram_, colours_, image);
    liq_image_destroy(image);
    studied_ = true;
  }

  void add(const QImage& frame) override {
    const QImage now = frame.convertToFormat(QImage::Format_RGB32);
    if (gif_ == nullptr) begin(now);
    QRect part = before_.isNull() ? now.rect() : changedPart(before_, now);
    if (part.isNull()) part = QRect(0, 0, 1, 1);  // an unchanged frame is written too, as it takes its time
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, delay_, before_.isNull() ? NO_TRANSPARENT_COLOR : kSame};
    std::array<GifByteType, 4> bytes{};
    EGifGCBToExtension(&control, bytes.data());
    check(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(bytes.size()), bytes.data()));
    check(EGifPutImageDesc(gif_, part.left(), part.top(), part.width(), part.height(), false, nullptr));
    std::vector<GifPixelType> row(static_cast<std::size_t>(part.width()));
    for (int y = part.top(); y <= part.bottom(); ++y) {
      const auto* pixels = reinterpret_cast<const QRgb*>(now.constScanLine(y));
      const auto* old = before_.isNull() ? nullptr : reinterpret_cast<const QRgb*>(before_.constScanLine(y));
      for (int x = part.left(); x <= part.right(); ++x)
        at(row, x - part.left()) =
            old != nullptr && old[x] == pixels[x] ? static_cast<GifPixelType>(kSame) : nearest(pixels[x]);
      check(EGifPutLine(gif_, row.data(), part.width()));
    }
    before_ = now;
    if (static_cast<std::int64_t>(out_.size()) > kMostMovieBytes)
      throw UserError(say::movieTooLarge, Bytes{kMostMovieBytes});
  }

  std::int64_t bytes() const override { return static_cast<std::int64_t>(out_.size()); }

  std::string finish() override {
    check(EGifCloseFile(std::exchange(gif_, nullptr), nullptr));
    return std::move(out_);
  }

 private:
  static void check(int result) {
    if (result == GIF_ERROR) throw UserError(say::movieNotMade, "giflib");
  }

  void begin(const QImage& first) {
    if (!studied_) study(first);
    liq_result* result = nullptr;
    if (liq_histogram_quantize(histogram_, colours_, &result) != LIQ_OK)
      throw UserError(say::movieNotMade, "libimagequant");
    const liq_palette* found = liq_get_palette(result);
    for (unsigned i = 0; i < found->count; ++i)
      palette_.push_back(qRgb(found->entries[i].r, found->entries[i].g, found->entries[i].b));
    liq_result_destroy(result);
    ColorMapObject* map = GifMakeMapObject(256, nullptr);
    for (std::size_t i = 0; i < palette_.size(); ++i)
      map->Colors[i] = {static_cast<GifByteType>(qRed(palette_[i])), static_cast<GifByteType>(qGreen(palette_[i])),
                        static_cast<GifByteType>(qBlue(palette_[i]))};
    gif_ = EGifOpen(&out_, writeTo, nullptr);
    if (gif_ == nullptr) throw UserError(say::movieNotMade, "giflib");
    EGifSetGifVersion(gif_, true);
    check(EGifPutScreenDesc(gif_, size_.width(), size_.height(), 8, 0, map));
    GifFreeMapObject(map);
    // Loops forever: https://www.w3.org/Graphics/GIF/spec-gif89a.txt and Netscape's extension
    const GifByteType loop[]{1, 0, 0};
    check(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE));
    check(EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0"));
    check(EGifPutExtensionBlock(gif_, 3, loop));
    check(EGifPutExtensionTrailer(gif_));
  }

  GifPixelType nearest(QRgb colour) {
    const auto known = known_.constFind(colour);
    if (known != known_.constEnd()) return *known;
    int best = std::numeric_limits<int>::max();
    GifPixelType index = 0;
    for (std::size_t i = 0; i < palette_.size(); ++i) {
      const int red = qRed(colour) - qRed(palette_[i]), green = qGreen(colour) - qGreen(palette_[i]),
                blue = qBlue(colour) - qBlue(palette_[i]);
      const int distance = red * red + green * green + blue * blue;
      if (distance >= best) continue;
      best = distance;
      index = static_cast<GifPixelType>(i);
    }
    return *known_.insert(colour, index);
  }

  QSize size_;
  int delay_;  // hundredths of a second
  liq_attr* colours_;
  liq_histogram* histogram_ = nullptr;
  bool studied_ = false;
  GifFileType* gif_ = nullptr;
  std::string out_;
  std::vector<QRgb> palette_;
  QHash<QRgb, GifPixelType> known_;
  QImage before_;
};

}  // namespace

std::unique_ptr<MovieEncoder> makeGifEncoder(QSize size, int framesPerSecond) {
  return std::make_unique<GifEncoder>(size, framesPerSecond);
}

}  // namespace lab
