// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/step_pictures.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "core/data/dataset.h"
#include "core/model/neural_network.h"
#include "core/replay/classify.h"
#include "ui/theme/value_colour.h"

namespace lab {
namespace {

// What adding up all buffers of a step again may take: 16 replicas of the course's network.
constexpr std::int64_t kMostElements = 6'000'000;

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

std::span<const float> partOf(const std::vector<float>& all, const BufferRange& range) {
  return std::span(all).subspan(static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.count));
}

}  // namespace

StepPictures::StepPictures(const RunInfo& info, const StepRecord& record, const Aggregation& aggregation)
    : info_(info), record_(record), aggregation_(aggregation), map_(info.network->layout()) {}

void StepPictures::findScales() const {
  std::call_once(scaled_, [this] {
    weightScale_ = theme::roundedScale(largestMagnitude(record_.weightsBefore));
    double largest = largestMagnitude(record_.gradients);
    for (const ReplicaStep& replica : record_.replicas)
      largest = std::max(largest, largestMagnitude(replica.gradients));
    gradientScale_ = theme::roundedScale(largest);
  });
}

double StepPictures::weightScale() const {
  findScales();
  return weightScale_;
}

double StepPictures::gradientScale() const {
  findScales();
  return gradientScale_;
}

std::int64_t StepPictures::endedInto(int endpoint, const BufferRange& range, std::int64_t ns) const {
  std::int64_t ended = 0;
  for (const std::size_t i : aggregation_.transfers()) {
    const Span& span = record_.spans[i];
    if (span.to != endpoint || span.startNs + span.durationNs > ns) continue;
    if (span.round >= 0 && (span.offset >= range.end() || span.offset + span.count <= range.offset)) continue;
    ++ended;
  }
  // Without transfers all have the sum from one moment on.
  if (aggregation_.transfers().empty()) ended = aggregation_.isSummed(ns) ? 1 : 0;
  return ended;
}

Values StepPictures::gradients(int endpoint, const BufferRange& range, std::int64_t known, std::int64_t ns, QSize size,
                               int server) const {
  const auto elements = std::ssize(record_.gradients);
  if (size.isEmpty() || range.count <= 0 || range.end() > elements ||
      elements * std::ssize(record_.replicas) > kMostElements)
    return nullptr;
  const std::int64_t ended = endedInto(endpoint, range, ns);
  known = std::clamp(known, range.offset, range.end());
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[{Kind::Gradients, endpoint, server, range, size.width(), size.height()}];
  if (kept.values != nullptr && kept.known == known && kept.ended == ended) return kept.values;
  std::vector<float> values = aggregation_.bufferAt(endpoint, ns, range.offset, range.count);
  std::fill(values.begin() + (known - range.offset), values.end(), kUnknown);
  leaveOut(server, range, values);
  const bool averages = !record_.replicas.empty() && !record_.replicas.front().ownWeights.empty();
  kept = {known, ended, map_.picture(range, values, size, averages ? weightScale() : gradientScale())};
  return kept.values;
}

// What the server does not hold.
void StepPictures::leaveOut(int server, const BufferRange& range, std::vector<float>& values) const {
  if (server < 0 || static_cast<std::size_t>(server) >= info_.variableShards.size()) return;
  std::vector<float> held(values.size(), kUnknown);
  for (const VariablePart& part : info_.variableShards[static_cast<std::size_t>(server)]) {
    const std::int64_t end = std::min(part.offset + part.count, range.end());
    for (std::int64_t i = std::max(part.offset, range.offset); i < end; ++i)
      held[static_cast<std::size_t>(i - range.offset)] = values[static_cast<std::size_t>(i - range.offset)];
  }
  values = std::move(held);
}

const std::vector<float>* StepPictures::weightsOf(std::int64_t version) const {
  const std::vector<float>* weights = version == record_.metric.step       ? &record_.weightsAfter
                                      : version == record_.metric.step - 1 ? &record_.weightsBefore
                                                                           : nullptr;
  return weights == nullptr || weights->empty() ? nullptr : weights;
}

Values StepPictures::weights(std::int64_t version, const BufferRange& range, QSize size) const {
  const std::vector<float>* all = weightsOf(version);
  if (all == nullptr || size.isEmpty() || range.count <= 0 || range.end() > std::ssize(*all)) return nullptr;
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[{Kind::Weights, version, -1, range, size.width(), size.height()}];
  if (kept.values == nullptr) kept.values = map_.picture(range, partOf(*all, range), size, weightScale());
  return kept.values;
}

Values StepPictures::answers(int replica) const {
  const ReplicaStep& step = record_.replicas[static_cast<std::size_t>(replica)];
  const auto images = std::ssize(step.shard);
  // Of a parameter server each worker has its own version.
  const std::int64_t version = record_.metric.worker.has_value() ? step.version : record_.metric.step - 1;
  const std::vector<float>* weights = weightsOf(version);
  const auto differs = [](const NetworkLayer& layer) {
    return layer.kind == NetworkLayer::Kind::Dropout || layer.kind == NetworkLayer::Kind::BatchNorm;
  };
  if (weights == nullptr || images == 0 || images > kMostAnswered || info_.data == nullptr ||
      std::ranges::any_of(info_.network->layers(), differs))
    return nullptr;
  const std::lock_guard lock(mutex_);
  Values& answers = answers_[replica];
  if (answers != nullptr) return answers;
  const Examples& all = info_.data->train;
  Examples some{.count = images, .shape = all.shape};
  for (const std::int64_t example : step.shard) {
    some.pixels.insert(some.pixels.end(), all.image(example), all.image(example) + all.imageSize());
    some.labels.push_back(all.labels[static_cast<std::size_t>(example)]);
  }
  Classified said = classify(some, *weights, {}, info_.config);
  answers = sharedValues(static_cast<int>(said.classes), static_cast<int>(images), 1, std::move(said.probabilities));
  return answers;
}

Values StepPictures::filters(std::int64_t version, const FilterShape& shape, const BufferRange& kernel,
                             int across) const {
  const std::vector<float>* all = weightsOf(version);
  if (all == nullptr || across < 1 || kernel.end() > std::ssize(*all)) return nullptr;
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[{Kind::Filters, version, -1, kernel, across, 0}];
  if (kept.values == nullptr) kept.values = filterTiles(shape, partOf(*all, kernel), across, weightScale());
  return kept.values;
}

}  // namespace lab
