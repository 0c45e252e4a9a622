// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a movie while the window stays usable: pictures are drawn one at a time between the window's own events, and
// encoded on a thread of low priority. The file appears under its name only when it is complete.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QTimer>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "ui/movie/movie_encoder.h"
#include "ui/movie/movie_frames.h"

namespace lab {

struct MovieRequest {
  MovieStep step;
  Stretch stretch;
  QSize size{1280, 720};
  theme::Kind theme = theme::Kind::Light;
  QFont font;
  int framesPerSecond = 25;
  MovieFormat format = MovieFormat::WebM;
  QString path;
};

// Returns why the movie cannot be made, as a sentence; "" if it can.
QString refusalOf(const MovieRequest& request);

// Takes over the thread of a cancelled job, which still finishes one picture. The program's end waits for the thread,
// but the window does not.
void letEnd(std::jthread thread);

class MovieJob final : public QObject {
  Q_OBJECT

 public:
  explicit MovieJob(MovieRequest request, QObject* parent = nullptr);
  ~MovieJob() override;  // cancels without waiting: a large picture takes seconds to encode

  int frames() const { return frames_; }
  bool cancel();  // false: too late, the file is being written or there, and finished() will come

 Q_SIGNALS:
  void drawn(int frames);
  void finished(const QString& failure);  // "": the file is complete

 private:
  // What the encoding thread shares with the window. It may outlive the job.
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<QImage> waiting;
    bool cancelled = false, writing = false, over = false;
  };
  struct Target {  // the part of the request that the thread needs
    QSize size;
    int framesPerSecond, frames, studies;
    MovieFormat format;
    std::string path;
  };
  static bool makeFile(Shared& shared, const Target& target);               // false: cancelled
  static void encode(MovieJob* job, Shared& shared, const Target& target);  // `job` exists until it is cancelled
  void draw();
  void end(const QString& failure);

  MovieRequest request_;
  std::unique_ptr<MovieFrames> pictures_;
  int frames_ = 0, studies_ = 0, next_ = 0;
  QTimer timer_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::jthread thread_;
};

}  // namespace lab
