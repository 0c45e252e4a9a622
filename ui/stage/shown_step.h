// SPDX-License-Identifier: GPL-3.0-or-later
// The step on the stage: the index of its record, and what only the run knows about it, some of which comes after the
// record: the evaluation, the epoch's losses, workers that are gone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ui/scene/scene.h"

namespace lab {

class Playback;
class RunController;

class ShownStep {
 public:
  ShownStep(const RunController& controller, const Playback& playback);

  // Takes the playback's present record. Returns true if it is the first one or belongs to another run.
  bool follow();
  const StepIndex* index() const { return index_.get(); }  // null while there is nothing to show
  // What the scene of the present moment depends on, without what the user looks at. Requires an index.
  SceneInput sceneInput(const StageLayout& layout);
  bool hasNews() const;  // since sceneInput(); requires an index

  const EvalMetric* evaluation() const;  // after this step; null: not known
  bool isBeginning() const;              // paused at the very beginning of the run
  // The device's present factor, from 1; nothing if it cannot be slowed down, or if it computes nothing any more.
  std::optional<double> slowdownOf(int replica) const;

 private:
  void countStaleness();
  void countEpoch();
  int lostWorker() const;
  std::vector<int> leftSince() const;

  const RunController& controller_;
  const Playback& playback_;
  std::unique_ptr<StepIndex> index_;
  std::vector<std::int64_t> stalenessCounts_;  // over the first countedSteps_ steps of the run
  std::size_t countedSteps_ = 0;
  EpochMeans epoch_;
  bool knewEvaluation_ = false;  // in the last sceneInput(), like the next two
  int knewLost_ = -1;
  std::vector<int> knewLeft_;
};

}  // namespace lab
