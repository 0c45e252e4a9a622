// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/movie/movie_job.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "ui/words/core_words.h"
#include "ui/words/words.h"

namespace lab {
namespace {

constexpr std::size_t kMostWaiting = 3;  // pictures that are drawn and not encoded yet
constexpr int kMostStudies = 24;         // pictures that a GIF's palette is made of
constexpr int kPauseMs = 4;              // between two pictures, for the window

}  // namespace

QString refusalOf(const MovieRequest& request) {
  if (!request.step.record) return MovieJob::tr("There is nothing on the stage to film yet.");
  const QSize size = request.size;
  if (std::min(size.width(), size.height()) < kLeastMovieSide || std::max(size.width(), size.height()) > kMostMovieSide)
    return MovieJob::tr("A movie has sides of %1 to %2 pixels: choose another size.")
        .arg(kLeastMovieSide)
        .arg(kMostMovieSide);
  const int frames = request.stretch.frames(request.framesPerSecond);
  if (frames > kMostMovieFrames)
    return MovieJob::tr(
               "A movie has at most %L1 pictures, and this one would have %L2: choose a shorter stretch or fewer "
               "pictures a second.")
        .arg(kMostMovieFrames)
        .arg(frames);
  if (request.format == MovieFormat::Gif &&
      static_cast<std::int64_t>(size.width()) * size.height() * frames > kMostGifPixels)
    return MovieJob::tr(
        "So large a GIF is not shown by most programs: choose a smaller picture, a shorter stretch or "
        "fewer pictures a second, or WebM.");
  return {};
}

MovieJob::MovieJob(MovieRequest request, QObject* parent) : QObject(parent), request_(std::move(request)) {
  frames_ = request_.stretch.frames(request_.framesPerSecond);
  studies_ = request_.format == MovieFormat::Gif ? std::min(frames_, kMostStudies) : 0;
  next_ = -studies_;
  pictures_ = std::make_unique<MovieFrames>(request_.step, request_.size, request_.theme, request_.font);
  thread_ = std::jthread([this] { encode(); });
  timer_.setInterval(kPauseMs);
  connect(&timer_, &QTimer::timeout, this, &MovieJob::draw);
  timer_.start();
}

MovieJob::~MovieJob() {
  {
    const std::lock_guard guard(mutex_);
    cancelled_ = true;
  }
  changed_.notify_all();
}

// Those that a palette is made of come first, from everywhere in the movie.
void MovieJob::draw() {
  {
    const std::lock_guard guard(mutex_);
    if (waiting_.size() >= kMostWaiting || over_) return;
  }
  const int frame = next_ >= 0 ? next_ : (next_ + studies_) * frames_ / studies_;
  QImage picture = pictures_->at(request_.stretch.beginS + static_cast<double>(frame) / request_.framesPerSecond);
  {
    const std::lock_guard guard(mutex_);
    waiting_.push_back(std::move(picture));
  }
  changed_.notify_all();
  if (++next_ == frames_) timer_.stop();
  Q_EMIT drawn(std::max(0, next_));
}

void MovieJob::encode() {
  lowerThreadPriority();
  QString failure;
  try {
    checkWritable(request_.path.toStdString());
    const auto encoder = request_.format == MovieFormat::Gif ? makeGifEncoder(request_.size, request_.framesPerSecond)
                                                             : makeWebmEncoder(request_.size, request_.framesPerSecond);
    for (int i = -studies_; i < frames_; ++i) {
      QImage picture;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return cancelled_ || !waiting_.empty(); });
        if (cancelled_) return;
        picture = std::move(waiting_.front());
        waiting_.pop_front();
      }
      if (i < 0) {
        encoder->study(picture);
      } else {
        encoder->add(picture);
      }
    }
    writeFileAtomically(request_.path.toStdString(), encoder->finish());
  } catch (const std::exception& error) {
    failure = coreSentence(error);
  }
  {
    const std::lock_guard guard(mutex_);
    if (cancelled_) return;
    over_ = true;
  }
  QMetaObject::invokeMethod(
      this, [this, failure] { end(failure); }, Qt::QueuedConnection);
}

void MovieJob::end(const QString& failure) {
  timer_.stop();
  Q_EMIT finished(failure);
}

}  // namespace lab
