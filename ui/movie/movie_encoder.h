// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of one size, made into a movie file in memory: WebM with VP9 (libvpx), or GIF (giflib, its one palette by
// libimagequant). The same pictures give the same bytes. Any thread, one at a time; UserError where it cannot be.
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
inline constexpr std::int64_t kMostGifPixels = 600'000'000;  // of all frames: beyond, files are too large to show
inline constexpr std::int64_t kMostMovieBytes = std::int64_t{512} << 20;  // they are in memory until the end

class MovieEncoder {
 public:
  virtual ~MovieEncoder() = default;
  // Before the first frame: pictures like those that will come, for a palette that serves all of them.
  virtual void study(const QImage& /*picture*/) {}
  virtual void add(const QImage& frame) = 0;
  virtual std::int64_t bytes() const = 0;  // of the frames so far
  virtual std::string finish() = 0;        // the whole file
};

// `framesPerSecond` divides 100 where it is a GIF, whose clock ticks so.
std::unique_ptr<MovieEncoder> makeWebmEncoder(QSize size, int framesPerSecond);
std::unique_ptr<MovieEncoder> makeGifEncoder(QSize size, int framesPerSecond);

}  // namespace lab
