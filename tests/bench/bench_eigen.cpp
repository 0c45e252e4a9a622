// SPDX-License-Identifier: GPL-3.0-or-later
// The dense layer's three products and the convolution, by our kernels and by Eigen, on one thread: shows why the
// hand-written ones stay. Eigen is compiled for the building machine (-march=native), with its blocked products. Pairs
// run in turn, so that a busy machine disturbs both equally.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "core/base/rng.h"
#include "core/device/backend.h"

using namespace lab;

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix uniform(std::int64_t rows, std::int64_t columns) {
  Rng rng(1);
  return Matrix::NullaryExpr(rows, columns, [&rng] { return static_cast<float>(2 * rng.uniform() - 1); });
}

// x (n, 5408), w (5408, 64), y (n, 64)
struct Dense {
  explicit Dense(std::int64_t examples) : n(examples) {}
  std::int64_t n;
  Matrix x = uniform(n, kPooledSize), w = uniform(kPooledSize, kHidden), y = uniform(n, kHidden);
  Matrix bias = uniform(1, kHidden);
};

enum class Product { Forward, WeightGradient, InputGradient };
constexpr const char* kProductNames[]{"forward", "weight gradient", "input gradient"};

void ours(Backend& backend, Product product, Dense& d) {
  switch (product) {
    case Product::Forward:
      return backend.dense(d.n, kPooledSize, kHidden, d.x.data(), d.w.data(), d.bias.data(), true, d.y.data());
    case Product::WeightGradient:
      return backend.denseWeightGradient(d.n, kPooledSize, kHidden, d.x.data(), d.y.data(), d.w.data());
    case Product::InputGradient:
      return backend.denseInputGradient(d.n, kPooledSize, kHidden, d.y.data(), d.w.data(), d.x.data());
  }
}

void eigens(Product product, Dense& d) {
  switch (product) {
    case Product::Forward:
      d.y.noalias() = d.x * d.w;
      d.y = (d.y.rowwise() + d.bias.row(0)).cwiseMax(0);
      return;
    case Product::WeightGradient:
      d.w.noalias() = d.x.transpose() * d.y;
      return;
    case Product::InputGradient:
      d.x.noalias() = d.y * d.w.transpose();
      return;
  }
}

// The map of all images from patches that are already in memory: less work than Eigen would have, because this neither
// gathers the patches nor pools.
void convolution(const Matrix& patches, const Matrix& kernel, Matrix& map) {
  map.noalias() = patches * kernel;
}

void rate(benchmark::State& state, double flop) {
  state.counters["flop/s"] =
      benchmark::Counter(flop * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void addPair(const std::string& name, auto first, auto second, double flop) {
  const auto add = [&](const std::string& whose, auto body) {
    benchmark::RegisterBenchmark((name + "/" + whose).c_str(), [body, flop](benchmark::State& state) {
      for (auto _ : state) body();
      rate(state, flop);
    })->Unit(benchmark::kMicrosecond);
  };
  add("ours", first);
  add("eigen", second);
}

}  // namespace

int main(int argc, char** argv) {
  ThreadPool pool(1);
  const std::unique_ptr<Backend> backend = makeCpuBackend(pool);
  std::vector<std::unique_ptr<Dense>> layers;
  for (const std::int64_t n : {64, 1024}) {
    Dense& layer = *layers.emplace_back(std::make_unique<Dense>(n));
    for (const Product product : {Product::Forward, Product::WeightGradient, Product::InputGradient})
      addPair(
          "dense " + std::string(kProductNames[static_cast<int>(product)]) + " " + std::to_string(n),
          [&, product] { ours(*backend, product, layer); }, [&layer, product] { eigens(product, layer); },
          2.0 * static_cast<double>(n * kPooledSize * kHidden));
  }
  constexpr std::int64_t kImages = 64, kPlaces = 26 * 26, kTaps = kKernelSide * kKernelSide;
  Matrix images = uniform(kImages, kImageSize), kernel = uniform(kTaps, kFilters), bias = uniform(1, kFilters);
  Matrix pooled(kImages, kPooledSize), patches = uniform(kImages * kPlaces, kTaps), map(kImages * kPlaces, kFilters);
  std::vector<std::uint8_t> argmax(static_cast<std::size_t>(kImages * kPooledSize));
  addPair(
      "convolution 64",
      [&] { backend->convReluPool(kImages, images.data(), kernel.data(), bias.data(), pooled.data(), argmax.data()); },
      [&] { convolution(patches, kernel, map); }, 2.0 * static_cast<double>(kImages * kPlaces * kTaps * kFilters));
  benchmark::AddCustomContext("our kernels", std::string(backend->name()));
  benchmark::AddCustomContext("Eigen", Eigen::SimdInstructionSetsInUse());
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
