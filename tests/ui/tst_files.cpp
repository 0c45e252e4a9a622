// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments and recordings through the window's own parts: they are saved and opened again, or refused with a
// sentence and without loss; single settings are undone by name; a session ends as it should.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "chart_fixture.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/files/experiment_file.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "tests/support/patience.h"
#include "tests/ui/read_recordings.h"
#include "tests/ui/small_config.h"
#include "ui/charts/chart_export.h"
#include "ui/files/document.h"
#include "ui/files/run_journal.h"
#include "ui/files/session.h"
#include "ui/files/settings_undo.h"
#include "ui/setup/fit.h"

using namespace lab;
using lab::test::madeUpMetrics;

namespace {

struct Desk : test::ChartFixture {
  QTemporaryDir folder;
  Document document{experiment, library};
  QSignalSpy said{&document, &Document::said};

  Desk() {
    RunSettings config = test::smallConfig();
    config.steps = 3;
    experiment.begin(config);
  }
  QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }
  void set(const char* name, const char* value) { experiment.set(QLatin1String(name), QLatin1String(value)); }
  void write(const char* name, const QByteArray& content) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }
  QString lastSaid() const { return said.isEmpty() ? QString() : said.last()[0].toString(); }
  qsizetype recordings() const {  // among the runs
    return std::ranges::count_if(library.runs(), [](const KeptRun& run) { return !run.source.isEmpty(); });
  }
  bool lastFailed() const { return !said.isEmpty() && said.last()[1].toBool(); }
};

}  // namespace

class TestFiles : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void savedAndOpenedAgain() {
    Desk desk;
    desk.set("replicas", "4");
    QVERIFY(desk.document.isModified());
    QVERIFY(desk.document.saveAs(desk.path("a.slab")));
    QVERIFY(!desk.document.isModified());
    QCOMPARE(desk.document.title(), QStringLiteral("a.slab"));
    desk.set("replicas", "3");
    QVERIFY(desk.document.isModified());
    QVERIFY(desk.document.open(desk.path("a.slab")));
    QCOMPARE(desk.experiment.resolved().replicas, std::optional<std::int64_t>(4));
    QVERIFY(!desk.document.isModified());
  }

  // "strategylab a.slab" names the file of that folder, wherever the session is opened again.
  void aFileIsTheSameFromAnyFolder() {
    Desk desk;
    const QString before = QDir::currentPath(), path = QDir(desk.folder.path()).canonicalPath();
    QVERIFY(desk.document.saveAs(desk.path("a.slab")));
    QVERIFY(QDir::setCurrent(path));
    const bool opened = desk.document.open(QStringLiteral("a.slab"));
    QVERIFY(QDir::setCurrent(before));
    QVERIFY(opened);
    QCOMPARE(desk.document.path(), path + QStringLiteral("/a.slab"));
    desk.set("replicas", "4");
    QVERIFY(desk.document.save());
    QCOMPARE(readExperiment(desk.path("a.slab").toStdString()).config.replicas, std::optional<std::int64_t>(4));
    QVERIFY(!QFile::exists(QStringLiteral("a.slab")));
  }

  // Two windows, or a colleague, have the same file: what the other has saved is not replaced by the way.
  void aFileThatHasChangedElsewhereIsNotReplaced() {
    Desk desk, other;
    const QString path = desk.path("a.slab");
    QVERIFY(desk.document.saveAs(path));
    QVERIFY(other.document.open(path));
    other.set("replicas", "3");
    QVERIFY(other.document.save() && other.document.save());  // one's own saving is none by others
    desk.set("replicas", "4");
    QVERIFY(!desk.document.save());
    QVERIFY2(desk.lastFailed() && desk.lastSaid().contains(QStringLiteral("a.slab")), qPrintable(desk.lastSaid()));
    QVERIFY(desk.document.isModified());
    QCOMPARE(readExperiment(path.toStdString()).config.replicas, std::optional<std::int64_t>(3));
    QVERIFY(desk.document.saveAs(path));  // said explicitly
    QVERIFY(desk.document.save());
    QCOMPARE(readExperiment(path.toStdString()).config.replicas, std::optional<std::int64_t>(4));
    QVERIFY(QFile::remove(path));
    QVERIFY(desk.document.save());  // nothing is lost
  }

  void whatIsNotKnownSurvivesSaving() {
    Desk desk;
    desk.write(
        "b.slab",
        R"({"format":"strategylab-experiment","version":1,"later":5,"config":{"replicas":3,"dataset":"digits","soon":1}})");
    QVERIFY(desk.document.open(desk.path("b.slab")));
    QVERIFY(desk.lastSaid().contains(QStringLiteral("soon")));
    desk.set("replicas", "2");
    QVERIFY(desk.document.save());
    QFile file(desk.path("b.slab"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("\"later\": 5") && text.contains("\"soon\": 1") && text.contains("\"replicas\": 2"));
  }

  // The window's view is saved with the experiment, does not count as a modification, and is there when the file is
  // opened.
  void theViewIsSavedAndRead() {
    Desk desk;
    SavedView view;
    view.step = 3;
    view.layout = "explore";
    desk.document.setViewOf([&view] { return view; });
    QVERIFY(desk.document.saveAs(desk.path("a.slab")));
    view.step = 2;
    QVERIFY(!desk.document.isModified());
    QSignalSpy begun(&desk.document, &Document::begun);
    QVERIFY(desk.document.open(desk.path("a.slab")));
    QCOMPARE(begun.size(), 1);
    QVERIFY(desk.document.view().has_value());
    QCOMPARE(desk.document.view()->step, std::int64_t{3});
    QCOMPARE(desk.document.view()->layout, std::string("explore"));
    desk.document.begin();
    QVERIFY(!desk.document.view().has_value());
    // A file of an earlier version has no view.
    desk.write("old.slab", R"({"format":"strategylab-experiment","version":1,"config":{"dataset":"digits"}})");
    QVERIFY(desk.document.open(desk.path("old.slab")));
    QVERIFY(!desk.document.view().has_value());
  }

  void refusedWithASentenceAndNothingLost_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("words");
    QTest::newRow("not there") << QByteArray() << "Cannot open";
    QTest::newRow("text") << QByteArray("hello") << "x.slab";
    QTest::newRow("newer") << QByteArray(R"({"format":"strategylab-experiment","version":7,"config":{}})")
                           << "newer StrategyLab";
    QTest::newRow("cannot run")
        << QByteArray(
               R"({"format":"strategylab-experiment","version":1,"config":{"strategy":"one-device","replicas":5}})")
        << "OneDeviceStrategy";
    QTest::newRow("half a recording") << QByteArray("\x1f\x8b\x08\x00", 4) << "x.slab";
  }
  void refusedWithASentenceAndNothingLost() {
    QFETCH(QByteArray, content);
    QFETCH(QString, words);
    Desk desk;
    desk.set("replicas", "4");
    if (!content.isEmpty()) desk.write("x.slab", content);
    if (desk.document.open(desk.path("x.slab"))) QVERIFY(test::hasRead(desk.document));  // a recording, later
    QVERIFY(desk.lastFailed());
    QVERIFY2(desk.lastSaid().contains(words), qPrintable(desk.lastSaid()));
    QCOMPARE(desk.experiment.resolved().replicas, std::optional<std::int64_t>(4));
    QVERIFY(desk.document.path().isEmpty());
  }

  void aPlaceThatCannotBeWrittenToIsSaid() {
    Desk desk;
    QVERIFY(desk.document.saveAs(desk.path("a.slab")));
    desk.set("replicas", "4");
    QVERIFY(!desk.document.saveAs(desk.path("none/a.slab")));
    QVERIFY(desk.lastFailed() && desk.lastSaid().contains(QStringLiteral("none")));
    if (QFile::exists(QStringLiteral("/dev/full"))) {
      QVERIFY(!desk.document.saveAs(QStringLiteral("/dev/full")));
      QVERIFY2(desk.lastSaid().contains(QStringLiteral("No space left")), qPrintable(desk.lastSaid()));
    }
    QCOMPARE(desk.document.path(), desk.path("a.slab"));  // the document still has this file, and is still changed
    QVERIFY(desk.document.isModified());
  }

  void recordingsAreSavedAndOpened() {
    Desk desk;
    KeptRun run;
    run.resolved = resolve(teachingConfig());
    run.name = QStringLiteral("mine");
    run.note = QStringLiteral("a note");
    run.version = QStringLiteral("0.5");
    run.header.emplace();
    run.metrics = madeUpMetrics(40);
    const int id = desk.library.add(run);
    desk.document.runs().save(id, desk.path("r.run"));
    QTRY_VERIFY_WITH_TIMEOUT(!desk.said.isEmpty(), kPatienceMs);
    QVERIFY2(!desk.lastFailed(), qPrintable(desk.lastSaid()));
    QVERIFY(desk.document.open(desk.path("r.run")) && test::hasRead(desk.document));
    const auto& runs = desk.library.runs();
    const auto read =
        std::find_if(runs.begin(), runs.end(), [&](const KeptRun& r) { return r.source == desk.path("r.run"); });
    QVERIFY(read != runs.end());
    QCOMPARE(read->name, QStringLiteral("mine"));
    QCOMPARE(read->note, QStringLiteral("a note"));
    QCOMPARE(read->version, QStringLiteral("0.5"));
    QCOMPARE(metricsCsv(std::vector<CsvRun>{{"r", metricsOf(*read)}}),
             metricsCsv(std::vector<CsvRun>{{"r", metricsOf(run)}}));
    QCOMPARE(desk.library.presentId(), desk.library.runs().back().id);  // the present run stays the last
    desk.said.clear();
    desk.document.runs().save(id, desk.path("none/r.run"));
    QTRY_VERIFY_WITH_TIMEOUT(desk.lastFailed(), kPatienceMs);
  }

  // A thread of its own reads recordings, one after the other. Until one is whole, everything stays as it is.
  void recordingsAreReadBesideTheWindow() {
    Desk desk;
    QVERIFY(desk.document.saveAs(desk.path("a.slab")));
    KeptRun run;
    run.resolved = resolve(teachingConfig());
    run.header.emplace();
    run.metrics = madeUpMetrics(40);
    for (const char* name : {"one.run", "two.run"}) RunFiles::write(run, QLatin1String(name), desk.path(name));
    desk.write("broken.run", QByteArray::fromHex("1f8b") + "no gzip");
    QSignalSpy began(&desk.document.reader(), &FileReader::began), joined(&desk.document.runs(), &RunFiles::joined),
        opened(&desk.document, &Document::opened), failed(&desk.document, &Document::openFailed);
    desk.said.clear();
    for (const char* name : {"one.run", "broken.run", "two.run"}) QVERIFY(desk.document.open(desk.path(name)));
    QVERIFY(desk.document.reader().isReading());
    QCOMPARE(began.size(), 1);
    QCOMPARE(desk.recordings(), qsizetype{0});
    QVERIFY(desk.said.isEmpty());
    QVERIFY(test::hasRead(desk.document));
    QCOMPARE(began.size(), 3);
    QCOMPARE(joined.size(), 2);
    QCOMPARE(opened.size(), 2);
    QCOMPARE(opened.front().front().toString(), desk.path("one.run"));
    QCOMPARE(opened.back().front().toString(), desk.path("two.run"));
    QCOMPARE(failed.size(), 1);
    QCOMPARE(failed.front().front().toString(), desk.path("broken.run"));
    QCOMPARE(desk.recordings(), qsizetype{2});
    QCOMPARE(desk.said.size(), 3);
    QVERIFY(desk.said[1][1].toBool());
    QVERIFY2(desk.said[1][0].toString().contains(QStringLiteral("broken.run")), qPrintable(desk.lastSaid()));
    QCOMPARE(desk.document.path(), desk.path("a.slab"));
  }

  // The same for tables, ours and others: nothing comes of those that are cancelled, not even a message.
  void tablesAreReadBesideTheWindow() {
    Desk desk;
    KeptRun run;
    run.metrics = madeUpMetrics(40);
    desk.write("curves.csv", QByteArray::fromStdString(metricsCsv(std::vector<CsvRun>{{"r", metricsOf(run)}})));
    desk.write("table.csv", "epoch,loss\n1,0.5\n2,0.25\n");
    desk.write("broken.csv", "1,2\n3,4\n");
    QSignalSpy joined(&desk.document.runs(), &RunFiles::joined), tables(&desk.document, &Document::tableRead),
        failed(&desk.document, &Document::openFailed);
    desk.said.clear();
    for (const bool cancelled : {true, false}) {
      for (const char* name : {"curves.csv", "table.csv", "broken.csv"}) QVERIFY(desk.document.open(desk.path(name)));
      QVERIFY(desk.document.reader().isReading());
      QVERIFY(joined.isEmpty() && tables.isEmpty() && failed.isEmpty() && desk.said.isEmpty());
      if (cancelled) desk.document.reader().cancel();
      QVERIFY(test::hasRead(desk.document));
      const qsizetype each = cancelled ? 0 : 1;
      QCOMPARE(joined.size(), each);
      QCOMPARE(tables.size(), each);
      QCOMPARE(failed.size(), each);
    }
    QCOMPARE(tables.front()[1].toString(), desk.path("table.csv"));
    QCOMPARE(failed.front().front().toString(), desk.path("broken.csv"));
    QCOMPARE(desk.recordings(), qsizetype{1});
    QCOMPARE(desk.said.size(), 2);  // of the curves, and of what is broken
  }

  // Even if it has been read by then, what is cancelled does not join the runs; nor does what waits behind it.
  void aCancelledRecordingIsNotAmongTheRuns() {
    Desk desk;
    KeptRun run;
    run.resolved = resolve(teachingConfig());
    run.header.emplace();
    run.metrics = madeUpMetrics(40);
    RunFiles::write(run, QStringLiteral("r"), desk.path("r.run"));
    QSignalSpy joined(&desk.document.runs(), &RunFiles::joined), opened(&desk.document, &Document::opened);
    desk.said.clear();
    QVERIFY(desk.document.open(desk.path("r.run")) && desk.document.open(desk.path("r.run")));
    desk.document.reader().cancel();
    QVERIFY(test::hasRead(desk.document));
    QCOMPARE(desk.recordings(), qsizetype{0});
    QVERIFY(joined.isEmpty() && opened.isEmpty() && desk.said.isEmpty());
    // It can be opened again, and a window that is closed meanwhile does not wait for it.
    QVERIFY(desk.document.open(desk.path("r.run")) && test::hasRead(desk.document));
    QCOMPARE(desk.recordings(), qsizetype{1});
    QVERIFY(desk.document.open(desk.path("r.run")));
  }

  // A recording has all settings, so a later version's has one that is not known here.
  void aLaterVersionsRecordingOpens() {
    Desk desk;
    RunHeader header;
    header.config = configToJson(resolve(teachingConfig()));
    header.config["new-thing"] = 1;
    RunFileWriter writer(desk.path("later.run").toStdString(), header);
    writer.metrics(metricsOf({.metrics = madeUpMetrics(4)}));
    writer.finish(0);
    QVERIFY(desk.document.open(desk.path("later.run")) && test::hasRead(desk.document));
    QVERIFY2(desk.lastSaid().contains(QStringLiteral("does not know: new-thing.")), qPrintable(desk.lastSaid()));
    const auto& runs = desk.library.runs();
    QVERIFY(std::ranges::find(runs, desk.path("later.run"), &KeptRun::source) != runs.end());
  }

  void linksBegin() {
    Desk desk;
    desk.set("replicas", "4");
    const QString link = QString::fromStdString(experimentLink(desk.experiment.asked()));
    desk.set("replicas", "2");
    QVERIFY(desk.document.openLink(QStringLiteral("try this: ") + link));
    QCOMPARE(desk.experiment.resolved().replicas, std::optional<std::int64_t>(4));
    QVERIFY(!desk.document.openLink(QStringLiteral("nothing here")));
    QVERIFY(desk.lastSaid().contains(QStringLiteral("strategylab:?")));
  }

  void settingsAreTakenBackByName() {
    Desk desk;
    SettingsUndo undo(desk.experiment);
    undo.setMergeMs(0);
    QVERIFY(!undo.stack().canUndo());
    desk.set("replicas", "4");
    desk.set("learning-rate", "0.1");
    QCOMPARE(undo.stack().undoText(), QStringLiteral("learning rate 0.001 → 0.1"));
    undo.stack().undo();
    QCOMPARE(desk.experiment.asked().learningRate, 0.001);
    QCOMPARE(undo.stack().undoText(), QStringLiteral("replicas 2 → 4"));
    QCOMPARE(undo.stack().redoText(), QStringLiteral("learning rate 0.001 → 0.1"));
    undo.stack().undo();
    QCOMPARE(desk.experiment.resolved().replicas, std::optional<std::int64_t>(2));
    undo.stack().redo();
    undo.stack().redo();
    QCOMPARE(desk.experiment.asked().learningRate, 0.1);
    QCOMPARE(desk.experiment.resolved().replicas, std::optional<std::int64_t>(4));
    desk.set("partitioner", "fixed:2");  // refused: there is nothing to undo
    QCOMPARE(undo.stack().count(), 2);
    // Quick changes of one setting are one undo step.
    undo.setMergeMs(1'000'000);
    undo.forget();
    for (const char* value : {"5", "6", "7"}) desk.set("replicas", value);
    desk.set("seed", "9");
    QCOMPARE(undo.stack().count(), 2);
    undo.stack().undo();
    QCOMPARE(undo.stack().undoText(), QStringLiteral("replicas 4 → 7"));
    // If quick changes lead back to the first value, no undo step remains.
    undo.forget();
    desk.set("replicas", "3");
    desk.set("replicas", "7");
    QCOMPARE(undo.stack().count(), 0);
  }

  // A value that was refused is no state to go back to, and does not take the place of the value in force.
  void aRefusedValueDoesNotComeBack() {
    Desk desk;
    desk.write("bad.csv", "kind,id\n");
    desk.write("good.csv",
               "kind,id,name,fp32_peak_tflops,fp32_source,matrix_peak_tflops,matrix_precision,matrix_source,mem_gb,"
               "mem_gb_per_s,mem_source,launch_overhead_us,launch_source,cnn_train_eff_of_peak,eff_source,"
               "link_gb_per_s_per_dir,link_bw_source,link_effective_gb_per_s,link_eff_source,link_latency_us,"
               "latency_source,notes\ndevice,mine,Mine,10,s,,,,16,500,s,5,s,0.5,s,,,,,,,\n");
    const QByteArray bad = desk.path("bad.csv").toUtf8(), good = desk.path("good.csv").toUtf8();
    SettingsUndo undo(desk.experiment);
    undo.setMergeMs(0);
    const auto refuse = [&] {
      desk.set("catalogue", bad.constData());
      QCOMPARE(desk.experiment.complaintAbout(), QStringLiteral("catalogue"));
    };
    const auto take = [&](const char* name, const char* value, const QByteArray& catalogue) {
      desk.set(name, value);
      QVERIFY2(desk.experiment.complaint().isEmpty(), qPrintable(desk.experiment.complaint()));
      QCOMPARE(desk.experiment.asked().catalogue, catalogue.toStdString());
    };
    refuse();
    take("catalogue", good.constData(), good);
    undo.stack().undo();
    QVERIFY2(desk.experiment.remark().isEmpty(), qPrintable(desk.experiment.remark()));
    take("replicas", "3", {});
    take("catalogue", good.constData(), good);
    refuse();
    take("seed", "9", good);
  }

  // Undoing a change of strategy gives back what was kept for the next one: the batch, and which of the two batches is
  // kept.
  void takingBackKeepsWhatIsKept() {
    Desk desk;
    SettingsUndo undo(desk.experiment);
    undo.setMergeMs(0);
    RunSettings config = test::smallConfig();
    config.globalBatch = 8;
    config.batchPerReplica.reset();
    desk.experiment.begin(config);
    undo.forget();
    QCOMPARE(desk.experiment.keepsBatch(), BatchKept::Global);
    desk.set("strategy", "parameter-server");
    desk.set("learning-rate", "0.1");
    undo.stack().undo();
    QCOMPARE(desk.experiment.resolved().strategy, StrategyKind::ParameterServer);
    QVERIFY2(desk.experiment.remark().contains(QStringLiteral("global batch")), qPrintable(desk.experiment.remark()));
    desk.set("strategy", "central-storage");
    QCOMPARE(desk.experiment.keepsBatch(), BatchKept::Global);
    QCOMPARE(desk.experiment.asked().globalBatch, std::optional<std::int64_t>(8));
    undo.stack().undo();
    undo.stack().undo();
    QCOMPARE(desk.experiment.resolved().strategy, StrategyKind::Mirrored);
    undo.stack().redo();
    desk.set("strategy", "central-storage");
    QCOMPARE(desk.experiment.keepsBatch(), BatchKept::Global);
    desk.set("replicas", "4");
    QCOMPARE(desk.experiment.resolved().globalBatch, std::optional<std::int64_t>(8));
    // The choice of the batch that is kept is a setting like the others.
    undo.forget();
    desk.experiment.keepBatch(BatchKept::PerReplica);
    undo.stack().undo();
    QCOMPARE(desk.experiment.keepsBatch(), BatchKept::Global);
    undo.stack().redo();
    QCOMPARE(desk.experiment.keepsBatch(), BatchKept::PerReplica);
  }

  void aSessionComesBack() {
    Desk desk;
    const QString place = desk.path("state");
    {
      Session session(place, desk.document, desk.experiment, desk.library);
      QVERIFY(!session.restore());  // the first start
      QVERIFY(desk.document.saveAs(desk.path("mine.slab")));
      desk.set("replicas", "4");
      desk.stepOn();
      QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), std::size_t{1}, kPatienceMs);
      desk.library.rename(desk.library.presentId(), QStringLiteral("kept"));
      desk.library.setBaseline(desk.library.presentId());
      // A second window has a place of its own.
      Session other(place, desk.document, desk.experiment, desk.library);
      QVERIFY(!session.isOtherThere() && other.isOtherThere());
      QVERIFY(!other.restore());
      session.finish();
    }
    Desk next;
    Session session(place, next.document, next.experiment, next.library);
    QSignalSpy restored(&session, &Session::restored), told(&session, &Session::said);
    QVERIFY(session.restore());
    QVERIFY(restored.wait(kPatienceMs));
    QCOMPARE(told.size(), 0);
    QCOMPARE(next.experiment.resolved().replicas, std::optional<std::int64_t>(4));
    QCOMPARE(next.document.path(), desk.path("mine.slab"));
    QVERIFY(next.document.isModified());
    const auto& runs = next.library.runs();
    const auto kept =
        std::find_if(runs.begin(), runs.end(), [](const KeptRun& r) { return r.name == QStringLiteral("kept"); });
    QVERIFY(kept != runs.end());
    QCOMPARE(next.library.baselineId(), kept->id);
    QCOMPARE(metricsCsv(std::vector<CsvRun>{{"r", metricsOf(*kept)}}),
             metricsCsv(std::vector<CsvRun>{{"r", metricsOf(*desk.library.find(desk.library.presentId()))}}));
  }

  // A window that is closed while the last session's runs are still being read keeps them, and what was decided.
  void anEndWhileRunsAreReadLosesNothing_data() {
    QTest::addColumn<bool>("discards");
    QTest::newRow("kept") << false;
    QTest::newRow("discarded") << true;
  }
  void anEndWhileRunsAreReadLosesNothing() {
    QFETCH(bool, discards);
    Desk desk;  // two replicas
    const QString place = desk.path("state");
    {
      Session session(place, desk.document, desk.experiment, desk.library);
      QVERIFY(desk.document.saveAs(desk.path("mine.slab")));
      desk.set("replicas", "4");
      desk.stepOn();
      QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), std::size_t{1}, kPatienceMs);
      desk.library.rename(desk.library.presentId(), QStringLiteral("kept"));
      session.finish();
    }
    {
      Desk next;
      Session session(place, next.document, next.experiment, next.library);
      QSignalSpy restored(&session, &Session::restored);
      QVERIFY(session.restore());
      next.set("replicas", "8");
      QCOMPARE(restored.size(), 0);
      session.finish(discards);
    }
    Desk last;
    Session session(place, last.document, last.experiment, last.library);
    QSignalSpy restored(&session, &Session::restored);
    QVERIFY(session.restore());
    QVERIFY(restored.wait(kPatienceMs));
    QCOMPARE(last.experiment.resolved().replicas, std::int64_t{discards ? 2 : 8});
    QCOMPARE(last.document.isModified(), !discards);
    QVERIFY(std::ranges::any_of(last.library.runs(),
                                [](const KeptRun& run) { return run.name == QStringLiteral("kept"); }));
  }

  // The library's own rule says which runs are kept, also from start to start.
  void everyKeptRunComesBack() {
    Desk desk;
    const QString place = desk.path("state");
    {
      Session session(place, desk.document, desk.experiment, desk.library);
      desk.library.setBaseline(desk.add(madeUpMetrics(2)));
      desk.add(madeUpMetrics(2), QStringLiteral("Monday"));
      desk.library.annotate(desk.add(madeUpMetrics(2)), QStringLiteral("the good one"));
      while (desk.library.runs().size() < RunLibrary::kMostRuns) desk.add(madeUpMetrics(2));
      session.finish();
    }
    Desk next;
    Session session(place, next.document, next.experiment, next.library);
    QSignalSpy restored(&session, &Session::restored);
    QVERIFY(session.restore());
    QVERIFY(restored.wait(kPatienceMs));
    const auto& runs = next.library.runs();
    QCOMPARE(runs.size(), RunLibrary::kMostRuns);
    const auto has = [&](const auto& isIt) { return std::any_of(runs.begin(), runs.end(), isIt); };
    QVERIFY(next.library.find(next.library.baselineId()) != nullptr);
    QVERIFY(has([](const KeptRun& run) { return run.name == QStringLiteral("Monday"); }));
    QVERIFY(has([](const KeptRun& run) { return run.note == QStringLiteral("the good one"); }));
  }

  // Each start shows its run's first step, or a branch as far as it was: the same run is not kept once more.
  void aStartAddsNoRun_data() {
    QTest::addColumn<int>("shown");  // steps
    QTest::addColumn<bool>("branch");
    QTest::newRow("run") << 1 << false;
    QTest::newRow("branch") << 2 << true;
  }
  void aStartAddsNoRun() {
    QFETCH(int, shown);
    QFETCH(bool, branch);
    const QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("state"));
    RunSettings config = test::smallConfig();
    config.steps = 3;
    const Lineage lineage(branch ? 1 : 0, RunBranch{.parent = "base", .config = config, .step = 2});
    configField("learning-rate").set(config, "0.01");
    const auto stored = [&place] {
      QFile file(place + QStringLiteral("/session-1/session.json"));
      if (!file.open(QIODevice::ReadOnly)) return qsizetype{-1};
      return QJsonDocument::fromJson(file.readAll()).object()[QLatin1String("runs")].toArray().size();
    };
    for (int start = 0; start < 3; ++start) {
      Desk desk;
      Session session(place, desk.document, desk.experiment, desk.library);
      QSignalSpy restored(&session, &Session::restored);
      if (start == 0)
        desk.experiment.begin(config, Experiment::By::Anyone, lineage);
      else
        QVERIFY(session.restore() && restored.wait(kPatienceMs));
      desk.controller.requestStep(shown);
      QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), static_cast<std::size_t>(shown), kPatienceMs);
      session.finish();
      QCOMPARE(stored(), qsizetype{branch ? 1 : 0});
      if (start < 2) continue;
      desk.controller.requestStep(shown + 1);  // trained further than before
      QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), static_cast<std::size_t>(shown + 1), kPatienceMs);
      session.finish();
      QCOMPARE(stored(), qsizetype{branch ? 2 : 1});
    }
  }

  // What the session says once, while the settings and the other runs are stored.
  void aRunThatIsTooLongDoesNotEndTheSaving() {
    Desk desk;
    const QString place = desk.path("state");
    const QDir folder(place + QStringLiteral("/session-1"));
    const QStringList journals{QStringLiteral("run-*.jsonl")};
    Session session(place, desk.document, desk.experiment, desk.library);
    session.setIntervalMs(10 * kPatienceMs);  // stores only when it is asked to
    desk.set("replicas", "3");
    desk.stepOn();
    QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), std::size_t{1}, kPatienceMs);
    desk.library.rename(desk.library.presentId(), QStringLiteral("long"));
    session.finish();
    const QStringList first = folder.entryList(journals, QDir::Files);
    QCOMPARE(first.size(), 1);
    QVERIFY(QFile::resize(folder.filePath(first[0]), qint64{256} << 20));  // as large as a journal may be; no disk
    desk.stepOn();
    QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), std::size_t{2}, kPatienceMs);
    desk.set("replicas", "4");
    desk.stepOn();
    QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), std::size_t{1}, kPatienceMs);
    desk.library.rename(desk.library.presentId(), QStringLiteral("short"));
    QString told;
    try {
      session.finish();
    } catch (const UserError& error) {
      told = QString::fromUtf8(error.what());
    }
    QVERIFY2(told.contains(first[0]) && told.contains(QStringLiteral("as a recording")), qPrintable(told));
    QCOMPARE(folder.entryList(journals, QDir::Files).size(), 2);
    QFile file(folder.filePath(QStringLiteral("session.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject stored = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(stored[QLatin1String("runs")].toArray().size(), 2);
    QCOMPARE(stored[QLatin1String("experiment")].toString(), QString::fromUtf8(desk.document.text()));
    session.finish();  // says nothing more
  }

  // A start with a file begins another experiment: what the last session had in no file is kept in one, and the window
  // says where. What is saved is not.
  void anUnsavedExperimentIsKeptBesideAnother_data() {
    QTest::addColumn<bool>("named");
    QTest::addColumn<bool>("saved");
    QTest::newRow("untitled, with moments") << false << false;
    QTest::newRow("a file with changes") << true << false;
    QTest::newRow("a file") << true << true;
  }
  void anUnsavedExperimentIsKeptBesideAnother() {
    QFETCH(bool, named);
    QFETCH(bool, saved);
    Desk desk;
    const QString place = desk.path("state");
    {
      Session session(place, desk.document, desk.experiment, desk.library);
      if (named) QVERIFY(desk.document.saveAs(desk.path("mine.slab")));
      desk.document.setOther("moments", nlohmann::json{{"version", 1}});
      if (saved) QVERIFY(desk.document.save());
      session.finish();
    }
    Desk next;
    Session session(place, next.document, next.experiment, next.library);
    QSignalSpy restored(&session, &Session::restored), told(&session, &Session::said);
    session.restoreRuns();
    QVERIFY(restored.wait(kPatienceMs));
    session.finish();
    const QDir folder(place + QStringLiteral("/session-1"));
    const QStringList kept = folder.entryList({QStringLiteral("unsaved-*.slab")});
    QCOMPARE(kept.size(), saved ? 0 : 1);
    QCOMPARE(told.size(), saved ? 0 : 1);
    if (saved) return;
    QVERIFY2(told[0][0].toString().contains(kept[0]), qPrintable(told[0][0].toString()));
    QVERIFY(next.document.other("moments") == nullptr);
    QVERIFY(next.document.open(folder.filePath(kept[0])));
    QVERIFY(next.document.other("moments") != nullptr);
  }

  // Sessions that are not reopened leave the stored runs alone; the next one that is has them, and those in between.
  void runsStayStoredWhileNoSessionIsReopened() {
    QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("state"));
    const auto names = [](const Desk& desk) {
      QStringList found;
      for (const KeptRun& run : desk.library.runs())
        if (!run.name.isEmpty()) found << run.name;
      return found;
    };
    const QStringList all{QStringLiteral("first"), QStringLiteral("second"), QStringLiteral("third")};
    for (const QString& name : all) {
      Desk desk;
      Session session(place, desk.document, desk.experiment, desk.library);
      session.passOn();
      desk.stepOn();
      QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), std::size_t{1}, kPatienceMs);
      desk.library.rename(desk.library.presentId(), name);
      desk.library.setBaseline(desk.library.presentId());
      session.finish();
      QCOMPARE(names(desk), QStringList(name));
    }
    Desk next;
    Session session(place, next.document, next.experiment, next.library);
    QSignalSpy restored(&session, &Session::restored);
    QVERIFY(session.restore());
    QVERIFY(restored.wait(kPatienceMs));
    QStringList found = names(next);
    found.sort();
    QCOMPARE(found, all);
    QCOMPARE(next.library.find(next.library.baselineId())->name, all.back());
  }

  // A run keeps its colour from start to start; the run that this start began gets another.
  void runsKeepTheirColours() {
    Desk desk;
    const QString place = desk.path("state");
    std::map<QString, int> colours;
    {
      Session session(place, desk.document, desk.experiment, desk.library);
      for (const char* replicas : {"2", "3", "4"}) {
        desk.set("replicas", replicas);
        desk.controller.requestStep(2);
        QTRY_VERIFY_WITH_TIMEOUT(desk.controller.steps().size() >= 2, kPatienceMs);
        desk.library.rename(desk.library.presentId(), QLatin1String(replicas));
      }
      desk.library.remove(desk.library.runs()[1].id);
      for (const KeptRun& run : desk.library.runs()) colours[run.name] = run.colour;
      QCOMPARE(colours.size(), std::size_t{2});
      session.finish();
    }
    Desk next;
    Session session(place, next.document, next.experiment, next.library);
    QSignalSpy restored(&session, &Session::restored);
    QVERIFY(session.restore());
    QVERIFY(restored.wait(kPatienceMs));
    std::set<int> used;
    for (const KeptRun& run : next.library.runs()) {
      QVERIFY2(used.insert(run.colour).second, qPrintable(run.name));
      if (colours.contains(run.name)) QCOMPARE(run.colour, colours.at(run.name));
    }
    QCOMPARE(used.size(), std::size_t{3});  // and the present run's colour
  }

  // A recording's times stay those of the model that made them.
  void anOlderRecordingStaysOlder() {
    const QTemporaryDir folder;
    KeptRun run;
    run.metrics = test::madeUpMetrics(3);
    run.header.emplace();
    JournalPart part{folder.filePath(QStringLiteral("run.jsonl")).toStdString(), {}, {}};
    for (const int model : {1, kTimeModel}) {
      run.header->timeModel = model;
      part.head = journalHead(run);
      append(part);
      const std::optional<Journal> read = readJournal(part.path);
      QVERIFY(read && read->run.header && read->fault.empty());
      QCOMPARE(read->run.header->timeModel, model);
      QCOMPARE(read->run.header->olderTimes(), model != kTimeModel);
    }
  }

  // A table of values has no settings and comes back as a table.
  void curvesOfATableComeBack() {
    Desk desk;
    const QString place = desk.path("state");
    KeptRun run;
    run.metrics = test::madeUpMetrics(40);
    const std::vector<CsvRun> table{{"r", metricsOf(run)}};
    desk.write("yesterday.csv", QByteArray::fromStdString(metricsCsv(table)));
    QVERIFY(desk.document.open(desk.path("yesterday.csv")) && test::hasRead(desk.document));
    {
      Session session(place, desk.document, desk.experiment, desk.library);
      session.finish();
    }
    for (int start = 0; start < 2; ++start) {  // the second start restores what the first one kept
      Desk next;
      Session session(place, next.document, next.experiment, next.library);
      QSignalSpy restored(&session, &Session::restored), told(&session, &Session::said);
      QVERIFY(session.restore());
      QVERIFY(restored.wait(kPatienceMs));
      QCOMPARE(told.size(), 0);
      const auto& runs = next.library.runs();
      const auto kept = std::find_if(runs.begin(), runs.end(),
                                     [](const KeptRun& r) { return r.name == QStringLiteral("yesterday"); });
      QVERIFY(kept != runs.end());
      QVERIFY(!kept->settingsKnown && kept->shown && kept->state == RunState::Finished);
      QCOMPARE(kept->source, desk.path("yesterday.csv"));
      QCOMPARE(metricsCsv(std::vector<CsvRun>{{"r", metricsOf(*kept)}}), metricsCsv(table));
      session.finish();
    }
  }

  // The second window gets settings and runs of the first, which goes on; the first window's files stay its own.
  void aSecondWindowOpensACopy() {
    Desk first;
    const QString place = first.path("state");
    Session session(place, first.document, first.experiment, first.library);
    session.setIntervalMs(0);
    Desk second;
    Session other(place, second.document, second.experiment, second.library);
    QVERIFY(other.isOtherThere());
    QVERIFY(!other.copyOther());  // the first window has kept nothing yet
    QVERIFY(first.document.saveAs(first.path("mine.slab")));
    first.set("replicas", "4");
    first.stepOn();
    QTRY_COMPARE_WITH_TIMEOUT(first.controller.steps().size(), std::size_t{1}, kPatienceMs);
    first.library.rename(first.library.presentId(), QStringLiteral("kept"));
    const QDir folder(place + QStringLiteral("/session-1"));
    QTRY_VERIFY_WITH_TIMEOUT(!folder.entryList({QStringLiteral("run-*.jsonl")}, QDir::Files).isEmpty(), kPatienceMs);
    first.library.annotate(first.library.presentId(), QStringLiteral("a note"));
    const auto isKept = [&folder] {
      QFile file(folder.filePath(QStringLiteral("session.json")));
      return file.open(QIODevice::ReadOnly) && file.readAll().contains("a note");
    };
    QTRY_VERIFY_WITH_TIMEOUT(isKept(), kPatienceMs);
    const QStringList before = folder.entryList(QDir::Files);
    QSignalSpy restored(&other, &Session::restored), told(&other, &Session::said);
    QVERIFY(other.copyOther());
    QVERIFY(restored.wait(kPatienceMs));
    QCOMPARE(told.size(), 0);  // the first window has not ended unexpectedly
    QCOMPARE(second.experiment.resolved().replicas, std::optional<std::int64_t>(4));
    QVERIFY(second.document.path().isEmpty());  // two windows with one file would overwrite each other's changes
    const auto& runs = second.library.runs();
    QVERIFY(std::any_of(runs.begin(), runs.end(), [](const KeptRun& run) { return run.note == "a note"; }));
    QCOMPARE(folder.entryList(QDir::Files), before);
    other.finish();
    QCOMPARE(QDir(place + QStringLiteral("/session-2")).entryList({QStringLiteral("run-*.jsonl")}, QDir::Files).size(),
             1);
  }

  void theSecondWindowHearsThatTheFirstHasGone() {
    Desk desk;
    const QString place = desk.path("state");
    auto first = std::make_unique<Session>(place, desk.document, desk.experiment, desk.library);
    Session second(place, desk.document, desk.experiment, desk.library);
    QSignalSpy ended(&second, &Session::otherEnded);
    first.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!ended.isEmpty(), kPatienceMs);
  }

  // As of a window that was killed on another computer with the same home folder.
  void aLockThatNobodyHoldsIsFree() {
    Desk desk;
    const QString place = desk.path("state");
    QVERIFY(QDir().mkpath(place + QStringLiteral("/session-1")));
    for (const char* name : {"state/session-1/lock", "state/session-1/holder"})
      desk.write(name, "4711\nstrategylab\nelsewhere\n00000000000000000000000000000000\n");
    const Session session(place, desk.document, desk.experiment, desk.library);
    QVERIFY(!session.isOtherThere());
  }

  // As --reset-settings does beside an open window.
  void forgettingLeavesTheSessionOfAnOpenWindow() {
    Desk desk;
    const QString place = desk.path("state");
    QVERIFY(QDir().mkpath(place + QStringLiteral("/session-1")));
    QVERIFY(QDir().mkpath(place + QStringLiteral("/session-2")));
    desk.write("state/session-2/session.json", "{}");
    Session open(place, desk.document, desk.experiment, desk.library);
    open.finish();
    Session::forget(place);
    QCOMPARE(QDir(place).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{QStringLiteral("session-1")});
    QVERIFY(QFile::exists(place + QStringLiteral("/session-1/session.json")));
    const Session other(place, desk.document, desk.experiment, desk.library);
    QVERIFY(other.isOtherThere());
  }

  // The window trains the branch of the file; a branch that is not possible is refused together with its file.
  void aBranchesFileIsThatBranch() {
    Desk desk;
    const auto write = [&](const char* step) {
      QFile file(desk.path("b.slab"));
      QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
      file.write(QByteArray(R"({"format": "strategylab-experiment", "version": 1,
        "config": {"replicas": 2, "learning-rate": 0.01, "dataset": "digits"},
        "branches": [{"parent": "base", "config": {"replicas": 2, "dataset": "digits"}, "step": )") +
                 step + "}]}");
    };
    write("4");
    QVERIFY(desk.document.open(desk.path("b.slab")));
    QCOMPARE(desk.experiment.lineage().size(), std::size_t{1});
    QVERIFY(!desk.document.isModified());
    QVERIFY(desk.document.text().contains("\"parent\": \"base\""));
    desk.experiment.set(QStringLiteral("learning-rate"), QStringLiteral("0.02"));
    QVERIFY(desk.document.isModified() && !desk.document.text().contains("branches"));
    write("-4");
    QVERIFY(!desk.document.open(desk.path("b.slab")));
    QVERIFY2(desk.lastFailed() && desk.lastSaid().contains(QStringLiteral("b.slab")), qPrintable(desk.lastSaid()));
  }

  // The part before the damage is whole, and the window says how much that is.
  void theWholePartOfACutRecordingIsOpened() {
    Desk desk;
    KeptRun run;
    run.resolved = resolve(teachingConfig());
    run.header.emplace();
    run.metrics = madeUpMetrics(2000);
    desk.document.runs().save(desk.library.add(run), desk.path("r.run"));
    QTRY_VERIFY_WITH_TIMEOUT(!desk.said.isEmpty(), kPatienceMs);
    QFile file(desk.path("r.run"));
    QVERIFY(file.resize(file.size() / 2));
    desk.said.clear();
    QVERIFY(desk.document.open(desk.path("r.run")) && test::hasRead(desk.document));
    QVERIFY(desk.lastFailed() && desk.lastSaid().contains(QStringLiteral("cut off")));
    const auto& runs = desk.library.runs();
    const auto read =
        std::find_if(runs.begin(), runs.end(), [&](const KeptRun& r) { return r.source == desk.path("r.run"); });
    QVERIFY(read != runs.end());
    const auto steps = static_cast<qsizetype>(read->metrics->steps.size());
    QVERIFY(steps > 500 && steps < 1500);
    QVERIFY2(desk.lastSaid().contains(QString::number(steps) + QStringLiteral(" steps before that are whole")) ||
                 desk.lastSaid().contains(QLocale().toString(steps) + QStringLiteral(" steps before that are whole")),
             qPrintable(desk.lastSaid()));
  }

  void theWholePartOfABadJournalIsKept() {
    Desk desk;
    const QString place = desk.path("state");
    {
      Session session(place, desk.document, desk.experiment, desk.library);
      (void)session.restore();
      desk.stepOn();
      QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), std::size_t{1}, kPatienceMs);
      desk.library.rename(desk.library.presentId(), QStringLiteral("kept"));
      session.finish();
    }
    const QDir folder(place + QStringLiteral("/session-1"));
    const QStringList journals = folder.entryList({QStringLiteral("run-*.jsonl")}, QDir::Files);
    QCOMPARE(journals.size(), 1);
    QFile journal(folder.filePath(journals[0]));
    QVERIFY(journal.open(QIODevice::Append));
    journal.write("{\"event\":\"eval\",\"step\":-1,\"testLoss\":1,\"testAccuracy\":1}\n");
    journal.close();
    Desk next;
    Session session(place, next.document, next.experiment, next.library);
    QSignalSpy restored(&session, &Session::restored), told(&session, &Session::said);
    QVERIFY(session.restore());
    QVERIFY(restored.wait(kPatienceMs));
    QCOMPARE(told.size(), 1);
    QVERIFY2(told[0][0].toString().contains(QStringLiteral("'step' must be")) &&
                 told[0][0].toString().contains(QStringLiteral("1 step")),
             qPrintable(told[0][0].toString()));
    const auto& runs = next.library.runs();
    const auto kept =
        std::find_if(runs.begin(), runs.end(), [](const KeptRun& r) { return r.name == QStringLiteral("kept"); });
    QVERIFY(kept != runs.end() && kept->metrics->steps.size() == 1);
    // The recording is written anew, so the next session has nothing to complain about.
    session.finish();
    const auto again =
        readJournal(folder.filePath(folder.entryList({QStringLiteral("run-*.jsonl")}).last()).toStdString());
    QVERIFY(again && again->fault.empty());
  }

  // As when a session with a GPU is opened where there is none: other settings begin, the runs stay, and the refused
  // settings are in a file.
  void settingsThatAreRefusedLoseNoRuns() {
    Desk desk;
    const QString place = desk.path("state");
    const QDir folder(place + QStringLiteral("/session-1"));
    {
      Session session(place, desk.document, desk.experiment, desk.library);
      desk.stepOn();
      QTRY_COMPARE_WITH_TIMEOUT(desk.controller.steps().size(), std::size_t{1}, kPatienceMs);
      desk.library.rename(desk.library.presentId(), QStringLiteral("kept"));
      session.finish();
    }
    const QByteArray refused(
        R"({"format":"strategylab-experiment","version":1,"config":{"strategy":"one-device","replicas":5}})");
    QFile file(folder.filePath(QStringLiteral("session.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject stored = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    stored[QStringLiteral("experiment")] = QString::fromUtf8(refused);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(stored).toJson());
    file.close();
    for (const bool first : {true, false}) {  // the second start has what the first one stored
      Desk next;
      Session session(place, next.document, next.experiment, next.library);
      QSignalSpy restored(&session, &Session::restored), told(&session, &Session::said);
      QCOMPARE(session.restore(), !first);
      QVERIFY(restored.wait(kPatienceMs));
      QCOMPARE(told.size(), first ? 1 : 0);
      if (first) QVERIFY(told[0][0].toString().contains(QStringLiteral("OneDeviceStrategy")));
      const auto& runs = next.library.runs();
      QVERIFY(std::any_of(runs.begin(), runs.end(), [](const KeptRun& run) { return run.name == "kept"; }));
      session.finish();
    }
    QFile kept(folder.filePath(QStringLiteral("refused.slab")));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), refused);
  }

  // Its files stay in a folder of their own, for the version that can read them.
  void aBrokenSessionIsNoSession() {
    Desk desk;
    const QString place = desk.path("state");
    const QDir folder(place + QStringLiteral("/session-1"));
    QDir().mkpath(folder.path());
    QFile journal(folder.filePath(QStringLiteral("run-1.jsonl")));
    QVERIFY(journal.open(QIODevice::WriteOnly));
    journal.close();
    for (const char* content : {"", "{", "{\"session\":99}", "{\"session\":1,\"experiment\":\"x\",\"path\":\"\"}"}) {
      QFile file(place + QStringLiteral("/session-1/session.json"));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(content);
      file.close();
      Session session(place, desk.document, desk.experiment, desk.library);
      QSignalSpy told(&session, &Session::said);
      QVERIFY(!session.restore());
      QVERIFY(desk.experiment.asked().steps == 3);
      QVERIFY2(told.size() == 1, content);
      const QDir aside(told[0][0].toString().section(QLatin1Char('\''), 1, 1));
      QFile stored(aside.filePath(QStringLiteral("session.json")));
      QVERIFY2(stored.open(QIODevice::ReadOnly), qPrintable(told[0][0].toString()));
      QCOMPARE(stored.readAll(), QByteArray(content));
      if (*content == '\0') QVERIFY(aside.exists(QStringLiteral("run-1.jsonl")));
      QVERIFY(!file.exists() && !journal.exists());
    }
  }
};

QTEST_GUILESS_MAIN(TestFiles)
#include "tst_files.moc"
