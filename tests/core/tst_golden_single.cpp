// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=20
// One replica through the golden trajectories, by a plain loop over the network and the optimizer, on every backend and
// ISA this machine has.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/platform.h"
#include "core/model/cnn.h"
#include "core/model/optimizer.h"
#include "core/selftest/reference.h"
#include "tests/support/golden.h"
#include "tests/support/idx.h"
#include "tests/support/reference.h"

using namespace lab;
using namespace lab::test;

namespace {

constexpr Precision kFloat32 = Precision::Float32;

void loadImages(const TrainingImages& data, std::int64_t first, std::int64_t n, Activations& activations) {
  for (std::int64_t i = 0; i < n * kImageSize; ++i) {
    activations.images[i] = static_cast<float>(data.pixels[static_cast<std::size_t>(first * kImageSize + i)]) / 255.0F;
  }
  for (std::int64_t i = 0; i < n; ++i) activations.labels[i] = data.labels[static_cast<std::size_t>(first + i)];
}

struct Worst {
  double early = 0, all = 0, l2 = 0, sum = 0, sample = 0;
};

}  // namespace

class TestGoldenSingle : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (referenceDir().empty()) QSKIP("no reference folder (STRATEGYLAB_REFERENCE_DIR): golden cases and MNIST");
    flushDenormals();
  }

  void trajectory_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("path");
    std::vector<std::string> paths = cpuIsas();
    paths.push_back("reference");
    for (const char* name : {"adam-b64", "momentum-b128", "sgd-b256", "adam-partial"}) {
      for (const std::string& path : paths) {
        QTest::addRow("%s, %s", name, path.c_str()) << QString(name) << QString::fromStdString(path);
      }
    }
  }

  void trajectory() {
    QFETCH(QString, name);
    QFETCH(QString, path);
    const auto folder = referenceDir() / "golden";
    const GoldenCase set = readGoldenCase(folder / (name.toStdString() + ".json"));
    ThreadPool pool(2);
    const bool reference = path == "reference";
    const auto backend = reference ? makeReferenceBackend() : makeCpuBackend(pool, path.toStdString());
    // The reference is a hundred times slower than the fast paths, so it runs only the first 20 steps of the long
    // cases.
    const std::int64_t steps = reference && set.examples == 60000 ? 20 : set.steps;
    const TrainingImages data =
        readTrainingImages(referenceDir() / "mnist", std::min<std::int64_t>(set.examples, 20000));

    const Layout& layout = courseNetwork().layout();
    const auto flat = [&] { return AlignedBuffer<float>(layout.size(), layout.alignmentLead()); };
    AlignedBuffer<float> weights = flat(), gradients = flat(), first = flat(), second = flat();
    for (const auto& [variable, values] : readInitialWeights(folder / "init-11.safetensors")) {
      std::ranges::copy(values, weights.data() + layout.find(variable).offset);
    }
    OptimizerSettings optimizer;
    optimizer.kind = set.optimizer == "adam" ? OptimizerKind::Adam : OptimizerKind::Sgd;
    optimizer.momentum = set.momentum;
    float* const both[]{first.data(), second.data()};
    const std::span<float* const> slotValues(both, optimizer.slotNames().size());
    Activations activations;
    activations.reserve(set.globalBatch, kFloat32);

    Worst worst;
    std::int64_t at = 0;
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t n = set.batchSizes[static_cast<std::size_t>(step)];
      loadImages(data, at, n, activations);
      forwardBackward(*backend, kFloat32, n, 1.0F / static_cast<float>(n), weights.data(), activations,
                      gradients.data());
      const double loss =
          std::accumulate(activations.losses.data(), activations.losses.data() + n, 0.0) / static_cast<double>(n);
      const double difference = std::abs(loss / set.losses[static_cast<std::size_t>(step)] - 1);
      if (step < 20) worst.early = std::max(worst.early, difference);
      worst.all = std::max(worst.all, difference);
      applyOptimizer(*backend, optimizer, set.learningRate, step + 1, layout.size(), gradients.data(), slotValues,
                     weights.data());
      at = at + n >= set.examples ? 0 : at + n;
    }
    qInfo("losses differ by %.1e over 20 steps, %.1e over all", worst.early, worst.all);
    QVERIFY2(worst.early < 1e-5, qPrintable(QString("first 20 losses differ by %1").arg(worst.early)));
    QVERIFY2(worst.all < 1e-4, qPrintable(QString("losses differ by %1").arg(worst.all)));
    if (steps < set.steps) return;  // only whole cases have final weights

    for (const auto& [variable, expected] : set.finals) {
      const Variable& where = layout.find(variable);
      const float* values = weights.data() + where.offset;
      double squares = 0, sum = 0;
      for (std::int64_t i = 0; i < where.size; ++i) {
        squares += static_cast<double>(values[i]) * values[i];
        sum += values[i];
      }
      worst.l2 = std::max(worst.l2, std::abs(std::sqrt(squares) / expected.l2 - 1));
      worst.sum = std::max(worst.sum,
                           std::abs(sum - expected.sum) / (expected.l2 * std::sqrt(static_cast<double>(where.size))));
      for (std::size_t i = 0; i < expected.sample.size(); ++i) {
        const double value = values[static_cast<std::int64_t>(i) * (where.size / 5)];
        worst.sample = std::max(worst.sample, std::abs(value - expected.sample[i]));
      }
    }
    qInfo("final weights: norms differ by %.1e, sums by %.1e of the 1-norm's bound, samples by %.1e", worst.l2,
          worst.sum, worst.sample);
    QVERIFY2(worst.l2 < 1e-4, qPrintable(QString("norms differ by %1").arg(worst.l2)));
    QVERIFY2(worst.sum < 1e-4, qPrintable(QString("sums differ by %1").arg(worst.sum)));
    QVERIFY2(worst.sample < 1e-4, qPrintable(QString("weights differ by %1").arg(worst.sample)));

    if (reference) return;  // ten thousand images would take the reference minutes
    const TrainingImages all = readTrainingImages(referenceDir() / "mnist", 10000);
    constexpr std::int64_t kChunk = 1000;
    activations.reserve(kChunk, kFloat32);
    std::int64_t correct = 0;
    for (std::int64_t from = 0; from < all.count; from += kChunk) {
      loadImages(all, from, kChunk, activations);
      forward(*backend, kFloat32, kChunk, weights.data(), activations);
      for (std::int64_t i = 0; i < kChunk; ++i) correct += activations.predictions[i] == activations.labels[i];
    }
    qInfo("accuracy %.4f, golden %.4f", static_cast<double>(correct) / 10000, set.accuracy);
    QVERIFY(std::abs(static_cast<double>(correct) / 10000 - set.accuracy) <= 2.5e-4);  // two images
  }
};

QTEST_GUILESS_MAIN(TestGoldenSingle)
#include "tst_golden_single.moc"
