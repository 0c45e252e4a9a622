// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/step/step_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/data/dataset.h"
#include "core/model/network_profile.h"
#include "core/model/neural_network.h"
#include "core/replay/classify.h"
#include "core/replay/layer_outputs.h"
#include "ui/theme/value_colour.h"

namespace lab {
namespace {

// The limit for adding up all buffers of a step again: 64 replicas of the course's network, the most that are drawn one
// by one.
constexpr std::int64_t kMostElements = 24'000'000;

std::span<const float> partOf(std::span<const float> all, const BufferRange& range) {
  return all.subspan(static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.count));
}

std::vector<float> changed(std::span<const float> before, std::span<const float> after) {
  std::vector<float> change(std::min(before.size(), after.size()));
  for (std::size_t i = 0; i < change.size(); ++i) change[i] = after[i] - before[i];
  return change;
}

// Works piece by piece: fresh memory for the whole would cost more than the differences.
double largestChange(std::span<const float> before, std::span<const float> after) {
  constexpr std::size_t kPiece = 4096;
  std::array<float, kPiece> change{};
  double largest = 0;
  for (std::size_t from = 0; from < std::min(before.size(), after.size()); from += kPiece) {
    const std::size_t size = std::min({kPiece, before.size() - from, after.size() - from});
    for (std::size_t i = 0; i < size; ++i) change[i] = after[from + i] - before[from + i];
    largest = std::max(largest, largestMagnitude(std::span(change).first(size)));
  }
  return largest;
}

bool isSameBits(std::span<const float> one, std::span<const float> other) {
  return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size_bytes()) == 0;
}

Examples imagesOf(const Dataset& data, std::span<const std::int64_t> examples) {
  const Examples& all = data.train;
  Examples some{.count = std::ssize(examples), .shape = all.shape};
  for (const std::int64_t example : examples) {
    some.pixels.insert(some.pixels.end(), all.image(example), all.image(example) + all.imageSize());
    some.labels.push_back(at(all.labels, example));
  }
  return some;
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
    changeScale_ = theme::roundedScale(largestChange(record_.weightsBefore, record_.weightsAfter));
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

bool StepPictures::isTooMuch() const {
  return std::ssize(record_.gradients) * std::ssize(record_.replicas) > kMostElements;
}

// Sorted, because a ring of 64 has 8,064 transfers, and each piece of each buffer needs the number.
void StepPictures::findArrivals() const {
  std::call_once(found_, [this] {
    arrivals_.resize(info_.legend.endpoints.size());
    for (const std::size_t i : aggregation_.transfers()) {
      const Span& span = record_.spans[i];
      const BufferRange whole{0, std::ssize(record_.gradients)};  // for a server's share, which is not one range
      at(arrivals_, span.to)
          .push_back({span.startNs + span.durationNs, span.round < 0 ? whole : BufferRange{span.offset, span.count}});
    }
    for (std::vector<Arrival>& all : arrivals_) {
      std::ranges::sort(all, {}, [](const Arrival& each) { return each.range.offset; });
      std::int64_t reach = 0;
      for (Arrival& each : all) each.reach = reach = std::max(reach, each.range.end());
    }
  });
}

std::int64_t StepPictures::endedInto(int endpoint, const BufferRange& range, std::int64_t ns) const {
  // Without transfers, all have the sum from the same moment on.
  if (aggregation_.transfers().empty()) return aggregation_.isSummed(ns) ? 1 : 0;
  findArrivals();
  const std::vector<Arrival>& all = at(arrivals_, endpoint);
  auto arrival = std::ranges::lower_bound(all, range.end(), {}, [](const Arrival& each) { return each.range.offset; });
  std::int64_t ended = 0;
  while (arrival != all.begin() && (--arrival)->reach > range.offset)
    ended += arrival->endNs <= ns && range.offset < arrival->range.end() ? 1 : 0;
  return ended;
}

Values StepPictures::gradients(int endpoint, const BufferRange& range, std::int64_t known, std::int64_t ns, QSize size,
                               int server) const {
  if (size.isEmpty() || range.count <= 0 || range.end() > std::ssize(record_.gradients) || isTooMuch()) return nullptr;
  const std::int64_t ended = endedInto(endpoint, range, ns);
  known = std::clamp(known, range.offset, range.end());
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[{Kind::Gradients, endpoint, server, range}].of(size);
  const bool ofWeights = aggregation_.holdsWeights(ns);
  if (kept.values != nullptr && kept.known == known && kept.ended == ended && kept.ofWeights == ofWeights)
    return kept.values;
  const double scale = ofWeights ? weightScale() : gradientScale();
  std::span<const float> values = partOf(bufferAt(endpoint, ns), range);
  kept = {known, ended, ofWeights, nullptr};
  values = values.first(static_cast<std::size_t>(known - range.offset));
  // Draw from the buffer without a copy: 40 workers that compute at once would copy 56 MB in each frame.
  if (server < 0 && known < range.end()) return kept.values = map_.picture(range, values, size, scale);
  if (server < 0) {
    if (!isSameBits(values, partOf(record_.gradients, range)))
      return kept.values = map_.picture(range, values, size, scale);
    Kept& sum = kept_[{Kind::Gradients, -1, -1, range}].of(size);  // one picture for all that have the sum
    if (sum.values == nullptr) sum.values = map_.picture(range, values, size, scale);
    return kept.values = sum.values;
  }
  return kept.values = map_.picture(range, heldBy(server, range, values), size, scale);
}

std::span<const float> StepPictures::bufferAt(int endpoint, std::int64_t ns) const {
  const BufferRange whole{0, std::ssize(record_.gradients)};
  if (summed_.ns < 0)
    summed_.buffers = aggregation_.buffersAt(ns, 0, whole.count);
  else if (summed_.ns != ns)
    aggregation_.advance(summed_.buffers, ns);
  summed_.ns = ns;
  return at(summed_.buffers, endpoint);
}

// Marks the elements that the server does not hold as not known.
std::vector<float> StepPictures::heldBy(int server, const BufferRange& range, std::span<const float> values) const {
  if (server < 0 || static_cast<std::size_t>(server) >= info_.variableShards.size())
    return {values.begin(), values.end()};
  std::vector<float> held(values.size(), kNoValue);
  for (const VariablePart& part : at(info_.variableShards, server)) {
    const std::int64_t end = std::min(part.offset + part.count, range.offset + std::ssize(values));
    for (std::int64_t i = std::max(part.offset, range.offset); i < end; ++i)
      at(held, i - range.offset) = at(values, i - range.offset);
  }
  return held;
}

// A neighbour receives the weights that a replica computed with; an all-reduce gets updated and weighted ones.
const std::vector<float>* StepPictures::ownWeights(std::int64_t version, int replica) const {
  const ReplicaStep& step = at(record_.replicas, replica);
  std::int64_t own = record_.metric.worker.has_value() ? step.version : record_.metric.step;
  if (record_.averagesWeights()) {
    if (version == own && !step.weightsAfter.empty()) return &step.weightsAfter;
    if (aggregation_.inMean() == 0) return nullptr;
    --own;
  }
  return version == own && !step.ownWeights.empty() ? &step.ownWeights : nullptr;
}

const std::vector<float>* StepPictures::weightsOf(std::int64_t version, int replica) const {
  if (const std::vector<float>* own = replica < 0 ? nullptr : ownWeights(version, replica); own != nullptr) return own;
  const std::vector<float>* weights = version == record_.metric.step       ? &record_.weightsAfter
                                      : version == record_.metric.step - 1 ? &record_.weightsBefore
                                                                           : nullptr;
  return weights == nullptr || weights->empty() ? nullptr : weights;
}

// Equal weights share one picture: the replica's number counts only if its weights are its own.
int StepPictures::ownerOf(const std::vector<float>* weights, int replica) const {
  if (replica < 0) return -1;
  const ReplicaStep& own = at(record_.replicas, replica);
  return weights == &own.ownWeights || weights == &own.weightsAfter ? replica : -1;
}

Values StepPictures::weights(std::int64_t version, const BufferRange& range, QSize size, int replica) const {
  const std::vector<float>* all = weightsOf(version, replica);
  if (all == nullptr || size.isEmpty() || range.count <= 0 || range.end() > std::ssize(*all)) return nullptr;
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[{Kind::Weights, version, ownerOf(all, replica), range}].of(size);
  if (kept.values == nullptr) kept.values = map_.picture(range, partOf(*all, range), size, weightScale());
  return kept.values;
}

StepPictures::Terms StepPictures::terms(std::size_t transfer, const BufferRange& range, QSize size) const {
  if (size.isEmpty() || range.count <= 0 || range.end() > std::ssize(record_.gradients) || isTooMuch()) return {};
  const std::lock_guard lock(mutex_);
  Terms& terms = terms_[{transfer, range}].of(size);
  if (terms.source != nullptr) return terms;
  const Span& span = record_.spans[transfer];
  const Aggregation::Buffers buffers = aggregation_.buffersBefore(transfer, range.offset, range.count);
  const auto picture = [&](std::span<const float> values) {
    const double scale = record_.averagesWeights() ? weightScale() : gradientScale();
    return map_.picture(range, values, size, scale);
  };
  terms = {picture(at(buffers, span.to)), picture(buffers.sentBy(span))};
  return terms;
}

double StepPictures::changeScale() const {
  findScales();
  return changeScale_;
}

Values StepPictures::change(const BufferRange& range, QSize size) const {
  const std::vector<float>&before = record_.weightsBefore, &after = record_.weightsAfter;
  if (size.isEmpty() || range.count <= 0 || before.size() != after.size() || range.end() > std::ssize(before))
    return nullptr;
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[{Kind::Change, 0, -1, range}].of(size);
  if (kept.values == nullptr)
    kept.values = map_.picture(range, changed(partOf(before, range), partOf(after, range)), size, changeScale());
  return kept.values;
}

bool StepPictures::isEqual(int replica) const {
  if (record_.metric.worker) return copyOf(replica) == &record_.weightsAfter;
  const std::vector<ReplicaStep>& all = record_.replicas;
  return at(all, replica).weightsDigest == all.front().weightsDigest;
}

const std::vector<float>* StepPictures::copyOf(int replica) const {
  const ReplicaStep& step = at(record_.replicas, replica);
  if (record_.metric.worker) return weightsOf(step.version, replica);
  if (isEqual(replica)) return &record_.weightsAfter;
  return ownWeights(record_.metric.step, replica);
}

bool StepPictures::hasCopy(int replica) const {
  const std::vector<float>* own = copyOf(replica);
  return own != nullptr && !own->empty() && own->size() == record_.weightsAfter.size();
}

Values StepPictures::difference(int replica, const BufferRange& range, QSize size, double amplified) const {
  const std::vector<float>& reference = record_.weightsAfter;
  if (!hasCopy(replica) || size.isEmpty() || range.count <= 0 || range.end() > std::ssize(reference)) return nullptr;
  const std::lock_guard lock(mutex_);
  // Equal copies share one picture.
  const int owner = isEqual(replica) ? -1 : replica;
  Kept& kept = kept_[{Kind::Difference, std::llround(amplified), owner, range}].of(size);
  if (kept.values == nullptr)
    kept.values = map_.picture(range, changed(partOf(reference, range), partOf(*copyOf(replica), range)), size,
                               weightScale() / amplified);
  return kept.values;
}

// With a parameter server each worker has its own version.
std::int64_t StepPictures::versionWith(const ReplicaStep& step) const {
  return record_.metric.worker.has_value() ? step.version : record_.metric.step - 1;
}

std::span<const float> StepPictures::weightsWith(int replica) const {
  const ReplicaStep& step = at(record_.replicas, replica);
  // A broken copy is recorded only as it is after the step.
  const bool differs = !record_.metric.worker && step.weightsDigest != 0 && !isEqual(replica);
  const std::vector<float>* weights =
      differs ? ownWeights(versionWith(step), replica) : weightsOf(versionWith(step), replica);
  return weights == nullptr ? std::span<const float>() : std::span(*weights);
}

Values StepPictures::answers(int replica) const {
  const ReplicaStep& step = at(record_.replicas, replica);
  const auto images = std::ssize(step.shard);
  const std::span<const float> weights = weightsWith(replica);
  const auto differs = [](const NetworkLayer& layer) {
    return layer.kind == NetworkLayer::Kind::Dropout || layer.kind == NetworkLayer::Kind::BatchNorm;
  };
  if (weights.empty() || images == 0 || images > kMostAnswered || info_.data == nullptr ||
      std::ranges::any_of(info_.network->layers(), differs))
    return nullptr;
  const std::lock_guard lock(mutex_);
  Values& answers = answers_[replica];
  if (answers != nullptr) return answers;
  Classified said = classify(imagesOf(*info_.data, step.shard), weights, {}, info_.config);
  answers = sharedValues(static_cast<int>(said.classes), static_cast<int>(images), 1, std::move(said.probabilities));
  return answers;
}

// Batch normalisation needs the replica's whole batch; all other layers treat each image alone.
StepPictures::LayerValues StepPictures::computeLayers(int replica, std::size_t image) const {
  constexpr std::int64_t kMostImages = 256;
  constexpr double kMostMac = 1e9;  // a few tens of milliseconds: the window waits for it
  const ReplicaStep& step = at(record_.replicas, replica);
  const NeuralNetwork& network = *info_.network;
  const std::span<const float> weights = weightsWith(replica);
  if (image >= step.shard.size() || weights.empty() || info_.data == nullptr || !hasOwnOutputs(network)) return {};
  const bool whole = network.statistics().size() > 0;
  if (whole && std::ssize(step.shard) > kMostImages) return {};
  const double images = whole ? static_cast<double>(step.shard.size()) : 1;
  if (images * profileOf(network).forwardMac() > kMostMac) return {};
  BatchPlace place = placeOf(info_, record_, replica);
  std::span<const std::int64_t> shard(step.shard);
  const std::size_t first = whole ? 0 : image, own = whole ? image : 0;
  if (!whole) shard = shard.subspan(image, 1);
  place.globalOffset += static_cast<std::int64_t>(first);
  // Moving statistics take no part in training, so their values do not matter here.
  std::vector<float> moving(static_cast<std::size_t>(network.statistics().size()));
  LayerValues layers = layerOutputs(imagesOf(*info_.data, shard), weights, moving, place, info_.config);
  for (std::vector<float>& layer : layers) {
    const std::size_t size = layer.size() / shard.size();
    layer = std::vector<float>(layer.begin() + static_cast<std::ptrdiff_t>(own * size),
                               layer.begin() + static_cast<std::ptrdiff_t>((own + 1) * size));
  }
  return layers;
}

const StepPictures::LayerValues& StepPictures::layerValues(int replica, std::size_t image) const {
  const std::lock_guard lock(mutex_);
  const auto [found, isNew] = layers_.try_emplace({replica, image});
  if (isNew) found->second = computeLayers(replica, image);
  return found->second;
}

std::vector<float> StepPictures::pixels(int replica, std::size_t image) const {
  const Examples& all = info_.data->train;
  const std::uint8_t* bytes = all.image(at(record_.replicas, replica).shard[image]);
  std::vector<float> pixels;
  for (std::int64_t i = 0; i < all.imageSize(); ++i) pixels.push_back(static_cast<float>(bytes[i]) / 255.0F);
  return pixels;
}

Values StepPictures::unit(int replica, std::size_t image, std::size_t layer, std::int64_t channel) const {
  const LayerValues& all = layerValues(replica, image);
  if (layer >= all.size()) return nullptr;
  const std::lock_guard lock(mutex_);
  Values& unit = units_[{replica, image, layer, channel}];
  if (unit != nullptr) return unit;
  const std::vector<std::int64_t>& shape = info_.network->layers()[layer].output;
  const std::vector<float>& values = all[layer];
  const auto channels = static_cast<std::size_t>(shape.back());
  std::vector<float> own;
  for (std::size_t i = static_cast<std::size_t>(channel); i < values.size(); i += channels) own.push_back(values[i]);
  const bool isMap = shape.size() == 3;
  const bool positive = std::ranges::all_of(values, [](float value) { return value >= 0; });
  unit = sharedValues(isMap ? static_cast<int>(shape[1]) : 1, isMap ? static_cast<int>(shape[0]) : 1,
                      theme::roundedScale(largestMagnitude(values)), std::move(own),
                      positive ? ValueMap::Colours::Grey : ValueMap::Colours::Signed);
  return unit;
}

Values StepPictures::units(int replica, std::size_t image, std::size_t layer, int across) const {
  const LayerValues& all = layerValues(replica, image);
  if (layer >= all.size() || across < 1) return nullptr;
  const std::lock_guard lock(mutex_);
  Values& units = allUnits_[{replica, image, layer, across}];
  if (units != nullptr) return units;
  const std::vector<std::int64_t>& shape = info_.network->layers()[layer].output;
  const std::vector<float>& values = all[layer];
  const bool isMaps = shape.size() == 3;
  const auto side = [&](std::size_t axis) { return isMaps ? static_cast<int>(shape[axis]) : 1; };
  const int channels = static_cast<int>(shape.back()), gap = isMaps ? 1 : 0, lines = ceilDivide(channels, across);
  const int width = across * (side(1) + gap) - gap, height = lines * (side(0) + gap) - gap;
  std::vector<float> shown(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kNoValue);
  for (int channel = 0; channel < channels; ++channel)
    for (int y = 0; y < side(0); ++y)
      for (int x = 0; x < side(1); ++x) {
        const int row = channel / across * (side(0) + gap) + y, column = channel % across * (side(1) + gap) + x;
        at(shown, row * width + column) = at(values, (y * side(1) + x) * channels + channel);
      }
  const bool positive = std::ranges::all_of(values, [](float value) { return value >= 0; });
  return units = sharedValues(width, height, theme::roundedScale(largestMagnitude(values)), std::move(shown),
                              positive ? ValueMap::Colours::Grey : ValueMap::Colours::Signed);
}

Values StepPictures::digit(int replica, std::size_t image) const {
  const Examples& all = info_.data->train;
  if (image >= at(record_.replicas, replica).shard.size()) return nullptr;
  const std::vector<float> values = pixels(replica, image);
  const std::lock_guard lock(mutex_);
  Values& digit = digits_[{replica, image}];
  if (digit != nullptr) return digit;
  const auto colours = static_cast<std::size_t>(all.shape[2]);
  std::vector<float> shown(values.size() / colours);
  for (std::size_t i = 0; i < values.size(); ++i) shown[i / colours] += values[i] / static_cast<float>(colours);
  return digit = sharedValues(static_cast<int>(all.shape[1]), static_cast<int>(all.shape[0]), 1, std::move(shown),
                              ValueMap::Colours::Grey);
}

Values StepPictures::filters(std::int64_t version, const FilterShape& shape, const BufferRange& kernel, int across,
                             int replica) const {
  const std::vector<float>* all = weightsOf(version, replica);
  if (all == nullptr || across < 1 || kernel.end() > std::ssize(*all)) return nullptr;
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[{Kind::Filters, version, ownerOf(all, replica), kernel}].of({across, 0});
  if (kept.values == nullptr) kept.values = filterTiles(shape, partOf(*all, kernel), across, weightScale());
  return kept.values;
}

}  // namespace lab
