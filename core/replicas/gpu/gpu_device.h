// SPDX-License-Identifier: GPL-3.0-or-later
// A replica's memory on its GPU, and the data set that all replicas of this GPU share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/data/dataset.h"
#include "core/device/cuda/gpu_commands.h"
#include "core/device/cuda/gpu_layer.h"
#include "core/device/cuda/gpu_memory.h"
#include "core/replicas/gpu/gpu_layers.h"
#include "core/replicas/replica.h"

namespace lab {

// Hands out pieces of one allocation, each aligned to 256 bytes. With a null base, only counts bytes.
class MemoryPlan {
 public:
  explicit MemoryPlan(void* base) : base_(static_cast<char*>(base)) {}
  template <typename T>
  T* take(std::int64_t count, std::int64_t lead = 0) {
    T* piece = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + bytes_) + lead;
    bytes_ += ceilDivide((count + lead) * std::int64_t{sizeof(T)}, 256) * 256;
    return piece;
  }
  std::int64_t bytes() const { return bytes_; }

 private:
  char* base_;
  std::int64_t bytes_ = 0;
};

// The examples, once on every GPU that computes.
struct GpuExamples {
  // Calls `copied` with the number of images that have just been copied.
  GpuExamples(gpu::Layer& layer, int gpu, const Dataset& dataset, const std::function<void(std::int64_t)>& copied)
      : memory(layer, gpu, bytes(dataset)) {
    MemoryPlan plan(memory.data());
    trainPixels = plan.take<std::uint8_t>(std::ssize(dataset.train.pixels));
    trainLabels = plan.take<std::uint8_t>(dataset.train.count);
    testPixels = plan.take<std::uint8_t>(std::ssize(dataset.test.pixels));
    testLabels = plan.take<std::uint8_t>(dataset.test.count);
    const int stream = layer.createStream(gpu);
    const auto copy = [&](const Examples& from, std::uint8_t* pixels, std::uint8_t* labels) {
      constexpr std::int64_t kAtOnce = 10'000;
      const std::int64_t size = from.imageSize();
      for (std::int64_t i = 0; i < from.count; i += kAtOnce) {
        const std::int64_t images = std::min(kAtOnce, from.count - i);
        gpu::CommandList list;
        list.copy(stream, pixels + i * size, from.image(i), images * size);
        list.copy(stream, labels + i, from.labels.data() + i, images);
        layer.submit(list.commands());
        layer.waitForStream(stream);
        copied(images);
      }
    };
    copied(0);
    copy(dataset.train, trainPixels, trainLabels);
    copy(dataset.test, testPixels, testLabels);
  }
  static std::int64_t bytes(const Dataset& dataset) {
    MemoryPlan plan(nullptr);
    for (const Examples* examples : {&dataset.train, &dataset.test}) {
      plan.take<std::uint8_t>(std::ssize(examples->pixels));
      plan.take<std::uint8_t>(examples->count);
    }
    return plan.bytes();
  }

  gpu::DeviceMemory memory;
  std::uint8_t *trainPixels = nullptr, *trainLabels = nullptr, *testPixels = nullptr, *testLabels = nullptr;
};

// One replica's device. What changes with every step (example indices, learning rate) is written into page-locked
// memory and copied to the GPU on a separate stream while the previous step still computes. Host and GPU therefore have
// one block for each of two steps.
struct GpuDevice final : private gpu::StepNumbers {
  GpuDevice(gpu::Layer& layer, int replica, int ofAll, int onGpu, const ReplicaSettings& settings, bool several)
      : index(replica),
        gpu(onGpu),
        stream(layer.createStream(onGpu)),
        side(layer.createStream(onGpu)),
        small(layer.createStream(onGpu)),
        replicas(ofAll),
        variables_(layer, onGpu, planVariables(nullptr, settings, several)) {
    (void)planVariables(variables_.data(), settings, several);
    clear(layer, variables_.data(), variables_.bytes());  // gradients and slots begin at zero
  }

  static std::int64_t planActivations(void* base, std::int64_t n, int replicas, const ReplicaSettings& settings,
                                      ActivationPointers& a, GpuLayerMemory& layers) {
    MemoryPlan plan(base);
    if (!isCourseNetwork(*settings.network)) {
      planLayers(plan, *settings.network, settings.precision, n, replicas, a, layers);
      return plan.bytes();
    }
    a = {};
    a.images = plan.take<float>(n * kImageSize);
    a.labels = plan.take<std::uint8_t>(n);
    a.pooled = plan.take<float>(n * kPooledSize);
    a.argmax = plan.take<std::uint8_t>(n * kPooledSize);
    a.hidden = plan.take<float>(n * kHidden);
    a.logits = plan.take<float>(n * kClasses);
    a.losses = plan.take<float>(n);
    a.predictions = plan.take<std::uint8_t>(n);
    a.dLogits = plan.take<float>(n * kClasses);
    a.dHidden = plan.take<float>(n * kHidden);
    a.dPooled = plan.take<float>(n * kPooledSize);
    if (settings.precision != Precision::Bfloat16) return plan.bytes();
    a.roundedImages = plan.take<float>(n * kImageSize);
    a.roundedPooled = plan.take<float>(n * kPooledSize);
    a.roundedHidden = plan.take<float>(n * kHidden);
    a.roundedDLogits = plan.take<float>(n * kClasses);
    a.roundedDHidden = plan.take<float>(n * kHidden);
    a.roundedDPooled = plan.take<float>(n * kPooledSize);
    a.roundedWeights = plan.take<float>(settings.network->layout().size(), settings.network->layout().alignmentLead());
    return plan.bytes();
  }

  static std::int64_t bytes(const ReplicaSettings& settings, std::int64_t examples, int replicas) {
    // The estimate allocates nothing: it plans an object on a null base.
    const auto slotCount = static_cast<std::int64_t>(settings.optimizer.slotNames().size() + settings.besideSlots);
    const std::int64_t whole = settings.network->layout().bytes(), part = ceilDivide(whole, replicas);
    const std::int64_t variables = settings.sharding == Sharding::None    ? (4 + slotCount) * whole
                                   : settings.sharding == Sharding::Slots ? 3 * whole + (1 + slotCount) * part
                                                                          : 2 * whole + (2 + slotCount) * part;
    ActivationPointers pointers;
    GpuLayerMemory layers;
    return variables + planActivations(nullptr, examples, replicas, settings, pointers, layers) +
           2 * parameterBytes(examples) +
           (isCourseNetwork(*settings.network) ? 2 : 1) * scratchFor(*settings.network, examples) * 4;
  }

  void reserve(gpu::Layer& layer, const ReplicaSettings& settings, std::int64_t examples, gpu::CommandList& list) {
    // Free the old buffers before asking for larger ones.
    activations_ = {};
    scratch_ = {};
    sideScratch_ = {};
    for (gpu::DeviceMemory& block : parameters_) block = {};
    capacity = examples;
    const auto plan = [&](void* base) {
      return planActivations(base, examples, replicas, settings, activations, layerMemory);
    };
    activations_ = gpu::DeviceMemory(layer, gpu, plan(nullptr));
    (void)plan(activations_.data());
    const bool course = isCourseNetwork(*settings.network);
    const std::int64_t scratch = scratchFor(*settings.network, examples) * 4;
    scratch_ = gpu::DeviceMemory(layer, gpu, scratch);
    if (course) sideScratch_ = gpu::DeviceMemory(layer, gpu, scratch);
    if (layerMemory.clearedBytes > 0)
      clear(layer, layerMemory.cleared, layerMemory.clearedBytes);  // an empty batch multiplies by these zeros
    for (gpu::DeviceMemory& block : parameters_) block = gpu::DeviceMemory(layer, gpu, parameterBytes(examples));
    for (gpu::PinnedMemory& pinned : hostParameters_) pinned = gpu::PinnedMemory(layer, parameterBytes(examples));
    list_ = &list;
    backend = gpu::makeCommandBackend(list, stream, scratch_.as<float>(), *this);
    if (course) sideBackend = gpu::makeCommandBackend(list, side, sideScratch_.as<float>(), *this);
    layers = std::make_unique<gpu::LayerCommands>(list, stream, scratch_.as<float>());
  }

  // Makes room for what neighbours send, which is not added as it arrives.
  void reserveExchange(gpu::Layer& layer, const Layout& layout) {
    if (exchange != nullptr) return;
    exchange_ = gpu::DeviceMemory(layer, gpu, layout.bytes());
    exchange = exchange_.as<float>();
  }

  // Makes room for a part of `elements` of what lies in parts, slots of zeros.
  void reservePart(gpu::Layer& layer, const ReplicaSettings& settings, std::int64_t elements) {
    const auto plan = [&](void* base) {
      MemoryPlan part(base);
      slotValues.clear();
      for (std::size_t i = 0; i < settings.optimizer.slotNames().size(); ++i)
        slotValues.push_back(part.take<float>(elements));
      if (settings.sharding >= Sharding::Gradients) partOfGradients = part.take<float>(elements);
      if (settings.sharding >= Sharding::Weights) partOfWeights = part.take<float>(elements);
      return part.bytes();
    };
    const std::int64_t bytes = plan(nullptr);
    if (bytes == 0) return;
    part_ = gpu::DeviceMemory(layer, gpu, bytes);
    (void)plan(part_.data());
    clear(layer, part_.data(), bytes);
  }

  void beginStep(std::size_t slot) {
    slot_ = slot;
    numbers_ = 0;
    sent_ = false;
    bytesToSend = 0;
  }
  void takeIndices(std::span<const std::int64_t> shard, std::int64_t examples) {
    auto* to = reinterpret_cast<std::int32_t*>(static_cast<char*>(hostParameters()) + kNumberBytes);
    for (std::size_t i = 0; i < shard.size(); ++i) {
      LAB_CHECK(shard[i] >= 0 && shard[i] < examples);
      to[i] = static_cast<std::int32_t>(shard[i]);
    }
  }
  // Dropout's numbers, which change with every step.
  void takePlace(std::int64_t step, std::int64_t globalOffset) {
    auto* to = reinterpret_cast<std::int64_t*>(static_cast<char*>(hostParameters()) + kPlaceAt);
    to[0] = step;
    to[1] = globalOffset;
  }
  const std::int64_t* stepAndPlace() const { return reinterpret_cast<const std::int64_t*>(parameters() + kPlaceAt); }
  const std::int32_t* indices() const { return reinterpret_cast<const std::int32_t*>(parameters() + kNumberBytes); }
  void* hostParameters() const { return hostParameters_[slot_].as<void>(); }
  char* parameters() const { return parameters_[slot_].as<char>(); }
  static std::int64_t parameterBytes(std::int64_t examples) { return kNumberBytes + examples * 4; }
  void parametersAreSent() { sent_ = true; }
  bool areParametersSent() const { return sent_; }
  // After a flush, sends the numbers that are put from now on separately.
  void sendNumbers() {
    list_->copy(stream, parameters(), hostParameters(), kNumberBytes);
    sent_ = false;
  }

  int index = 0, gpu = 0;
  int stream = 0, side = 0, small = 0;  // work on the others starts and ends with the first
  bool firstOfGpu = false;
  std::int64_t bytesToSend = 0;                             // of parameters, when the step is launched
  const std::uint8_t *pixels = nullptr, *labels = nullptr;  // the images and labels that the indices refer to
  std::int64_t n = 0, capacity = 0;
  // Where variables lie in parts (replicas/shard.h), a part has what the whole buffers then hold only in a step: room
  // that stays, because a step allocates nothing. Slots lie in a part alone.
  float *weights = nullptr, *gradients = nullptr, *partOfWeights = nullptr, *partOfGradients = nullptr;
  std::vector<float*> slotValues;
  // The weights given to evaluate(); in a step, those before an average with neighbours, or another GPU's to compare
  // with. The same as `gradients` where the sums of these lie in parts.
  float* evaluated = nullptr;
  float* exchange = nullptr;  // what others send to be added or averaged; null with one GPU, if nothing is averaged
  float *statistics = nullptr, *evaluatedStatistics = nullptr;  // moving; those that evaluate() uses
  int replicas = 1;
  ActivationPointers activations;
  GpuLayerMemory layerMemory;  // of any network but the course network
  std::unique_ptr<gpu::LayerCommands> layers;
  std::unique_ptr<Backend> backend, sideBackend;
  float* scratch() const { return scratch_.as<float>(); }

  ValuesAt values() const { return {weights, gradients, partOfWeights, partOfGradients, slotValues}; }

 private:
  static constexpr std::int64_t kNumberBytes = 64, kPlaceAt = 48;

  void clear(gpu::Layer& layer, void* memory, std::int64_t bytes) const {
    gpu::CommandList list;
    list.clear(stream, memory, bytes);
    layer.submit(list.commands());
    layer.waitForStream(stream);
  }

  // A number that is there already serves again: updates of several pieces share a learning rate, and averages of
  // several packs their shares.
  const float* put(float value) override {
    auto* there = static_cast<float*>(hostParameters());
    for (std::int64_t i = 0; i < numbers_; ++i)
      if (std::memcmp(&there[i], &value, sizeof value) == 0) return reinterpret_cast<float*>(parameters()) + i;
    LAB_CHECK((numbers_ + 1) * 4 <= kPlaceAt);
    there[numbers_] = value;
    LAB_CHECK(!sent_);  // otherwise nobody would send this number
    return reinterpret_cast<float*>(parameters()) + numbers_++;
  }

  std::int64_t planVariables(void* base, const ReplicaSettings& settings, bool several) {
    const Layout& layout = settings.network->layout();
    const std::int64_t size = layout.size(), lead = layout.alignmentLead();
    MemoryPlan plan(base);
    weights = plan.take<float>(size, lead);
    gradients = plan.take<float>(size, lead);
    evaluated = settings.sharding >= Sharding::Gradients ? gradients : plan.take<float>(size, lead);
    slotValues.clear();
    const bool inParts = settings.sharding != Sharding::None;
    for (std::size_t i = 0; !inParts && i < settings.optimizer.slotNames().size() + settings.besideSlots; ++i)
      slotValues.push_back(plan.take<float>(size, lead));
    // A reduce-scatter sends chunks of the ring. Weights that were gathered for the pass are no longer needed then.
    exchange = !several                                 ? nullptr
               : settings.sharding == Sharding::Weights ? weights
                                                        : plan.take<float>(inParts ? ceilDivide(size, replicas) : size);
    const std::int64_t moving = settings.network->statistics().size();
    statistics = moving > 0 ? plan.take<float>(moving) : nullptr;
    evaluatedStatistics = moving > 0 ? plan.take<float>(moving) : nullptr;
    return plan.bytes();
  }

  static std::int64_t scratchFor(const NeuralNetwork& network, std::int64_t examples) {
    if (!isCourseNetwork(network)) return layerScratch(network, examples);
    return std::max(gpu::scratchFloats(examples, kPooledSize, kHidden),
                    gpu::scratchFloats(examples, kHidden, kClasses));
  }

  gpu::DeviceMemory variables_, part_, exchange_, activations_, scratch_, sideScratch_;
  gpu::DeviceMemory parameters_[2];
  gpu::PinnedMemory hostParameters_[2];
  std::size_t slot_ = 0;
  std::int64_t numbers_ = 0;
  bool sent_ = false;
  gpu::CommandList* list_ = nullptr;
};

}  // namespace lab
