// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of the course network (neural_network.h), forward and backward, written out operation by operation.
#pragma once

#include <cstdint>
#include <functional>

#include "core/base/aligned_buffer.h"
#include "core/base/precision.h"
#include "core/device/backend.h"
#include "core/model/cnn_op.h"
#include "core/model/layer_pass.h"
#include "core/model/neural_network.h"

namespace lab {

// Where the working memory of a batch lies: in the memory of the backend that computes the batch.
struct ActivationPointers {
  float* images = nullptr;
  std::uint8_t* labels = nullptr;
  float* pooled = nullptr;
  std::uint8_t* argmax = nullptr;
  float* hidden = nullptr;
  float* logits = nullptr;
  float* losses = nullptr;
  std::uint8_t* predictions = nullptr;
  float *dLogits = nullptr, *dHidden = nullptr, *dPooled = nullptr;
  float *roundedImages = nullptr, *roundedPooled = nullptr, *roundedHidden = nullptr, *roundedDLogits = nullptr,
        *roundedDHidden = nullptr, *roundedDPooled = nullptr, *roundedWeights = nullptr;
};

// The working memory of one replica for batches of up to `capacity` examples. Grows, never shrinks.
struct Activations {
  std::int64_t capacity = 0;
  AlignedBuffer<float> images;              // (n, 28, 28), filled by the input pipeline
  AlignedBuffer<std::uint8_t> labels;       // (n)
  AlignedBuffer<float> pooled;              // (n, 13, 13, 32); from the dense layer's backward on it holds dPooled
  AlignedBuffer<std::uint8_t> argmax;       // (n, 13, 13, 32)
  AlignedBuffer<float> hidden;              // (n, 64)
  AlignedBuffer<float> logits;              // (n, 10)
  AlignedBuffer<float> losses;              // (n)
  AlignedBuffer<std::uint8_t> predictions;  // (n)
  AlignedBuffer<float> dLogits;             // (n, 10)
  AlignedBuffer<float> dHidden;             // (n, 64)
  // bfloat16 copies of operands, empty for float32; roundedPooled later holds the copy of dPooled in the same way
  AlignedBuffer<float> roundedImages, roundedPooled, roundedHidden, roundedDLogits, roundedDHidden, roundedWeights;

  LayerMemory layers;  // of other networks; their images, labels, logits and what follows from these are above

  void reserve(std::int64_t examples, Precision precision);  // for the course network
  void reserve(const NeuralNetwork& network, std::int64_t examples, Precision precision);
  std::int64_t bytes() const;  // in total
  ActivationPointers pointers();
};
// Returns the bytes that a batch of `examples` needs, for the memory breakdown.
std::int64_t activationBytes(std::int64_t examples, Precision precision);
std::int64_t activationBytes(const NeuralNetwork& network, std::int64_t examples, Precision precision);

// Called before and after each operation; lets a device measure or model its time. May be empty.
using OpObserver = std::function<void(CnnOp op, bool begin)>;

// Loss and gradients of the first n examples in `activations`. weights and gradients have the network's layout;
// `scale` multiplies every example's loss gradient (1/(n·N) for Keras fit, 1/G for a custom loop).
// Fills losses and predictions; overwrites gradients (all zero for n = 0).
void forwardBackward(Backend& backend, Precision precision, std::int64_t n, float scale, const float* weights,
                     Activations& activations, float* gradients, const OpObserver& observer = {});

// The two halves of forwardBackward(), so that the caller can act in between: the first leaves in `activations` what
// the second needs.
void forwardToLoss(Backend& backend, Precision precision, std::int64_t n, float scale, const float* weights,
                   Activations& activations, const OpObserver& observer = {});
void backward(Backend& backend, Precision precision, std::int64_t n, const float* weights, Activations& activations,
              float* gradients, const OpObserver& observer = {});

// The same for a batch of n whose working memory is elsewhere and large enough.
void forwardBackward(Backend& backend, Precision precision, std::int64_t n, float scale, const float* weights,
                     const ActivationPointers& activations, float* gradients, const OpObserver& observer = {});
void forwardToLoss(Backend& backend, Precision precision, std::int64_t n, float scale, const float* weights,
                   const ActivationPointers& activations, const OpObserver& observer = {});
void backward(Backend& backend, Precision precision, std::int64_t n, const float* weights,
              const ActivationPointers& activations, float* gradients, const OpObserver& observer = {});
void forward(Backend& backend, Precision precision, std::int64_t n, const float* weights,
             const ActivationPointers& activations);

// Forward only: fills logits, losses and predictions of the first n examples.
void forward(Backend& backend, Precision precision, std::int64_t n, const float* weights, Activations& activations);

}  // namespace lab
