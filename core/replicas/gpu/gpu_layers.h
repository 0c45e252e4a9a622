// SPDX-License-Identifier: GPL-3.0-or-later
// Runs any network on a GPU, as commands. This is the counterpart of model/layer_pass on the processor and has the same
// values at the same points of a step. Where its kernel can, the layer that writes a gradient also applies relu's
// gradient. A layer that only passes its input on (flatten) has no memory of its own. The course network has fused
// kernels (gpu_compute.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/precision.h"
#include "core/device/cuda/layer_commands.h"
#include "core/model/cnn.h"
#include "core/model/layer_pass.h"
#include "core/model/layer_walk.h"
#include "core/model/neural_network.h"

namespace lab {

// A replica's layer buffers on its GPU.
struct GpuLayerMemory {
  std::vector<float*> outputs;          // of each layer; the input's where a layer only passes it on
  std::vector<std::uint16_t*> winners;  // of each MaxPool2D, else null
  std::vector<float*> gradients;        // with respect to layers' outputs (model/gradient_slots.h)
  float *roundedInput = nullptr, *roundedGradient = nullptr, *roundedWeights = nullptr;
  std::vector<gpu::NormMemory> norms;  // of each BatchNorm
  std::vector<ChannelSums*> sums[2];   // of each synchronised one, for every replica: forwards and backwards
  void* cleared = nullptr;             // memory that must begin at zero
  std::int64_t clearedBytes = 0;
};

class MemoryPlan;
void planLayers(MemoryPlan& plan, const NeuralNetwork& network, Precision precision, std::int64_t n, int replicas,
                ActivationPointers& activations, GpuLayerMemory& memory);
std::int64_t layerScratch(const NeuralNetwork& network, std::int64_t examples);

class GpuLayerPass final : public LayerWalk {
 public:
  struct On {
    Backend* backend = nullptr;
    gpu::LayerCommands* layers = nullptr;
    int replica = 0, replicas = 1;
    const std::int64_t* stepAndPlace = nullptr;  // for dropout
    std::int64_t allExamples = 0;                // of all replicas, if they exchange statistics
    bool again = false;                          // the exchanged sums are there already
  };

  // All arguments outlive this object; PassOf's pointers point into the GPU's memory.
  GpuLayerPass(const On& on, const NeuralNetwork& network, Precision precision, const PassOf& of,
               const ActivationPointers& activations, const GpuLayerMemory& memory, float* gradients,
               const OperationObserver& observer = {});

  // The sums that the pass has stopped at, to be sent to all replicas; each replica has written its own row.
  ChannelSums* exchanged() const { return exchanged_; }  // (replicas, exchangedChannels())
  std::int64_t exchangedChannels() const { return exchangedChannels_; }

 private:
  void begin() override;
  bool forward(std::size_t layer) override;
  void loss() override;
  bool backward(std::size_t layer) override;
  void convolve(std::size_t layer);
  void convolveBackward(std::size_t layer, const float* mask, float* dx);
  void multiply(std::size_t layer);
  void multiplyBackward(std::size_t layer, const float* mask, float* dx);
  void join(std::size_t layer);
  void depthwise(std::size_t layer);
  void depthwiseBackward(std::size_t layer, float* dx);
  bool giveBack(std::size_t layer, std::size_t which, int from);
  bool inputGradient(std::size_t layer, std::size_t which, float* dx);
  bool normalize(std::size_t layer);
  bool normalizeBackward(std::size_t layer, const float* mask, float* dx);

  const float* input(std::size_t layer, std::size_t which = 0) const;
  float* outputGradient(std::size_t layer) const;
  std::int64_t sizeOf(std::size_t layer) const;
  const float* rounded(const float* values, std::int64_t size, float* copy) const;
  const float* weight(const NetworkLayer& layer, const char* which) const;
  const float* productWeight(const NetworkLayer& layer) const;
  float* gradient(const NetworkLayer& layer, const char* which) const;
  gpu::NormVariables normVariables(std::size_t layer) const;
  std::size_t normIndex(std::size_t layer) const;
  const float* maskFor(std::size_t layer);
  gpu::LayerCommands::Sums normSums(std::size_t layer, bool back);

  On on_;
  Precision precision_;
  PassOf of_;
  const ActivationPointers& a_;
  const GpuLayerMemory& memory_;
  float* gradients_;
  ChannelSums* exchanged_ = nullptr;
  std::int64_t exchangedChannels_ = 0;
  std::vector<bool> masked_;  // layers whose relu was already applied to the gradient of their output
  float* dy_ = nullptr;       // the gradient with respect to the present layer's output
  GradientSlots slots_;
  int borrowed_ = GradientSlots::kNone;  // slot of the present layer's gradient, to be added to another
};

}  // namespace lab
