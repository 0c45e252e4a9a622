// SPDX-License-Identifier: GPL-3.0-or-later
// A user's action is shown where it happens and explained in a sentence, by real keys: a task dies, a jump finds
// nothing, undo brings back a trained run, the palette does only what was typed, quitting asks about what would be
// lost.
#include <QAction>
#include <QActionGroup>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>
#include <memory>

#include "core/lesson/facts.h"
#include "core/strategy/strategy.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/branches/run_until_dialog.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/guide/lesson_facts.h"
#include "ui/help/command_palette.h"
#include "ui/i18n/language.h"
#include "ui/session/workbench.h"
#include "ui/stage/stage.h"
#include "ui/window/main_window.h"

using namespace lab;
using namespace lab::test;

namespace {

struct Desk {
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};
  Playback& playback = window.playback();

  explicit Desk(const RunSettings& config) {
    window.resize(1280, 800);
    window.show();
    activate();
    playback.setReducedMotion(true);
    window.experiment().begin(config);
    (void)at(1);
    bench.undo().forget();
  }
  void activate() {
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
  }
  bool at(std::int64_t step) {
    return QTest::qWaitFor(
        [&] {
          return playback.record() != nullptr && playback.step() == step && playback.wantedStep() == step &&
                 controller.info() != nullptr && !playback.isMoving();
        },
        kPatienceMs);
  }
  bool goTo(std::int64_t step) {
    playback.goTo(step);
    return at(step);
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&window, key, modifiers); }
  bool says(const char* words) {
    return QTest::qWaitFor([&] { return saying().contains(QString::fromUtf8(words)); }, 5000);
  }
  QString saying() { return window.statusBar()->currentMessage(); }
  void hush() { window.statusBar()->clearMessage(); }
  template <typename Part>
  Part* find(const char* name) {
    return window.findChild<Part*>(QLatin1String(name));
  }
  // Opens the palette and types `words` into it.
  CommandPalette* typed(const char* words) {
    activate();
    press(Qt::Key_K, Qt::ControlModifier);
    auto* palette = window.findChild<CommandPalette*>();
    if (palette != nullptr) QTest::keyClicks(palette->findChild<QLineEdit*>(), QLatin1String(words));
    return palette;
  }
  bool enter(CommandPalette* palette) {
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    return QTest::qWaitFor([this] { return window.findChild<CommandPalette*>() == nullptr; }, 2000);
  }
  // Kills through the menu Run, as a user does for a box; the menu offers what can happen.
  bool kill(const char* name) {
    find<QAction>("faultMenu")->trigger();
    QMenu* menu = nullptr;
    if (!QTest::qWaitFor([&] { return (menu = find<QMenu>("faults")) != nullptr && menu->isVisible(); }, kPatienceMs))
      return false;
    QAction* action = menu->findChild<QAction*>(QLatin1String(name));
    if (action == nullptr) return false;
    const RunInfo* before = controller.info();
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    activate();
    return QTest::qWaitFor(
        [&] { return controller.info() != nullptr && controller.info() != before && playback.record() != nullptr; },
        kPatienceMs);
  }
  const Beat& beat() { return playback.story().beats[playback.story().beatAt(playback.seconds())]; }
};

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

class TestEvents : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { language::use(QStringLiteral("en")); }

  // Undo gives back the run as it was, with its steps, picture and state; redo gives back the later run.
  void undoGivesTheTrainedRunBack() {
    RunSettings config = clusterOf("mirrored");
    Desk desk(config);
    QVERIFY(desk.goTo(20));
    desk.playback.seek(20, desk.playback.story().seconds / 2);
    const double seconds = desk.playback.seconds();
    const auto record = desk.playback.record();
    const auto metrics = desk.controller.metrics();
    const int id = desk.window.library().presentId();
    desk.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("2"));
    QVERIFY(desk.at(1));
    QVERIFY(desk.goTo(3));
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.window.experiment().resolved().replicas, std::optional<std::int64_t>(4));
    QVERIFY(desk.at(20));
    QCOMPARE(desk.controller.metrics(), metrics);
    QCOMPARE(desk.controller.steps().size(), std::size_t{20});
    QCOMPARE(desk.playback.seconds(), seconds);
    QVERIFY(sameBits(desk.playback.record()->weightsAfter, record->weightsAfter));
    QCOMPARE(desk.window.library().presentId(), id);  // the same run, not another one like it
    QCOMPARE(desk.window.library().runs().size(), std::size_t{2});
    QCOMPARE(desk.window.library().runs().back().id, id);
    QVERIFY2(desk.says("Undone") && desk.saying().contains(QStringLiteral("step 20")), qPrintable(desk.saying()));
    // The run trains on to the bits of a run that was never left, and steps back into the steps it had.
    QVERIFY(desk.goTo(22));
    QVERIFY(desk.goTo(2));
    QCOMPARE(desk.controller.steps().size(), std::size_t{22});
    const double loss = desk.controller.steps().back().loss;
    desk.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(desk.window.experiment().resolved().replicas, std::optional<std::int64_t>(2));
    QVERIFY(desk.at(3));
    QCOMPARE(desk.controller.steps().size(), std::size_t{3});
    QVERIFY2(desk.says("Redone"), qPrintable(desk.saying()));
    Desk alone(config);
    QVERIFY(alone.goTo(22));
    QCOMPARE(alone.controller.steps().back().loss, loss);
  }

  // A run of one step is not kept, but begins anew at the moment that was seen.
  void undoGivesTheMomentOfAFirstStepBack() {
    Desk desk(clusterOf("mirrored"));
    const Beat* sum = desk.playback.story().find(BeatKind::Aggregate);
    QVERIFY(sum != nullptr);
    desk.playback.seek(1, (sum->beginS + sum->endS) / 2);
    const double seconds = desk.playback.seconds();
    desk.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("2"));
    QVERIFY(desk.at(1));
    QVERIFY(desk.playback.seconds() != seconds);
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.window.experiment().resolved().replicas, std::optional<std::int64_t>(4));
    QTRY_VERIFY_WITH_TIMEOUT(desk.playback.record() != nullptr && std::abs(desk.playback.seconds() - seconds) < 1e-6,
                             kPatienceMs);
    QCOMPARE(desk.playback.step(), std::int64_t{1});
  }

  // Only a few runs are kept: a run that is no longer kept starts again, and the window says so.
  void runsSetAsideAreBounded() {
    Desk desk(clusterOf("mirrored"));
    desk.bench.undo().setMergeMs(0);
    QVERIFY(desk.goTo(4));
    for (const char* seed : {"2", "3", "4", "5", "6"}) {
      desk.window.experiment().set(QStringLiteral("seed"), QLatin1String(seed));
      QVERIFY(desk.at(1));
      QVERIFY(desk.goTo(2));
    }
    for (const int seed : {5, 4, 3}) {
      desk.press(Qt::Key_Z, Qt::ControlModifier);
      QCOMPARE(desk.window.experiment().resolved().seed, seed);
      QVERIFY(desk.at(2));
    }
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY2(desk.says("The run has started again"), qPrintable(desk.saying()));
    QVERIFY(desk.at(1));
  }

  // Undo of a lane is said, and the window changes to the layout where the lane is seen.
  void lanesAreTakenBackWhereTheyAreSeen() {
    Desk desk(clusterOf("mirrored"));
    desk.window.workspaces().choose(WindowLayout::Compare);
    desk.window.centre().comparison()->compareWith(strategyInfo(StrategyKind::ParameterServer));
    Lanes& lanes = desk.window.centre().comparison()->lanes();
    QCOMPARE(lanes.count(), std::size_t{2});
    desk.window.workspaces().choose(WindowLayout::Teach);
    QVERIFY(desk.find<QAction>("undo")->text().contains(QStringLiteral("ParameterServer")));
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(lanes.count(), std::size_t{1});
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Compare);
    QVERIFY2(desk.says("Undone: lane ParameterServer of Compare added"), qPrintable(desk.saying()));
    desk.window.workspaces().choose(WindowLayout::Teach);
    desk.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(lanes.count(), std::size_t{2});
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Compare);
    QVERIFY2(desk.says("Redone: lane ParameterServer"), qPrintable(desk.saying()));
  }

  void aKillIsShownAsItHappens_data() {
    QTest::addColumn<QByteArray>("strategy");
    QTest::addColumn<int>("step");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QString>("caption");
    const QString worker = QStringLiteral("Worker 1 is dead");
    QTest::newRow("all-reduce") << QByteArray("multi-worker-mirrored") << 3 << QByteArray("kill-worker-1") << worker;
    // The first step begins with the cluster's start, during which no task dies.
    QTest::newRow("first step") << QByteArray("multi-worker-mirrored") << 1 << QByteArray("kill-worker-1") << worker;
    QTest::newRow("worker") << QByteArray("parameter-server") << 3 << QByteArray("kill-worker-1")
                            << QStringLiteral("Worker 1 dies");
    QTest::newRow("worker, first step") << QByteArray("parameter-server") << 1 << QByteArray("kill-worker-1")
                                        << QStringLiteral("Worker 1 dies");
    QTest::newRow("server") << QByteArray("parameter-server") << 3 << QByteArray("kill-server-0")
                            << QStringLiteral("Parameter server 0 is dead");
    QTest::newRow("coordinator") << QByteArray("parameter-server") << 3 << QByteArray("kill-coordinator-0")
                                 << QStringLiteral("The coordinator is dead");
  }
  void aKillIsShownAsItHappens() {
    QFETCH(QByteArray, strategy);
    QFETCH(int, step);
    QFETCH(QByteArray, action);
    QFETCH(QString, caption);
    Desk desk(clusterOf(strategy));
    QVERIFY(desk.goTo(step));
    QVERIFY(desk.kill(action));
    QVERIFY(desk.at(step));
    const DeadTask& dead = desk.playback.record()->dead.front();
    const auto ns = [&] { return desk.playback.story().clockAt(desk.playback.seconds()); };
    QVERIFY(QTest::qWaitFor([&] { return desk.playback.seconds() > 0 && ns() >= dead.sinceNs; }, 2000));
    QVERIFY(desk.beat().kind != BeatKind::Startup && desk.beat().kind != BeatKind::Input);
    const QString told = desk.playback.story().captionAt(desk.playback.seconds());
    QVERIFY2(told.contains(caption), qPrintable(told));
    // The worker's work is lost, but its closure goes back into the queue, as lesson 12 teaches.
    QVERIFY2(!told.contains(QStringLiteral("closure, which is lost")), qPrintable(told));
    if (strategy == "parameter-server")  // otherwise the host is hatched, with two replicas in it
      QVERIFY(!desk.window.stage().objects().placeOf(desk.window.selection().pinned()).isEmpty());
    QVERIFY2(desk.says("killed in step") && desk.saying().contains(QStringLiteral("Undo")), qPrintable(desk.saying()));
    // Story goes on from the moment of the kill.
    QVERIFY(!desk.playback.isPlaying());
    const double seconds = desk.playback.seconds();
    desk.window.stage().setFocus();
    desk.press(Qt::Key_Space);
    // The message about what Play does ends as soon as Play begins.
    QTRY_VERIFY2_WITH_TIMEOUT(!desk.saying().contains(QStringLiteral("Play shows")), qPrintable(desk.saying()), 2000);
    for (int i = 0; i < 20 && desk.playback.isPlaying() && desk.playback.step() == step; ++i) {
      desk.playback.advance(0.1);
      QVERIFY(desk.playback.step() > step || desk.playback.seconds() >= seconds);
    }
    QVERIFY(desk.playback.step() > step || desk.playback.seconds() > seconds);
  }

  // A lesson waits for another worker to take the closure. Live may not show the step in which that happens.
  void aTakenClosureStaysTakenForALesson() {
    RunSettings config = clusterOf("parameter-server");
    config.steps = 200;
    Desk desk(config);
    QVERIFY(desk.goTo(2));
    QVERIFY(desk.kill("kill-worker-1"));
    QVERIFY(desk.at(2));
    LessonFacts facts({desk.controller, desk.playback, desk.window.selection(), desk.window.experiment(),
                       desk.window.library(), [](const FactCall&) { return lab::Fact(); }});
    const auto taken = [&facts] {
      FactCall call;
      Message why;
      return parseFactCall("taken", call, why) && facts.fact(call) == lab::Fact(true);
    };
    std::int64_t step = 2;
    for (; step < 150 && desk.playback.record()->dead.front().takenBy < 0; ++step) {
      QVERIFY(!taken());
      QVERIFY(desk.goTo(step + 1));
    }
    QVERIFY(taken());
    QVERIFY(desk.goTo(step + 3));
    QVERIFY(taken());
    QVERIFY(desk.goTo(step - 1));
    QVERIFY(!taken());
  }

  // If the kill ended the run, Fast shows how, and then says that nothing follows.
  void fastShowsHowARunEnded() {
    Desk desk(clusterOf("multi-worker-mirrored"));
    QVERIFY(desk.goTo(3));
    QVERIFY(desk.kill("kill-worker-1"));
    QVERIFY(desk.at(3));
    QVERIFY(QTest::qWaitFor([&] { return desk.playback.seconds() > 0 && desk.controller.isOver(); }, kPatienceMs));
    desk.playback.setMode(Playback::Mode::Fast);
    desk.hush();
    desk.window.stage().setFocus();
    desk.press(Qt::Key_Space);
    QVERIFY(QTest::qWaitFor([&] { return desk.playback.seconds() >= desk.playback.story().seconds; }, kPatienceMs));
    QVERIFY(QTest::qWaitFor([&] { return !desk.playback.isPlaying(); }, kPatienceMs));
    desk.press(Qt::Key_Space);
    QVERIFY2(desk.says("ended with an error at step 3"), qPrintable(desk.saying()));
  }

  void thePaletteFindsActionsByTheirOwnWords() {
    Desk desk(clusterOf("multi-worker-mirrored"));
    CommandPalette* palette = desk.typed("run until");
    QCOMPARE(palette->shown().first(), QStringLiteral("Run ▸ Run until"));
    for (const QString& name : palette->shown())
      QVERIFY2(!name.startsWith(QStringLiteral("Set run")), qPrintable(name));
    QVERIFY(desk.enter(palette));
    QVERIFY(desk.window.findChild<RunUntilDialog*>() != nullptr);
    QVERIFY(desk.window.experiment().asked().run.empty());
    desk.window.findChild<RunUntilDialog*>()->close();

    // The palette finds a command by the end of its menu path, word for word.
    palette = desk.typed("mode fast");
    QCOMPARE(palette->shown().first(), QStringLiteral("Run ▸ Mode ▸ Fast"));
    palette->close();
    QVERIFY(QTest::qWaitFor([&] { return desk.window.findChild<CommandPalette*>() == nullptr; }, 2000));
    palette = desk.typed("language");
    QCOMPARE(palette->shown().first(), QStringLiteral("Edit ▸ Preferences"));
    palette->close();
    QVERIFY(QTest::qWaitFor([&] { return desk.window.findChild<CommandPalette*>() == nullptr; }, 2000));
    palette = desk.typed("share");
    QVERIFY(palette->shown().first().contains(QStringLiteral("QR code")));
    palette->close();
    QVERIFY(QTest::qWaitFor([&] { return desk.window.findChild<CommandPalette*>() == nullptr; }, 2000));

    // The same words find the same command, whatever undo would take back.
    const QString kill = QStringLiteral("Run ▸ Kill or revive a task");
    palette = desk.typed("kill");
    QCOMPARE(palette->shown().first(), kill);
    palette->close();
    QVERIFY(desk.goTo(3));
    QVERIFY(desk.kill("kill-worker-1"));
    QVERIFY(desk.at(3));
    QVERIFY(desk.find<QAction>("undo")->text().contains(QStringLiteral("killed")));
    palette = desk.typed("kill");
    QCOMPARE(palette->shown().first(), kill);
    palette->close();
  }

  // The long list of all commands is gone through by pages too, down to its end and back to its beginning.
  void thePaletteGoesByPages() {
    Desk desk(clusterOf("mirrored"));
    CommandPalette* palette = desk.typed("");
    auto* line = palette->findChild<QLineEdit*>();
    const auto* list = palette->findChild<QListWidget*>();
    const auto lands = [&](Qt::Key key) {
      QTest::keyClick(line, key);
      return list->currentRow();
    };
    const int first = list->currentRow(), second = lands(Qt::Key_PageDown);
    QVERIFY(second >= first + 10);
    QVERIFY(lands(Qt::Key_PageDown) >= second + 10);
    for (int i = 0; i < list->count(); ++i) lands(Qt::Key_PageUp);
    QCOMPARE(list->currentRow(), first);
    palette->close();
  }

  // The palette does nothing else in its place.
  void whatCannotBeDoneNowSaysWhy() {
    Desk desk(clusterOf("mirrored"));
    desk.window.experiment().set(QStringLiteral("seed"), QStringLiteral("7"));
    QVERIFY(desk.at(1));
    CommandPalette* palette = desk.typed("kill");
    QVERIFY(!desk.enter(palette));
    QCOMPARE(desk.window.experiment().resolved().seed, 7);
    const auto* hint = palette->findChild<QLabel*>(QStringLiteral("paletteHint"));
    QVERIFY(hint != nullptr && hint->isVisible());
    QVERIFY2(hint->text().contains(QStringLiteral("one process")), qPrintable(hint->text()));
    palette->close();
  }

  void thePaletteTakesOnlyValuesThatThereAre() {
    Desk desk(clusterOf("mirrored"));
    for (const char* words : {"replicas many", "run until", "save it", "metrics now", "strategy until", "link until",
                              "resume until", "data dir nowhere", "learning rate high"}) {
      CommandPalette* palette = desk.typed(words);
      for (const QString& name : palette->shown())
        QVERIFY2(!name.startsWith(QStringLiteral("Set ")),
                 qPrintable(QLatin1String(words) + QStringLiteral(": ") + name));
      palette->close();
      QVERIFY(QTest::qWaitFor([&] { return desk.window.findChild<CommandPalette*>() == nullptr; }, 2000));
    }
    CommandPalette* palette = desk.typed("metrics runs/m.jsonl");
    QCOMPARE(palette->shown().first(), QStringLiteral("Set metrics to runs/m.jsonl"));
    palette->close();
  }

  // A setting's name without a value is no command with these letters somewhere in it: the palette says what is
  // missing.
  void aSettingWithoutItsValueIsNoCommand() {
    language::use(QStringLiteral("de"));
    Desk desk(clusterOf("mirrored"));
    CommandPalette* palette = desk.typed("lernrate");
    QVERIFY(palette->shown().isEmpty());
    const auto* list = palette->findChild<QListWidget*>();
    QCOMPARE(list->count(), 1);
    QVERIFY2(list->item(0)->text().startsWith(QStringLiteral("„Lernrate“ ist eine Einstellung")),
             qPrintable(list->item(0)->text()));
    palette->close();
  }

  void whatThePaletteDidIsSaid() {
    Desk desk(clusterOf("mirrored"));
    QVERIFY(desk.enter(desk.typed("replicas 2")));
    QVERIFY2(desk.says("Replicas 4 → 2"), qPrintable(desk.saying()));
    QVERIFY(desk.at(1));
    desk.hush();
    QVERIFY(desk.enter(desk.typed("own batch wrong")));
    QVERIFY2(desk.says("own batch (wrong): on"), qPrintable(desk.saying()));
    desk.hush();
    QVERIFY(desk.enter(desk.typed("start anew")));
    QVERIFY2(desk.says("Start anew"), qPrintable(desk.saying()));
  }

  // Both lanes have the same run: the search finds nothing, and nothing has moved.
  void aSearchSaysThatItFoundNothing() {
    RunSettings config = clusterOf("mirrored");
    Desk desk(config);
    QVERIFY(desk.goTo(8));
    desk.window.workspaces().choose(WindowLayout::Compare);
    Lanes& lanes = desk.window.centre().comparison()->lanes();
    lanes.add({nullptr, config, QStringLiteral("twin"), {}});
    const auto inStep = [&] {
      return desk.at(8) &&
             QTest::qWaitFor([&] { return lanes.at(1).playback().record() && lanes.lockstep().isInStep(); },
                             kPatienceMs);
    };
    QVERIFY(inStep());
    desk.playback.seek(8, desk.playback.story().seconds / 2);
    QVERIFY(inStep());
    const double seconds = desk.playback.seconds();
    const std::size_t focused[]{0, 1};
    for (const std::size_t focus : focused) {
      lanes.setFocus(focus);
      for (const auto& [key, modifiers] : {std::pair{Qt::Key_D, Qt::KeyboardModifiers()},
                                           {Qt::Key_N, Qt::KeyboardModifiers()},
                                           {Qt::Key_N, Qt::KeyboardModifiers(Qt::ShiftModifier)}}) {
        desk.hush();
        desk.window.centre().comparison()->laneView(0).stage().setFocus();
        desk.activate();
        desk.press(key, modifiers);
        QVERIFY2(desk.says("step 8"),
                 qPrintable(QString::number(focus) + QKeySequence(key).toString() + desk.saying()));
        QVERIFY(inStep());
        QCOMPARE(desk.playback.seconds(), seconds);
      }
    }
  }

  void liveBeginsOrSaysWhyNot() {
    RunSettings config = clusterOf("mirrored");
    config.steps = 3;
    Desk desk(config);
    QAction* live = desk.find<QActionGroup>("mode")->actions().at(static_cast<int>(Playback::Mode::Live));
    QVERIFY(!desk.playback.isPlaying());
    live->trigger();
    QVERIFY(desk.playback.isPlaying());
    QVERIFY(QTest::qWaitFor([&] { return desk.controller.isOver(); }, kPatienceMs));
    desk.playback.pause();
    desk.playback.end();
    QVERIFY(desk.at(3));
    desk.hush();
    live->trigger();
    QVERIFY2(desk.says("Training is over: step 3"), qPrintable(desk.saying()));
    QVERIFY(!desk.playback.isPlaying());
    for (const Qt::Key key : {Qt::Key_Space, Qt::Key_End, Qt::Key_Right}) {
      desk.hush();
      desk.press(key);
      QVERIFY2(desk.says("Training is over: step 3"), qPrintable(desk.saying()));
    }
    desk.press(Qt::Key_Home);
    QVERIFY(desk.at(1));
    for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Left}) {
      desk.hush();
      desk.press(key);
      QVERIFY2(desk.says("where the run begins: step 1"), qPrintable(desk.saying()));
    }
    // Fast waits for Play and says so.
    desk.window.experiment().again();
    QVERIFY(desk.at(1));
    desk.find<QActionGroup>("mode")->actions().at(static_cast<int>(Playback::Mode::Fast))->trigger();
    QVERIFY2(desk.says("as soon as you press Play"), qPrintable(desk.saying()));
    QVERIFY(!desk.playback.isPlaying());
  }

  // With F11 there is no status line, so the message appears above the stage.
  void theProjectorHearsOfLimits() {
    Desk desk(clusterOf("mirrored"));
    desk.window.looks().setProjectorMode(true);
    desk.press(Qt::Key_Home);  // to the start-up
    QVERIFY(QTest::qWaitFor([&] { return desk.playback.record() && desk.playback.seconds() <= 0; }, kPatienceMs));
    desk.press(Qt::Key_Home);
    const auto said = [&] {
      for (const QLabel* label : desk.window.findChildren<QLabel*>(QStringLiteral("banner")))
        if (label->isVisible() && label->text().contains(QStringLiteral("where the run begins"))) return true;
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(said(), 5000);
    desk.window.looks().setProjectorMode(false);
  }

  void quittingAsksWhileItTrains() {
    RunSettings config = clusterOf("mirrored");
    config.steps = 1'000'000;
    Desk desk(config);
    desk.playback.setMode(Playback::Mode::Express);
    desk.playback.play();
    QVERIFY(QTest::qWaitFor(
        [&] { return desk.controller.state() == RunState::Running && desk.controller.liveStep() > 10; }, kPatienceMs));
    QVERIFY(desk.enter(desk.typed("quit")));
    auto* question = desk.find<QMessageBox>("askBefore");
    QVERIFY(question != nullptr && question->isVisible() && desk.window.isVisible());
    QVERIFY2(question->text().contains(QStringLiteral("under way")), qPrintable(question->text()));
    QTest::keyClick(question, Qt::Key_Return);  // the safe button
    QVERIFY(QTest::qWaitFor([&] { return desk.find<QMessageBox>("askBefore") == nullptr; }, kPatienceMs));
    QVERIFY(desk.window.isVisible() && desk.controller.state() == RunState::Running);
    desk.activate();
    desk.press(Qt::Key_Q, Qt::ControlModifier);
    question = desk.find<QMessageBox>("askBefore");
    QVERIFY(question != nullptr);
    for (QAbstractButton* button : question->buttons())
      if (question->buttonRole(button) == QMessageBox::AcceptRole) QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !desk.window.isVisible(); }, kPatienceMs));
    // If nothing trains, closing asks nothing.
    Desk idle(clusterOf("mirrored"));
    QVERIFY(idle.window.close());
  }
};

QTEST_MAIN(TestEvents)
#include "tst_events.moc"
