// SPDX-License-Identifier: GPL-3.0-or-later
// VP9 at a constant quality that keeps letters sharp. Encodes on the calling thread, so that the same pictures give the
// same bytes.
#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "ui/i18n/messages.h"
#include "ui/movie/movie_encoder.h"
#include "ui/movie/webm_file.h"

namespace lab {
namespace {

constexpr int kSpeed = 6, kQuality = 12;  // libvpx's scales: 0 to 8, higher is quicker; 0 to 63, lower is better
constexpr int kKeySeconds = 2;            // at most this long between two moments that a player can jump to

class WebmEncoder final : public MovieEncoder {
 public:
  WebmEncoder(QSize size, int framesPerSecond) : size_(size), rate_(framesPerSecond) {
    vpx_codec_enc_cfg_t config;
    check(vpx_codec_enc_config_default(vpx_codec_vp9_cx(), &config, 0));
    config.g_w = static_cast<unsigned>(size.width());
    config.g_h = static_cast<unsigned>(size.height());
    config.g_timebase = {1, framesPerSecond};
    config.g_threads = 1;
    config.g_lag_in_frames = 0;  // one packet per frame
    config.rc_end_usage = VPX_Q;
    config.rc_min_quantizer = 0;
    config.rc_max_quantizer = 40;
    config.kf_max_dist = static_cast<unsigned>(kKeySeconds * framesPerSecond);
    check(vpx_codec_enc_init(&codec_, vpx_codec_vp9_cx(), &config, 0));
    open_ = true;
    vpx_codec_control(&codec_, VP8E_SET_CPUUSED, kSpeed);
    vpx_codec_control(&codec_, VP8E_SET_CQ_LEVEL, kQuality);
    vpx_codec_control(&codec_, VP9E_SET_TUNE_CONTENT, VP9E_CONTENT_SCREEN);
    vpx_codec_control(&codec_, VP9E_SET_COLOR_SPACE, VPX_CS_BT_709);
    if (vpx_img_alloc(&image_, VPX_IMG_FMT_I420, config.g_w, config.g_h, 16) == nullptr)
      throw UserError(say::movieNotMade, "libvpx");
  }
  ~WebmEncoder() override {
    if (open_) vpx_codec_destroy(&codec_);
    vpx_img_free(&image_);
  }

  void add(const QImage& frame) override {
    convert(frame.convertToFormat(QImage::Format_RGB32));
    encode(&image_);
  }

  std::int64_t bytes() const override { return bytes_; }

  std::string finish() override {
    encode(nullptr);
    return webmFile(size_, rate_, packets_);
  }

 private:
  static void check(vpx_codec_err_t error) {
    if (error != VPX_CODEC_OK) throw UserError(say::movieNotMade, vpx_codec_err_to_string(error));
  }

  void encode(const vpx_image_t* image) {
    check(vpx_codec_encode(&codec_, image, image == nullptr ? 0 : next_++, 1, 0, VPX_DL_GOOD_QUALITY));
    vpx_codec_iter_t at = nullptr;
    while (const vpx_codec_cx_pkt_t* packet = vpx_codec_get_cx_data(&codec_, &at)) {
      if (packet->kind != VPX_CODEC_CX_FRAME_PKT) continue;
      const auto& frame = packet->data.frame;
      bytes_ += static_cast<std::int64_t>(frame.sz);
      if (bytes_ > kMostMovieBytes) throw UserError(say::movieTooLarge, Bytes{kMostMovieBytes});
      packets_.push_back(
          {std::string(static_cast<const char*>(frame.buf), frame.sz), (frame.flags & VPX_FRAME_IS_KEY) != 0});
    }
  }

  // BT.709, studio range; one colour for each square of two by two pixels.
  void convert(const QImage& frame) {
    const int width = size_.width(), height = size_.height();
    for (int y = 0; y < height; ++y) {
      const auto* row = reinterpret_cast<const QRgb*>(frame.constScanLine(y));
      unsigned char* luma = image_.planes[VPX_PLANE_Y] + static_cast<std::ptrdiff_t>(y) * image_.stride[VPX_PLANE_Y];
      for (int x = 0; x < width; ++x)
        luma[x] = static_cast<unsigned char>(
            16 + ((11966 * qRed(row[x]) + 40254 * qGreen(row[x]) + 4064 * qBlue(row[x]) + 32768) >> 16));
    }
    for (int y = 0; y < (height + 1) / 2; ++y) {
      const int below = std::min(2 * y + 1, height - 1);
      const auto *first = reinterpret_cast<const QRgb*>(frame.constScanLine(2 * y)),
                 *second = reinterpret_cast<const QRgb*>(frame.constScanLine(below));
      unsigned char *u = image_.planes[VPX_PLANE_U] + static_cast<std::ptrdiff_t>(y) * image_.stride[VPX_PLANE_U],
                    *v = image_.planes[VPX_PLANE_V] + static_cast<std::ptrdiff_t>(y) * image_.stride[VPX_PLANE_V];
      for (int x = 0; x < (width + 1) / 2; ++x) {
        const QRgb four[]{first[2 * x], first[std::min(2 * x + 1, width - 1)], second[2 * x],
                          second[std::min(2 * x + 1, width - 1)]};
        int red = 0, green = 0, blue = 0;
        for (const QRgb one : four) {
          red += qRed(one);
          green += qGreen(one);
          blue += qBlue(one);
        }
        u[x] = static_cast<unsigned char>(128 + ((-6596 * red - 22189 * green + 28784 * blue + 131072) >> 18));
        v[x] = static_cast<unsigned char>(128 + ((28784 * red - 26145 * green - 2639 * blue + 131072) >> 18));
      }
    }
  }

  QSize size_;
  int rate_;
  bool open_ = false;
  vpx_codec_ctx_t codec_{};
  vpx_image_t image_{};
  vpx_codec_pts_t next_ = 0;
  std::int64_t bytes_ = 0;
  std::vector<WebmPacket> packets_;
};

}  // namespace

std::unique_ptr<MovieEncoder> makeWebmEncoder(QSize size, int framesPerSecond) {
  return std::make_unique<WebmEncoder>(size, framesPerSecond);
}

}  // namespace lab
