// SPDX-License-Identifier: GPL-3.0-or-later
// How fast each operation and whole training steps are, per ISA and thread count. Figures are of the
// operations as counted on paper (NetworkOperation), so they can be read beside the machine's peak, which the context
// prints.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/device/machine_peak.h"
#include "core/model/cnn.h"
#include "core/model/optimizer.h"
#include "core/selftest/reference.h"

using namespace lab;

namespace {

OpCost costOf(CnnOp op, std::int64_t n) {
  return courseNetwork().operations()[static_cast<std::size_t>(op)].cost(n);
}

std::string nameOf(CnnOp op) {
  const NetworkOperation& operation = courseNetwork().operations()[static_cast<std::size_t>(op)];
  return operation.layer.empty() ? "loss" : operation.layer + (operation.backward ? " backward" : " forward");
}

constexpr Precision kFloat32 = Precision::Float32;

// A network with one batch in memory, ready to step.
struct Bench {
  ThreadPool pool;
  std::unique_ptr<Backend> backend;
  std::int64_t n;
  AlignedBuffer<float> weights = flat(), gradients = flat(), m = flat(), v = flat();
  Activations activations;
  std::int64_t iteration = 0;

  Bench(const std::string& path, int threads, std::int64_t examples)
      : pool(threads), backend(path == "reference" ? makeReferenceBackend() : makeCpuBackend(pool, path)), n(examples) {
    courseNetwork().initialize(1, weights.span());
    activations.reserve(n, kFloat32);
    Rng rng(1);
    for (float& pixel : activations.images.span()) pixel = rng.below(5) == 0 ? static_cast<float>(rng.uniform()) : 0;
    for (std::uint8_t& label : activations.labels.span()) label = static_cast<std::uint8_t>(rng.below(kClasses));
    step();
  }

  void step() {
    forwardBackward(*backend, kFloat32, n, 1 / static_cast<float>(n), weights.data(), activations, gradients.data());
    update();
  }
  void update() {
    float* const both[]{m.data(), v.data()};
    applyOptimizer(*backend, {}, 1e-3, ++iteration, weights.size(), gradients.data(), both, weights.data());
  }

 private:
  static AlignedBuffer<float> flat() {
    return AlignedBuffer<float>(courseNetwork().layout().size(), courseNetwork().layout().alignmentLead());
  }
};

using Counter = benchmark::Counter;

void setRate(benchmark::State& state, const char* name, double perIteration) {
  state.counters[name] = Counter(perIteration * static_cast<double>(state.iterations()), Counter::kIsRate);
}

void wholeSteps(benchmark::State& state, const std::string& path, int threads, std::int64_t n) {
  Bench bench(path, threads, n);
  double flop = 0;
  for (int op = 0; op < kCnnOps; ++op) flop += costOf(static_cast<CnnOp>(op), n).flop;
  for (auto _ : state) bench.step();
  setRate(state, "images/s", static_cast<double>(n));
  setRate(state, "flop/s", flop);
}

// One operation of the step alone, on the data that a whole step left behind.
void oneOperation(benchmark::State& state, const std::string& path, int threads, std::int64_t n, CnnOp op) {
  Bench bench(path, threads, n);
  Backend& b = *bench.backend;
  Activations& a = bench.activations;
  const Layout& layout = courseNetwork().layout();
  const auto weight = [&](const char* name) { return bench.weights.data() + layout.find(name).offset; };
  const auto gradient = [&](const char* name) { return bench.gradients.data() + layout.find(name).offset; };
  for (auto _ : state) {
    switch (op) {
      case CnnOp::ConvForward:
        b.convReluPool(n, a.images.data(), weight("conv2d/kernel"), weight("conv2d/bias"), a.pooled.data(),
                       a.argmax.data());
        break;
      case CnnOp::DenseForward:
        b.dense(n, kPooledSize, kHidden, a.pooled.data(), weight("dense/kernel"), weight("dense/bias"), true,
                a.hidden.data());
        break;
      case CnnOp::LogitsForward:
        b.dense(n, kHidden, kClasses, a.hidden.data(), weight("dense_1/kernel"), weight("dense_1/bias"), false,
                a.logits.data());
        break;
      case CnnOp::Loss:
        b.softmaxCrossEntropy(n, a.logits.data(), a.labels.data(), 1, a.losses.data(), a.predictions.data(),
                              a.dLogits.data());
        break;
      case CnnOp::LogitsBackward:
        b.denseWeightGradient(n, kHidden, kClasses, a.hidden.data(), a.dLogits.data(), gradient("dense_1/kernel"));
        b.denseBiasGradient(n, kClasses, a.dLogits.data(), gradient("dense_1/bias"));
        b.denseInputGradient(n, kHidden, kClasses, a.dLogits.data(), weight("dense_1/kernel"), a.dHidden.data());
        b.reluBackward(n * kHidden, a.hidden.data(), a.dHidden.data());
        break;
      case CnnOp::DenseBackward:
        b.denseGradients(n, kPooledSize, kHidden, a.pooled.data(), a.dHidden.data(), weight("dense/kernel"),
                         gradient("dense/kernel"), a.pooled.data());
        b.denseBiasGradient(n, kHidden, a.dHidden.data(), gradient("dense/bias"));
        break;
      case CnnOp::ConvBackward:
        b.convReluPoolBackward(n, a.images.data(), a.argmax.data(), a.pooled.data(), a.pooled.data(),
                               gradient("conv2d/kernel"), gradient("conv2d/bias"));
        break;
    }
  }
  setRate(state, "flop/s", costOf(op, n).flop);
  setRate(state, "B/s", costOf(op, n).bytes);
}

// The two products of the dense layer's backward pass, separately.
enum class DenseProduct { Weights, Input };
void denseProduct(benchmark::State& state, const std::string& path, int threads, std::int64_t n, DenseProduct product) {
  Bench bench(path, threads, n);
  Activations& a = bench.activations;
  const std::int64_t kernel = courseNetwork().layout().find("dense/kernel").offset;
  for (auto _ : state) {
    if (product == DenseProduct::Weights)
      bench.backend->denseWeightGradient(n, kPooledSize, kHidden, a.pooled.data(), a.dHidden.data(),
                                         bench.gradients.data() + kernel);
    else
      bench.backend->denseInputGradient(n, kPooledSize, kHidden, a.dHidden.data(), bench.weights.data() + kernel,
                                        a.pooled.data());
  }
  setRate(state, "flop/s", 2.0 * static_cast<double>(n * kPooledSize * kHidden));
}

// Passes over one model's flat memory; `bytes` per element, read and written.
enum class FlatPass { Adam, Sgd, Add, Copy, Bfloat16, Identical };
void flatPass(benchmark::State& state, const std::string& path, int threads, FlatPass pass, double bytes) {
  Bench bench(path, threads, 1);
  Backend& b = *bench.backend;
  const std::int64_t size = bench.weights.size();
  for (auto _ : state) {
    switch (pass) {
      case FlatPass::Adam:
        bench.update();
        break;
      case FlatPass::Sgd:
        b.sgd(size, 1e-9F, 0, bench.gradients.data(), nullptr, bench.weights.data());
        break;
      case FlatPass::Add:
        b.add(size, bench.gradients.data(), bench.m.data());
        break;
      case FlatPass::Copy:
        b.copy(size, bench.weights.data(), bench.m.data());
        break;
      case FlatPass::Bfloat16:
        b.roundToBfloat16(size, bench.weights.data(), bench.m.data());
        break;
      case FlatPass::Identical:
        benchmark::DoNotOptimize(b.identical(size, bench.weights.data(), bench.weights.data()));
        break;
    }
  }
  setRate(state, "B/s", bytes * static_cast<double>(size));
}

void registerAll() {
  benchmark::RegisterBenchmark("reference/1 threads/step 64", wholeSteps, "reference", 1, 64)
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
  const int cores = processorCount();
  for (const std::string& path : cpuIsas()) {
    for (const int threads : cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1}) {
      const std::string where = path + "/" + std::to_string(threads) + " threads/";
      const auto add = [&](const std::string& name, auto function, auto... arguments) {
        benchmark::RegisterBenchmark((where + name).c_str(), function, path, threads, arguments...)
            ->UseRealTime()
            ->Unit(benchmark::kMicrosecond);
      };
      for (std::int64_t n = 32; n <= 4096; n *= 2) add("step " + std::to_string(n), wholeSteps, n);
      for (int op = 0; op < kCnnOps; ++op) {
        const auto operation = static_cast<CnnOp>(op);
        for (const std::int64_t n : {64, 1024}) {
          add(nameOf(operation) + " " + std::to_string(n), oneOperation, n, operation);
        }
      }
      for (const std::int64_t n : {64, 1024}) {
        add("dense weight gradient " + std::to_string(n), denseProduct, n, DenseProduct::Weights);
        add("dense input gradient " + std::to_string(n), denseProduct, n, DenseProduct::Input);
      }
      add("adam", flatPass, FlatPass::Adam, 28.0);
      add("sgd", flatPass, FlatPass::Sgd, 12.0);
      add("add", flatPass, FlatPass::Add, 12.0);
      add("copy", flatPass, FlatPass::Copy, 8.0);
      add("bfloat16", flatPass, FlatPass::Bfloat16, 8.0);
      add("identical", flatPass, FlatPass::Identical, 8.0);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  flushDenormals();
  for (int threads = 1; threads <= processorCount(); threads *= 2) {
    ThreadPool pool(threads);
    const MachinePeak peak = measureMachinePeak(pool);
    benchmark::AddCustomContext(
        "peak of " + std::to_string(threads) + " threads",
        std::to_string(peak.multiplyAddGflops) + " GFLOP/s, " + std::to_string(peak.memoryGbPerSec()) + " GB/s");
  }
  registerAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
