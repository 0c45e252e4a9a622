// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/moving_statistics.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "core/base/at.h"
#include "core/base/error.h"

namespace lab {
namespace {

constexpr const char* kOfServers = "statistics/servers";

std::string statisticsTensor(int replica) {
  return "statistics/replica_" + std::to_string(replica);
}

}  // namespace

void MovingStatistics::set(std::span<const float> values) {
  for (int r = 0; r < parts_.replicas(); ++r) std::ranges::copy(values, parts_.replica(r).variables.statistics.data());
  for (const auto& device : parts_.parameterDevices) device->takeStatisticsFrom(values.data());
  parts_.group->sendStatistics();
}

std::vector<float> MovingStatistics::values() const {
  parts_.group->fetchStatistics();
  const AlignedBuffer<float>& first = parts_.group->replica(0).variables.statistics;
  std::vector<float> result(first.span().begin(), first.span().end());
  for (const auto& device : parts_.parameterDevices) device->copyStatisticsTo(result.data());
  return result;
}

void MovingStatistics::average() {
  if (parts_.settings.network->statistics().size() > 0) parts_.group->averageStatistics();
}

void MovingStatistics::save(TensorFile& checkpoint) const {
  if (parts_.settings.network->statistics().size() == 0) return;
  parts_.group->fetchStatistics();
  std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(parts_.replicas()));
  for (int r = 0; r < parts_.replicas(); ++r) {
    const Replica& each = parts_.group->replica(r);
    if (!each.isHere()) continue;
    const auto bytes = std::as_bytes(each.variables.statistics.span());
    at(all, r).assign(bytes.begin(), bytes.end());
  }
  parts_.group->gatherToFirst(all);
  for (int r = 0; r < parts_.replicas(); ++r) {
    const std::vector<std::byte>& bytes = at(all, r);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    checkpoint.tensors[statisticsTensor(r)] = {{std::ssize(values)}, std::move(values)};
  }
  if (!parts_.asynchronous()) return;
  std::vector<float> ofServers = values();
  checkpoint.tensors[kOfServers] = {{std::ssize(ofServers)}, std::move(ofServers)};
}

// A replica that the saved run did not have begins with the first replica's statistics. All replicas do so if they
// share one variable but the saved run had several.
void MovingStatistics::load(const TensorFile& checkpoint) {
  if (parts_.settings.network->statistics().size() == 0) return;
  for (int r = 0; r < parts_.replicas(); ++r) {
    const bool one = !parts_.asynchronous() && !parts_.parameterDevices.empty();
    auto found = checkpoint.tensors.find(statisticsTensor(one ? 0 : r));
    if (found == checkpoint.tensors.end()) found = checkpoint.tensors.find(statisticsTensor(0));
    AlignedBuffer<float>& values = parts_.replica(r).variables.statistics;
    LAB_CHECK(found != checkpoint.tensors.end() && std::ssize(found->second.values) == values.size());
    std::ranges::copy(found->second.values, values.data());
  }
  parts_.group->sendStatistics();
  if (!parts_.asynchronous()) return;
  const std::vector<float>& values = checkpoint.tensors.at(kOfServers).values;
  LAB_CHECK(std::ssize(values) == parts_.settings.network->statistics().size());
  for (const auto& device : parts_.parameterDevices) device->takeStatisticsFrom(values.data());
}

}  // namespace lab
