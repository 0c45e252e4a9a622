// SPDX-License-Identifier: GPL-3.0-or-later
// A parameter server's coordinator, which takes the batch's place, because every worker reads its own batches: its
// queue of closures, those on their way between the queue and workers, and the staleness of all updates.
#pragma once

#include <QCoreApplication>

#include <cstdint>

#include "ui/scene/scene_part.h"

namespace lab {

class SceneCoordinator : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneCoordinator)

 public:
  explicit SceneCoordinator(const ScenePart& part) : ScenePart(part) {}

  void addQueue();
  void addHistogram();
  void addClosures();  // that a dead worker was computing, on their way back and to another worker

 private:
  QRectF box() const;
  bool isMissed(int worker) const;  // true if the coordinator knows that the worker is dead
  double wayOf(std::int64_t ns, bool arrives) const;
};

}  // namespace lab
