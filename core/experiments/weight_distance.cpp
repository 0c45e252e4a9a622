// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/weight_distance.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/config/choices.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/strategy/strategy.h"

namespace lab {

double weightDistance(std::span<const float> weights, std::span<const float> first) {
  LAB_CHECK(weights.size() == first.size());
  double apart = 0, length = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double was = first[i], difference = static_cast<double>(weights[i]) - was;
    apart += difference * difference;
    length += was * was;
  }
  return apart == 0 ? 0 : std::sqrt(apart / length);
}

bool sameWeights(std::span<const float> weights, std::span<const float> first) {
  return weights.size() == first.size() && std::memcmp(weights.data(), first.data(), first.size_bytes()) == 0;
}

void DistanceCurve::add(std::int64_t step, std::span<const float> weights, std::span<const float> first) {
  const auto at = std::ranges::lower_bound(points_, step, {}, &Point::step);
  if (at != points_.end() && at->step == step) return;
  const bool same = sameWeights(weights, first);
  const double distance = same ? 0 : weightDistance(weights, first);
  points_.insert(at, {step, distance});
  // A distance that is not finite counts as infinite.
  largest_ = std::max(largest_, std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity());
  if (!same && (firstDifference_ == 0 || step < firstDifference_)) firstDifference_ = step;
}

bool DistanceCurve::has(std::int64_t step) const {
  return std::ranges::binary_search(points_, step, {}, &Point::step);
}

Apart DistanceCurve::apart() const {
  if (points_.empty()) return Apart::Unknown;
  if (firstDifference_ == 0) return Apart::Same;
  return largest_ <= kRoundingDistance ? Apart::Rounding : Apart::Growing;
}

std::int64_t DistanceCurve::lastSame() const {
  std::int64_t last = 0;
  for (const Point& point : points_)
    if (firstDifference_ == 0 || point.step < firstDifference_) last = point.step;
  return last;
}

namespace {

bool agree(const ResolvedSettings& a, const ResolvedSettings& b, std::initializer_list<const char*> fields) {
  return std::ranges::all_of(fields, [&](const char* name) {
    const ConfigField& field = configField(name);
    return field.get(a) == field.get(b);
  });
}

bool trainsAlike(const ResolvedSettings& a, const ResolvedSettings& b) {
  return std::ranges::all_of(configFields(), [&](const ConfigField& field) {
    return field.group != "Training" || !field.changesResults || field.get(a) == field.get(b);
  });
}

// Several hosts, each of which shuffles what it reads; "" for one stream of examples, which all runs with the same data
// and seed have in common.
std::string ownStreams(const ResolvedSettings& config) {
  if (config.hosts == 1 || !strategyInfo(config.strategy).synchronous) return {};
  const bool off = config.autoShard == AutoShard::Off;
  if (!off && (config.split != SplitSource::File || config.autoShard == AutoShard::Data)) return {};
  return std::to_string(config.hosts) + (off ? " of all" : " of files " + std::to_string(config.files));
}

// What a strategy does that others do not even up to rounding; "": each step applies the mean of all gradients.
std::string ownMethod(const ResolvedSettings& config) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (!info.isPlainMean || info.isPlainMean(config)) return {};
  std::string method = info.key + " x" + std::to_string(config.replicas);
  for (const OwnSetting& own : info.settings) method += " " + std::to_string(info.ownSetting(config, own.name));
  if (staysWithinHosts(config, static_cast<int>(config.replicas), static_cast<int>(config.hosts),
                       nextExchange(config, 1)))
    method += " on " + std::to_string(config.hosts);
  return method;
}

// Null if there is none: a lane that cannot run has unchecked settings.
std::shared_ptr<const NeuralNetwork> networkOrNone(const ResolvedSettings& config) {
  try {
    return networkOf(config);
  } catch (const std::exception&) {
    return nullptr;
  }
}

bool hasSameNetwork(const ResolvedSettings& a, const ResolvedSettings& b) {
  if (a.network == b.network && layersOfFile(a) == layersOfFile(b)) return true;  // the data are the same
  const auto one = networkOrNone(a), other = networkOrNone(b);
  return one == nullptr || other == nullptr || *one == *other;
}

// Each replica normalises by the mean and variance of its own images.
bool normalisesByShares(const ResolvedSettings& config) {
  const auto network = networkOrNone(config);
  return network != nullptr && std::ranges::any_of(network->layers(), [](const NetworkLayer& layer) {
           return layer.kind == NetworkLayer::Kind::BatchNorm && !layer.synchronized;
         });
}

// With Keras's fit, an image of a small share weighs more.
bool weighsByShares(const ResolvedSettings& config) {
  return config.lossReduction == LossReduction::Fit && !config.sharesEvenly();
}

bool differsInMethod(const ResolvedSettings& a, const ResolvedSettings& b) {
  if (!hasSameNetwork(a, b) || ownMethod(a) != ownMethod(b)) return true;
  return a.replicas != b.replicas && (weighsByShares(a) || weighsByShares(b) || normalisesByShares(a));
}

}  // namespace

ApartBecause whyApart(const ResolvedSettings& a, const ResolvedSettings& b) {
  if (!agree(a, b, {"dataset", "data-dir", "train-examples", "shuffle-buffer", "seed", "init"}))
    return ApartBecause::OtherExamples;
  if (a.examplesOfReplicas() != b.examplesOfReplicas()) return ApartBecause::OtherBatch;
  if (!trainsAlike(a, b)) return ApartBecause::OtherTraining;
  const auto canBeStale = [](const ResolvedSettings& config) {
    return !strategyInfo(config.strategy).synchronous && config.replicas > 1;
  };
  const auto settings = [](const ResolvedSettings& config) {
    std::string text;
    for (const ConfigField& field : configFields())
      if (field.changesResults) text += field.get(config) + "\n";
    return text;
  };
  if (settings(a) == settings(b)) return ApartBecause::Nothing;
  if (canBeStale(a) || canBeStale(b)) return ApartBecause::StaleWeights;
  if (ownStreams(a) != ownStreams(b)) return ApartBecause::OtherExamples;
  if (differsInMethod(a, b)) return ApartBecause::OtherMethod;
  if (a.matmul != b.matmul) return ApartBecause::OtherPrecision;
  return ApartBecause::OrderOfSums;
}

}  // namespace lab
