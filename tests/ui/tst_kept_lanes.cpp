// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes and branches are kept: in a saved file, among the kept runs, in the session and its remains after a crash, and
// in tables of values. When opened again, they are the same to the bit.
#include <QAction>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/files/lineage_json.h"
#include "core/files/metrics_csv.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "tests/support/patience.h"
#include "tests/support/records.h"
#include "tests/ui/quit_anyway.h"
#include "tests/ui/read_recordings.h"
#include "tests/ui/small_config.h"
#include "ui/branches/branches.h"
#include "ui/charts/chart_export.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/report_button.h"
#include "ui/files/run_journal.h"
#include "ui/lanes/unequal.h"
#include "ui/runview/run_summary.h"
#include "ui/session/workbench.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

constexpr std::int64_t kFork = 4;
using Of = BranchOffer::Of;
using test::difference;

RunSettings parentConfig(const char* strategy = "mirrored") {
  RunSettings config = test::runOf(strategy);
  config.trainExamples = 96;  // evaluated every three steps, so the branches have an evaluation in their past
  config.evalEvery = 3;
  config.batchPerReplica = 4;
  config.replicas = 2;
  config.epochs = 3;
  return config;
}

struct Desk {
  QSettings settings;
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};

  explicit Desk(const QTemporaryDir& folder)
      : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat) {
    window.resize(1280, 720);
  }
  void show() {
    window.show();
    (void)QTest::qWaitForWindowExposed(&window);
  }
  // Quits and confirms that unsaved work may be lost.
  bool quit() { return test::quitAnyway(window, kPatienceMs); }
  CompareView& compare() {
    window.workspaces().choose(WindowLayout::Compare);
    return *window.centre().comparison();
  }
  Playback& playback() { return window.playback(); }
  bool settle() {
    return QTest::qWaitFor(
        [this] {
          return window.centre().comparison() != nullptr
                     ? window.centre().comparison()->lanes().lockstep().isSettled()
                     : playback().record() && playback().isSettled() && controller.isAtRest();
        },
        kPatienceMs);
  }
  bool goTo(std::int64_t step) {
    if (!settle()) return false;
    playback().goTo(step);
    return settle() && playback().step() == step;
  }
  bool add(const std::vector<BranchOffer>& offers, Of of, std::size_t nth) {
    for (const BranchOffer& offer : offers)
      if (offer.of == of && nth-- == 0 && offer.refusal.isEmpty()) {
        compare().lanes().add(offer.wish);
        return settle();
      }
    return false;
  }
  bool said(const QString& words) const {
    const auto labels = window.findChildren<QLabel*>(QStringLiteral("banner"));
    return std::ranges::any_of(
        labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
  }
  QToolButton* remedy() const {
    for (auto* button : window.findChildren<QToolButton*>(QStringLiteral("remedy")))
      if (button->isVisible()) return button;
    return nullptr;
  }
};

// Returns what a run reported, except the wall time that this program took.
QByteArray report(const RunMetrics& metrics, std::int64_t last) {
  QByteArray text;
  for (const StepMetric& step : metrics.steps)
    if (step.step <= last)
      text += QByteArray::number(step.step) + ' ' + QByteArray::number(step.loss, 'g', 17) + ' ' +
              QByteArray::number(step.stepNs) + ' ' + QByteArray::number(step.examples) + '\n';
  for (const EvalMetric& eval : metrics.evaluations)
    if (eval.step <= last)
      text += "eval " + QByteArray::number(eval.step) + ' ' + QByteArray::number(eval.testLoss, 'g', 17) + '\n';
  return text;
}

const KeptRun* branchIn(const RunLibrary& library) {
  const auto found = std::ranges::find_if(library.runs(), [](const KeptRun& run) { return !lineageOf(run).empty(); });
  return found == library.runs().end() ? nullptr : &*found;
}

}  // namespace

class TestKeptLanes : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aSavedBranchReplaysToTheBit_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<int>("of");
    QTest::addColumn<int>("nth");
    QTest::newRow("rate") << "mirrored" << static_cast<int>(Of::LearningRate) << 3;
    QTest::newRow("strategy") << "mirrored" << static_cast<int>(Of::Strategy) << 0;
    QTest::newRow("nothing") << "central-storage" << static_cast<int>(Of::Nothing) << 0;
    QTest::newRow("server's rate") << "parameter-server" << static_cast<int>(Of::LearningRate) << 0;
    QTest::newRow("weight") << "mirrored" << static_cast<int>(Of::Edit) << 0;
    QTest::newRow("value") << "mirrored" << static_cast<int>(Of::Edit) << 3;
  }
  void aSavedBranchReplaysToTheBit() {
    QFETCH(QString, strategy);
    QFETCH(int, of);
    QFETCH(int, nth);
    const QTemporaryDir folder, other;
    const QString file = folder.filePath(QStringLiteral("branch.slab"));
    const std::vector<std::int64_t> steps{kFork, kFork + 3, kFork + 1};
    std::vector<std::shared_ptr<const StepRecord>> records, parents;
    QByteArray reported;
    QString name, said;
    {
      Desk desk(folder);
      desk.show();
      desk.window.experiment().begin(parentConfig(qPrintable(strategy)));
      Lanes& lanes = desk.compare().lanes();
      QVERIFY(desk.goTo(kFork));
      const Object weights{Object::Kind::Weights, 1, -1};
      QVERIFY(desk.add(static_cast<Of>(of) == Of::Edit ? editOffers(lanes.at(0), weights, QStringLiteral("base"))
                                                       : branchOffers(lanes.at(0), QStringLiteral("base")),
                       static_cast<Of>(of), static_cast<std::size_t>(nth)));
      for (const std::int64_t step : steps) {
        QVERIFY(desk.goTo(step));
        records.push_back(lanes.at(1).playback().record());
        parents.push_back(desk.playback().record());
      }
      reported = report(*lanes.at(1).controller().metrics(), kFork + 3);
      name = lanes.at(1).name();
      said = unequalWords(lanes.at(1), lanes.at(0)).join(QLatin1Char(' '));
      QVERIFY(desk.bench.document().saveAs(file));
      QVERIFY(!desk.bench.document().isModified());
    }
    Desk desk(other);
    desk.show();
    QVERIFY(desk.bench.files().open(file));
    // Opening a file does not rearrange the window; the lanes are a click away.
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Teach);
    QVERIFY(desk.said(QStringLiteral("1 lane")));
    QTest::mouseClick(desk.remedy(), Qt::LeftButton);
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Compare);
    Lanes& lanes = desk.compare().lanes();
    QCOMPARE(lanes.count(), std::size_t{2});
    QVERIFY(!desk.bench.document().isModified());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      QVERIFY(desk.goTo(steps[i]));
      QCOMPARE(lanes.at(1).playback().step(), steps[i]);
      QCOMPARE(difference(*parents[i], *desk.playback().record()), QString());
      QCOMPARE(difference(*records[i], *lanes.at(1).playback().record()), QString());
    }
    // The branch's report includes the steps that it shares with its parent.
    QCOMPARE(report(*lanes.at(1).controller().metrics(), kFork + 3), reported);
    QVERIFY(reported.startsWith("1 "));
    QCOMPARE(lanes.at(1).name(), name);
    QCOMPARE(unequalWords(lanes.at(1), lanes.at(0)).join(QLatin1Char(' ')), said);
    QCOMPARE(name.endsWith(QStringLiteral("(edited)")), static_cast<Of>(of) == Of::Edit);
    // In step by images, the branch is where it was: its images count from its parent's first step.
    lanes.setBy(InStepBy::Images);
    QVERIFY(desk.goTo(kFork + 3));
    QCOMPARE(lanes.at(1).playback().step(), kFork + 3);
  }

  // Waiting for a branch of a late step is explained: the preparation counts the parent's steps.
  void theParentsStepsAreCounted() {
    RunController parent, branch;
    parent.start(parentConfig(), true);
    QVERIFY(QTest::qWaitFor([&] { return parent.info() != nullptr; }, kPatienceMs));
    RunController::Start from;
    from.origin.lineage.push_back({"base", parent.info()->config.asked(), 9, std::nullopt, std::nullopt});
    Preparation last;
    connect(&branch, &RunController::updated, &branch, [&] {
      if (branch.reports().preparation().total == 8) last = branch.reports().preparation();
    });
    branch.start(parentConfig(), true, from);
    QVERIFY(QTest::qWaitFor([&] { return branch.info() != nullptr; }, kPatienceMs));
    QCOMPARE(branch.metrics()->steps.size(), std::size_t{8});
    QCOMPARE(preparationWords({Preparation::Part::Step, 3, 8}),
             QStringLiteral("Training the parent once more: step 4 of 8"));
    QVERIFY(last.total == 0 || last.part == Preparation::Part::Step);  // the reports may have come between two frames
  }

  // The window's own run is the branch, and its parent is the lane.
  void aFaultsRunStandsBesideItsParent() {
    const QTemporaryDir folder, other;
    const QString file = folder.filePath(QStringLiteral("fault.slab"));
    RunSettings config = parentConfig("multi-worker-mirrored");
    config.hosts = 2;
    std::shared_ptr<const StepRecord> was;
    {
      Desk desk(folder);
      desk.show();
      desk.window.experiment().begin(config);
      QVERIFY(desk.goTo(kFork));
      const auto offers = faultOffers(desk.controller, desk.playback(), QStringLiteral("base"));
      QVERIFY(!offers.empty() && offers.front().refusal.isEmpty());
      desk.window.experiment().branch(offers.front().from);
      QVERIFY(desk.goTo(kFork));
      was = desk.playback().record();
      QVERIFY(was->metric.aborted);
      QVERIFY(desk.bench.document().saveAs(file));
    }
    Desk desk(other);
    desk.show();
    QVERIFY(desk.bench.files().open(file));
    QVERIFY(desk.said(QStringLiteral("holds a branch (branch of 'base' from step 4")));
    QVERIFY(!desk.bench.document().isModified());
    Lanes& lanes = desk.compare().lanes();
    QVERIFY(!desk.said(QStringLiteral("holds a branch (branch of 'base' from step 4")));  // the lanes are shown now
    QVERIFY(desk.goTo(kFork));
    QCOMPARE(difference(*was, *desk.playback().record()), QString());
    QVERIFY(hasFault(desk.window.experiment().lineage()));
    QVERIFY(desk.window.library().nameOf(desk.window.library().presentId()).endsWith(QStringLiteral("(fault)")));
    QCOMPARE(lanes.count(), std::size_t{2});
    QCOMPARE(lanes.at(1).name(), QStringLiteral("base"));
    // Another run is not the one in the file, so the offer of the file's lanes disappears.
    Desk again(other);
    again.show();
    QVERIFY(again.bench.files().open(file));
    QVERIFY(again.said(QStringLiteral("holds a branch")));
    again.window.experiment().set(QStringLiteral("seed"), QStringLiteral("9"));
    QVERIFY(!again.said(QStringLiteral("holds a branch")));
    QVERIFY(lanes.at(1).lineage().empty());
    QVERIFY(!lanes.at(1).playback().record()->metric.aborted);
    QVERIFY(lanes.at(0).name().endsWith(QStringLiteral("(fault)")));
    // A changed setting makes another run, which is no branch.
    desk.window.experiment().set(QStringLiteral("learning-rate"), QStringLiteral("0.01"));
    QVERIFY(desk.window.experiment().lineage().empty() && desk.bench.document().isModified());
  }

  void aComparisonSurvivesClosing() {
    const QTemporaryDir folder, kept;
    nlohmann::json before;
    {
      Desk desk(folder);
      desk.bench.session().keep(kept.path());
      desk.show();
      desk.window.experiment().begin(parentConfig());
      CompareView& view = desk.compare();
      QVERIFY(desk.goTo(kFork));
      view.compareWith(strategyInfo(StrategyKind::CentralStorage));
      QVERIFY(desk.add(branchOffers(view.lanes().at(0), QStringLiteral("base")), Of::LearningRate, 3));
      view.compareWith(strategyInfo(StrategyKind::ParameterServer));
      view.lanes().setBaseline(2);
      view.lanes().setBy(InStepBy::Images);
      QVERIFY(desk.settle());
      before = view.comparison();
      QCOMPARE(before.at("lanes").size(), std::size_t{3});
      QVERIFY(desk.quit());
    }
    Desk desk(folder);
    desk.bench.session().restoreWindow();
    desk.bench.session().keep(kept.path());
    QVERIFY(desk.bench.session().restore());
    desk.show();
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Compare);
    QVERIFY(desk.settle());
    CompareView& view = *desk.window.centre().comparison();
    QVERIFY2(view.comparison() == before, view.comparison().dump().c_str());
    QCOMPARE(view.lanes().baseline(), std::size_t{2});
    // A closed lane is no longer kept, and with the last one the comparison goes. All of this can be undone.
    while (view.lanes().count() > 1) view.lanes().remove(1);
    QVERIFY(desk.bench.document().other("comparison") == nullptr);
    while (desk.bench.undo().stack().canUndo()) desk.bench.undo().stack().undo();
    QCOMPARE(view.lanes().count(), std::size_t{4});
    QVERIFY(*desk.bench.document().other("comparison") == view.comparison());
    desk.bench.undo().stack().redo();
    QCOMPARE(view.lanes().count(), std::size_t{3});
  }

  // Undoing one lane leaves the other lanes, and what they have trained, alone.
  void lanesThatStayAreNotTrainedAgain() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.show();
    desk.window.experiment().begin(parentConfig());
    CompareView& view = desk.compare();
    view.compareWith(strategyInfo(StrategyKind::CentralStorage));
    view.compareWith(strategyInfo(StrategyKind::OneDevice));
    QVERIFY(desk.settle());
    const Lane* first = &view.lanes().at(1);
    const auto run = first->controller().metrics();
    view.compareWith(strategyInfo(StrategyKind::ParameterServer));
    QUndoStack& stack = desk.bench.undo().stack();
    stack.undo();
    QCOMPARE(view.lanes().count(), std::size_t{3});
    QVERIFY(&view.lanes().at(1) == first && first->controller().metrics() == run);
    view.lanes().remove(1);
    const Lane* last = &view.lanes().at(1);
    QCOMPARE(last->wish().strategy->kind, StrategyKind::OneDevice);
    stack.undo();
    QCOMPARE(view.lanes().count(), std::size_t{3});
    QCOMPARE(view.lanes().at(1).wish().strategy->kind, StrategyKind::CentralStorage);
    stack.redo();
    QCOMPARE(view.lanes().count(), std::size_t{2});
    QCOMPARE(view.lanes().at(1).wish().strategy->kind, StrategyKind::OneDevice);
  }

  void whatIsOpenedTakesThePlaceOfTheLanes() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.show();
    desk.window.experiment().begin(parentConfig());
    const QString plain = folder.filePath(QStringLiteral("plain.slab"));
    QVERIFY(desk.bench.document().saveAs(plain));
    CompareView& view = desk.compare();
    view.compareWith(strategyInfo(StrategyKind::CentralStorage));
    QVERIFY(desk.bench.document().isModified());
    QVERIFY(desk.bench.document().saveAs(folder.filePath(QStringLiteral("lanes.slab"))));
    QVERIFY(desk.bench.files().open(plain));
    QCOMPARE(view.lanes().count(), std::size_t{1});
    QVERIFY(!desk.bench.document().isModified());
    QVERIFY(desk.bench.files().open(folder.filePath(QStringLiteral("lanes.slab"))));
    QCOMPARE(view.lanes().count(), std::size_t{2});
    // What a newer version wrote into the file is kept.
    nlohmann::json newer{{"version", 2}, {"lanes", "of another kind"}};
    desk.bench.document().setOther("comparison", newer);
    const QString strange = folder.filePath(QStringLiteral("strange.slab"));
    QVERIFY(desk.bench.document().saveAs(strange));
    QVERIFY(desk.bench.files().open(strange));
    QVERIFY(desk.said(QStringLiteral("comparison")));
    desk.window.experiment().set(QStringLiteral("learning-rate"), QStringLiteral("0.01"));
    QVERIFY(*desk.bench.document().other("comparison") == newer);
  }

  // A file from another machine: the lane whose network is not here says so, and the others stand beside the run.
  void aLaneThatCannotRunHereLeavesTheOthers() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("lanes.slab"));
    const nlohmann::json elsewhere{{"config", {{"network", "elsewhere"}}}, {"name", "the other machine's"}};
    Desk desk(folder);
    desk.show();
    desk.window.experiment().begin(parentConfig());
    desk.bench.document().setOther(
        "comparison", {{"version", 1}, {"lanes", {elsewhere, nlohmann::json{{"strategy", "central-storage"}}}}});
    QVERIFY(desk.bench.document().saveAs(path));
    CompareView& view = desk.compare();
    QVERIFY(desk.bench.files().open(path));
    QCOMPARE(view.lanes().count(), std::size_t{3});
    QVERIFY(view.lanes().at(1).refusal().contains(QStringLiteral("elsewhere")));
    QVERIFY(view.lanes().at(2).refusal().isEmpty());
    // Another lane is added to those of the file and does not take their place.
    view.compareWith(strategyInfo(StrategyKind::OneDevice));
    const nlohmann::json& lanes = desk.bench.document().other("comparison")->at("lanes");
    QCOMPARE(lanes.size(), std::size_t{3});
    QCOMPARE(lanes.at(0).at("config").at("network").get<std::string>(), std::string("elsewhere"));
  }

  void branchesAreAmongTheRuns() {
    const QTemporaryDir folder, other;
    const QString file = folder.filePath(QStringLiteral("edited.slab")), run = folder.filePath(QStringLiteral("a.run"));
    {
      Desk desk(folder);
      desk.show();
      desk.window.experiment().begin(parentConfig());
      Lanes& lanes = desk.compare().lanes();
      QVERIFY(desk.goTo(kFork));
      QVERIFY(desk.add(editOffers(lanes.at(0), {Object::Kind::Weights, 1, -1}, QStringLiteral("base")), Of::Edit, 3));
      QVERIFY(desk.goTo(kFork + 2));
      RunLibrary& library = desk.window.library();
      const KeptRun* branch = branchIn(library);
      QVERIFY(branch != nullptr && library.beside().has(branch->id));
      QCOMPARE(branch->metrics, lanes.at(1).controller().metrics());
      const QString name = library.nameOf(*branch);
      QVERIFY2(name.endsWith(QStringLiteral("from step 4 (edited)")), qPrintable(name));
      // The tables of values contain the branch with all its steps, under a name that marks it as a branch.
      QVERIFY2(desk.window.runTable().csv().find(name.toStdString()) != std::string::npos,
               desk.window.runTable().csv().c_str());
      QVERIFY(desk.window.runTable().csv().find("branch of 'base' from step 4; weight") != std::string::npos);
      const std::string csv = metricsCsv(std::vector{CsvRun{name.toStdString(), metricsOf(*branch)}});
      QCOMPARE(std::count(csv.begin(), csv.end(), '\n'),
               static_cast<std::ptrdiff_t>(1 + branch->metrics->steps.size() + branch->metrics->evaluations.size()));
      const std::vector<CsvRun> read = parseMetricsCsv(csv, "csv");
      const auto& shown = lanes.at(1).playback().record()->metric;
      QVERIFY(std::ranges::any_of(read.front().metrics, [&](const Metric& metric) {
        const auto* step = std::get_if<StepMetric>(&metric);
        return step != nullptr && step->step == shown.step && step->loss == shown.loss && step->stepNs == shown.stepNs;
      }));
      // The report marks the branch as well, and says what was changed.
      desk.compare().report().write(folder.filePath(QStringLiteral("report.html")));
      QFile html(folder.filePath(QStringLiteral("report.html")));
      QVERIFY(html.open(QIODevice::ReadOnly));
      const QString report = QString::fromUtf8(html.readAll());
      QVERIFY(report.contains(QStringLiteral("<th>%1</th>").arg(lanes.at(1).name())));
      QVERIFY(report.contains(QStringLiteral("of replica 1 changed by hand in step 4: ") + lanes.at(1).wish().change));
      QCOMPARE(report.count(QStringLiteral("import tensorflow as tf")), 1);  // one program for both lanes
      // A lane is not offered as a run to put beside the lanes; a closed lane is.
      QMenu with;
      desk.compare().fillChooser(with);
      const auto offers = [](const QMenu& menu, const QString& text) {
        return std::ranges::any_of(menu.actions(), [&](const QAction* action) { return action->text() == text; });
      };
      QVERIFY(!offers(with, name));
      RunFiles::write(*branch, name, run);
      QVERIFY(desk.bench.document().saveAs(file));
      const int id = branch->id;
      lanes.remove(1);
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
      QVERIFY(library.find(id) != nullptr && !library.beside().has(id));
      QMenu without;
      desk.compare().fillChooser(without);
      QVERIFY(offers(without, name));
    }
    const RunRecord record = readRunFile(run.toStdString());
    QCOMPARE(record.header.lineage.size(), std::size_t{1});
    QVERIFY(record.header.lineage.back().edit.has_value());
    // The branch is read from a file, and the other file's comparison trains it again: it is still one run.
    Desk desk(other);
    desk.show();
    RunLibrary& library = desk.window.library();
    QVERIFY(desk.bench.files().open(run) && test::hasRead(desk.bench.document()));
    const auto branches = [&] {
      return std::ranges::count_if(library.runs(), [](const KeptRun& one) { return !lineageOf(one).empty(); });
    };
    QCOMPARE(branches(), 1);
    const int read = branchIn(library)->id;
    library.annotate(read, QStringLiteral("mine"));
    QVERIFY(desk.bench.files().open(file));
    (void)desk.compare();
    QVERIFY(desk.goTo(kFork));
    QCOMPARE(branches(), 1);
    QVERIFY(library.find(read) != nullptr);  // the branch from the file has more steps
    QVERIFY(desk.goTo(kFork + 4));
    QCOMPARE(branches(), 1);
    QVERIFY(library.find(read) == nullptr);
    QCOMPARE(branchIn(library)->note, QStringLiteral("mine"));
  }

  // Beside the run on the stage or in its place, a kept branch never becomes a run of its settings from step 1.
  void aKeptBranchStaysThatBranch() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.show();
    desk.window.experiment().begin(parentConfig());
    CompareView& view = desk.compare();
    QVERIFY(desk.goTo(kFork));
    QVERIFY(desk.add(branchOffers(view.lanes().at(0), QStringLiteral("base")), Of::LearningRate, 3));
    QVERIFY(desk.goTo(kFork + 2));
    const auto was = view.lanes().at(1).playback().record();
    RunLibrary& library = desk.window.library();
    const int id = branchIn(library)->id;
    view.lanes().remove(1);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    library.compare(id);
    QVERIFY(desk.goTo(kFork + 2));
    QCOMPARE(view.lanes().count(), std::size_t{2});
    QCOMPARE(difference(*was, *view.lanes().at(1).playback().record()), QString());
    QVERIFY(unequalWords(view.lanes().at(1), view.lanes().at(0))
                .join(QLatin1Char(' '))
                .contains(QStringLiteral("Branch of 'base' from step 4")));
    view.lanes().remove(1);
    library.repeat(branchIn(library)->id);
    QVERIFY(desk.goTo(kFork + 2));
    QCOMPARE(difference(*was, *desk.playback().record()), QString());
  }

  // After a crash, only the journal is left.
  void aJournalKeepsWhereABranchComesFrom() {
    const QTemporaryDir folder;
    KeptRun run;
    run.resolved = withoutOutputs(resolve(parentConfig("multi-worker-mirrored")));
    run.asked = run.resolved.asked();
    run.metrics = std::make_shared<const RunMetrics>();
    run.header.emplace();
    RunBranch branch{"base", run.asked, 3, RunEdit{}, RunFault{3, RunFault::Task::Worker, 1, RunFault::What::Kill}};
    branch.edit->step = 3;
    branch.edit->value = 0.25F;
    run.header->lineage.push_back(branch);
    JournalPart part{folder.filePath(QStringLiteral("run.jsonl")).toStdString(), journalHead(run), {}};
    append(part);
    std::optional<Journal> read = readJournal(part.path);
    QVERIFY(read && read->run.header);
    QVERIFY(lineageToJson(read->run.header->lineage) == lineageToJson(run.header->lineage));
    RunController controller;
    Experiment experiment{controller};
    RunLibrary library{controller, experiment};
    const int id = library.add(std::move(read->run));
    QVERIFY2(library.nameOf(id).endsWith(QStringLiteral("from step 3 (edited) (fault)")),
             qPrintable(library.nameOf(id)));
  }

  void textsOfTheGuideOpenLanes() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.show();
    desk.window.experiment().begin(parentConfig());
    (void)desk.compare();
    desk.window.workspaces().choose(WindowLayout::Teach);
    WindowView view(desk.window);
    std::vector<LineProblem> problems;
    const std::vector<Block> blocks = parseBlocks(
        "[moment]\nsettings: strategy=mirrored&replicas=2&dataset=digits&train-examples=64&batch-per-replica=4\nstep: "
        "2\n"
        "compare: central-storage, parameter-server\n",
        problems);
    Block block = blocks.front();
    const Moment moment = readMoment(block, problems);
    QVERIFY(problems.empty());
    QCOMPARE(moment.compare.size(), std::size_t{2});
    QVERIFY(QString::fromStdString(momentText(moment))
                .contains(QStringLiteral("compare: central-storage, parameter-server\n")));
    QSignalSpy arrived(&view, &WindowView::arrived);
    view.show(moment);
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Compare);
    QTRY_COMPARE_WITH_TIMEOUT(arrived.count(), 1, kPatienceMs);
    const Lanes& lanes = desk.window.centre().comparison()->lanes();
    QCOMPARE(lanes.count(), std::size_t{3});
    QCOMPARE(lanes.at(2).wish().strategy, &strategyInfo(StrategyKind::ParameterServer));
    QVERIFY(desk.settle());
    QCOMPARE(desk.playback().step(), 2);
    const auto* same = &lanes.at(1);
    view.show(moment);  // the lanes are there already
    QCOMPARE(&lanes.at(1), same);
  }
};

QTEST_MAIN(TestKeptLanes)
#include "tst_kept_lanes.moc"
