// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a movie while the window stays usable: pictures are drawn one at a time between the window's own events, and
// encoded on a thread of low priority. The file appears under its name when all of it is there, never before.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QTimer>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
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

// Why this cannot be made, as a sentence; "" where it can.
QString refusalOf(const MovieRequest& request);

class MovieJob final : public QObject {
  Q_OBJECT

 public:
  explicit MovieJob(MovieRequest request, QObject* parent = nullptr);
  ~MovieJob() override;  // cancels

  int frames() const { return frames_; }

 Q_SIGNALS:
  void drawn(int frames);
  void finished(const QString& failure);  // "": the file is there

 private:
  void draw();
  void encode();
  void end(const QString& failure);

  MovieRequest request_;
  std::unique_ptr<MovieFrames> pictures_;
  int frames_ = 0, studies_ = 0, next_ = 0;
  QTimer timer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<QImage> waiting_;
  bool cancelled_ = false, over_ = false;
  std::jthread thread_;
};

}  // namespace lab
