// SPDX-License-Identifier: GPL-3.0-or-later
// Encodes pictures of one size as a movie file in memory: WebM with VP9 (libvpx), or GIF (giflib, with a single palette
// by libimagequant). The same pictures give the same bytes. Any thread, but one at a time; throws UserError on failure.
#pragma once

#include <QImage>
#include <QSize>

#include <cstdint>
#include <memory>
#include <string>

namespace lab {

enum class MovieFormat { WebM, Gif };

inline constexpr int kLeastMovieSide = 160, kMostMovieSide = 3840;
inline constexpr int kMostMovieFrames = 3000;
inline constexpr std::int64_t kMostGifPixels = 600'000'000;  // over all frames: larger files could not be shown
inline constexpr std::int64_t kMostMovieBytes = std::int64_t{512} << 20;  // the file is in memory until the end

class MovieEncoder {
 public:
  virtual ~MovieEncoder() = default;
  // Call before the first frame with typical pictures, for a palette that suits all frames.
  virtual void study(const QImage& /*picture*/) {}
  virtual void add(const QImage& frame) = 0;
  virtual std::int64_t bytes() const = 0;  // size of the frames so far
  virtual std::string finish() = 0;        // the whole file
};

// `framesPerSecond` must divide 100 for a GIF, whose clock ticks in hundredths.
std::unique_ptr<MovieEncoder> makeWebmEncoder(QSize size, int framesPerSecond);
std::unique_ptr<MovieEncoder> makeGifEncoder(QSize size, int framesPerSecond);

}  // namespace lab
