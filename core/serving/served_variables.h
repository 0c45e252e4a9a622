// SPDX-License-Identifier: GPL-3.0-or-later
// A class's variables, and the number of updates in them; collected from its parameter servers once per version.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/config/resolved_settings.h"
#include "core/device/backend.h"
#include "core/model/neural_network.h"
#include "core/serving/parameter_servers.h"

namespace lab::serving {

// Weights, then moving statistics, of one version. All who pull that version share it.
using Snapshot = std::shared_ptr<const std::vector<float>>;

class ServedVariables {
 public:
  ServedVariables(const ResolvedSettings& config, const NeuralNetwork& network,
                  std::unique_ptr<ParameterServers> servers);

  std::int64_t version() const { return version_; }  // number of updates applied
  Snapshot snapshot();
  Snapshot pulled();  // as workers get them: weights are rounded if the wire is bfloat16
  // The optimizer's variables, each laid out as the weights are. restore() sets everything back to an earlier version.
  std::vector<std::vector<float>> optimizer();
  void restore(std::int64_t version, const Snapshot& variables, const std::vector<std::vector<float>>& optimizer);
  // Applies update number version() + 1. `pushed`: gradients, then the moving statistics that replace the old ones.
  void apply(std::span<const float> pushed, double learningRate);
  void check() { servers_->check(); }

 private:
  const std::size_t weights_, statistics_, slots_;
  const Wire wire_;
  ThreadPool pool_{1};
  const std::unique_ptr<Backend> backend_ = makeCpuBackend(pool_);  // for rounding
  const std::unique_ptr<ParameterServers> servers_;
  std::int64_t version_ = 0;
  Snapshot snapshot_, pulled_;  // null if there has been an update since
};

}  // namespace lab::serving
