// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cuda/layer_commands.h"
#include "core/selftest/staged_arrays.h"
#include "core/selftest/staged_backend.h"

namespace lab::gpu {
namespace {

class StagedLayers final : public LayerBackend, public WithFusedLayers, private StepNumbers {
 public:
  StagedLayers(Layer& layer, int gpu, int stream)
      : layer_(layer), gpu_(gpu), stream_(stream), fused_(makeStagedFused(layer, gpu, stream)) {}

  FusedLayers& fused() override { return *fused_; }

  void conv2d(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x, const float* kernel,
              const float* bias, bool relu, float* y) override {
    Arrays arrays(*this);
    const float *dx = arrays.in(x, n * w.inSize()), *k = arrays.in(kernel, w.taps() * filters);
    const float* b = arrays.in(bias, filters);
    float* dy = arrays.out(y, n * w.places() * filters);
    arrays.runLayers(0, [&](LayerCommands& on) { on.conv2d(n, w, filters, dx, k, b, relu, dy); });
  }
  void conv2dKernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x, const float* dy,
                            float* dKernel) override {
    Arrays arrays(*this);
    const float *a = arrays.in(x, n * w.inSize()), *b = arrays.in(dy, n * w.places() * filters);
    float* k = arrays.out(dKernel, w.taps() * filters);
    arrays.runLayers(LayerCommands::convScratch(n, w, filters),
                     [&](LayerCommands& on) { on.conv2dKernelGradient(n, w, filters, a, b, k); });
  }
  void conv2dInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* dy,
                           const float* kernel, float* dx) override {
    Arrays arrays(*this);
    const float *a = arrays.in(dy, n * w.places() * filters), *k = arrays.in(kernel, w.taps() * filters);
    float* out = arrays.out(dx, n * w.inSize());
    arrays.runLayers(0, [&](LayerCommands& on) { on.conv2dInputGradient(n, w, filters, a, k, nullptr, out); });
  }
  void biasGradient(std::int64_t rows, std::int64_t channels, const float* dy, float* db) override {
    Arrays arrays(*this);
    const float* a = arrays.in(dy, rows * channels);
    float* b = arrays.out(db, channels);
    arrays.runWith(scratchFloats(rows, 1, channels), [&](Backend& on) { on.denseBiasGradient(rows, channels, a, b); });
  }

  void maxPool(std::int64_t n, const LayerWindow& w, const float* x, float* y, std::uint16_t* winners) override {
    Arrays arrays(*this);
    const std::int64_t size = n * w.places() * w.channels;
    const float* a = arrays.in(x, n * w.inSize());
    float* b = arrays.out(y, size);
    std::uint16_t* won = arrays.out(winners, size);
    arrays.runLayers(0, [&](LayerCommands& on) { on.maxPool(n, w, a, b, won); });
  }
  void maxPoolBackward(std::int64_t n, const LayerWindow& w, const std::uint16_t* winners, const float* dy,
                       float* dx) override {
    Arrays arrays(*this);
    const std::int64_t size = n * w.places() * w.channels;
    auto* won = const_cast<std::uint16_t*>(arrays.in(winners, size));
    const float* a = arrays.in(dy, size);
    float* b = arrays.out(dx, n * w.inSize());
    arrays.runLayers(0, [&](LayerCommands& on) { on.maxPoolBackward(n, w, won, a, nullptr, b); });
  }
  void averagePool(std::int64_t n, const LayerWindow& w, const float* x, float* y) override {
    Arrays arrays(*this);
    const float* a = arrays.in(x, n * w.inSize());
    float* b = arrays.out(y, n * w.places() * w.channels);
    arrays.runLayers(0, [&](LayerCommands& on) { on.averagePool(n, w, a, b); });
  }
  void averagePoolBackward(std::int64_t n, const LayerWindow& w, const float* dy, float* dx) override {
    Arrays arrays(*this);
    const float* a = arrays.in(dy, n * w.places() * w.channels);
    float* b = arrays.out(dx, n * w.inSize());
    arrays.runLayers(0, [&](LayerCommands& on) { on.averagePoolBackward(n, w, a, nullptr, b); });
  }

  void relu(std::int64_t size, const float* x, float* y) override {
    Arrays arrays(*this);
    const float* a = arrays.in(x, size);
    float* b = arrays.out(y, size);
    arrays.runLayers(0, [&](LayerCommands& on) { on.relu(size, a, b); });
  }
  void dropout(std::int64_t n, std::int64_t size, const DropoutMask& mask, const float* x, float* y) override {
    Arrays arrays(*this);
    const std::int64_t numbers[2] = {mask.step, mask.globalOffset};
    const std::int64_t* stepAndPlace = arrays.in(numbers, 2);
    const float* a = arrays.in(x, n * size);
    float* b = arrays.out(y, n * size);
    arrays.runLayers(0, [&](LayerCommands& on) { on.dropout(n, size, mask, stepAndPlace, a, b); });
  }

  void depthwise(std::int64_t n, const LayerWindow& w, std::int64_t m, const float* x, const float* kernel,
                 const float* bias, bool relu, float* y) override {
    Arrays arrays(*this);
    const float *a = arrays.in(x, n * w.inSize()), *k = arrays.in(kernel, w.taps() * m);
    const float* b = arrays.in(bias, w.channels * m);
    float* out = arrays.out(y, n * w.places() * w.channels * m);
    arrays.runLayers(0, [&](LayerCommands& on) { on.depthwise(n, w, m, a, k, b, relu, out); });
  }
  void depthwiseKernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t m, const float* x, const float* dy,
                               float* dKernel) override {
    Arrays arrays(*this);
    const float *a = arrays.in(x, n * w.inSize()), *b = arrays.in(dy, n * w.places() * w.channels * m);
    float* out = arrays.out(dKernel, w.taps() * m);
    arrays.runLayers(0, [&](LayerCommands& on) { on.depthwiseKernelGradient(n, w, m, a, b, out); });
  }
  void depthwiseInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t m, const float* dy,
                              const float* kernel, float* dx) override {
    Arrays arrays(*this);
    const float *a = arrays.in(dy, n * w.places() * w.channels * m), *k = arrays.in(kernel, w.taps() * m);
    float* out = arrays.out(dx, n * w.inSize());
    arrays.runLayers(0, [&](LayerCommands& on) { on.depthwiseInputGradient(n, w, m, a, k, out); });
  }

  void clear(std::int64_t size, float* y) override {
    Arrays arrays(*this);
    float* out = arrays.out(y, size);
    arrays.runLayers(0, [&](LayerCommands& on) { on.clear(size, out); });
  }
  void add(std::int64_t size, const float* a, const float* b, float* y) override {
    Arrays arrays(*this);
    const float *first = arrays.in(a, size), *second = arrays.in(b, size);
    float* out = arrays.out(y, size);
    arrays.runLayers(0, [&](LayerCommands& on) { on.add(size, first, second, out); });
  }
  void placeBlocks(const LayerBlocks& blocks, const float* dense, float* larger) override {
    Arrays arrays(*this);
    const float* a = arrays.in(dense, blocks.size());
    float* b = arrays.out(larger, extentOf(blocks));
    arrays.runLayers(0, [&](LayerCommands& on) { on.placeBlocks(blocks, a, b); });
  }
  void takeBlocks(const LayerBlocks& blocks, const float* larger, float* dense) override {
    Arrays arrays(*this);
    const float* a = arrays.in(larger, extentOf(blocks));
    float* b = arrays.out(dense, blocks.size());
    arrays.runLayers(0, [&](LayerCommands& on) { on.takeBlocks(blocks, a, b); });
  }
  void activation(std::int64_t size, ActivationFunction function, double slope, const float* x, float* y) override {
    activated(size, function, slope, x, nullptr, y);
  }
  void activationGradient(std::int64_t size, ActivationFunction function, double slope, const float* x, const float* dy,
                          float* dx) override {
    activated(size, function, slope, x, dy, dx);
  }

  void layerNorm(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                 const float* beta, float* y) override {
    Arrays arrays(*this);
    const float *a = arrays.in(x, rows * channels), *g = arrays.in(gamma, channels), *b = arrays.in(beta, channels);
    float* out = arrays.out(y, rows * channels);
    arrays.runLayers(0, [&](LayerCommands& on) { on.layerNorm(rows, channels, epsilon, a, g, b, out); });
  }
  void layerNormBackward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                         const float* dy, float* dx, float* dGamma, float* dBeta) override {
    Arrays arrays(*this);
    const float *a = arrays.in(x, rows * channels), *g = arrays.in(gamma, channels),
                *d = arrays.in(dy, rows * channels);
    float *out = arrays.out(dx, rows * channels), *dg = arrays.out(dGamma, channels), *db = arrays.out(dBeta, channels);
    arrays.runLayers(LayerCommands::layerNormScratch(rows),
                     [&](LayerCommands& on) { on.layerNormBackward(rows, channels, epsilon, a, g, d, out, dg, db); });
  }

  void crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels, float scale,
                    float* losses, std::uint8_t* predictions, float* dLogits) override {
    Arrays arrays(*this);
    const float* l = arrays.in(logits, n * classes);
    const std::uint8_t* right = arrays.in(labels, n);
    float* loss = arrays.out(losses, n);
    std::uint8_t* guess = arrays.out(predictions, n);
    float* d = arrays.out(dLogits, n * classes);
    arrays.runLayers(0, [&](LayerCommands& on) { on.crossEntropy(n, classes, l, right, scale, loss, guess, d); });
  }

  void sums(std::int64_t rows, std::int64_t channels, const float* x, ChannelSums* sums) override {
    addUp(rows, channels, x, nullptr, nullptr, sums);
  }
  void gradientSums(std::int64_t rows, std::int64_t channels, const float* x, const float* dy, const double* mean,
                    ChannelSums* sums) override {
    addUp(rows, channels, x, dy, mean, sums);
  }
  void scaleAndShift(std::int64_t rows, std::int64_t channels, const float* x, const float* factor, const float* term,
                     float* y) override {
    Arrays arrays(*this);
    const float *a = arrays.in(x, rows * channels), *f = arrays.in(factor, channels), *t = arrays.in(term, channels);
    float* b = arrays.out(y, rows * channels);
    arrays.runLayers(0, [&](LayerCommands& on) { on.scaleAndShift(rows, channels, a, f, t, b); });
  }
  void combine(std::int64_t rows, std::int64_t channels, const float* dy, const float* a, const float* x,
               const float* b, const float* c, float* dx) override {
    Arrays arrays(*this);
    const float *d = arrays.in(dy, rows * channels), *in = arrays.in(x, rows * channels);
    const float *fa = arrays.in(a, channels), *fb = arrays.in(b, channels), *fc = arrays.in(c, channels);
    float* out = arrays.out(dx, rows * channels);
    arrays.runLayers(0, [&](LayerCommands& on) { on.combine(rows, channels, d, fa, in, fb, fc, nullptr, out); });
  }

 private:
  // Returns the floats of the larger array up to the end of the last block.
  static std::int64_t extentOf(const LayerBlocks& blocks) {
    if (blocks.size() == 0) return 0;
    return blocks.first + (blocks.images - 1) * blocks.image + (blocks.rows - 1) * blocks.row + blocks.count;
  }

  class Arrays : public StagedArrays {
   public:
    explicit Arrays(StagedLayers& owner)
        : StagedArrays(owner.layer_, owner.gpu_, owner.stream_, owner.list_), owner_(owner) {}
    template <typename Body>
    void runWith(std::int64_t scratch, const Body& body) {
      run(scratch, [&](float* memory) { body(*makeCommandBackend(owner_.list_, owner_.stream_, memory, owner_)); });
    }

   private:
    StagedLayers& owner_;
  };

  void activated(std::int64_t size, ActivationFunction function, double slope, const float* x, const float* dy,
                 float* out) {
    Arrays arrays(*this);
    const float *a = arrays.in(x, size), *d = arrays.in(dy, size);
    float* b = arrays.out(out, size);
    arrays.runLayers(0, [&](LayerCommands& on) { on.activation(size, function, slope, a, d, b); });
  }

  void addUp(std::int64_t rows, std::int64_t channels, const float* x, const float* dy, const double* mean,
             ChannelSums* sums) {
    Arrays arrays(*this);
    const float *a = arrays.in(x, rows * channels), *b = arrays.in(dy, rows * channels);
    const double* m = arrays.in(mean, channels);
    ChannelSums* total = arrays.out(sums, channels);
    arrays.runLayers(LayerCommands::normScratch(channels),
                     [&](LayerCommands& on) { on.sums(rows, channels, a, b, m, total); });
  }

  const float* put(float) override { return nullptr; }

  Layer& layer_;
  int gpu_, stream_;
  std::unique_ptr<FusedLayers> fused_;
  CommandList list_;
};

}  // namespace

std::unique_ptr<LayerBackend> makeStagedLayers(Layer& layer, int gpu, int stream) {
  return std::make_unique<StagedLayers>(layer, gpu, stream);
}

}  // namespace lab::gpu
