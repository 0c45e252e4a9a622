// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates the size of a GIF before it is made: encodes its first picture, and pairs of neighbours from all over the
// range, which represent the rest. The estimate is wrong if little moves at the examined places and much elsewhere.
// Pictures are drawn one at a time between the window's own events.
#pragma once

#include <QImage>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "ui/movie/movie_job.h"

namespace lab {

// The numbers of the examined pictures, in order: the first, then pairs of neighbours.
std::vector<int> picturesToMeasure(int frames, QSize size);
// The bytes of a GIF with `frames` frames; `pictures` are picturesToMeasure(). Returns 0 once `isOver` is true.
std::int64_t gifBytesFrom(const std::vector<QImage>& pictures, int frames, QSize size, int framesPerSecond,
                          const std::function<bool()>& isOver);

class MovieEstimate final : public QObject {
  Q_OBJECT

 public:
  explicit MovieEstimate(MovieRequest request, QObject* parent = nullptr);
  ~MovieEstimate() override;

 Q_SIGNALS:
  void found(qint64 bytes, int pictures);  // `pictures`: how many were examined

 private:
  void draw();

  MovieRequest request_;
  std::vector<int> wanted_;
  std::vector<QImage> drawn_;
  std::unique_ptr<MovieFrames> pictures_;
  struct Shared {  // shared with the thread, which may outlive this object
    std::mutex mutex;
    bool cancelled = false;
  };

  QTimer timer_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::jthread thread_;
};

}  // namespace lab
