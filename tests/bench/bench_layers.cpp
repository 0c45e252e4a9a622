// SPDX-License-Identifier: GPL-3.0-or-later
// Each convolution and dense layer of a network, forward, by its weights and by its input, on one thread and on all:
// how long, how many operations on paper and how many that are done (behind pooling and relu most of a gradient is
// zero), and the share of the peak in multiply-adds that these are. On what a batch of random images leaves behind.
//   bench_layers [NETWORK [BATCH [ISA]]]        NETWORK: cifar10, mlp or a file of model.to_json()
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/device/backend.h"
#include "core/device/layer_backend.h"
#include "core/device/machine_peak.h"
#include "core/keras/keras_json.h"
#include "core/model/neural_network.h"

using namespace lab;

namespace {

using Kind = NetworkLayer::Kind;
using Floats = AlignedBuffer<float>;

std::int64_t elements(const std::vector<std::int64_t>& shape) {
  std::int64_t size = 1;
  for (const std::int64_t extent : shape) size *= extent;
  return size;
}

// Microseconds: the least of at least 20 times, within a quarter of a second or so.
double least(const std::function<void()>& body) {
  using Clock = std::chrono::steady_clock;
  body();
  double best = 1e12;
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < 20 || Clock::now() - begin < std::chrono::milliseconds(250); ++i) {
    const Clock::time_point before = Clock::now();
    body();
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - before).count());
  }
  return best;
}

// One layer with operations of its own (a convolution with the pooling behind it, or a dense layer), and what it reads.
struct Stage {
  std::string name;
  bool convolves = false, pools = false;  // pools: 2×2, in the same operation
  bool relu = false;
  LayerWindow window;
  std::int64_t n = 0, in = 0, units = 0, out = 0;  // floats of an example; of what the stage gives
  const float* x = nullptr;
  Floats kernel, bias, y, dy, dKernel, dx;
  AlignedBuffer<std::uint8_t> winners;

  double paperFlop() const {
    const std::int64_t places = convolves ? window.places() : 1, taps = convolves ? window.taps() : in;
    return 2.0 * static_cast<double>(n * places * taps * units);
  }
  // Forward: of places in no pooled cell nothing. Backward: what is zero costs nothing, but in a dense weight gradient.
  double doneFlop(bool backward, bool byWeights) const {
    if (!convolves || (byWeights && !pools)) return paperFlop();
    const auto every = static_cast<double>(window.taps()) * 2;
    if (!backward) return pools ? every * 4 * static_cast<double>(n * out) : paperFlop();
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n * out; ++i)
      count += pools ? (winners[i] != kNoGradient ? 1 : 0) : (dy[i] != 0 ? 1 : 0);
    return every * static_cast<double>(count);
  }
};

class Bench {
 public:
  Bench(const NeuralNetwork& network, std::int64_t n, int threads, const std::string& isa)
      : pool_(threads), backend_(isa.empty() ? makeCpuBackend(pool_) : makeCpuBackend(pool_, isa)), n_(n) {
    images_ = random(n * network.inputSize(), 0, 1);
    const float* x = images_.data();
    for (std::size_t i = 0; i < network.layers().size(); ++i) {
      const NetworkLayer& layer = network.layers()[i];
      if (layer.kind == Kind::Conv2D || layer.kind == Kind::Dense) {
        add(network, i, x);
        x = stages_.back()->y.data();
      } else if (layer.kind == Kind::MaxPool2D && !stages_.empty() && !stages_.back()->pools) {
        x = pooled(layer, network.inputOf(i), x);
      }  // what else there is does not change how long these take
    }
  }

  void show(double peakGflops) {
    std::printf("%-12s %-16s %10s %12s %12s %10s %10s\n", "layer", "pass", "µs", "MFLOP paper", "MFLOP done", "GFLOP/s",
                "of peak");
    double sum = 0, paper = 0, done = 0;
    const auto row = [&](const Stage& stage, const char* pass, const std::function<void()>& body) {
      const bool backward = *pass != 'f', byWeights = *pass == 'w';
      const double us = least(body), flop = stage.doneFlop(backward, byWeights);
      std::printf("%-12s %-16s %10.1f %12.1f %12.1f %10.1f %8.1f %%\n", stage.name.c_str(), pass, us,
                  stage.paperFlop() / 1e6, flop / 1e6, flop / us / 1e3, 100 * flop / us / 1e3 / peakGflops);
      sum += us, paper += stage.paperFlop(), done += flop;
    };
    for (const auto& stage : stages_) row(*stage, "forward", [&] { forward(*stage); });
    for (const auto& stage : stages_) {
      row(*stage, "weight gradient", [&] { weightGradient(*stage); });
      if (stage != stages_.front()) row(*stage, "input gradient", [&] { inputGradient(*stage); });
    }
    std::printf("%-29s %10.1f %12.1f %12.1f %10.1f %8.1f %%\n\n", "all", sum, paper / 1e6, done / 1e6, done / sum / 1e3,
                100 * done / sum / 1e3 / peakGflops);
  }

 private:
  static Floats random(std::int64_t size, double from, double to) {
    Floats values(size);
    Rng rng(static_cast<std::uint64_t>(size));
    for (float& value : values.span()) value = static_cast<float>(from + (to - from) * rng.uniform());
    return values;
  }

  void add(const NeuralNetwork& network, std::size_t i, const float* x) {
    const NetworkLayer& layer = network.layers()[i];
    auto stage = std::make_unique<Stage>();
    stage->name = layer.name;
    stage->convolves = layer.kind == Kind::Conv2D;
    stage->relu = layer.relu;
    stage->n = n_;
    stage->x = x;
    stage->in = elements(network.inputOf(i));
    stage->units = layer.units;
    stage->out = elements(layer.output);
    std::int64_t taps = stage->in;
    if (stage->convolves) {
      stage->window = windowOf(layer, network.inputOf(i));
      taps = stage->window.taps();
      const NetworkLayer& next = network.layers()[i + 1];
      stage->pools = next.kind == Kind::MaxPool2D && next.side == 2 && next.strideX == 2 && !next.same &&
                     backend_->layers()->fusesPooling(stage->window, layer.units);
      if (stage->pools) stage->out = elements(next.output);
    }
    const double limit = std::sqrt(3.0 / static_cast<double>(taps));
    stage->kernel = random(taps * layer.units, -limit, limit);
    stage->dKernel = Floats(taps * layer.units);
    stage->bias = Floats(layer.units);
    stage->y = Floats(n_ * stage->out);
    stage->dy = random(n_ * stage->out, -1, 1);
    stage->dx = Floats(n_ * stage->in);
    stage->winners = AlignedBuffer<std::uint8_t>(stage->pools ? n_ * stage->out : 0);
    forward(*stage);
    if (stage->relu && !stage->pools) backend_->reluBackward(n_ * stage->out, stage->y.data(), stage->dy.data());
    stages_.push_back(std::move(stage));
  }

  const float* pooled(const NetworkLayer& layer, const std::vector<std::int64_t>& input, const float* x) {
    Floats& y = between_.emplace_back(n_ * elements(layer.output));
    AlignedBuffer<std::uint16_t> winners(y.size());
    backend_->layers()->maxPool(n_, windowOf(layer, input), x, y.data(), winners.data());
    return y.data();
  }

  void forward(Stage& s) {
    if (s.pools)
      backend_->layers()->conv2dPool(n_, s.window, s.units, s.x, s.kernel.data(), s.bias.data(), s.relu, s.y.data(),
                                     s.winners.data());
    else if (s.convolves)
      backend_->layers()->conv2d(n_, s.window, s.units, s.x, s.kernel.data(), s.bias.data(), s.relu, s.y.data());
    else
      backend_->dense(n_, s.in, s.units, s.x, s.kernel.data(), s.bias.data(), s.relu, s.y.data());
  }
  void weightGradient(Stage& s) {
    if (s.pools)
      backend_->layers()->conv2dPoolBackward(n_, s.window, s.units, s.x, s.kernel.data(), s.winners.data(), s.dy.data(),
                                             s.dy.data(), s.dKernel.data(), nullptr, nullptr);
    else if (s.convolves)
      backend_->layers()->conv2dKernelGradient(n_, s.window, s.units, s.x, s.dy.data(), s.dKernel.data());
    else
      backend_->denseWeightGradient(n_, s.in, s.units, s.x, s.dy.data(), s.dKernel.data());
  }
  void inputGradient(Stage& s) {
    if (s.pools)
      backend_->layers()->conv2dPoolBackward(n_, s.window, s.units, s.x, s.kernel.data(), s.winners.data(), s.dy.data(),
                                             s.dy.data(), nullptr, nullptr, s.dx.data());
    else if (s.convolves)
      backend_->layers()->conv2dInputGradient(n_, s.window, s.units, s.dy.data(), s.kernel.data(), s.dx.data());
    else
      backend_->denseInputGradient(n_, s.in, s.units, s.dy.data(), s.kernel.data(), s.dx.data());
  }

  ThreadPool pool_;
  std::unique_ptr<Backend> backend_;
  std::int64_t n_;
  Floats images_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<Floats> between_;
};

NeuralNetwork networkIn(const std::string& file) {
  std::ifstream in(file);
  return parseKerasJson(std::string(std::istreambuf_iterator<char>(in), {}), file, file);
}

void run(const std::string& name, std::int64_t n, const std::string& isa) {
  flushDenormals();
  std::unique_ptr<NeuralNetwork> file;
  if (name != "cifar10" && name != "mlp") file = std::make_unique<NeuralNetwork>(networkIn(name));
  const NeuralNetwork& network = file ? *file : name == "mlp" ? mlpNetwork() : cifar10Network();
  const int cores = processorCount();
  for (const int threads : cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1}) {
    double peak = 0;
    {
      ThreadPool pool(threads);
      peak = measureMachinePeak(pool).multiplyAddGflops;
    }
    Bench bench(network, n, threads, isa);
    std::printf("%s, %lld images, %d thread%s, peak %.1f GFLOP/s\n", name.c_str(), static_cast<long long>(n), threads,
                threads == 1 ? "" : "s", peak);
    bench.show(peak);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "cifar10", argc > 2 ? std::atoll(argv[2]) : 64, argc > 3 ? argv[3] : "");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
