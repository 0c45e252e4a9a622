// SPDX-License-Identifier: GPL-3.0-or-later
// The whole network: gradients against finite differences of the double-precision network, an empty shard, bfloat16,
// the breakdown of its operations, and its initial weights.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/device/machine_peak.h"
#include "core/model/cnn.h"
#include "core/model/model_presets.h"
#include "core/model/optimizer.h"
#include "core/selftest/reference.h"
#include "tests/support/reference_network.h"

using namespace lab;

namespace {

OpCost costOf(CnnOp op, std::int64_t n) {
  return courseNetwork().operations()[static_cast<std::size_t>(op)].cost(n);
}

constexpr Precision kFloat32 = Precision::Float32, kBfloat16 = Precision::Bfloat16;

struct Network {
  AlignedBuffer<float> weights{courseNetwork().layout().size()}, gradients{courseNetwork().layout().size()};
  Activations activations;

  explicit Network(std::int64_t n, Precision precision = kFloat32) {
    courseNetwork().initialize(3, weights.span());
    activations.reserve(n, precision);
    Rng rng(8);
    for (float& pixel : activations.images.span()) pixel = rng.below(4) == 0 ? static_cast<float>(rng.uniform()) : 0;
    for (std::uint8_t& label : activations.labels.span()) label = static_cast<std::uint8_t>(rng.below(kClasses));
  }

  test::DoubleTensors inDouble(const AlignedBuffer<float>& flat) const {
    test::DoubleTensors result;
    for (const Variable& variable : courseNetwork().layout().variables()) {
      result[variable.name] = {flat.data() + variable.offset, flat.data() + variable.offset + variable.size};
    }
    return result;
  }
};

double lossInDouble(const Network& network, std::int64_t n, const test::DoubleTensors& weights) {
  const std::vector<double> images(network.activations.images.data(),
                                   network.activations.images.data() + n * kImageSize);
  return test::runNetwork(weights, n, images.data(), network.activations.labels.data(), 1, nullptr).lossSum;
}

}  // namespace

class TestCnn : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { flushDenormals(); }

  void gradientsMatchFiniteDifferences_data() {
    QTest::addColumn<QString>("path");
    for (const std::string& path : cpuIsas()) QTest::addRow("%s", path.c_str()) << QString::fromStdString(path);
    QTest::addRow("reference") << QString("reference");
  }
  void gradientsMatchFiniteDifferences() {
    QFETCH(QString, path);
    constexpr std::int64_t n = 5;
    constexpr float scale = 1.0F / n;
    ThreadPool pool(2);
    const auto backend = path == "reference" ? makeReferenceBackend() : makeCpuBackend(pool, path.toStdString());
    Network network(n);
    // With zero biases, relu is at its kink wherever there is only background.
    Rng rng(6);
    for (const char* name : {"conv2d/bias", "dense/bias", "dense_1/bias"}) {
      const Variable& bias = courseNetwork().layout().find(name);
      for (std::int64_t i = 0; i < bias.size; ++i) {
        network.weights[bias.offset + i] = static_cast<float>((i % 3 == 0 ? -1 : 1) * (0.01 + 0.1 * rng.uniform()));
      }
    }
    forwardBackward(*backend, kFloat32, n, scale, network.weights.data(), network.activations,
                    network.gradients.data());
    test::DoubleTensors weights = network.inDouble(network.weights);
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += network.activations.losses[i];
    QVERIFY(std::abs(sum / lossInDouble(network, n, weights) - 1) < 1e-6);

    const test::DoubleTensors gradients = network.inDouble(network.gradients);
    for (auto& [name, values] : weights) {
      const std::vector<double>& gradient = gradients.at(name);
      const double largest = std::abs(*std::ranges::max_element(gradient, {}, [](double g) { return std::abs(g); }));
      QVERIFY2(largest > 0, name.c_str());
      for (int probe = 0; probe < 40; ++probe) {
        const auto i = static_cast<std::size_t>(rng.below(values.size()));
        constexpr double kStep = 1e-6;
        const double value = values[i];
        values[i] = value + kStep;
        const double above = lossInDouble(network, n, weights);
        values[i] = value - kStep;
        const double difference = scale * (above - lossInDouble(network, n, weights)) / (2 * kStep);
        values[i] = value;
        QVERIFY2(std::abs(difference - gradient[i]) < 1e-5 * largest, qPrintable(QString("%1[%2]: %3 instead of %4")
                                                                                     .arg(QString::fromStdString(name))
                                                                                     .arg(i)
                                                                                     .arg(gradient[i])
                                                                                     .arg(difference)));
      }
    }
  }

  void anEmptyShardHasZeroGradients_data() { gradientsMatchFiniteDifferences_data(); }
  void anEmptyShardHasZeroGradients() {
    QFETCH(QString, path);
    ThreadPool pool(2);
    const auto backend = path == "reference" ? makeReferenceBackend() : makeCpuBackend(pool, path.toStdString());
    for (const Precision precision : {kFloat32, kBfloat16}) {
      for (const std::int64_t capacity : {0, 3}) {
        Network network(capacity, precision);
        std::ranges::fill(network.gradients.span(), 7.0F);
        forwardBackward(*backend, precision, 0, 1, network.weights.data(), network.activations,
                        network.gradients.data());
        QVERIFY(std::ranges::all_of(network.gradients.span(), [](float g) { return g == 0; }));
      }
    }
    Network network(2);
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant,
                             forward(*backend, kFloat32, 3, network.weights.data(), network.activations));
  }

  void forwardAloneComputesTheSame() {
    ThreadPool pool(2);
    const auto backend = makeCpuBackend(pool);
    Network both(9), alone(9);
    forwardBackward(*backend, kFloat32, 9, 1, both.weights.data(), both.activations, both.gradients.data());
    forward(*backend, kFloat32, 9, alone.weights.data(), alone.activations);
    QVERIFY(std::ranges::equal(both.activations.losses.span(), alone.activations.losses.span()));
    QVERIFY(std::ranges::equal(both.activations.predictions.span(), alone.activations.predictions.span()));
  }

  void observerSeesEveryOperationOnceInOrder() {
    ThreadPool pool(1);
    const auto backend = makeCpuBackend(pool);
    Network network(2);
    std::vector<std::pair<CnnOp, bool>> seen;
    forwardBackward(*backend, kFloat32, 2, 1, network.weights.data(), network.activations, network.gradients.data(),
                    [&](CnnOp op, bool begin) { seen.emplace_back(op, begin); });
    QCOMPARE(seen.size(), std::size_t{2 * kCnnOps});
    for (std::size_t i = 0; i < seen.size(); ++i) {
      QVERIFY(seen[i] == std::pair(static_cast<CnnOp>(i / 2), i % 2 == 0));
    }
  }

  void bfloat16DiffersButIsClose_data() { gradientsMatchFiniteDifferences_data(); }
  void bfloat16DiffersButIsClose() {
    QFETCH(QString, path);
    constexpr std::int64_t n = 16;
    ThreadPool pool(2);
    const auto backend = path == "reference" ? makeReferenceBackend() : makeCpuBackend(pool, path.toStdString());
    Network wide(n), narrow(n, kBfloat16);
    forwardBackward(*backend, kFloat32, n, 1.0F / n, wide.weights.data(), wide.activations, wide.gradients.data());
    forwardBackward(*backend, kBfloat16, n, 1.0F / n, narrow.weights.data(), narrow.activations,
                    narrow.gradients.data());
    for (const Variable& variable : courseNetwork().layout().variables()) {
      double squares = 0, difference = 0;
      for (std::int64_t i = variable.offset; i < variable.offset + variable.size; ++i) {
        squares += std::pow(wide.gradients[i], 2);
        difference += std::pow(wide.gradients[i] - narrow.gradients[i], 2);
      }
      const double relative = std::sqrt(difference / squares);
      // bfloat16 keeps 8 bits: a rounding is up to 2^-9 = 0.002, and a few in a row (and flipped maxima) come together.
      QVERIFY2(relative > 1e-5 && relative < 0.05,
               qPrintable(QString("%1: %2").arg(QString::fromStdString(variable.name)).arg(relative)));
    }
    // Operands of a product are rounded; values that are only added are not.
    const auto isRounded = [&](const AlignedBuffer<float>& buffer) {
      AlignedBuffer<float> rounded(buffer.size());
      backend->roundToBfloat16(buffer.size(), buffer.data(), rounded.data());
      return backend->identical(buffer.size(), buffer.data(), rounded.data());
    };
    // In the backward pass these buffers hold the gradient's operands.
    QVERIFY(isRounded(narrow.activations.roundedPooled) && !isRounded(narrow.activations.pooled));
    QVERIFY(isRounded(narrow.activations.roundedWeights) && !isRounded(narrow.weights));
  }

  void biasGradientsAreNotRounded() {
    // With bfloat16, dense_1/bias is the column sum of the unrounded logit gradients.
    const auto backend = makeReferenceBackend();
    Network network(3, kBfloat16);
    forwardBackward(*backend, kBfloat16, 3, 1, network.weights.data(), network.activations, network.gradients.data());
    const std::int64_t offset = courseNetwork().layout().find("dense_1/bias").offset;
    for (std::int64_t c = 0; c < kClasses; ++c) {
      float sum = 0;
      for (std::int64_t i = 0; i < 3; ++i) sum += network.activations.dLogits[i * kClasses + c];
      QCOMPARE(network.gradients[offset + c], sum);
    }
  }

  void reserveGrowsBothPrecisions() {
    Activations activations;
    activations.reserve(4, kBfloat16);
    activations.reserve(9, kFloat32);
    QCOMPARE(activations.capacity, std::int64_t{9});
    QCOMPARE(activations.roundedPooled.size(), 9 * kPooledSize);
    const std::int64_t bytes = activations.bytes();
    activations.reserve(2, kBfloat16);
    QCOMPARE(activations.bytes(), bytes);
    Activations plain;
    plain.reserve(1, kFloat32);
    QCOMPARE(plain.bytes(), std::int64_t{4 * (784 + 5408 + 2 * 64 + 2 * 10 + 1) + 5408 + 2});
  }

  void costsAreThoseOnPaper() {
    QCOMPARE(costOf(CnnOp::ConvForward, 1).flop, 2.0 * 9 * 32 * 26 * 26);
    QCOMPARE(costOf(CnnOp::DenseForward, 10).flop, 10 * 2.0 * 5408 * 64);
    QCOMPARE(costOf(CnnOp::LogitsForward, 1).flop, 2.0 * 64 * 10);
    double forwardFlop = 0, flop = 0;
    for (int i = 0; i < kCnnOps; ++i) {
      const auto op = static_cast<CnnOp>(i);
      const OpCost one = costOf(op, 1), none = costOf(op, 0), hundred = costOf(op, 100);
      flop += one.flop;
      if (op < CnnOp::LogitsBackward) forwardFlop += one.flop;
      QVERIFY(none.flop == 0 && one.launches >= 1);
      QCOMPARE(courseNetwork().operations()[static_cast<std::size_t>(op)].backward, op >= CnnOp::LogitsBackward);
      QVERIFY(std::abs((hundred.bytes - none.bytes) - 100 * (one.bytes - none.bytes)) < 1e-6 * hundred.bytes);
    }
    QVERIFY2(std::abs(forwardFlop - 1.08e6) < 0.005e6, qPrintable(QString::number(forwardFlop)));
    QVERIFY2(std::abs(flop - 2.86e6) < 0.005e6, qPrintable(QString::number(flop)));
  }

  void layersOfTheCourse() {
    const NeuralNetwork& network = courseNetwork();
    QVERIFY(isCourseNetwork(network));
    const auto is = [&](std::size_t i, const std::vector<std::int64_t>& output, std::int64_t parameters, int forward,
                        int backward) {
      const NetworkLayer& layer = network.layers().at(i);
      QCOMPARE(layer.output, output);
      QCOMPARE(layer.parameters, parameters);
      QCOMPARE(layer.forward, forward);
      QCOMPARE(layer.backward, backward);
    };
    is(0, {26, 26, 32}, 320, static_cast<int>(CnnOp::ConvForward), static_cast<int>(CnnOp::ConvBackward));
    is(1, {13, 13, 32}, 0, -1, -1);
    is(2, {kPooledSize}, 0, -1, -1);
    is(3, {kHidden}, 346176, static_cast<int>(CnnOp::DenseForward), static_cast<int>(CnnOp::DenseBackward));
    is(4, {kClasses}, 650, static_cast<int>(CnnOp::LogitsForward), static_cast<int>(CnnOp::LogitsBackward));
    QCOMPARE(network.operations().size(), std::size_t{kCnnOps});
    QCOMPARE(modelPreset(network.key()).parameters(), network.layout().size());
    // Another network has other costs, and is computed elsewhere.
    std::vector<NetworkLayer> layers = network.layers();
    layers[3].units = 128;
    const NeuralNetwork wider("wider", {28, 28, 1}, layers);
    QCOMPARE(wider.layout().size(), 320 + (kPooledSize + 1) * 128 + 129 * kClasses);
    QVERIFY(!isCourseNetwork(wider));
    QVERIFY(wider.operations()[1].cost(5).flop == 2 * network.operations()[1].cost(5).flop);
  }

  void initialWeightsAreGlorotUniform() {
    QCOMPARE(courseNetwork().layout().size(), std::int64_t{347146});
    AlignedBuffer<float> weights(courseNetwork().layout().size()), again(courseNetwork().layout().size()),
        other(courseNetwork().layout().size());
    courseNetwork().initialize(1, weights.span());
    courseNetwork().initialize(1, again.span());
    courseNetwork().initialize(2, other.span());
    QVERIFY(std::ranges::equal(weights.span(), again.span()));
    const std::map<std::string, double> limits{{"conv2d/kernel", std::sqrt(6.0 / (9 + 288))},
                                               {"dense/kernel", std::sqrt(6.0 / (5408 + 64))},
                                               {"dense_1/kernel", std::sqrt(6.0 / (64 + 10))}};
    for (const Variable& variable : courseNetwork().layout().variables()) {
      const float* values = weights.data() + variable.offset;
      if (!limits.contains(variable.name)) {
        QVERIFY(std::all_of(values, values + variable.size, [](float value) { return value == 0; }));
        continue;
      }
      QVERIFY(!std::equal(values, values + variable.size, other.data() + variable.offset));
      const double limit = limits.at(variable.name), count = static_cast<double>(variable.size);
      double sum = 0, squares = 0, largest = 0;
      for (std::int64_t i = 0; i < variable.size; ++i) {
        sum += values[i];
        squares += static_cast<double>(values[i]) * values[i];
        largest = std::max<double>(largest, std::abs(values[i]));
      }
      // A uniform variable has mean 0 and variance limit²/3, and the largest of so many values is close to the limit.
      QVERIFY2(largest <= limit * (1 + 1e-7) && largest > limit * (1 - 10 / count), variable.name.c_str());
      QVERIFY2(std::abs(sum / count) < 4 * limit / std::sqrt(3 * count), variable.name.c_str());
      QVERIFY2(std::abs(squares / count / (limit * limit / 3) - 1) < 4 * std::sqrt(0.8 / count), variable.name.c_str());
    }
  }

  void optimizersBillAndName() {
    OptimizerSettings settings;
    QCOMPARE(settings.bytesPerParameter(), std::int64_t{28});
    QVERIFY((settings.slotNames() == std::vector<std::string>{"m", "v"}));
    settings.kind = OptimizerKind::Sgd;
    QCOMPARE(settings.bytesPerParameter(), std::int64_t{12});
    settings.momentum = 0.9;
    QCOMPARE(settings.bytesPerParameter(), std::int64_t{20});
    QVERIFY((settings.slotNames() == std::vector<std::string>{"momentum"}));
  }

  void firstAdamStepIsTheLearningRate() {
    // With both corrections right, the first update is lr·g/(|g| + ε·…): ±lr for any gradient well above ε.
    const auto backend = makeReferenceBackend();
    for (const float g : {1.0F, -0.01F}) {
      float m = 0, v = 0, weight = 0;
      float* const both[]{&m, &v};
      applyOptimizer(*backend, {}, 0.001, 1, 1, &g, both, &weight);
      QVERIFY2(std::abs(weight * (g > 0 ? -1000 : 1000) - 1) < 4e-4, qPrintable(QString::number(weight)));
    }
  }

  void theMachineHasAPeak() {
    ThreadPool pool(1);
    const MachinePeak peak = measureMachinePeak(pool);
    QVERIFY(std::isfinite(peak.multiplyAddGflops) && peak.multiplyAddGflops > 0);
    for (const MachinePeak::Level& level : peak.levels) QVERIFY(std::isfinite(level.gbPerSec) && level.gbPerSec > 0);
    // At most half of the bytes that an operation moves are other memory: the smallest level that may hold it.
    MachinePeak known{100, {{1000, 50}, {4000, 30}, {16000, 10}}};
    QCOMPARE(known.gbPerSec(10), 50.0);
    QCOMPARE(known.gbPerSec(7999), 50.0);
    QCOMPARE(known.gbPerSec(8000), 30.0);
    QCOMPARE(known.gbPerSec(1e9), 10.0);
    known.raiseTo({90, {{1000, 60}, {4000, 20}, {16000, 20}}});
    QCOMPARE(known.multiplyAddGflops, 100.0);
    QCOMPARE(known.gbPerSec(10), 60.0);
    QCOMPARE(known.gbPerSec(8000), 30.0);
    QCOMPARE(known.memoryGbPerSec(), 20.0);
  }
};

QTEST_GUILESS_MAIN(TestCnn)
#include "tst_cnn.moc"
