// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/step/base_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/model/layout.h"
#include "core/model/neural_network.h"

namespace lab {

BaseStep::BaseStep(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StepRecord> record)
    : step_(std::move(info), std::move(record)) {
  for (const ReplicaStep& replica : step_.record().replicas)
    for (std::size_t i = 0; i < std::min(replica.shard.size(), replica.predictions.size()); ++i)
      predictions_[replica.shard[i]] = replica.predictions[i];
}

bool BaseStep::hasNetworkOf(const RunInfo& info) const {
  const auto sizes = [](const RunInfo& run) {
    std::vector<std::int64_t> all;
    for (const Variable& variable : run.network->layout().variables()) all.push_back(variable.size);
    return all;
  };
  return sizes(info) == sizes(step_.info());
}

Values BaseStep::weights(bool after, const BufferRange& range, QSize size) const {
  return step_.pictures().weights(record().metric.step - (after ? 0 : 1), range, size);
}

Values BaseStep::filters(bool after, const FilterShape& shape, const BufferRange& kernel, int across) const {
  return step_.pictures().filters(record().metric.step - (after ? 0 : 1), shape, kernel, across);
}

std::optional<std::uint8_t> BaseStep::prediction(std::int64_t example) const {
  const auto found = predictions_.find(example);
  return found == predictions_.end() ? std::nullopt : std::optional(found->second);
}

Values BaseStep::apart(const Values& mine, const Values& its) const {
  constexpr double kColours = 255;          // from 0 to the scale's end
  constexpr std::size_t kEntryBytes = 256;  // about what the cache needs beside the values
  if (mine == nullptr || its == nullptr || mine->values.size() != its->values.size()) return nullptr;
  const std::lock_guard lock(mutex_);
  const std::pair key(mine->id, its->id);
  if (const Values* found = apart_.object(key); found != nullptr) return *found;
  const auto step = static_cast<float>(mine->scale / kColours);
  std::vector<float> marks(mine->values.size(), kNoValue);
  bool any = false;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const float here = mine->values[i], there = its->values[i];
    if (isNoValue(here) || isNoValue(there)) continue;
    if (!(std::abs(here - there) > step) && std::isnan(here) == std::isnan(there)) continue;
    marks[i] = 1;
    any = true;
  }
  const Values made = any ? sharedValues(mine->width, mine->height, 1, std::move(marks)) : nullptr;
  const std::size_t bytes = kEntryBytes + (any ? made->values.size() * sizeof(float) : 0);
  apart_.insert(key, new Values(made), static_cast<qsizetype>(bytes));
  return made;
}

}  // namespace lab
