// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=18
// Every operation on every backend and ISA of this machine against the reference; the reference against finite
// differences; and what no comparison with a reference shows: the same bits with any number of threads and in a task,
// and rows that do not depend on their batch.
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/selftest/operation_cases.h"
#include "core/selftest/reference.h"

using namespace lab;

namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;

Floats randomFloats(Rng& rng, std::int64_t size, double low, double high) {
  Floats result(static_cast<std::size_t>(size));
  for (float& value : result) value = static_cast<float>(low + (high - low) * rng.uniform());
  return result;
}

// The derivative of `loss` with respect to every element of `at`, by central differences in double precision.
template <typename Loss>
Doubles differences(const Floats& at, const Loss& loss) {
  constexpr double kStep = 1e-7;
  Doubles point(at.begin(), at.end()), result(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double value = point[i];
    point[i] = value + kStep;
    const double above = loss(point);
    point[i] = value - kStep;
    result[i] = (above - loss(point)) / (2 * kStep);
    point[i] = value;
  }
  return result;
}

double worstDifference(const Floats& gradient, const Doubles& expected) {
  double scale = 0, worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    scale = std::max(scale, std::abs(expected[i]));
    worst = std::max(worst, std::abs(gradient[i] - expected[i]));
  }
  return worst / scale;
}

// Σ d·relu?(x·w + b) in double precision.
double denseLoss(std::size_t n, std::size_t in, std::size_t out, const auto& x, const auto& w, const auto& bias,
                 bool relu, const Floats& d) {
  double loss = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < out; ++j) {
      double y = bias[j];
      for (std::size_t k = 0; k < in; ++k) y += static_cast<double>(x[i * in + k]) * w[k * out + j];
      if (!relu || y > 0) loss += y * d[i * out + j];
    }
  }
  return loss;
}

}  // namespace

class TestOperations : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { flushDenormals(); }

  void againstReference_data() {
    QTest::addColumn<QString>("path");
    for (const std::string& path : cpuIsas()) QTest::addRow("%s", path.c_str()) << QString::fromStdString(path);
  }
  void againstReference() {
    QFETCH(QString, path);
    ThreadPool pool(2);
    const auto backend = makeCpuBackend(pool, path.toStdString());
    const auto reference = makeReferenceBackend();
    double nearest = 0;
    for (const OperationCase& operation : operationCases()) {
      const CaseOutcome outcome = runCase(operation, *backend, *reference);
      if (outcome.bound > 0) nearest = std::max(nearest, outcome.worstError / outcome.bound);
      if (!outcome.passed) {
        QFAIL(qPrintable(QString::fromStdString(operation.name + ": " + outcome.failure) +
                         QString(", error %1 of %2 allowed").arg(outcome.worstError).arg(outcome.bound)));
      }
    }
    qInfo("%zu cases; the worst error is %.2f of what is allowed", operationCases().size(), nearest);
  }

  void sameBitsWithAnyNumberOfThreads_data() { againstReference_data(); }
  void sameBitsWithAnyNumberOfThreads() {
    QFETCH(QString, path);
    ThreadPool one(1), two(2), three(3);
    const auto expected = makeCpuBackend(one, path.toStdString());
    const auto withTwo = makeCpuBackend(two, path.toStdString()), withThree = makeCpuBackend(three, path.toStdString());
    for (const OperationCase& operation : operationCases()) {
      const OperationOutputs b = operation.run(*expected);
      std::array<OperationOutputs, 4> others{operation.run(*withTwo), operation.run(*withThree)};
      // Runs as two replicas, each in a task of its own.
      two.forEach(2, [&](std::int64_t i) { others[static_cast<std::size_t>(2 + i)] = operation.run(*withTwo); });
      for (const OperationOutputs& a : others) {
        for (std::size_t i = 0; i < b.floats.size(); ++i) {
          const auto size = static_cast<std::int64_t>(b.floats[i].size());
          QVERIFY2(expected->identical(size, a.floats[i].data(), b.floats[i].data()), operation.name.c_str());
        }
        QVERIFY2(a.bytes == b.bytes, operation.name.c_str());
      }
    }
  }

  void rowsDoNotKnowTheirBatch_data() { againstReference_data(); }
  void rowsDoNotKnowTheirBatch() {
    QFETCH(QString, path);
    ThreadPool pool(2);
    const auto backend = makeCpuBackend(pool, path.toStdString());
    Rng rng(5);
    constexpr std::int64_t kRows = 67;
    const Floats images = randomFloats(rng, kRows * kImageSize, 0, 1), kernel = randomFloats(rng, 288, -1, 1),
                 bias = randomFloats(rng, kHidden, -1, 1), x = randomFloats(rng, kRows * kPooledSize, 0, 1),
                 w = randomFloats(rng, kPooledSize * kHidden, -1, 1), dy = randomFloats(rng, kRows * kHidden, -1, 1);
    struct Rows {
      Floats pooled, y, dx;
      std::vector<std::uint8_t> argmax;
    };
    const auto compute = [&](std::int64_t first, std::int64_t n) {
      const auto sized = [n](std::int64_t width) { return Floats(static_cast<std::size_t>(n * width)); };
      Rows rows{sized(kPooledSize), sized(kHidden), sized(kPooledSize), {}};
      rows.argmax.resize(rows.pooled.size());
      backend->convReluPool(n, images.data() + first * kImageSize, kernel.data(), bias.data(), rows.pooled.data(),
                            rows.argmax.data());
      backend->dense(n, kPooledSize, kHidden, x.data() + first * kPooledSize, w.data(), bias.data(), true,
                     rows.y.data());
      backend->denseInputGradient(n, kPooledSize, kHidden, dy.data() + first * kHidden, w.data(), rows.dx.data());
      return rows;
    };
    const Rows all = compute(0, kRows);
    const auto sameRows = [](const auto& some, const auto& whole, std::int64_t first, std::int64_t width) {
      return std::equal(some.begin(), some.end(), whole.begin() + first * width);
    };
    for (const auto& [first, n] :
         {std::pair<std::int64_t, std::int64_t>{0, 1}, {13, 1}, {66, 1}, {5, 2}, {1, 11}, {20, 40}}) {
      const Rows some = compute(first, n);
      QVERIFY(sameRows(some.pooled, all.pooled, first, kPooledSize));
      QVERIFY(sameRows(some.argmax, all.argmax, first, kPooledSize));
      QVERIFY(sameRows(some.y, all.y, first, kHidden));
      QVERIFY(sameRows(some.dx, all.dx, first, kPooledSize));
    }
  }

  void referenceDenseGradients() {
    constexpr std::size_t n = 3, in = 7, out = 5;
    Rng rng(2);
    const Floats x = randomFloats(rng, n * in, -1, 1), w = randomFloats(rng, in * out, -1, 1),
                 bias = randomFloats(rng, out, -1, 1), d = randomFloats(rng, n * out, -1, 1);
    const auto backend = makeReferenceBackend();
    for (const bool relu : {false, true}) {
      Floats y(n * out), dy = d, dw(in * out), db(out), dx(n * in);
      backend->dense(n, in, out, x.data(), w.data(), bias.data(), relu, y.data());
      double loss = 0;
      for (std::size_t i = 0; i < y.size(); ++i) loss += static_cast<double>(y[i]) * d[i];
      QVERIFY(std::abs(loss - denseLoss(n, in, out, x, w, bias, relu, d)) < 1e-5);
      if (relu) backend->reluBackward(n * out, y.data(), dy.data());
      backend->denseWeightGradient(n, in, out, x.data(), dy.data(), dw.data());
      backend->denseBiasGradient(n, out, dy.data(), db.data());
      backend->denseInputGradient(n, in, out, dy.data(), w.data(), dx.data());
      const auto byW = [&](const Doubles& p) { return denseLoss(n, in, out, x, p, bias, relu, d); };
      const auto byBias = [&](const Doubles& p) { return denseLoss(n, in, out, x, w, p, relu, d); };
      const auto byX = [&](const Doubles& p) { return denseLoss(n, in, out, p, w, bias, relu, d); };
      QVERIFY(worstDifference(dw, differences(w, byW)) < 1e-6);
      QVERIFY(worstDifference(db, differences(bias, byBias)) < 1e-6);
      QVERIFY(worstDifference(dx, differences(x, byX)) < 1e-6);
    }
  }

  void referenceConvGradient() {
    constexpr std::int64_t n = 2;
    Rng rng(3);
    const Floats images = randomFloats(rng, n * kImageSize, 0, 1), kernel = randomFloats(rng, 9 * kFilters, -1, 1),
                 bias = randomFloats(rng, kFilters, -1, 1), d = randomFloats(rng, n * kPooledSize, -1, 1);
    // Σ d·pooled as a function of one filter's ten parameters.
    const auto filterLoss = [&](std::int64_t filter, const Doubles& parameters) {
      double loss = 0;
      for (std::int64_t image = 0; image < n; ++image) {
        for (std::int64_t cell = 0; cell < kPooledSide * kPooledSide; ++cell) {
          double best = 0;
          for (const std::int64_t corner : {0, 1, 28, 29}) {
            const std::int64_t origin =
                image * kImageSize + 56 * (cell / kPooledSide) + 2 * (cell % kPooledSide) + corner;
            double sum = parameters[9];
            for (std::int64_t tap = 0; tap < 9; ++tap) {
              sum += parameters[static_cast<std::size_t>(tap)] *
                     images[static_cast<std::size_t>(origin + tap / 3 * kImageSide + tap % 3)];
            }
            best = std::max(best, sum);
          }
          loss += best * d[static_cast<std::size_t>(image * kPooledSize + cell * kFilters + filter)];
        }
      }
      return loss;
    };
    const auto backend = makeReferenceBackend();
    Floats pooled(n * kPooledSize), dKernel(9 * kFilters), dBias(kFilters);
    std::vector<std::uint8_t> argmax(pooled.size());
    backend->convReluPool(n, images.data(), kernel.data(), bias.data(), pooled.data(), argmax.data());
    backend->convReluPoolBackward(n, images.data(), argmax.data(), d.data(), d.data(), dKernel.data(), dBias.data());
    for (std::size_t filter = 0; filter < kFilters; ++filter) {
      Floats parameters(10), gradient(10);
      for (std::size_t tap = 0; tap < 9; ++tap) {
        parameters[tap] = kernel[tap * kFilters + filter];
        gradient[tap] = dKernel[tap * kFilters + filter];
      }
      parameters[9] = bias[filter];
      gradient[9] = dBias[filter];
      const Doubles expected =
          differences(parameters, [&](const Doubles& p) { return filterLoss(static_cast<std::int64_t>(filter), p); });
      QVERIFY2(worstDifference(gradient, expected) < 1e-5,
               qPrintable(QString("filter %1: %2").arg(filter).arg(worstDifference(gradient, expected))));
    }
  }

  void referenceLossGradient() {
    constexpr std::size_t n = 4;
    constexpr float scale = 0.25F;
    Rng rng(4);
    const Floats logits = randomFloats(rng, n * kClasses, -3, 3);
    const std::array<std::uint8_t, n> labels{0, 9, 3, 3};
    const auto loss = [&](const auto& p) {
      double total = 0;
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t c = 0; c < kClasses; ++c) sum += std::exp(static_cast<double>(p[i * kClasses + c]));
        total += std::log(sum) - p[i * kClasses + labels[i]];
      }
      return scale * total;
    };
    Floats losses(n), dLogits(n * kClasses);
    std::array<std::uint8_t, n> predictions{};
    makeReferenceBackend()->softmaxCrossEntropy(n, logits.data(), labels.data(), scale, losses.data(),
                                                predictions.data(), dLogits.data());
    QVERIFY(std::abs(scale * (losses[0] + losses[1] + losses[2] + losses[3]) - loss(logits)) < 1e-6);
    QVERIFY(worstDifference(dLogits, differences(logits, loss)) < 1e-6);
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = logits.begin() + static_cast<std::ptrdiff_t>(i * kClasses);
      QCOMPARE(static_cast<std::ptrdiff_t>(predictions[i]), std::max_element(row, row + kClasses) - row);
    }
  }

  void aNanIsSeen_data() { againstReference_data(); }
  void aNanIsSeen() {
    QFETCH(QString, path);
    ThreadPool pool(1);
    const auto fast = makeCpuBackend(pool, path.toStdString());
    const auto reference = makeReferenceBackend();
    const float nan = std::nanf("");
    for (Backend* backend : {fast.get(), reference.get()}) {
      const Floats images(kImageSize, 1), kernel(288, nan), bias(32, 0);
      Floats pooled(kPooledSize), y(1), rounded(1);
      std::vector<std::uint8_t> argmax(kPooledSize);
      backend->convReluPool(1, images.data(), kernel.data(), bias.data(), pooled.data(), argmax.data());
      QVERIFY(std::ranges::all_of(pooled, [](float value) { return std::isnan(value); }));
      backend->dense(1, 1, 1, &nan, kernel.data(), bias.data(), true, y.data());
      QVERIFY(std::isnan(y[0]));
      backend->roundToBfloat16(1, &nan, rounded.data());
      QVERIFY(std::isnan(rounded[0]));
    }
  }

  void unknownPathIsAUserError() {
    ThreadPool pool(1);
    QVERIFY_THROWS_EXCEPTION(UserError, makeCpuBackend(pool, "avx1024"));
    qputenv("STRATEGYLAB_CPU_PATH", "sse9");
    QVERIFY_THROWS_EXCEPTION(UserError, makeCpuBackend(pool));
    qputenv("STRATEGYLAB_CPU_PATH", "baseline");
    QCOMPARE(makeCpuBackend(pool)->name(), std::string_view("cpu baseline"));
    qunsetenv("STRATEGYLAB_CPU_PATH");
    QCOMPARE(std::string(makeCpuBackend(pool)->name()), "cpu " + cpuIsas().front());
  }
};

QTEST_GUILESS_MAIN(TestOperations)
#include "tst_operations.moc"
