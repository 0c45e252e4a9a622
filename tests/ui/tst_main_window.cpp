// SPDX-License-Identifier: GPL-3.0-or-later
// The window on real training runs, small ones on the embedded digits: it shows what the run told, obeys pause and
// step, shows a failure as its sentence, and closes while training goes on.
#include <QAction>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

#include "ui/charts/metric_chart.h"
#include "ui/main_window.h"
#include "ui/run_controller.h"

using namespace lab;

namespace {

constexpr int kPatienceMs = 30'000;  // only a hang takes so long
constexpr std::int64_t kEndless = 1'000'000;

RunConfig smallRun(std::int64_t steps) {
  RunConfig config;
  config.strategy = StrategyKind::Mirrored;
  config.replicas = 2;
  config.devices = DeviceChoice::Simulated;
  config.dataset = "digits";
  config.trainExamples = 64;
  config.testExamples = 32;
  config.batchPerReplica = 4;
  config.steps = steps;
  config.evalEvery = steps == kEndless ? 0 : steps;
  return config;
}

struct Fixture {
  RunController controller;
  MainWindow window{controller};

  Fixture() {
    window.show();
    window.activateWindow();
  }
  bool is(RunState state) const { return controller.state() == state; }
  const MetricChart& chart(const char* name) const { return *window.findChild<MetricChart*>(QLatin1String(name)); }
  QString text(const char* label) const { return window.findChild<QLabel*>(QLatin1String(label))->text(); }
  void press(Qt::Key key) { QTest::keyClick(&window, key); }
};

}  // namespace

class TestMainWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void showsWhatTheRunTold() {
    Fixture fixture;
    fixture.controller.start(smallRun(6));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    const auto& steps = fixture.controller.steps();
    QCOMPARE(steps.size(), std::size_t{6});
    QCOMPARE(fixture.controller.evaluations().size(), std::size_t{1});
    QVERIFY(fixture.controller.end().has_value());

    const auto& loss = fixture.chart("loss");
    QTRY_COMPARE_WITH_TIMEOUT(loss.shownPoints(0).size(), 6, kPatienceMs);
    QCOMPARE(loss.shownPoints(0).last(), QPointF(6, steps.back().loss));
    QCOMPARE(loss.shownPoints(1).last(), QPointF(6, fixture.controller.evaluations().back().testLoss));
    const auto& accuracy = fixture.chart("accuracy");
    QCOMPARE(accuracy.shownPoints(0).last(), QPointF(6, 100 * steps.back().accuracy));
    QVERIFY(std::isfinite(steps.back().loss) && steps.back().loss > 0);
    QCOMPARE(fixture.text("title"), QStringLiteral("MirroredStrategy"));
    QVERIFY(fixture.text("devices").startsWith(QStringLiteral("2 replicas on simulated")));
    QVERIFY(fixture.text("data").contains(QStringLiteral("64 training and 32 test images")));
    QVERIFY(fixture.text("state").startsWith(QStringLiteral("Finished: 6 steps")));
    QVERIFY(!fixture.window.findChild<QAction*>(QStringLiteral("play"))->isEnabled());
  }

  void pauseReallyPauses() {
    Fixture fixture, other;
    QVERIFY(QTest::qWaitForWindowActive(&other.window));
    fixture.controller.start(smallRun(kEndless));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.steps().size() >= 3, kPatienceMs);
    fixture.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&fixture.window));
    fixture.press(Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Paused), kPatienceMs);
    QCOMPARE(fixture.text("state"), QStringLiteral("Paused"));

    // The step that was under way may still arrive, and nothing after it, however long another run takes.
    const std::size_t before = fixture.controller.steps().size();
    other.controller.start(smallRun(50));
    QTRY_VERIFY_WITH_TIMEOUT(other.is(RunState::Finished), kPatienceMs);
    QVERIFY(fixture.controller.steps().size() <= before + 1);

    fixture.press(Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.steps().size() >= before + 4, kPatienceMs);
    QVERIFY(fixture.is(RunState::Running));
  }

  void stepMakesOneStep() {
    Fixture fixture;
    QVERIFY(QTest::qWaitForWindowActive(&fixture.window));
    fixture.controller.start(smallRun(kEndless), true);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Paused), kPatienceMs);
    QVERIFY(fixture.controller.steps().empty());
    for (std::size_t press = 1; press <= 3; ++press) {
      fixture.press(Qt::Key_Right);
      QTRY_COMPARE_WITH_TIMEOUT(fixture.controller.steps().size(), press, kPatienceMs);
      QCOMPARE(fixture.controller.steps().back().step, static_cast<std::int64_t>(press));
      QVERIFY(fixture.is(RunState::Paused));
    }
    fixture.controller.stop();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Stopped), kPatienceMs);
    QCOMPARE(fixture.controller.steps().size(), std::size_t{3});
  }

  void closesDuringTraining() {
    const QTemporaryDir folder;
    RunConfig config = smallRun(kEndless);
    config.metrics = folder.filePath(QStringLiteral("metrics.jsonl")).toStdString();
    std::size_t steps = 0;
    {
      Fixture fixture;
      fixture.controller.start(config);
      QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller.steps().empty(), kPatienceMs);
      QVERIFY(fixture.window.close());
      steps = fixture.controller.steps().size();
    }
    // What was asked for is there under its own name, with every step that was shown.
    QFile metrics(folder.filePath(QStringLiteral("metrics.jsonl")));
    QVERIFY(metrics.open(QIODevice::ReadOnly));
    const QByteArray text = metrics.readAll();
    QVERIFY(text.count('\n') >= static_cast<qsizetype>(steps));
    QVERIFY(text.endsWith("}\n"));
  }

  void closesWhilePreparingAndWhilePaused() {
    { Fixture().controller.start(smallRun(kEndless)); }
    Fixture fixture;
    fixture.controller.start(smallRun(kEndless), true);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Paused), kPatienceMs);
    QVERIFY(fixture.controller.steps().empty());
  }

  void anotherRunStartsAfresh() {
    Fixture fixture;
    fixture.controller.start(smallRun(kEndless));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller.steps().empty(), kPatienceMs);
    fixture.controller.start(smallRun(2));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    QCOMPARE(fixture.controller.steps().size(), std::size_t{2});
  }

  void failureIsShownAsItsSentence() {
    const QTemporaryDir empty;
    RunConfig config = smallRun(6);
    config.dataset = "mnist";
    config.dataDir = empty.path().toStdString();
    Fixture fixture;
    fixture.controller.start(config);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Failed), kPatienceMs);
    QVERIFY(!fixture.controller.failure().isEmpty());
    QCOMPARE(fixture.text("banner"), fixture.controller.failure());
    QVERIFY(fixture.text("banner").contains(empty.path()));
    QVERIFY(fixture.window.findChild<QLabel*>(QStringLiteral("banner"))->isVisible());
    QCOMPARE(fixture.text("state"), QStringLiteral("Failed"));
    QVERIFY(!fixture.window.findChild<QAction*>(QStringLiteral("step"))->isEnabled());
  }

  void fileThatCannotBeWrittenIsAFailure() {
    const QTemporaryDir folder;
    RunConfig config = smallRun(kEndless);
    config.metrics = folder.filePath(QStringLiteral("no-such-folder/metrics.jsonl")).toStdString();
    Fixture fixture;
    fixture.controller.start(config);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Failed), kPatienceMs);
    QVERIFY(fixture.text("banner").contains(QStringLiteral("no-such-folder")));
  }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
