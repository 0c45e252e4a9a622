// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter servers of a class: each holds its parts of the variables, placed as the simulated strategy places
// them, and updates them with the same optimizer. A class in step has one server that holds everything. Buffers here
// cover the whole network: weights, then moving statistics; each server reads and writes its own parts of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/config/resolved_settings.h"
#include "core/device/backend.h"
#include "core/model/neural_network.h"
#include "core/replicas/parameter_device.h"

namespace lab::serving {

// One of the servers, in its process. Single-threaded.
class ParameterServer {
 public:
  static int countOf(const ResolvedSettings& config);
  static std::size_t slotsOf(const ResolvedSettings& config);  // number of the optimizer's slots

  // Makes server `number` of countOf(config), with the values at the beginning of training.
  ParameterServer(const ResolvedSettings& config, const NeuralNetwork& network, int number);

  // `pushed`: gradients, then the moving statistics that replace the old ones.
  void apply(std::span<const float> pushed, double learningRate);
  void read(std::span<float> variables) const;
  void readOptimizer(std::span<const std::span<float>> slots) const;  // each laid out as the weights are
  void restore(std::int64_t version, std::span<const float> variables, std::span<const std::span<const float>> slots);

 private:
  const std::size_t weights_;
  const std::unique_ptr<ThreadPool> pool_ = std::make_unique<ThreadPool>(1);
  const std::unique_ptr<Backend> backend_ = makeCpuBackend(*pool_);
  ParameterDevice device_;
};

// All servers of a class.
class ParameterServers {
 public:
  virtual ~ParameterServers() = default;
  virtual void apply(std::span<const float> pushed, double learningRate) = 0;  // may return before the update is done
  virtual std::vector<float> read() = 0;
  virtual void readOptimizer(std::span<const std::span<float>> slots) = 0;
  virtual void restore(std::int64_t version, std::span<const float> variables,
                       std::span<const std::span<const float>> slots) = 0;
  virtual void check() {}  // throws a LostServer if one is lost, as every call does
};

// Makes servers in this process. Tests compare those in processes of their own (server_processes.h) with them.
std::unique_ptr<ParameterServers> makeServersHere(const ResolvedSettings& config, const NeuralNetwork& network);

}  // namespace lab::serving
