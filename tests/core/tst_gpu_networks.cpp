// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=30
// Networks other than the course's on emulated GPUs: each layer's kernels against the obvious loops, and whole runs
// against the processor's: forward, backward, dropout, statistics, checkpoints, evaluation, records.
// On a GPU, use strategylab-cli selftest and tests/gpu/run.sh.
#include <QTemporaryDir>
#include <QTest>

#include <png.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/cluster/cluster.h"
#include "core/config/run_settings.h"
#include "core/device/cuda/gpu_module.h"
#include "core/device/layer_backend.h"
#include "core/keras/keras_json.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/replay/classify.h"
#include "core/replicas/gpu/gpu_layers.h"
#include "core/selftest/reference.h"
#include "core/selftest/staged_backend.h"
#include "core/training/training_input.h"
#include "tests/support/emulated_gpus.h"
#include "tests/support/reference.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

using Kind = NetworkLayer::Kind;
using Floats = std::vector<float>;

Floats eighths(Rng& rng, std::int64_t size) {  // so that sums are exact
  Floats values(static_cast<std::size_t>(size));
  for (float& value : values) value = static_cast<float>(rng.below(17)) / 8 - 1;
  return values;
}

LayerWindow windowFrom(std::vector<std::int64_t> input, std::int64_t height, std::int64_t width, std::int64_t strideY,
                       std::int64_t strideX, bool same) {
  NetworkLayer layer{.kind = Kind::Conv2D, .units = 1, .side = height, .width = width};
  layer.strideY = strideY;
  layer.strideX = strideX;
  layer.same = same;
  return windowOf(layer, input);
}

// All results of one window, one after the other. Sums are exact, so the bits must be the same.
std::vector<Floats> allOf(LayerBackend& layers, const LayerWindow& w, std::int64_t n, std::int64_t filters) {
  Rng rng(static_cast<std::uint64_t>(w.taps() * 31 + w.places() + n));
  const std::int64_t in = n * w.inSize(), places = n * w.places(), rows = n * w.inHeight * w.inWidth;
  const Floats x = eighths(rng, in), kernel = eighths(rng, w.taps() * filters), bias = eighths(rng, filters),
               dy = eighths(rng, places * filters), dp = eighths(rng, places * w.channels), dx = eighths(rng, in);
  std::vector<Floats> all;
  const auto result = [&](std::int64_t size) { return all.emplace_back(static_cast<std::size_t>(size), 7.0F).data(); };
  all.reserve(16);
  layers.conv2d(n, w, filters, x.data(), kernel.data(), bias.data(), true, result(places * filters));
  layers.conv2d(n, w, filters, x.data(), kernel.data(), nullptr, false, result(places * filters));
  layers.conv2dKernelGradient(n, w, filters, x.data(), dy.data(), result(w.taps() * filters));
  layers.conv2dInputGradient(n, w, filters, dy.data(), kernel.data(), result(in));
  layers.biasGradient(places, filters, dy.data(), result(filters));
  std::vector<std::uint16_t> winners(static_cast<std::size_t>(places * w.channels), 9);
  layers.maxPool(n, w, x.data(), result(places * w.channels), winners.data());
  all.emplace_back(winners.begin(), winners.end());
  layers.maxPoolBackward(n, w, winners.data(), dp.data(), result(in));
  layers.averagePool(n, w, x.data(), result(places * w.channels));
  layers.averagePoolBackward(n, w, dp.data(), result(in));
  std::vector<ChannelSums> sums(static_cast<std::size_t>(w.channels));
  const std::vector<double> center(sums.size(), 0.25);
  for (const bool gradient : {false, true}) {
    if (gradient)
      layers.gradientSums(rows, w.channels, x.data(), dx.data(), center.data(), sums.data());
    else
      layers.sums(rows, w.channels, x.data(), sums.data());
    Floats& values = all.emplace_back();
    for (const ChannelSums& sum : sums) values.insert(values.end(), {float(sum.first), float(sum.second)});
  }
  layers.scaleAndShift(rows, w.channels, x.data(), bias.data(), kernel.data(), result(in));
  layers.combine(rows, w.channels, dx.data(), bias.data(), x.data(), kernel.data(), bias.data(), result(in));
  return all;
}

// A network with every kind of layer and of every unusual window.
NeuralNetwork pooling() {
  return {"pooling",
          {28, 28, 1},
          {{.kind = Kind::Conv2D,
            .name = "conv2d",
            .units = 6,
            .side = 4,
            .relu = true,
            .width = 3,
            .strideY = 2,
            .strideX = 3,
            .same = true,
            .bias = false},
           {.kind = Kind::MaxPool2D,
            .name = "max_pooling2d",
            .side = 3,
            .width = 2,
            .strideY = 2,
            .strideX = 1,
            .same = true},
           {.kind = Kind::Conv2D, .name = "conv2d_1", .units = 35, .side = 3, .relu = true},
           {.kind = Kind::AveragePool2D, .name = "average_pooling2d", .side = 2, .same = true},
           {.kind = Kind::Flatten, .name = "flatten"},
           {.kind = Kind::Dropout, .name = "dropout", .rate = 0.3},
           {.kind = Kind::Dense, .name = "dense", .units = 13, .relu = true},
           {.kind = Kind::Dense, .name = "dense_1", .units = 10, .softmax = true}}};
}

NeuralNetwork normed(bool synchronized) {
  return {"normed",
          {28, 28, 1},
          {{.kind = Kind::Conv2D, .name = "conv2d", .units = 6, .side = 3, .strideY = 2, .strideX = 2, .bias = false},
           {.kind = Kind::BatchNorm, .name = "batch_normalization", .momentum = 0.9, .synchronized = synchronized},
           {.kind = Kind::Activation, .name = "re_lu", .relu = true},
           {.kind = Kind::AveragePool2D, .name = "average_pooling2d", .side = 2},
           {.kind = Kind::Flatten, .name = "flatten"},
           {.kind = Kind::Dense, .name = "dense", .units = 12, .relu = true, .bias = false},
           {.kind = Kind::BatchNorm,
            .name = "batch_normalization_1",
            .momentum = 0.9,
            .scaled = false,
            .synchronized = synchronized},
           {.kind = Kind::Dense, .name = "dense_1", .units = 10}}};
}

// A network with every other kind of layer that graphs have. The sum also reads the first normalisation's input, so the
// gradient of that normalisation is added to one that is already there.
NeuralNetwork graph(bool synchronized) {
  return {
      "graph",
      {28, 28, 1},
      {{.kind = Kind::Conv2D, .name = "conv2d", .units = 8, .side = 3, .strideY = 2, .strideX = 2, .same = true},
       {.kind = Kind::BatchNorm, .name = "batch_normalization", .momentum = 0.9, .synchronized = synchronized},
       {.kind = Kind::Activation, .name = "re_lu", .relu = true},
       {.kind = Kind::Conv2D, .name = "conv2d_1", .units = 8, .side = 3, .same = true},
       {.kind = Kind::BatchNorm, .name = "batch_normalization_1", .momentum = 0.9, .synchronized = synchronized},
       {.kind = Kind::Add, .name = "add", .inputs = {4, 2, 0}},
       {.kind = Kind::Activation, .name = "re_lu_1", .relu = true},
       {.kind = Kind::DepthwiseConv2D, .name = "depthwise_conv2d", .units = 2, .side = 3, .relu = true, .same = true},
       {.kind = Kind::LayerNorm, .name = "layer_normalization"},
       {.kind = Kind::Concatenate, .name = "concatenate", .inputs = {6, 8}},
       {.kind = Kind::ZeroPadding2D, .name = "zero_padding2d", .margins = {1, 0, 0, 2}},
       {.kind = Kind::Conv2D, .name = "conv2d_2", .units = 9, .side = 2},
       {.kind = Kind::Activation, .name = "activation", .function = ActivationFunction::Gelu},
       {.kind = Kind::GlobalAveragePool2D, .name = "global_average_pooling2d"},
       {.kind = Kind::GlobalMaxPool2D, .name = "global_max_pooling2d", .inputs = {12}},
       {.kind = Kind::Concatenate, .name = "concatenate_1", .inputs = {13, 14}},
       {.kind = Kind::Dense, .name = "dense", .units = 10}}};
}

// Writes a folder for each class, with grey pictures of noise around a brightness of its own.
void writePictures(const std::filesystem::path& root, int classes, int ofEach) {
  Rng rng(17);
  for (int c = 0; c < classes; ++c) {
    const std::filesystem::path folder = root / ("class" + std::to_string(1000 + c));
    std::filesystem::create_directories(folder);
    for (int i = 0; i < ofEach; ++i) {
      std::vector<std::uint8_t> pixels(784);
      for (std::uint8_t& pixel : pixels)
        pixel = static_cast<std::uint8_t>(200 * c / classes + static_cast<int>(rng.below(56)));
      png_image image{};
      image.version = PNG_IMAGE_VERSION;
      image.width = image.height = 28;
      image.format = PNG_FORMAT_GRAY;
      const std::string file = (folder / (std::to_string(i) + ".png")).string();
      if (png_image_write_to_file(&image, file.c_str(), 0, pixels.data(), 0, nullptr) == 0) std::abort();
    }
  }
}

// 96 examples in batches of 26: uneven shares, and a short last batch.
const Settings kNetworkRun{{"dataset", "digits"},  {"train-examples", "96"},  {"test-examples", "40"},
                           {"global-batch", "26"}, {"epochs", "2"},           {"optimizer", "sgd"},
                           {"momentum", "0.9"},    {"learning-rate", "0.05"}, {"threads", "2"}};

}  // namespace

class TestGpuNetworks : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  Settings settingsOf(const NeuralNetwork& network, const Settings& more) const {
    const std::filesystem::path file = std::filesystem::path(folder_.path().toStdString()) / (network.key() + ".json");
    std::ofstream(file) << kerasJson(network);
    return with(with(kNetworkRun, {{"network", file.string()}}), more);
  }

  struct Run {
    Outcome outcome;
    std::vector<Floats> statistics;  // per replica
    Floats served;                   // the statistics that are evaluated and saved
  };
  static Run run(const Settings& settings, const std::function<void(Trainer&)>& eachStep = {}) {
    const RunSettings config = configOf(settings);
    Run result;
    result.outcome = train(config, openDataset(config), [&](Trainer& trainer) {
      result.statistics.clear();
      result.served = trainer.cluster().movingStatistics().values();
      for (int r = 0; r < trainer.cluster().replicas(); ++r) {
        const auto values = trainer.cluster().replica(r).variables.statistics.span();
        result.statistics.emplace_back(values.begin(), values.end());
      }
      if (eachStep) eachStep(trainer);
    });
    return result;
  }
  static Run onGpus(const Settings& settings, int gpus, const std::function<void(Trainer&)>& eachStep = {}) {
    replaceGpus([gpus] { return makeEmulatedGpus({.gpus = gpus, .streamsRace = true}); });
    return run(with(settings, {{"devices", "cuda"}}), eachStep);
  }

 private slots:
  void initTestCase() { flushDenormals(); }
  void cleanup() { replaceGpus({}); }

  void layersAgainstTheObviousLoops() {
    const auto gpus = makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    const auto reference = makeReferenceLayers();
    int windows = 0;
    for (const std::vector<std::int64_t>& input : {std::vector<std::int64_t>{7, 9, 1}, {8, 8, 3}, {5, 6, 20}})
      for (const auto& [height, width] : {std::pair{1, 1}, {3, 3}, {2, 4}, {5, 3}})
        for (const auto& [y, x] : {std::pair{1, 1}, {2, 2}, {1, 3}})
          for (const bool same : {false, true}) {
            const LayerWindow w = windowFrom(input, height, width, y, x, same);
            if (w.outHeight < 1 || w.outWidth < 1) continue;
            const std::int64_t n = windows % 4,
                               filters = std::vector{1, 20, 33, 70}[static_cast<std::size_t>(++windows % 4)];
            const std::vector<Floats> expected = allOf(*reference, w, n, filters);
            const std::vector<Floats> actual = allOf(*backend->layers(), w, n, filters);
            for (std::size_t i = 0; i < expected.size(); ++i) {
              const bool rounds = i == 8 || i == 9;  // the division of an average rounds
              QVERIFY2(rounds ? expected[i].empty() || relativeDistance(actual[i], expected[i]) < 1e-6
                              : actual[i] == expected[i],
                       qPrintable(QString("result %1 of window %2, %3 filters, %4 examples")
                                      .arg(i)
                                      .arg(windows)
                                      .arg(filters)
                                      .arg(n)));
            }
          }
    QVERIFY(windows > 60);
    QCOMPARE(gpus->counts().allocations, gpus->counts().releases);
  }

  // Sums over many rows are split, and there are two ways to add the parts.
  void longSums() {
    const auto gpus = makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    const auto reference = makeReferenceLayers();
    for (const std::int64_t n : {4, 40}) {
      const LayerWindow w = windowFrom({12, 12, 4}, 3, 3, 1, 1, false);
      QVERIFY(allOf(*reference, w, n, 5) == allOf(*backend->layers(), w, n, 5));
    }
  }

  // Where no other layer is as wide: 64 images have 57,600 places, which columns of sums take 256 at a time.
  void theBiasOfADepthwiseConvolutionHasRoomForItsSums() {
    const NeuralNetwork network{"wide",
                                {32, 32, 3},
                                {{.kind = Kind::DepthwiseConv2D, .name = "depthwise_conv2d", .units = 256, .side = 3},
                                 {.kind = Kind::GlobalAveragePool2D, .name = "global_average_pooling2d"},
                                 {.kind = Kind::Dense, .name = "dense", .units = 10}}};
    QVERIFY(layerScratch(network, 64) >= 225 * 768);
  }

  void theSameUnitsAreLeftOut() {
    const auto gpus = makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    const auto reference = makeReferenceLayers();
    const Floats x(3 * 401, 1.0F);
    for (const double rate : {0.0, 0.1, 0.5, 0.99}) {
      Floats a(x.size()), b(x.size());
      const DropoutMask mask{77, 5, 3, 1000, rate};
      backend->layers()->dropout(3, 401, mask, x.data(), a.data());
      reference->dropout(3, 401, mask, x.data(), b.data());
      QVERIFY(a == b);
    }
  }

  // Ties, the first and the last label, logits far apart, and a NaN.
  void lossOfAnyNumberOfClasses() {
    const auto gpus = makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    const auto reference = makeReferenceLayers();
    Rng rng(4);
    for (const std::int64_t classes : {2, 3, 10, 31, 32, 33, 100, 255, 256})
      for (const std::int64_t n : {0, 1, 3, 4, 5, 70})
        for (const float spread : {1.0F, 60.0F}) {
          Floats logits = eighths(rng, n * classes), losses(static_cast<std::size_t>(n)), d(logits.size()), e = d;
          for (float& logit : logits) logit *= spread;
          Floats others = losses;
          std::vector<std::uint8_t> labels(losses.size()), first(losses.size()), second(losses.size());
          for (std::uint8_t& label : labels)
            label = static_cast<std::uint8_t>(rng.below(static_cast<std::uint64_t>(classes)));
          if (n > 1) labels.front() = static_cast<std::uint8_t>(classes - 1);
          backend->layers()->crossEntropy(n, classes, logits.data(), labels.data(), 0.25F, losses.data(), first.data(),
                                          d.data());
          reference->crossEntropy(n, classes, logits.data(), labels.data(), 0.25F, others.data(), second.data(),
                                  e.data());
          QCOMPARE(first, second);
          for (std::size_t i = 0; i < losses.size(); ++i)
            QVERIFY(std::abs(losses[i] - others[i]) <= 2e-6F * std::max(1.0F, spread));
          for (std::size_t i = 0; i < d.size(); ++i) QVERIFY(std::abs(d[i] - e[i]) <= 1e-6F);
          backend->layers()->crossEntropy(n, classes, logits.data(), labels.data(), 1, losses.data(), first.data(),
                                          nullptr);
          QCOMPARE(first, second);
          if (n == 0) continue;
          logits.back() = std::nanf("");
          backend->layers()->crossEntropy(n, classes, logits.data(), labels.data(), 1, losses.data(), first.data(),
                                          nullptr);
          QVERIFY(std::isnan(losses.back()));
        }
  }

  // The user's own pictures, with one class per folder; a file's network may have more outputs than that.
  void anyNumberOfClasses_data() {
    QTest::addColumn<int>("classes");
    QTest::addColumn<int>("outputs");
    QTest::addColumn<QString>("strategy");
    QTest::newRow("2") << 2 << 2 << "mirrored";
    QTest::newRow("3") << 3 << 3 << "central-storage";
    QTest::newRow("10") << 10 << 10 << "mirrored";
    QTest::newRow("10, of 11 outputs") << 10 << 11 << "mirrored";
    QTest::newRow("100") << 100 << 100 << "one-device";
    QTest::newRow("256") << 256 << 256 << "mirrored";
  }
  void anyNumberOfClasses() {
    QFETCH(int, classes);
    QFETCH(int, outputs);
    QFETCH(QString, strategy);
    const std::filesystem::path root = folder_.filePath(QString("pictures%1").arg(classes)).toStdString();
    writePictures(root, classes, std::max(4, 96 / classes));
    Settings settings = with(
        settingsOf(withClasses(courseNetwork(), outputs), {}),
        {{"dataset", "colour"}, {"data-dir", root.string()}, {"strategy", strategy.toStdString()}, {"steps", "5"}});
    std::erase_if(settings, [](const auto& each) { return each.first.ends_with("-examples"); });
    if (strategy != "one-device") settings = with(settings, {{"replicas", "2"}});
    if (outputs == classes) settings = with(settings, {{"network", "course"}});
    const Run actual = onGpus(settings, 1), expected = run(with(settings, {{"devices", "cpu"}}));
    QCOMPARE(networkOf(actual.outcome.info.config)->classes(), std::int64_t{outputs});
    for (std::size_t i = 0; i < expected.outcome.steps.size(); ++i) {
      const StepMetric &a = actual.outcome.steps[i], &e = expected.outcome.steps[i];
      QVERIFY2(std::abs(a.loss - e.loss) <= 2e-5 * e.loss, qPrintable(QString::number(i)));
      QCOMPARE(a.accuracy, e.accuracy);
    }
    QVERIFY(relativeDistance(actual.outcome.weights, expected.outcome.weights) < 1e-5);
    QVERIFY(!expected.outcome.evaluations.empty());
    QVERIFY(std::abs(actual.outcome.evaluations.back().testLoss - expected.outcome.evaluations.back().testLoss) < 1e-4);
    QCOMPARE(actual.outcome.evaluations.back().testAccuracy, expected.outcome.evaluations.back().testAccuracy);
    // The values that the confusion matrix is made of.
    const auto set = openDataset(configOf(settings));
    const auto confusion = [&](const Run& of) {
      return confusionOf(set->test, classify(set->test, of.outcome.weights, {}, of.outcome.info.config));
    };
    QVERIFY(confusion(actual) == confusion(expected));
  }

  void asOnTheProcessor_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("gpus");
    const auto row = [](const char* network, const char* settings, int gpus) {
      QTest::addRow("%s: %s, %d GPUs", network, settings, gpus) << network << settings << gpus;
    };
    row("pooling", "strategy=one-device", 1);
    row("pooling", "strategy=mirrored replicas=2", 1);
    row("pooling", "strategy=mirrored replicas=3 reducer=nccl bytes-per-pack=1024", 3);
    row("pooling", "strategy=mirrored replicas=2 matmul=bfloat16", 1);
    row("pooling", "strategy=central-storage replicas=2", 1);
    row("pooling", "strategy=mirrored replicas=1", 1);
    row("normed", "strategy=one-device", 1);
    row("normed", "strategy=mirrored replicas=3", 2);
    row("synchronised", "strategy=mirrored replicas=2", 1);
    row("synchronised", "strategy=mirrored replicas=3", 2);
    row("normed", "strategy=central-storage replicas=2", 1);
    row("normed", "strategy=central-storage replicas=3", 2);
    row("normed", "strategy=central-storage replicas=1", 1);
    row("synchronised", "strategy=central-storage replicas=3", 2);
    row("graph", "strategy=one-device", 1);
    row("graph", "strategy=mirrored replicas=3", 2);
    row("graph", "strategy=mirrored replicas=2 matmul=bfloat16", 1);
    row("graph", "strategy=central-storage replicas=2", 1);
    row("graph, synchronised", "strategy=mirrored replicas=3", 2);
    row("pooling", "strategy=gossip replicas=3 bytes-per-pack=1024", 2);
    // Its statistics are of a replica's own few examples: from seeds 1 and 5 one replica's differ by up to 1.8e-5.
    row("normed", "strategy=gossip replicas=3 seed=3", 1);
    row("pooling", "strategy=sharded shard-stage=3 replicas=3 bytes-per-pack=64", 3);
    row("normed", "strategy=sharded shard-stage=2 replicas=3", 2);
    row("synchronised", "strategy=sharded shard-stage=1 replicas=2", 1);
    row("synchronised", "strategy=sharded shard-stage=3 replicas=3", 2);
    row("mlp", "strategy=sharded shard-stage=3 replicas=2 matmul=bfloat16 learning-rate=0.01", 1);
    row("mlp", "strategy=mirrored replicas=2 optimizer=adam momentum=0 learning-rate=0.001", 1);
  }
  void asOnTheProcessor() {
    QFETCH(QString, network);
    QFETCH(QString, settings);
    QFETCH(int, gpus);
    const bool isMlp = network == "mlp", rounded = settings.contains("bfloat16");
    const bool synchronized = network.contains("synchronised");
    Settings more = settingsOf(network == "pooling"          ? pooling()
                               : network.startsWith("graph") ? graph(synchronized)
                                                             : normed(synchronized),
                               {});
    if (isMlp) more = with(more, {{"network", "mlp"}});
    for (const QString& each : settings.split(' '))
      more = with(more, {{each.section('=', 0, 0).toStdString(), each.section('=', 1).toStdString()}});
    const Run actual = onGpus(more, gpus);
    std::erase_if(more, [](const auto& setting) { return setting.second == "nccl"; });
    const Run expected = run(with(more, {{"devices", "cpu"}}));
    QCOMPARE(actual.outcome.steps.size(), expected.outcome.steps.size());
    for (std::size_t i = 0; i < expected.outcome.steps.size(); ++i) {
      const StepMetric &a = actual.outcome.steps[i], &e = expected.outcome.steps[i];
      QVERIFY2(std::abs(a.loss - e.loss) <= (rounded ? 5e-3 : 2e-5) * e.loss,
               qPrintable(QString("step %1: %2 instead of %3").arg(a.step).arg(a.loss).arg(e.loss)));
      QCOMPARE(a.mirrorsIdentical, e.mirrorsIdentical);
    }
    QVERIFY(relativeDistance(actual.outcome.weights, expected.outcome.weights) < (rounded ? 5e-3 : 1e-5));
    QCOMPARE(actual.outcome.evaluations.size(), expected.outcome.evaluations.size());
    QVERIFY(!expected.outcome.evaluations.empty());
    for (std::size_t i = 0; i < expected.outcome.evaluations.size(); ++i)
      QVERIFY(std::abs(actual.outcome.evaluations[i].testLoss - expected.outcome.evaluations[i].testLoss) <
              (rounded ? 2e-2 : 1e-4));
    QCOMPARE(actual.statistics.size(), expected.statistics.size());
    for (std::size_t r = 0; r < expected.statistics.size(); ++r)
      QVERIFY(expected.statistics[r].empty() ||
              relativeDistance(actual.statistics[r], expected.statistics[r]) < (rounded ? 5e-3 : 1e-5));
    for (const Span& span : actual.outcome.spans) QVERIFY(isValid(span, actual.outcome.info.legend));
    QVERIFY(!actual.outcome.spans.empty());
  }

  Settings serversOf(const NeuralNetwork& network, const Settings& more) const {
    Settings settings =
        settingsOf(network, with({{"strategy", "parameter-server"}, {"batch-per-replica", "26"}}, more));
    std::erase_if(settings, [](const auto& setting) { return setting.first == "global-batch"; });
    return settings;
  }

  // Moving statistics travel from the servers to the workers and back, together with the trained variables.
  void workersOfParameterServers_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<QString>("workers");
    QTest::addColumn<QString>("matmul");
    QTest::newRow("one worker") << "pooling"
                                << "1"
                                << "float32";
    QTest::newRow("one worker, normalised") << "normed"
                                            << "1"
                                            << "float32";
    QTest::newRow("three workers, normalised") << "normed"
                                               << "3"
                                               << "float32";
    QTest::newRow("two workers, normalised, rounded") << "normed"
                                                      << "2"
                                                      << "bfloat16";
  }
  void workersOfParameterServers() {
    QFETCH(QString, network);
    QFETCH(QString, workers);
    QFETCH(QString, matmul);
    const Settings settings =
        serversOf(network == "normed" ? normed(false) : pooling(), {{"replicas", workers.toStdString()},
                                                                    {"parameter-servers", "2"},
                                                                    {"matmul", matmul.toStdString()},
                                                                    {"steps", "9"}});
    const Run actual = onGpus(settings, 2), expected = run(with(settings, {{"devices", "cpu"}}));
    for (std::size_t i = 0; i < expected.outcome.steps.size(); ++i)
      QCOMPARE(actual.outcome.steps[i].worker, expected.outcome.steps[i].worker);
    const double bound = matmul == "float32" ? 1e-5 : 5e-3;
    QVERIFY(relativeDistance(actual.outcome.weights, expected.outcome.weights) < bound);
    for (std::size_t r = 0; r < expected.statistics.size(); ++r)
      QVERIFY(network != "normed" || relativeDistance(actual.statistics[r], expected.statistics[r]) < bound);
    if (network == "normed") QVERIFY(relativeDistance(actual.served, expected.served) < bound);
    QVERIFY(std::abs(actual.outcome.evaluations.back().testLoss - expected.outcome.evaluations.back().testLoss) <
            (matmul == "float32" ? 1e-4 : 2e-2));
  }

  // A watcher sees all layers without changing a bit; without a watcher, a step that repeats is one graph.
  void watchingChangesNoBit_data() {
    QTest::addColumn<bool>("synchronized");
    QTest::addColumn<QString>("strategy");
    QTest::newRow("own statistics") << false << "mirrored";
    QTest::newRow("synchronised") << true << "mirrored";
    QTest::newRow("one for all") << false << "central-storage";
    QTest::newRow("synchronised, one for all") << true << "central-storage";
  }
  void watchingChangesNoBit() {
    QFETCH(bool, synchronized);
    QFETCH(QString, strategy);
    const Settings two =
        settingsOf(normed(synchronized), {{"strategy", strategy.toStdString()}, {"replicas", "2"}, {"steps", "5"}});
    const Run all = onGpus(two, 1);  // with spans in every step
    const RunSettings config = configOf(with(two, {{"devices", "cuda"}}));
    for (const bool recorded : {false, true}) {
      replaceGpus([] { return makeEmulatedGpus({.seed = 9, .streamsRace = true}); });
      Telemetry telemetry;
      telemetry.setSpansWanted(false);
      Trainer trainer(resolve(config), openDataset(config), telemetry);
      while (!trainer.finished()) {
        if (recorded) telemetry.requestRecord();
        trainer.step();
        const std::shared_ptr<const StepRecord> record = telemetry.takeRecord();
        QCOMPARE(record != nullptr, recorded);
        if (!recorded) continue;
        QVERIFY(!record->replicas[1].gradients.empty() &&
                record->replicas[0].gradients != record->replicas[1].gradients);
        for (int r = 0; r < 2; ++r) {
          (void)trainer.cluster().movingStatistics().values();
          const auto values = trainer.cluster().replica(r).variables.statistics.span();
          QVERIFY(std::ranges::equal(record->replicas[static_cast<std::size_t>(r)].statistics, values));
        }
        const auto computed = std::ranges::count(record->spans, SpanKind::Compute, &Span::kind);
        const int exchanges = synchronized ? 4 : 0;  // each splits an operation in two
        QCOMPARE(computed, 2 * (std::ssize(networkOf(config)->operations()) + exchanges));
      }
      trainer.settle();
      QVERIFY(sameBits(trainer.weights(), all.outcome.weights));
      const auto statistics = trainer.cluster().movingStatistics().values();
      QVERIFY(std::ranges::equal(statistics, all.statistics.front()));
    }
  }

  // A worker's recorded step is computed a second time for the record, but the statistics move only once.
  void recordingAWorkerMovesNothing() {
    const RunSettings config =
        configOf(with(serversOf(normed(false), {{"replicas", "2"}, {"steps", "7"}}), {{"devices", "cuda"}}));
    std::vector<Floats> weights, statistics;
    for (const bool recorded : {false, true}) {
      replaceGpus([] { return makeEmulatedGpus({.streamsRace = true}); });
      Telemetry telemetry;
      telemetry.setSpansWanted(false);
      Trainer trainer(resolve(config), openDataset(config), telemetry);
      while (!trainer.finished()) {
        if (recorded) telemetry.requestRecord();
        trainer.step();
        const std::shared_ptr<const StepRecord> record = telemetry.takeRecord();
        QCOMPARE(record != nullptr, recorded);
        if (recorded) QVERIFY(record->statistics == trainer.cluster().movingStatistics().values());
      }
      trainer.settle();
      weights.push_back(trainer.weights());
      statistics.push_back(trainer.cluster().movingStatistics().values());
    }
    QVERIFY(sameBits(weights[0], weights[1]) && statistics[0] == statistics[1]);
  }

  // Only the first steps of the golden networks; tests/gpu/run.sh runs all.
  void golden_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("replicas");
    for (const char* name : {"cifar10-adam-1", "cifar10-sgd-2", "mlp-adam-4", "same-sgd-3"})
      for (const int replicas : {1, 2}) QTest::addRow("%s, replicas %d", name, replicas) << name << replicas;
  }
  void golden() {
    QFETCH(QString, name);
    QFETCH(int, replicas);
    const std::filesystem::path networks = referenceDir() / "golden" / "networks";
    if (referenceDir().empty()) QSKIP("the reference folder is not here: set STRATEGYLAB_REFERENCE_DIR");
    std::ifstream file(networks / (name.toStdString() + ".json"));
    const nlohmann::json json = nlohmann::json::parse(file);
    const bool cifar = json.at("dataset") == "colour";
    const std::filesystem::path colour = folder_.filePath("colour").toStdString();
    std::filesystem::create_directory(colour);
    for (const char* part : {"data_batch_1.bin", "test_batch.bin"})
      std::filesystem::copy_file(networks / "colour.bin", colour / part, std::filesystem::copy_options::skip_existing);
    const std::int64_t steps = cifar ? 2 : 5;
    const Run actual = onGpus({{"strategy", "mirrored"},
                               {"replicas", std::to_string(replicas)},
                               {"matmul", "float32"},
                               {"network", (networks / json.at("network").get<std::string>()).string()},
                               {"dataset", cifar ? "cifar10" : "mnist"},
                               {"data-dir", cifar ? colour.string() : (referenceDir() / "mnist").string()},
                               {"train-examples", json.at("examples").dump()},
                               {"test-examples", "10"},
                               {"init", (networks / json.at("init").get<std::string>()).string()},
                               {"optimizer", json.at("optimizer").get<std::string>()},
                               {"learning-rate", json.at("learning_rate").dump()},
                               {"steps", std::to_string(steps)},
                               {"shuffle-buffer", "0"},
                               {"eval-every", "0"},
                               {"global-batch", json.at("global_batch").dump()}},
                              1);
    QCOMPARE(std::ssize(actual.outcome.steps), steps);
    for (std::size_t i = 0; i < actual.outcome.steps.size(); ++i) {
      const double expected = json.at("losses").at(i).get<double>();
      QVERIFY2(
          std::abs(actual.outcome.steps[i].loss - expected) <=
              json.at("tolerance").at("first_5").get<double>() * expected,
          qPrintable(QString("step %1: %2 instead of %3").arg(i + 1).arg(actual.outcome.steps[i].loss).arg(expected)));
    }
  }

  void goesOnFromACheckpoint_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<QString>("matmul");
    QTest::newRow("mirrored") << "mirrored"
                              << "float32";
    QTest::newRow("central storage") << "central-storage"
                                     << "float32";
    QTest::newRow("parameter servers") << "parameter-server"
                                       << "float32";
    QTest::newRow("parameter servers, rounded") << "parameter-server"
                                                << "bfloat16";
  }
  void goesOnFromACheckpoint() {
    QFETCH(QString, strategy);
    QFETCH(QString, matmul);
    const std::string folder = folder_.filePath("checkpoints of " + strategy + matmul).toStdString();
    const Settings wanted{{"strategy", strategy.toStdString()},
                          {"replicas", "2"},
                          {"optimizer", "adam"},
                          {"momentum", "0"},
                          {"matmul", matmul.toStdString()}};
    const Settings two =
        strategy == "parameter-server" ? serversOf(normed(false), wanted) : settingsOf(normed(false), wanted);
    const Run whole = onGpus(two, 1);
    (void)onGpus(with(two, {{"steps", "4"}, {"checkpoint-dir", folder}}), 1);
    const Run second = onGpus(with(two, {{"checkpoint-dir", folder}, {"resume", "true"}}), 1);
    QVERIFY(sameBits(whole.outcome.weights, second.outcome.weights));
    QVERIFY(whole.statistics == second.statistics && whole.served == second.served);
    QCOMPARE(second.outcome.evaluations.back().testLoss, whole.outcome.evaluations.back().testLoss);
  }
};

QTEST_GUILESS_MAIN(TestGpuNetworks)
#include "tst_gpu_networks.moc"
