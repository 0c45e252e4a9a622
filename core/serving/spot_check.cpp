// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/spot_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "core/base/error.h"

namespace lab::serving {
namespace {

constexpr double kNearZero = 1e-5;  // for a class that has learnt all: p − y has no more digits than that

bool sameBits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

bool isNear(std::span<const float> pushed, std::span<const float> computed) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const double own = computed[i], apart = static_cast<double>(pushed[i]) - own;
    difference += apart * apart;
    norm += own * own;
  }
  return std::sqrt(difference) <= kTolerance * std::sqrt(norm) + kNearZero;
}

bool isNear(const Result& pushed, const Result& computed, std::size_t weights) {
  const auto all = std::span(pushed.gradients), own = std::span(computed.gradients);
  const double apart = std::abs(pushed.lossSum - computed.lossSum);
  return all.size() == own.size() && apart <= kTolerance * std::abs(computed.lossSum) + kNearZero &&
         isNear(all.first(weights), own.first(weights)) && isNear(all.subspan(weights), own.subspan(weights));
}

}  // namespace

CheckTimes::CheckTimes(double share, int processors, std::uint64_t seed)
    : share_(share * std::max(1, processors)), rng_(seed) {}

bool CheckTimes::picks(int workers, std::int64_t ns) {
  if (share_ <= 0 || isRunning_ || ns < restUntilNs_) return false;
  return rng_.below(static_cast<std::uint64_t>(std::max(1, workers))) == 0;
}

void CheckTimes::finish(std::int64_t tookNs, std::int64_t ns) {
  isRunning_ = false;
  restUntilNs_ = ns + static_cast<std::int64_t>(static_cast<double>(tookNs) * std::max(0.0, 1 / share_ - 1));
}

bool SpotChecker::isHonest(const Suspect& suspect, std::string_view network) {
  WorkerReplica* same = replicaOn(suspect.path, network);
  WorkerReplica& replica = same != nullptr ? *same : *replicaOn(processorPath(), network);
  const Result computed = replica.compute(suspect.job);
  const Result& pushed = suspect.pushed;
  if (same == nullptr) return isNear(pushed, computed, static_cast<std::size_t>(replica.network().layout().size()));
  return pushed.lossSum == computed.lossSum && pushed.correct == computed.correct &&
         sameBits(pushed.gradients, computed.gradients);
}

WorkerReplica* SpotChecker::replicaOn(const std::string& path, std::string_view network) {
  if (const auto found = replicas_.find(path); found != replicas_.end()) return found->second.get();
  if (path.empty()) return nullptr;
  try {
    return (replicas_[path] = std::make_unique<WorkerReplica>(network, 1, path)).get();
  } catch (const UserError&) {
    return nullptr;  // not cached, as a worker may send any name
  }
}

}  // namespace lab::serving
