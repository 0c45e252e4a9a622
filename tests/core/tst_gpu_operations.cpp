// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=20
// The kernels of the GPU backend, from their own source, carried out on the processor thread by thread: compared with
// the reference, in any order of threads and streams, and with rows that do not depend on their batch.
// On a GPU, `strategylab-cli selftest --devices cuda` runs the same cases.
#include <QTest>

#include <algorithm>
#include <cstring>

#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/device/cuda/gpu_commands.h"
#include "core/device/cuda/gpu_memory.h"
#include "core/selftest/operation_cases.h"
#include "core/selftest/reference.h"
#include "core/selftest/staged_backend.h"
#include "tests/support/emulated_gpus.h"

using namespace lab;

namespace {

using Floats = std::vector<float>;

Floats randomFloats(Rng& rng, std::int64_t size) {
  Floats result(static_cast<std::size_t>(size));
  for (float& value : result) value = static_cast<float>(2 * rng.uniform() - 1);
  return result;
}

struct NoNumbers final : gpu::StepNumbers {
  const float* put(float) override { return nullptr; }
};

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
    // The list must contain every kernel, so that selftest can name the wrong one.
    for (int id = 0; id < gpu::kKernels; ++id)
      QVERIFY2(gpus->counts().ofKernel[static_cast<std::size_t>(id)] > 0, std::to_string(id).c_str());
    qInfo("%zu cases; the worst error is %.2f of what is allowed", operationCases().size(), nearest);
  }

  // Another order of threads reveals a missing barrier, or two threads that write to one place.
  void sameBitsInAnyOrderOfThreads() {
    const auto first = test::makeEmulatedGpus({.seed = 2}), second = test::makeEmulatedGpus({.seed = 3});
    const auto a = gpu::makeStagedBackend(*first, 0), b = gpu::makeStagedBackend(*second, 0);
    for (const OperationCase& operation : operationCases())
      QVERIFY2(operation.run(*a) == operation.run(*b), operation.name.c_str());
  }

  // Beyond 1024 rows, the product is split differently.
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
         {std::pair<std::int64_t, std::int64_t>{0, 1}, {1029, 1}, {7, 130}, {11, 200}, {3, 1024}, {2, 1025}}) {
      const Floats some = rows(first, n);
      QVERIFY(std::equal(some.begin(), some.end(), all.begin() + first * kColumns));
    }
  }

  // The same for the gradient by the input, in tiles of 16, 32 and 64 rows.
  void rowsOfInputGradientsDoNotKnowTheirBatch() {
    const auto gpus = test::makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    Rng rng(9);
    constexpr std::int64_t kRows = 300, kIn = 1000, kOut = 10;
    const Floats dy = randomFloats(rng, kRows * kOut), w = randomFloats(rng, kIn * kOut);
    const auto rows = [&](std::int64_t first, std::int64_t n) {
      Floats dx(static_cast<std::size_t>(n * kIn));
      backend->denseInputGradient(n, kIn, kOut, dy.data() + first * kOut, w.data(), dx.data());
      return dx;
    };
    const Floats all = rows(0, kRows);
    for (const auto& [first, n] : {std::pair<std::int64_t, std::int64_t>{5, 20}, {100, 160}}) {
      const Floats some = rows(first, n);
      QVERIFY(std::equal(some.begin(), some.end(), all.begin() + first * kIn));
    }
  }

  // The dense layer's products at the batch sizes of the course: the tile depends on the number of blocks for 132
  // multiprocessors.
  void fewRowsHaveSmallerTiles_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("forward");  // rows of a tile
    QTest::addColumn<int>("back");
    const auto row = [](int rows, int forward, int back) { QTest::addRow("%d", rows) << rows << forward << back; };
    row(8, 16, 16);
    row(32, 16, 32);
    row(64, 32, 64);
    row(128, 64, 32);
    row(256, 32, 64);
    row(1024, 64, 64);
  }
  void fewRowsHaveSmallerTiles() {
    QFETCH(int, rows);
    QFETCH(int, forward);
    QFETCH(int, back);
    const auto rowsOf = [](gpu::KernelId kernel) {
      const bool small = kernel == gpu::KernelId::ProductForward16 || kernel == gpu::KernelId::ProductInputGradient16;
      const bool half = kernel == gpu::KernelId::ProductForward32 || kernel == gpu::KernelId::ProductInputGradient32;
      return small ? 16 : half ? 32 : 64;
    };
    gpu::CommandList list;
    const gpu::ProductSplits splits =
        gpu::launchDenseSplits(list, 0, nullptr, rows, kPooledSize, kHidden, nullptr, nullptr);
    gpu::launchDenseInputGradient(list, 0, nullptr, rows, kPooledSize, kHidden, nullptr, nullptr, nullptr, nullptr);
    const gpu::Command &there = list.commands()[0], &andBack = list.commands()[1];
    QCOMPARE(rowsOf(there.kernel), forward);
    QCOMPARE(there.gridY, (rows + forward - 1) / forward);
    QCOMPARE(std::int64_t{there.gridZ}, splits.count);
    QCOMPARE(rowsOf(andBack.kernel), back);
    QCOMPARE(andBack.gridY, (rows + back - 1) / back);
  }

  // With so many examples, every sum over them is computed in several parts.
  // A flattened picture of 2100 by 2100 and one of 10000 by 10000: nothing is computed.
  void aLayerHasAnyNumberOfInputs_data() {
    QTest::addColumn<qint64>("inputs");
    for (const qint64 inputs : {2100 * 2100, 3000 * 3000, 10000 * 10000})
      QTest::addRow("%lld", static_cast<long long>(inputs)) << inputs;
  }
  void aLayerHasAnyNumberOfInputs() {
    QFETCH(qint64, inputs);
    gpu::CommandList list;
    NoNumbers numbers;
    const auto backend = gpu::makeCommandBackend(list, 0, nullptr, numbers);
    for (const std::int64_t n : {1, 2000}) {
      backend->dense(n, inputs, 2, nullptr, nullptr, nullptr, false, nullptr);
      backend->denseWeightGradient(n, inputs, 2, nullptr, nullptr, nullptr);
      backend->denseInputGradient(n, inputs, 2, nullptr, nullptr, nullptr);
    }
    QVERIFY(!list.commands().empty());
  }

  void sumsOverManyExamples() {
    const auto gpus = test::makeEmulatedGpus();
    const auto backend = gpu::makeStagedBackend(*gpus, 0);
    const auto reference = makeReferenceBackend();
    Rng rng(6);
    constexpr std::int64_t n = 1500, in = 70, out = 40;
    Floats x(static_cast<std::size_t>(n * in)), dy(static_cast<std::size_t>(n * out));
    for (Floats* values : {&x, &dy})  // eighths, so that sums are exact
      for (float& value : *values) value = static_cast<float>(rng.below(17)) / 8 - 1;
    Floats dw(static_cast<std::size_t>(in * out)), db(static_cast<std::size_t>(out)), expectedDw = dw, expectedDb = db;
    backend->denseWeightGradient(n, in, out, x.data(), dy.data(), dw.data());
    reference->denseWeightGradient(n, in, out, x.data(), dy.data(), expectedDw.data());
    backend->denseBiasGradient(n, out, dy.data(), db.data());
    reference->denseBiasGradient(n, out, dy.data(), expectedDb.data());
    QVERIFY(dw == expectedDw);
    QVERIFY(db == expectedDb);
  }

  // The sums left by the head are added in one launch, with the bits of the separate operations, however the sums are
  // split.
  void smallGradientsAsTheirParts() {
    const auto layer = test::makeEmulatedGpus();
    Rng rng(8);
    for (const std::int64_t n : {1, 5, 64, 128, 129, 256, 257, 700, 1030, 2500}) {
      constexpr std::int64_t kSize = kHidden * kClasses + kClasses + kHidden;
      const gpu::PinnedMemory floats(*layer, (n * (2 * kHidden + kClasses + 1) + 2 * kSize) * 4), bytes(*layer, 2 * n),
          tallies(*layer, 2 * sizeof(gpu::StepTally));
      const gpu::DeviceMemory scratch(*layer, 0, gpu::scratchFloats(n, kHidden, kClasses) * 4);
      float *hidden = floats.as<float>(), *dHidden = hidden + n * kHidden, *dLogits = dHidden + n * kHidden,
            *losses = dLogits + n * kClasses, *actual = losses + n, *expected = actual + kSize;
      auto *predictions = bytes.as<std::uint8_t>(), *labels = predictions + n;
      std::generate(hidden, actual, [&] { return static_cast<float>(2 * rng.uniform() - 1); });
      std::generate(predictions, predictions + 2 * n, [&] { return static_cast<std::uint8_t>(rng.below(3)); });
      auto* tally = tallies.as<gpu::StepTally>();

      const int stream = layer->createStream(0);
      gpu::CommandList list;
      NoNumbers numbers;
      const auto parts = gpu::makeCommandBackend(list, stream, scratch.as<float>(), numbers);
      parts->denseWeightGradient(n, kHidden, kClasses, hidden, dLogits, expected);
      parts->denseBiasGradient(n, kClasses, dLogits, expected + kHidden * kClasses);
      parts->denseBiasGradient(n, kHidden, dHidden, expected + kHidden * kClasses + kClasses);
      list.launch(stream, gpu::KernelId::Tally, gpu::TallyArgs{losses, predictions, labels, tally, n}, 1);
      gpu::launchSmallGradients(
          list, stream,
          {hidden, dLogits, dHidden, losses, predictions, labels, actual, actual + kHidden * kClasses,
           actual + kHidden * kClasses + kClasses, tally + 1, n, 0, 0});
      layer->submit(list.commands());
      layer->waitForStream(stream);
      QVERIFY2(std::memcmp(actual, expected, kSize * 4) == 0, std::to_string(n).c_str());
      QCOMPARE(tally[1].lossSum, tally[0].lossSum);
      QCOMPARE(tally[1].correct, tally[0].correct);
    }
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
