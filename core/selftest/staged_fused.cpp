// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU's fused layer operations on the host's arrays.
#include <numeric>
#include <vector>

#include "core/base/ceil_divide.h"
#include "core/device/cuda/layer_commands.h"
#include "core/selftest/staged_arrays.h"
#include "core/selftest/staged_backend.h"

namespace lab::gpu {
namespace {

class StagedFused final : public FusedLayers {
 public:
  StagedFused(Layer& layer, int gpu, int stream) : layer_(layer), gpu_(gpu), stream_(stream) {}

  void gather(std::int64_t n, std::int64_t size, std::int64_t examples, const std::uint8_t* pixels,
              const std::uint8_t* labels, const std::int32_t* indices, float* images,
              std::uint8_t* outLabels) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    const std::uint8_t *p = arrays.in(pixels, examples * size), *l = arrays.in(labels, examples);
    const std::int32_t* which = arrays.in(indices, n);
    float* out = arrays.out(images, n * size);
    std::uint8_t* right = arrays.out(outLabels, n);
    arrays.runLayers(0, [&](LayerCommands& on) { on.gather(n, size, p, l, which, out, right); });
  }

  void courseGather(std::int64_t n, std::int64_t examples, const std::uint8_t* pixels, const std::uint8_t* labels,
                    const std::int32_t* indices, float* images, std::uint8_t* outLabels) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    const std::uint8_t *p = arrays.in(pixels, examples * kImageSize), *l = arrays.in(labels, examples);
    const std::int32_t* which = arrays.in(indices, n);
    float* out = arrays.out(images, n * kImageSize);
    std::uint8_t* right = arrays.out(outLabels, n);
    arrays.runLayers(0, [&](LayerCommands&) {
      list_.launch(stream_, KernelId::Gather, GatherArgs{p, l, which, out, right}, n);
    });
  }

  void conv2dInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* dy,
                           const float* kernel, const float* mask, float* dx) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    const float *a = arrays.in(dy, n * w.places() * filters), *k = arrays.in(kernel, w.taps() * filters),
                *m = arrays.in(mask, n * w.inSize());
    float* out = arrays.out(dx, n * w.inSize());
    arrays.runLayers(0, [&](LayerCommands& on) { on.conv2dInputGradient(n, w, filters, a, k, m, out); });
  }
  void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                          const float* mask, float* dx) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    const float *a = arrays.in(dy, n * out), *b = arrays.in(w, in * out), *m = arrays.in(mask, n * in);
    float* c = arrays.out(dx, n * in);
    arrays.runLayers(scratchFloats(n, in, out),
                     [&](LayerCommands& on) { on.denseInputGradient(n, in, out, a, b, m, c); });
  }
  void maxPoolBackward(std::int64_t n, const LayerWindow& w, const std::uint16_t* winners, const float* dy,
                       const float* mask, float* dx) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    const std::int64_t size = n * w.places() * w.channels;
    auto* won = const_cast<std::uint16_t*>(arrays.in(winners, size));
    const float *a = arrays.in(dy, size), *m = arrays.in(mask, n * w.inSize());
    float* b = arrays.out(dx, n * w.inSize());
    arrays.runLayers(0, [&](LayerCommands& on) { on.maxPoolBackward(n, w, won, a, m, b); });
  }
  void averagePoolBackward(std::int64_t n, const LayerWindow& w, const float* dy, const float* mask,
                           float* dx) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    const float *a = arrays.in(dy, n * w.places() * w.channels), *m = arrays.in(mask, n * w.inSize());
    float* b = arrays.out(dx, n * w.inSize());
    arrays.runLayers(0, [&](LayerCommands& on) { on.averagePoolBackward(n, w, a, m, b); });
  }

  // As in a step of the course network (replicas/gpu/gpu_compute.cpp).
  void courseHead(std::int64_t n, CourseHead& h) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    StepTally tally{-1, -1};
    const float *x = arrays.in(h.x, n * kPooledSize), *kernel = arrays.in(h.kernel, kPooledSize * kHidden),
                *bias = arrays.in(h.bias, kHidden), *logitsKernel = arrays.in(h.logitsKernel, kHidden * kClasses),
                *logitsBias = arrays.in(h.logitsBias, kClasses);
    const std::uint8_t* labels = arrays.in(h.labels, n);
    float *hidden = arrays.out(h.hidden, n * kHidden), *losses = arrays.out(h.losses, n),
          *dLogits = arrays.out(h.dLogits, n * kClasses), *dHidden = arrays.out(h.dHidden, n * kHidden);
    std::uint8_t* predictions = arrays.out(h.predictions, n);
    float *dBias = arrays.out(h.dBias, kHidden), *dLogitsKernel = arrays.out(h.dLogitsKernel, kHidden * kClasses),
          *dLogitsBias = arrays.out(h.dLogitsBias, kClasses);
    StepTally* out = arrays.out(&tally, 1);
    arrays.run(scratchFloats(n, kPooledSize, kHidden), [&](float* scratch) {
      const ProductSplits splits = launchDenseSplits(list_, stream_, scratch, n, kPooledSize, kHidden, x, kernel);
      list_.launch(stream_, KernelId::Head,
                   HeadArgs{scratch, bias, logitsKernel, logitsBias, labels, hidden, losses, predictions, dLogits,
                            dHidden, n, splits.count, splits.perGroup, h.scale, 0},
                   ceilDivide(n, kHeadRows));
      launchSmallGradients(
          list_, stream_,
          {hidden, dLogits, dHidden, losses, predictions, labels, dLogitsKernel, dLogitsBias, dBias, out, n, 0, 0});
    });
    h.lossSum = tally.lossSum;
    h.correct = tally.correct;
  }

  void tally(std::int64_t n, const float* losses, const std::uint8_t* predictions, const std::uint8_t* labels,
             double* lossSum, std::int64_t* correct) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    StepTally tally{-1, -1};
    const float* l = arrays.in(losses, n);
    const std::uint8_t *p = arrays.in(predictions, n), *right = arrays.in(labels, n);
    StepTally* out = arrays.out(&tally, 1);
    arrays.runLayers(0, [&](LayerCommands&) {
      list_.launch(stream_, KernelId::Tally, TallyArgs{l, p, right, out, n}, 1);
    });
    *lossSum = tally.lossSum;
    *correct = tally.correct;
  }
  std::uint64_t digest(std::int64_t size, const float* values) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    std::vector<std::uint64_t> sums(kDigestShares);
    const auto* words = reinterpret_cast<const std::uint32_t*>(arrays.in(values, size));
    std::uint64_t* out = arrays.out(sums.data(), kDigestShares);
    arrays.runLayers(0, [&](LayerCommands&) {
      list_.launch(stream_, KernelId::Digest, DigestArgs{words, out, size}, kDigestShares);
    });
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
  }

  void normalize(const BatchNormOf& of, const float* x, float* y, double* norm, float* movingMean,
                 float* movingVariance) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    const float* a = arrays.in(x, of.rows * of.channels);
    NormVariables variables = variablesOf(arrays, of);
    variables.moves = movingMean != nullptr;
    variables.movingMean = arrays.out(movingMean, of.channels);
    variables.movingVariance = arrays.out(movingVariance, of.channels);
    const NormMemory memory = memoryOf(arrays, of, norm);
    float* out = arrays.out(y, of.rows * of.channels);
    arrays.runLayers(LayerCommands::normScratch(of.channels), [&](LayerCommands& on) {
      on.normalize(on.sumsInParts(of.rows, of.channels, a, nullptr, nullptr), of.rows, of.channels, variables, memory,
                   a, out);
    });
  }

  void normalizeByMoving(const BatchNormOf& of, const float* movingMean, const float* movingVariance, const float* x,
                         float* y) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    const float* a = arrays.in(x, of.rows * of.channels);
    NormVariables variables = variablesOf(arrays, of);
    variables.movingMean = const_cast<float*>(arrays.in(movingMean, of.channels));
    variables.movingVariance = const_cast<float*>(arrays.in(movingVariance, of.channels));
    const NormMemory memory = memoryOf(arrays, of, nullptr);
    float* out = arrays.out(y, of.rows * of.channels);
    arrays.runLayers(0,
                     [&](LayerCommands& on) { on.normalizeByMoving(of.rows, of.channels, variables, memory, a, out); });
  }

  void normalizeBackward(const BatchNormOf& of, const double* norm, const float* x, const float* dy, const float* mask,
                         float* dGamma, float* dBeta, float* dx) override {
    StagedArrays arrays(layer_, gpu_, stream_, list_);
    const std::int64_t size = of.rows * of.channels;
    const float *a = arrays.in(x, size), *b = arrays.in(dy, size), *m = arrays.in(mask, size);
    const float* gamma = arrays.in(of.gamma, of.channels);
    NormMemory memory = memoryOf(arrays, of, nullptr);
    memory.norm = const_cast<double*>(arrays.in(norm, 2 * of.channels));
    float *g = arrays.out(dGamma, of.channels), *t = arrays.out(dBeta, of.channels), *out = arrays.out(dx, size);
    arrays.runLayers(LayerCommands::normScratch(of.channels), [&](LayerCommands& on) {
      const LayerCommands::Sums sums = on.sumsInParts(of.rows, of.channels, a, b, memory.norm);
      if (out == nullptr) return on.normGradients(sums, of.channels, memory, g, t);
      on.normInputGradient(sums, of.rows, of.channels, gamma, memory, a, b, m, g, t, out);
    });
  }

 private:
  static NormVariables variablesOf(StagedArrays& arrays, const BatchNormOf& of) {
    NormVariables variables;
    variables.gamma = arrays.in(of.gamma, of.channels);
    variables.beta = arrays.in(of.beta, of.channels);
    variables.epsilon = of.epsilon;
    variables.momentum = of.momentum;
    return variables;
  }
  NormMemory memoryOf(StagedArrays& arrays, const BatchNormOf& of, double* norm) {
    coefficients_.assign(static_cast<std::size_t>(3 * of.channels), 0);
    return {arrays.out(norm, 2 * of.channels), arrays.out(coefficients_.data(), 3 * of.channels)};
  }

  Layer& layer_;
  int gpu_, stream_;
  CommandList list_;
  std::vector<float> coefficients_;
};

}  // namespace

std::unique_ptr<FusedLayers> makeStagedFused(Layer& layer, int gpu, int stream) {
  return std::make_unique<StagedFused>(layer, gpu, stream);
}

}  // namespace lab::gpu
