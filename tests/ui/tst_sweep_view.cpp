// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=18
// The sweep workspace, through its own fields and buttons: a request becomes cells; cells fill and can be paused,
// cancelled and resumed without any effect on the results; marks, means and charts agree with the cells; a click starts
// a cell's run on the stage.
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/data/dataset.h"
#include "core/experiments/halving.h"
#include "core/experiments/messages.h"
#include "core/experiments/sweep_example.h"
#include "core/experiments/sweep_file.h"
#include "core/files/experiment_file.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/accessibility/accessible.h"
#include "ui/i18n/language.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/session/workbench.h"
#include "ui/setup/experiment.h"
#include "ui/sweep/sweep_axes.h"
#include "ui/sweep/sweep_chart.h"
#include "ui/sweep/sweep_columns.h"
#include "ui/sweep/sweep_export.h"
#include "ui/sweep/sweep_form.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/sweep/sweep_legend.h"
#include "ui/sweep/sweep_view.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

SweepRequest smallSweep() {
  SweepRequest request{.jobs = 2};
  SweepPlan& plan = request.plan;
  plan.base = test::smallConfig();
  plan.base.batchPerReplica.reset();
  plan.base.globalBatch.reset();
  plan.base.devices = DeviceChoice::Simulated;
  plan.base.steps = 6;
  plan.replicas = {1, 2};
  plan.batches = {4, 8};
  plan.rules = {LearningRateScaling::None, LearningRateScaling::Linear};
  plan.seeds = 2;
  plan.target.accuracy = 0.05;  // any network guesses that well
  return request;
}

// Returns the contents of a folder's files, by name.
std::map<QString, QByteArray> contentOf(const QString& folder) {
  std::map<QString, QByteArray> content;
  for (const QFileInfo& info : QDir(folder).entryInfoList(QDir::Files)) {
    QFile file(info.filePath());
    if (file.open(QIODevice::ReadOnly)) content[info.fileName()] = file.readAll();
  }
  return content;
}

void waitFor(SweepRun& run) {
  QTRY_VERIFY_WITH_TIMEOUT(!run.isRunning() && !run.isReading(), kPatienceMs);
}

struct ViewFixture {
  QTemporaryDir folder;
  RunController controller;
  Experiment experiment{controller};
  RunLibrary library{controller, experiment};
  SweepView view{experiment, library, nullptr, folder.path()};

  ViewFixture() {
    view.resize(1200, 600);
    view.show();
  }
  template <typename Widget>
  Widget& part(const char* name) {
    return *view.findChild<Widget*>(QLatin1String(name));
  }
  void click(const char* button) { QTest::mouseClick(&part<QToolButton>(button), Qt::LeftButton); }
  void waitUntilIdle() { QTRY_VERIFY_WITH_TIMEOUT(!view.run().isRunning() && !view.run().isReading(), kPatienceMs); }
};

}  // namespace

class TestSweepView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);  // keeps the user's own sweeps out
    installAccessibles();
  }

  // The time limit stands beside the button that starts the sweep.
  void theLimitStandsBesideStart() {
    ViewFixture f;
    const auto& limit = f.part<QLabel>("sweepLimit");
    f.view.setRequest(stalenessSweep());
    f.waitUntilIdle();
    QVERIFY(!limit.isVisible());
    f.view.resize(1366, 520);
    f.view.setRequest(classroomSweep());
    f.waitUntilIdle();
    QTRY_VERIFY_WITH_TIMEOUT(limit.isVisible(), kPatienceMs);
    QCoreApplication::processEvents();
    QVERIFY2(limit.text().contains(QStringLiteral("at most 60 seconds")), qPrintable(limit.text()));
    const auto& start = f.part<QToolButton>("sweepStart");
    QCOMPARE(limit.visibleRegion().boundingRect(), limit.rect());
    QVERIFY(limit.x() > start.geometry().right() &&
            std::abs(limit.geometry().center().y() - start.geometry().center().y()) < 8);
  }

  // Before the first sweep, the view shows one that was trained in advance, calls it an example and does not export it.
  void aFinishedOneIsSeenFirst() {
    ViewFixture f;
    const auto& example = f.part<QLabel>("sweepExample");
    QVERIFY(example.isVisible() && f.view.run().isExample());
    QVERIFY(!f.part<QProgressBar>("sweepProgress").isVisible());
    QCOMPARE(f.view.run().ended(), 180);
    QVERIFY(f.part<SweepChart>("sweepChart").plot().lacking.isEmpty());
    // Three lines sum up the plan until the form is opened.
    const auto& inShort = f.part<QLabel>("sweepInShort");
    QVERIFY(inShort.isVisible() && !f.part<QWidget>("sweepFormArea").isVisible());
    QVERIFY2(inShort.text().contains(QStringLiteral("1, 4, 16, 32, 64")) && inShort.text().count(u'\n') == 2,
             qPrintable(inShort.text()));
    f.click("sweepPlanShown");
    QVERIFY(!inShort.isVisible() && f.part<QWidget>("sweepFormArea").isVisible());
    const QString csv = f.folder.filePath(QStringLiteral("a.csv"));
    f.view.writeCsv(csv);
    f.view.wait();
    QVERIFY(!QFileInfo::exists(csv));
    // The form holds the example's plan, and Start trains it.
    f.view.start();
    QVERIFY(f.view.run().isRunning() && !f.view.run().isExample() && !example.isVisible());
    f.view.cancel();
    f.waitUntilIdle();
    // Now there is a last sweep, which the next start shows instead of the example.
    ViewFixture later;
    SweepView again(later.experiment, later.library, nullptr, f.folder.path());
    QVERIFY(!again.run().isExample());
  }

  // The final sentence has the final numbers, even if the view was hidden meanwhile.
  void theEndIsCountedAtTheEnd() {
    ViewFixture f;
    f.view.start();
    f.view.hide();
    QTRY_VERIFY_WITH_TIMEOUT(f.view.run().ended() > 0, kPatienceMs);
    f.view.cancel();
    f.waitUntilIdle();
    f.view.show();
    const QString words = f.part<SweepLegend>("sweepLegend").words(), said = f.part<QLabel>("sweepMessage").text();
    QVERIFY2(said.contains(words), qPrintable(said + QStringLiteral(" / ") + words));
  }

  // A cell of the example, trained here, gives the stored result, as far as processors compute alike.
  void theExampleIsWhatItSays() {
    std::vector<SweepCell> cells = cellsOf(classroomSweep().plan);
    const auto found = std::ranges::find_if(cells, [](const SweepCell& cell) {
      return cell.config.replicas == 2 && cell.config.batchPerReplica == 64 &&
             cell.config.lrScaling == LearningRateScaling::None && cell.config.seed == 1;
    });
    QVERIFY(found != cells.end());
    const std::optional<RunTally> trained = trainCell(*found, openDataset(found->config), 1, [] { return true; });
    const std::optional<RunTally> kept = exampleResult(*found);
    QVERIFY(trained && kept && trained->stepsToTarget && kept->stepsToTarget);
    QVERIFY2(std::abs(*trained->stepsToTarget - *kept->stepsToTarget) <= *kept->stepsToTarget / 4,
             qPrintable(QStringLiteral("%1, %2").arg(*trained->stepsToTarget).arg(*kept->stepsToTarget)));
    const double each = trained->seconds / static_cast<double>(trained->examples);
    QVERIFY(std::abs(kept->seconds / static_cast<double>(kept->examples) - each) < 1e-3 * each);
    for (const SweepCell& cell : cells) QVERIFY2(exampleResult(cell), qPrintable(QString::fromStdString(cell.key)));
  }

  // One click starts the classroom's sweep.
  void theClassroomsSweepBegins() {
    ViewFixture f;
    f.waitUntilIdle();
    QTest::mouseClick(&f.part<QPushButton>("sweepPreset"), Qt::LeftButton);
    QVERIFY(f.view.run().isRunning());
    QCOMPARE(requestToJson(f.view.request()), requestToJson(classroomSweep()));
    f.view.cancel();
    f.waitUntilIdle();
  }

  void requestsKeepTheirMeaning() {
    SweepRequest request = classroomSweep();
    request.plan.linearWarmup = 0.5;
    request.plan.others = {{"momentum", {"0", "0.9"}}};
    request.rows = "momentum";
    request.plan.replicas.clear();
    const SweepRequest again = requestFromJson(requestToJson(request));
    QCOMPARE(requestToJson(again).dump(), requestToJson(request).dump());
    QCOMPARE(cellsOf(classroomSweep().plan).size(), std::size_t{4 * 5 * 3 * 3});
    const SweepRequest workers = stalenessSweep();
    QCOMPARE(cellsOf(workers.plan).size(), std::size_t{5 * 3 * 3});
    for (const SweepCell& cell : cellsOf(workers.plan)) QVERIFY(!cell.refused && *cell.config.steps == 400);
    QCOMPARE(requestToJson(requestFromJson(requestToJson(workers))).dump(), requestToJson(workers).dump());
    QCOMPARE(valuesOf(again.plan, kRuleAxis).size(), std::size_t{4});
  }

  // However often a sweep is stopped, and however many runs go at once, it gives the same results and the same files.
  // The form shows two axes, and numbers rounded: no plan of a file may become another one in it.
  void aPlanOfAFileStaysThatPlan() {
    SweepRequest request = smallSweep();
    request.plan.seeds = 300;
    request.plan.target.accuracy = 0.97251;
    request.plan.linearWarmup = 0.25;
    SweepForm form;
    form.setRequest(request);
    const auto again = form.request();
    QVERIFY2(again.has_value(), qPrintable(form.complaint()));
    QCOMPARE(requestToJson(*again).dump(), requestToJson(request).dump());
    form.findChild<QDoubleSpinBox*>(QStringLiteral("sweepTarget"))->setValue(50);
    QVERIFY(form.request()->plan.target.accuracy == 0.5);
    request.plan.learningRates = {0.1, 0.2};
    try {
      (void)requestFromJson(requestToJson(request));
      QFAIL("accepted");
    } catch (const UserError& error) {
      QVERIFY2(error.message().is(say::thirdAxis), error.what());
      QVERIFY2(QString(error.what()).contains(QStringLiteral("'learning-rate'")), error.what());
    }
  }

  void stoppedAndGoneOnWithIsTheSame() {
    const QTemporaryDir whole;
    SweepRun reference(whole.path());
    reference.setPlan(smallSweep().plan, 1);
    reference.start();
    waitFor(reference);
    QCOMPARE(reference.count(CellState::Reached), 16);
    const auto expected = contentOf(whole.path());
    QCOMPARE(expected.size(), std::size_t{16});
    for (const int jobs : {1, 2}) {
      const QTemporaryDir folder;
      for (int stops = 0; stops < 20; ++stops) {
        SweepRun run(folder.path());  // as after a restart
        run.setPlan(smallSweep().plan, jobs);
        run.start();
        QTRY_VERIFY_WITH_TIMEOUT(run.ended() > stops / 2 || !run.isRunning(), kPatienceMs);
        run.pause();
        run.cancel();
        waitFor(run);
        QCOMPARE(run.count(CellState::Cancelled) + run.ended(), 16);
      }
      SweepRun run(folder.path());
      run.setPlan(smallSweep().plan, jobs);
      run.start();
      waitFor(run);
      QVERIFY(contentOf(folder.path()) == expected);
      for (std::size_t i = 0; i < run.cells().size(); ++i) {
        const RunTally &a = *run.cells()[i].result, &b = *reference.cells()[i].result;
        QVERIFY(a.stepsToTarget == b.stepsToTarget && a.testAccuracy == b.testAccuracy && a.seconds == b.seconds);
      }
    }
  }

  // The clock advances by a second at each reading, so a minute is soon over. Cells without time are marked as not run
  // and have no result; finished cells have the same bits as without a limit; "Go on" takes another minute.
  void aMinuteIsAMinute() {
    const QTemporaryDir whole, folder;
    SweepRun reference(whole.path());
    reference.setPlan(smallSweep().plan, 1);
    reference.start();
    waitFor(reference);
    const auto expected = contentOf(whole.path());
    SweepRun run(folder.path());
    const auto asked = std::make_shared<std::atomic<std::int64_t>>(0);
    run.setClock([asked] { return 1'000'000'000 * asked->fetch_add(1); });
    bool ended = true;
    connect(&run, &SweepRun::stopped, this, [&](bool all) { ended = all; });
    run.setPlan(smallSweep().plan, 1, 60);
    waitFor(run);
    run.start();
    waitFor(run);
    const int done = run.ended();
    QVERIFY(done > 0 && done < 16 && !ended);
    QCOMPARE(run.count(CellState::NotRun), 16 - done);
    for (const SweepRun::Cell& cell : run.cells()) QCOMPARE(cell.result.has_value(), cell.state != CellState::NotRun);
    for (const auto& [name, bytes] : contentOf(folder.path())) QCOMPARE(bytes, expected.at(name));
    std::vector<SweepRow> rows;
    for (const SweepRun::Cell& cell : run.cells()) rows.push_back({&cell.cell, keyOf(cell.state)});
    const std::string csv = sweepCsv(rows, run.folder());
    QCOMPARE(QString::fromStdString(csv).count(QStringLiteral(",not-run,,,,,,,,,\r\n")), 16 - done);
    for (int more = 0; more < 20 && run.ended() < 16; ++more) {
      run.start();
      waitFor(run);
    }
    QVERIFY(run.ended() == 16 && ended);
    QVERIFY(contentOf(folder.path()) == expected);
  }

  // Existing results are read; only cells that are missing or have failed are trained.
  void onlyTheMissingRun() {
    const QTemporaryDir folder;
    SweepRequest request = smallSweep();
    request.plan.replicas = {1};
    SweepRun first(folder.path());
    first.setPlan(request.plan, 2);
    first.start();
    waitFor(first);
    SweepRun second(folder.path());
    second.setPlan(smallSweep().plan, 2);
    waitFor(second);
    QCOMPARE(second.ended(), 8);
    QCOMPARE(second.count(CellState::Waiting), 8);
    // A file that is damaged after its result was read does not matter.
    QFile file(QDir(folder.path()).entryInfoList(QDir::Files).front().filePath());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("damaged") == 7);
    file.close();
    second.start();
    waitFor(second);
    QCOMPARE(second.ended(), 16);
    int trained = 0;
    for (const SweepRun::Cell& cell : second.cells()) trained += cell.wallNs > 0 ? 1 : 0;
    QCOMPARE(trained, 8);  // not the damaged one: its result was read before
  }

  // The folder holds runs that `sweep --halving` stopped: the view shows their last values in words, but they make no
  // mean and are never the best. Start trains them to their end.
  void stoppedIsNoWinner() {
    const QTemporaryDir folder;
    SweepRequest request = smallSweep();
    request.plan.seeds = 1;
    request.plan.rules = {LearningRateScaling::None};
    request.plan.target.accuracy.reset();
    const std::vector<SweepCell> cells = cellsOf(request.plan);
    std::vector<const SweepCell*> all;
    for (const SweepCell& cell : cells) all.push_back(&cell);
    RunQueue queue(1);
    const auto nothing = [](std::size_t, const RunTally&, std::span<const Metric>, bool) {};
    Halving(all, openDataset(cells.front().config),
            {.eta = 4, .folder = folder.path().toStdString(), .threads = {}, .goOn = {}, .ended = nothing})
        .run(queue);
    SweepRun run(folder.path());
    run.setPlan(request.plan, 1);
    waitFor(run);
    QVERIFY(run.count(CellState::Stopped) == 3 && run.count(CellState::Finished) == 1 && run.ended() == 1);
    const SweepTable table(request, run.cells());
    int best = 0, stopped = 0;
    for (int row = 0; row < 2; ++row)
      for (const SweepEntry& entry : table.rowOf(run.cells(), row, SweepQuantity::Accuracy, {})) {
        const SweepRun::Cell& cell = run.cells()[static_cast<std::size_t>(entry.cells.front())];
        best += entry.best ? 1 : 0;
        if (cell.state != CellState::Stopped) continue;
        ++stopped;
        QVERIFY(!entry.best && !entry.hasMean() && entry.mark == CellState::Stopped && cell.result->steps == 1);
        const QString words = entryText(entry, SweepQuantity::Accuracy);
        QVERIFY2(words.contains("stopped early") && words.contains("after 1 step") &&
                     words.contains(percentText(*cell.result->testAccuracy)),
                 qPrintable(words));
      }
    QVERIFY(best == 1 && stopped == 3);
    // A finished seed makes no mean for a stopped one.
    std::vector<SweepRun::Cell> seeds(2);
    seeds[0].state = CellState::Finished;
    seeds[1].state = CellState::Stopped;
    for (SweepRun::Cell& seed : seeds) seed.result = RunTally{.steps = 6, .testAccuracy = 0.9};
    QVERIFY(!entryOf(seeds, {0, 1}, SweepQuantity::Accuracy).hasMean());
    run.start();
    waitFor(run);
    QVERIFY(run.ended() == 4 && run.count(CellState::Stopped) == 0);
    for (const SweepRun::Cell& cell : run.cells()) QCOMPARE(cell.result->steps, 6);
  }

  // Start runs failed cells again together with missing ones. Diverged cells run again only on request, and then
  // nothing else runs.
  void failedAndDiverged() {
    const QTemporaryDir folder;
    SweepRequest request = smallSweep();
    request.plan.replicas = {1};
    request.plan.batches = {4};
    request.plan.rules = {LearningRateScaling::None};
    request.plan.base.optimizer = OptimizerKind::Sgd;
    request.plan.learningRates = {0.01, 1000};
    request.plan.seeds = 3;
    request.plan.target.accuracy.reset();
    SweepRun run(folder.path());
    run.setPlan(request.plan, 1);
    waitFor(run);
    QCOMPARE(run.cells().size(), std::size_t{6});
    // A folder takes the place of one cell's file, so this cell fails.
    const auto& first =
        *std::ranges::find_if(run.cells(), [](const auto& row) { return row.cell.config.learningRate < 1; });
    const QString blocked = QString::fromStdString((run.folder() / first.cell.fileName()).string());
    QVERIFY(QDir().mkpath(blocked + QStringLiteral("/inside")));
    run.start();
    waitFor(run);
    QVERIFY(run.count(CellState::Failed) == 1 && run.count(CellState::Diverged) == 3);
    QVERIFY(!first.why.empty() && run.ended() == 5);
    const auto trainedNow = [&run](auto start) {
      std::vector<std::int64_t> before;
      for (const SweepRun::Cell& row : run.cells()) before.push_back(row.wallNs);
      start();
      waitFor(run);
      int trained = 0;
      for (std::size_t i = 0; i < before.size(); ++i) trained += run.cells()[i].wallNs != before[i] ? 1 : 0;
      return trained;
    };
    QVERIFY(QDir(blocked).removeRecursively());
    const auto files = contentOf(folder.path());
    QCOMPARE(trainedNow([&] { run.start(); }), 1);
    QVERIFY(run.count(CellState::Finished) == 3 && run.count(CellState::Diverged) == 3);
    QCOMPARE(trainedNow([&] { run.start(); }), 0);
    QCOMPARE(trainedNow([&] { run.retryDiverged(); }), 3);
    QVERIFY(run.count(CellState::Finished) == 3 && run.count(CellState::Diverged) == 3);
    for (const auto& [name, content] : files) QVERIFY(contentOf(folder.path())[name] == content);
    // After a retry that was cancelled, Start goes on with the cells that the retry had not finished.
    run.retryDiverged();
    run.cancel();
    waitFor(run);
    const int left = run.count(CellState::Cancelled);
    QCOMPARE(run.ended(), 6 - left);
    QCOMPARE(trainedNow([&] { run.start(); }), left);
    QCOMPARE(run.count(CellState::Diverged), 3);
  }

  void divergedRunsHaveAButton() {
    ViewFixture f;
    SweepRequest request = smallSweep();
    request.plan.base.optimizer = OptimizerKind::Sgd;
    request.plan.rules = {LearningRateScaling::None};
    request.plan.base.learningRate = 1000;
    request.plan.target.accuracy.reset();
    f.view.setRequest(request);
    f.waitUntilIdle();
    QVERIFY(!f.part<QToolButton>("sweepRetry").isVisible());
    f.click("sweepStart");
    QVERIFY(!f.part<QToolButton>("sweepRetry").isVisible());
    f.waitUntilIdle();
    const int diverged = f.view.run().count(CellState::Diverged);
    QVERIFY(diverged > 0 && !f.part<QToolButton>("sweepStart").isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(f.part<QToolButton>("sweepRetry").isVisible(), kPatienceMs);
    f.click("sweepRetry");
    QVERIFY(f.view.run().isRunning());
    f.waitUntilIdle();
    QCOMPARE(f.view.run().count(CellState::Diverged), diverged);
  }

  // Its message names the button that trains the rest, even if no run has ended.
  void aSweepCancelledAtOnceGoesOn() {
    ViewFixture f;
    f.view.setRequest(smallSweep());
    f.waitUntilIdle();
    const auto& start = f.part<QToolButton>("sweepStart");
    QCOMPARE(start.text(), QStringLiteral("Start"));
    f.click("sweepStart");
    f.view.cancel();
    f.waitUntilIdle();
    QVERIFY(f.view.run().ended() < 16);
    QTRY_COMPARE_WITH_TIMEOUT(start.text(), QStringLiteral("Go on"), kPatienceMs);
    QVERIFY(f.part<QLabel>("sweepMessage").text().contains(start.text()));
    // Another plan has not begun.
    SweepRequest other = smallSweep();
    other.plan.seeds = 1;
    other.plan.base.steps = 5;
    f.view.setRequest(other);
    f.waitUntilIdle();
    QTRY_COMPARE_WITH_TIMEOUT(start.text(), QStringLiteral("Start"), kPatienceMs);
  }

  void aSweepWithoutAFolderDoesNotRun() {
    ViewFixture f;
    f.view.setRequest(smallSweep());
    f.waitUntilIdle();
    const SweepRun& run = f.view.run();
    const QString cells = QString::fromStdString(run.folder().string());
    QVERIFY(!QFileInfo::exists(cells) || QDir(cells).removeRecursively());
    QFile inTheWay(cells);
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    inTheWay.close();
    f.click("sweepStart");
    QVERIFY(!run.isRunning() && !run.isReading());
    QVERIFY2(f.part<QLabel>("sweepMessage").text().contains(cells), qPrintable(f.part<QLabel>("sweepMessage").text()));
    QVERIFY(f.part<SweepForm>("sweepForm").isEnabled() && f.part<QToolButton>("sweepStart").isEnabled());
    QVERIFY(inTheWay.remove());
    f.click("sweepStart");
    QVERIFY(run.isRunning());
    f.waitUntilIdle();
    QCOMPARE(run.ended(), 16);
  }

  // When a smaller plan replaces a larger one, the grid never refers to cells that no longer exist.
  void aSmallerPlanLeavesNoNumbersOfTheLarger() {
    ViewFixture fixture;
    fixture.view.setRequest(smallSweep());
    fixture.waitUntilIdle();
    const auto& model = static_cast<const SweepGridModel&>(*fixture.part<SweepGrid>("sweepGrid").model());
    const SweepRun& run = fixture.view.run();
    int asked = 0, beyond = 0;
    connect(&run, &SweepRun::changed, &fixture.view, [&] {
      for (int row = 0; row < model.rowCount(); ++row)
        for (int column = 0; column < model.columnCount(); ++column)
          for (const int cell : model.entryAt(model.index(row, column)).cells) {
            ++asked;
            beyond += cell >= std::ssize(run.cells());
          }
    });
    SweepRequest smaller = smallSweep();
    smaller.plan.seeds = 1;
    smaller.plan.replicas = {1};
    fixture.view.setRequest(smaller);
    fixture.waitUntilIdle();
    QCOMPARE(beyond, 0);
    QVERIFY(asked > 0 && model.rowCount() > 0);
  }

  // The folder does not grow without limit, and cells of the present plan are never lost.
  void oldCellsGo() {
    const QTemporaryDir folder;
    SweepRun run(folder.path());
    run.setMostKept(10);
    SweepRequest request = smallSweep();
    run.setPlan(request.plan, 2);
    run.start();
    waitFor(run);
    QCOMPARE(contentOf(folder.path()).size(), std::size_t{16});
    request.plan.base.steps = 5;
    run.setPlan(request.plan, 2);
    run.start();
    waitFor(run);
    QCOMPARE(contentOf(folder.path()).size(), std::size_t{10 + 16});
    run.start();
    waitFor(run);
    QCOMPARE(run.ended(), 16);
    QCOMPARE(contentOf(folder.path()).size(), std::size_t{16});
  }

  void marksAndMeans() {
    std::vector<SweepRun::Cell> cells(3);
    const auto end = [&](std::size_t i, CellState state, std::optional<std::int64_t> steps) {
      cells[i].state = state;
      cells[i].result = RunTally{.steps = 100, .testAccuracy = 0.5, .stepsToTarget = steps};
    };
    end(0, CellState::Reached, 10);
    SweepEntry entry = entryOf(cells, {0, 1, 2}, SweepQuantity::Steps);
    QVERIFY(entry.hasMean() && entry.mean() == 10 && entry.mark == CellState::Waiting);
    end(1, CellState::Reached, 20);
    end(2, CellState::Reached, 30);
    entry = entryOf(cells, {0, 1, 2}, SweepQuantity::Steps);
    QVERIFY(!entry.mark && entry.mean() == 20 && entry.deviation() == 10);
    // If one seed misses the target, there is no mean of the lucky ones.
    end(2, CellState::NotReached, std::nullopt);
    entry = entryOf(cells, {0, 1, 2}, SweepQuantity::Steps);
    QVERIFY(!entry.hasMean() && entry.values.size() == 2 && entry.mark == CellState::NotReached);
    QVERIFY(entryText(entry, SweepQuantity::Steps).contains(QStringLiteral("2 of 3 runs reached the target")));
    // A single run is not "runs", and no verb depends on how many there are.
    const auto english = language::translatorsOf(QStringLiteral("en"));  // until the end of this test
    for (const auto& each : english) QCoreApplication::installTranslator(each.get());
    SweepEntry alone = entry;
    alone.cells.resize(1);
    alone.values.resize(1);
    for (const SweepQuantity quantity : {SweepQuantity::Steps, SweepQuantity::Loss}) {
      const QString words = entryText(alone, quantity);
      QVERIFY2(words.contains(QStringLiteral("1 of 1 run")) && !words.contains(QStringLiteral("runs")),
               qPrintable(words));
    }
    QVERIFY(entryOf(cells, {0, 1, 2}, SweepQuantity::Accuracy).hasMean());
    end(1, CellState::Diverged, std::nullopt);
    QVERIFY(entryOf(cells, {0, 1, 2}, SweepQuantity::Steps).mark == CellState::Diverged);
    cells[0].result->testLoss = 0.4;  // no mean if another seed has no loss
    QVERIFY(!entryOf(cells, {0, 1, 2}, SweepQuantity::Loss).hasMean());
    cells[0].state = CellState::Failed;
    QVERIFY(entryOf(cells, {0, 1, 2}, SweepQuantity::Steps).mark == CellState::Failed);
    // Each state has its own words, and each letter belongs to one state.
    QSet<QString> letters, words;
    for (int i = 0; i < kCellStates; ++i) {
      const auto state = static_cast<CellState>(i);
      words.insert(stateName(state));
      if (!stateLetter(state).isEmpty()) letters.insert(stateLetter(state));
    }
    QVERIFY(letters.size() == 7 && words.size() == kCellStates);
  }

  // Devices that are simulated in some runs and real in others give times of two clocks, of which none is the best.
  void timesOfTwoClocksAreNotRanked() {
    SweepRequest request = smallSweep();
    SweepPlan& plan = request.plan;
    plan.batches = {8};
    plan.rules = {LearningRateScaling::None};
    plan.seeds = 1;
    plan.others = {{"devices", {"simulated", "cpu"}}};
    request.rows = "replicas";
    request.columns = "devices";
    std::vector<SweepRun::Cell> cells;
    for (const SweepCell& cell : cellsOf(plan)) {
      const bool modelled = cell.config.devices == DeviceChoice::Simulated;
      RunTally tally{.steps = 6, .testAccuracy = 0.5, .modelled = modelled, .seconds = modelled ? 0.1 : 2};
      tally.secondsToTarget = tally.seconds;
      cells.push_back({.cell = cell, .state = CellState::Reached, .result = tally});
    }
    QCOMPARE(cells.size(), std::size_t{4});
    const SweepTable table(request, cells);
    for (const SweepQuantity quantity : {SweepQuantity::Duration, SweepQuantity::Seconds}) {
      const std::vector<SweepEntry> row = table.rowOf(cells, 0, quantity, {});
      QCOMPARE(row.size(), std::size_t{2});
      QVERIFY(row[0].hasMean() && row[1].hasMean() && !row[0].best && !row[1].best);
      QVERIFY2(entryText(row[0], quantity).contains(QStringLiteral(", modelled")),
               qPrintable(entryText(row[0], quantity)));
      QVERIFY2(entryText(row[1], quantity).contains(QStringLiteral(", measured")),
               qPrintable(entryText(row[1], quantity)));
    }
    QVERIFY(!areModelled(cells));
    // Parallel coordinates have one colour for both, and no mean over both.
    const SweepColumns columns = sweepColumns(request, cells, {SweepQuantity::Accuracy, SweepQuantity::Duration});
    QVERIFY(columns.isCompared(SweepQuantity::Accuracy) && !columns.isCompared(SweepQuantity::Duration));
    for (int cell = 0; cell < 4; ++cell) QCOMPARE(columns.heat(cell, SweepQuantity::Duration), 0.5);
    for (const auto& [setting, ofTwo] : {std::pair{"replicas", true}, {"devices", false}}) {
      const std::vector<SweepColumns::Group> groups = columns.groups(setting, cells);
      QCOMPARE(groups.size(), std::size_t{2});
      for (const SweepColumns::Group& group : groups) {
        QVERIFY(group.spreads[2].has_value());  // of the accuracy
        QCOMPARE(group.spreads[3].has_value(), !ofTwo);
        QCOMPARE(columns.groupText(setting, group, SweepQuantity::Duration).contains(QStringLiteral("no mean of")),
                 ofTwo);
      }
    }
    const SweepPlot plot = makeSweepPlot(SweepChartKind::Seconds, request, cells);
    QVERIFY2(plot.title.contains(QStringLiteral("partly modelled")), qPrintable(plot.title));
    QCOMPARE(plot.curves.size(), std::size_t{2});
    for (const SweepPlot::Curve& curve : plot.curves)
      for (const SweepPlot::Point& point : curve.points) QVERIFY(!point.marked);
    // With devices left to the program, runs of one setting have two clocks: a curve for each.
    plan.others.clear();
    request.columns = "batch-per-replica";
    for (SweepRun::Cell& cell : cells) cell.cell.asked.devices = DeviceChoice::Auto;
    QCOMPARE(makeSweepPlot(SweepChartKind::Seconds, request, cells).curves.size(), std::size_t{2});
  }

  // The ideal line is that of the scaling efficiency, relative to one device alone: a parameter server's single worker
  // has a twentieth of it here. It begins in the plot.
  void theIdealLineAgreesWithTheEfficiency() {
    SweepRequest request = smallSweep();
    SweepPlan& plan = request.plan;
    plan.base.strategy = StrategyKind::ParameterServer;
    plan.replicas = {1, 2, 4};
    plan.batches = {8};
    plan.rules = {LearningRateScaling::None};
    plan.seeds = 1;
    request.rows = "replicas";
    request.columns = "batch-per-replica";
    std::vector<SweepRun::Cell> cells;
    for (const SweepCell& cell : cellsOf(plan)) {
      const auto workers = static_cast<double>(cell.config.replicas);
      cells.push_back({.cell = cell,
                       .state = CellState::Finished,
                       .result = RunTally{.steps = 6, .modelled = true, .seconds = 1},
                       .steady = {100 * std::sqrt(workers), 0.05 / std::sqrt(workers)}});
    }
    SweepPlot plot = makeSweepPlot(SweepChartKind::Throughput, request, cells);
    QCOMPARE(plot.curves.size(), std::size_t{2});
    const SweepPlot::Curve &curve = plot.curves[0], ideal = plot.curves[1];
    QCOMPARE(ideal.role, SweepPlot::Role::Ideal);
    QCOMPARE(ideal.name, QStringLiteral("ideal"));
    QCOMPARE(ideal.points.size(), curve.points.size());
    for (std::size_t i = 0; i < curve.points.size(); ++i)
      QCOMPARE(curve.points[i].y / ideal.points[i].y,
               cells[static_cast<std::size_t>(curve.points[i].cell)].steady.efficiency);
    SweepChart chart;
    chart.resize(600, 400);
    const SweepPlot::Point begin = ideal.points.front();
    chart.setPlot(std::move(plot));
    QVERIFY(chart.positionOf({begin.x, begin.y}).y() > 0);
  }

  // One rule has only modelled times here, the other only measured ones: neither is the best by its time.
  void rulesOfTwoClocksAreNotRanked() {
    SweepRequest request = smallSweep();
    SweepPlan& plan = request.plan;
    plan.batches = {8};
    plan.seeds = 1;
    plan.others = {{"devices", {"simulated", "cpu"}}};
    request.rows = "replicas";
    request.columns = "batch-per-replica";
    std::vector<SweepRun::Cell> cells;
    for (const SweepCell& cell : cellsOf(plan)) {
      const bool modelled = cell.config.devices == DeviceChoice::Simulated;
      cells.push_back({.cell = cell, .state = CellState::Failed});
      if (modelled != (cell.config.lrScaling == LearningRateScaling::None)) continue;
      cells.back().state = CellState::Reached;
      cells.back().result =
          RunTally{.steps = 6, .testAccuracy = modelled ? 0.5 : 0.6, .modelled = modelled, .seconds = 1};
    }
    QCOMPARE(cells.size(), std::size_t{8});
    const SweepTable table(request, cells);
    QCOMPARE(table.rules().size(), std::size_t{2});
    const SweepEntry times = table.entry(cells, 0, 0, SweepQuantity::Duration, {});
    QVERIFY(times.ofTwoClocks && !times.hasMean() && times.cells.size() == 4);
    const SweepEntry accuracy = table.entry(cells, 0, 0, SweepQuantity::Accuracy, {});
    QVERIFY(accuracy.hasMean() && accuracy.mean() == 0.6);
    for (const std::string& rule : table.rules())
      QVERIFY(table.entry(cells, 0, 0, SweepQuantity::Duration, rule).hasMean());
  }

  // Equal means are all the best; and each of many learning rates has its own curve.
  void equalMeansAreAllTheBestAndManyValuesAreManyCurves() {
    SweepRequest request = smallSweep();
    SweepPlan& plan = request.plan;
    plan.replicas = {1};
    plan.batches = {8};
    plan.rules = {LearningRateScaling::None};
    plan.seeds = 1;
    for (int i = 1; i <= 100; ++i) plan.learningRates.push_back(i / 1000.0);
    request.columns = "learning-rate";
    std::vector<SweepRun::Cell> cells;
    for (const SweepCell& cell : cellsOf(plan))
      cells.push_back({.cell = cell, .state = CellState::Finished, .result = RunTally{.steps = 6, .testAccuracy = 1}});
    cells.front().result->testAccuracy = 0.5;
    const std::vector<SweepEntry> row = SweepTable(request, cells).rowOf(cells, 0, SweepQuantity::Accuracy, {});
    QCOMPARE(row.size(), std::size_t{100});
    QCOMPARE(std::ranges::count_if(row, &SweepEntry::best), std::ptrdiff_t{99});
    const SweepPlot plot = makeSweepPlot(SweepChartKind::Accuracy, request, cells);
    QCOMPARE(std::ranges::count(plot.curves, SweepPlot::Role::Trial, &SweepPlot::Curve::role), std::ptrdiff_t{100});
  }

  // Where numbers have decimal commas, a semicolon separates values, and so does a comma with a space.
  void aCommaAndASpaceSeparateDecimalCommas() {
    const auto restore = qScopeGuard([before = QLocale()] { QLocale::setDefault(before); });
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    SweepRequest request = smallSweep();
    request.columns = "learning-rate";
    request.plan.batches.clear();
    SweepForm form;
    form.setRequest(request);
    for (const char* text : {"0,05; 0,2", "0,05, 0,2", "0,05 , 0,2", "0,05 0,2", "0.05, 0.2"}) {
      form.findChild<QLineEdit*>(QStringLiteral("sweepColumnValues"))->setText(QLatin1String(text));
      const auto read = form.request();
      QVERIFY2(read && read->plan.learningRates == (std::vector<double>{0.05, 0.2}), text);
    }
  }

  // What the form offers for an axis are values of its setting, and names of hardware that exists. A setting without a
  // value, such as all training examples, has none to offer.
  void whatAnAxisOffersCanBeTrained() {
    SweepForm form;
    auto& rows = *form.findChild<QComboBox*>(QStringLiteral("sweepRows"));
    auto& values = *form.findChild<QLineEdit*>(QStringLiteral("sweepRowValues"));
    for (const StrategyInfo& info : strategies()) {
      RunSettings base = test::runOf(info.key.c_str());
      base.trainExamples.reset();
      for (int i = 0; i < rows.count(); ++i) {
        const std::string setting = rows.itemData(i).toString().toStdString();
        if (setting.empty() || setting == kRuleAxis) continue;  // a separator
        const ConfigField& field = configField(setting);
        for (const std::string& value : usualValues(setting, base)) {
          try {
            RunSettings config = base;
            field.set(config, value);
            if (field.kind == ConfigField::Kind::Text) (void)resolve(config);
          } catch (const UserError& error) {
            QFAIL(error.what());
          }
        }
      }
      form.setBase(base);
      const auto offered = [&](const char* setting) {
        rows.setCurrentIndex(rows.findData(QLatin1String(setting)));
        Q_EMIT rows.activated(rows.currentIndex());
        return values.text().toStdString();
      };
      QCOMPARE(offered(kRuleAxis), std::string());
      QVERIFY(!values.placeholderText().isEmpty());
      QCOMPARE(offered("train-examples"), std::string());
      QVERIFY(values.placeholderText().isEmpty());
      QCOMPARE(offered("link"), resolve(base).link);
      QCOMPARE(offered("device-model"), resolve(base).deviceModel);
      QCOMPARE(offered("hosts"), std::to_string(resolve(base).hosts));
      QCOMPARE(offered("local-steps"), configField("local-steps").defaultText);
    }
  }

  // The wheel scrolls the plan's form and changes nothing in it.
  void theWheelChangesNoPlan() {
    SweepForm form;
    form.setRequest(smallSweep());
    form.show();
    const std::string before = requestToJson(*form.request()).dump();
    QList<QWidget*> fields;
    for (auto* box : form.findChildren<QComboBox*>()) fields << box;
    for (auto* box : form.findChildren<QAbstractSpinBox*>()) fields << box;
    QVERIFY(fields.size() >= 9);
    for (QWidget* field : fields) {
      const QPointF at = field->rect().center();
      QWheelEvent turn(at, field->mapToGlobal(at), {}, {0, -120}, {}, {}, Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(field, &turn);
      QVERIFY2(!field->hasFocus(), qPrintable(field->objectName()));
    }
    QCOMPARE(requestToJson(*form.request()).dump(), before);
  }

  void whatCannotBeIsSaidBefore() {
    ViewFixture f;
    SweepRequest request = smallSweep();
    request.plan.base.strategy = StrategyKind::MultiWorkerMirrored;
    request.plan.base.hosts = 2;
    f.view.setRequest(request);
    f.waitUntilIdle();
    QCOMPARE(f.view.run().count(CellState::Refused), 8);  // one replica on two hosts
    QVERIFY(f.part<QLabel>("sweepPlan").text().contains(QStringLiteral("8 runs cannot be trained")));
    const auto& grid = f.part<SweepGrid>("sweepGrid");
    const QString words = grid.model()->index(0, 0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(
        words.contains(QStringLiteral("cannot run")) && words.contains(QStringLiteral("hosts"), Qt::CaseInsensitive),
        qPrintable(words));
    // An error in a value is reported at once, in a sentence.
    auto& values = f.part<QLineEdit>("sweepRowValues");
    values.setText(QStringLiteral("1, two"));
    QTRY_VERIFY_WITH_TIMEOUT(!f.part<QLabel>("sweepComplaint").isHidden(), kPatienceMs);
    QVERIFY(f.part<QLabel>("sweepComplaint").text().contains(QStringLiteral("two")));
    QVERIFY(!f.part<QToolButton>("sweepStart").isEnabled());
    values.clear();
    QTRY_VERIFY_WITH_TIMEOUT(f.part<QLabel>("sweepComplaint").text().contains(QStringLiteral("no values")),
                             kPatienceMs);
  }

  // Why an impossible plan cannot be started is seen below the fold too and stands at the button, and no earlier plan
  // is saved in its place.
  void anImpossiblePlanIsNotSaved() {
    ViewFixture f;
    f.view.setRequest(smallSweep());
    f.waitUntilIdle();
    f.click("sweepPlanShown");
    f.view.resize(1200, 300);
    f.part<QLineEdit>("sweepRowValues").setText(QStringLiteral("1, two"));
    const auto& complaint = f.part<QLabel>("sweepComplaint");
    QTRY_VERIFY_WITH_TIMEOUT(complaint.isVisible(), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(complaint.visibleRegion().boundingRect().height(), complaint.height(), kPatienceMs);
    QCOMPARE(f.part<QToolButton>("sweepStart").toolTip(), complaint.text());
    // The words name the field of the form.
    f.part<QLineEdit>("sweepRowValues").setText(QStringLiteral("1, 2"));
    f.part<QLineEdit>("sweepColumnValues").setText(QStringLiteral("abc"));
    const QString axis = f.part<QComboBox>("sweepColumns").currentText();
    QTRY_VERIFY2_WITH_TIMEOUT(complaint.text().contains(axis), qPrintable(complaint.text()), kPatienceMs);
    const QString slab = f.folder.filePath(QStringLiteral("impossible.slab"));
    f.view.save(slab);
    QVERIFY(!QFileInfo::exists(slab));
    const QString said = f.part<QLabel>("sweepMessage").text();
    QVERIFY2(said.contains(complaint.text()), qPrintable(said));
  }

  void tooLargeIsRefused() {
    SweepRequest request = smallSweep();
    request.columns = "batch-per-replica";
    request.plan.replicas = {1, kMaxReplicas};
    request.plan.batches = {8, 1'000'000};
    const QTemporaryDir folder;
    SweepRun run(folder.path());
    run.setPlan(request.plan, 2);
    QVERIFY(run.count(CellState::Refused) > 0 && run.count(CellState::Waiting) > 0);
    for (const SweepRun::Cell& cell : run.cells()) QCOMPARE(cell.state == CellState::Refused, !cell.why.empty());
  }

  // By mouse and keyboard: the grid fills, its numbers are those of its cells, and a chosen cell runs on the stage.
  void fromTheFormToTheStage() {
    ViewFixture f;
    f.view.setRequest(smallSweep());
    f.waitUntilIdle();
    f.click("sweepStart");
    QVERIFY(f.view.run().isRunning());
    QVERIFY(!f.part<SweepForm>("sweepForm").isEnabled());
    f.waitUntilIdle();
    QCOMPARE(f.view.run().count(CellState::Reached), 16);
    QVERIFY(f.part<SweepLegend>("sweepLegend").words().contains(QStringLiteral("16 reached the target")));
    auto& grid = f.part<SweepGrid>("sweepGrid");
    const auto& model = static_cast<const SweepGridModel&>(*grid.model());
    QVERIFY(model.rowCount() == 2 && model.columnCount() == 2);
    for (int row = 0; row < 2; ++row)
      for (int column = 0; column < 2; ++column) {
        const SweepEntry& entry = model.entryAt(model.index(row, column));
        QVERIFY(entry.cells.size() == 2 && entry.hasMean() && !entry.mark);
        const ResolvedSettings& config =
            f.view.run().cells()[static_cast<std::size_t>(entry.cells.front())].cell.config;
        QCOMPARE(config.replicas, row + 1);
        QCOMPARE(config.batchPerReplica, 4 * (column + 1));
        QCOMPARE(model.index(row, column).data().toString(), quantityText(SweepQuantity::Steps, entry.mean()));
      }
    QSignalSpy wanted(&f.view, &SweepView::runWanted);
    grid.setFocus();
    grid.setCurrentIndex(model.index(1, 0));
    QTest::keyClick(&grid, Qt::Key_Right);
    QTest::keyClick(&grid, Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(f.experiment.resolved().replicas, 2);
    QCOMPARE(f.experiment.resolved().batchPerReplica, 8);
    // A click on a point of the chart does the same.
    auto& chart = f.part<SweepChart>("sweepChart");
    QVERIFY(chart.plot().lacking.isEmpty() && !chart.accessibleDescription().isEmpty());
    const SweepPlot::Point& point = chart.plot().curves.front().points.front();
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.positionOf({point.x, point.y}).toPoint());
    QCOMPARE(wanted.count(), 2);
    QCOMPARE(f.experiment.resolved().globalBatch, 4);
    // After the plan changes, the message that the sweep is done disappears.
    QVERIFY(f.part<QLabel>("sweepMessage").text().contains(QStringLiteral("is done")));
    f.part<QLineEdit>("sweepRowValues").setText(QStringLiteral("1, 2, 3"));
    QTRY_COMPARE_WITH_TIMEOUT(f.view.run().cells().size(), std::size_t{24}, kPatienceMs);
    QCOMPARE(f.part<QLabel>("sweepMessage").text(), QString());
  }

  // While the view is open, only its own line tells how the sweep ended; while it is hidden, the window tells it.
  void theEndIsSaidOnce() {
    ViewFixture f;
    QSignalSpy said(&f.view, &SweepView::said);
    for (const bool seen : {true, false}) {
      SweepRequest request = smallSweep();
      request.plan.seeds = seen ? 1 : 2;
      f.view.setRequest(request);
      f.view.setVisible(seen);
      f.view.start();
      f.waitUntilIdle();
      QTRY_VERIFY_WITH_TIMEOUT(f.part<QLabel>("sweepMessage").text().contains(QStringLiteral("is done")), kPatienceMs);
      QCOMPARE(said.count(), seen ? 0 : 1);
    }
  }

  // The next start of the program shows the last plan and its cells.
  void theLastSweepIsHereAgain() {
    const QTemporaryDir folder;
    RunController controller;
    Experiment experiment(controller);
    RunLibrary library(controller, experiment);
    {
      SweepView view(experiment, library, nullptr, folder.path());
      view.setRequest(smallSweep());
      view.start();
      QTRY_VERIFY_WITH_TIMEOUT(view.run().ended() >= 3, kPatienceMs);
    }
    SweepView view(experiment, library, nullptr, folder.path());
    QCOMPARE(requestToJson(view.request()).dump(), requestToJson(smallSweep()).dump());
    QTRY_VERIFY_WITH_TIMEOUT(!view.run().isReading(), kPatienceMs);
    QVERIFY(view.run().ended() >= 3);
  }

  // A plan is work, too: it comes back although it was never started.
  void aPlanThatWasNotStartedComesBack() {
    const QTemporaryDir folder;
    RunController controller;
    Experiment experiment(controller);
    RunLibrary library(controller, experiment);
    const auto planAgain = [&] {
      const SweepView view(experiment, library, nullptr, folder.path());
      return requestToJson(view.request()).dump();
    };
    std::string planned;
    {
      SweepView view(experiment, library, nullptr, folder.path());
      view.setRequest(smallSweep());
      QCOMPARE(planAgain(), requestToJson(smallSweep()).dump());
      view.findChild<QLineEdit*>(QStringLiteral("sweepRowValues"))->setText(QStringLiteral("1, 2, 3"));
      QTRY_COMPARE_WITH_TIMEOUT(view.run().cells().size(), std::size_t{24}, kPatienceMs);
      planned = requestToJson(view.request()).dump();
    }
    QCOMPARE(planAgain(), planned);
  }

  void filesOfASweep() {
    ViewFixture f;
    QCoreApplication::setApplicationVersion(QStringLiteral("7.8.9"));
    f.view.setRequest(smallSweep());
    QCoreApplication::setApplicationVersion(QString());
    f.view.start();
    f.waitUntilIdle();
    const SweepRun& run = f.view.run();
    QCOMPARE(readRunFile(run.folder() / run.cells().front().cell.fileName()).header.program, std::string("7.8.9"));
    const QString slab = f.folder.filePath(QStringLiteral("a.slab"));
    f.view.save(slab);
    SweepRequest other = smallSweep();
    other.plan.seeds = 1;
    f.view.setRequest(other);
    QVERIFY(f.view.open(slab));
    QCOMPARE(requestToJson(f.view.request()).dump(), requestToJson(smallSweep()).dump());
    f.waitUntilIdle();
    const QString csv = f.folder.filePath(QStringLiteral("a.csv"));
    f.view.writeCsv(csv);
    f.view.wait();
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QVERIFY(lines.front().startsWith("strategy,replicas,batch-per-replica,global-batch"));
    QVERIFY(lines.size() > 16);
    for (const QByteArray& line : lines) QCOMPARE(line.count(','), lines.front().count(','));
    for (const auto& [name, begin] : {std::pair{"a.png", "\x89PNG"}, {"a.svg", "<?xml"}, {"a.pdf", "%PDF"}}) {
      const QString path = f.folder.filePath(QLatin1String(name));
      f.view.writePicture(path);
      QFile picture(path);
      QVERIFY2(picture.open(QIODevice::ReadOnly), name);
      QVERIFY2(picture.readAll().startsWith(begin), name);
    }
  }

  // An experiment that gets a plan keeps its own settings, and so its branches; what cannot be read is not replaced.
  void aPlanIsAddedToAnExperiment() {
    const QTemporaryDir folder;
    const std::filesystem::path slab = folder.filePath(QStringLiteral("a.slab")).toStdString();
    const std::string text = R"({"format": "strategylab-experiment", "version": 1, "config": {"replicas": 4},
        "branches": [{"parent": "base", "config": {"replicas": 2}, "step": 3}], "later": 5})";
    writeFileAtomically(slab, text);
    saveSweep(smallSweep(), QString::fromStdString(slab.string()));
    const ExperimentFile file = readExperiment(slab);
    QCOMPARE(configToJson(file.config).dump(), configToJson(parseExperiment(text, "a").config).dump());
    QVERIFY(file.lineage.size() == 1 && file.others.contains("later"));
    QCOMPARE(requestToJson(readSweep(QString::fromStdString(slab.string()))).dump(),
             requestToJson(smallSweep()).dump());
    for (const std::string strange :
         {R"({"format": "strategylab-experiment", "version": 2, "config": {}})", "a letter to a colleague"}) {
      writeFileAtomically(slab, strange);
      QVERIFY_THROWS_EXCEPTION(UserError, saveSweep(smallSweep(), QString::fromStdString(slab.string())));
      const std::vector<std::uint8_t> left = readFile(slab, 1000);
      QCOMPARE(std::string(left.begin(), left.end()), strange);
    }
  }

  // The window offers the sweep of a file and keeps its layout until the user accepts.
  void openedWithAFile() {
    const QTemporaryDir folder;
    const QString slab = folder.filePath(QStringLiteral("a.slab"));
    saveSweep(smallSweep(), slab);
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    RunController controller;
    MainWindow window(controller);
    Workbench bench(window, settings);
    window.show();
    const WindowLayout before = window.workspaces().current();
    QVERIFY(bench.files().open(slab));
    QCOMPARE(window.workspaces().current(), before);
    const auto& view = *window.findChild<SweepView*>();
    QCOMPARE(requestToJson(view.request()).dump(), requestToJson(smallSweep()).dump());
    const auto buttons = window.findChildren<QToolButton*>(QStringLiteral("remedy"));
    const auto isSeen = [](const QToolButton* button) { return button->isVisible(); };
    const auto remedy = std::ranges::find_if(buttons, isSeen);
    QVERIFY(remedy != buttons.end());
    (*remedy)->click();
    QCOMPARE(window.workspaces().current(), WindowLayout::Sweep);
    QVERIFY(view.isVisible());
    QVERIFY(bench.files().open(slab));  // there is nothing to offer where the sweep is seen
    QVERIFY(std::ranges::none_of(buttons, isSeen));
  }

  // The plan that is saved into the window's own experiment is the experiment's from then on.
  void aPlanInTheWindowsFileStaysThere() {
    const QTemporaryDir folder;
    const QString slab = folder.filePath(QStringLiteral("a.slab"));
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    RunController controller;
    MainWindow window(controller);
    Workbench bench(window, settings);
    window.show();
    saveSweep(classroomSweep(), slab);
    QVERIFY(bench.files().open(slab));
    auto& view = *window.findChild<SweepView*>();
    view.setRequest(smallSweep());
    view.save(slab);
    QVERIFY(!bench.document().isModified());
    QVERIFY(bench.document().save());
    QCOMPARE(requestToJson(readSweep(slab)).dump(), requestToJson(smallSweep()).dump());
  }

  // Every chart draws a sweep that has its axes, and otherwise says what it needs.
  void chartsSayWhatTheyNeed() {
    const QTemporaryDir folder;
    SweepRun run(folder.path());
    SweepRequest request = smallSweep();
    run.setPlan(request.plan, 2);
    run.start();
    waitFor(run);
    for (int i = 0; i < kSweepCharts; ++i) {
      const auto kind = static_cast<SweepChartKind>(i);
      const SweepPlot plot = makeSweepPlot(kind, request, run.cells());
      const bool without = kind == SweepChartKind::Rate || kind == SweepChartKind::Staleness;
      QCOMPARE(!plot.lacking.isEmpty(), without);
      QVERIFY(!plot.title.isEmpty() && (without || !plot.curves.empty()));
      for (const SweepPlot::Curve& curve : plot.curves)
        for (const SweepPlot::Point& point : curve.points) QVERIFY(std::isfinite(point.x) && std::isfinite(point.y));
    }
    // 1 × 8 and 2 × 4 images are the same global batch: two seeds give two values for it, not four.
    const SweepPlot steps = makeSweepPlot(SweepChartKind::Steps, request, run.cells());
    const auto& points = steps.curves.front().points;
    QCOMPARE(points.size(), std::size_t{3});
    for (const SweepPlot::Point& point : points) QCOMPARE(point.values.size(), std::size_t{2});
    // Three batches of six steps say little: a critical batch, if there is one, is provisional. It also is while a run
    // has not ended.
    QVERIFY(steps.uprights.empty() || steps.uprights.front().name == QStringLiteral("critical batch, provisional") ||
            (steps.uprights.front().x >= points.front().x && steps.uprights.front().x <= points.back().x));
    std::vector<SweepRun::Cell> curve = run.cells();
    for (SweepRun::Cell& cell : curve) {
      const double batch = static_cast<double>(cell.cell.config.globalBatch);
      cell.state = CellState::Reached;
      cell.result->stepsToTarget = std::llround(1000 * (1 + 8 / batch));
    }
    const SweepPlot sure = makeSweepPlot(SweepChartKind::Steps, request, curve);
    QCOMPARE(sure.uprights.front().name, QStringLiteral("critical batch"));
    QVERIFY(!sure.caption.contains(QStringLiteral("provisional")));
    // Copies that differ train differently on different numbers of replicas: each number has its own curve.
    std::vector<SweepRun::Cell> copies = curve;
    for (SweepRun::Cell& cell : copies) {
      configField("strategy").set(cell.cell.asked, "local-sgd");
      cell.cell.config.strategy = cell.cell.asked.strategy;
    }
    const SweepPlot differ = makeSweepPlot(SweepChartKind::Steps, request, copies);
    QCOMPARE(differ.curves.size(), std::size_t{4});  // 2 numbers of replicas × 2 rules
    QVERIFY2(!differ.caption.contains(QStringLiteral("ritical")), qPrintable(differ.caption));
    curve.front().state = CellState::NotRun;
    curve.front().result.reset();
    const SweepPlot unsure = makeSweepPlot(SweepChartKind::Steps, request, curve);
    QCOMPARE(unsure.uprights.front().name, QStringLiteral("critical batch, provisional"));
    QVERIFY2(unsure.caption.contains(QStringLiteral("provisional (runs that have not ended: 1)")),
             qPrintable(unsure.caption));
    // The noise scale stands beside the critical batch with its own band; without measurements the caption says so.
    QVERIFY(steps.uprights.empty() || steps.uprights.back().name != QStringLiteral("noise scale"));
    QVERIFY2(steps.caption.contains(QStringLiteral("was not measured")), qPrintable(steps.caption));
    std::vector<SweepRun::Cell> cells = run.cells();
    double noise = 100;
    for (SweepRun::Cell& cell : cells)
      if (cell.result) cell.result->noiseScale = noise += 10;
    const SweepPlot beside = makeSweepPlot(SweepChartKind::Steps, request, cells);
    const SweepPlot::VerticalRule& scale = beside.uprights.back();
    QCOMPARE(scale.name, QStringLiteral("noise scale"));
    QVERIFY(scale.band && 110 < scale.band->low && scale.band->low < scale.x && scale.x < scale.band->high &&
            scale.band->high < noise);
    QVERIFY(beside.caption.contains(
        QStringLiteral("about %1 (8 of 10 runs: %2 to %3)").arg(scale.x).arg(scale.band->low).arg(scale.band->high)));
    request.plan.base.strategy = StrategyKind::ParameterServer;
    run.setPlan(request.plan, 2);
    run.start();
    waitFor(run);
    // Different numbers of workers are not seeds of one setting: each has its own curve, and they have no common
    // critical batch.
    const SweepPlot apart = makeSweepPlot(SweepChartKind::Steps, request, run.cells());
    QCOMPARE(apart.curves.size(), std::size_t{4});  // 2 numbers of workers × 2 rules
    QVERIFY(std::ranges::none_of(apart.curves, [](const auto& line) { return line.role == SweepPlot::Role::Best; }));
    for (const SweepPlot::Curve& line : apart.curves)
      for (const SweepPlot::Point& point : line.points) QVERIFY(point.values.size() <= 2);  // one per seed
    QVERIFY2(!apart.caption.contains(QStringLiteral("ritical")), qPrintable(apart.caption));
    const SweepPlot plot = makeSweepPlot(SweepChartKind::Staleness, request, run.cells());
    QVERIFY(plot.lacking.isEmpty() && plot.curves.size() == 4);  // 2 batches × 2 rules
    QVERIFY(plot.curves.front().points.back().words.contains(QStringLiteral("staleness")));
  }

  // A finished sweep in which nothing reached the target says so; as long as a run is missing, there are no results
  // yet.
  void aMissedTargetIsSaid() {
    const SweepRequest request = smallSweep();
    std::vector<SweepRun::Cell> cells;
    for (const SweepCell& cell : cellsOf(request.plan))
      cells.push_back(
          {.cell = cell, .state = CellState::NotReached, .result = RunTally{.steps = 6, .testAccuracy = 0.01}});
    cells.front().state = CellState::Diverged;
    for (const SweepChartKind kind : {SweepChartKind::Steps, SweepChartKind::Examples, SweepChartKind::Seconds}) {
      const QString lacking = makeSweepPlot(kind, request, cells).lacking;
      QVERIFY2(
          lacking.contains(QStringLiteral("reached the target")) && lacking.contains(QStringLiteral("lower target")),
          qPrintable(lacking));
    }
    QVERIFY(makeSweepPlot(SweepChartKind::Accuracy, request, cells).lacking.isEmpty());
    cells.front().state = CellState::Waiting;
    cells.front().result.reset();
    QCOMPARE(makeSweepPlot(SweepChartKind::Steps, request, cells).lacking,
             QStringLiteral("The sweep has no results yet."));
  }

  // One click asks for a curve with the rate unchanged, one with the rate divided by the staleness and one without
  // stale gradients; the sentence below the chart has the chart's own numbers.
  void stalenessPointsItselfOut() {
    ViewFixture f;
    QTest::mouseClick(&f.part<QPushButton>("sweepStaleness"), Qt::LeftButton);
    f.waitUntilIdle();
    QCOMPARE(f.view.run().cells().size(), std::size_t{45});
    QCOMPARE(requestToJson(f.view.request()).dump(), requestToJson(stalenessSweep()).dump());  // the form keeps it all
    const QString inShort = f.part<QLabel>("sweepInShort").text();
    QVERIFY2(inShort.contains(QStringLiteral("ParameterServer, Mirrored.")), qPrintable(inShort));
    QVERIFY2(!inShort.contains(QStringLiteral("ParameterServerStrategy")), qPrintable(inShort));
    SweepRequest request = stalenessSweep();
    request.plan.seeds = 1;
    request.plan.replicas = {1, 4};
    request.plan.examples = 60 * 32;
    request.plan.base.evalEvery = 60;
    f.view.setRequest(request);
    f.waitUntilIdle();
    f.click("sweepStart");
    f.waitUntilIdle();
    const SweepPlot& plot = f.part<SweepChart>("sweepChart").plot();
    QVERIFY(plot.lacking.isEmpty() && plot.curves.size() == 3);
    QStringList names;
    std::map<QString, double> last;
    for (const SweepPlot::Curve& curve : plot.curves) {
      names << curve.name;
      QCOMPARE(curve.points.size(), std::size_t{2});
      last[curve.name] = curve.points.back().y;
    }
    const QString kept = QStringLiteral("rate unchanged, ParameterServer"),
                  alike = QStringLiteral("rate unchanged, Mirrored"),
                  divided = QStringLiteral("divided by the staleness, ParameterServer");
    QVERIFY2(last.contains(kept) && last.contains(alike) && last.contains(divided), qPrintable(names.join(u';')));
    const QString caption = f.part<QLabel>("sweepCaption").text();
    for (const QString& words :
         {QStringLiteral("From 1 to 4 workers"), percentText(last[kept]), percentText(last[divided]),
          QStringLiteral("Mirrored on as many images"), percentText(last[alike])})
      QVERIFY2(caption.contains(words), qPrintable(caption));
    // With one worker nothing is stale, whatever the rule.
    for (const SweepPlot::Curve& curve : plot.curves)
      QCOMPARE(curve.points.front().y, plot.curves.front().points.front().y);
    // In the grid of one rule, a strategy without stale gradients shows its results with rule "none".
    const auto& run = f.view.run();
    const SweepTable table(f.view.request(), run.cells());
    const SweepEntry entry = table.entry(run.cells(), 1, 1, SweepQuantity::Accuracy, kStalenessRule);
    QVERIFY(entry.hasMean() && entry.rule == "none" && entry.mean() == last[alike]);
  }

  // An error stands in a frame and has room in it; other messages have no frame.
  void anErrorHasRoomInItsFrame() {
    theme::apply(*qApp);
    ViewFixture f;
    f.view.setRequest(smallSweep());
    f.waitUntilIdle();
    const auto& message = f.part<QLabel>("sweepMessage");
    const QString slab = f.folder.filePath(QStringLiteral("a.slab"));
    QVERIFY(!f.view.open(slab));
    QVERIFY(message.isVisible() && message.contentsRect().left() >= theme::em(0.5));
    f.view.save(slab);
    QVERIFY(message.isVisible() && message.contentsRect() == message.rect());
    QVERIFY(!f.view.open(slab + slab));
    QVERIFY(message.contentsRect().left() >= theme::em(0.5));
    f.view.setRequest(readSweep(slab));  // an equal plan
    QVERIFY(!message.isVisible());
  }
};

QTEST_MAIN(TestSweepView)
#include "tst_sweep_view.moc"
