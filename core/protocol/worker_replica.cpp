// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/worker_replica.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/device/device_clock.h"
#include "core/model/layer_pass.h"
#include "core/model/network_text.h"

namespace lab::serving {

WorkerReplica::WorkerReplica(std::string_view network, int threads, const std::string& path)
    : network_(parseNetworkText(network, "network")),
      keepsDenormals_(path == "baseline"),
      pool_(threads, keepsDenormals_),
      backend_(path.empty() ? makeCpuBackend(pool_) : makeCpuBackend(pool_, path)) {
  const Layout& layout = network_.layout();
  weights_ = AlignedBuffer<float>(layout.size(), layout.alignmentLead());
  gradients_ = AlignedBuffer<float>(layout.size(), layout.alignmentLead());
  statistics_ = AlignedBuffer<float>(network_.statistics().size());
}

Result WorkerReplica::compute(const Job& job) {
  keepsDenormals_ ? keepDenormals() : flushDenormals();
  const std::int64_t beganNs = steadyNs();
  const std::int64_t n = std::ssize(job.labels), weights = weights_.size();
  LAB_CHECK(n > 0 && std::ssize(job.pixels) == n * network_.inputSize());
  LAB_CHECK(std::ssize(job.variables) == weights + statistics_.size());
  std::copy_n(job.variables.data(), weights, weights_.data());
  std::copy_n(job.variables.data() + weights, statistics_.size(), statistics_.data());
  activations_.reserve(network_, n, Precision::Float32);
  // Keras divides uint8 pixels by 255 in float32.
  std::ranges::transform(job.pixels, activations_.images.data(),
                         [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255.0F; });
  std::ranges::copy(job.labels, activations_.labels.data());
  if (isCourseNetwork(network_)) {
    forwardBackward(*backend_, Precision::Float32, n, job.scale, weights_.data(), activations_, gradients_.data());
  } else {
    const PassOf of{.examples = n,
                    .scale = job.scale,
                    .weights = weights_.data(),
                    .statistics = statistics_.data(),
                    .seed = job.seed,
                    .step = job.step,
                    .globalOffset = job.globalOffset};
    LayerPass pass(*backend_, network_, Precision::Float32, of, activations_, gradients_.data());
    while (!pass.run()) {
    }
  }
  Result result{.closure = job.closure, .version = job.version};
  for (std::int64_t i = 0; i < n; ++i) {
    result.lossSum += static_cast<double>(activations_.losses[i]);
    result.correct += activations_.predictions[i] == activations_.labels[i] ? 1 : 0;
  }
  if (job.wire == Wire::Bfloat16) backend_->roundToBfloat16(weights, gradients_.data(), gradients_.data());
  result.gradients.reserve(job.variables.size());
  result.gradients.assign(gradients_.data(), gradients_.data() + weights);
  result.gradients.insert(result.gradients.end(), statistics_.data(), statistics_.data() + statistics_.size());
  flushDenormals();
  result.computeNs = steadyNs() - beganNs;
  return result;
}

std::string processorPath() {
  ThreadPool pool(1);
  const std::string name(makeCpuBackend(pool)->name());  // "cpu avx512"
  return name.substr(name.rfind(' ') + 1);
}

}  // namespace lab::serving
