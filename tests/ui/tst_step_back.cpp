// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=14
// Going back shows the same pictures as going forward, at every granularity and over steps that were dropped long ago
// and must be recomputed. Pictures are compared pixel by pixel.
#include <QTest>

#include <vector>

#include "core/base/platform.h"
#include "core/options/config_field.h"
#include "tests/support/patience.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/stage/stage.h"
#include "ui/step/selection.h"

using namespace lab;

namespace {

struct Fixture {
  RunController controller;
  Playback playback{controller};
  Selection selection;
  Stage stage{controller, playback, selection};

  explicit Fixture(const RunSettings& config) {
    stage.resize(900, 480);
    stage.show();
    playback.setReducedMotion(true);
    controller.start(config, true);
  }

  bool atRest() const { return playback.record() && !playback.isMoving() && !playback.isRecomputing(); }

  // Returns the stage's picture without the chip that shows how far training is.
  QImage picture() {
    stage.grab();
    QImage image(stage.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    ScenePainter().paint(painter, stage.scene(), *controller.info()->data, {});
    return image;
  }
};

RunSettings configOf(const QString& strategy) {
  RunSettings config;
  configField("strategy").set(config, strategy.toStdString());
  config.dataset = "digits";
  config.trainExamples = 60;
  config.testExamples = 10;
  config.evalEvery = 0;
  config.epochs = 100;
  config.threads = 2;
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (!info.singleReplica) config.replicas = 3;
  if (info.defaultHosts > 1) config.replicas = 4;  // as many on each
  if (!info.synchronous)
    config.batchPerReplica = 4;
  else
    config.globalBatch = 12;  // five steps in a pass
  return config;
}

}  // namespace

class TestStepBack : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { flushDenormals(); }

  void samePictures_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<int>("unit");
    QTest::addColumn<int>("times");
    const auto row = [](const char* strategy, const char* name, Playback::Unit unit, int times) {
      QTest::addRow("%s, %s", strategy, name) << QString::fromLatin1(strategy) << static_cast<int>(unit) << times;
    };
    for (const StrategyInfo& info : strategies()) {
      row(info.key.c_str(), "transfer", Playback::Unit::Transfer, 12);
      row(info.key.c_str(), "phase", Playback::Unit::Phase, 16);
    }
    // More steps than the program keeps.
    row("mirrored", "step", Playback::Unit::Step, 24);
    row("parameter-server", "step", Playback::Unit::Step, 24);
    row("mirrored", "epoch", Playback::Unit::Epoch, 16);
  }
  void samePictures() {
    QFETCH(QString, strategy);
    QFETCH(int, unit);
    QFETCH(int, times);
    const auto by = static_cast<Playback::Unit>(unit);
    Fixture fixture(configOf(strategy));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.atRest(), kPatienceMs);
    std::vector<QImage> passed{fixture.picture()};
    std::vector<std::pair<std::int64_t, double>> places{{fixture.playback.step(), fixture.playback.seconds()}};
    for (int i = 0; i < times; ++i) {
      fixture.playback.stepForward(by);
      QTRY_VERIFY_WITH_TIMEOUT(
          fixture.atRest() && std::pair(fixture.playback.step(), fixture.playback.seconds()) != places.back(),
          kPatienceMs);
      passed.push_back(fixture.picture());
      places.emplace_back(fixture.playback.step(), fixture.playback.seconds());
      QVERIFY(passed[passed.size() - 1] != passed[passed.size() - 2]);
    }
    for (int i = times - 1; i >= 0; --i) {
      fixture.playback.stepBack(by);
      const auto& place = places[static_cast<std::size_t>(i)];
      QTRY_VERIFY_WITH_TIMEOUT(fixture.atRest() && fixture.playback.step() == place.first &&
                                   qAbs(fixture.playback.seconds() - place.second) < 1e-9,
                               kPatienceMs);
      QVERIFY(fixture.picture() == passed[static_cast<std::size_t>(i)]);
    }
  }
};

QTEST_MAIN(TestStepBack)
#include "tst_step_back.moc"
