// SPDX-License-Identifier: GPL-3.0-or-later
// Movies of one second in large sizes: how long one takes, how long the window waits for it at most, how long for one
// that is cancelled, and how far a GIF's estimated size is off.
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

#include <memory>
#include <stdexcept>
#include <string>

#include "ui/movie/movie_estimate.h"
#include "ui/movie/movie_job.h"
#include "window_bench.h"

namespace lab::bench {
namespace {

void measureEstimate(const MovieRequest& request, const std::string& name, double& estimated) {
  QElapsedTimer clock;
  clock.start();
  bool found = false;
  MovieEstimate estimate(request);
  QObject::connect(&estimate, &MovieEstimate::found, &estimate, [&](qint64 bytes) {
    estimated = static_cast<double>(bytes);
    found = true;
  });
  waitUntil("the estimate", [&] { return found; });
  report(name + ", its estimate", static_cast<double>(clock.elapsed()), "ms");
}

void measureWhole(const MovieRequest& request, const std::string& name) {
  const Watchdog watchdog;
  QElapsedTimer clock;
  clock.start();
  bool over = false;
  QString failed;
  MovieJob job(request);
  QObject::connect(&job, &MovieJob::finished, &job, [&](const QString& failure) {
    failed = failure;
    over = true;
  });
  waitUntil("the movie", [&] { return over; });
  if (!failed.isEmpty()) throw std::runtime_error(failed.toStdString());
  report(name + ", " + std::to_string(job.frames()) + " pictures", static_cast<double>(clock.elapsed()), "ms");
  report(name + ", the window waits at most", watchdog.worstMs(), "ms");
}

void measureCancelling(const MovieRequest& request, const std::string& name) {
  auto job = std::make_unique<MovieJob>(request);
  int drawn = 0;
  QObject::connect(job.get(), &MovieJob::drawn, job.get(), [&] { ++drawn; });
  waitUntil("pictures", [&] { return drawn >= 8; });
  QElapsedTimer clock;
  clock.start();
  job.reset();
  report(name + ", cancelled", static_cast<double>(clock.nsecsElapsed()) * 1e-6, "ms");
}

}  // namespace

void measureMovies(const Options& options) {
  const QTemporaryDir folder;
  Desk desk(options);
  desk.begin(teachingRun(options));
  MovieRequest request;
  request.step = stepOnStage(desk.controller, desk.playback);
  const Beat* beat = request.step.story.find(BeatKind::Aggregate);
  if (beat == nullptr) throw std::runtime_error("the run sums nothing");
  request.stretch = {beat->endS - 1, beat->endS};
  request.path = folder.filePath(QStringLiteral("movie"));
  for (const MovieFormat format : {MovieFormat::WebM, MovieFormat::Gif})
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080), QSize(3840, 2160)}) {
      const bool gif = format == MovieFormat::Gif;
      const std::string name =
          std::string(gif ? "GIF " : "WebM ") + std::to_string(size.width()) + "x" + std::to_string(size.height());
      request.format = format;
      request.size = size;
      double estimated = 0;
      if (gif) measureEstimate(request, name, estimated);
      measureWhole(request, name);
      const auto bytes = static_cast<double>(QFileInfo(request.path).size());
      report(name + ", its size", bytes / 1e6, "MB");
      if (gif) report(name + ", estimated of that", 100 * estimated / bytes, "%");
      measureCancelling(request, name);
    }
}

}  // namespace lab::bench
