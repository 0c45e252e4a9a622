// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized cost=15
// The core in WebAssembly (core/wasm/README.md) against the processor's baseline path, bit for bit: 100 steps of
// several networks, computed here, and then by tests/wasm/compare.mjs in node. And the text that a network is sent as.
#include <QTest>

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/device/backend.h"
#include "core/device/cross_entropy.h"
#include "core/model/cnn.h"
#include "core/model/network_text.h"
#include "core/model/optimizer.h"

using namespace lab;

namespace {

using WasmKind = NetworkLayer::Kind;

const QString kCommitted = QStringLiteral(STRATEGYLAB_SOURCE_DIR "/resources/class/replica.wasm");
const QString kCompare = QStringLiteral(STRATEGYLAB_SOURCE_DIR "/tests/wasm/compare.mjs");
const QString kBuilt = QStringLiteral(STRATEGYLAB_WASM_BUILT);  // "" if it is not built

struct WasmCase {
  QString name;
  NeuralNetwork network;
  OptimizerSettings optimizer;
  std::vector<int> batches{32, 64};
  int steps = 100;
  double learningRate = 0.001, scale = 1;  // scale: times 1 / n
  int blankFrom = -1;                      // from this step on images are black
};

// Normalisation, both kinds of pooling, dropout in two places, a softmax that tells seven apart.
NeuralNetwork normedNetwork() {
  return {"normed",
          {14, 14, 3},
          {{.kind = WasmKind::Conv2D, .name = "conv2d", .units = 12, .side = 3, .same = true, .bias = false},
           {.kind = WasmKind::BatchNorm, .name = "batch_normalization"},
           {.kind = WasmKind::Activation, .name = "re_lu", .relu = true},
           {.kind = WasmKind::MaxPool2D, .name = "max_pooling2d", .side = 2},
           {.kind = WasmKind::Dropout, .name = "dropout", .rate = 0.25},
           {.kind = WasmKind::Conv2D, .name = "conv2d_1", .units = 20, .side = 2, .relu = true},
           {.kind = WasmKind::AveragePool2D, .name = "average_pooling2d", .side = 2},
           {.kind = WasmKind::Flatten, .name = "flatten"},
           {.kind = WasmKind::Dense, .name = "dense", .units = 24, .relu = true},
           {.kind = WasmKind::Dropout, .name = "dropout_1", .rate = 0.3},
           {.kind = WasmKind::Dense, .name = "dense_1", .units = 7, .softmax = true}}};
}

// Convolutions whose pooling is done along with them, as the CIFAR-10 network's, on a smaller picture.
NeuralNetwork pooledNetwork() {
  return {"pooled",
          {16, 16, 3},
          {{.kind = WasmKind::Conv2D, .name = "conv2d", .units = 16, .side = 3, .relu = true},
           {.kind = WasmKind::MaxPool2D, .name = "max_pooling2d", .side = 2},
           {.kind = WasmKind::Conv2D, .name = "conv2d_1", .units = 32, .side = 3, .relu = true},
           {.kind = WasmKind::MaxPool2D, .name = "max_pooling2d_1", .side = 2},
           {.kind = WasmKind::Conv2D, .name = "conv2d_2", .units = 24, .side = 2, .relu = true},
           {.kind = WasmKind::Flatten, .name = "flatten"},
           {.kind = WasmKind::Dense, .name = "dense", .units = 100}}};
}

// Strides, padding, windows that are not square, pooling that overlaps, a synchronised normalisation without gamma.
NeuralNetwork stridedNetwork() {
  return {"strided",
          {15, 13, 1},
          {{.kind = WasmKind::Conv2D,
            .name = "conv2d",
            .units = 10,
            .side = 5,
            .relu = true,
            .width = 3,
            .strideY = 2,
            .strideX = 1,
            .same = true},
           {.kind = WasmKind::MaxPool2D, .name = "max_pooling2d", .side = 3, .strideY = 2, .strideX = 2, .same = true},
           {.kind = WasmKind::BatchNorm,
            .name = "batch_normalization",
            .momentum = 0.9,
            .epsilon = 1e-5,
            .scaled = false,
            .synchronized = true},
           {.kind = WasmKind::AveragePool2D, .name = "average_pooling2d", .side = 2, .strideY = 1, .strideX = 1},
           {.kind = WasmKind::Flatten, .name = "flatten"},
           {.kind = WasmKind::Dense, .name = "dense", .units = 10}}};
}

// All other operations of graphs: outputs that are read twice, joined and padded, and each activation.
NeuralNetwork graphNetwork() {
  std::vector<NetworkLayer> layers{
      {.kind = WasmKind::Conv2D, .name = "conv2d", .units = 16, .side = 3, .same = true},
      {.kind = WasmKind::DepthwiseConv2D,
       .name = "depthwise_conv2d",
       .units = 1,
       .side = 3,
       .relu = true,
       .same = true},
      {.kind = WasmKind::Add, .name = "add", .inputs = {0, 1}},
      {.kind = WasmKind::LayerNorm, .name = "layer_normalization"},
      {.kind = WasmKind::ZeroPadding2D, .name = "zero_padding2d", .margins = {0, 1, 2, 0}},
      {.kind = WasmKind::GlobalMaxPool2D, .name = "global_max_pooling2d"},
      {.kind = WasmKind::GlobalAveragePool2D, .name = "global_average_pooling2d", .inputs = {3}},
      {.kind = WasmKind::Concatenate, .name = "concatenate", .inputs = {5, 6}}};
  for (const auto& [function, word] : kActivationWords)
    layers.push_back({.kind = WasmKind::Activation, .name = std::string(word), .function = function, .slope = 0.2});
  layers.push_back({.kind = WasmKind::Dense, .name = "dense", .units = 10});
  return {"graph", {8, 7, 2}, std::move(layers)};
}

NeuralNetwork tinyNetwork() {
  return {"tiny",
          {6, 6, 1},
          {{.kind = WasmKind::Flatten, .name = "flatten"},
           {.kind = WasmKind::Dense, .name = "dense", .units = 9, .relu = true},
           {.kind = WasmKind::Dense, .name = "dense_1", .units = 2}}};
}

std::vector<WasmCase> wasmCases() {
  const OptimizerSettings adam, sgd{.kind = OptimizerKind::Sgd}, momentum{.kind = OptimizerKind::Sgd, .momentum = 0.9};
  std::vector<WasmCase> cases;
  cases.push_back({"course", courseNetwork(), adam});
  cases.push_back({"mlp", mlpNetwork(), momentum, {32, 64}, 100, 0.05});
  cases.push_back({"normed", normedNetwork(), adam});
  cases.push_back({"pooled", pooledNetwork(), sgd, {32, 64}, 100, 0.02});
  cases.push_back({"graph", graphNetwork(), adam, {32, 64}, 100, 0.02});
  cases.push_back({"strided", stridedNetwork(), momentum, {32, 64}, 100, 0.02});
  // What fades in the optimizer's slots passes through the denormals, and a browser cannot flush them.
  cases.push_back({"fading", tinyNetwork(), adam, {32}, 1500, 0.001, 1, 20});
  cases.push_back({"fading-momentum", tinyNetwork(), momentum, {32}, 1500, 0.001, 1, 20});
  cases.push_back({"denormal-gradients", tinyNetwork(), sgd, {32}, 100, 1e35, 1e-37});
  return cases;
}

void write(const QString& path, const void* data, std::int64_t bytes) {
  QFile file(path);
  QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(static_cast<const char*>(data), bytes) == bytes,
           qPrintable(path));
}

// One case with one batch, computed here; what it was computed of, and what came out, in `folder`.
class NativeRun {
 public:
  NativeRun(const WasmCase& of, int n) : of_(of), n_(n) {
    const Layout& layout = of.network.layout();
    weights_.resize(static_cast<std::size_t>(layout.size()));
    gradients_.resize(weights_.size());
    slotValues_.assign(of.optimizer.slotNames().size(), std::vector<float>(weights_.size()));
    statistics_.resize(static_cast<std::size_t>(of.network.statistics().size()));
    of.network.initialize(kSeed, weights_);
    of.network.initializeStatistics(statistics_);
    activations_.reserve(of.network, n, Precision::Float32);
    Rng rng(n);
    const std::int64_t size = kDifferent * n * of.network.inputSize();
    for (std::int64_t i = 0; i < size; ++i)
      pixels_.push_back(static_cast<std::uint8_t>(rng.below(3) == 0 ? rng.below(256) : 0));
    for (int i = 0; i < kDifferent * n; ++i)
      labels_.push_back(static_cast<std::uint8_t>(rng.below(static_cast<std::uint64_t>(of.network.classes()))));
  }

  void run() {
    std::vector<float*> slotPointers;
    for (std::vector<float>& values : slotValues_) slotPointers.push_back(values.data());
    for (int step = 0; step < of_.steps; ++step) {
      load(step);
      pass(step);
      losses_.insert(losses_.end(), activations_.losses.data(), activations_.losses.data() + n_);
      applyOptimizer(*backend_, of_.optimizer, of_.learningRate, step + 1, std::ssize(weights_), gradients_.data(),
                     slotPointers, weights_.data());
    }
    load(0);
    pass(-1);
    probabilities_.resize(static_cast<std::size_t>(n_ * of_.network.classes()));
    softmax(n_, of_.network.classes(), activations_.logits.data(), probabilities_.data());
  }

  void save(const QString& folder) const {
    const QJsonObject what{{"name", QStringLiteral("%1, batch %2").arg(of_.name).arg(n_)},
                           {"description", QString::fromStdString(networkText(of_.network))},
                           {"optimizer", of_.optimizer.kind == OptimizerKind::Adam ? "adam" : "sgd"},
                           {"momentum", of_.optimizer.momentum},
                           {"learningRate", of_.learningRate},
                           {"scale", static_cast<double>(scale())},
                           {"batch", n_},
                           {"steps", of_.steps},
                           {"different", kDifferent},
                           {"blankFrom", of_.blankFrom},
                           {"seed", QString::number(kSeed)}};
    const QByteArray text = QJsonDocument(what).toJson();
    write(folder + "/case.json", text.data(), text.size());
    const auto save = [&](const char* name, const auto& values) {
      write(folder + "/" + name, values.data(), std::ssize(values) * static_cast<std::int64_t>(sizeof values[0]));
    };
    save("pixels", pixels_);
    save("labels", labels_);
    save("losses", losses_);
    save("weights", weights_);
    save("gradients", gradients_);
    save("statistics", statistics_);
    save("probabilities", probabilities_);
    if (!slotValues_.empty()) save("firstSlot", slotValues_[0]);
    if (slotValues_.size() > 1) save("secondSlot", slotValues_[1]);
  }

  bool isFinite() const {
    return std::ranges::all_of(weights_, [](float weight) { return std::isfinite(weight); });
  }
  bool slotsAreNormal() const {
    const auto isNormal = [](float value) { return value == 0 || std::isnormal(value); };
    return std::ranges::all_of(slotValues_, [&](const auto& values) { return std::ranges::all_of(values, isNormal); });
  }

 private:
  static constexpr std::uint64_t kSeed = 0xfedcba9876543210U;
  static constexpr int kDifferent = 4;  // batches, in turn

  float scale() const { return static_cast<float>(of_.scale / n_); }

  void load(int step) {
    const std::int64_t size = n_ * of_.network.inputSize();
    const bool blank = of_.blankFrom >= 0 && step >= of_.blankFrom;
    const std::uint8_t* pixels = pixels_.data() + step % kDifferent * size;
    for (std::int64_t i = 0; i < size; ++i) activations_.images[i] = blank ? 0 : static_cast<float>(pixels[i]) / 255.0F;
    std::copy_n(labels_.data() + step % kDifferent * n_, n_, activations_.labels.data());
  }

  // -1: an evaluation.
  void pass(int step) {
    const bool trains = step >= 0;
    if (isCourseNetwork(of_.network)) {
      if (trains)
        forwardBackward(*backend_, Precision::Float32, n_, scale(), weights_.data(), activations_, gradients_.data());
      else
        forward(*backend_, Precision::Float32, n_, weights_.data(), activations_);
      return;
    }
    const PassOf of{.examples = n_,
                    .scale = scale(),
                    .weights = weights_.data(),
                    .statistics = statistics_.data(),
                    .training = trains,
                    .seed = kSeed,
                    .step = step,
                    .globalOffset = 5};
    LayerPass pass(*backend_, of_.network, Precision::Float32, of, activations_, gradients_.data());
    while (!pass.run()) {
    }
  }

  const WasmCase& of_;
  const int n_;
  ThreadPool pool_{2};
  const std::unique_ptr<Backend> backend_ = makeCpuBackend(pool_);
  std::vector<float> weights_, gradients_, statistics_, losses_, probabilities_;
  std::vector<std::vector<float>> slotValues_;
  std::vector<std::uint8_t> pixels_, labels_;
  Activations activations_;
};

}  // namespace

class TestWasm : public QObject {
  Q_OBJECT

 private:
  QString node_;
  QTemporaryDir folder_;

  // Returns what compare.mjs says about a module; "" if it agrees.
  void compare(const QString& module) {
    QProcess process;
    process.start(node_, {kCompare, module, folder_.path()});
    QVERIFY2(process.waitForFinished(600'000), qPrintable(process.errorString()));
    const QByteArray said = process.readAllStandardOutput() + process.readAllStandardError();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, said.constData());
    for (const QByteArray& line : said.trimmed().split('\n')) qInfo("%s", line.constData());
  }

 private slots:
  void initTestCase() {
    node_ = QStandardPaths::findExecutable("node");
    if (node_.isEmpty()) QSKIP("node is not here, so the module cannot be run: install Debian's nodejs, 18 or newer");
    qputenv("STRATEGYLAB_CPU_PATH", "baseline");  // and before a thread is started, as what is flushed depends on it
    flushDenormals();                             // as every thread that computes
    int number = 0;
    for (const WasmCase& each : wasmCases())
      for (const int batch : each.batches) {
        const QString folder = folder_.filePath(QStringLiteral("%1").arg(number++, 2, 10, QChar('0')));
        QVERIFY(QDir().mkpath(folder));
        NativeRun run(each, batch);
        run.run();
        QVERIFY2(run.isFinite() && run.slotsAreNormal(), qPrintable(each.name));
        run.save(folder);
      }
  }
  void cleanupTestCase() { qunsetenv("STRATEGYLAB_CPU_PATH"); }

  void committedModuleHasTheBaselinesBits() { compare(kCommitted); }

  void builtModuleHasTheBaselinesBits() {
    if (kBuilt.isEmpty()) QSKIP("STRATEGYLAB_WASM is off: the module was not built here");
    compare(kBuilt);
  }

  // One toolchain gives one module: so the committed one is that of these sources.
  void committedModuleIsOfTheseSources() {
    if (kBuilt.isEmpty()) QSKIP("STRATEGYLAB_WASM is off: the module was not built here");
    const auto read = [](const QString& path) {
      QFile file(path);
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    if (read(kBuilt + ".toolchain") != read(kCommitted + ".toolchain"))
      QSKIP("the committed module was built by another toolchain: see replica.wasm.toolchain");
    QVERIFY(!read(kBuilt).isEmpty());
    QVERIFY2(read(kBuilt) == read(kCommitted),
             "the sources are not those of resources/class/replica.wasm: run core/wasm/build.sh and commit it");
  }

  void networksAsText() {
    for (const WasmCase& each : wasmCases()) {
      const std::string text = networkText(each.network);
      QVERIFY2(parseNetworkText(text, "again") == each.network, text.c_str());
      QCOMPARE(networkText(parseNetworkText(text, "again")), text);
    }
  }

  void damagedTextIsRefused() {
    const std::string text = networkText(normedNetwork());
    for (const char* bad : {"", "\n", "input", "input 1 2 3 4\n", "input 28,28\n", "layer 5\n", "input 8\ndense",
                            "input 8\ndense d unit=3", "input 8\ndense d units=3 units", "input 8\ndense d units=3.5",
                            "input 8\ndense d units=99999999999999999999", "input 8\ndense d units=2 relu=2",
                            "input 8\ndropout d rate=3ff0000000000000\ndense d units=2",
                            "input 8\ndropout d rate=7ff8000000000000\ndense d units=2", "input 8\ndense d units=2\n\n",
                            "input 8\nbatch_norm b epsilon=bff0000000000000\ndense d units=2"})
      QVERIFY_THROWS_EXCEPTION(UserError, parseNetworkText(bad, "bad"));
    for (std::size_t at = 0; at < text.size(); ++at) {  // any byte lost: another network or a sentence
      std::string damaged = text;
      damaged.erase(at, 1);
      try {
        (void)parseNetworkText(damaged, "damaged");
      } catch (const UserError&) {
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestWasm)
#include "tst_wasm.moc"
