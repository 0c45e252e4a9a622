// SPDX-License-Identifier: GPL-3.0-or-later
// The kept runs: the table obeys the rules of models whatever happens to runs, shows differences and no more, and what
// a person does in the window with real clicks reaches the run.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QHeaderView>
#include <QInputDialog>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <QTextDocument>

#include "chart_fixture.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/compare/compare_view.h"
#include "ui/setup/fit.h"
#include "ui/window/main_window.h"

using namespace lab;
using lab::test::ChartFixture;
using lab::test::madeUpMetrics;
using Column = RunTable::Column;

namespace {

RunSettings smallRun() {
  RunSettings config = test::smallConfig();
  config.steps = 4;
  return config;
}

KeptRun runOf(const RunSettings& config, std::int64_t steps) {
  KeptRun run;
  run.asked = config;
  run.resolved = resolve(config);
  run.metrics = madeUpMetrics(steps);
  run.version = QStringLiteral("9.8");
  return run;
}

QString cell(const RunTable& table, int row, Column column) {
  return table.index(row, table.columnOf(column)).data().toString();
}

}  // namespace

class TestRuns : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void tableObeysTheRulesOfModels() {
    ChartFixture fixture;
    RunTable table(fixture.library);
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    RunSettings config;
    std::vector<int> ids{fixture.library.add(runOf(config, 3))};
    QCOMPARE(table.columnCount(), 9);  // no columns of settings, because nothing differs
    config.replicas = 4;
    ids.push_back(fixture.library.add(runOf(config, 5)));
    config.optimizer = OptimizerKind::Sgd;
    config.learningRate = 0.1;
    config.seed = 7;
    ids.push_back(fixture.library.add(runOf(config, 0)));
    QStringList heads;
    for (int i = 0; i < table.columnCount(); ++i)
      heads << table.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
    QVERIFY2(heads.mid(1, 4) == (QStringList{"replicas", "global batch", "optimizer", "learning rate"}),
             qPrintable(heads.join(QLatin1Char(','))));
    QCOMPARE(table.index(1, 1).data().toString(), QStringLiteral("4"));
    // The latest run comes first.
    QCOMPARE(cell(table, 0, Column::Seed), QStringLiteral("7"));
    QCOMPARE(cell(table, 0, Column::Version), QStringLiteral("9.8"));
    QCOMPARE(cell(table, 0, Column::Loss), QStringLiteral("–"));
    fixture.library.setBaseline(ids[0]);
    const double a = fixture.library.runs()[0].metrics->steps.back().loss,
                 b = fixture.library.runs()[1].metrics->steps.back().loss;
    QCOMPARE(cell(table, 2, Column::Loss), QString::number(a, 'f', 4));
    QCOMPARE(cell(table, 1, Column::Loss),
             QStringLiteral("%1 (%2%3)")
                 .arg(QString::number(b, 'f', 4), b < a ? "−" : "+", QString::number(std::abs(b - a), 'f', 4)));
    QCOMPARE(cell(table, 1, Column::Rate), QStringLiteral("32,000 (×1.00)"));
    const QString rate = table.headerData(table.columnOf(Column::Rate), Qt::Horizontal, Qt::ToolTipRole).toString();
    QVERIFY2(rate.contains(QStringLiteral("including the remainders of epochs")), qPrintable(rate));
    QVERIFY(table.setData(table.index(1, 0), QStringLiteral("four"), Qt::EditRole));
    QCOMPARE(fixture.library.find(ids[1])->name, QStringLiteral("four"));
    QVERIFY(table.setData(table.index(1, 0), QString(), Qt::EditRole));
    QCOMPARE(fixture.library.find(ids[1])->name, QString());
    QCOMPARE(fixture.library.nameOf(ids[1]), QStringLiteral("Mirrored ×4 b256 adam lr0.001 seed1"));
    QVERIFY(table.setData(table.index(1, table.columnOf(Column::Note)), QStringLiteral("hm"), Qt::EditRole));
    QVERIFY(table.setData(table.index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!fixture.library.find(ids[1])->shown);
    fixture.library.remove(ids[2]);
    QCOMPARE(table.columnCount(), 11);
    fixture.library.remove(ids[0]);  // the baseline goes with this run
    QCOMPARE(table.columnCount(), 9);
    QCOMPARE(fixture.library.baselineId(), 0);
    fixture.library.remove(ids[1]);
    QCOMPARE(table.rowCount(), 0);
    fixture.library.remove(12'345);
    fixture.library.rename(12'345, QStringLiteral("nobody"));
  }

  // A name contains only the file name of a long path.
  void namesOfFilesAreShort() {
    ChartFixture fixture;
    KeptRun run = runOf({}, 3);
    (void)fixture.library.add(run);
    run.resolved.init = "/a/long/way/to/weights.keras";
    const int other = fixture.library.add(run);
    const QString name = fixture.library.nameOf(other);
    QVERIFY2(name.contains(QStringLiteral("weights.keras")) && !name.contains(QStringLiteral("long")),
             qPrintable(name));
  }

  // Whether a data set was found or named makes no difference: both runs saw the same one.
  void aDataSetIsTheOneThatWasFound() {
    ChartFixture fixture;
    RunTable table(fixture.library);
    KeptRun found = runOf(RunSettings{}, 3), named = found;
    found.header.emplace().dataset = "digits";
    named.asked.dataset = named.resolved.dataset = "digits";
    const int first = fixture.library.add(found);
    (void)fixture.library.add(named);
    QCOMPARE(table.columnCount(), 9);  // no columns of settings, because nothing differs
    QCOMPARE(fixture.library.nameOf(first), QStringLiteral("Mirrored ×2"));
  }

  // A name with angle brackets is shown in its tool tip as it is written.
  void aNameIsNoMarkup() {
    ChartFixture fixture;
    const RunTable table(fixture.library);
    fixture.library.rename(fixture.library.add(runOf(RunSettings{}, 3)), QStringLiteral("a <b>x</b>"));
    QTextDocument shown;
    shown.setHtml(table.index(0, 0).data(Qt::ToolTipRole).toString());
    QVERIFY2(shown.toPlainText().startsWith(QStringLiteral("a <b>x</b>\n")), qPrintable(shown.toPlainText()));
  }

  // The present run's data set is known only after preparation: names reported before are then reported again, and a
  // column for the data set goes if it is that of the other run.
  void theFoundDataSetNamesThePresentRun() {
    ChartFixture fixture;
    const RunTable table(fixture.library);
    RunSettings named = smallRun(), found = named;
    named.dataset = "digits";
    found.dataset = "auto";
    fixture.experiment.begin(named);
    fixture.controller.play();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.isOver(), kPatienceMs);
    QString before;  // the name that a chart gets when it asks at once
    QObject::connect(&fixture.library, &RunLibrary::added, &fixture.library,
                     [&] { before = fixture.library.nameOf(fixture.library.presentId()); });
    fixture.experiment.begin(found);
    const int id = fixture.library.presentId();
    QVERIFY2(before.contains(QStringLiteral("auto")), qPrintable(before));
    QCOMPARE(table.columnCount(), 10);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.library.find(id)->header.has_value(), kPatienceMs);
    const QString name = fixture.library.nameOf(id);
    QVERIFY2(!name.contains(QStringLiteral("auto")), qPrintable(name));
    QCOMPARE(table.columnCount(), fixture.library.find(id)->header->dataset == "digits" ? 9 : 10);
  }

  // The settings do not say what a class's workers did: its recording can be looked at, but it can neither be repeated
  // nor compared as if it were trained once more.
  void aClassIsNotRepeated() {
    ChartFixture fixture;
    for (const bool isClass : {false, true}) {
      RunRecord record;
      record.header.config = configToJson(resolve(smallRun()));
      record.header.isClass = isClass;
      const RunHeader read = runHeaderFrom(nlohmann::json::parse(runHeaderLine(record.header)), {});
      QCOMPARE(read.isClass, isClass);
      const int id = fixture.library.add(RunLibrary::keptFrom(std::move(record), QStringLiteral("lesson.run")));
      QCOMPARE(fixture.library.find(id)->settingsKnown, !isClass);
      QCOMPARE(fixture.library.canCompare(id), !isClass);
      // A class has no single number of workers, so its name gives none.
      QCOMPARE(fixture.library.nameOf(id),
               isClass ? QStringLiteral("Mirrored, a class") : QStringLiteral("Mirrored ×2"));
    }
  }

  // Runs are named by what they differ in, and by nothing else.
  void namesSayTheDifference() {
    ChartFixture fixture;
    RunTable table(fixture.library);
    RunSettings config;
    config.globalBatch = 64;
    const auto name = [&](int id) { return fixture.library.nameOf(id); };
    const int first = fixture.library.add(runOf(config, 3));
    QCOMPARE(name(first), QStringLiteral("Mirrored ×2"));
    const int same = fixture.library.add(runOf(config, 3));
    QCOMPARE(name(same), QStringLiteral("Mirrored ×2 (2)"));
    fixture.library.remove(same);
    config.globalBatch = 512;
    config.learningRate = 0.4;
    const int large = fixture.library.add(runOf(config, 3));
    QCOMPARE(name(large), QStringLiteral("b512 lr0.4"));
    QCOMPARE(name(first), QStringLiteral("b64 lr0.001"));
    QCOMPARE(table.index(0, 0).data().toString(), QStringLiteral("b512 lr0.4"));
    QCOMPARE(table.index(1, 0).data().toString(), QStringLiteral("b64 lr0.001"));
    fixture.library.rename(first, QStringLiteral("the slow one"));
    QCOMPARE(name(first), QStringLiteral("the slow one"));
    // Settings that follow from the strategy are covered by its name.
    RunSettings tpu;
    tpu.strategy = StrategyKind::Tpu;
    tpu.globalBatch = 512;
    tpu.learningRate = 0.4;
    const int other = fixture.library.add(runOf(tpu, 3));
    QVERIFY2(name(other).startsWith(QStringLiteral("TPU ×8")), qPrintable(name(other)));
    QVERIFY2(!name(other).contains(QStringLiteral("link")), qPrintable(name(other)));
    // A recording states them all.
    config.learningRate = 0.2;
    const int recorded = fixture.library.add(runOf(resolve(config).asked(), 3));
    QCOMPARE(name(recorded), QStringLiteral("Mirrored ×2 b512 lr0.2"));
    config.deviceModel = "a100";
    const int faster = fixture.library.add(runOf(resolve(config).asked(), 3));
    QVERIFY2(name(faster).contains(QStringLiteral("A100")), qPrintable(name(faster)));
    // A setting is said of the strategies that have it.
    RunSettings servers;
    servers.strategy = StrategyKind::ParameterServer;
    const int whole = fixture.library.add(runOf(servers, 3));
    servers.partitioner = "fixed:2";
    fixture.library.add(runOf(servers, 3));
    QVERIFY2(name(whole).contains(QStringLiteral("none")), qPrintable(name(whole)));
    QVERIFY2(!name(recorded).contains(QStringLiteral("none")), qPrintable(name(recorded)));
  }

  void theTableIsExported() {
    ChartFixture fixture;
    RunTable table(fixture.library);
    RunSettings config;
    KeptRun run = runOf(config, 5);
    run.note = QStringLiteral("first, of \"all\"");
    fixture.library.add(run);
    config.replicas = 4;
    KeptRun lost = runOf(config, 8);
    auto metrics = madeUpMetrics(8);
    for (std::size_t i = 3; i < 8; ++i) metrics->steps[i].loss = 1e9;
    metrics->evaluations = {{8, 2.0, 0.125}};
    lost.metrics = metrics;
    fixture.library.add(lost);
    const QStringList lines = QString::fromStdString(table.csv()).split(QStringLiteral("\r\n"));
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[0], QStringLiteral("run,replicas,global-batch,steps,divergedAtStep,loss,testAccuracy,clock,"
                                      "imagesPerSecond,seed,version,note,branch,meanImagesPerSecond"));
    QCOMPARE(lines[1], QStringLiteral("Mirrored ×4 b256,4,256,8,4,1e+09,0.125,modelled,32000,1,9.8,,,32000"));
    QVERIFY2(lines[2].startsWith(QStringLiteral("Mirrored ×2 b128,2,128,5,,")), qPrintable(lines[2]));
    QVERIFY2(lines[2].endsWith(QStringLiteral(",\"first, of \"\"all\"\"\",,32000")), qPrintable(lines[2]));
    QCOMPARE(cell(table, 0, Column::Steps), QStringLiteral("8, diverged at step 4"));
  }

  // As on the screen: a curve from a file says nothing of settings, and "auto" is the data set that was found.
  void theExportedTableInventsNoSettings() {
    ChartFixture fixture;
    RunTable table(fixture.library);
    KeptRun found = runOf(RunSettings{}, 3), named = found;
    found.header.emplace().dataset = "digits";
    named.asked.dataset = named.resolved.dataset = "mnist";
    fixture.library.add(found);
    fixture.library.add(named);
    fixture.library.add(std::vector<Metric>{EvalMetric{3, 0.5, 0.25}}, QStringLiteral("pytorch"),
                        QStringLiteral("a.csv"));
    const QStringList lines = QString::fromStdString(table.csv()).split(QStringLiteral("\r\n"));
    QCOMPARE(lines.size(), 5);
    QVERIFY2(lines[0].startsWith(QStringLiteral("run,dataset,steps,")), qPrintable(lines[0]));
    QCOMPARE(lines[1], QStringLiteral("pytorch,,0,,,0.25,,,,,,,"));
    QCOMPARE(lines[2].section(QLatin1Char(','), 1, 1), QStringLiteral("mnist"));
    QCOMPARE(lines[3].section(QLatin1Char(','), 1, 1), QStringLiteral("digits"));
  }

  void measuredAndModelledRatesAreNotCompared() {
    ChartFixture fixture;
    RunTable table(fixture.library);
    const int a = fixture.library.add(runOf({}, 4));
    KeptRun other = runOf({}, 4);
    auto measured = madeUpMetrics(4);
    for (StepMetric& step : measured->steps) step.clock = TimeSource::Measured;
    other.metrics = measured;
    fixture.library.add(other);
    fixture.library.setBaseline(a);
    QVERIFY(!cell(table, 0, Column::Rate).contains(QStringLiteral("×")));
  }

  void soManyRunsAreKeptAndNoMore() {
    ChartFixture fixture;
    QStringList dropped;
    QObject::connect(&fixture.library, &RunLibrary::dropped, [&](const QString& name) { dropped << name; });
    const int noted = fixture.library.add(runOf({}, 2)), named = fixture.library.add(runOf({}, 2));
    const int baseline = fixture.library.add(runOf({}, 2)), plain = fixture.library.add(runOf({}, 2));
    QString name;
    fixture.library.annotate(noted, QStringLiteral("the good one"));
    fixture.library.rename(named, QStringLiteral("Monday"));
    fixture.library.setBaseline(baseline);
    while (fixture.library.runs().size() < RunLibrary::kMostRuns) fixture.library.add(runOf({}, 2));
    QVERIFY(dropped.isEmpty());
    name = fixture.library.nameOf(plain);
    const int last = fixture.library.add(runOf({}, 2));
    QCOMPARE(dropped, QStringList{name});
    for (int i = 0; i < 50; ++i) fixture.library.add(runOf({}, 2));
    QCOMPARE(fixture.library.runs().size(), RunLibrary::kMostRuns);
    QVERIFY(fixture.library.find(plain) == nullptr);
    for (const int id : {noted, named, baseline, last}) QVERIFY(fixture.library.find(id) != nullptr);
  }

  // A hundred long runs would need several gigabytes, so the steps of all runs are counted too.
  void soManyStepsAreKeptAndNoMore() {
    ChartFixture fixture;
    std::vector<RunLibrary::Bound> dropped;
    QObject::connect(&fixture.library, &RunLibrary::dropped,
                     [&](const QString&, RunLibrary::Bound bound) { dropped.push_back(bound); });
    const auto quarter = madeUpMetrics(static_cast<std::int64_t>(RunLibrary::kMostSteps / 4));  // shared by all
    const int noted = fixture.add(quarter), named = fixture.add(quarter, QStringLiteral("Monday"));
    const int plain = fixture.add(quarter), last = fixture.add(quarter);
    fixture.library.annotate(noted, QStringLiteral("the good one"));
    QVERIFY(dropped.empty());
    // The next run, however short, is one too many steps.
    const int shortRun = fixture.add(madeUpMetrics(1));
    QCOMPARE(dropped, std::vector{RunLibrary::Bound::Steps});
    QVERIFY(fixture.library.find(plain) == nullptr);
    for (const int id : {noted, named, last, shortRun}) QVERIFY(fixture.library.find(id) != nullptr);
    const int other = fixture.add(quarter), tiny = fixture.add(madeUpMetrics(1));
    QCOMPARE(dropped.size(), std::size_t{2});
    QVERIFY(fixture.library.find(last) == nullptr);
    // As many runs make room as are necessary, and no others.
    const int newest = fixture.add(quarter);
    QCOMPARE(dropped, std::vector(4, RunLibrary::Bound::Steps));
    for (const int id : {shortRun, other}) QVERIFY(fixture.library.find(id) == nullptr);
    for (const int id : {noted, named, tiny, newest}) QVERIFY(fixture.library.find(id) != nullptr);
  }

  void recordingsJoinTheRuns() {
    ChartFixture fixture;
    RunRecord record;
    record.header.config = configToJson(resolve(smallRun()));
    record.header.program = "0.0.9";
    record.header.name = "an old one";
    const auto metrics = madeUpMetrics(6);
    for (const StepMetric& step : metrics->steps) record.metrics.emplace_back(step);
    record.metrics.emplace_back(EvalMetric{6, 0.4, 0.8});
    const KeptRun& run =
        *fixture.library.find(fixture.library.add(RunLibrary::keptFrom(record, QStringLiteral("x.run"))));
    QCOMPARE(run.name, QStringLiteral("an old one"));
    QCOMPARE(run.version, QStringLiteral("0.0.9"));
    QCOMPARE(run.metrics->steps.size(), std::size_t{6});
    QCOMPARE(run.metrics->evaluations.size(), std::size_t{1});
    QCOMPARE(run.resolved.seed, std::int64_t{1});
    // Times of an older time model are marked as such, and no others.
    const auto clockOf = [&fixture](int id) {
      const RunTable table(fixture.library);
      for (int row = 0; row < table.rowCount(); ++row)
        if (table.idAt(row) == id)
          for (int column = 0; column < table.columnCount(); ++column)
            if (table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() == QStringLiteral("Clock"))
              return table.index(row, column).data().toString();
      return QString();
    };
    QVERIFY2(!clockOf(run.id).contains(QStringLiteral("older")), qPrintable(clockOf(run.id)));
    record.header.clock = TimeSource::Modelled;
    record.header.timeModel = kTimeModel - 1;
    QCOMPARE(clockOf(fixture.library.add(RunLibrary::keptFrom(record, QStringLiteral("old.run")))),
             QStringLiteral("modelled, older model"));
  }

  // In the window: two runs, a name by F2, a note by the menu, a baseline, a repeat by double click, a deletion.
  void journey() {
    RunController controller;
    MainWindow window(controller);
    window.resize(1280, 800);
    window.workspaces().choose(WindowLayout::Profile);
    window.panels().openTab(QStringLiteral("runsTab"));
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, kPatienceMs));
    const auto finish = [&] {
      // The playback clock stops a run that starts after its first step.
      return QTest::qWaitFor(
          [&] {
            if (controller.state() == RunState::Paused) controller.play();
            return controller.state() == RunState::Finished;
          },
          kPatienceMs);
    };
    window.experiment().begin(smallRun());
    QVERIFY(finish());
    window.experiment().set(QStringLiteral("replicas"), QStringLiteral("4"));
    QVERIFY(finish());
    RunLibrary& library = window.library();
    QCOMPARE(library.runs().size(), std::size_t{2});
    const int first = library.runs()[0].id, second = library.runs()[1].id;
    QCOMPARE(library.runs()[0].state, RunState::Finished);
    QCOMPARE(library.runs()[0].metrics->steps.size(), std::size_t{4});
    QVERIFY(library.runs()[0].header.has_value());

    auto& view = *window.findChild<QTableView*>(QStringLiteral("runsView"));
    auto& table = static_cast<RunTable&>(*view.model());
    const auto centre = [&](int row, int column) { return view.visualRect(table.index(row, column)).center(); };
    QTRY_VERIFY_WITH_TIMEOUT(view.visualRect(table.index(1, 1)).isValid(), kPatienceMs);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, centre(1, 1));
    const auto menu = [&](int row, const char* act) {
      Q_EMIT view.customContextMenuRequested(centre(row, 1));
      auto* open = view.findChild<QMenu*>();
      QVERIFY(open != nullptr && open->isVisible());
      auto* action = open->findChild<QAction*>(QLatin1String(act));
      QVERIFY(action != nullptr);
      QTest::mouseClick(open, Qt::LeftButton, {}, open->actionGeometry(action).center());
      QTRY_VERIFY_WITH_TIMEOUT(view.findChild<QMenu*>() == nullptr, kPatienceMs);
    };
    menu(1, "noteRun");
    auto* ask = window.findChild<QInputDialog*>(QStringLiteral("ask"));
    QVERIFY(ask != nullptr);
    ask->setTextValue(QStringLiteral("the first of all"));
    ask->accept();
    QCOMPARE(library.find(first)->note, QStringLiteral("the first of all"));
    menu(1, "baselineRun");
    QCOMPARE(library.baselineId(), first);
    QVERIFY(table.index(0, table.columnOf(Column::Loss)).data().toString().contains(QLatin1Char('(')));
    menu(1, "hideRun");
    QVERIFY(!library.find(first)->shown);

    // A repeated run has the same configuration and seed, and therefore the same numbers.
    const double loss = library.find(first)->metrics->steps.back().loss;
    menu(1, "repeatRun");
    QVERIFY(finish());
    QCOMPARE(library.runs().size(), std::size_t{3});
    QCOMPARE(library.runs()[2].metrics->steps.back().loss, loss);
    QCOMPARE(library.presentId(), library.runs()[2].id);
    QVERIFY(!library.canRemove(library.presentId()));
    // The run is compared with the run on the stage, in the workspace for comparisons.
    QVERIFY(!library.canCompare(library.presentId()) && library.canCompare(second));
    menu(1, "compareRun");
    QCOMPARE(window.workspaces().current(), WindowLayout::Compare);
    QVERIFY(window.centre().comparison() != nullptr);
    QCOMPARE(window.centre().comparison()->lanes().count(), 2U);
    QCOMPARE(window.centre().comparison()->lanes().at(1).name(), library.nameOf(second));
    window.centre().comparison()->lanes().remove(1);
    window.workspaces().choose(WindowLayout::Profile);
    menu(1, "removeRun");
    QVERIFY(library.find(second) == nullptr);
    // Several runs are deleted at once, but the run on the stage stays.
    window.experiment().set(QStringLiteral("learning-rate"), QStringLiteral("0.01"));
    QVERIFY(finish());
    QCOMPARE(library.runs().size(), std::size_t{3});
    view.selectAll();
    Q_EMIT view.customContextMenuRequested(centre(1, 1));
    auto* several = view.findChild<QMenu*>();
    QVERIFY(several != nullptr);
    QCOMPARE(several->findChild<QAction*>(QStringLiteral("removeRun"))->text().remove(QLatin1Char('&')),
             QStringLiteral("Delete 2 runs"));
    several->close();
    QTRY_VERIFY_WITH_TIMEOUT(view.findChild<QMenu*>() == nullptr, kPatienceMs);
    for (QAction* action : view.actions())  // the Delete key's action, whose shortcut would need the window in front
      if (action->shortcut() == QKeySequence(QKeySequence::Delete)) action->trigger();
    QCOMPARE(library.runs().size(), std::size_t{1});
    QCOMPARE(library.presentId(), library.runs()[0].id);
  }
};

QTEST_MAIN(TestRuns)
#include "tst_runs.moc"
