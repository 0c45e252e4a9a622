// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=40
// Training reaches the expected accuracy: 3 epochs of MNIST under every strategy, 10 of the embedded digits. A sharded
// run has Mirrored's weights to the bit (tst_sharded::itIsMirroredToTheBit), and is not trained here once more.
#include <QTest>

#include <cmath>

#include "core/strategy/strategy.h"
#include "tests/support/reference.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

// One thread changes no bit (tst_strategies); more would wait for each other beside other tests.
RunSettings onOneThread(const Settings& settings) {
  return configOf(with(settings, {{"threads", "1"}}));
}

}  // namespace

class TestAccuracy : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> mnist_;
  // The run of one device, which the others are compared with. That of the default strategy has the same numbers, as
  // tst_strategies::defaultAndOneDeviceGiveIdenticalNumbers shows.
  Outcome alone_;

  static double lastAccuracy(const Outcome& outcome) { return outcome.evaluations.back().testAccuracy; }

 private slots:
  void initTestCase() {
    if (referenceDir().empty()) return;
    mnist_ = loadDataset("mnist", referenceDir() / "mnist");
    alone_ = train(onOneThread({{"strategy", "one-device"}, {"global-batch", "256"}, {"epochs", "3"}}), mnist_);
  }

  void mnist_data() {
    QTest::addColumn<QString>("strategy");
    for (const StrategyInfo& info : strategies())
      if (info.shards.empty()) QTest::addRow("%s", info.key.c_str()) << info.key.c_str();
  }
  void mnist() {
    if (!mnist_) QSKIP("MNIST is not here: set STRATEGYLAB_REFERENCE_DIR");
    QFETCH(QString, strategy);
    const RunSettings config = onOneThread({{"strategy", strategy.toStdString()}, {"epochs", "3"}, {"replicas", "4"}});
    const StrategyInfo& info = strategyInfo(config.strategy);
    const Outcome outcome = info.singleReplica ? alone_ : train(config, mnist_);
    const double accuracy = lastAccuracy(outcome), oneDevice = lastAccuracy(alone_);
    qInfo("%s: %.2f %%, one device %.2f %%, %.0f images/s", info.key.c_str(), 100 * accuracy, 100 * oneDevice,
          outcome.end.imagesPerSecond);
    if (!info.synchronous) {
      QVERIFY(accuracy >= 0.975);
      double staleness = 0;
      for (const StepMetric& step : outcome.steps) staleness += static_cast<double>(*step.staleness);
      staleness /= static_cast<double>(outcome.steps.size());
      QVERIFY2(std::abs(staleness - 3) <= 0.2, qPrintable(QString("mean staleness %1").arg(staleness)));
      return;
    }
    QVERIFY(accuracy >= 0.977);
    QVERIFY(std::abs(accuracy - oneDevice) <= 0.003);
  }

  void digits() {
    const Outcome outcome =
        train(onOneThread({{"strategy", "mirrored"}, {"replicas", "2"}, {"epochs", "10"}}), embeddedDigits());
    qInfo("embedded digits: %.2f %%", 100 * lastAccuracy(outcome));
    QVERIFY(lastAccuracy(outcome) >= 0.93);
  }
};

QTEST_GUILESS_MAIN(TestAccuracy)
#include "tst_accuracy.moc"
