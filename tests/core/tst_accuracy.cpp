// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=45
// Training reaches what it should: 3 epochs of MNIST under every strategy, 10 of the embedded digits. Left out is the
// default strategy, which trains the same bits as one device (tst_strategies, defaultAndOneDeviceGiveIdenticalNumbers).
#include <QTest>

#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "tests/support/reference.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

class TestAccuracy : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> mnist_;
  std::map<std::string, Outcome> outcomes_;  // by strategy

  static double lastAccuracy(const Outcome& outcome) { return outcome.evaluations.back().testAccuracy; }

  const Outcome& outcomeOf(const std::string& strategy) {
    const auto known = outcomes_.find(strategy);
    if (known != outcomes_.end()) return known->second;
    RunConfig config = configOf({{"strategy", strategy}, {"epochs", "3"}, {"threads", "1"}});
    if (strategyInfo(config.strategy).singleReplica)
      config.globalBatch = 256;
    else
      config.replicas = 4;
    return outcomes_.emplace(strategy, train(config, mnist_)).first->second;
  }

 private slots:
  void initTestCase() {
    if (!referenceDir().empty()) mnist_ = loadDataset("mnist", referenceDir() / "mnist");
  }

  void mnist_data() {
    QTest::addColumn<QString>("strategy");
    for (const StrategyInfo& info : strategies())
      if (info.kind != StrategyKind::Default) QTest::addRow("%s", info.key.c_str()) << info.key.c_str();
  }
  void mnist() {
    if (!mnist_) QSKIP("MNIST is not here: set STRATEGYLAB_REFERENCE_DIR");
    QFETCH(QString, strategy);
    const StrategyInfo& info = strategyInfo(configOf({{"strategy", strategy.toStdString()}}).strategy);
    const Outcome& outcome = outcomeOf(info.key);
    const double accuracy = lastAccuracy(outcome), oneDevice = lastAccuracy(outcomeOf("one-device"));
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
        train(configOf({{"strategy", "mirrored"}, {"replicas", "2"}, {"epochs", "10"}}), embeddedDigits());
    qInfo("embedded digits: %.2f %%", 100 * lastAccuracy(outcome));
    QVERIFY(lastAccuracy(outcome) >= 0.93);
  }
};

QTEST_GUILESS_MAIN(TestAccuracy)
#include "tst_accuracy.moc"
