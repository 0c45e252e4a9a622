// SPDX-License-Identifier: GPL-3.0-or-later
// What a native worker of a class computes: the gradients of a closure, bit for bit as OneDevice computes them on the
// same processor path. A browser uses core/wasm instead.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/config/choices.h"
#include "core/device/backend.h"
#include "core/model/cnn.h"
#include "core/model/neural_network.h"

namespace lab::serving {

struct Job {
  std::uint64_t closure = 0, version = 0;
  std::uint64_t seed = 0;
  std::int64_t step = 0, globalOffset = 0;  // for dropout
  float scale = 0;
  Wire wire = Wire::Float32;                 // the gradients are rounded for this format
  std::vector<std::uint8_t> pixels, labels;  // (n, H, W, C), (n)
  std::vector<float> variables;              // weights, then moving statistics
};

struct Result {
  std::uint64_t closure = 0, version = 0;
  double lossSum = 0;
  std::int64_t correct = 0;
  std::vector<float> gradients;  // as pushed, followed by moving statistics
  std::int64_t computeNs = 0;
};

class WorkerReplica {
 public:
  // `path`: "" for this processor's best (makeCpuBackend). On the baseline denormals are kept, as browsers keep them.
  WorkerReplica(std::string_view network, int threads, const std::string& path = "");

  Result compute(const Job& job);
  // Losses and predictions of the job's examples; valid until the next job.
  const float* losses() const { return activations_.losses.data(); }
  const std::uint8_t* predictions() const { return activations_.predictions.data(); }
  const NeuralNetwork& network() const { return network_; }

 private:
  const NeuralNetwork network_;
  const bool keepsDenormals_;
  ThreadPool pool_;
  const std::unique_ptr<Backend> backend_;
  Activations activations_;
  AlignedBuffer<float> weights_, gradients_, statistics_;
};

// "avx512", "avx2", "baseline": what makeCpuBackend takes.
std::string processorPath();

}  // namespace lab::serving
