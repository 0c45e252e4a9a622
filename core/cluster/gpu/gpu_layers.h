// SPDX-License-Identifier: GPL-3.0-or-later
// Any network on a GPU, as commands: what model/layer_pass is on the processor, with the same values in the same
// places of a step. Relu's gradient is taken where the gradient is written, where the kernel can; what only hands its
// input on (flatten) has no memory of its own. The course network has fused kernels (gpu_compute.cpp).
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

// Where a replica's layers lie on its GPU.
struct GpuLayerMemory {
  std::vector<float*> outputs;          // of each layer; the input's where it only hands it on
  std::vector<std::uint16_t*> winners;  // of each MaxPool2D, else null
  std::vector<float*> gradients;        // by layers' outputs (model/gradient_slots.h)
  float *roundedInput = nullptr, *roundedGradient = nullptr, *roundedWeights = nullptr;
  std::vector<gpu::NormMemory> norms;  // of each BatchNorm
  std::vector<ChannelSums*> sums[2];   // of each synchronised one: every replica's, forwards and backwards
  void* cleared = nullptr;             // what must begin at zero
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
    const std::int64_t* stepAndPlace = nullptr;  // of dropout
    std::int64_t allExamples = 0;                // of all replicas, where they exchange statistics
    bool again = false;                          // what was exchanged is there
  };

  // All of them outlive it, and PassOf's pointers are to the GPU's memory.
  GpuLayerPass(const On& on, const NeuralNetwork& network, Precision precision, const PassOf& of,
               const ActivationPointers& activations, const GpuLayerMemory& memory, float* gradients,
               const OperationObserver& observer = {});

  // Where it stopped: to be brought to all replicas; each has written its own row.
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
  std::vector<bool> masked_;  // layers whose relu the gradient by their output has seen
  float* dy_ = nullptr;       // the gradient by the present layer's output
  GradientSlots slots_;
  int borrowed_ = GradientSlots::kNone;  // where the present layer's gradient is computed, to be added to another
};

}  // namespace lab
