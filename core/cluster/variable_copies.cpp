// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/variable_copies.h"

#include <algorithm>
#include <numeric>

#include "core/base/at.h"
#include "core/base/error.h"

namespace lab {

Variables& VariableCopies::of(int index) {
  if (index > 0) (void)parts_.group->setOneCopy(nullptr);
  parts_.group->fetch(parts_.replica(index));
  return parts_.replica(index).variables;
}

void VariableCopies::haveChanged() {
  for (int r = 0; r < parts_.replicas(); ++r) parts_.group->send(parts_.replica(r));
}

void VariableCopies::addEdit(const RunEdit& edit, int id, bool past) {
  LAB_CHECK(parts_.settings.topology.gpuOfReplica.empty() && edit.replica < parts_.replicas() &&
            edit.index < parts_.layout().size());
  parts_.replica(edit.replica).edits.push_back({edit, id, past});
}

void VariableCopies::useOne() {
  if (!parts_.modelled || parts_.asynchronous() || parts_.replicas() == 1 ||
      parts_.settings.topology.parameterDevices > 1)
    return;
  if (parts_.settings.sharding != Sharding::None) return;  // no single copy can stand for all
  for (int r = 0; r < parts_.replicas(); ++r)
    if (!parts_.replica(r).edits.empty()) return;
  (void)parts_.group->setOneCopy(parts_.settings.topology.parameterDevices == 0 ? &parts_.replica(0).variables
                                                                                : &parts_.parameterDevice(0).variables);
}

std::optional<bool> VariableCopies::areIdentical() {
  if (parts_.replicas() == 1 || parts_.settings.sharding == Sharding::Weights || parts_.settings.sharesCopies)
    return std::nullopt;
  (void)parts_.group->setOneCopy(nullptr);
  return parts_.group->mirrorsIdentical();
}

AlignedBuffer<float> VariableCopies::mean(std::span<const std::int64_t> examples) {
  const auto all = static_cast<double>(std::accumulate(examples.begin(), examples.end(), 0LL));
  std::vector<double> sum(static_cast<std::size_t>(parts_.layout().size()), 0);
  const std::vector<std::vector<std::byte>> others = elsewhere();
  std::vector<float> copy(sum.size());
  for (int r = 0; r < parts_.replicas() && parts_.replica(0).isHere(); ++r) {
    const double share = static_cast<double>(at(examples, r)) / all;
    if (parts_.replica(r).isHere())
      std::ranges::copy(of(r).weights.span(), copy.begin());
    else
      std::ranges::copy(at(others, r), std::as_writable_bytes(std::span(copy)).begin());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share * static_cast<double>(copy[i]);
  }
  AlignedBuffer<float> mean(parts_.layout().size(), parts_.layout().alignmentLead());
  std::ranges::transform(sum, mean.data(), [](double value) { return static_cast<float>(value); });
  parts_.group->shareFromFirst(mean.span());
  return mean;
}

// Sends the weights of replicas in other processes to the first process; all processes call this.
std::vector<std::vector<std::byte>> VariableCopies::elsewhere() {
  std::vector<std::vector<std::byte>> copies(static_cast<std::size_t>(parts_.replicas()));
  bool allHere = true;
  for (int r = 0; r < parts_.replicas(); ++r) allHere = allHere && parts_.replica(r).isHere();
  for (int r = 0; r < parts_.replicas() && !allHere; ++r) {
    if (!parts_.replica(r).isHere()) continue;
    const auto bytes = std::as_bytes(of(r).weights.span());
    at(copies, r).assign(bytes.begin(), bytes.end());
  }
  parts_.group->gatherToFirst(copies);
  return copies;
}

}  // namespace lab
