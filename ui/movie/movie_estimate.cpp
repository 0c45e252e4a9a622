// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/movie/movie_estimate.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/base/platform.h"

namespace lab {
namespace {

constexpr std::int64_t kMostPixels = 24'000'000;  // of the first pictures of all pairs, which are in memory together
constexpr std::int64_t kMostPairs = 8, kLeastPairs = 2;
constexpr int kPausesMs = 4;  // between two pictures, so that the window stays responsive

}  // namespace

std::vector<int> picturesToMeasure(int frames, QSize size) {
  std::vector<int> pictures{0};
  const std::int64_t pixels = std::max<std::int64_t>(1, std::int64_t{size.width()} * size.height());
  const std::int64_t pairs =
      std::min<std::int64_t>(frames / 2, std::clamp(kMostPixels / pixels, kLeastPairs, kMostPairs));
  for (std::int64_t i = 0; i < pairs; ++i) {
    const int first = static_cast<int>((2 * i + 1) * (frames - 1) / (2 * pairs));
    pictures.insert(pictures.end(), {first, first + 1});
  }
  return pictures;
}

std::int64_t gifBytesFrom(const std::vector<QImage>& pictures, int frames, QSize size, int framesPerSecond,
                          const std::function<bool()>& isOver) {
  const auto encoder = makeGifEncoder(size, framesPerSecond);
  for (const QImage& picture : pictures) {
    encoder->study(picture);
    if (isOver()) return 0;
  }
  encoder->add(pictures.front());
  const std::int64_t first = encoder->bytes();
  std::int64_t between = 0, pairs = 0;
  for (std::size_t i = 1; i + 1 < pictures.size(); i += 2, ++pairs) {
    encoder->add(pictures[i]);  // follows an unrelated picture, so its size says nothing
    const std::int64_t before = encoder->bytes();
    encoder->add(pictures[i + 1]);
    between += encoder->bytes() - before;
    if (isOver()) return 0;
  }
  return first + (pairs == 0 ? 0 : between * (frames - 1) / pairs);
}

MovieEstimate::MovieEstimate(MovieRequest request, QObject* parent)
    : QObject(parent),
      request_(std::move(request)),
      wanted_(picturesToMeasure(request_.stretch.frames(request_.framesPerSecond), request_.size)),
      pictures_(std::make_unique<MovieFrames>(request_.step, request_.size, request_.theme, request_.font)) {
  timer_.setInterval(kPausesMs);
  connect(&timer_, &QTimer::timeout, this, &MovieEstimate::draw);
  timer_.start();
}

MovieEstimate::~MovieEstimate() {
  {
    const std::lock_guard guard(shared_->mutex);
    shared_->cancelled = true;
  }
  if (thread_.joinable()) letEnd(std::move(thread_));
}

void MovieEstimate::draw() {
  const int frame = wanted_[drawn_.size()];
  drawn_.push_back(pictures_->at(request_.stretch.beginS + static_cast<double>(frame) / request_.framesPerSecond));
  if (drawn_.size() < wanted_.size()) return;
  timer_.stop();
  pictures_.reset();
  thread_ = std::jthread([this, shared = shared_, pictures = std::exchange(drawn_, {}), size = request_.size,
                          rate = request_.framesPerSecond, frames = request_.stretch.frames(request_.framesPerSecond)] {
    lowerThreadPriority();
    const auto isOver = [&shared] {
      const std::lock_guard guard(shared->mutex);
      return shared->cancelled;
    };
    try {
      const std::int64_t bytes = gifBytesFrom(pictures, frames, size, rate, isOver);
      const std::lock_guard guard(shared->mutex);
      if (shared->cancelled) return;
      QMetaObject::invokeMethod(
          this, [this, bytes, count = static_cast<int>(pictures.size())] { Q_EMIT found(bytes, count); },
          Qt::QueuedConnection);
    } catch (const std::exception&) {  // the error will be shown when the movie is made
    }
  });
}

}  // namespace lab
