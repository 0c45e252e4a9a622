// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/movie/movie_job.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"

namespace lab {
namespace {

constexpr std::size_t kMostWaiting = 3;  // pictures that are drawn but not encoded yet
constexpr int kMostStudies = 24;         // pictures that a GIF's palette is made from
constexpr int kPauseMs = 4;              // between two pictures, so that the window stays responsive

}  // namespace

void letEnd(std::jthread thread) {
  static std::vector<std::future<void>> ending;  // each has joined its thread when it is ready
  static std::mutex mutex;
  const std::lock_guard guard(mutex);
  std::erase_if(ending, [](const std::future<void>& one) {
    return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  ending.push_back(std::async(std::launch::async, [thread = std::move(thread)]() mutable { thread.join(); }));
}

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
               "A movie has at most %L1 pictures, but this one would have %L2: choose a shorter part or fewer pictures "
               "per second.")
        .arg(kMostMovieFrames)
        .arg(frames);
  if (request.format == MovieFormat::Gif &&
      static_cast<std::int64_t>(size.width()) * size.height() * frames > kMostGifPixels)
    return MovieJob::tr(
        "Most programs do not show so large a GIF: choose a smaller picture, a shorter part or fewer pictures per "
        "second, or WebM.");
  return {};
}

MovieJob::MovieJob(MovieRequest request, QObject* parent) : QObject(parent), request_(std::move(request)) {
  frames_ = request_.stretch.frames(request_.framesPerSecond);
  studies_ = request_.format == MovieFormat::Gif ? std::min(frames_, kMostStudies) : 0;
  next_ = -studies_;
  pictures_ = std::make_unique<MovieFrames>(request_.step, request_.size, request_.theme, request_.font);
  thread_ = std::jthread([this, shared = shared_,
                          target = Target{request_.size, request_.framesPerSecond, frames_, studies_, request_.format,
                                          request_.path.toStdString()}] { encode(this, *shared, target); });
  timer_.setInterval(kPauseMs);
  connect(&timer_, &QTimer::timeout, this, &MovieJob::draw);
  timer_.start();
}

MovieJob::~MovieJob() {
  const bool ended = [this] {
    const std::lock_guard guard(shared_->mutex);
    return shared_->over;
  }();
  if (cancel() && !ended) letEnd(std::move(thread_));
}

bool MovieJob::cancel() {
  {
    const std::lock_guard guard(shared_->mutex);
    if (shared_->writing || shared_->over) return false;  // end() is on its way, with what there is to say
    shared_->cancelled = true;
    shared_->waiting.clear();
  }
  timer_.stop();
  shared_->changed.notify_all();
  return true;
}

// The pictures that the palette is made from come first; they are spread over the whole movie.
void MovieJob::draw() {
  {
    const std::lock_guard guard(shared_->mutex);
    if (shared_->waiting.size() >= kMostWaiting || shared_->over) return;
  }
  const int frame = next_ >= 0 ? next_ : (next_ + studies_) * frames_ / studies_;
  QImage picture = pictures_->at(request_.stretch.beginS + static_cast<double>(frame) / request_.framesPerSecond);
  {
    const std::lock_guard guard(shared_->mutex);
    shared_->waiting.push_back(std::move(picture));
  }
  shared_->changed.notify_all();
  if (++next_ == frames_) timer_.stop();
  Q_EMIT drawn(std::max(0, next_));
}

bool MovieJob::makeFile(Shared& shared, const Target& target) {
  checkWritable(target.path);
  const auto encoder = target.format == MovieFormat::Gif ? makeGifEncoder(target.size, target.framesPerSecond)
                                                         : makeWebmEncoder(target.size, target.framesPerSecond);
  for (int i = -target.studies; i < target.frames; ++i) {
    QImage picture;
    {
      std::unique_lock lock(shared.mutex);
      shared.changed.wait(lock, [&shared] { return shared.cancelled || !shared.waiting.empty(); });
      if (shared.cancelled) return false;
      picture = std::move(shared.waiting.front());
      shared.waiting.pop_front();
    }
    if (i < 0) {
      encoder->study(picture);
    } else {
      encoder->add(picture);
    }
  }
  const std::string file = encoder->finish();
  {
    const std::lock_guard guard(shared.mutex);
    if (shared.cancelled) return false;
    shared.writing = true;  // cannot be cancelled from here on, as the words about the file could be wrong
  }
  writeFileAtomically(target.path, file);
  return true;
}

void MovieJob::encode(MovieJob* job, Shared& shared, const Target& target) {
  lowerThreadPriority();
  QString failure;
  try {
    if (!makeFile(shared, target)) return;
  } catch (const std::exception& error) {
    failure = coreSentence(error);
  }
  const std::lock_guard guard(shared.mutex);
  if (shared.cancelled) return;  // the job no longer exists
  shared.over = true;
  QMetaObject::invokeMethod(
      job, [job, failure] { job->end(failure); }, Qt::QueuedConnection);
}

void MovieJob::end(const QString& failure) {
  timer_.stop();
  Q_EMIT finished(failure);
}

}  // namespace lab
