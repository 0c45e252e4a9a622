// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/differing_copies.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/base/error.h"
#include "core/cluster/cluster.h"

namespace lab {
namespace {

constexpr const char* kCopies = "copies/";

// Calls body(tensor's name, replica's buffer, first replica's buffer) for every replica but the first.
template <typename Body>
void forEachCopy(Cluster& cluster, const Body& body) {
  const std::vector<std::string> slots = cluster.settings().slotNames();
  Variables& first = cluster.copies().of(0);
  for (int r = 1; r < cluster.replicas(); ++r) {
    const std::string prefix = kCopies + ("replica_" + std::to_string(r)) + "/";
    Variables& copy = cluster.copies().of(r);
    body(prefix + "weights", copy.weights, first.weights);
    for (std::size_t i = 0; i < slots.size(); ++i) body(prefix + slots[i], copy.slotValues[i], first.slotValues[i]);
  }
}

}  // namespace

void saveDifferingCopies(Cluster& cluster, TensorFile& checkpoint) {
  forEachCopy(cluster, [&](const std::string& name, AlignedBuffer<float>& copy, AlignedBuffer<float>& first) {
    if (std::memcmp(copy.data(), first.data(), copy.span().size_bytes()) == 0) return;
    checkpoint.tensors[name] = {{copy.size()}, {copy.span().begin(), copy.span().end()}};
  });
}

bool hasDifferingCopies(const TensorFile& checkpoint) {
  const auto found = checkpoint.tensors.lower_bound(kCopies);
  return found != checkpoint.tensors.end() && found->first.starts_with(kCopies);
}

void loadDifferingCopies(Cluster& cluster, const TensorFile& checkpoint) {
  if (!hasDifferingCopies(checkpoint)) return;
  forEachCopy(cluster, [&](const std::string& name, AlignedBuffer<float>& copy, AlignedBuffer<float>&) {
    const auto found = checkpoint.tensors.find(name);
    if (found == checkpoint.tensors.end()) return;
    LAB_CHECK(std::ssize(found->second.values) == copy.size());
    std::ranges::copy(found->second.values, copy.data());
  });
  cluster.copies().haveChanged();
}

}  // namespace lab
