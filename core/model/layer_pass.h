// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of any network (neural_network.h), layer by layer, forward and backward. The course network has its
// own fused kernels (cnn.h). A pass stops where a synchronised batch normalisation needs the sums of all replicas, and
// continues once it has them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/base/precision.h"
#include "core/device/backend.h"
#include "core/device/layer_backend.h"
#include "core/model/gradient_slots.h"
#include "core/model/layer_walk.h"
#include "core/model/neural_network.h"

namespace lab {

struct Activations;

// The working memory of one replica's layers, for batches of up to `capacity` examples. Images, labels, logits and what
// follows from these are in Activations.
struct LayerMemory {
  // The statistics of one batch normalisation over its batch.
  struct Norm {
    std::vector<double> mean, inverse;  // 1 / √(variance + ε)
    double count = 0;                   // number of values per channel
  };

  std::int64_t capacity = 0;
  AlignedBuffer<float> outputs;                                        // of each layer, one after the other
  AlignedBuffer<std::uint16_t> winners;                                // of each MaxPool2D
  std::vector<AlignedBuffer<float>> gradients;                         // by layers' outputs (gradient_slots.h)
  AlignedBuffer<float> roundedInput, roundedGradient, roundedWeights;  // bfloat16 copies of operands
  std::vector<Norm> norms;

  void reserve(const NeuralNetwork& network, std::int64_t examples, Precision precision);
  std::int64_t bytes() const;
  static std::int64_t bytesFor(const NeuralNetwork& network, std::int64_t examples, Precision precision);
};

// The settings of a pass.
struct PassOf {
  std::int64_t examples = 0;
  float scale = 0;                 // factor on every example's loss gradient
  const float* weights = nullptr;  // NeuralNetwork::layout()
  float* statistics = nullptr;     // NeuralNetwork::statistics(); only a training step changes them
  bool training = true;            // else only forward: nothing is dropped, and moving statistics normalise
  bool movesStatistics = true;
  bool outputsAlone = false;  // only forward, also in training, and every layer's output stays in the memory
  std::uint64_t seed = 0;     // for dropout
  std::int64_t step = 0, globalOffset = 0;  // the step; the index of the first example in its global batch
};

// Where one input's values lie in a Concatenate's output, and where the image lies in a ZeroPadding2D's output.
LayerBlocks joinedBlocks(const NeuralNetwork& network, std::size_t layer, std::size_t which, std::int64_t examples);
LayerBlocks imageBlocks(const NeuralNetwork& network, std::size_t layer, std::int64_t examples);

class LayerPass final : public LayerWalk {
 public:
  // All arguments must outlive the pass. `activations` must have room for the examples, and hold their images and
  // labels.
  LayerPass(Backend& backend, const NeuralNetwork& network, Precision precision, const PassOf& of,
            Activations& activations, float* gradients, const OperationObserver& observer = {});

  // (examples, layer's output) after the pass. A convolution followed by pooling only has outputs if
  // PassOf::outputsAlone is set.
  std::span<const float> outputsOf(std::size_t layer) const;

  // Called between forward and backward: the same weights, at another address.
  void takeWeights(const float* weights) { of_.weights = weights; }

  // At a stop: the sums to be added over all replicas.
  std::vector<ChannelSums>& exchanged() { return sums_; }  // and the count, as the last one's first

 private:
  void begin() override;
  bool forward(std::size_t layer) override;
  void loss() override;
  bool backward(std::size_t layer) override;
  void convolve(std::size_t layer);
  void convolveBackward(std::size_t layer, const float* forProducts, const float* dy, float* dx);
  bool isPooledAtOnce(std::size_t layer) const;
  void convolvePooled(std::size_t layer);
  void convolvePooledBackward(std::size_t layer, const float* dy, float* dx);
  void multiply(std::size_t layer);
  void multiplyBackward(std::size_t layer, const float* forProducts, const float* dy, float* dx);
  bool normalize(std::size_t layer);
  bool normalizeBackward(std::size_t layer, const float* dy);  // gradients of its variables
  void normInputGradient(std::size_t layer, const float* dy, float* dx);
  void normalizeByMoving(std::size_t layer);
  void elementwise(std::size_t layer, const float* x, float* y);
  void joinForward(std::size_t layer);
  void giveBack(std::size_t layer, std::size_t which, float* dy, int from);
  void inputGradient(std::size_t layer, std::size_t which, float* dy, float* dx);
  void depthwiseBackward(std::size_t layer, const float* forProducts, const float* dy, float* dx);
  void moveStatistics(const NetworkLayer& layer, const std::vector<double>& mean, const std::vector<double>& variance);

  const float* input(std::size_t layer, std::size_t which = 0) const;
  float* output(std::size_t layer) const;
  float* outputGradient(std::size_t layer);
  std::uint16_t* winners(std::size_t layer) const;
  std::uint8_t* bytesOfWinners(std::size_t layer) const;
  LayerMemory::Norm& norm(std::size_t layer) const;
  DropoutMask maskOf(std::size_t layer) const;
  std::int64_t sizeOf(std::size_t layer) const;  // of one example's output
  const float* rounded(const float* values, std::int64_t size, AlignedBuffer<float>& copy) const;
  const float* weight(const NetworkLayer& layer, const char* which) const;  // null if the layer has no such weight
  const float* productWeight(const NetworkLayer& layer) const;
  float* gradient(const NetworkLayer& layer, const char* which) const;

  Backend& backend_;
  LayerBackend& layers_;
  Precision precision_;
  PassOf of_;
  Activations& a_;
  float* gradients_;
  std::vector<ChannelSums> sums_;
  GradientSlots slots_;
};

}  // namespace lab
