// SPDX-License-Identifier: GPL-3.0-or-later
// The step of another run that the shown step is compared with, and where the pictures of the two differ. Any thread.
#pragma once

#include <QCache>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "ui/step/step_index.h"

namespace lab {

class BaseStep {
 public:
  BaseStep(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StepRecord> record);

  const StepRecord& record() const { return step_.record(); }
  bool hasNetworkOf(const RunInfo& info) const;  // True if both runs have the same variables; otherwise the weights
                                                 // cannot be compared

  // Pictures of this step's weights before or after its update, in the form of StepPictures::weights and filters.
  Values weights(bool after, const BufferRange& range, QSize size) const;
  Values filters(bool after, const FilterShape& shape, const BufferRange& kernel, int across) const;
  // The class predicted for a training example in this step; empty if the step has no such example or no prediction.
  std::optional<std::uint8_t> prediction(std::int64_t example) const;

  // Marks with 1 where two pictures of the same size differ by more than one step of the colours; other places have no
  // value. Null if they differ nowhere or one of them is null. The same two pictures give the same result as long as
  // it is kept, which is until others with kMostBytes were asked for.
  static constexpr qsizetype kMostBytes = 16 << 20;  // pictures that cover a large screen twice
  Values apart(const Values& mine, const Values& its) const;

 private:
  StepIndex step_;
  std::map<std::int64_t, std::uint8_t> predictions_;  // by example
  mutable std::mutex mutex_;
  // By the two pictures. The base may stay for many steps of the other run, and each has new pictures.
  mutable QCache<std::pair<std::uint64_t, std::uint64_t>, Values> apart_{kMostBytes};
};

}  // namespace lab
