// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter servers of a class: each holds its parts of the variables, placed as the simulated strategy places
// them, and updates them with the same optimizer. They live in the server's process and are asked by plain calls; a
// class in step has one, with everything.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cluster/parameter_device.h"
#include "core/config/resolved_settings.h"
#include "core/device/backend.h"
#include "core/model/neural_network.h"

namespace lab::serving {

// Weights, then moving statistics, of one version. Shared by all who pull it.
using Snapshot = std::shared_ptr<const std::vector<float>>;

class ServedVariables {
 public:
  ServedVariables(const ResolvedSettings& config, std::shared_ptr<const NeuralNetwork> network,
                  std::span<const float> weights, std::span<const float> statistics);

  std::int64_t version() const { return version_; }  // updates applied
  Snapshot snapshot();
  Snapshot pulled();  // as workers get them: weights rounded where the wire is bfloat16
  // The optimizer's variables, each laid out as the weights are; and all of it back as it was then.
  std::vector<std::vector<float>> optimizer() const;
  void restore(std::int64_t version, const Snapshot& variables, const std::vector<std::vector<float>>& optimizer);
  // Update number version() + 1. `pushed`: gradients, then the moving statistics that take the old ones' place.
  void apply(std::span<const float> pushed, double learningRate);

 private:
  const std::shared_ptr<const NeuralNetwork> network_;
  ThreadPool pool_{1};
  const std::unique_ptr<Backend> backend_ = makeCpuBackend(pool_);
  std::vector<ParameterDevice> servers_;
  std::vector<std::pair<const ParameterDevice*, VariablePart>> inOrder_;  // of the whole network's buffer
  std::int64_t version_ = 0;
  const Wire wire_;
  Snapshot snapshot_, pulled_;  // null where there has been an update since
};

}  // namespace lab::serving
