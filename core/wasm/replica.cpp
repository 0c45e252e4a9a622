// SPDX-License-Identifier: GPL-3.0-or-later
// A replica for JavaScript: the module's functions. README.md has the table of them. Memory is read and written through
// pointers; shapes and layouts are the core's. Whatever is refused throws (platform.cpp), before anything is changed.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/device/backend.h"
#include "core/device/cross_entropy.h"
#include "core/model/cnn.h"
#include "core/model/layer_pass.h"
#include "core/model/network_text.h"
#include "core/model/optimizer.h"
#include "core/wasm/messages.h"

namespace lab {
namespace {

constexpr int kMostExamples = 4096;                           // of a batch
constexpr std::int64_t kMostBytes = std::int64_t{768} << 20;  // in all, as build.sh links it

// In the order of the loader's names.
enum class Part {
  Weights,
  Gradients,
  FirstSlot,
  SecondSlot,
  Statistics,
  Pixels,
  Labels,
  Losses,
  Predictions,
  Probabilities
};

class WasmReplica {
 public:
  WasmReplica(std::string_view description, const OptimizerSettings& optimizer)
      : network_(parseNetworkText(description, "network")), optimizer_(optimizer) {
    const Layout& layout = network_.layout();
    for (AlignedBuffer<float>* buffer : {&weights_, &gradients_})
      *buffer = AlignedBuffer<float>(layout.size(), layout.alignmentLead());
    for (std::size_t i = 0; i < optimizer.slotNames().size(); ++i)
      slots_.emplace_back(layout.size(), layout.alignmentLead());
    statistics_ = AlignedBuffer<float>(network_.statistics().size());
    network_.initializeStatistics(statistics_.span());
  }

  void initialize(std::uint64_t seed) { network_.initialize(seed, weights_.span()); }

  void reserve(int examples) {
    if (examples < 1 || examples > kMostExamples) throw UserError(say::batchOutside, examples, kMostExamples);
    if (examples <= activations_.capacity) return;
    // Sizes beyond 32 bits would be cut off.
    if (activationBytes(network_, examples, Precision::Float32) > kMostBytes) throw UserError(say::pageMemoryUsedUp);
    // All of it, or nothing: memory may end in between.
    Activations activations;
    activations.reserve(network_, examples, Precision::Float32);
    AlignedBuffer<std::uint8_t> pixels(examples * network_.inputSize());
    AlignedBuffer<float> probabilities(examples * network_.classes());
    activations_ = std::move(activations);
    pixels_ = std::move(pixels);
    probabilities_ = std::move(probabilities);
  }

  void forwardBackward(PassOf of) {
    take(static_cast<int>(of.examples));
    if (isCourseNetwork(network_)) {
      lab::forwardBackward(*backend_, Precision::Float32, of.examples, of.scale, weights_.data(), activations_,
                           gradients_.data());
      return;
    }
    pass(of);
  }

  void evaluate(int examples) {
    take(examples);
    if (isCourseNetwork(network_))
      forward(*backend_, Precision::Float32, examples, weights_.data(), activations_);
    else
      pass({.examples = examples, .training = false});
    softmax(examples, network_.classes(), activations_.logits.data(), probabilities_.data());
  }

  void update(double learningRate, std::int64_t iteration) {
    if (iteration < 1 || !std::isfinite(learningRate)) throw UserError(say::updateOutside, iteration);
    std::vector<float*> slots;
    for (AlignedBuffer<float>& slot : slots_) slots.push_back(slot.data());
    applyOptimizer(*backend_, optimizer_, learningRate, iteration, weights_.size(), gradients_.data(), slots,
                   weights_.data());
  }

  double lossSum() const {
    double sum = 0;
    for (int i = 0; i < examples_; ++i) sum += static_cast<double>(activations_.losses[i]);
    return sum;
  }
  int correct() const {
    int count = 0;
    for (int i = 0; i < examples_; ++i) count += activations_.predictions[i] == activations_.labels[i] ? 1 : 0;
    return count;
  }

  // Its memory, and how many elements; none: it has no such part.
  std::pair<void*, std::int64_t> part(Part which) {
    const auto of = [](auto& buffer) { return std::pair<void*, std::int64_t>(buffer.data(), buffer.size()); };
    const auto slot = [&](std::size_t i) { return i < slots_.size() ? of(slots_[i]) : of(noSlot_); };
    switch (which) {
      case Part::Weights:
        return of(weights_);
      case Part::Gradients:
        return of(gradients_);
      case Part::FirstSlot:
        return slot(0);
      case Part::SecondSlot:
        return slot(1);
      case Part::Statistics:
        return of(statistics_);
      case Part::Pixels:
        return of(pixels_);
      case Part::Labels:
        return of(activations_.labels);
      case Part::Losses:
        return of(activations_.losses);
      case Part::Predictions:
        return of(activations_.predictions);
      case Part::Probabilities:
        return of(probabilities_);
    }
    return {};
  }

 private:
  // The batch that JavaScript has written, as the input pipeline hands it over.
  void take(int examples) {
    if (examples < 1 || examples > activations_.capacity)
      throw UserError(say::batchTooLarge, examples, activations_.capacity);
    for (int i = 0; i < examples; ++i)
      if (const int label = activations_.labels[i]; label >= network_.classes())
        throw UserError(say::labelOutside, i, label, network_.classes());
    examples_ = examples;
    const std::int64_t values = examples * network_.inputSize();
    for (std::int64_t i = 0; i < values; ++i) activations_.images[i] = static_cast<float>(pixels_[i]) / 255.0F;
  }

  void pass(PassOf of) {
    of.weights = weights_.data();
    of.statistics = statistics_.data();
    LayerPass pass(*backend_, network_, Precision::Float32, of, activations_, gradients_.data());
    while (!pass.run()) {
    }  // a synchronised normalisation: alone, its own sums are those of all
  }

  ThreadPool pool_{1};
  const std::unique_ptr<Backend> backend_ = makeCpuBackend(pool_, "baseline");
  const NeuralNetwork network_;
  const OptimizerSettings optimizer_;
  AlignedBuffer<float> weights_, gradients_, statistics_, probabilities_, noSlot_;
  std::vector<AlignedBuffer<float>> slots_;
  AlignedBuffer<std::uint8_t> pixels_;
  Activations activations_;
  int examples_ = 0;  // of the last batch
};

std::string description;

}  // namespace
}  // namespace lab

using lab::WasmReplica;

#define LAB_EXPORT(name) __attribute__((export_name(#name)))

extern "C" {

// Where the next network's description is to be written, UTF-8.
LAB_EXPORT(description) char* labDescription(std::int32_t bytes) {
  lab::description.resize(static_cast<std::size_t>(std::max(0, bytes)));
  return lab::description.data();
}

LAB_EXPORT(create)
WasmReplica* labCreate(std::int32_t optimizer, double momentum, double beta1, double beta2, double epsilon) {
  lab::OptimizerSettings settings;
  settings.kind = optimizer == 1 ? lab::OptimizerKind::Adam : lab::OptimizerKind::Sgd;
  settings.momentum = momentum;
  settings.beta1 = beta1;
  settings.beta2 = beta2;
  settings.epsilon = epsilon;
  const double sum = momentum + beta1 + beta2 + epsilon;
  if (optimizer < 0 || optimizer > 1 || !std::isfinite(sum)) throw lab::UserError(lab::say::optimizerOutside);
  return std::make_unique<WasmReplica>(lab::description, settings).release();
}

LAB_EXPORT(destroy) void labDestroy(WasmReplica* replica) {
  const std::unique_ptr<WasmReplica> owner(replica);
}

LAB_EXPORT(initialize) void labInitialize(WasmReplica* replica, std::uint64_t seed) {
  replica->initialize(seed);
}

LAB_EXPORT(reserve) void labReserve(WasmReplica* replica, std::int32_t examples) {
  replica->reserve(examples);
}

LAB_EXPORT(pointer) void* labPointer(WasmReplica* replica, std::int32_t part) {
  return replica->part(static_cast<lab::Part>(part)).first;
}

LAB_EXPORT(elements) std::int32_t labElements(WasmReplica* replica, std::int32_t part) {
  return static_cast<std::int32_t>(replica->part(static_cast<lab::Part>(part)).second);
}

LAB_EXPORT(forward_backward)
void labForwardBackward(WasmReplica* replica, std::int32_t examples, float scale, std::uint64_t seed, std::int64_t step,
                        std::int64_t globalOffset) {
  replica->forwardBackward(
      {.examples = examples, .scale = scale, .seed = seed, .step = step, .globalOffset = globalOffset});
}

LAB_EXPORT(evaluate) void labEvaluate(WasmReplica* replica, std::int32_t examples) {
  replica->evaluate(examples);
}

LAB_EXPORT(update) void labUpdate(WasmReplica* replica, double learningRate, std::int64_t iteration) {
  replica->update(learningRate, iteration);
}

LAB_EXPORT(loss_sum) double labLossSum(const WasmReplica* replica) {
  return replica->lossSum();
}

LAB_EXPORT(correct) std::int32_t labCorrect(const WasmReplica* replica) {
  return replica->correct();
}
}
