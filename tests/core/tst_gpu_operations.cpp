// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the GPU backend, their very source, carried out on the processor thread by thread: against the
// reference, in any order of threads and streams, and with rows that do not know their batch.
// On a GPU the same cases are `strategylab-cli selftest --devices cuda`.
#include <QTest>

#include <algorithm>

#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/device/cuda/staged_backend.h"
#include "core/device/operation_cases.h"
#include "tests/support/emulated_gpus.h"

using namespace lab;

namespace {

using Floats = std::vector<float>;

Floats randomFloats(Rng& rng, std::int64_t size) {
  Floats result(static_cast<std::size_t>(size));
  for (float& value : result) value = static_cast<float>(2 * rng.uniform() - 1);
  return result;
}

}  // namespace

class TestGpuOperations : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { flushDenormals(); }

  void againstReference() {
    const auto gpus = test::makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    const auto reference = makeReferenceBackend();
    double nearest = 0;
    for (const OperationCase& operation : operationCases()) {
      const CaseOutcome outcome = runCase(operation, *backend, *reference);
      if (outcome.bound > 0) nearest = std::max(nearest, outcome.worstError / outcome.bound);
      QVERIFY2(outcome.passed, (operation.name + ": " + outcome.failure).c_str());
    }
    QCOMPARE(gpus->counts().allocations, gpus->counts().releases);
    qInfo("%zu cases; the worst error is %.2f of what is allowed", operationCases().size(), nearest);
  }

  // A missing barrier, or two threads that write one place, shows in another order of threads.
  void sameBitsInAnyOrderOfThreads() {
    const auto first = test::makeEmulatedGpus({.seed = 2}), second = test::makeEmulatedGpus({.seed = 3});
    const auto a = gpu::makeStagedBackend(*first, 0), b = gpu::makeStagedBackend(*second, 0);
    for (const OperationCase& operation : operationCases())
      QVERIFY2(operation.run(*a) == operation.run(*b), operation.name.c_str());
  }

  // Beyond 1024 rows the product is cut otherwise.
  void rowsDoNotKnowTheirBatch() {
    const auto gpus = test::makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    Rng rng(5);
    constexpr std::int64_t kRows = 1030, kDepth = 1300, kColumns = 5;
    const Floats x = randomFloats(rng, kRows * kDepth), w = randomFloats(rng, kDepth * kColumns),
                 bias = randomFloats(rng, kColumns);
    const auto rows = [&](std::int64_t first, std::int64_t n) {
      Floats y(static_cast<std::size_t>(n * kColumns));
      backend->dense(n, kDepth, kColumns, x.data() + first * kDepth, w.data(), bias.data(), true, y.data());
      return y;
    };
    const Floats all = rows(0, kRows);
    for (const auto& [first, n] :
         {std::pair<std::int64_t, std::int64_t>{0, 1}, {1029, 1}, {7, 130}, {3, 1024}, {2, 1025}}) {
      const Floats some = rows(first, n);
      QVERIFY(std::equal(some.begin(), some.end(), all.begin() + first * kColumns));
    }
  }

  // Enough examples that every sum over them is taken in several parts.
  void sumsOverManyExamples() {
    const auto gpus = test::makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    const auto reference = makeReferenceBackend();
    Rng rng(6);
    constexpr std::int64_t n = 1500, in = 70, out = 40;
    Floats x(static_cast<std::size_t>(n * in)), dy(static_cast<std::size_t>(n * out));
    for (Floats* values : {&x, &dy})  // eighths: sums are exact
      for (float& value : *values) value = static_cast<float>(rng.below(17)) / 8 - 1;
    Floats dw(static_cast<std::size_t>(in * out)), db(static_cast<std::size_t>(out)), expectedDw = dw, expectedDb = db;
    backend->denseWeightGradient(n, in, out, x.data(), dy.data(), dw.data());
    reference->denseWeightGradient(n, in, out, x.data(), dy.data(), expectedDw.data());
    backend->denseBiasGradient(n, out, dy.data(), db.data());
    reference->denseBiasGradient(n, out, dy.data(), expectedDb.data());
    QVERIFY(dw == expectedDw);
    QVERIFY(db == expectedDb);
  }

  void aNanIsSeen() {
    const auto gpus = test::makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    const float nan = std::nanf("");
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
};

QTEST_GUILESS_MAIN(TestGpuOperations)
#include "tst_gpu_operations.moc"
