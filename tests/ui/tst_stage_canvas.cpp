// SPDX-License-Identifier: GPL-3.0-or-later
// The stage keeps its picture and paints only what has changed: it must not be told from one that is painted whole.
#include <QScreen>
#include <QTest>

#include <random>

#include "ui/playback/playback.h"
#include "ui/scene/selection.h"
#include "ui/setup/fit.h"
#include "ui/stage/stage.h"
#include "ui/watch/run_controller.h"

using namespace lab;

class TestStageCanvas : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void looksAsIfPaintedWhole_data() {
    QTest::addColumn<QString>("strategy");
    for (const std::string& key : configField("strategy").choices)
      QTest::newRow(key.c_str()) << QString::fromStdString(key);
  }

  void looksAsIfPaintedWhole() {
    QFETCH(QString, strategy);
    RunConfig config = withSetting(teachingConfig(), "strategy", strategy.toStdString());
    config.dataset = "digits";
    config.trainExamples = 64;
    config.testExamples = 32;
    config.steps = 3;
    config = fitted(config, "strategy");
    RunController controller;
    Playback playback(controller);
    Selection selection;
    Stage kept(controller, playback, selection);
    kept.resize(1100, 700);
    controller.start(config, true);
    QTRY_VERIFY_WITH_TIMEOUT(playback.record() != nullptr, 30'000);

    std::mt19937 random(1);
    kept.show();
    QVERIFY(QTest::qWaitForWindowExposed(&kept));
    // What is on the screen: the stage paints where it has asked to, and nowhere else.
    const auto looksTheSame = [&] {
      Stage whole(controller, playback, selection);
      whole.resize(kept.size());
      const QImage wanted = whole.grab().toImage().convertToFormat(QImage::Format_RGB32);
      return QTest::qWaitFor(
          [&] {
            return kept.screen()->grabWindow(kept.winId()).toImage().convertToFormat(QImage::Format_RGB32) == wanted;
          },
          2000);
    };
    for (int i = 0; i < 30; ++i) {
      // A frame further, and now and then anywhere.
      const double length = playback.story().seconds;
      const double anywhere = std::uniform_real_distribution<double>(0, length)(random);
      playback.seek(playback.step(), i % 3 == 0 ? anywhere : std::min(playback.seconds() + 0.016, length));
      if (i % 20 == 5 && !kept.scene().items.empty())
        selection.pin(kept.scene().items[random() % kept.scene().items.size()].object);
      QVERIFY2(looksTheSame(), qPrintable(QStringLiteral("at %1 s").arg(playback.seconds())));
    }
  }
};

QTEST_MAIN(TestStageCanvas)
#include "tst_stage_canvas.moc"
