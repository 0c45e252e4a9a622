// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized processors=2 cost=15
// A class trains on the stage, with real processes of strategylab-class. The movie shows its updates with the bits that
// they had, single steps wait for the movie, the stage grows when workers join, and files are the ones that the command
// line writes.
#include <QImage>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cstring>

#include "core/classruns/class_replay.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/protocol/class_order.h"
#include "core/protocol/class_settings.h"
#include "core/training/trainer.h"
#include "tests/support/class_workers.h"
#include "tests/ui/read_recordings.h"
#include "ui/files/document.h"
#include "ui/files/session.h"
#include "ui/guide/lesson_view.h"
#include "ui/guide/spotlight.h"
#include "ui/playback/captions.h"
#include "ui/playback/playback.h"
#include "ui/program/program_pane.h"
#include "ui/runs/run_library.h"
#include "ui/runview/run_controller.h"
#include "ui/serving/served_class.h"
#include "ui/setup/experiment.h"
#include "ui/stage/stage.h"
#include "ui/step/selection.h"
#include "ui/transport/run_bar.h"
#include "ui/window/main_window.h"

using namespace lab;
using test::ClassWorkers;

namespace {

const QString kClassProgram = QStringLiteral(STRATEGYLAB_CLASS_PROGRAM);  // "" if it is not built
constexpr std::int64_t kEndless = 1'000'000;

RunSettings classOf(std::int64_t steps, const char* strategy = "parameter-server") {
  RunSettings asked;
  configField("strategy").set(asked, strategy);
  asked.network = "mlp";
  asked.batchPerReplica = 8;
  asked.steps = steps;
  asked.evalEvery = 0;
  return asked;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// The parts of the window that show a run.
struct Desk {
  RunController controller;
  Playback playback{controller};
  Selection selection;
  Stage stage{controller, playback, selection};
  ClassWorkers workers{kClassProgram};

  Desk() {
    stage.resize(1100, 560);
    stage.show();
  }
  bool serve(const RunSettings& asked, int firstWorkers = 1) {
    controller.start(asked, false, {.serve = ClassRun::Wishes{.firstWorkers = firstWorkers}});
    return waitFor(
        [this] { return controller.ofClass().run() != nullptr && !controller.ofClass().run()->link().empty(); });
  }
  void join() { workers.join(controller.ofClass().run()->link()); }
  bool shows(std::size_t replicas) {
    return waitFor([&] {
             return controller.isOver() || (playback.record() && playback.record()->replicas.size() == replicas);
           }) &&
           !controller.isOver();
  }
  template <typename Done>
  static bool waitFor(Done done) {
    return QTest::qWaitFor(done, kPatienceMs);
  }
};

// The parts of the window that keep a run.
struct Keeping {
  RunController controller;
  Experiment experiment{controller};
  RunLibrary library{controller, experiment};
  Document document{experiment, library};

  const KeptRun& present() const { return *library.find(library.presentId()); }
};

void replaysTo(const std::string& path, const RunSettings& asked, std::size_t updates) {
  const RunRecord file = readRunFile(path);
  QVERIFY(file.fault.empty() && file.header.isClass);
  const ResolvedSettings config = unchecked(configFromJson(file.header.config));
  QVERIFY(configToJson(config) == configToJson(serving::classSettings(asked)));
  const auto again = serving::replayClass(config, openDataset(config), serving::readClassOrder(path));
  QCOMPARE(again.losses.size(), updates);
  std::vector<double> losses;
  for (const Metric& metric : file.metrics)
    if (const auto* step = std::get_if<StepMetric>(&metric)) losses.push_back(step->loss);
  QCOMPARE(losses, again.losses);
}

}  // namespace

class TestClassMovie : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

 private Q_SLOTS:
  void initTestCase() {
    if (kClassProgram.isEmpty()) QSKIP("strategylab-class is not built: Boost's headers are missing");
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
  }

  void theStageGrowsWithTheClass_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"parameter-server", "mirrored"}) QTest::newRow(strategy) << strategy;
  }
  void theStageGrowsWithTheClass() {
    QFETCH(QString, strategy);
    Desk desk;
    QSignalSpy reshaped(&desk.controller, &RunController::reshaped);
    QVERIFY(desk.serve(classOf(kEndless, strategy.toUtf8())));
    desk.playback.setMode(Playback::Mode::Live);
    desk.playback.play();
    desk.join();
    QVERIFY2(desk.shows(1), qPrintable(desk.controller.failure()));
    for (const std::size_t count : {2, 3}) {
      desk.join();
      QVERIFY2(desk.shows(count), qPrintable(desk.controller.failure()));
      QCOMPARE(desk.controller.info()->replicas, static_cast<int>(count));
      QVERIFY(desk.waitFor([&] { return desk.stage.layout().columns.size() == count; }));
    }
    QCOMPARE(reshaped.count(), 2);
    QVERIFY(desk.playback.isPlaying());
    QCOMPARE(endpointName(*desk.controller.info(), 1), QStringLiteral("Heron 2"));
    if (const StepMetric& metric = desk.playback.record()->metric; metric.worker)
      QVERIFY(desk.playback.story()
                  .captionAt(desk.playback.story().seconds)
                  .contains(endpointName(*desk.controller.info(), *metric.worker)));
    desk.playback.pause();
    QVERIFY(desk.waitFor([&] { return desk.controller.isAtRest() && desk.playback.isSettled(); }));
    const auto record = desk.playback.record();
    QCOMPARE(record->replicas.size(), std::size_t{3});
    const std::int64_t earlier = std::max<std::int64_t>(1, record->metric.step - 40);
    desk.playback.goTo(earlier);
    QVERIFY(desk.waitFor([&] { return desk.playback.record()->metric.step == earlier; }));
    QVERIFY(desk.controller.records().failure().isEmpty());
    desk.stage.zoomInto(1);
    QVERIFY(desk.waitFor([&] { return desk.stage.zoomed() == 1 && !desk.stage.grab().isNull(); }));
    desk.controller.stop();
    QVERIFY(desk.waitFor([&] { return desk.controller.isOver(); }));
    desk.playback.goTo(earlier + 1);  // also when all workers are gone
    QVERIFY(desk.waitFor([&] { return desk.playback.record()->metric.step == earlier + 1; }));
  }

  // Before anybody has joined, nothing is being prepared.
  void belowTheStageAnOpenClassWaitsForWorkers() {
    Desk desk;
    RunBar bar(desk.controller, desk.playback);
    QVERIFY(desk.serve(classOf(kEndless)));
    QCOMPARE(bar.words(), QStringLiteral("waits for workers"));
    desk.controller.stop();
    QVERIFY(desk.waitFor([&] { return desk.controller.isOver(); }));
    QCOMPARE(bar.words(), QString());
  }

  // A class computes on real processors, also with a strategy that is only simulated elsewhere.
  void theProgramOfAClassSpeaksOfNoSimulatedDevices() {
    Desk desk;
    QVERIFY(desk.serve(classOf(kEndless, "backup-workers")));
    ProgramPane pane(desk.controller, desk.playback, desk.selection);
    pane.show();
    desk.join();
    QVERIFY2(desk.shows(1), qPrintable(desk.controller.failure()));
    QVERIFY(desk.waitFor([&] { return !pane.program().lines.empty(); }));
    QVERIFY(!QString::fromStdString(pane.program().text()).contains(QStringLiteral("simulated")));
    desk.controller.stop();
    QVERIFY(desk.waitFor([&] { return desk.controller.isOver(); }));
  }

  // A paused class shows at once who joins or leaves, in whatever step: the step stays, with a place for each worker.
  void whoJoinsOrLeavesAPausedClassIsShown() {
    Desk desk;
    QVERIFY(desk.serve(classOf(kEndless)));
    desk.join();
    QVERIFY(desk.waitFor([&] { return desk.playback.step() == 1; }));
    QVERIFY(desk.waitFor([&] { return desk.controller.isAtRest() && desk.playback.isSettled(); }));
    desk.join();
    QVERIFY(desk.shows(2));
    QCOMPARE(desk.playback.step(), 1);
    QCOMPARE(desk.controller.liveStep(), 1);
    QCOMPARE(desk.playback.record()->absent, (std::vector<Absence>{{1, Absence::Why::NotJoined}}));
    QVERIFY(desk.controller.ofClass().leftSince(desk.controller.newestRecord().get()).empty());
    desk.workers.kill(0);
    QVERIFY(desk.waitFor([&] {
      return desk.controller.ofClass().leftSince(desk.controller.newestRecord().get()) == std::vector<int>{0};
    }));
    const QString gone = QStringLiteral("Otter 1 has left");
    QVERIFY(desk.waitFor([&] {
      return std::ranges::any_of(desk.stage.scene().items, [&](const Item& item) { return item.text == gone; });
    }));
  }

  // As in the tab, the handle slows one worker; when the worker has left, there is no slowdown to show.
  void theSpeedHandleSlowsAWorker() {
    Desk desk;
    connect(&desk.stage, &Stage::slowdownWanted, &desk.stage,
            [&](int worker, double factor) { desk.controller.ofClass().run()->slow(worker, factor); });
    QVERIFY(desk.serve(classOf(kEndless)));
    desk.join();
    QVERIFY(desk.waitFor([&] { return desk.playback.step() == 1; }));
    QCOMPARE(desk.controller.ofClass().slowdownOf(0), std::optional(1.0));
    desk.selection.pin({Object::Kind::Device, 0, -1});
    const QRectF tray = desk.stage.layout().columnOf(0).tray;
    QTest::mouseClick(&desk.stage, Qt::LeftButton, {}, (tray.topLeft() + QPointF(tray.width() - 6, 8)).toPoint());
    QVERIFY(desk.controller.ofClass().slowdownOf(0) > 2.0);
    desk.workers.kill(0);
    QVERIFY(desk.waitFor([&] { return !desk.controller.ofClass().slowdownOf(0); }));
  }

  // A class that starts waits for the movie: nothing is trained beyond the step shown.
  void theClassWaitsForTheMovie() {
    Desk desk;
    QVERIFY(desk.serve(classOf(kEndless)));
    desk.join();
    QVERIFY(desk.waitFor([&] { return desk.playback.step() == 1; }));
    QCOMPARE(desk.controller.liveStep(), 1);
    for (std::int64_t step = 2; step <= 4; ++step) {
      desk.playback.goTo(step);
      QVERIFY(desk.waitFor([&] { return desk.playback.step() == step; }));
      QVERIFY(desk.waitFor([&] { return desk.controller.isAtRest(); }));
      QCOMPARE(desk.controller.liveStep(), step);
    }
  }

  void filesAreWhatTheCommandLineWrites() {
    RunSettings asked = classOf(60);
    asked.run = folder_.filePath("class.run").toStdString();
    asked.metrics = folder_.filePath("class.jsonl").toStdString();
    Desk desk;
    QVERIFY(desk.serve(asked, 2));
    desk.playback.setMode(Playback::Mode::Express);
    desk.playback.play();
    desk.join();
    desk.join();
    QVERIFY(desk.waitFor([&] { return desk.controller.isOver(); }));
    QVERIFY2(desk.controller.failure().isEmpty(), qPrintable(desk.controller.failure()));
    QCOMPARE(desk.controller.steps().size(), std::size_t{60});
    QVERIFY(desk.controller.metrics()->end.has_value());
    const RunRecord file = readRunFile(asked.run);
    QVERIFY(file.fault.empty() && file.header.isClass);
    QCOMPARE(file.metrics.size(), std::size_t{61});
    const serving::ClassOrder order = serving::readClassOrder(asked.run);
    const auto again =
        serving::replayClass(unchecked(configFromJson(file.header.config)), desk.controller.info()->data, order);
    for (std::size_t i = 0; i < again.losses.size(); ++i) QCOMPARE(again.losses[i], desk.controller.steps()[i].loss);
    std::vector<float> weights = again.variables;
    weights.resize(static_cast<std::size_t>(desk.controller.info()->parameters));
    desk.playback.end();
    QVERIFY(desk.waitFor([&] { return desk.playback.step() == 60; }));
    QVERIFY(sameBits(desk.playback.record()->weightsAfter, weights));
  }

  void whatTheWindowKeepsIsTheWholeLesson_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"parameter-server", "mirrored"}) QTest::newRow(strategy) << strategy;
  }
  // What a person saves, in the middle and at the end, and what the window keeps for its next session, contains the
  // events and the class's settings, so that the recording trains to the same bits again.
  void whatTheWindowKeepsIsTheWholeLesson() {
    QFETCH(QString, strategy);
    RunSettings asked = classOf(60, strategy.toUtf8());
    asked.replicas = 2;
    asked.devices = DeviceChoice::Simulated;
    asked.matmul = Precision::Bfloat16;  // a class does not have this setting
    const QString state = folder_.filePath(strategy);
    const auto again = [&](const KeptRun& run, std::size_t updates) {
      const QString path = folder_.filePath(QStringLiteral("kept.run"));
      RunFiles::write(run, QStringLiteral("lesson"), path);
      replaysTo(path.toStdString(), asked, updates);
    };
    {
      Keeping desk;
      desk.experiment.serve(asked, {.firstWorkers = 2});
      QVERIFY(Desk::waitFor([&] { return !desk.controller.ofClass().run()->link().empty(); }));
      ClassWorkers workers{kClassProgram};
      for (int w = 0; w < 2; ++w) workers.join(desk.controller.ofClass().run()->link());
      desk.controller.requestStep(20);
      QVERIFY(Desk::waitFor([&] { return desk.controller.steps().size() == 20 && desk.controller.isAtRest(); }));
      again(desk.present(), 20);
      Session session(state, desk.document, desk.experiment, desk.library);
      session.finish();
      desk.controller.play();
      QVERIFY(Desk::waitFor([&] { return desk.controller.isOver(); }));
      QVERIFY2(desk.controller.failure().isEmpty(), qPrintable(desk.controller.failure()));
      again(desk.present(), 60);
      session.finish();
    }
    Keeping next;
    Session session(state, next.document, next.experiment, next.library);
    QSignalSpy restored(&session, &Session::restored);
    QVERIFY(session.restore());
    QVERIFY(restored.wait(kPatienceMs));
    QVERIFY(next.library.runs().front().header->isClass && !next.library.runs().front().settingsKnown);
    again(next.library.runs().front(), 60);
    QSignalSpy said(&next.document, &Document::said);
    QVERIFY(next.document.open(folder_.filePath(QStringLiteral("kept.run"))) && test::hasRead(next.document));
    QVERIFY(said.front().front().toString().contains(QStringLiteral("The stage has its steps")));
    QVERIFY(next.controller.isRecording());
    again(next.library.runs()[1], 60);
  }

  // Nothing is computed any more, and the stage does not say so.
  void aLessonThatNobodyJoinedIsOver() {
    RunController controller;
    MainWindow window(controller);
    window.show();
    window.experiment().serve(classOf(kEndless), {.firstWorkers = 1});
    QVERIFY(Desk::waitFor([&] { return !controller.ofClass().run()->link().empty(); }));
    controller.stop();
    QVERIFY(Desk::waitFor([&] { return controller.isOver(); }));
    const QString words = window.stage().message().words();
    QVERIFY2(words.contains(QStringLiteral("Stopped before the first step")), qPrintable(words));
  }

  // A page that simulates 8 updates sets a stop there, but the class that it asks for trains on.
  void aLessonDoesNotStopItsClass() {
    RunController controller;
    MainWindow window(controller);
    window.show();
    window.panels().openTab(QStringLiteral("lessonsTab"));
    auto* lessons = window.findChild<LessonView*>();
    QVERIFY(lessons != nullptr && lessons->beginNamed(QStringLiteral("class-staleness")));
    const std::int64_t stop = lessons->lesson()->pages.front().moment.view.step;
    QCOMPARE(stop, 8);
    window.experiment().serve(classOf(kEndless), {.firstWorkers = 1});
    window.playback().setMode(Playback::Mode::Live);
    window.playback().play();
    QVERIFY(Desk::waitFor([&] { return !controller.ofClass().run()->link().empty(); }));
    ClassWorkers workers{kClassProgram};
    workers.join(controller.ofClass().run()->link());
    QVERIFY2(Desk::waitFor([&] { return controller.liveStep() > 3 * stop; }), qPrintable(controller.failure()));
    QVERIFY(window.playback().isPlaying());
    QVERIFY(Desk::waitFor([&] { return !window.servedClass().isPaused(); }));  // as of its last refresh
    QVERIFY(!lessons->isDone(0));
    // What the page points at has a ring, but the stage and the code stay bright.
    window.panels().openTab(QStringLiteral("classTab"));
    auto& spotlight = *window.findChild<Spotlight*>();
    QVERIFY(Desk::waitFor([&] { return spotlight.isVisible(); }));
    QImage image(window.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    spotlight.render(&image, {}, {}, {});
    const Stage& stage = window.stage();
    QCOMPARE(image.pixelColor(stage.mapTo(&window, stage.rect().center())), QColor(Qt::white));
  }

  // If one of two parameter servers is killed, the class's program notices, and the window shows that no worker is
  // left.
  void aLostParameterServerIsSaid() {
    Desk desk;
    RunSettings asked = classOf(kEndless);
    asked.parameterServers = 2;
    QVERIFY(desk.serve(asked));
    desk.join();
    QVERIFY2(desk.shows(1), qPrintable(desk.controller.failure()));
    QProcess kill;
    kill.start("sh",
               {"-c", QStringLiteral("pkill -KILL -P $(pgrep -P %1 -f 'strategylab-clas[s] serve') -f 'server .* 1$'")
                          .arg(QCoreApplication::applicationPid())});
    QVERIFY(kill.waitForFinished(kPatienceMs) && kill.exitCode() == 0);
    QVERIFY(desk.waitFor([&] { return desk.controller.isOver(); }));
    QCOMPARE(
        desk.controller.failure(),
        QStringLiteral("Parameter server 1 was killed (signal 9), and its variables with it: training has ended."));
    for (const ClassMember& member : desk.controller.ofClass().run()->members()) {
      QCOMPARE(member.state, ClassMember::State::Left);
      QCOMPARE(member.pushes, desk.controller.liveStep());  // the worker is the only one
    }
  }

  void withoutTheProgramItSaysWhatToDo() {
    qputenv("STRATEGYLAB_CLASS_PROGRAM", "/no/such/program");
    RunController controller;
    controller.start(classOf(5), false, {.serve = ClassRun::Wishes{}});
    QVERIFY(controller.state() == RunState::Failed);
    QVERIFY(controller.failure().contains("STRATEGYLAB_CLASS=1 app/run.sh"));
    QVERIFY(controller.ofClass().run() == nullptr);
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
  }
};

QTEST_MAIN(TestClassMovie)
#include "tst_class_movie.moc"
