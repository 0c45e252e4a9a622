// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks die on the stage: killed by the right mouse button and by key, restored by undo, revived with a backup and
// without. The stage draws broken links, how and when a task died, and the closure on its way.
#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "core/training/branches.h"
#include "core/training/faults.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "tests/ui/stage_fixture.h"
#include "ui/classroom/class_locks.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/frame/messages.h"
#include "ui/inspect/describe.h"
#include "ui/playback/captions.h"
#include "ui/runview/run_controller.h"
#include "ui/session/workbench.h"
#include "ui/stage/stage.h"
#include "ui/window/main_window.h"

using namespace lab;
using namespace lab::test;

namespace {

using Task = RunFault::Task;
using What = RunFault::What;

struct Desk {
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};
  Stage& stage = window.stage();
  Playback& playback = window.playback();

  explicit Desk(const RunSettings& config) {
    window.resize(1280, 800);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    playback.setReducedMotion(true);
    window.experiment().begin(config);
    at(1);
    bench.undo().forget();
  }
  bool at(std::int64_t step) {
    return QTest::qWaitFor(
        [&] {
          return playback.record() != nullptr && playback.step() == step && playback.wantedStep() == step &&
                 controller.info() != nullptr && !stage.scene().items.empty();
        },
        kPatienceMs);
  }
  bool goTo(std::int64_t step) {
    playback.goTo(step);
    return at(step);
  }
  // Clicks as a person does: the platform reports the press to the window, which opens the menu as usual on this
  // platform.
  QMenu* rightClick(const Object& object) { return rightClick(stage, object); }
  QMenu* rightClick(const Stage& on, const Object& object) {
    const QPoint at = on.objects().placeOf(object).center().toPoint();
    QTest::mouseClick(window.windowHandle(), Qt::RightButton, {}, on.mapTo(&window, at));
    return menu();
  }
  static bool click(QMenu* menu, const char* name) {
    QAction* action = menu == nullptr ? nullptr : menu->findChild<QAction*>(QLatin1String(name));
    if (action != nullptr) QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    return action != nullptr;
  }
  QMenu* menu() {
    QMenu* found = nullptr;
    (void)QTest::qWaitFor(
        [&] {
          for (QMenu* each : window.findChildren<QMenu*>(QStringLiteral("faults")))
            if (each->isVisible()) found = each;
          return found != nullptr;
        },
        2000);
    return found;
  }
  bool choose(QMenu* menu, const char* name) {
    const RunInfo* before = controller.info();
    if (!click(menu, name)) return false;
    return QTest::qWaitFor(
        [&] { return controller.info() != nullptr && controller.info() != before && playback.record() != nullptr; },
        kPatienceMs);
  }
  bool end() {
    playback.seek(playback.step(), playback.story().seconds);
    QCoreApplication::processEvents();
    return QTest::qWaitFor([&] { return controller.isOver(); }, kPatienceMs);
  }
  std::size_t faults() { return window.experiment().lineage().size(); }
};

QStringList textsOf(QMenu* menu) {
  QStringList texts;
  if (menu != nullptr)
    for (QAction* action : menu->actions()) texts << action->text();
  return texts;
}

QString wordsOf(const Scene& scene) {
  QStringList words;
  for (const Item& item : scene.items)
    if (!item.text.isEmpty()) words << item.text;
  return words.join(QLatin1Char('\n'));
}

const Item* closureIn(const Scene& scene) {
  const auto found = std::ranges::find_if(scene.items, [](const Item& item) {
    return item.shape == Item::Shape::Token && item.object.kind == Object::Kind::Queue;
  });
  return found == scene.items.end() ? nullptr : &*found;
}

// Records `steps` steps of a branch, from the step of the fault on.
Recorded recordFault(const RunSettings& asked, const RunFault& fault, int steps) {
  const ResolvedSettings config = resolve(asked);
  Telemetry telemetry;
  const auto data = openDataset(config);
  Trainer trainer(config, data, telemetry, {RunBranch{"", config.asked(), fault.step, std::nullopt, fault}});
  if (!startBranch(trainer, data, nullptr, [] { return true; })) return {};
  Recorded recorded;
  recorded.info = std::make_shared<const RunInfo>(trainer.info());
  for (int i = 0; i < steps && !trainer.finished(); ++i) {
    telemetry.requestRecord();
    trainer.step();
    recorded.steps.push_back(telemetry.takeRecord());
  }
  return recorded;
}

}  // namespace

class TestFaultMenu : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // The movie goes on while the menu is open: the task dies in the step that is shown when the user chooses.
  void aTaskDiesInTheStepThatIsSeenThen() {
    Desk desk(clusterOf("multi-worker-mirrored"));
    QMenu* menu = desk.rightClick({Object::Kind::Device, 2});
    QVERIFY(menu != nullptr);
    QVERIFY(desk.goTo(3));
    QVERIFY(desk.choose(menu, "kill-worker-1"));
    QVERIFY(desk.at(3));
    QVERIFY(desk.playback.record()->metric.aborted);
  }

  void theRightButtonKillsAndUndoGoesBack() {
    Desk desk(clusterOf("multi-worker-mirrored"));
    QVERIFY(desk.goTo(3));
    QMenu* menu = desk.rightClick({Object::Kind::Device, 2});
    QVERIFY(menu != nullptr);
    // The menu offers faults of host 1 only.
    QCOMPARE(textsOf(menu), QStringList({QStringLiteral("Kill worker 1"),
                                         QStringLiteral("Cut worker 1 off, as if its machine were lost")}));
    QVERIFY(desk.choose(menu, "kill-worker-1"));
    QVERIFY(desk.at(3));
    QCOMPARE(desk.faults(), std::size_t{1});
    QVERIFY(desk.playback.record()->metric.aborted);
    // The run's end has the same name wherever it is shown.
    QVERIFY(desk.end());
    QTRY_COMPARE_WITH_TIMEOUT(desk.stage.message().words(), QStringLiteral("Ended with an error at step 3"),
                              kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.findChild<QLabel*>(QStringLiteral("state"))
                                 ->text()
                                 .startsWith(QStringLiteral("Ended with an error")),
                             kPatienceMs);
    QVERIFY(desk.bench.undo().stack().undoText().contains(QStringLiteral("worker 1 killed in step 3")));
    // Undo goes back to the run before the kill, at the step shown; redo kills again.
    QTest::keyClick(&desk.window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(desk.at(3));
    QCOMPARE(desk.faults(), std::size_t{0});
    QVERIFY(!desk.playback.record()->metric.aborted);
    QTest::keyClick(&desk.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(desk.at(3));
    QCOMPARE(desk.faults(), std::size_t{1});
    QVERIFY(desk.playback.record()->metric.aborted);
  }

  // While the menu is open, another run may begin.
  void whatIsNoLongerPossibleSaysSo() {
    Desk desk(clusterOf("multi-worker-mirrored"));
    QMenu* menu = desk.rightClick({Object::Kind::Device, 1});
    QVERIFY(menu != nullptr);
    QAction* kill = menu->findChild<QAction*>(QStringLiteral("kill-worker-0"));
    QVERIFY(kill != nullptr && kill->isEnabled());
    const RunInfo* before = desk.controller.info();
    desk.window.experiment().set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    QTRY_VERIFY_WITH_TIMEOUT(desk.controller.info() != nullptr && desk.controller.info() != before, kPatienceMs);
    QVERIFY(desk.at(1));
    QStringList said;
    connect(&desk.window.messages(), &Messages::said, this, [&](const QString& text) { said << text; });
    kill->trigger();
    QVERIFY2(said.join(QLatin1Char('|')).contains(QStringLiteral("No longer possible")), qPrintable(said.join(u'|')));
    menu->close();
  }

  void theMenuKeyKills_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::newRow("Menu") << static_cast<int>(Qt::Key_Menu) << 0;
    QTest::newRow("Shift+F10") << static_cast<int>(Qt::Key_F10) << static_cast<int>(Qt::ShiftModifier);
  }
  void theMenuKeyKills() {
    QFETCH(int, key);
    QFETCH(int, modifiers);
    Desk desk(clusterOf("parameter-server"));
    QVERIFY(desk.goTo(2));
    desk.stage.setFocus();
    desk.stage.objects().choose({Object::Kind::Device, 1});
    QTest::keyClick(&desk.stage, static_cast<Qt::Key>(key), Qt::KeyboardModifiers(modifiers));
    QMenu* menu = desk.menu();
    QCOMPARE(textsOf(menu), QStringList({QStringLiteral("Kill worker 1")}));
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(desk.faults(), std::size_t{1}, kPatienceMs);
    QVERIFY(desk.at(2));
    QCOMPARE(desk.playback.record()->dead.size(), std::size_t{1});
  }

  // If there are many tasks, those of one kind have a menu of their own.
  void manyTasksAreInMenusByKind() {
    RunSettings config = clusterOf("parameter-server");
    config.replicas = 12;
    Desk desk(config);
    QVERIFY(desk.goTo(2));
    desk.window.findChild<QAction*>(QStringLiteral("faultMenu"))->trigger();
    QMenu* menu = desk.menu();
    QVERIFY(menu != nullptr);
    QCOMPARE(textsOf(menu), QStringList({QStringLiteral("Workers"), QStringLiteral("Parameter servers"),
                                         QStringLiteral("Kill the coordinator")}));
    auto* workers = menu->findChild<QMenu*>(QStringLiteral("workerFaults"));
    QCOMPARE(textsOf(workers).size(), 12);
    menu->setActiveAction(workers->menuAction());
    QTest::keyClick(menu, Qt::Key_Right);
    QTRY_VERIFY_WITH_TIMEOUT(workers->isVisible(), kPatienceMs);
    QVERIFY(QTest::qWaitFor([&] { return workers->activeAction() != nullptr; }, kPatienceMs));
    QTest::keyClick(workers, Qt::Key_Down);
    QTest::keyClick(workers, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(desk.faults(), std::size_t{1}, kPatienceMs);
    QCOMPARE(desk.window.experiment().lineage().back().fault->index, 1);
  }

  // A list of moments leads to the backup that the teacher chose.
  void aMomentStartsAgainFromItsBackup() {
    Desk desk(clusterOf("multi-worker-mirrored"));
    QVERIFY(desk.goTo(12));
    QVERIFY(desk.choose(desk.rightClick({Object::Kind::Device, 2}), "kill-worker-1"));
    QVERIFY(desk.end());
    desk.window.findChild<QAction*>(QStringLiteral("faultMenu"))->trigger();
    QMenu* menu = desk.menu();
    QVERIFY(menu != nullptr);
    QCOMPARE(menu->actions().size(), 2);  // the backup of step 8, made at the epoch's end, and that of step 10
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(menu->actions().back()).center());
    QVERIFY(desk.at(11));
    QCOMPARE(desk.faults(), std::size_t{2});
    desk.window.findChild<QAction*>(QStringLiteral("momentAddMenu"))->trigger();
    desk.window.experiment().begin(clusterOf("mirrored"));
    QVERIFY(desk.at(1));
    QCOMPARE(desk.faults(), std::size_t{0});
    desk.window.panels().openTab(QStringLiteral("momentsTab"));
    QCoreApplication::processEvents();
    QTest::mouseClick(desk.window.findChild<QPushButton*>(QStringLiteral("momentShow")), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(desk.faults(), std::size_t{2}, kPatienceMs);
    QCOMPARE(desk.window.experiment().lineage().back().fault->step, std::int64_t{11});
  }

  void eachBoxHasItsOwnTask() {
    Desk desk(clusterOf("parameter-server"));
    const std::pair<Object, QString> boxes[]{
        {{Object::Kind::Device, 3}, QStringLiteral("Kill worker 3")},
        {{Object::Kind::VariableShard, 4}, QStringLiteral("Kill parameter server 0")},
        {{Object::Kind::Queue}, QStringLiteral("Kill the coordinator")}};
    QVERIFY(desk.goTo(2));
    for (const auto& [object, words] : boxes) {
      QMenu* menu = desk.rightClick(object);
      QCOMPARE(textsOf(menu), QStringList({words}));
      QTest::keyClick(menu, Qt::Key_Escape);
      QTRY_VERIFY_WITH_TIMEOUT(desk.window.findChildren<QMenu*>(QStringLiteral("faults")).isEmpty(), kPatienceMs);
    }
  }

  // An aborted step makes no update, so the histogram of staleness stays as it was before the fault.
  void anAbortedStepCountsInNoHistogram() {
    Desk desk(clusterOf("parameter-server"));
    desk.window.resize(1600, 900);
    QVERIFY(desk.goTo(3));
    desk.playback.seek(3, 0);
    const auto bars = [&desk] {
      QCoreApplication::processEvents();
      QList<std::pair<double, double>> levels;
      for (const Item& item : desk.stage.scene().items)
        if (item.shape == Item::Shape::Bar && item.level > 0) levels.append({item.box.left(), item.level});
      return levels;
    };
    const auto before = bars();
    QVERIFY(!before.isEmpty());
    QVERIFY(desk.choose(desk.rightClick({Object::Kind::VariableShard, 4}), "kill-server-0"));
    QVERIFY(desk.at(3));
    QVERIFY(desk.playback.record()->metric.aborted);
    QCOMPARE(bars(), before);
    QVERIFY(desk.end());
    QCOMPARE(bars(), before);
  }

  // A lane's tasks die in that lane; the window's run and the other lanes go on.
  void aLaneHasFaultsOfItsOwn() {
    Desk desk(clusterOf("mirrored"));
    desk.window.workspaces().choose(WindowLayout::Compare);
    CompareView& view = *desk.window.centre().comparison();
    view.compareWith(strategyInfo(StrategyKind::MultiWorkerMirrored));
    view.compareWith(strategyInfo(StrategyKind::ParameterServer));
    Lane& lane = view.lanes().at(1);
    const auto inStep = [&](std::int64_t step) {
      return desk.at(step) && QTest::qWaitFor([&] { return view.lanes().lockstep().isInStep(); }, kPatienceMs);
    };
    desk.playback.goTo(6);
    QVERIFY(inStep(6));
    auto* fault = desk.window.findChild<QAction*>(QStringLiteral("faultMenu"));
    QVERIFY(!fault->isEnabled());  // the window's run is one process
    QCoreApplication::processEvents();
    QMenu* menu = desk.rightClick(view.laneView(1).stage(), {Object::Kind::Device, 2});
    QCOMPARE(view.lanes().focus(), 1U);
    QVERIFY(fault->isEnabled());
    QCOMPARE(textsOf(menu), QStringList({QStringLiteral("Kill worker 1"),
                                         QStringLiteral("Cut worker 1 off, as if its machine were lost")}));
    QVERIFY(desk.click(menu, "kill-worker-1"));
    const auto has = [&](std::size_t faults) {
      return QTest::qWaitFor(
          [&] {
            return lane.controller().info() != nullptr && lane.controller().info()->lineage.size() == faults &&
                   lane.playback().record() && view.lanes().lockstep().isInStep();
          },
          kPatienceMs);
    };
    QVERIFY(has(1));
    QVERIFY(lane.playback().record()->metric.aborted);
    QCOMPARE(lane.playback().step(), std::int64_t{6});
    QVERIFY2(view.laneView(1).unequal().contains(QStringLiteral("Worker 1 killed in step 6")),
             qPrintable(view.laneView(1).unequal()));
    // The other lanes do not know of the fault and go on without this lane.
    QCOMPARE(desk.faults(), std::size_t{0});
    QVERIFY(view.lanes().at(2).lineage().empty());
    desk.playback.goTo(9);
    QVERIFY(inStep(9));
    QCOMPARE(lane.playback().step(), std::int64_t{6});
    QVERIFY(!desk.playback.record()->metric.aborted);
    // After a revival, all its workers go on from the epoch's backup, to the same numbers as a run in which nobody
    // died.
    QVERIFY(view.twiceWords(strategyInfo(StrategyKind::MultiWorkerMirrored)).isEmpty());
    view.compareWith(strategyInfo(StrategyKind::MultiWorkerMirrored));
    view.lanes().setBaseline(3);
    desk.playback.goTo(6);
    QVERIFY(inStep(6));
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.findChildren<QMenu*>(QStringLiteral("faults")).isEmpty(), kPatienceMs);
    QVERIFY(desk.click(desk.rightClick(view.laneView(1).stage(), {Object::Kind::Device, 0}), "revive-worker-1"));
    QVERIFY(has(2));
    desk.playback.goTo(9);
    QVERIFY(inStep(9));
    QCOMPARE(lane.playback().step(), std::int64_t{9});
    QCOMPARE(lane.distance.apart(), Apart::Same);
    // Files and undo contain the faults.
    const nlohmann::json file = view.comparison();
    QCOMPARE(comparingFromJson(file).wishes.front().from.origin.lineage.size(), std::size_t{2});
    QUndoStack& undo = desk.bench.undo().stack();
    while (undo.canUndo() && !view.lanes().at(1).lineage().empty()) undo.undo();
    QVERIFY(view.lanes().count() > 1 && view.lanes().at(1).lineage().empty());
    QVERIFY(view.lanes().at(1).isOwn() && view.lanes().at(1).wish().strategy != nullptr);
  }

  // A strategy is only called one process if it has one host.
  void oneProcessHasNothingToKill_data() {
    QTest::addColumn<QByteArray>("strategy");
    QTest::addColumn<int>("hosts");
    QTest::newRow("mirrored") << QByteArray("mirrored") << 1;
    QTest::newRow("sharded, one host") << QByteArray("sharded") << 1;
    for (const char* strategy : {"sharded", "local-sgd", "gossip", "tpu"})
      QTest::addRow("%s, two hosts", strategy) << QByteArray(strategy) << 2;
  }
  void oneProcessHasNothingToKill() {
    QFETCH(QByteArray, strategy);
    QFETCH(int, hosts);
    RunSettings config = clusterOf(strategy.constData());
    config.hosts = hosts;
    Desk desk(config);
    QMenu* menu = desk.rightClick({Object::Kind::Device, 1});
    QVERIFY(menu != nullptr);
    QCOMPARE(menu->actions().size(), 1);
    const QAction* none = menu->actions().front();
    QVERIFY(!none->isEnabled());
    QCOMPARE(none->text().startsWith(QStringLiteral("One process")), hosts == 1);
    QCOMPARE(none->toolTip().contains(QStringLiteral("in one process")), hosts == 1);
    QTest::keyClick(menu, Qt::Key_Escape);
  }

  void aTeacherMayLockIt() {
    Desk desk(clusterOf("multi-worker-mirrored"));
    desk.window.findChild<ClassLocks*>()->set({QStringLiteral("faultMenu")}, ControlState::Locked);
    QMenu* menu = desk.rightClick({Object::Kind::Device, 2});
    QVERIFY(menu != nullptr && !menu->actions().isEmpty());
    for (const QAction* action : menu->actions()) QVERIFY(!action->isEnabled());
    QTest::keyClick(menu, Qt::Key_Escape);
  }

  // In the first epoch there is no backup, and none is offered; later there are two ways to revive.
  void withoutABackupAllBeginsAnew() {
    Desk desk(clusterOf("multi-worker-mirrored"));
    QVERIFY(desk.goTo(2));
    QVERIFY(desk.choose(desk.rightClick({Object::Kind::Device, 2}), "kill-worker-1"));
    QVERIFY(desk.at(2));
    QMenu* menu = desk.rightClick({Object::Kind::Device, 2});
    QCOMPARE(textsOf(menu),
             QStringList({QStringLiteral("Revive worker 1: there is no backup yet, so all start again from scratch")}));
    QVERIFY(desk.choose(menu, "revive-worker-1"));
    QVERIFY(desk.at(1));
    QCOMPARE(desk.controller.info()->firstStep, 1);
    QVERIFY(!desk.playback.record()->metric.aborted);
    const QString told = desk.bench.undo().stack().undoText();
    QVERIFY2(told.contains(QStringLiteral("no backup")) && !told.contains(QStringLiteral("from the")),
             qPrintable(told));
    // Undo takes the revival and then the kill back.
    QTest::keyClick(&desk.window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(desk.at(2));
    QVERIFY(desk.playback.record()->metric.aborted);
    QTest::keyClick(&desk.window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(desk.at(2));
    QVERIFY(!desk.playback.record()->metric.aborted);

    QVERIFY(desk.goTo(6));
    QVERIFY(desk.choose(desk.rightClick({Object::Kind::Device, 2}), "kill-worker-1"));
    QVERIFY(desk.at(6));
    menu = desk.rightClick({Object::Kind::Device, 0});
    QCOMPARE(textsOf(menu),
             QStringList({QStringLiteral("Revive worker 1: all start again from the epoch's backup, of step 4"),
                          QStringLiteral("Revive worker 1: there is no backup yet, so all start again from scratch")}));
  }

  // A step that was given up has no check and no update, and is called aborted.
  void anAbortedStepIsCalledSo() {
    for (const char* strategy : {"multi-worker-mirrored", "parameter-server"}) {
      const bool servers = std::string_view(strategy) == "parameter-server";
      const Recorded run =
          recordFault(clusterOf(strategy), {3, servers ? Task::Server : Task::Worker, servers ? 0 : 1, What::Kill}, 1);
      const Picture picture(run.info, run.steps.front());
      QCOMPARE(picture.story.beats.back().kind, BeatKind::Aborted);
      QCOMPARE(picture.story.beats.back().name, QStringLiteral("aborted"));
      for (const BeatKind kind : {BeatKind::Check, BeatKind::Apply, BeatKind::Losses, BeatKind::Epoch})
        QVERIFY(picture.story.find(kind) == nullptr);
      QCOMPARE(picture.story.clock.back().ns, run.steps.front()->endNs);
    }
  }

  void deadBoxesSayHowAndLinksAreBroken() {
    const Recorded run = recordFault(clusterOf("multi-worker-mirrored"), {3, Task::Worker, 1, What::Kill}, 1);
    const StepRecord& record = *run.steps.front();
    const Picture picture(run.info, run.steps.front());
    const auto broken = [](const Scene& scene) {
      return std::ranges::count_if(scene.items,
                                   [](const Item& item) { return item.shape == Item::Shape::Link && item.quiet; });
    };
    const Scene before = picture.atNs(record.dead.front().sinceNs - 1), after = picture.at(picture.story.seconds);
    QCOMPARE(broken(before), 0);
    QVERIFY(broken(after) > 0);
    QVERIFY(!wordsOf(before).contains(QStringLiteral("is dead")));
    QVERIFY(wordsOf(after).contains(QStringLiteral("worker 1 is dead")));
    QVERIFY2(wordsOf(after).contains(QStringLiteral("killed in step 3")), qPrintable(wordsOf(after)));
    // Nobody gets this sum, so the caption no longer promises it.
    const Beat& sum = *picture.story.find(BeatKind::Aggregate);
    const double diesS = picture.story.secondsAt(record.dead.front().sinceNs);
    QVERIFY(!sum.captionAt(std::max(diesS, sum.motionS)).contains(QStringLiteral("every replica has the sum")));
    QVERIFY(sum.captionAt(std::max(diesS, sum.motionS)).contains(QStringLiteral("Worker 1 is dead")));
    const Recorded cut = recordFault(clusterOf("multi-worker-mirrored"), {3, Task::Worker, 1, What::Freeze}, 1);
    const Picture other(cut.info, cut.steps.front());
    QVERIFY(wordsOf(other.at(other.story.seconds)).contains(QStringLiteral("cut off in step 3")));
  }

  // A worker of several replicas is a host.
  void theInspectorDoesNotSayWhatTheDeadDo_data() {
    QTest::addColumn<QByteArray>("strategy");
    QTest::addColumn<int>("alive");
    QTest::addColumn<int>("dead");
    QTest::newRow("parameter-server") << QByteArray("parameter-server") << 0 << 1;
    QTest::newRow("multi-worker-mirrored") << QByteArray("multi-worker-mirrored") << 0 << 2;
  }
  void theInspectorDoesNotSayWhatTheDeadDo() {
    QFETCH(QByteArray, strategy);
    QFETCH(int, alive);
    QFETCH(int, dead);
    RunSettings config = clusterOf(strategy);
    config.replicas = 4;
    const Recorded run = recordFault(config, {3, Task::Worker, 1, What::Kill}, 1);
    const Picture picture(run.info, run.steps.front());
    const std::int64_t sinceNs = run.steps.front()->dead.front().sinceNs;
    const auto saidAt = [&](std::int64_t ns, const Object& object) {
      QString said;
      for (const Description::Row& row :
           describe(object, picture.index, picture.story, picture.story.secondsAt(ns)).rows)
        said += row.name + QStringLiteral(": ") + row.value + QLatin1Char('\n');
      return said;
    };
    const QString words = QStringLiteral("killed in step 3"), slower = QStringLiteral("Speed: ");
    const auto device = [](int replica) { return Object{.kind = Object::Kind::Device, .endpoint = replica}; };
    const QString after = saidAt(run.steps.front()->endNs, device(dead));
    QVERIFY2(after.contains(words) && !after.contains(slower), qPrintable(after));
    if (sinceNs > run.steps.front()->beginNs) QVERIFY(!saidAt(sinceNs - 1, device(dead)).contains(words));
    const QString other = saidAt(run.steps.front()->endNs, device(alive));
    QVERIFY2(!other.contains(words) && other.contains(slower), qPrintable(other));
    if (strategy == "parameter-server")
      QVERIFY(saidAt(run.steps.front()->endNs, {.kind = Object::Kind::Queue}).contains(words));
    else  // the step is given up, so there are no copies after it
      QVERIFY(!saidAt(run.steps.front()->endNs, {Object::Kind::Weights, alive}).contains(QStringLiteral("after the")));
  }

  // Whatever the hatching hides cannot be pointed at, and what is described is dead.
  void theHatchingIsTheDeadTask_data() {
    QTest::addColumn<QByteArray>("strategy");
    QTest::addColumn<int>("task");
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("endpoint");
    const auto add = [](const char* name, const char* strategy, Task task, int index, const Object& object) {
      QTest::newRow(name) << QByteArray(strategy) << static_cast<int>(task) << index << static_cast<int>(object.kind)
                          << object.endpoint;
    };
    add("host", "multi-worker-mirrored", Task::Worker, 1, {Object::Kind::Device, 2});
    add("worker", "parameter-server", Task::Worker, 1, {Object::Kind::Device, 1});
    add("server", "parameter-server", Task::Server, 0, {Object::Kind::VariableShard, 4});
    add("coordinator", "parameter-server", Task::Chief, 0, {Object::Kind::Queue});
  }
  void theHatchingIsTheDeadTask() {
    QFETCH(QByteArray, strategy);
    QFETCH(int, task);
    QFETCH(int, index);
    QFETCH(int, kind);
    QFETCH(int, endpoint);
    const Recorded run =
        recordFault(clusterOf(strategy.constData()), {3, static_cast<Task>(task), index, What::Kill}, 1);
    const Picture picture(run.info, run.steps.front());
    const double end = picture.story.seconds;
    const Scene scene = picture.at(end);
    const auto hatch = std::ranges::find_if(
        scene.items, [](const Item& item) { return item.shape == Item::Shape::Hatch && item.covers; });
    QVERIFY(hatch != scene.items.end());
    const Object dead{static_cast<Object::Kind>(kind), endpoint};
    constexpr int kParts = 12;
    for (int row = 1; row < kParts; ++row)
      for (int column = 1; column < kParts; ++column)
        QVERIFY(scene.objectAt(hatch->box.topLeft() + QPointF(hatch->box.width() * column / kParts,
                                                              hatch->box.height() * row / kParts)) == dead);
    for (const Object& each : {dead, Object{Object::Kind::Weights, endpoint}}) {
      if (each.endpoint < 0 && each != dead) continue;  // the coordinator has no weights
      const Description said = describe(each, picture.index, picture.story, end);
      QStringList rows;
      for (const Description::Row& row : said.rows) rows << row.name + QStringLiteral(": ") + row.value;
      const QString words = rows.join(QLatin1Char('\n'));
      QVERIFY2(words.contains(QStringLiteral("killed in step 3")), qPrintable(words));
      QVERIFY2(!words.contains(QStringLiteral("identical")), qPrintable(words));
      QVERIFY2(!said.note.contains(QStringLiteral("pulls them from here")) &&
                   !said.note.contains(QStringLiteral("applies the same update")),
               qPrintable(said.note));
    }
  }

  void keysPassOverWhatTheHatchingHides() {
    Desk desk(clusterOf("multi-worker-mirrored"));
    QVERIFY(desk.goTo(2));
    const auto has = [&](Object::Kind kind, int endpoint) {
      return std::ranges::any_of(desk.stage.objects().all(), [&](const Object& object) {
        return object.kind == kind && object.endpoint == endpoint;
      });
    };
    QVERIFY(has(Object::Kind::Weights, 0) && has(Object::Kind::Weights, 2));
    QVERIFY(desk.choose(desk.rightClick({Object::Kind::Device, 2}), "kill-worker-1"));
    QVERIFY(desk.at(2));
    desk.playback.seek(2, desk.playback.story().seconds);
    QTRY_VERIFY_WITH_TIMEOUT(!has(Object::Kind::Weights, 2), kPatienceMs);
    QVERIFY(has(Object::Kind::Weights, 0) && has(Object::Kind::Device, 2));
  }

  // The closure goes from the dead worker into the queue, waits there, and goes to the worker that takes it.
  void theClosureTravels() {
    RunSettings config = clusterOf("parameter-server");
    config.steps = 200;
    const Recorded run = recordFault(config, {2, Task::Worker, 1, What::Kill}, 120);
    int back = 0, out = 0;
    for (const auto& step : run.steps) {
      const DeadTask& dead = step->dead.front();
      const Picture picture(run.info, step);
      const QPointF from = picture.layout.columnOf(1).header.center();
      if (step == run.steps.front()) {  // no task has noticed the death
        QVERIFY(closureIn(picture.at(picture.story.seconds)) == nullptr);
        QVERIFY(wordsOf(picture.at(picture.story.seconds)).contains(QStringLiteral("worker 1: no answer")));
      }
      const auto way = [&](double begin, double end, const QPointF& to) {
        double nearest = 1e9;
        for (double s = begin; s < end; s += 0.05)
          if (const Scene scene = picture.at(s); const Item* token = closureIn(scene))
            nearest = std::min(nearest, QLineF(token->box.center(), to).length());
        return nearest;
      };
      if (dead.noticedNs > step->beginNs && dead.noticedNs <= step->endNs) {
        ++back;
        const double at = picture.story.secondsAt(dead.noticedNs);
        QVERIFY(way(std::max(0.0, at - 1), at, from) < 12 * picture.layout.px);  // the closure has left the worker
        QVERIFY(closureIn(picture.at(at + 0.01)) != nullptr);                    // and waits
      }
      if (dead.takenBy >= 0 && dead.takenNs > step->beginNs && dead.takenNs <= step->endNs) {
        ++out;
        const QPointF to = picture.layout.columnOf(dead.takenBy).header.center();
        const double end = picture.story.seconds;
        QVERIFY(way(0, end, to) < 4 * picture.layout.px);  // the closure arrives there
        const QString taken = QStringLiteral("worker %1 has taken its closure").arg(dead.takenBy);
        const Description queue = describe({Object::Kind::Queue}, picture.index, picture.story, end);
        QVERIFY(std::ranges::any_of(queue.rows,
                                    [&taken](const Description::Row& row) { return row.value.contains(taken); }));
      }
    }
    QCOMPARE(back, 1);
    QCOMPARE(out, 1);
    QVERIFY(closureIn(Picture(run.info, run.steps.back()).at(0)) == nullptr);
  }
};

QTEST_MAIN(TestFaultMenu)
#include "tst_fault_menu.moc"
