// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: processors=2
// A class's recording, opened: the stage shows every step as in the lesson, to the bit, in any order; lanes show the
// recording beside simulated runs; branches continue it. Steps that were not recorded are not shown. The test uses no
// sockets.
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>
#include <QtTest>

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/classruns/class_info.h"
#include "core/classruns/class_recording.h"
#include "core/files/experiment_file.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/strategy/strategy.h"
#include "core/training/trainer.h"
#include "tests/support/class_room.h"
#include "tests/support/patience.h"
#include "tests/support/records.h"
#include "tests/ui/compare_desk.h"
#include "tests/ui/read_recordings.h"
#include "tests/ui/small_config.h"
#include "ui/branches/branches.h"
#include "ui/files/document.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/lanes/lane_specs.h"
#include "ui/session/workbench.h"
#include "ui/trace/breakdown_table.h"
#include "ui/trace/trace_panel.h"
#include "ui/whatif/what_if_panel.h"
#include "ui/window/main_window.h"

using namespace lab;
using namespace lab::test;

namespace {

constexpr std::int64_t kSteps = 40;
using Of = BranchOffer::Of;

// A lesson and the records that its own window made.
struct Lesson {
  ClassRoom room;
  std::shared_ptr<serving::ClassHistory> history = std::make_shared<serving::ClassHistory>();
  std::vector<int> there;  // the workers' connections

  explicit Lesson(const std::string& strategy)
      : room({{"strategy", strategy},
              {"network", "mlp"},
              {"optimizer", "adam"},
              {"batch-per-replica", "8"},
              {"replicas", "2"},
              {"train-examples", "300"},
              {"test-examples", "20"},
              {"eval-every", "0"},
              {"steps", std::to_string(kSteps)}},
             fewDigits(300, 20), 2) {
    room.tell(*history);
  }
  void join() { there.push_back(room.join()); }
  void leave(std::size_t worker) {
    room.leave(there[worker]);
    there.erase(there.begin() + static_cast<std::ptrdiff_t>(worker));
  }
  // Lets the workers compute what they have, in turn, until there are `updates` updates.
  void workTo(std::int64_t updates) {
    while (history->updates() < updates)
      for (const int each : there) {
        if (history->updates() == updates) return;
        room.ns += 3'000'000;
        (void)room.compute(each);
      }
  }
  std::vector<std::shared_ptr<const StepRecord>> records() {
    std::vector<ClassMember> members;
    for (const serving::ClassWorkerFacts& each : room.joined) {
      members.resize(std::max(members.size(), static_cast<std::size_t>(each.worker) + 1));
      members[static_cast<std::size_t>(each.worker)] = {
          .worker = each.worker, .name = each.name, .nickname = {}, .path = each.path, .why = {}};
    }
    history->describe(serving::classInfo(room.config, room.dataset, members));
    serving::ClassRecords made(room.config, room.dataset, history, 1);
    std::vector<std::shared_ptr<const StepRecord>> all{nullptr};
    for (std::int64_t step = 1; step <= history->updates(); ++step)
      all.push_back(made.record(step, [] { return true; }));
    return all;
  }
  // If `old` is true, writes the file as it was before times, and who came and went, were recorded.
  void write(const QString& path, bool old = false, bool ended = false) const {
    RunHeader header = headerOf(*history->info());
    header.config = configToJson(room.config);
    RunFileWriter file(path.toStdString(), header);
    for (const StepMetric& metric : room.metrics) file.metrics(std::vector<Metric>{metric});
    for (const std::string& line : room.lines)
      if (!old || line.starts_with("{\"class\"")) file.other(line);
    if (ended) file.metrics(std::vector<Metric>{EndMetric{.steps = history->updates(), .dataset = "digits"}});
    file.finish(0);
  }
};

// One worker joins in the middle, and one leaves.
void comeAndGo(Lesson& lesson) {
  lesson.join();
  lesson.join();
  lesson.workTo(9);
  lesson.join();
  lesson.workTo(21);
  lesson.leave(0);
  lesson.workTo(33);
}

// The parts of the window that open a recording.
struct Desk : CompareDesk {
  Document document{experiment, library};
  Lanes lanes{controller, playback, selection};

  bool open(const QString& path) {
    return document.open(path) && test::hasRead(document) && waitFor([this] { return playback.record() != nullptr; });
  }
  std::shared_ptr<const StepRecord> at(std::int64_t step) {
    playback.goTo(step);
    (void)waitFor([&] { return playback.record()->metric.step == step || !controller.records().failure().isEmpty(); });
    return playback.record();
  }
  template <typename Done>
  static bool waitFor(Done done) {
    return QTest::qWaitFor(done, kPatienceMs);
  }
  bool settle() {
    return waitFor([this] { return lanes.lockstep().isSettled(); });
  }
};

// All of the window, for a recording.
struct WholeWindow {
  QSettings settings;
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};

  explicit WholeWindow(const QString& iniFile) : settings(iniFile, QSettings::IniFormat) {}
  // Writes a lesson of this strategy to `path`, and opens it.
  bool records(const char* strategy, const QString& path) {
    Lesson lesson(strategy);
    comeAndGo(lesson);
    (void)lesson.records();  // describes the class
    lesson.write(path);
    window.resize(1280, 720);
    window.show();
    return QTest::qWaitForWindowExposed(&window) && bench.files().open(path) && test::hasRead(bench.document());
  }
};

}  // namespace

class TestClassRecording : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  QString pathOf(const char* name) const { return folder_.filePath(QLatin1String(name)); }

 private Q_SLOTS:
  // Ctrl-C, or the teacher, ends a class before its last update; its file has an end all the same.
  void aClassThatWasEndedEarlyIsStopped() {
    for (const bool whole : {false, true}) {
      Lesson lesson("parameter-server");
      lesson.join();
      lesson.join();
      lesson.workTo(whole ? kSteps : 4);
      (void)lesson.records();
      lesson.write(pathOf("ended.run"), false, true);
      Desk desk;
      QVERIFY(desk.open(pathOf("ended.run")));
      QCOMPARE(desk.controller.state(), whole ? RunState::Finished : RunState::Stopped);
    }
  }

  void eachStepIsThatOfTheLesson_data() {
    QTest::addColumn<QByteArray>("strategy");
    for (const char* strategy : {"parameter-server", "mirrored"}) QTest::newRow(strategy) << QByteArray(strategy);
  }
  void eachStepIsThatOfTheLesson() {
    QFETCH(QByteArray, strategy);
    Lesson lesson(strategy.toStdString());
    comeAndGo(lesson);
    const auto live = lesson.records();
    lesson.write(pathOf("class.run"));
    Desk desk;
    QVERIFY(desk.open(pathOf("class.run")));
    QCOMPARE(desk.playback.step(), 1);
    QVERIFY(desk.controller.isRecording() && desk.controller.isOver());
    QCOMPARE(desk.controller.info()->replicas, 3);
    QCOMPARE(desk.library.presentId(), desk.library.runs().back().id);
    QCOMPARE(desk.library.runs().back().source, pathOf("class.run"));
    for (int w = 0; w < 3; ++w)
      QCOMPARE(coreText(desk.controller.info()->legend.endpoints[static_cast<std::size_t>(w)].name),
               coreText(lesson.history->info()->legend.endpoints[static_cast<std::size_t>(w)].name));
    std::vector<std::int64_t> steps(live.size() - 1);
    std::iota(steps.begin(), steps.end(), 1);
    Rng rng(3);
    for (std::size_t i = steps.size() - 1; i > 0; --i) std::swap(steps[i], steps[rng.below(i + 1)]);
    bool anybodyLeft = false;
    for (const std::int64_t step : steps) {
      const auto opened = desk.at(step);
      QCOMPARE(opened->metric.step, step);
      const StepRecord& was = *live[static_cast<std::size_t>(step)];
      QCOMPARE(difference(was, *opened), QString());
      QVERIFY(opened->timesKnown);
      QCOMPARE(opened->metric.worker, was.metric.worker);
      QCOMPARE(opened->metric.staleness, was.metric.staleness);
      QCOMPARE(opened->absent, was.absent);
      for (const Absence& each : opened->absent) anybodyLeft = anybodyLeft || each.why == Absence::Why::Left;
    }
    QVERIFY(anybodyLeft);
    // Another run takes the recording's place; when the recording is repeated, its steps come back.
    const int id = desk.library.presentId();
    desk.experiment.set(QStringLiteral("learning-rate"), QStringLiteral("0.01"));
    QVERIFY(!desk.controller.isRecording() && desk.library.presentId() != id);
    desk.library.repeat(id);
    QVERIFY(desk.controller.isRecording() && desk.library.presentId() == id);
    QVERIFY(desk.waitFor([&] { return desk.playback.record() != nullptr; }));
    QCOMPARE(difference(*live[1], *desk.playback.record()), QString());
  }

  // An old file has the steps but no times, and the window claims none.
  void anOldFileHasNoTimes() {
    Lesson lesson("parameter-server");
    comeAndGo(lesson);
    const auto live = lesson.records();
    lesson.write(pathOf("old.run"), true);
    Desk desk;
    QVERIFY(desk.open(pathOf("old.run")));
    const auto opened = desk.at(17);
    const StepRecord& was = *live[17];
    QVERIFY(sameBits(opened->gradients, was.gradients) && sameBits(opened->weightsAfter, was.weightsAfter));
    QCOMPARE(opened->replicas[0].losses, was.replicas[0].losses);
    QCOMPARE(opened->metric.staleness, was.metric.staleness);
    QVERIFY(!opened->timesKnown);
    QVERIFY(opened->absent.empty());  // nor does the file say who had not yet joined
    TracePanel panel(desk.controller, desk.playback, desk.selection);
    panel.resize(900, 300);
    panel.setVisible(true);
    QVERIFY(desk.waitFor([&] {
      return panel.findChild<QLabel*>(QStringLiteral("traceTitle"))->text().contains("times were not recorded");
    }));
    QVERIFY(!panel.findChild<QWidget*>(QStringLiteral("exportTrace"))->isEnabled());
  }

  // What if has no measured parts beside its own if the file has none.
  void whatIfClaimsNoTimesThatAnOldFileDoesNotHave_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"mirrored", "parameter-server"}) QTest::newRow(strategy) << strategy;
  }
  void whatIfClaimsNoTimesThatAnOldFileDoesNotHave() {
    QFETCH(QString, strategy);
    Lesson lesson(strategy.toStdString());
    comeAndGo(lesson);
    (void)lesson.records();  // describes the class
    for (const bool old : {false, true}) {
      const QString path = pathOf(qPrintable(QStringLiteral("%1-%2.run").arg(strategy).arg(old)));
      lesson.write(path, old);
      Desk desk;
      QVERIFY(desk.open(path));
      const auto record = desk.at(17);
      QCOMPARE(record->timesKnown, !old);
      WhatIfPanel panel(desk.controller, desk.playback, desk.experiment);
      panel.resize(1200, 800);
      panel.QWidget::show();
      const auto* table = panel.findChild<BreakdownTable*>();
      QVERIFY(desk.waitFor([&] { return table->columnCount() > 1; }));
      QStringList heads;
      for (int column = 1; column < table->columnCount(); ++column)
        heads << table->horizontalHeaderItem(column)->text();
      const QString recorded = panel.findChild<QLabel*>(QStringLiteral("whatIfRecorded"))->text();
      QCOMPARE(heads, old ? QStringList{QStringLiteral("what if")}
                          : QStringList({QStringLiteral("measured"), QStringLiteral("what if")}));
      if (old)  // what the file has is how long the step took
        QVERIFY2(recorded.contains(durationText(record->metric.stepNs)), qPrintable(recorded));
    }
  }

  void itStandsBesideASimulatedRunAndAnotherClass() {
    Lesson lesson("parameter-server"), other("parameter-server");
    for (Lesson* each : {&lesson, &other}) {
      comeAndGo(*each);
      if (each == &other) each->workTo(kSteps);
    }
    const auto live = lesson.records(), liveOther = other.records();
    lesson.write(pathOf("one.run"));
    other.write(pathOf("other.run"));
    Desk desk;
    QVERIFY(desk.open(pathOf("other.run")));
    const int id = desk.library.presentId();
    QVERIFY(desk.open(pathOf("one.run")));
    QVERIFY(desk.library.canCompare(id));
    desk.lanes.lockstep().setActive(true);
    const auto [settings, start] = desk.library.lesson(id);
    desk.lanes.add({nullptr, settings, QStringLiteral("other"), start});
    desk.lanes.add({&strategyInfo(StrategyKind::ParameterServer)});
    for (const std::int64_t step : {12, 5, 33}) {
      QVERIFY(desk.settle());
      desk.playback.goTo(step);
      QVERIFY(desk.settle());
      QCOMPARE(difference(*live[static_cast<std::size_t>(step)], *desk.playback.record()), QString());
      QCOMPARE(difference(*liveOther[static_cast<std::size_t>(step)], *desk.lanes.at(1).playback().record()),
               QString());
      const auto simulated = desk.lanes.at(2).playback().record();
      QVERIFY2(simulated, qPrintable(desk.lanes.at(2).refusal()));
      QCOMPARE(simulated->metric.step, step);
      QCOMPARE(simulated->replicas.size(), std::size_t{3});
    }
    QCOMPARE(desk.library.runs().size(), std::size_t{2});  // the lane's run is already kept
    // A saved comparison has only the lanes that can be trained again.
    QCOMPARE(comparisonToJson(desk.lanes).at("lanes").size(), std::size_t{1});
  }

  // The experiment that is kept beside it has other steps.
  void itsStepIsNotTheExperimentsView() {
    WholeWindow whole(pathOf("view.ini"));
    QVERIFY(whole.records("mirrored", pathOf("view.run")));
    MainWindow& window = whole.window;
    const auto viewStep = [&] {
      return parseExperiment(whole.bench.document().text().toStdString(), "view").view.value().step;
    };
    QVERIFY(QTest::qWaitFor([&] { return window.playback().record() != nullptr; }, kPatienceMs));
    window.playback().goTo(3);
    QVERIFY(QTest::qWaitFor([&] { return window.playback().step() == 3; }, kPatienceMs));
    QCOMPARE(viewStep(), 0);
    window.experiment().begin(smallConfig());
    QVERIFY(QTest::qWaitFor([&] { return window.playback().record() != nullptr; }, kPatienceMs));
    QCOMPARE(viewStep(), 1);
  }

  // No file keeps such a lane, but undo does.
  void undoOfALaneLeavesTheRecordingsLane() {
    WholeWindow whole(pathOf("settings.ini"));
    QVERIFY(whole.records("parameter-server", pathOf("undo.run")));
    MainWindow& window = whole.window;
    const int id = window.library().presentId();
    window.experiment().begin(smallConfig());
    window.workspaces().choose(WindowLayout::Compare);
    CompareView& view = *window.centre().comparison();
    Lanes& lanes = view.lanes();
    QUndoStack& stack = whole.bench.undo().stack();
    view.compareWithKept(id);
    QCOMPARE(lanes.count(), std::size_t{2});
    const Lane* recorded = &lanes.at(1);
    view.compareWith(strategyInfo(StrategyKind::CentralStorage));
    QCOMPARE(lanes.count(), std::size_t{3});
    stack.undo();
    QCOMPARE(lanes.count(), std::size_t{2});
    QCOMPARE(&lanes.at(1), recorded);
    stack.redo();
    QCOMPARE(lanes.count(), std::size_t{3});
    QCOMPARE(&lanes.at(1), recorded);
    // A recording's lane that was closed comes back with its steps.
    lanes.remove(1);
    QCOMPARE(lanes.count(), std::size_t{2});
    stack.undo();
    QCOMPARE(lanes.count(), std::size_t{3});
    QVERIFY(lanes.at(1).wish().from.recording != nullptr);
    QVERIFY(QTest::qWaitFor([&] { return lanes.at(1).playback().record() != nullptr; }, kPatienceMs));
    QVERIFY(lanes.at(1).controller().isRecording());
  }

  void aBranchGoesOnFromAnyStep_data() {
    QTest::addColumn<QByteArray>("strategy");
    for (const char* strategy : {"parameter-server", "mirrored"}) QTest::newRow(strategy) << QByteArray(strategy);
  }
  // In step, with all workers there, the simulated strategy adds the same gradients in the same order as the class, so
  // the branch equals the class.
  void aBranchGoesOnFromAnyStep() {
    QFETCH(QByteArray, strategy);
    Lesson lesson(strategy.toStdString());
    lesson.join();
    lesson.join();
    lesson.workTo(kSteps);
    const auto live = lesson.records();
    lesson.write(pathOf("branch.run"));
    Desk desk;
    QVERIFY(desk.open(pathOf("branch.run")));
    desk.lanes.lockstep().setActive(true);
    for (const std::int64_t step : {23, 1}) {
      (void)desk.at(step);
      const std::vector<BranchOffer> offers = branchOffers(desk.lanes.at(0), QStringLiteral("lesson"));
      const auto offer = std::ranges::find(offers, Of::Nothing, &BranchOffer::of);
      QVERIFY2(offer->refusal.isEmpty(), qPrintable(offer->refusal));
      desk.lanes.add(offer->wish);
      Lane& lane = desk.lanes.at(desk.lanes.count() - 1);
      QVERIFY(desk.settle());
      QVERIFY2(lane.controller().failure().isEmpty(), qPrintable(lane.controller().failure()));
      QCOMPARE(lane.controller().info()->firstStep, step);
      QCOMPARE(lane.controller().info()->replicas, 2);
      QVERIFY(sameBits(lane.playback().record()->weightsBefore, live[static_cast<std::size_t>(step)]->weightsBefore));
      QVERIFY(!sameBits(lane.playback().record()->weightsAfter, lane.playback().record()->weightsBefore));
      for (const std::int64_t later : {step + 1, step + 5}) {
        if (strategy != "mirrored") break;
        (void)desk.at(later);
        QVERIFY(desk.settle());
        QCOMPARE(lane.playback().step(), later);
        QVERIFY(sameBits(lane.playback().record()->gradients, live[static_cast<std::size_t>(later)]->gradients));
        QVERIFY(sameBits(lane.playback().record()->weightsAfter, live[static_cast<std::size_t>(later)]->weightsAfter));
      }
    }
    // The branch's file says where the branch comes from; without the recording nobody can train it.
    const Lineage lineage = desk.lanes.at(1).lineage();
    QVERIFY(lineage.back().ofClass);
    RunController again;
    again.start(*desk.lanes.at(1).wish().kept, true, {.origin = {lineage, nullptr, nullptr}});
    QVERIFY(desk.waitFor([&] { return again.isOver(); }));
    QVERIFY(again.failure().contains(QStringLiteral("Open the recording")));
  }

  void linesThatCannotHaveBeenAreRefused() {
    Lesson lesson("parameter-server");
    lesson.join();
    lesson.join();
    lesson.workTo(3);
    const auto read = [&](std::vector<std::string> lines) {
      return serving::readClassRecording(lesson.room.config, "digits", lesson.room.metrics, false, lines);
    };
    const std::vector<std::string> lines = lesson.room.lines;
    QCOMPARE(read(lines)->history->updates(), 3);
    const auto with = [&](std::size_t at, const std::string& line) {
      std::vector<std::string> other = lines;
      other.at(at) = line;
      return other;
    };
    for (const char* line : {R"({"joined":{"worker":1000000,"name":"","path":""}})",
                             R"({"joined":{"worker":-1,"name":"","path":""}})", R"({"joined":7})", R"({"class":[]})",
                             R"({"class":[[1,63,0,8,0,true,""]]})", R"({"class":[[1,0,5,8,0,true,""]]})",
                             R"({"class":[[1,0,0,8,0,false,""]]})", R"({"applied":1,"times":[[0,1,1,0]]})"})
      QVERIFY_THROWS_EXCEPTION(UserError, read(with(line[2] == 'j' ? 0 : 2, line)));
    for (const char* line : {R"({"applied":1,"times":[]})", R"({"applied":-1,"times":[[0,1,1,0]]})",
                             R"({"applied":9,"times":[[0,1,1,5]]})", R"({"applied":9,"times":[[0,1]]})"})
      QVERIFY_THROWS_EXCEPTION(UserError, read(with(3, line)));
    QVERIFY_THROWS_EXCEPTION(UserError, read({}));
  }
};

QTEST_MAIN(TestClassRecording)
#include "tst_class_recording.moc"
