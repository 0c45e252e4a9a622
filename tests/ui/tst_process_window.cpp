// SPDX-License-Identifier: GPL-3.0-or-later
// Runs among real processes in the window: asked for in Setup and refused there, shown with their processes, one killed
// by its button, and resumed. Uses a program in mpirun's place, and Open MPI if it is installed.
#include <QLabel>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>

#include <memory>

#include "core/base/child_process.h"
#include "core/files/experiment_file.h"
#include "core/files/metric_json.h"
#include "core/lesson/facts.h"
#include "core/process/failure_json.h"
#include "core/process/messages.h"
#include "core/process/wire_module.h"
#include "tests/support/fake_mpirun.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/branches/branches.h"
#include "ui/classroom/control_hold.h"
#include "ui/files/document.h"
#include "ui/guide/lesson_facts.h"
#include "ui/help/notice.h"
#include "ui/runview/run_controller.h"
#include "ui/session/workbench.h"
#include "ui/setup/experiment.h"
#include "ui/setup/process_bar.h"
#include "ui/stage/stage.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

using namespace lab;
using namespace lab::test;

namespace {

struct Room {
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};
  Experiment& experiment = window.experiment();
  Playback& playback = window.playback();

  Room() {
    window.resize(1280, 800);
    window.show();
    (void)QTest::qWaitForWindowExposed(&window);
    playback.setReducedMotion(true);
    experiment.begin(smallConfig());
  }
  ProcessBar& bar() { return *window.findChild<ProcessBar*>(); }
  QToolButton* button(const char* name) { return bar().findChild<QToolButton*>(QLatin1String(name)); }
  QString notice() {
    for (const QLabel* label : window.findChild<Notice*>()->findChildren<QLabel*>())
      if (label->isVisible() && !label->text().isEmpty()) return label->text();
    return {};
  }
  bool shows(std::int64_t step) {
    return QTest::qWaitFor(
        [&] {
          return playback.record() != nullptr && playback.step() == step && !controller.info()->processes.empty();
        },
        kPatienceMs);
  }
};

}  // namespace

class TestProcessWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    qputenv("OMPI_ALLOW_RUN_AS_ROOT", "1");
    qputenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  }

  void whatCannotBeIsRefusedInSetup() {
    Room room;
    const FakeMpirun fake("sleep 600");
    QVERIFY(room.bar().isHidden());
    room.experiment.set(QStringLiteral("devices"), QStringLiteral("processes"));  // Mirrored runs in one process
    QCOMPARE(room.experiment.complaintAbout(), QStringLiteral("devices"));
    QVERIFY(room.experiment.complaint().contains(QStringLiteral("MirroredStrategy")));
    QCOMPARE(room.experiment.resolved().devices, DeviceChoice::Simulated);
    room.experiment.begin(smallConfig());
    room.experiment.set(QStringLiteral("strategy"), QStringLiteral("multi-worker-mirrored"));
    QVERIFY(room.experiment.complaint().isEmpty());
    qputenv("STRATEGYLAB_MPIRUN", "/no/such/mpirun");
    room.experiment.set(QStringLiteral("devices"), QStringLiteral("processes"));
    QVERIFY2(room.experiment.complaint().contains(QStringLiteral("/no/such/mpirun")),
             qPrintable(room.experiment.complaint()));
    QCOMPARE(room.controller.config().devices, DeviceChoice::Auto);  // the present run goes on
    qputenv("STRATEGYLAB_MPIRUN", fake.path().toUtf8());
    room.experiment.set(QStringLiteral("worker-hosts"), QStringLiteral("a,a"));
    room.experiment.set(QStringLiteral("devices"), QStringLiteral("processes"));
    QVERIFY(room.experiment.complaint().contains(QStringLiteral("'a'")));
    room.experiment.set(QStringLiteral("worker-hosts"), QStringLiteral("a,b"));
    room.experiment.set(QStringLiteral("devices"), QStringLiteral("processes"));
    QVERIFY2(room.experiment.complaint().isEmpty(), qPrintable(room.experiment.complaint()));
    QCOMPARE(room.experiment.resolved().devices, DeviceChoice::Processes);
    room.experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));
    QCOMPARE(room.experiment.resolved().hosts, std::optional<std::int64_t>(4));  // one process for each replica
    // The setting is kept in files and undone like any other.
    ExperimentFile file;
    file.config = room.experiment.asked();
    const ExperimentFile back = parseExperiment(experimentText(file, "0"), "a.slab");
    QCOMPARE(back.config.devices, DeviceChoice::Processes);
    QCOMPARE(back.config.workerHosts, std::string("a,b"));
    room.bench.undo().stack().undo();
    QVERIFY(room.experiment.resolved().hosts != std::optional<std::int64_t>(4));
    room.experiment.set(QStringLiteral("strategy"), QStringLiteral("sharded"));
    QVERIFY2(room.experiment.complaint().isEmpty(), qPrintable(room.experiment.complaint()));
    QCOMPARE(room.experiment.resolved().devices, DeviceChoice::Processes);
    room.experiment.set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    QVERIFY(room.experiment.resolved().devices != DeviceChoice::Processes);
  }

  void aRunOfProcessesIsShownAndItsEndSaid() {
    const RunSettings config = processConfig();
    const FakeStory story = fakeStory(config, 2);
    const FakeMpirun fake(QString::fromLatin1(kStepsThenKilled));
    fake.leave(QStringLiteral("about"), aboutLine(*story.info));
    for (std::size_t i = 0; i < 2; ++i) {
      fake.leave(QStringLiteral("step-%1").arg(i + 1), toJsonLine(Metric(story.steps[i])));
      fake.leave(QStringLiteral("record-%1").arg(i + 1), bytesOf(*story.records[i]));
    }
    Room room;
    room.experiment.begin(config);
    QVERIFY(room.shows(1));
    QVERIFY(!room.bar().isHidden());
    QToolButton* kill = room.button("kill-1");
    QVERIFY(kill != nullptr);
    QVERIFY(kill->accessibleName().contains(QStringLiteral("1000000001")));
    QVERIFY(!kill->isEnabled());  // the process is elsewhere, and the tooltip says so
    QVERIFY(kill->toolTip().contains(QStringLiteral("elsewhere")));
    const auto offers = faultOffers(room.controller, room.playback, QString());
    QCOMPARE(offers.size(), std::size_t{3});
    QVERIFY(!offers[1].refusal.isEmpty());
    // The lesson on faults asks for these facts.
    LessonFacts facts({room.controller, room.playback, room.window.selection(), room.experiment, room.window.library(),
                       [](const FactCall&) { return Fact(); }});
    const auto holds = [&facts](const char* text) {
      FactCall call;
      Message why;
      return parseFactCall(text, call, why) && facts.fact(call) == Fact(true);
    };
    QVERIFY(!holds("killed(worker)") && !holds("seen(aborted)"));
    room.playback.stepForward(Playback::Unit::Step);
    QTRY_VERIFY_WITH_TIMEOUT(room.controller.state() == RunState::Failed, kPatienceMs);
    QCOMPARE(room.controller.processes().lostWorker(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(holds("killed(worker)") && holds("seen(aborted)"), kPatienceMs);
    facts.beginPage();
    QVERIFY(!holds("seen(aborted)"));
    QVERIFY(!room.button("kill-1")->isVisibleTo(&room.bar()));
    QTRY_VERIFY_WITH_TIMEOUT(room.notice().contains(QStringLiteral("1")), kPatienceMs);
    QVERIFY2(room.notice().contains(QStringLiteral("2")), qPrintable(room.notice()));
    QVERIFY(room.button("resumeRun")->isVisibleTo(&room.bar()));
    QVERIFY(room.button("resumeRun")->text().contains(QStringLiteral("2")));
    QCOMPARE(room.controller.steps().size(), std::size_t{2});
    // Kept steps can still be shown.
    QVERIFY(room.controller.recordOf(1) != nullptr);
    // Play at the end says once more why the run failed; nothing says it when the run goes on.
    const QString failure = room.controller.failure();
    Q_EMIT room.playback.stands(Playback::Limit::End);
    QCOMPARE(room.window.statusBar()->currentMessage(), failure);
    room.button("resumeRun")->click();
    QVERIFY2(room.window.statusBar()->currentMessage() != failure && room.notice() != failure, qPrintable(failure));
    QTRY_VERIFY_WITH_TIMEOUT(room.controller.state() == RunState::Paused, kPatienceMs);
    QVERIFY(room.controller.failure().isEmpty());
  }

  // A button that is hidden for a class stays hidden in a bar in which only the others have room in one row. The bar
  // once showed and hid it for ever.
  void aHiddenButtonTakesNoRow() {
    const RunSettings config = processConfig(4);
    const FakeStory story = fakeStory(config, 0);
    const FakeMpirun fake(QString::fromLatin1(kStepsThenKilled));
    fake.leave(QStringLiteral("about"), aboutLine(*story.info));
    RunController controller;
    Experiment experiment(controller);
    QWidget page;
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    auto* bar = new ProcessBar(controller, experiment);
    column->addWidget(bar);
    column->addWidget(new QWidget, 1);
    page.resize(theme::em(100), theme::em(40));
    page.show();
    experiment.begin(config);
    const auto button = [bar](const char* name) { return bar->findChild<QToolButton*>(QLatin1String(name)); };
    QTRY_VERIFY_WITH_TIMEOUT(button("kill-3") != nullptr && button("kill-3")->isVisible(), kPatienceMs);

    std::unique_ptr<ControlHold> hold =
        holdWidget(*button("kill-1"), ControlState::Hidden, QStringLiteral("not today"));
    QCoreApplication::processEvents();
    const QSize row = bar->sizeHint();
    page.resize(row.width(), page.height());
    QTRY_COMPARE_WITH_TIMEOUT(bar->size(), row, kPatienceMs);
    QVERIFY(!button("kill-1")->isVisible() && button("kill-2")->isVisible());
    hold.reset();
    QTRY_VERIFY_WITH_TIMEOUT(button("kill-1")->isVisible() && bar->height() > row.height(), kPatienceMs);
    // A low window has one button for all processes.
    page.resize(row.width() + 1, theme::em(29));
    QTRY_VERIFY_WITH_TIMEOUT(button("kill-another")->isVisible() && !button("kill-2")->isVisible(), kPatienceMs);
  }

  // Buttons, stage and timeline do not overlap, even with a notice above them: what has no room is scrolled to.
  void nothingStandsOnAnythingWithLargeLetters() {
    const RunSettings config = processConfig(4);
    const FakeStory story = fakeStory(config, 2);
    const FakeMpirun fake(QString::fromLatin1(kStepsThenKilled));
    fake.leave(QStringLiteral("about"), aboutLine(*story.info));
    for (std::size_t i = 0; i < 2; ++i) {
      fake.leave(QStringLiteral("step-%1").arg(i + 1), toJsonLine(Metric(story.steps[i])));
      fake.leave(QStringLiteral("record-%1").arg(i + 1), bytesOf(*story.records[i]));
    }
    Room room;
    room.window.resize(1280, 720);
    room.window.looks().setTextPoints(32);
    room.experiment.begin(config);
    QVERIFY(room.shows(1));
    const auto apart = [&] {
      QWidget* page = room.window.stage().parentWidget();
      QList<QRect> places;
      for (const QWidget* part : page->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (part->isHidden() || part->height() == 0) continue;
        if (!page->rect().contains(part->geometry())) return false;
        for (const QRect& other : places)
          if (other.intersects(part->geometry())) return false;
        places.push_back(part->geometry());
      }
      // The transport is below the page, which may scroll.
      const QWidget *scroll = page->parentWidget(), &scrubber = *room.window.findChild<QWidget*>("scrubber");
      const QRect seen(scroll->mapTo(&room.window, QPoint()), scroll->size()),
          bar(scrubber.mapTo(&room.window, QPoint()), scrubber.size());
      if (seen.intersects(bar) || !room.window.rect().contains(bar)) return false;
      return places.size() >= 2 && room.window.stage().height() >= Stage::kLowHeight;
    };
    QTRY_VERIFY_WITH_TIMEOUT(apart(), kPatienceMs);
    QVERIFY(room.button("kill-another")->isVisibleTo(&room.bar()));  // one button for all processes
    QVERIFY(!room.button("kill-1")->isVisibleTo(&room.bar()));
    room.playback.stepForward(Playback::Unit::Step);
    QTRY_VERIFY_WITH_TIMEOUT(room.controller.state() == RunState::Failed, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!room.notice().isEmpty(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(apart(), kPatienceMs);
    room.window.looks().setTextPoints(0);
    QTRY_VERIFY_WITH_TIMEOUT(apart(), kPatienceMs);
  }

  // The remedy that is offered fits the failure.
  void theOfferFitsTheFailure_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("hosts");
    QTest::addColumn<QString>("offer");
    const QString killed =
        "echo 'mpirun noticed that process rank 1 with PID 4711 on node elsewhere exited on signal 9 (Killed).' >&2\n"
        "exit 137";
    const QString unlike = QString::fromStdString(failureLine(
        Message(say::examplesFailThere, Message(say::workerThere, 1, "b"), Message(say::verbatim, "no such folder."))));
    QTest::newRow("no such host") << "echo 'ssh: Could not resolve hostname b: Unknown' >&2\nexit 1"
                                  << "a,b,c"
                                  << "Use this machine alone";
    QTest::newRow("mpirun") << "echo 'mpirun has a bad day' >&2\nexit 1"
                            << ""
                            << "Use simulated devices";
    QTest::newRow("killed at once") << killed << ""
                                    << "Start it again";
    QTest::newRow("no examples there") << "told 1 '" + unlike + "'\nexit 2"
                                       << "a,b,c"
                                       << "Use the built-in digits";
  }
  void theOfferFitsTheFailure() {
    QFETCH(QString, body);
    QFETCH(QString, hosts);
    QFETCH(QString, offer);
    const FakeMpirun fake(body);
    Room room;
    RunSettings config = processConfig();
    config.dataset = "auto";
    config.workerHosts = hosts.toStdString();
    room.experiment.begin(config);
    QTRY_VERIFY_WITH_TIMEOUT(room.controller.state() == RunState::Failed, kPatienceMs);
    auto* remedy = room.window.findChild<Notice*>()->findChild<QToolButton*>(QStringLiteral("remedy"));
    QTRY_COMPARE_WITH_TIMEOUT(remedy->text(), offer, kPatienceMs);
    remedy->click();
    if (offer.startsWith("Use this")) QVERIFY(room.experiment.asked().workerHosts.empty());
    if (offer.startsWith("Use sim")) QCOMPARE(room.experiment.asked().devices, DeviceChoice::Simulated);
    if (offer.startsWith("Use the")) QCOMPARE(room.experiment.asked().dataset, "digits");
  }

  void aWorkerKilledByItsButtonEndsTheRunWhichGoesOn() {
    if (!process::whyNoProcesses().empty() || !isOnPath("mpirun")) QSKIP("no Open MPI, or no module for it");
    Room room;
    RunSettings config = processConfig(4);
    config.steps = 1'000'000;
    room.experiment.begin(config);
    QVERIFY(room.shows(1));
    QVERIFY(room.playback.record()->metric.clock == TimeSource::Measured);
    room.playback.setMode(Playback::Mode::Live);
    room.playback.play();
    QTRY_VERIFY_WITH_TIMEOUT(room.controller.liveStep() > 25, kPatienceMs);
    const std::int64_t pid = room.controller.info()->processes[1].pid;
    QTest::mouseClick(room.button("kill-1"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(room.controller.state() == RunState::Failed, kPatienceMs);
    QCOMPARE(room.controller.processes().lostWorker(), 1);
    QVERIFY2(room.controller.failure().contains(QString::number(pid)), qPrintable(room.controller.failure()));
    const std::int64_t from = room.controller.processes().resumesAt();
    QVERIFY(from >= 20);
    QTRY_VERIFY_WITH_TIMEOUT(room.button("resumeRun")->isVisible(), kPatienceMs);
    QTest::mouseClick(room.button("resumeRun"), Qt::LeftButton);
    // From the start on, so that no chart takes points of steps that will be lost.
    for (const StepMetric& step : room.controller.steps()) QVERIFY(step.step <= from);
    QTRY_VERIFY_WITH_TIMEOUT(room.controller.info() != nullptr && room.controller.state() != RunState::Preparing,
                             kPatienceMs);
    QCOMPARE(room.controller.info()->firstStep, from + 1);
    QTRY_VERIFY_WITH_TIMEOUT(room.controller.liveStep() > from, kPatienceMs);
    // No step is missing, except those that the first worker did while it was being ended: it wrote a checkpoint for
    // them but reported nothing.
    for (std::size_t i = 1; i < room.controller.steps().size(); ++i) {
      const std::int64_t step = room.controller.steps()[i].step, before = room.controller.steps()[i - 1].step;
      QVERIFY2(step == before + 1 || (step == from + 1 && before < from), qPrintable(QString::number(step)));
    }
  }
};

QTEST_MAIN(TestProcessWindow)
#include "tst_process_window.moc"
