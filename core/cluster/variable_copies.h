// SPDX-License-Identifier: GPL-3.0-or-later
// The replicas' copies of the variables between two steps: read, change and compare them, and let one stand for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/cluster/cluster_parts.h"
#include "core/config/run_edit.h"

namespace lab {

class VariableCopies {
 public:
  explicit VariableCopies(ClusterParts& parts) : parts_(parts) {}

  // of() updates the host's copy of a replica's variables and returns it; haveChanged() sends changed copies back.
  Variables& of(int replica);
  void haveChanged();

  // Compares all replicas' weights bit by bit, as Cluster::compareMirrors does in a step. Nothing where there is one
  // copy alone, or where no replica has all weights.
  std::optional<bool> areIdentical();
  // Returns the mean of all replicas' weights, for evaluation or saving; the copies do not change. All processes call
  // this.
  AlignedBuffer<float> mean(std::span<const std::int64_t> examples);

  // Adds a change of a value by hand in a later step, where the replicas compute on this processor. `id` identifies the
  // edit for everyone who loads the run's states. `past`: the edit is a parent run's, and its gradients may still be
  // under way.
  void addEdit(const RunEdit& edit, int id, bool past);

  // Call when nobody looks at the coming steps. Where all copies of the variables hold the same bits, one copy then
  // stands for all, until a step is recorded or a replica's own variables are asked for. Does nothing where this is
  // impossible: values are changed by hand, workers have weights of different ages, or time is measured.
  void useOne();

 private:
  std::vector<std::vector<std::byte>> elsewhere();

  ClusterParts& parts_;
};

}  // namespace lab
