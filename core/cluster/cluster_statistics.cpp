// SPDX-License-Identifier: GPL-3.0-or-later
// Moving statistics of batch normalisation in a cluster. Where variables are mirrored each replica has its own, as in
// Keras 3. Central storage has one for all, and parameter servers hold them like other variables, last written, last
// kept: core/strategy/README.md, Batch normalisation.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/base/error.h"
#include "core/cluster/cluster.h"

namespace lab {
namespace {

constexpr const char* kOfServers = "statistics/servers";

std::string statisticsTensor(int replica) {
  return "statistics/replica_" + std::to_string(replica);
}

}  // namespace

void Cluster::setStatistics(std::span<const float> values) {
  for (int r = 0; r < replicas(); ++r) std::ranges::copy(values, replica(r).variables.statistics.data());
  for (const auto& device : parameterDevices_) device->takeStatisticsFrom(values.data());
  group_->sendStatistics();
}

std::vector<float> Cluster::statistics() const {
  group_->fetchStatistics();
  const AlignedBuffer<float>& first = group_->replica(0).variables.statistics;
  std::vector<float> values(first.span().begin(), first.span().end());
  for (const auto& device : parameterDevices_) device->copyStatisticsTo(values.data());
  return values;
}

// In the replicas' order. One without examples has left its value as it was, which counts as well.
void ReplicaGroup::averageStatistics() {
  std::vector<float> means;
  for (std::int64_t i = 0; i < replica(0).variables.statistics.size(); ++i) {
    double sum = 0;
    for (int r = 0; r < size(); ++r) sum += static_cast<double>(replica(r).variables.statistics[i]);
    means.push_back(static_cast<float>(sum / size()));
  }
  for (int r = 0; r < size(); ++r) std::ranges::copy(means, replica(r).variables.statistics.data());
}

void Cluster::averageStatistics() {
  if (settings_.network->statistics().size() > 0) group_->averageStatistics();
}

// Among processes all take part, and the first one has them.
void Cluster::saveStatistics(TensorFile& checkpoint) const {
  if (settings_.network->statistics().size() == 0) return;
  group_->fetchStatistics();
  std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(replicas()));
  for (int r = 0; r < replicas(); ++r) {
    const Replica& each = group_->replica(r);
    if (!each.isHere()) continue;
    const auto bytes = std::as_bytes(each.variables.statistics.span());
    all[static_cast<std::size_t>(r)].assign(bytes.begin(), bytes.end());
  }
  group_->gatherToFirst(all);
  for (int r = 0; r < replicas(); ++r) {
    const std::vector<std::byte>& bytes = all[static_cast<std::size_t>(r)];
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    checkpoint.tensors[statisticsTensor(r)] = {{std::ssize(values)}, std::move(values)};
  }
  if (!asynchronous()) return;
  std::vector<float> values = statistics();
  checkpoint.tensors[kOfServers] = {{std::ssize(values)}, std::move(values)};
}

// A replica that the run did not have when it was saved begins with the first one's; so do all where there is one
// variable for them, of a run that had several.
void Cluster::loadStatistics(const TensorFile& checkpoint) {
  if (settings_.network->statistics().size() == 0) return;
  for (int r = 0; r < replicas(); ++r) {
    const bool one = !asynchronous() && !parameterDevices_.empty();
    auto found = checkpoint.tensors.find(statisticsTensor(one ? 0 : r));
    if (found == checkpoint.tensors.end()) found = checkpoint.tensors.find(statisticsTensor(0));
    AlignedBuffer<float>& values = replica(r).variables.statistics;
    LAB_CHECK(found != checkpoint.tensors.end() && std::ssize(found->second.values) == values.size());
    std::ranges::copy(found->second.values, values.data());
  }
  group_->sendStatistics();
  if (!asynchronous()) return;
  const std::vector<float>& values = checkpoint.tensors.at(kOfServers).values;
  LAB_CHECK(std::ssize(values) == settings_.network->statistics().size());
  for (const auto& device : parameterDevices_) device->takeStatisticsFrom(values.data());
}

}  // namespace lab
