// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=25
// The double-precision network of tests/support against the golden trajectories: the judge of the others is tested
// first.
#include <QTest>

#include <cmath>
#include <numeric>

#include "tests/support/golden.h"
#include "tests/support/idx.h"
#include "tests/support/reference.h"
#include "tests/support/reference_network.h"

using namespace lab::test;

class TestGoldenReference : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (referenceDir().empty()) QSKIP("no reference folder (STRATEGYLAB_REFERENCE_DIR): golden cases and MNIST");
  }

  void reproduces_data() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : goldenCaseNames()) QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
  }

  void reproduces() {
    QFETCH(QString, name);
    const auto folder = referenceDir() / "golden";
    const GoldenCase set = readGoldenCase(folder / (name.toStdString() + ".json"));
    const auto used =
        std::min(set.examples, std::accumulate(set.batchSizes.begin(), set.batchSizes.end(), std::int64_t{0}));
    const TrainingImages data = readTrainingImages(referenceDir() / "mnist", used);
    const Trajectory ours =
        trainInDouble(set, readInitialWeights(folder / "init-11.safetensors"), data.pixels, data.labels);

    double worstLoss = 0, worstWeight = 0;
    for (std::size_t step = 0; step < set.losses.size(); ++step) {
      worstLoss = std::max(worstLoss, std::abs(ours.losses[step] / set.losses[step] - 1));
    }
    for (const auto& [variable, expected] : set.finals) {
      const std::vector<double>& values = ours.weights.at(variable);
      double squares = 0, sum = 0;
      for (const double value : values) {
        squares += value * value;
        sum += value;
      }
      worstWeight = std::max(
          {worstWeight, std::abs(std::sqrt(squares) / expected.l2 - 1), std::abs(sum - expected.sum) / expected.l2});
      for (std::size_t i = 0; i < expected.sample.size(); ++i) {
        const double difference = std::abs(values[i * (values.size() / 5)] - expected.sample[i]);
        worstWeight = std::max(worstWeight, difference / std::abs(expected.sample[i]));
      }
    }
    qInfo("worst relative difference: loss %.1e, final weights %.1e", worstLoss, worstWeight);
    QVERIFY2(worstLoss < 1e-12, qPrintable(QString("losses differ by %1").arg(worstLoss)));
    QVERIFY2(worstWeight < 1e-10, qPrintable(QString("final weights differ by %1").arg(worstWeight)));
  }
};

QTEST_GUILESS_MAIN(TestGoldenReference)
#include "tst_golden_reference.moc"
