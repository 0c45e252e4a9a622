// SPDX-License-Identifier: GPL-3.0-or-later
// The step of another run that a step is compared with, and where the pictures of the two are apart. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "ui/scene/step_index.h"

namespace lab {

class BaseStep {
 public:
  BaseStep(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StepRecord> record);

  const StepRecord& record() const { return step_.record(); }
  bool hasNetworkOf(const RunInfo& info) const;  // the same variables; else its weights are nothing to compare with

  // Pictures of its weights before or after its step, as StepPictures::weights and filters have them.
  Values weights(bool after, const BufferRange& range, QSize size) const;
  Values filters(bool after, const FilterShape& shape, const BufferRange& kernel, int across) const;
  // The class that it takes a training example for in this step; empty: it does not see that one, or did not say.
  std::optional<std::uint8_t> prediction(std::int64_t example) const;

  // Where two pictures of one size are apart by more than a step of the colours: 1 there, else none. Null: nowhere, or
  // one of them is null. The same two give the same picture.
  Values apart(const Values& mine, const Values& its) const;

 private:
  StepIndex step_;
  std::map<std::int64_t, std::uint8_t> predictions_;  // by example
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::uint64_t, std::uint64_t>, Values> apart_;
};

}  // namespace lab
