// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selftest/staged_backend.h"

#include <string>

#include "core/base/ceil_divide.h"
#include "core/device/cuda/gpu_commands.h"
#include "core/selftest/staged_arrays.h"

namespace lab::gpu {
namespace {

class StagedBackend final : public Backend, private StepNumbers {
 public:
  StagedBackend(Layer& layer, int gpu)
      : layer_(layer),
        gpu_(gpu),
        stream_(layer.createStream(gpu)),
        name_("cuda " + std::to_string(gpu)),
        layers_(makeStagedLayers(layer, gpu, stream_)) {}

  LayerBackend* layers() override { return layers_.get(); }

  std::string_view name() const override { return name_; }

  void convReluPool(std::int64_t n, const float* images, const float* kernel, const float* bias, float* pooled,
                    std::uint8_t* argmax) override {
    Arrays arrays(*this);
    const float* i = arrays.in(images, n * kImageSize);
    const float* k = arrays.in(kernel, 9 * kFilters);
    const float* b = arrays.in(bias, kFilters);
    float* p = arrays.out(pooled, n * kPooledSize);
    std::uint8_t* a = arrays.out(argmax, n * kPooledSize);
    arrays.run(0, [&](Backend& device) { device.convReluPool(n, i, k, b, p, a); });
  }

  void convReluPoolBackward(std::int64_t n, const float* images, const std::uint8_t* argmax,
                            const float* dPooledForKernel, const float* dPooled, float* dKernel,
                            float* dBias) override {
    Arrays arrays(*this);
    const float* i = arrays.in(images, n * kImageSize);
    const std::uint8_t* a = arrays.in(argmax, n * kPooledSize);
    const float* dk = arrays.in(dPooledForKernel, n * kPooledSize);
    const float* db = arrays.in(dPooled, n * kPooledSize);
    float* kernel = arrays.out(dKernel, 9 * kFilters);
    float* bias = arrays.out(dBias, kFilters);
    arrays.run(scratchFloats(n, 1, 1),
               [&](Backend& device) { device.convReluPoolBackward(n, i, a, dk, db, kernel, bias); });
  }

  void dense(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* w, const float* bias,
             bool relu, float* y) override {
    Arrays arrays(*this);
    const float* dx = arrays.in(x, n * in);
    const float* dw = arrays.in(w, in * out);
    const float* db = arrays.in(bias, out);
    float* dy = arrays.out(y, n * out);
    arrays.run(scratchFloats(n, in, out), [&](Backend& device) { device.dense(n, in, out, dx, dw, db, relu, dy); });
  }

  void denseWeightGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* dy,
                           float* dw) override {
    Arrays arrays(*this);
    const float* a = arrays.in(x, n * in);
    const float* b = arrays.in(dy, n * out);
    float* c = arrays.out(dw, in * out);
    arrays.run(scratchFloats(n, in, out), [&](Backend& device) { device.denseWeightGradient(n, in, out, a, b, c); });
  }

  void denseBiasGradient(std::int64_t n, std::int64_t out, const float* dy, float* db) override {
    Arrays arrays(*this);
    const float* a = arrays.in(dy, n * out);
    float* b = arrays.out(db, out);
    arrays.run(scratchFloats(n, 1, out), [&](Backend& device) { device.denseBiasGradient(n, out, a, b); });
  }

  void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                          float* dx) override {
    Arrays arrays(*this);
    const float* a = arrays.in(dy, n * out);
    const float* b = arrays.in(w, in * out);
    float* c = arrays.out(dx, n * in);
    arrays.run(scratchFloats(n, in, out), [&](Backend& device) { device.denseInputGradient(n, in, out, a, b, c); });
  }

  void reluBackward(std::int64_t size, const float* y, float* dy) override {
    Arrays arrays(*this);
    const float* a = arrays.in(y, size);
    float* b = arrays.out(dy, size);
    arrays.run(0, [&](Backend& device) { device.reluBackward(size, a, b); });
  }

  void softmaxCrossEntropy(std::int64_t n, const float* logits, const std::uint8_t* labels, float scale, float* losses,
                           std::uint8_t* predictions, float* dLogits) override {
    Arrays arrays(*this);
    const float* l = arrays.in(logits, n * kClasses);
    const std::uint8_t* right = arrays.in(labels, n);
    float* loss = arrays.out(losses, n);
    std::uint8_t* guess = arrays.out(predictions, n);
    float* d = dLogits == nullptr ? nullptr : arrays.out(dLogits, n * kClasses);
    arrays.run(0, [&](Backend& device) { device.softmaxCrossEntropy(n, l, right, scale, loss, guess, d); });
  }

  void adam(std::int64_t size, const AdamStep& step, const float* gradient, float* m, float* v,
            float* weights) override {
    Arrays arrays(*this);
    const float* g = arrays.in(gradient, size);
    float *dm = arrays.out(m, size), *dv = arrays.out(v, size), *w = arrays.out(weights, size);
    arrays.number(step.learningRate);
    arrays.run(0, [&](Backend& device) { device.adam(size, step, g, dm, dv, w); });
  }

  void sgd(std::int64_t size, float learningRate, float momentum, const float* gradient, float* velocity,
           float* weights) override {
    Arrays arrays(*this);
    const float* g = arrays.in(gradient, size);
    float* v = velocity == nullptr ? nullptr : arrays.out(velocity, size);
    float* w = arrays.out(weights, size);
    arrays.number(learningRate);
    arrays.run(0, [&](Backend& device) { device.sgd(size, learningRate, momentum, g, v, w); });
  }

  void roundToBfloat16(std::int64_t size, const float* in, float* out) override {
    Arrays arrays(*this);
    float* result = arrays.out(out, size);
    const float* source = in == out ? result : arrays.in(in, size);
    arrays.run(0, [&](Backend& device) { device.roundToBfloat16(size, source, result); });
  }

  void add(std::int64_t size, const float* source, float* destination) override {
    Arrays arrays(*this);
    const float* a = arrays.in(source, size);
    float* b = arrays.out(destination, size);
    arrays.run(0, [&](Backend& device) { device.add(size, a, b); });
  }

  void copy(std::int64_t size, const float* source, float* destination) override {
    Arrays arrays(*this);
    const float* a = arrays.in(source, size);
    float* b = arrays.out(destination, size);
    arrays.run(0, [&](Backend& device) { device.copy(size, a, b); });
  }

  bool identical(std::int64_t size, const float* a, const float* b) override {
    Arrays arrays(*this);
    std::uint32_t differs = 0;
    const auto* first = reinterpret_cast<const std::uint32_t*>(arrays.in(a, size));
    const auto* second = reinterpret_cast<const std::uint32_t*>(arrays.in(b, size));
    std::uint32_t* flag = arrays.out(&differs, 1);
    arrays.run(0, [&](Backend&) {
      list_.launch(stream_, KernelId::Compare, CompareArgs{first, second, flag, size},
                   ceilDivide(size, kElementThreads));
    });
    return differs == 0;
  }

 private:
  class Arrays : public StagedArrays {
   public:
    explicit Arrays(StagedBackend& owner)
        : StagedArrays(owner.layer_, owner.gpu_, owner.stream_, owner.list_), owner_(owner) {}

    void number(float value) {
      number_ = value;
      owner_.number_ = in(&number_, 1);
    }
    template <typename Body>
    void run(std::int64_t scratch, const Body& body) {
      StagedArrays::run(
          scratch, [&](float* memory) { body(*makeCommandBackend(owner_.list_, owner_.stream_, memory, owner_)); });
    }

   private:
    StagedBackend& owner_;
    float number_ = 0;
  };

  const float* put(float) override { return number_; }

  Layer& layer_;
  int gpu_;
  int stream_;
  std::string name_;
  std::unique_ptr<LayerBackend> layers_;
  CommandList list_;
  const float* number_ = nullptr;
};

}  // namespace

std::unique_ptr<Backend> makeStagedBackend(Layer& layer, int gpu) {
  return std::make_unique<StagedBackend>(layer, gpu);
}

}  // namespace lab::gpu
