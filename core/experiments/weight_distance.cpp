// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/weight_distance.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>

#include "core/base/error.h"
#include "core/options/config_field.h"

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

}  // namespace

ApartBecause whyApart(const ResolvedSettings& a, const ResolvedSettings& b) {
  if (!agree(a, b, {"dataset", "data-dir", "train-examples", "shuffle-buffer", "seed", "init"}))
    return ApartBecause::OtherExamples;
  if (a.examplesOfReplicas() != b.examplesOfReplicas()) return ApartBecause::OtherBatch;
  if (!agree(a, b, {"optimizer", "learning-rate", "momentum", "lr-scaling", "warmup-epochs", "loss-scaling"}))
    return ApartBecause::OtherTraining;
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
  if (a.matmul != b.matmul) return ApartBecause::OtherPrecision;
  return ApartBecause::OrderOfSums;
}

}  // namespace lab
