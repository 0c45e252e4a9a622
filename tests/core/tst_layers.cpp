// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of any size: each operation on each instruction path against the obvious loops, those loops and whole networks
// against finite differences, the same bits for any number of threads, and what is refused with which message.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/device/backend.h"
#include "core/device/layer_backend.h"
#include "core/keras/keras_json.h"
#include "core/keras/keras_order.h"
#include "core/model/cnn.h"
#include "core/model/known_networks.h"
#include "core/model/layer_pass.h"
#include "core/model/messages.h"
#include "core/model/model_presets.h"
#include "core/model/network_profile.h"
#include "core/model/network_text.h"
#include "core/selftest/reference.h"
#include "tests/support/refusal.h"

using namespace lab;
using namespace lab::test;

namespace {

using Floats = std::vector<float>;
using Kind = NetworkLayer::Kind;
using Layers = std::vector<NetworkLayer>;

Floats randomFloats(Rng& rng, std::int64_t size) {
  Floats values(static_cast<std::size_t>(size));
  for (float& value : values) value = static_cast<float>(2 * rng.uniform() - 1);
  return values;
}

bool near(const Floats& a, const Floats& b, double tolerance) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, static_cast<double>(std::abs(a[i] - b[i])));
  return a.size() == b.size() && worst <= tolerance;
}

// Windows of all shapes: even and odd, with strides and padding, and larger than the image if it is padded.
std::vector<LayerWindow> windows() {
  std::vector<LayerWindow> all;
  for (const std::vector<std::int64_t>& input : {std::vector<std::int64_t>{7, 9, 1}, {8, 8, 3}, {5, 6, 17}, {2, 2, 4}})
    for (const auto& [height, width] : {std::pair{1, 1}, {3, 3}, {2, 4}, {5, 3}})
      for (const auto& [y, x] : {std::pair{1, 1}, {2, 2}, {1, 3}})
        for (const bool same : {false, true}) {
          NetworkLayer layer{.kind = Kind::Conv2D, .units = 1, .side = height, .width = width};
          layer.strideY = y;
          layer.strideX = x;
          layer.same = same;
          const LayerWindow window = windowOf(layer, input);
          if (window.outHeight > 0 && window.outWidth > 0) all.push_back(window);
        }
  return all;
}

struct Results {
  Floats conv, dKernel, dInput, bias, pooled, dPooled, mean, dMean, norm, dNorm;
  Floats depthwise, dDepthwise, dDepthwiseInput, rowNorm, dRowNorm, dGamma, dBeta, functions, placed, taken;
  std::vector<std::uint16_t> winners;
  std::vector<double> sums;
};

// Adds the other operations of graphs: `x` (n, H, W, C).
void addGraphOperations(LayerBackend& layers, const LayerWindow& w, std::int64_t n, const Floats& x, Rng& rng,
                        Results& r) {
  constexpr std::int64_t kMultiplier = 3;
  const auto sized = [](std::int64_t size) { return Floats(static_cast<std::size_t>(size), 7.0F); };
  const std::int64_t out = w.channels * kMultiplier, in = n * w.inSize(), rows = n * w.inHeight * w.inWidth;
  const Floats kernel = randomFloats(rng, w.height * w.width * out), bias = randomFloats(rng, out),
               dy = randomFloats(rng, n * w.places() * out), dx = randomFloats(rng, in),
               gamma = randomFloats(rng, w.channels), beta = randomFloats(rng, w.channels);
  r.depthwise = sized(n * w.places() * out);
  layers.depthwise(n, w, kMultiplier, x.data(), kernel.data(), bias.data(), true, r.depthwise.data());
  r.dDepthwise = sized(w.height * w.width * out);
  layers.depthwiseKernelGradient(n, w, kMultiplier, x.data(), dy.data(), r.dDepthwise.data());
  r.dDepthwiseInput = sized(in);
  layers.depthwiseInputGradient(n, w, kMultiplier, dy.data(), kernel.data(), r.dDepthwiseInput.data());
  r.rowNorm = sized(in);
  layers.layerNorm(rows, w.channels, 0.1, x.data(), gamma.data(), beta.data(), r.rowNorm.data());
  r.dRowNorm = sized(in);
  r.dGamma = r.dBeta = sized(w.channels);
  layers.layerNormBackward(rows, w.channels, 0.1, x.data(), gamma.data(), dx.data(), r.dRowNorm.data(), r.dGamma.data(),
                           r.dBeta.data());
  for (const auto& [function, word] : kActivationWords) {
    Floats wide = x, y = sized(in), back = sized(in);
    for (float& value : wide) value *= 12;
    layers.activation(in, function, 0.3, wide.data(), y.data());
    layers.activationGradient(in, function, 0.3, wide.data(), dx.data(), back.data());
    r.functions.insert(r.functions.end(), y.begin(), y.end());
    r.functions.insert(r.functions.end(), back.begin(), back.end());
  }
  const LayerBlocks blocks{.images = n,
                           .rows = w.inHeight,
                           .count = w.inWidth * w.channels,
                           .image = (w.inHeight + 2) * (w.inWidth * w.channels + 5),
                           .row = w.inWidth * w.channels + 5,
                           .first = 4};
  r.placed = sized(n * blocks.image + 5);
  layers.placeBlocks(blocks, x.data(), r.placed.data());
  r.taken = sized(in);
  layers.takeBlocks(blocks, r.placed.data(), r.taken.data());
  layers.add(in, r.taken.data(), dx.data(), r.taken.data());
}

Results everything(LayerBackend& layers, const LayerWindow& w, std::int64_t n, std::int64_t filters) {
  Rng rng(static_cast<std::uint64_t>(w.taps() * 31 + w.places() + n));
  const std::int64_t in = n * w.inSize(), places = n * w.places();
  const Floats x = randomFloats(rng, in), kernel = randomFloats(rng, w.taps() * filters),
               bias = randomFloats(rng, filters), dy = randomFloats(rng, places * filters),
               dp = randomFloats(rng, places * w.channels);
  const auto sized = [](std::int64_t size) { return Floats(static_cast<std::size_t>(size), 7.0F); };
  Results r;
  r.conv = sized(places * filters);
  layers.conv2d(n, w, filters, x.data(), kernel.data(), bias.data(), true, r.conv.data());
  r.dKernel = sized(w.taps() * filters);
  layers.conv2dKernelGradient(n, w, filters, x.data(), dy.data(), r.dKernel.data());
  r.dInput = sized(in);
  layers.conv2dInputGradient(n, w, filters, dy.data(), kernel.data(), r.dInput.data());
  r.bias = sized(filters);
  layers.biasGradient(places, filters, dy.data(), r.bias.data());
  r.pooled = sized(places * w.channels);
  r.winners.assign(r.pooled.size(), 9);
  layers.maxPool(n, w, x.data(), r.pooled.data(), r.winners.data());
  r.dPooled = sized(in);
  layers.maxPoolBackward(n, w, r.winners.data(), dp.data(), r.dPooled.data());
  r.mean = sized(places * w.channels);
  layers.averagePool(n, w, x.data(), r.mean.data());
  r.dMean = sized(in);
  layers.averagePoolBackward(n, w, dp.data(), r.dMean.data());
  std::vector<ChannelSums> sums(static_cast<std::size_t>(w.channels));
  layers.sums(n * w.inHeight * w.inWidth, w.channels, x.data(), sums.data());
  for (const ChannelSums& sum : sums) r.sums.insert(r.sums.end(), {sum.first, sum.second});
  const std::vector<double> center(sums.size(), 0.25);
  layers.gradientSums(n * w.inHeight * w.inWidth, w.channels, x.data(), x.data(), center.data(), sums.data());
  for (const ChannelSums& sum : sums) r.sums.insert(r.sums.end(), {sum.first, sum.second});
  addGraphOperations(layers, w, n, x, rng, r);
  return r;
}

// A convolution, relu if asked, and 2×2 max pooling, forward and backward: fused, or one after the other.
struct PooledResults {
  Floats pooled, dKernel, dBias, dInput;
};

LayerWindow poolOf(const LayerWindow& w, std::int64_t filters) {
  return {.inHeight = w.outHeight,
          .inWidth = w.outWidth,
          .channels = filters,
          .height = 2,
          .width = 2,
          .strideY = 2,
          .strideX = 2,
          .outHeight = w.outHeight / 2,
          .outWidth = w.outWidth / 2};
}

PooledResults pooledAtOnce(LayerBackend& layers, Backend& backend, const LayerWindow& w, std::int64_t n,
                           std::int64_t filters, bool relu, bool atOnce) {
  Rng rng(static_cast<std::uint64_t>(w.taps() * 7 + w.places() + n));
  const LayerWindow pool = poolOf(w, filters);
  const std::int64_t out = n * pool.places() * filters, map = n * w.places() * filters;
  const Floats x = randomFloats(rng, n * w.inSize()), kernel = randomFloats(rng, w.taps() * filters),
               bias = randomFloats(rng, filters), dy = randomFloats(rng, out);
  const auto sized = [](std::int64_t size) { return Floats(static_cast<std::size_t>(size), 7.0F); };
  PooledResults r{sized(out), sized(w.taps() * filters), sized(filters), sized(n * w.inSize())};
  if (atOnce) {
    std::vector<std::uint8_t> winners(static_cast<std::size_t>(out), 9);
    layers.conv2dPool(n, w, filters, x.data(), kernel.data(), bias.data(), relu, r.pooled.data(), winners.data());
    layers.conv2dPoolBackward(n, w, filters, x.data(), kernel.data(), winners.data(), dy.data(), dy.data(),
                              r.dKernel.data(), r.dBias.data(), r.dInput.data());
    return r;
  }
  Floats convolved = sized(map), back = sized(map);
  std::vector<std::uint16_t> winners(static_cast<std::size_t>(out), 9);
  layers.conv2d(n, w, filters, x.data(), kernel.data(), bias.data(), relu, convolved.data());
  layers.maxPool(n, pool, convolved.data(), r.pooled.data(), winners.data());
  layers.maxPoolBackward(n, pool, winners.data(), dy.data(), back.data());
  if (relu) backend.reluBackward(map, convolved.data(), back.data());
  layers.conv2dKernelGradient(n, w, filters, x.data(), back.data(), r.dKernel.data());
  layers.biasGradient(n * w.places(), filters, back.data(), r.dBias.data());
  layers.conv2dInputGradient(n, w, filters, back.data(), kernel.data(), r.dInput.data());
  return r;
}

// A network with the buffers that it computes on.
struct Trial {
  const NeuralNetwork network;
  std::int64_t n;
  AlignedBuffer<float> weights, gradients, statistics;
  Activations activations;
  ThreadPool pool;
  std::unique_ptr<Backend> backend;

  Trial(std::vector<std::int64_t> input, Layers layers, std::int64_t examples, const char* path = nullptr,
        int threads = 1, Precision precision = Precision::Float32)
      : network("trial", std::move(input), std::move(layers)),
        n(examples),
        weights(network.layout().size()),
        gradients(network.layout().size()),
        statistics(network.statistics().size()),
        pool(threads),
        backend(path == nullptr ? makeReferenceBackend() : makeCpuBackend(pool, path)) {
    network.initialize(5, weights.span());
    network.initializeStatistics(statistics.span());
    Rng rng(17);
    for (float& weight : weights.span()) weight += static_cast<float>(0.1 * rng.uniform());
    activations.reserve(network, n, precision);
    for (float& pixel : activations.images.span()) pixel = static_cast<float>(rng.uniform());
    for (std::uint8_t& label : activations.labels.span()) label = static_cast<std::uint8_t>(rng.below(kClasses));
  }

  PassOf of(bool training = true) {
    return {.examples = n,
            .scale = 1,
            .weights = weights.data(),
            .statistics = statistics.data(),
            .training = training,
            .movesStatistics = false,
            .seed = 3,
            .step = 4};
  }
  double loss(const PassOf& pass, Precision precision = Precision::Float32) {
    LayerPass run(*backend, network, precision, pass, activations, gradients.data());
    while (!run.run()) {
    }
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += static_cast<double>(activations.losses[i]);
    return sum;
  }
};

NetworkLayer conv(const char* name, std::int64_t units, std::int64_t side, bool relu = true) {
  return {.kind = Kind::Conv2D, .name = name, .units = units, .side = side, .relu = relu};
}
NetworkLayer dense(const char* name, std::int64_t units, bool relu = false) {
  return {.kind = Kind::Dense, .name = name, .units = units, .relu = relu};
}
NetworkLayer plain(Kind kind, const char* name, std::int64_t side = 0) {
  return {.kind = kind, .name = name, .side = side};
}

// Each kind of layer before, after and between others.
std::map<std::string, Layers> networks() {
  std::map<std::string, Layers> all;
  all["two convolutions, same and strided"] = {conv("a", 4, 3, false), conv("b", 3, 3, false),
                                               plain(Kind::Flatten, "f"), dense("d", 10)};
  all["two convolutions, same and strided"][0].same = true;
  all["two convolutions, same and strided"][1].strideY = 2;
  all["relu, max pooling that overlaps"] = {conv("a", 4, 3), plain(Kind::MaxPool2D, "p", 3), plain(Kind::Flatten, "f"),
                                            dense("h", 8, true), dense("d", 10)};
  all["relu, max pooling that overlaps"][1].strideY = all["relu, max pooling that overlaps"][1].strideX = 2;
  all["average pooling, padded, no biases"] = {conv("a", 4, 2), plain(Kind::AveragePool2D, "p", 2),
                                               plain(Kind::Flatten, "f"), dense("d", 10)};
  all["average pooling, padded, no biases"][1].same = true;
  all["average pooling, padded, no biases"][0].bias = all["average pooling, padded, no biases"][3].bias = false;
  all["dropout"] = {plain(Kind::Flatten, "f"), dense("h", 12, true), plain(Kind::Dropout, "o"), dense("d", 10)};
  all["dropout"][2].rate = 0.4;
  // No relu: finite differences would meet a kink right after a normalisation too often.
  all["batch normalisation"] = {conv("a", 4, 3, false),
                                plain(Kind::BatchNorm, "n"),
                                plain(Kind::AveragePool2D, "p", 2),
                                plain(Kind::Flatten, "f"),
                                dense("h", 8, false),
                                plain(Kind::BatchNorm, "m"),
                                dense("d", 10)};
  all["relu by itself"] = {conv("a", 4, 3, false),
                           {.kind = Kind::Activation, .name = "r", .relu = true},
                           plain(Kind::Flatten, "f"),
                           dense("d", 10)};
  all["batch normalisation"][5].scaled = false;
  all["first of all"] = {plain(Kind::BatchNorm, "n"), plain(Kind::AveragePool2D, "p", 2), plain(Kind::Flatten, "f"),
                         dense("d", 10)};
  all["pooled at once"] = {conv("a", 16, 3),          plain(Kind::MaxPool2D, "p", 2),
                           conv("b", 32, 2),          plain(Kind::MaxPool2D, "q", 2),
                           plain(Kind::Flatten, "f"), dense("d", 10)};
  all["pooled at once"][0].same = true;
  all["softmax at the end"] = {plain(Kind::Flatten, "f"), dense("d", 10)};
  all["softmax at the end"][1].softmax = true;
  return all;
}

// Networks whose layers read others than the one before them.
std::map<std::string, Layers> graphs() {
  std::map<std::string, Layers> all;
  const auto reads = [](NetworkLayer layer, std::vector<int> inputs) {
    layer.inputs = std::move(inputs);
    return layer;
  };
  const auto same = [](NetworkLayer layer) {
    layer.same = true;
    return layer;
  };
  const Layers head{plain(Kind::AveragePool2D, "p", 3), plain(Kind::Flatten, "f"), dense("d", 10)};
  const auto with = [&](Layers layers) {
    layers.insert(layers.end(), head.begin(), head.end());
    return layers;
  };
  all["residual"] =
      with({same(conv("a", 4, 3, false)), same(conv("b", 4, 3, false)), reads(plain(Kind::Add, "s"), {1, 0}),
            same(conv("c", 4, 3, false)), reads(plain(Kind::Add, "t"), {2, 3})});
  all["residual with a projection and relu"] = with({same(conv("a", 4, 3)),
                                                     same(conv("b", 6, 3)),
                                                     reads(same(conv("c", 6, 1, false)), {0}),
                                                     reads(plain(Kind::Add, "s"), {1, 2}),
                                                     {.kind = Kind::Activation, .name = "r", .relu = true}});
  all["residual with batch normalisation"] =
      with({same(conv("a", 4, 3, false)), plain(Kind::BatchNorm, "n"), same(conv("b", 4, 3, false)),
            plain(Kind::BatchNorm, "m"), reads(plain(Kind::Add, "s"), {3, 1})});
  all["one output read three times"] =
      with({same(conv("a", 4, 3, false)), same(conv("b", 4, 3, false)), reads(same(conv("c", 4, 1, false)), {0}),
            reads(plain(Kind::Add, "s"), {0, 1, 2})});
  all["added to itself"] = with({conv("a", 4, 3, false), reads(plain(Kind::Add, "s"), {0, 0})});
  all["the input read twice"] =
      with({same(conv("a", 2, 3, false)), reads(plain(Kind::Add, "s"), {0, -1}),
            reads(same(conv("b", 3, 3, false)), {-1}), reads(plain(Kind::Concatenate, "c"), {1, 2})});
  all["concatenated"] =
      with({same(conv("a", 4, 3, false)), same(conv("b", 3, 3, false)), reads(same(conv("c", 5, 1, false)), {0}),
            reads(plain(Kind::Concatenate, "s"), {2, 0, 1})});
  all["pooled at once beside another reader"] = {conv("a", 16, 3),
                                                 reads(plain(Kind::MaxPool2D, "p", 2), {0}),
                                                 plain(Kind::Flatten, "f"),
                                                 dense("h", 5),
                                                 reads(plain(Kind::Flatten, "g"), {0}),
                                                 dense("k", 5),
                                                 reads(plain(Kind::Concatenate, "c"), {3, 5}),
                                                 dense("d", 10)};
  all["padded with zeros"] = with({conv("a", 4, 2, false), plain(Kind::ZeroPadding2D, "z"), conv("b", 3, 3, false)});
  all["padded with zeros"][1].margins = {1, 2, 0, 3};
  all["global average"] = {conv("a", 4, 3, false), plain(Kind::GlobalAveragePool2D, "g"), dense("d", 10)};
  all["global maximum"] = {conv("a", 4, 3, false), plain(Kind::GlobalMaxPool2D, "g"), dense("d", 10)};
  all["depthwise"] = with({conv("a", 4, 2, false), plain(Kind::DepthwiseConv2D, "w", 3)});
  all["depthwise"][1].units = 2;
  all["depthwise"][1].same = true;
  all["layer normalisation"] = with({conv("a", 5, 3, false), plain(Kind::LayerNorm, "n"), conv("b", 4, 2, false)});
  for (const auto& [function, word] : kActivationWords) {
    const std::string name(word);
    all[name] = with({conv("a", 4, 3, false), plain(Kind::Activation, "c")});
    all[name][1].function = function;
    if (function == ActivationFunction::LeakyRelu) all[name][1].slope = 0.7;
  }
  return all;
}

std::map<std::string, Layers> allNetworks() {
  std::map<std::string, Layers> all = networks();
  all.merge(graphs());
  return all;
}

const std::vector<std::int64_t> kInput{9, 8, 2};

// The refusal of a network's text in which `instead` stands for the first `what`.
QString refusalWith(std::string text, const std::string& what, const std::string& instead) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) return "not there";
  return refusal([&] { (void)parseKerasJson(text.replace(at, what.size(), instead), "n", "model.json"); });
}

}  // namespace

class TestLayers : public QObject {
  Q_OBJECT

 private slots:
  void fastAgreesWithObvious() {
    for (const std::string& path : cpuIsas())
      for (const LayerWindow& w : windows())
        for (const std::int64_t n : {0, 1, 5, 19}) {
          ThreadPool pool(2);
          const auto obvious = makeReferenceBackend(), fast = makeCpuBackend(pool, path);
          const Results a = everything(*obvious->layers(), w, n, 6), b = everything(*fast->layers(), w, n, 6);
          const double most = 2e-6 * static_cast<double>(w.taps() + n * w.places() + 10);
          QVERIFY(near(a.conv, b.conv, most) && near(a.dKernel, b.dKernel, most) && near(a.dInput, b.dInput, most));
          QVERIFY(near(a.bias, b.bias, most) && near(a.pooled, b.pooled, 0) && near(a.dPooled, b.dPooled, 1e-6));
          QVERIFY(a.winners == b.winners && near(a.mean, b.mean, 1e-6) && near(a.dMean, b.dMean, 1e-5));
          QVERIFY(near(a.depthwise, b.depthwise, most) && near(a.dDepthwise, b.dDepthwise, most));
          QVERIFY(near(a.dDepthwiseInput, b.dDepthwiseInput, 6 * most) && near(a.rowNorm, b.rowNorm, 1e-6));
          QVERIFY(near(a.dRowNorm, b.dRowNorm, 2e-6) && near(a.dGamma, b.dGamma, most) && near(a.dBeta, b.dBeta, most));
          QVERIFY(near(a.functions, b.functions, 2e-6) && near(a.placed, b.placed, 0) && near(a.taken, b.taken, 0));
          for (std::size_t i = 0; i < a.sums.size(); ++i) QVERIFY(std::abs(a.sums[i] - b.sums[i]) < 1e-9);
        }
  }

  // A black window gives exactly 0 while the biases are 0. TensorFlow then takes LeakyReLU's slope, and 0 for ReLU6.
  void kinksHaveTheDerivativeOfTheirLeftSide() {
    ThreadPool pool(1);
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(makeReferenceBackend());
    for (const std::string& path : cpuIsas()) backends.push_back(makeCpuBackend(pool, path));
    const Floats x{-1, 0, 1}, dy{1, 1, 1};
    for (const auto& backend : backends)
      for (const auto& [function, slope] :
           {std::pair{ActivationFunction::LeakyRelu, 0.25F}, {ActivationFunction::Relu6, 0.0F}}) {
        Floats y(3), dx(3);
        backend->layers()->activation(3, function, 0.25, x.data(), y.data());
        backend->layers()->activationGradient(3, function, 0.25, x.data(), dy.data(), dx.data());
        QVERIFY(near(y, {-slope, 0, 1}, 0) && near(dx, {slope, slope, 1}, 0));
      }
  }

  void poolingAtOnceIsPoolingAfterwards() {
    for (const std::string& path : cpuIsas())
      for (const LayerWindow& w : windows())
        for (const std::int64_t n : {0, 1, 19})
          for (const std::int64_t filters : {16, 48})
            for (const bool relu : {true, false}) {
              if (w.outHeight < 2 || w.outWidth < 2) continue;
              ThreadPool pool(2);
              const auto obvious = makeReferenceBackend(), fast = makeCpuBackend(pool, path);
              QVERIFY(fast->layers()->fusesPooling(w, filters) && !fast->layers()->fusesPooling(w, 12));
              const PooledResults a = pooledAtOnce(*obvious->layers(), *obvious, w, n, filters, relu, false),
                                  b = pooledAtOnce(*fast->layers(), *fast, w, n, filters, relu, true);
              const double most = 2e-6 * static_cast<double>(w.taps() + n * w.places() + filters);
              QVERIFY(near(a.pooled, b.pooled, most) && near(a.dKernel, b.dKernel, most));
              QVERIFY(near(a.dBias, b.dBias, most) && near(a.dInput, b.dInput, most));
            }
  }

  void threadsChangeNoBit() {
    for (const std::string& path : cpuIsas())
      for (const auto& [name, layers] : allNetworks()) {
        Trial one(kInput, layers, 37, path.c_str(), 1), three(kInput, layers, 37, path.c_str(), 3);
        (void)one.loss(one.of());
        (void)three.loss(three.of());
        QVERIFY2(std::memcmp(one.gradients.data(), three.gradients.data(),
                             static_cast<std::size_t>(one.gradients.bytes())) == 0,
                 name.c_str());
      }
  }

  // A row's loss does not depend on its place in the batch.
  void placesChangeNoBit() {
    for (const std::string& path : cpuIsas())
      for (const auto& [name, layers] : allNetworks()) {
        if (name == "dropout" || name.find("batch normalisation") != std::string::npos || name == "first of all")
          continue;
        Trial all(kInput, layers, 11, path.c_str()), last(kInput, layers, 1, path.c_str());
        (void)all.loss(all.of());
        const std::int64_t size = all.network.inputSize();
        std::copy_n(all.activations.images.data() + 10 * size, size, last.activations.images.data());
        last.activations.labels[0] = all.activations.labels[10];
        (void)last.loss(last.of());
        QCOMPARE(last.activations.losses[0], all.activations.losses[10]);
      }
  }

  void gradientsAreFiniteDifferences_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, layers] : allNetworks()) QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
  }
  void gradientsAreFiniteDifferences() {
    QFETCH(QString, name);
    Trial trial(kInput, allNetworks().at(name.toStdString()), 6);
    const PassOf pass = trial.of();
    const double at = trial.loss(pass);
    const Floats gradients(trial.gradients.data(), trial.gradients.data() + trial.gradients.size());
    const float largest = std::abs(*std::ranges::max_element(gradients, {}, [](float g) { return std::abs(g); }));
    const std::int64_t stride = std::max<std::int64_t>(1, trial.weights.size() / 150);
    int off = 0;
    for (std::int64_t i = 0; i < trial.weights.size(); i += stride) {
      constexpr float kStep = 2e-3F;
      const float was = trial.weights[i];
      trial.weights[i] = was + kStep;
      const double above = trial.loss(pass);
      trial.weights[i] = was - kStep;
      const double below = trial.loss(pass);
      trial.weights[i] = was;
      // The kink of a relu or a maximum may lie to one side: then the slope to the other side is the gradient. Only few
      // weights have kinks on both sides.
      const auto [least, most] = std::minmax({(at - below) / kStep, (above - at) / kStep});
      const double gradient = gradients[static_cast<std::size_t>(i)], slack = 4e-3 * largest;
      if (gradient < least - slack || gradient > most + slack) ++off;
    }
    QVERIFY2(off <= 3, qPrintable(QString("%1 gradients are not the slope").arg(off)));
  }

  void bfloat16IsCloseAndNotEqual() {
    Trial exact(kInput, networks().at("relu, max pooling that overlaps"), 9, "baseline");
    Trial rounded(kInput, networks().at("relu, max pooling that overlaps"), 9, "baseline", 1, Precision::Bfloat16);
    const double a = exact.loss(exact.of()), b = rounded.loss(rounded.of(), Precision::Bfloat16);
    QVERIFY(a != b && std::abs(a - b) < 2e-2 * a);
  }

  void dropoutIsOfTheGlobalBatch() {
    const DropoutMask mask{.seed = 1, .step = 2, .layer = 3, .rate = 0.25};
    DropoutMask later = mask;
    later.globalOffset = 5;
    int dropped = 0;
    for (std::int64_t unit = 0; unit < 4000; ++unit) {
      QCOMPARE(later.factor(0, unit), mask.factor(5, unit));
      QVERIFY(mask.factor(1, unit) == 0 || mask.factor(1, unit) == static_cast<float>(1 / 0.75));
      dropped += mask.factor(1, unit) == 0 ? 1 : 0;
    }
    QVERIFY(std::abs(dropped - 1000) < 120);
    DropoutMask other = mask;
    other.step = 3;
    bool differs = false;
    for (std::int64_t unit = 0; unit < 100; ++unit) differs = differs || other.factor(1, unit) != mask.factor(1, unit);
    QVERIFY(differs);
  }

  // For any network, the breakdown equals the size of the buffers.
  void memoryIsCounted() {
    for (const auto& [name, layers] : allNetworks())
      for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
        const NeuralNetwork network("trial", kInput, layers);
        Activations activations;
        activations.reserve(network, 13, precision);
        QCOMPARE(activationBytes(network, 13, precision), activations.bytes());
      }
  }

  void profilesAreThePresets() {
    const ModelProfile made = profileOf(courseNetwork()), preset = modelPreset("course-cnn");
    QCOMPARE(made.key, preset.key);
    QCOMPARE(made.name, preset.name);
    QCOMPARE(made.inputElements, preset.inputElements);
    QCOMPARE(made.layers.size(), preset.layers.size());
    for (std::size_t i = 0; i < made.layers.size(); ++i) {
      QCOMPARE(made.layers[i].name, preset.layers[i].name);
      QCOMPARE(made.layers[i].forwardMac, preset.layers[i].forwardMac);
      QCOMPARE(made.layers[i].activations, preset.layers[i].activations);
      QCOMPARE(made.layers[i].elementwisePasses, preset.layers[i].elementwisePasses);
      QCOMPARE(made.layers[i].fusedWith, -1);
      QCOMPARE(made.layers[i].tensors, preset.layers[i].tensors);
    }
    QCOMPARE(profileOf(cifar10Network()).parameters(), std::int64_t{122570});
    QCOMPARE(profileOf(mlpNetwork()).parameters(), std::int64_t{101770});
    QCOMPARE(profileOf(resnet20Network()).parameters(), std::int64_t{272474});
  }

  // The networks of published measurements are graphs like any other: Keras's text and the browsers' hold them.
  void presetsAreGraphs() {
    std::set<std::string> names;
    for (const KnownNetwork& known : timedNetworks()) {
      QVERIFY2(names.insert(known.name).second, known.name.c_str());
      const NeuralNetwork network = known.make();
      QCOMPARE(network.key(), known.key);
      QVERIFY(parseKerasJson(kerasJson(network), "again", "again") == network);
      QVERIFY(parseNetworkText(networkText(network), "again") == network);
      QCOMPARE(modelPreset(known.key).name, known.name);
      QCOMPARE(modelPreset(known.key).parameters(), network.layout().size());
      // A normalisation belongs to a product before it.
      const ModelProfile profile = profileOf(network);
      for (std::size_t i = 0; i < profile.layers.size(); ++i) {
        const int product = profile.layers[i].fusedWith;
        QCOMPARE(product >= 0, profile.layers[i].forwardMac == 0);
        QVERIFY(product < static_cast<int>(i));
        if (product >= 0) QVERIFY(profile.layers[static_cast<std::size_t>(product)].forwardMac > 0);
      }
    }
  }

  // What only the clock can take: more outputs than a label's byte can name, and grouped convolutions.
  void someAreOnlyTimed() {
    for (const KnownNetwork& known : timedNetworks()) {
      const NeuralNetwork network = known.make();
      const bool isTimed = network.classes() > 256 || known.key.starts_with("resnext");
      QCOMPARE(!network.whyNotTrained().empty(), isTimed);
      if (!isTimed) continue;
      Activations activations;
      QVERIFY_THROWS_EXCEPTION(UserError, activations.reserve(network, 1, Precision::Float32));
    }
    const NeuralNetwork grouped(
        "grouped", {4, 4, 6},
        {{.kind = NetworkLayer::Kind::Conv2D, .name = "conv2d", .units = 4, .side = 3, .groups = 2},
         {.kind = NetworkLayer::Kind::Flatten, .name = "flatten"},
         {.kind = NetworkLayer::Kind::Dense, .name = "dense", .units = 3}});
    QCOMPARE(grouped.layers()[0].parameters, std::int64_t{3 * 3 * 3 * 4 + 4});
    QCOMPARE(profileOf(grouped).layers[0].forwardMac, 3.0 * 3 * 3 * 4 * 2 * 2);
    QVERIFY(!grouped.whyNotTrained().empty());
    for (const std::int64_t groups : {4, 5, 0})  // do not divide 6 channels, or 4 filters
      QVERIFY_THROWS_EXCEPTION(
          UserError,
          (void)NeuralNetwork(
              "grouped", {4, 4, 6},
              {{.kind = NetworkLayer::Kind::Conv2D, .name = "conv2d", .units = 4, .side = 3, .groups = groups},
               {.kind = NetworkLayer::Kind::Flatten, .name = "flatten"},
               {.kind = NetworkLayer::Kind::Dense, .name = "dense", .units = 3}}));
  }

  void kerasTextGoesThereAndBack() {
    for (const NeuralNetwork* network : {&courseNetwork(), &cifar10Network(), &mlpNetwork(), &resnet20Network()}) {
      QVERIFY(parseKerasJson(kerasJson(*network), "again", "again") == *network);
      QVERIFY(inKerasOrder(*network).network == *network);
      QVERIFY(parseNetworkText(networkText(*network), "again") == *network);
    }
    QVERIFY(isCourseNetwork(parseKerasJson(kerasJson(courseNetwork()), "again", "again")));
    for (const auto& [name, layers] : allNetworks()) {
      const NeuralNetwork once = parseKerasJson(kerasJson(NeuralNetwork("n", kInput, layers)), "once", "once");
      QCOMPARE(once.layout().size(), NeuralNetwork("n", kInput, layers).layout().size());
      QVERIFY2(parseKerasJson(kerasJson(once), "twice", "twice") == once, name.c_str());
    }
  }

  void whatDoesNotFitIsSaid() {
    const auto made = [](Layers layers) { return refusal([&] { NeuralNetwork("n", {4, 4, 1}, layers); }); };
    // Errors in the connections between layers.
    const auto joined = [](const char* name, std::vector<int> inputs) {
      return NetworkLayer{.kind = Kind::Add, .name = name, .inputs = std::move(inputs)};
    };
    QVERIFY(made({conv("c", 2, 3), joined("a", {0, -1}), plain(Kind::Flatten, "f"), dense("d", 10)})
                .contains("'a' (Add) receives the shapes (2, 2, 2) and (4, 4, 1)"));
    QVERIFY(made({plain(Kind::Flatten, "f"), joined("a", {0}), dense("d", 10)}).contains("two or more"));
    QVERIFY(made({plain(Kind::Flatten, "f"), joined("a", {0, 2}), dense("d", 10)}).contains("comes after it"));
    QVERIFY(
        made(
            {plain(Kind::Flatten, "f"), dense("d", 10), {.kind = Kind::Dense, .name = "e", .units = 10, .inputs = {0}}})
            .contains("nothing reads the output of the layer 'd'"));
    QVERIFY(made({dense("d", 10)}).contains("'d' (Dense) takes a list of numbers but receives the shape (4, 4, 1)"));
    QVERIFY(made({plain(Kind::Flatten, "f"), conv("c", 2, 3), dense("d", 10)}).contains("receives (16)"));
    QVERIFY(made({conv("c", 2, 5), plain(Kind::Flatten, "f"), dense("d", 10)}).contains("does not fit into (4, 4, 1)"));
    QVERIFY(made({plain(Kind::Flatten, "f"), dense("d", 1)}).contains("(1)"));
    QVERIFY(made({plain(Kind::Flatten, "f")}).contains("no variables"));
    QVERIFY(made({}).contains("no variables"));
    NetworkLayer soft = dense("s", 10);
    soft.softmax = true;
    QVERIFY(made({plain(Kind::Flatten, "f"), soft, dense("d", 10)}).contains("'s' is a softmax in the middle"));
    QVERIFY(made({plain(Kind::Flatten, "f"), dense("d", std::int64_t{1} << 40)}).contains("units"));
    QVERIFY(made({plain(Kind::Flatten, "f"), dense("a", 1 << 20), dense("b", 1 << 20), dense("d", 10)})
                .contains("'b' (Dense)"));
  }

  // 255 × 255 × 200 × 2^20 × 2^20 weights do not fit into 64 bits, although no layer gives too many values.
  void aKernelTooLargeToCountIsRefused() {
    NetworkLayer wide = conv("wide", 1 << 20, 255);
    wide.same = true;
    const Layers layers{conv("first", 1 << 20, 1),
                        {.kind = Kind::Concatenate, .name = "joined", .inputs = std::vector<int>(200, 0)},
                        wide,
                        plain(Kind::GlobalAveragePool2D, "mean"),
                        dense("d", 10)};
    const auto make = [&layers] { NeuralNetwork("n", {1, 1, 1}, layers); };
    QVERIFY(isRefused(make, say::networkTooLarge));
    QVERIFY2(refusal(make).contains("'wide' (Conv2D)"), qPrintable(refusal(make)));
  }

  // Each layer has few enough inputs, but Keras's text of all of them would have hundreds of megabytes.
  void tooManyInputsInAllAreRefused() {
    Layers layers;
    for (int i = 0; i < 1000; ++i) {
      std::vector<int> inputs(400, NetworkLayer::kNetworkInput);
      inputs.front() = i - 1;
      layers.push_back({.kind = Kind::Concatenate, .name = "c" + std::to_string(i), .inputs = std::move(inputs)});
    }
    layers.push_back(dense("d", 10));
    const auto make = [&layers] { NeuralNetwork("n", {1}, layers); };
    QVERIFY(isRefused(make, say::tooManyInputs));
    QVERIFY2(refusal(make).contains("'c20' (Concatenate)"), qPrintable(refusal(make)));
    // As many as are allowed are computed.
    layers.erase(layers.begin() + 20, layers.end() - 1);
    QCOMPARE(NeuralNetwork("n", {1}, layers).layout().variables().size(), std::size_t{2});
  }

  // What would be computed here, but otherwise than the file's reader expects.
  void layersThatComputeSomethingElseAreRefused() {
    const std::string good = kerasJson(mlpNetwork());
    const auto with = [&](const std::string& what, const std::string& instead) {
      return refusalWith(good, what, instead);
    };
    // TensorFlow has no depthwise convolution with two strides.
    for (const auto& [kind, refused] : {std::pair{Kind::Conv2D, false}, {Kind::DepthwiseConv2D, true}}) {
      NetworkLayer strided{.kind = kind, .name = "c", .units = 2, .side = 2, .strideY = 1, .strideX = 2};
      const std::string text =
          kerasJson(NeuralNetwork("n", {4, 4, 1}, {strided, plain(Kind::Flatten, "f"), dense("d", 10)}));
      const QString why = refusal([&] { (void)parseKerasJson(text, "n", "model.json"); });
      QVERIFY2(refused ? why.contains("its strides is 1, 2") : why.isEmpty(), qPrintable(why));
    }
    // A class of somebody's own, with the name of one of Keras's.
    const auto ofModule = [](const char* module) { return "\"module\":\"" + std::string(module) + "\""; };
    const std::string ofKeras = ofModule("keras.layers");
    for (const char* module : {"keras.src.layers.reshaping.flatten", "tensorflow.keras.layers", "tf_keras.layers"})
      QCOMPARE(with(ofKeras, ofModule(module)), QString());
    for (const char* module : {"mine", "__main__", "keras_cv.layers"})
      QVERIFY(with(ofKeras, ofModule(module)).contains(QString("its class is from the module %1, not").arg(module)));
    for (const char* name : {"flatten", "dense"}) {
      const std::string config = "\"name\":\"" + std::string(name) + "\"";
      const QString penalty =
          with(config, R"("activity_regularizer":{"class_name":"L1","config":{"l1":0.01}},)" + config);
      QVERIFY2(penalty.contains("its activity_regularizer is L1"), qPrintable(penalty));
    }
  }

  void whatKerasHasBesideIsRefusedByNameAndPlace() {
    const std::string good = kerasJson(mlpNetwork());
    const auto with = [&](const std::string& what, const std::string& instead) {
      return refusalWith(good, what, instead);
    };
    QVERIFY(with("\"class_name\":\"Flatten\"", "\"class_name\":\"LSTM\"").contains("layer 2, 'flatten' (LSTM)"));
    QVERIFY(with("\"activation\":\"relu\"", "\"activation\":\"mish\"").contains("its activation is mish"));
    QVERIFY(with("\"trainable\":true,\"units\"", "\"trainable\":false,\"units\"").contains("trainable"));
    QVERIFY(with("\"class_name\":\"Sequential\"", "\"class_name\":\"Functional\"").contains("has no 'output_layers'"));
    QVERIFY(with("\"class_name\":\"Sequential\"", "\"class_name\":\"Own\"").contains("Own"));
    QVERIFY(with("\"units\":128", "\"units\":\"many\"").contains("units"));
    QVERIFY(with("\"units\":128", "\"units\":-1").contains("units"));
    QVERIFY(with("\"batch_shape\"", "\"no_shape\"").contains("keras.Input"));
    // The message shows an unsupported value as it is, and an object by its class.
    const QString object =
        with("\"activation\":\"relu\"", "\"activation\":{\"class_name\":\"LeakyReLU\",\"config\":{}}");
    QVERIFY2(object.contains("its activation is LeakyReLU"), qPrintable(object));
    QVERIFY(with("[null,28,28,1]", "[null,null,28,1]").contains("its batch_shape is [null,null,28,1]"));
    QVERIFY(with("\"dtype\":\"float32\",\"name\":\"input_layer\"", "\"dtype\":\"uint8\",\"name\":\"input_layer\"")
                .contains("layer 1, 'input_layer' (InputLayer): its dtype is \"uint8\""));
    // The initializer matters only where weights are drawn.
    const char* drawn = "\"use_bias\":true";
    const std::string he = R"("kernel_initializer":{"class_name":"HeNormal","config":{"seed":null}},"use_bias":true)";
    QVERIFY(with(drawn, he).contains("its kernel_initializer is HeNormal"));
    std::string drawnByHe = good;
    drawnByHe.replace(drawnByHe.find(drawn), std::string_view(drawn).size(), he);
    QVERIFY(parseKerasJson(drawnByHe, "n", "model.keras", FirstWeights::Given) == mlpNetwork());
    // A layer that does not fit the one before it is reported with its file and its name there.
    const QString inside = with("\"name\":\"dense\"", "\"name\":\"hidden\"");
    QCOMPARE(inside, QString());
    const QString soft = refusal([&] {
      std::string text = good;
      text.replace(text.find("\"relu\""), 6, "\"softmax\"");
      text.replace(text.find("\"name\":\"dense\""), 14, "\"name\":\"hidden\"");
      (void)parseKerasJson(text, "n", "model.json");
    });
    QVERIFY2(soft.contains("'model.json'") && soft.contains("'hidden' is a softmax"), qPrintable(soft));
    const std::string graph = kerasJson(resnet20Network());
    const auto inGraph = [&](const std::string& what, const std::string& instead) {
      std::string text = graph;
      text.replace(text.find(what), what.size(), instead);
      return refusal([&] { (void)parseKerasJson(text, "n", "model.json"); });
    };
    QVERIFY(
        inGraph("\"keras_history\":[\"conv2d_1\"", "\"keras_history\":[\"nobody\"").contains("not a layer before it"));
    QVERIFY(inGraph("\"kwargs\":{}", "\"kwargs\":{\"training\":false}").contains("its training is false"));
    QVERIFY(inGraph("\"output_layers\":[\"dense\",0,0]", "\"output_layers\":[[\"dense\",0,0],[\"add\",0,0]]")
                .contains("several outputs"));
    QVERIFY(inGraph("\"inbound_nodes\":[{", "\"inbound_nodes\":[{},{").contains("called more than once"));
    for (const char* text : {"", "{", "[]", "{}", "{\"class_name\":\"Sequential\",\"config\":{}}",
                             "{\"class_name\":\"Sequential\",\"config\":{\"layers\":[1]}}"})
      QVERIFY2(!refusal([&] { (void)parseKerasJson(text, "n", "model.json"); }).isEmpty(), text);
  }
};

QTEST_GUILESS_MAIN(TestLayers)
#include "tst_layers.moc"
