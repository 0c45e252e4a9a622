// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/cnn.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/trace/messages.h"

namespace lab {
namespace {

const Layout& layout() {
  return courseNetwork().layout();
}

// Pointers to the six variables inside one flat buffer of weights or gradients.
template <typename Float>
struct Tensors {
  Float *convKernel, *convBias, *denseKernel, *denseBias, *logitsKernel, *logitsBias;

  explicit Tensors(Float* flat) {
    static const std::array<std::int64_t, 6> offsets = [] {
      std::array<std::int64_t, 6> result{};
      std::ranges::transform(layout().variables(), result.begin(), &Variable::offset);
      return result;
    }();
    convKernel = flat + offsets[0];
    convBias = flat + offsets[1];
    denseKernel = flat + offsets[2];
    denseBias = flat + offsets[3];
    logitsKernel = flat + offsets[4];
    logitsBias = flat + offsets[5];
  }
};

// Where products read their operands: the arrays themselves, or their copies rounded to bfloat16.
struct Operands {
  const float *images, *pooled, *hidden, *dLogits, *dHidden, *dPooled, *weights;
};

Operands operandsOf(Precision precision, const ActivationPointers& a, const float* weights) {
  if (precision != Precision::Bfloat16) return {a.images, a.pooled, a.hidden, a.dLogits, a.dHidden, a.dPooled, weights};
  return {a.roundedImages,  a.roundedPooled,  a.roundedHidden, a.roundedDLogits,
          a.roundedDHidden, a.roundedDPooled, a.roundedWeights};
}

class Pass {
 public:
  Pass(Backend& backend, Precision precision, std::int64_t n, const float* weights,
       const ActivationPointers& activations, const OpObserver& observer)
      : backend_(backend),
        precision_(precision),
        n_(n),
        weights_(weights),
        a_(activations),
        operands_(operandsOf(precision, activations, weights)),
        products_(operands_.weights),
        biases_(weights),
        observer_(observer) {}

  void forward(float scale, float* dLogits) {
    run(CnnOp::ConvForward, [&] {
      // Rounds every weight once a step; biases are read from the unrounded weights.
      round(layout().size(), weights_, a_.roundedWeights);
      round(n_ * kImageSize, a_.images, a_.roundedImages);
      backend_.convReluPool(n_, operands_.images, products_.convKernel, biases_.convBias, a_.pooled, a_.argmax);
    });
    run(CnnOp::DenseForward, [&] {
      round(n_ * kPooledSize, a_.pooled, a_.roundedPooled);
      backend_.dense(n_, kPooledSize, kHidden, operands_.pooled, products_.denseKernel, biases_.denseBias, true,
                     a_.hidden);
    });
    run(CnnOp::LogitsForward, [&] {
      round(n_ * kHidden, a_.hidden, a_.roundedHidden);
      backend_.dense(n_, kHidden, kClasses, operands_.hidden, products_.logitsKernel, biases_.logitsBias, false,
                     a_.logits);
    });
    run(CnnOp::Loss,
        [&] { backend_.softmaxCrossEntropy(n_, a_.logits, a_.labels, scale, a_.losses, a_.predictions, dLogits); });
  }

  void backward(float* gradients) {
    const Tensors<float> d(gradients);
    run(CnnOp::LogitsBackward, [&] {
      round(n_ * kClasses, a_.dLogits, a_.roundedDLogits);
      backend_.denseWeightGradient(n_, kHidden, kClasses, operands_.hidden, operands_.dLogits, d.logitsKernel);
      backend_.denseBiasGradient(n_, kClasses, a_.dLogits, d.logitsBias);
      backend_.denseInputGradient(n_, kHidden, kClasses, operands_.dLogits, products_.logitsKernel, a_.dHidden);
      backend_.reluBackward(n_ * kHidden, a_.hidden, a_.dHidden);
    });
    run(CnnOp::DenseBackward, [&] {
      round(n_ * kHidden, a_.dHidden, a_.roundedDHidden);
      backend_.denseGradients(n_, kPooledSize, kHidden, operands_.pooled, operands_.dHidden, products_.denseKernel,
                              d.denseKernel, a_.dPooled);
      backend_.denseBiasGradient(n_, kHidden, a_.dHidden, d.denseBias);
    });
    run(CnnOp::ConvBackward, [&] {
      round(n_ * kPooledSize, a_.dPooled, a_.roundedDPooled);
      backend_.convReluPoolBackward(n_, operands_.images, a_.argmax, operands_.dPooled, a_.dPooled, d.convKernel,
                                    d.convBias);
    });
  }

 private:
  template <typename Body>
  void run(CnnOp op, const Body& body) {
    if (observer_) observer_(op, true);
    body();
    if (observer_) observer_(op, false);
  }

  void round(std::int64_t size, const float* in, float* out) {
    if (precision_ == Precision::Bfloat16) backend_.roundToBfloat16(size, in, out);
  }

  Backend& backend_;
  Precision precision_;
  std::int64_t n_;
  const float* weights_;
  const ActivationPointers& a_;
  Operands operands_;
  Tensors<const float> products_;  // as products read them: possibly rounded
  Tensors<const float> biases_;    // never rounded
  const OpObserver& observer_;
};

void checkCapacity(Precision precision, std::int64_t n, const Activations& activations) {
  LAB_CHECK(n >= 0 && n <= activations.capacity);
  LAB_CHECK(precision != Precision::Bfloat16 || !activations.roundedWeights.empty());
}

}  // namespace

void Activations::reserve(std::int64_t examples, Precision precision) {
  LAB_CHECK(examples >= 0);
  const bool grows = examples > capacity;
  capacity = std::max(capacity, examples);
  if (grows) {  // the buffers' contents are lost
    images = AlignedBuffer<float>(capacity * kImageSize);
    labels = AlignedBuffer<std::uint8_t>(capacity);
    pooled = AlignedBuffer<float>(capacity * kPooledSize);
    argmax = AlignedBuffer<std::uint8_t>(capacity * kPooledSize);
    hidden = AlignedBuffer<float>(capacity * kHidden);
    logits = AlignedBuffer<float>(capacity * kClasses);
    losses = AlignedBuffer<float>(capacity);
    predictions = AlignedBuffer<std::uint8_t>(capacity);
    dLogits = AlignedBuffer<float>(capacity * kClasses);
    dHidden = AlignedBuffer<float>(capacity * kHidden);
  }
  const bool rounds = precision == Precision::Bfloat16 || !roundedWeights.empty();
  if (rounds && (grows || roundedWeights.empty())) {
    roundedImages = AlignedBuffer<float>(capacity * kImageSize);
    roundedPooled = AlignedBuffer<float>(capacity * kPooledSize);
    roundedHidden = AlignedBuffer<float>(capacity * kHidden);
    roundedDLogits = AlignedBuffer<float>(capacity * kClasses);
    roundedDHidden = AlignedBuffer<float>(capacity * kHidden);
    roundedWeights = AlignedBuffer<float>(layout().size(), layout().alignmentLead());
  }
}

void Activations::reserve(const NeuralNetwork& network, std::int64_t examples, Precision precision) {
  if (isCourseNetwork(network)) return reserve(examples, precision);
  LAB_CHECK(examples >= 0);
  if (examples > capacity) network.requireTrained();
  layers.reserve(network, examples, precision);
  if (examples <= capacity) return;
  capacity = examples;
  images = AlignedBuffer<float>(capacity * network.inputSize());
  labels = AlignedBuffer<std::uint8_t>(capacity);
  logits = AlignedBuffer<float>(capacity * network.classes());
  losses = AlignedBuffer<float>(capacity);
  predictions = AlignedBuffer<std::uint8_t>(capacity);
  dLogits = AlignedBuffer<float>(capacity * network.classes());
}

std::int64_t Activations::bytes() const {
  return layers.bytes() + images.bytes() + labels.bytes() + pooled.bytes() + argmax.bytes() + hidden.bytes() +
         logits.bytes() + losses.bytes() + predictions.bytes() + dLogits.bytes() + dHidden.bytes() +
         roundedImages.bytes() + roundedPooled.bytes() + roundedHidden.bytes() + roundedDLogits.bytes() +
         roundedDHidden.bytes() + roundedWeights.bytes();
}

ActivationPointers Activations::pointers() {
  return {images.data(),        labels.data(),        pooled.data(),         argmax.data(),
          hidden.data(),        logits.data(),        losses.data(),         predictions.data(),
          dLogits.data(),       dHidden.data(),       pooled.data(),         roundedImages.data(),
          roundedPooled.data(), roundedHidden.data(), roundedDLogits.data(), roundedDHidden.data(),
          roundedPooled.data(), roundedWeights.data()};
}

std::int64_t activationBytes(std::int64_t examples, Precision precision) {
  constexpr std::int64_t kFloats = kImageSize + kPooledSize + 2 * kHidden + 2 * kClasses + 1;
  constexpr std::int64_t kBytes = 1 + kPooledSize + 1;  // label, argmax, prediction
  constexpr std::int64_t kRounded = kImageSize + kPooledSize + 2 * kHidden + kClasses;
  if (examples == 0) return 0;
  std::int64_t bytes = examples * (kFloats * 4 + kBytes);
  if (precision == Precision::Bfloat16) bytes += examples * kRounded * 4 + layout().bytes();
  return bytes;
}

std::int64_t activationBytes(const NeuralNetwork& network, std::int64_t examples, Precision precision) {
  if (isCourseNetwork(network)) return activationBytes(examples, precision);
  if (examples == 0) return 0;
  const std::int64_t floats = network.inputSize() + 2 * network.classes() + 1;
  return examples * (floats * 4 + 2) + LayerMemory::bytesFor(network, examples, precision);
}

void forwardBackward(Backend& backend, Precision precision, std::int64_t n, float scale, const float* weights,
                     const ActivationPointers& activations, float* gradients, const OpObserver& observer) {
  Pass pass(backend, precision, n, weights, activations, observer);
  pass.forward(scale, activations.dLogits);
  pass.backward(gradients);
}

void forwardToLoss(Backend& backend, Precision precision, std::int64_t n, float scale, const float* weights,
                   const ActivationPointers& activations, const OpObserver& observer) {
  Pass(backend, precision, n, weights, activations, observer).forward(scale, activations.dLogits);
}

void backward(Backend& backend, Precision precision, std::int64_t n, const float* weights,
              const ActivationPointers& activations, float* gradients, const OpObserver& observer) {
  Pass(backend, precision, n, weights, activations, observer).backward(gradients);
}

void forward(Backend& backend, Precision precision, std::int64_t n, const float* weights,
             const ActivationPointers& activations) {
  const OpObserver none;
  Pass(backend, precision, n, weights, activations, none).forward(0, nullptr);
}

void forwardBackward(Backend& backend, Precision precision, std::int64_t n, float scale, const float* weights,
                     Activations& activations, float* gradients, const OpObserver& observer) {
  checkCapacity(precision, n, activations);
  forwardBackward(backend, precision, n, scale, weights, activations.pointers(), gradients, observer);
}

void forwardToLoss(Backend& backend, Precision precision, std::int64_t n, float scale, const float* weights,
                   Activations& activations, const OpObserver& observer) {
  checkCapacity(precision, n, activations);
  forwardToLoss(backend, precision, n, scale, weights, activations.pointers(), observer);
}

void backward(Backend& backend, Precision precision, std::int64_t n, const float* weights, Activations& activations,
              float* gradients, const OpObserver& observer) {
  backward(backend, precision, n, weights, activations.pointers(), gradients, observer);
}

void forward(Backend& backend, Precision precision, std::int64_t n, const float* weights, Activations& activations) {
  checkCapacity(precision, n, activations);
  forward(backend, precision, n, weights, activations.pointers());
}

}  // namespace lab
