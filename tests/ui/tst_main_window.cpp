// SPDX-License-Identifier: GPL-3.0-or-later
// The window on real training runs, small ones on the embedded digits: it starts in Teach with a complete picture,
// obeys its keys, shows what the run told, answers a failure with its sentence, and closes while training goes on.
#include <QAction>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolBar>
#include <QToolButton>

#include <cmath>

#include "tests/ui/small_config.h"
#include "ui/charts/metric_chart.h"
#include "ui/inspect/inspector.h"
#include "ui/main_window.h"
#include "ui/narration/narration.h"
#include "ui/scrubber/run_bar.h"
#include "ui/scrubber/scrubber.h"
#include "ui/setup/fit.h"
#include "ui/stage/stage.h"
#include "ui/theme.h"

using namespace lab;

namespace {

constexpr int kPatienceMs = 30'000;  // only a hang takes so long
constexpr std::int64_t kEndless = 1'000'000;

RunConfig smallRun(std::int64_t steps = kEndless) {
  RunConfig config = test::smallConfig();
  config.steps = steps;
  config.evalEvery = steps == kEndless ? 0 : steps;
  return config;
}

QList<QPointF> shownOf(const MetricChart& chart, int run) {
  return chart.shownPoints(run, MetricChart::Kind::Each);
}

struct Fixture {
  RunController controller;
  MainWindow window{controller};
  Playback& playback = window.playback();

  explicit Fixture(const RunConfig& config = smallRun()) {
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    window.experiment().begin(config);
    (void)QTest::qWaitFor([this] { return playback.record() != nullptr || controller.isOver(); }, kPatienceMs);
  }
  bool is(RunState state) const { return controller.state() == state; }
  template <typename Widget>
  Widget& part(const char* name) const {
    return *window.findChild<Widget*>(QLatin1String(name));
  }
  QString text(const char* label) const { return part<QLabel>(label).text(); }
  bool isShown(const char* dock) const { return part<QDockWidget>(dock).isVisible(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&window, key, modifiers); }
  StrategyKind strategy() { return window.experiment().resolved().strategy; }
  std::int64_t replicas() { return window.experiment().resolved().replicas.value_or(0); }
};

}  // namespace

class TestMainWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // No dock asks for more than its place beside it, shown or not.
  void teachGivesTheStageTheRoom() {
    RunController controller;
    MainWindow window(controller);
    window.resize(1280, 720);
    window.show();
    window.experiment().begin(smallRun());
    QTRY_VERIFY(window.playback().record() != nullptr);
    window.refreshAll();
    QTest::qWait(0);
    QVERIFY2(10 * window.stage().width() >= 7 * window.width(), qPrintable(QString::number(window.stage().width())));
  }

  // In every layout it is there, whole, and nothing lies over it.
  void stageIsWholeInEveryLayout_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 720), QSize(1366, 768), QSize(1920, 1080)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void stageIsWholeInEveryLayout() {
    QFETCH(QSize, size);
    Fixture fixture;
    fixture.window.resize(size);
    for (const WindowLayout layout : {WindowLayout::Explore, WindowLayout::Profile, WindowLayout::Teach}) {
      fixture.window.setWindowLayout(layout);
      QTest::qWait(0);
      const Stage& stage = fixture.window.stage();
      QVERIFY(stage.isVisible());
      QVERIFY(stage.height() >= stage.minimumHeight());
      for (const QWidget* other : stage.parentWidget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (other != &stage && other->isVisible()) QVERIFY(!other->geometry().intersects(stage.geometry()));
      for (const QDockWidget* dock : fixture.window.findChildren<QDockWidget*>())
        if (dock->isVisible()) QVERIFY2(dock->width() > 40 && dock->height() > 40, qPrintable(dock->objectName()));
    }
  }

  void startsInTeachWithACompletePicture() {
    Fixture fixture;
    QVERIFY(fixture.playback.record() != nullptr);
    QCOMPARE(fixture.playback.step(), std::int64_t{1});
    QVERIFY(!fixture.playback.isPlaying());
    QCOMPARE(fixture.strategy(), StrategyKind::Mirrored);
    QCOMPARE(fixture.replicas(), std::int64_t{2});
    QCOMPARE(fixture.playback.record()->metric.examples, std::int64_t{8});
    QVERIFY(fixture.isShown("inspectorDock") && fixture.isShown("chartsDock"));
    QVERIFY(!fixture.isShown("setupDock") && !fixture.isShown("narrationDock") && !fixture.isShown("runsDock"));
    QVERIFY(!fixture.part<MetricChart>("accuracy").isVisible());
    QVERIFY(!fixture.window.stage().scene().items.empty() || fixture.window.grab().width() > 0);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.text("state"), QStringLiteral("Paused"), kPatienceMs);
  }

  void layoutsShowWhatTheyAreFor() {
    Fixture fixture;
    fixture.window.setWindowLayout(WindowLayout::Explore);
    for (const char* dock : {"setupDock", "inspectorDock", "chartsDock", "narrationDock"})
      QTRY_VERIFY2_WITH_TIMEOUT(fixture.isShown(dock), dock, kPatienceMs);
    QVERIFY(fixture.part<MetricChart>("modelledThroughput").isVisible());
    fixture.window.setWindowLayout(WindowLayout::Profile);
    QTRY_VERIFY(fixture.isShown("runsDock") && !fixture.isShown("setupDock"));
    fixture.window.setWindowLayout(WindowLayout::Teach);
    QTRY_VERIFY(!fixture.isShown("runsDock"));
    for (const auto* dock : fixture.window.findChildren<QDockWidget*>()) QVERIFY(!dock->objectName().isEmpty());
    for (const auto* bar : fixture.window.findChildren<QToolBar*>()) QVERIFY(!bar->objectName().isEmpty());
  }

  // Letters of another size arrange the docks anew, but for those that their user has opened, closed, moved or chosen.
  void docksStayAsTheirUserHasThemInAnotherSize() {
    constexpr QSize kSmall(1366, 768), kLarge(1920, 1440);
    Fixture fixture;
    MainWindow& window = fixture.window;
    const auto inFront = [&](const char* name) {
      return QTest::qWaitFor([&] { return !fixture.part<QDockWidget>(name).visibleRegion().isEmpty(); }, kPatienceMs);
    };
    window.resize(kSmall);
    window.setWindowLayout(WindowLayout::Profile);
    QVERIFY(inFront("traceDock"));
    fixture.part<QDockWidget>("setupDock").toggleViewAction()->trigger();
    fixture.part<QDockWidget>("chartsDock").toggleViewAction()->trigger();
    fixture.part<QDockWidget>("whatIfDock").raise();
    QVERIFY(inFront("whatIfDock"));
    for (const QSize size : {kLarge, kSmall}) {
      const int text = theme::textSize();
      window.resize(size);
      QTRY_VERIFY(theme::textSize() != text);
      QVERIFY(inFront("whatIfDock") && inFront("setupDock"));
      QVERIFY(!fixture.isShown("chartsDock") && fixture.isShown("traceDock"));
    }
    auto& trace = fixture.part<QDockWidget>("traceDock");
    window.addDockWidget(Qt::LeftDockWidgetArea, &trace);
    window.resize(kLarge);
    QTRY_COMPARE(theme::textSize(), theme::textSizeFor(kLarge.height()));
    QCOMPARE(window.dockWidgetArea(&trace), Qt::LeftDockWidgetArea);
    // A session's docks are where they were left, and may be arranged for another size later.
    const QByteArray left = window.saveState();
    window.setWindowLayout(WindowLayout::Profile);
    QCOMPARE(window.dockWidgetArea(&trace), Qt::BottomDockWidgetArea);
    QVERIFY(!fixture.isShown("setupDock") && fixture.isShown("chartsDock"));
    window.restoreDocks(left, 0);
    QCOMPARE(window.dockWidgetArea(&trace), Qt::LeftDockWidgetArea);
    window.resize(kSmall);
    QTRY_COMPARE(window.dockWidgetArea(&trace), Qt::BottomDockWidgetArea);
    QVERIFY(fixture.isShown("setupDock") && !fixture.isShown("chartsDock"));
  }

  void controlsFitAndHaveNames_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080), QSize(3840, 2160)})
      QTest::addRow("%d", size.width()) << size;
  }
  void controlsFitAndHaveNames() {
    QFETCH(QSize, size);
    theme::setTextSize(theme::textSizeFor(size.height()));
    theme::apply(*qApp);
    {
      Fixture fixture;
      fixture.window.resize(size);
      fixture.window.setWindowLayout(WindowLayout::Teach);
      QCoreApplication::processEvents();
      for (const StrategyInfo& info : strategies()) {
        fixture.window.experiment().set(QStringLiteral("strategy"), QString::fromStdString(info.key));
        QCoreApplication::processEvents();
        const auto* more = fixture.window.findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
        QVERIFY2(more == nullptr || !more->isVisible(), info.key.c_str());
      }
      for (const auto* button : fixture.part<QToolBar>("controls").findChildren<QToolButton*>())
        if (button->objectName() != QStringLiteral("qt_toolbar_ext_button"))
          QVERIFY(!button->accessibleName().isEmpty());
      QVERIFY(fixture.window.stage().width() > size.width() / 2);
      QVERIFY(fixture.window.stage().height() > size.height() / 2);
    }
    theme::setTextSize(13);
    theme::apply(*qApp);
  }

  void keysDoWhatTheSheetSays() {
    Fixture fixture;
    fixture.press(Qt::Key_Space);
    QVERIFY(fixture.playback.isPlaying());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.seconds() > 0, kPatienceMs);
    fixture.press(Qt::Key_Space);
    QVERIFY(!fixture.playback.isPlaying());

    fixture.press(Qt::Key_Home);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.seconds(), 0.0, kPatienceMs);
    fixture.press(Qt::Key_Right);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.playback.isMoving() && fixture.playback.seconds() > 0, kPatienceMs);
    QVERIFY(!fixture.playback.isPlaying());
    const double phase = fixture.playback.seconds();
    fixture.press(Qt::Key_Period);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.playback.isMoving() && fixture.playback.seconds() != phase, kPatienceMs);
    fixture.press(Qt::Key_Right, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{2}, kPatienceMs);

    fixture.press(Qt::Key_Plus);
    QCOMPARE(fixture.replicas(), std::int64_t{3});
    fixture.press(Qt::Key_Minus);
    QCOMPARE(fixture.replicas(), std::int64_t{2});
    for (int number = 0; number < 7; ++number) {
      fixture.press(static_cast<Qt::Key>(Qt::Key_1 + number));
      QCOMPARE(fixture.strategy(), strategies()[static_cast<std::size_t>(number)].kind);
    }
    fixture.press(Qt::Key_3);
    QVERIFY(!fixture.playback.isPlaying());  // acting while paused does not resume

    fixture.press(Qt::Key_L);
    QVERIFY(fixture.playback.isPlaying() && fixture.playback.mode() == Playback::Mode::Live);
    fixture.window.selection().pin({Object::Kind::Device, 0, -1});
    fixture.press(Qt::Key_Escape);
    QVERIFY(!fixture.window.selection().pinned());
    fixture.press(Qt::Key_Question);
    QVERIFY(fixture.window.findChild<QDialog*>(QStringLiteral("shortcuts")) != nullptr);
  }

  void typingANumberIsNotAKey() {
    Fixture fixture;
    auto* replicas = fixture.part<QWidget>("replicas").findChild<QSpinBox*>();
    replicas->setFocus();
    replicas->selectAll();
    QTest::keyClick(replicas, Qt::Key_4);
    QCOMPARE(fixture.strategy(), StrategyKind::Mirrored);
    QTest::keyClick(replicas, Qt::Key_Return);
    QCOMPARE(fixture.replicas(), std::int64_t{4});
    QCOMPARE(fixture.window.experiment().resolved().globalBatch.value_or(0), std::int64_t{8});
    // And Space plays even there.
    replicas->setFocus();
    QTest::keyClick(replicas, Qt::Key_Space);
    QVERIFY(fixture.playback.isPlaying());
  }

  void scrubberGoesWhereItIsDragged() {
    Fixture fixture;
    auto& scrubber = fixture.part<Scrubber>("scrubber");
    const double whole = fixture.playback.story().seconds;
    const auto place = [&](double part) { return QPoint(qRound(scrubber.xAt(part * whole)), scrubber.height() / 2); };
    QTest::mousePress(&scrubber, Qt::LeftButton, {}, place(0.25));
    QVERIFY(std::abs(fixture.playback.seconds() - 0.25 * whole) < 0.01 * whole);
    QTest::mouseMove(&scrubber, place(0.75));
    QTRY_VERIFY(std::abs(fixture.playback.seconds() - 0.75 * whole) < 0.01 * whole);
    QTest::mouseRelease(&scrubber, Qt::LeftButton, {}, place(0.75));
    QVERIFY(!fixture.playback.isPlaying());
    QTRY_VERIFY(scrubber.accessibleDescription().startsWith(QStringLiteral("step 1, ")));
  }

  void runBarGoesToAnyStep() {
    Fixture fixture;
    fixture.controller.requestStep(12);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.liveStep(), std::int64_t{12}, kPatienceMs);
    auto& bar = fixture.part<RunBar>("runBar");
    QCOMPARE(bar.stepAt(bar.xAt(7)), std::int64_t{7});
    const auto click = [&](std::int64_t step) {
      QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(qRound(bar.xAt(step)), bar.height() / 2));
    };
    click(12);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{12}, kPatienceMs);
    click(7);
    QCOMPARE(bar.words(), QStringLiteral("recomputing step 7 …"));
    click(12);  // back before it has come
    QCOMPARE(bar.words(), QStringLiteral("step 12"));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller.isRecomputing(), kPatienceMs);
    QCOMPARE(fixture.playback.step(), std::int64_t{12});
    click(5);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{5}, kPatienceMs);
    QCOMPARE(bar.words(), QStringLiteral("step 5 · live 12"));
  }

  void showsWhatTheRunTold() {
    Fixture fixture(smallRun(6));
    fixture.window.setWindowLayout(WindowLayout::Explore);
    fixture.controller.play();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    const auto& steps = fixture.controller.steps();
    QCOMPARE(steps.size(), std::size_t{6});
    const auto& loss = fixture.part<MetricChart>("loss");
    using Kind = MetricChart::Kind;
    const int run = fixture.window.library().presentId();
    const auto shown = [&](const char* chart, Kind kind) {
      return fixture.part<MetricChart>(chart).shownPoints(run, kind);
    };
    QTRY_COMPARE_WITH_TIMEOUT(shown("loss", Kind::Each).size(), 6, kPatienceMs);
    QCOMPARE(shown("loss", Kind::Each).last(), QPointF(6, steps.back().loss));
    QTRY_COMPARE_WITH_TIMEOUT(shown("loss", Kind::Test).size(), 1, kPatienceMs);
    QCOMPARE(shown("loss", Kind::Test).last(), QPointF(6, fixture.controller.evaluations().back().testLoss));
    QTRY_COMPARE_WITH_TIMEOUT(shown("accuracy", Kind::Each).size(), 6, kPatienceMs);
    QCOMPARE(shown("accuracy", Kind::Each).last(), QPointF(6, 100 * steps.back().accuracy));
    QTRY_COMPARE_WITH_TIMEOUT(shown("modelledThroughput", Kind::Each).size(), 6, kPatienceMs);
    QCOMPARE(shown("modelledThroughput", Kind::Each).last(), QPointF(6, steps.back().imagesPerSecond));
    // A click on a point takes the stage there.
    const QPointF third(3, steps[2].loss);
    QTest::mouseClick(&const_cast<MetricChart&>(loss), Qt::LeftButton, {}, loss.positionOf(third).toPoint());
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{3}, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.text("state"), QStringLiteral("Finished"), kPatienceMs);
    QTRY_VERIFY(fixture.text("steps").startsWith(QStringLiteral("step 6 of 6")));
    // Nothing else is said on the stage than below it, and the inspector tells of both steps.
    QCOMPARE(fixture.window.stage().words(), QStringLiteral("Step 3 of 6 of a finished run"));
    QStringList told;
    auto* inspector = fixture.window.findChild<Inspector*>();
    inspector->refresh();
    for (const auto& row : inspector->shown().rows) told << row.name + QLatin1Char(' ') + row.value;
    const auto stage = told.indexOf(QStringLiteral("On the stage ")), latest = told.indexOf(QStringLiteral("Latest "));
    QVERIFY(stage >= 0 && latest > stage);
    QVERIFY(told.indexOf(QStringLiteral("Step 3 of 6")) > stage &&
            told.indexOf(QStringLiteral("Step 3 of 6")) < latest);
    QVERIFY(told.indexOf(QStringLiteral("Step 6")) > latest);
    QVERIFY(told.contains(QStringLiteral("Loss of its batch not computed yet")));
    QVERIFY(told.contains(QStringLiteral("Copies of the variables compared when the step ends")));
    fixture.playback.end();
    QTRY_COMPARE_WITH_TIMEOUT(fixture.window.stage().words(), QStringLiteral("Finished at step 6"), kPatienceMs);
    QTRY_VERIFY(fixture.text("rate").endsWith(QStringLiteral("images/s modelled")));
    // Another run: table and charts have both, and the table says in what they differ.
    fixture.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("4"));
    const int second = fixture.window.library().presentId();
    QVERIFY(second != run);
    QTRY_COMPARE_WITH_TIMEOUT(shownOf(loss, second).size(), 1, kPatienceMs);
    QCOMPARE(shownOf(loss, run).size(), 6);
    auto* runs = fixture.part<QTableView>("runsView").model();
    QCOMPARE(runs->rowCount(), 2);
    QCOMPARE(runs->headerData(1, Qt::Horizontal).toString(), QStringLiteral("replicas"));
    QCOMPARE(runs->index(0, 1).data().toString(), QStringLiteral("2"));
    QCOMPARE(runs->index(1, 1).data().toString(), QStringLiteral("4"));
  }

  void narrationFollowsTheBeats() {
    Fixture fixture;
    fixture.window.setWindowLayout(WindowLayout::Explore);
    const std::size_t beats = fixture.playback.story().beats.size();
    for (std::size_t i = 0; i < beats; ++i) {
      fixture.playback.seek(1, fixture.playback.story().beats[i].motionS);
      QTest::qWait(40);
    }
    const QString text = fixture.part<QPlainTextEdit>("narrationText").toPlainText();
    // Told anew for a picture: the step that is shown, up to the moment that is shown.
    const Beat& third = fixture.playback.story().beats[2];
    fixture.playback.seek(1, third.motionS);
    auto* narration = fixture.window.findChild<Narration*>();
    narration->tellShownStep();
    QCOMPARE(narration->document()->blockCount(), 1 + 3);
    QVERIFY(narration->document()->lastBlock().text().startsWith(QStringLiteral("step 1 · ") + third.name));
    for (const Beat& beat : fixture.playback.story().beats)
      QVERIFY2(text.contains(beat.sayings.back().text), qPrintable(beat.sayings.back().text));
    QVERIFY(text.startsWith(QStringLiteral("MirroredStrategy, 2 replicas")));
    QVERIFY(text.contains(QStringLiteral("modelled")));
  }

  void inspectorFollowsSelectionAndTime() {
    Fixture fixture;
    auto* inspector = fixture.window.findChild<Inspector*>();
    QCOMPARE(inspector->shown().title, QStringLiteral("This run"));
    fixture.window.selection().pin({Object::Kind::Digit, 1, 2});
    QVERIFY(inspector->shown().title.startsWith(QStringLiteral("Training image")));
    const auto prediction = [&] { return inspector->shown().rows[1].value; };
    QCOMPARE(prediction(), QStringLiteral("not computed yet"));
    fixture.playback.seek(1, fixture.playback.story().seconds);
    QTRY_VERIFY(prediction() != QStringLiteral("not computed yet"));
    fixture.window.selection().hover({Object::Kind::Device, 0, -1});
    QCOMPARE(inspector->shown().title, QStringLiteral("R0"));
    fixture.window.selection().hover({});
    QVERIFY(inspector->shown().title.startsWith(QStringLiteral("Training image")));
    // The speed handle's place for who does not drag.
    fixture.window.selection().pin({Object::Kind::Device, 1, -1});
    fixture.part<QDoubleSpinBox>("slowdown").setValue(3);
    QCOMPARE(fixture.window.experiment().asked().slow, (std::vector<std::pair<int, double>>{{1, 3.0}}));
  }

  void darkAndLightWhileItRuns() {
    Fixture fixture;
    const QImage light = fixture.window.grab().toImage();
    fixture.window.setTheme(theme::Kind::Dark);
    QCoreApplication::processEvents();
    const QImage dark = fixture.window.grab().toImage();
    fixture.window.setTheme(theme::Kind::Light);
    const auto brightness = [](const QImage& image) {
      return qGray(image.scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).pixel(0, 0));
    };
    QVERIFY(brightness(light) > 180);
    QVERIFY(brightness(dark) < 90);
  }

  void closesDuringTraining() {
    const QTemporaryDir folder;
    RunConfig config = smallRun();
    config.metrics = folder.filePath(QStringLiteral("metrics.jsonl")).toStdString();
    std::size_t steps = 0;
    {
      Fixture fixture(config);
      fixture.press(Qt::Key_L);
      QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.steps().size() > 3, kPatienceMs);
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
    {
      RunController controller;
      MainWindow window(controller);
      window.show();
      window.experiment().begin(smallRun());
    }
    const Fixture fixture;
  }

  void missingDataAreSaidWithARemedy() {
    const QTemporaryDir empty;
    RunConfig config = smallRun();
    config.dataset = "mnist";
    config.dataDir = empty.path().toStdString();
    Fixture fixture(config);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Failed), kPatienceMs);
    QVERIFY(!fixture.controller.failure().isEmpty());
    QCOMPARE(fixture.text("banner"), fixture.controller.failure());
    QVERIFY(fixture.part<QLabel>("banner").isVisible());
    QTRY_COMPARE(fixture.text("state"), QStringLiteral("Failed"));
    QVERIFY(!fixture.part<QAction>("play").isEnabled());

    fixture.part<QToolButton>("remedy").click();
    QTRY_VERIFY2_WITH_TIMEOUT(fixture.playback.record() != nullptr, qPrintable(fixture.controller.failure()),
                              kPatienceMs);
    QVERIFY(!fixture.part<QLabel>("banner").isVisible());
    QVERIFY(fixture.part<QAction>("play").isEnabled());
  }

  void aRefusedChangeIsSaidAndTheRunGoesOn() {
    Fixture fixture;
    fixture.window.experiment().set(QStringLiteral("partitioner"), QStringLiteral("fixed:2"));
    QVERIFY(fixture.part<QLabel>("banner").isVisible());
    QVERIFY(fixture.text("banner").contains(QStringLiteral("--partitioner")));
    QVERIFY(fixture.playback.record() != nullptr);
    fixture.press(Qt::Key_Space);
    QVERIFY(fixture.playback.isPlaying());
    fixture.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("3"));
    QVERIFY(!fixture.part<QLabel>("banner").isVisible());
  }

  void fileThatCannotBeWrittenIsAFailure() {
    const QTemporaryDir folder;
    RunConfig config = smallRun();
    config.metrics = folder.filePath(QStringLiteral("no-such-folder/metrics.jsonl")).toStdString();
    Fixture fixture(config);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Failed), kPatienceMs);
    QVERIFY(fixture.text("banner").contains(QStringLiteral("no-such-folder")));
    // Starting again leaves out the file that could not be written.
    fixture.part<QToolButton>("remedy").click();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr, kPatienceMs);
  }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
