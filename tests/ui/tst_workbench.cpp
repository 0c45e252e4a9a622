// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=13
// The desk around the stage, through real keys, menus and drops: save, open, recent files, links, undo, closing with
// changes, what is remembered, and starts that show the same as the last one.
#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressDialog>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUndoCommand>
#include <QUndoStack>
#include <QUndoView>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/files/experiment_file.h"
#include "core/files/metrics_csv.h"
#include "core/model/neural_network.h"
#include "core/model/safetensors.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/trace/metric.h"
#include "tests/support/bad_disk.h"
#include "tests/support/patience.h"
#include "tests/ui/chart_fixture.h"
#include "tests/ui/quit_anyway.h"
#include "tests/ui/read_recordings.h"
#include "tests/ui/small_config.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/table_plot.h"
#include "ui/data/data_dialog.h"
#include "ui/files/drag_out.h"
#include "ui/files/session.h"
#include "ui/i18n/language.h"
#include "ui/movie/movie_dialog.h"
#include "ui/runs/run_library.h"
#include "ui/session/workbench.h"
#include "ui/setup/fit.h"
#include "ui/stage/stage.h"
#include "ui/sweep/sweep_export.h"
#include "ui/sweep/sweep_request.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_panel.h"
#include "ui/tryout/digit_pad.h"
#include "ui/tryout/try_out.h"
#include "ui/window/main_window.h"
#include "ui/window/tab_views.h"

using namespace lab;

namespace {

constexpr int kSoonMs = 50;

RunSettings smallRun() {
  RunSettings config = test::smallConfig();
  config.evalEvery = 0;
  config.steps = 1000;
  return config;
}

struct Desk {
  QSettings settings;
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};

  explicit Desk(const QTemporaryDir& folder)
      : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat) {
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    window.experiment().begin(smallRun());
    bench.undo().forget();
    (void)QTest::qWaitFor([this] { return window.playback().record() != nullptr; }, kPatienceMs);
  }
  template <typename Part>
  Part& part(const char* name) {
    return *window.findChild<Part*>(QLatin1String(name));
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
    QTest::keyClick(&window, key, modifiers);
  }
  // Closes the window and agrees to lose what is not saved.
  bool quit() { return test::quitAnyway(window, kPatienceMs); }
  // Stores the session so long after a change, also after one that waits to be stored.
  void storeAfter(int ms) { bench.session().findChild<Session*>()->setIntervalMs(ms); }
  std::int64_t replicas() { return window.experiment().resolved().replicas; }
  void set(const char* name, const char* value) { window.experiment().set(QLatin1String(name), QLatin1String(value)); }
  bool said(const QString& words) const {  // a message above the stage contains `words`
    const auto labels = window.findChildren<QLabel*>(QStringLiteral("banner"));
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
  }
  QToolButton* remedy() const {  // the button that can be pressed, or null
    for (auto* button : window.findChildren<QToolButton*>(QStringLiteral("remedy")))
      if (button->isVisible()) return button;
    return nullptr;
  }
  bool drop(const QMimeData& data) {
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    enter.ignore();
    QCoreApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&window, &drop);
    return true;
  }
};

// Saves what the trace tab shows; the file is written beside the window's work.
TracePanel* exportTrace(Desk& desk, const QString& name) {
  desk.window.panels().openTab(QStringLiteral("traceTab"));
  auto* trace = desk.window.findChild<TracePanel*>();
  trace->refresh();
  trace->exportFile(name);
  return trace;
}

}  // namespace

class TestWorkbench : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }  // keeps the user's sweeps out

  // The proposed file name tells what the experiment is, and no file has it yet. This must be the first test: Qt's
  // dialogs remember the last folder.
  void filesAreProposedByName() {
    const QTemporaryDir folder, files;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(files.path()));
    Desk desk(folder);
    const auto proposed = [&](const char* act, const char* name) {
      desk.part<QAction>(act).trigger();
      auto* dialog = desk.window.findChild<QFileDialog*>(QLatin1String(name));
      const QString file =
          dialog == nullptr || dialog->selectedFiles().isEmpty() ? QString() : dialog->selectedFiles().front();
      delete dialog;
      return QFileInfo(file).fileName();
    };
    const auto write = [&](const char* name) {
      QFile file(files.filePath(QLatin1String(name)));
      QVERIFY(file.open(QIODevice::WriteOnly));
    };
    QCOMPARE(proposed("saveAs", "saveDialog"), QStringLiteral("mirrored-2.slab"));
    QCOMPARE(proposed("saveRecording", "saveRecordingDialog"), QStringLiteral("mirrored-2.run"));
    write("mirrored-2.slab");
    QCOMPARE(proposed("saveAs", "saveDialog"), QStringLiteral("mirrored-2 (2).slab"));
    QCOMPARE(proposed("saveRecording", "saveRecordingDialog"), QStringLiteral("mirrored-2.run"));
    write("mirrored-2 (2).slab");
    write("mirrored-2.run");
    QCOMPARE(proposed("saveAs", "saveDialog"), QStringLiteral("mirrored-2 (3).slab"));
    QCOMPARE(proposed("saveRecording", "saveRecordingDialog"), QStringLiteral("mirrored-2 (2).run"));
    desk.set("strategy", "parameter-server");
    desk.set("replicas", "4");
    QCOMPARE(proposed("saveAs", "saveDialog"), QStringLiteral("parameter-server-4.slab"));
    QCOMPARE(fileStem(desk.window.experiment().resolved(), true), QStringLiteral("parameter-server-class"));
    // An experiment that has a file keeps its name.
    QVERIFY(desk.bench.document().saveAs(files.filePath(QStringLiteral("mine.slab"))));
    QCOMPARE(proposed("saveAs", "saveDialog"), QStringLiteral("mine.slab"));
    QDir::setCurrent(before);
  }

  // Whoever writes one file after another stays in the folder, and no name there is proposed again.
  void dialogsBeginWhereTheLastOneEnded() {
    const QTemporaryDir folder, files;
    Desk desk(folder);
    const auto ask = [&](const char* act, const char* name) {
      desk.part<QAction>(act).trigger();
      return desk.window.findChild<QFileDialog*>(QLatin1String(name));
    };
    auto* dialog = ask("exportRuns", "exportDialog");
    Q_EMIT dialog->fileSelected(files.filePath(QStringLiteral("runs.csv")));
    QVERIFY(QFile::exists(files.filePath(QStringLiteral("runs.csv"))));
    delete dialog;
    dialog = ask("saveRecording", "saveRecordingDialog");
    QCOMPARE(dialog->directory().canonicalPath(), QDir(files.path()).canonicalPath());
    delete dialog;
    dialog = ask("exportRuns", "exportDialog");
    QCOMPARE(dialog->selectedFiles(), QStringList{files.filePath(QStringLiteral("runs (2).csv"))});
    delete dialog;
    dialog = ask("exportPoster", "exportDialog");
    QCOMPARE(dialog->defaultSuffix(), QStringLiteral("pdf"));
    dialog->selectNameFilter(dialog->nameFilters().back());
    Q_EMIT dialog->filterSelected(dialog->nameFilters().back());
    QCOMPARE(dialog->defaultSuffix(), QStringLiteral("svg"));
    delete dialog;
  }

  void savedByKeysAndOpenedFromRecent() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.press(Qt::Key_S);
    auto* dialog = desk.window.findChild<QFileDialog*>(QStringLiteral("saveDialog"));
    QVERIFY(dialog != nullptr);
    const QString path = folder.filePath(QStringLiteral("mine.slab"));
    Q_EMIT dialog->fileSelected(path);
    dialog->close();
    QVERIFY(QFile::exists(path));
    QVERIFY(desk.window.windowTitle().startsWith(QStringLiteral("mine.slab")));
    QVERIFY(!desk.window.isWindowModified());
    desk.press(Qt::Key_Plus, Qt::NoModifier);
    QCOMPARE(desk.replicas(), 3);
    QVERIFY(desk.window.isWindowModified());
    desk.press(Qt::Key_S);
    QVERIFY(!desk.window.isWindowModified());
    desk.press(Qt::Key_N);
    QVERIFY(desk.bench.document().path().isEmpty());
    auto& recent = desk.part<QMenu>("recentMenu");
    Q_EMIT recent.aboutToShow();
    QCOMPARE(recent.actions().size(), 1);
    recent.actions().front()->trigger();
    QCOMPARE(desk.replicas(), 3);
    QFile::remove(path);
    Q_EMIT recent.aboutToShow();
    QVERIFY(!recent.actions().front()->isEnabled());
  }

  void undoneByNameFromTheMenu() {
    const QTemporaryDir folder;
    Desk desk(folder);
    QVERIFY(!desk.part<QAction>("undo").isEnabled());
    desk.press(Qt::Key_Plus, Qt::NoModifier);
    QCOMPARE(desk.part<QAction>("undo").text(), QStringLiteral("&Undo replicas 2 → 3"));
    desk.press(Qt::Key_Z);
    QCOMPARE(desk.replicas(), 2);
    desk.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(desk.replicas(), 3);
  }

  // A recording gives many settings; how many says nothing to a person.
  void aRepeatedRunIsUndoneByItsName() {
    const QTemporaryDir folder;
    Desk desk(folder);
    RunLibrary& library = desk.window.library();
    const int first = library.presentId();
    library.rename(first, QStringLiteral("salt & pepper"));
    desk.set("replicas", "4");
    library.repeat(first);
    QCOMPARE(desk.replicas(), 2);
    QCOMPARE(desk.part<QAction>("undo").text(), QStringLiteral("&Undo repeat of “salt && pepper”"));
    desk.part<QAction>("undo").trigger();
    QCOMPARE(desk.replicas(), 4);
    QCOMPARE(desk.part<QAction>("undo").text(), QStringLiteral("&Undo replicas 2 → 4"));
  }

  // A refused setting has changed nothing, but the user wants it back as it was: by the menu, by its keys, also while
  // the field has them, and by Esc. What was changed before comes next.
  void aRefusedSettingIsUndoneFirst() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& undo = desk.part<QAction>("undo");
    auto& experiment = desk.window.experiment();
    desk.set("hosts", "2");
    QVERIFY(!experiment.complaint().isEmpty());
    QCOMPARE(undo.text(), QStringLiteral("&Undo hosts"));
    QVERIFY(undo.isEnabled());
    undo.trigger();
    QVERIFY(experiment.complaint().isEmpty() && !undo.isEnabled());
    QCOMPARE(undo.text(), QStringLiteral("&Undo"));

    desk.set("strategy", "multi-worker-mirrored");
    desk.window.resize(1900, 1000);
    desk.window.workspaces().choose(WindowLayout::Explore);
    auto* hosts = desk.window.findChild<QLineEdit*>(QStringLiteral("setting-hosts"));
    QTRY_VERIFY_WITH_TIMEOUT(hosts != nullptr && hosts->isVisible(), kPatienceMs);
    const QString before = hosts->text();
    for (const bool byEsc : {false, true}) {
      hosts->setFocus(Qt::TabFocusReason);
      hosts->selectAll();
      QTest::keyClick(hosts, Qt::Key_5);
      QTest::keyClick(hosts, Qt::Key_Return);
      QCOMPARE(experiment.complaintAbout(), QStringLiteral("hosts"));
      if (byEsc)
        QTest::keyClick(hosts, Qt::Key_Escape);
      else
        QTest::keyClick(hosts, Qt::Key_Z, Qt::ControlModifier);
      QVERIFY(experiment.complaint().isEmpty());
      QCOMPARE(hosts->text(), before);
      QVERIFY(undo.text().contains(QStringLiteral("MultiWorkerMirrored")));
    }
    undo.trigger();
    QCOMPARE(experiment.resolved().strategy, StrategyKind::Mirrored);
  }

  void linksAreCopiedAndPasted() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.set("replicas", "5");
    desk.press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("strategylab:?")));
    desk.set("replicas", "2");
    desk.press(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(desk.replicas(), 5);
    desk.press(Qt::Key_Z);  // as after pasting by mistake
    QCOMPARE(desk.replicas(), 2);
    QGuiApplication::clipboard()->setText(QStringLiteral("hello"));
    desk.press(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    const auto labels = desk.window.findChildren<QLabel*>(QStringLiteral("banner"));
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains(QStringLiteral("no link"));
    }));
  }

  void aFileThatHasChangedElsewhereIsReplacedOnRequest() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    QVERIFY(desk.bench.document().saveAs(path));
    desk.set("replicas", "4");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("a letter") > 0);
    file.close();
    desk.part<QAction>("save").trigger();
    QVERIFY(desk.said(QStringLiteral("another window or program")));
    QVERIFY(desk.window.isWindowModified());
    QVERIFY(desk.remedy() != nullptr);
    QTest::mouseClick(desk.remedy(), Qt::LeftButton);
    QVERIFY(!desk.window.isWindowModified());
    QVERIFY(!desk.said(QStringLiteral("another window or program")));
    QCOMPARE(readExperiment(path.toStdString()).config.replicas, std::optional<std::int64_t>(4));
  }

  // A link takes the place of a file, like another file: undo would mix the two.
  void aLinkLeavesNoUndoOfTheFileBefore() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.set("replicas", "4");
    QVERIFY(desk.bench.document().saveAs(folder.filePath(QStringLiteral("a.slab"))));
    QVERIFY(desk.part<QAction>("undo").isEnabled());
    QGuiApplication::clipboard()->setText(QStringLiteral("strategylab:?replicas=3&dataset=digits"));
    desk.part<QAction>("pasteLink").trigger();
    QCOMPARE(desk.replicas(), 3);
    QVERIFY(!desk.part<QAction>("undo").isEnabled());
  }

  void filesAndLinksAreDropped() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    desk.set("replicas", "4");
    QVERIFY(desk.bench.document().saveAs(path));
    desk.set("replicas", "2");
    QVERIFY(desk.bench.document().saveAs(folder.filePath(QStringLiteral("b.slab"))));
    QMimeData file;
    file.setUrls({QUrl::fromLocalFile(path)});
    QVERIFY(desk.drop(file));
    QCOMPARE(desk.replicas(), 4);
    QMimeData link;
    link.setText(QStringLiteral("strategylab:?replicas=3&dataset=digits"));
    QVERIFY(desk.drop(link));
    QCOMPARE(desk.replicas(), 3);
    QMimeData text;
    text.setText(QStringLiteral("something else"));
    QVERIFY(!desk.drop(text));
  }

  // Recordings and tables all join; of files that take the window's place the first is opened, and the rest is named.
  void severalFilesAreDropped() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const auto path = [&folder](const char* name) { return folder.filePath(QLatin1String(name)); };
    const auto drop = [&](const std::vector<const char*>& names) {
      QMimeData data;
      QList<QUrl> urls;
      for (const char* name : names) urls << QUrl::fromLocalFile(path(name));
      data.setUrls(urls);
      return desk.drop(data);
    };
    const auto write = [&](const char* name, const std::string& text) {
      QFile file(path(name));
      return file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(text)) > 0;
    };
    desk.set("replicas", "4");
    QVERIFY(desk.bench.document().saveAs(path("a.slab")));
    desk.set("replicas", "2");
    QVERIFY(desk.bench.document().saveAs(path("b.slab")));
    KeptRun run;
    run.resolved = desk.window.experiment().resolved();
    run.header.emplace();
    run.metrics = test::madeUpMetrics(40);
    RunFiles::write(run, QStringLiteral("r"), path("one.run"));
    QVERIFY(write("curves.csv", metricsCsv(std::vector<CsvRun>{{"r", metricsOf(run)}})));
    QVERIFY(drop({"one.run", "a.slab", "curves.csv", "b.slab"}));
    QCOMPARE(desk.replicas(), 4);
    QVERIFY(desk.said(QStringLiteral("a.slab was taken")) && desk.said(QStringLiteral("themselves: b.slab.")));
    QVERIFY(test::hasRead(desk.bench.document()));
    std::vector<QString> joined;
    for (const KeptRun& kept : desk.window.library().runs())
      if (!kept.source.isEmpty()) joined.push_back(kept.source);
    QCOMPARE(joined, (std::vector<QString>{path("one.run"), path("curves.csv")}));
    QVERIFY(desk.window.findChild<DataDialog*>() == nullptr);
    // Files of no known name are taken for examples, as before.
    QVERIFY(write("mine-0", "0") && write("mine-1", "1") && drop({"mine-0", "mine-1"}));
    QVERIFY(desk.window.findChild<DataDialog*>() != nullptr);
  }

  void aTableOfOursIsDroppedAsCurves() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const auto write = [&](const QString& name, const std::string& text) {
      QFile file(folder.filePath(name));
      (void)file.open(QIODevice::WriteOnly);
      file.write(QByteArray::fromStdString(text));
      auto data = std::make_unique<QMimeData>();
      data->setUrls({QUrl::fromLocalFile(file.fileName())});
      return data;
    };
    KeptRun run;
    run.metrics = test::madeUpMetrics(40);
    const std::string table = metricsCsv(std::vector<CsvRun>{{"r", metricsOf(run)}});
    RunLibrary& library = desk.window.library();
    const std::size_t before = library.runs().size();
    const auto dropped = [&](const QString& name, const std::string& text) {
      return desk.drop(*write(name, text)) && test::hasRead(desk.bench.document());
    };
    QVERIFY(dropped(QStringLiteral("yesterday.csv"), table));
    QCOMPARE(library.runs().size(), before + 1);
    const KeptRun* curve = nullptr;
    for (const KeptRun& kept : library.runs())
      if (kept.name == QStringLiteral("yesterday")) curve = &kept;
    QVERIFY(curve != nullptr && curve->shown && curve->id != library.presentId());
    QCOMPARE(metricsCsv(std::vector<CsvRun>{{"r", metricsOf(*curve)}}), table);
    const MetricChart& chart = desk.window.views().charts().chart(Quantity::Loss);
    QTRY_COMPARE_WITH_TIMEOUT(chart.shownPoints(curve->id, ChartLines::Kind::Each).size(), 40, kPatienceMs);
    // The settings of a run from a table are unknown: none counts as different, and the run cannot be repeated.
    for (const ConfigField* field : differingFields(library.runs())) QVERIFY2(false, field->name.c_str());
    const auto asked = configToJson(desk.window.experiment().asked());
    library.repeat(curve->id);
    QVERIFY(configToJson(desk.window.experiment().asked()) == asked);
    // A bad table changes nothing, and the message names its line.
    std::string bad = table;
    bad.replace(bad.find("0.001"), 5, "small");
    QVERIFY(dropped(QStringLiteral("bad.csv"), bad));
    QCOMPARE(library.runs().size(), before + 1);
    const auto words = [&] {
      QStringList all;
      for (const QLabel* label : desk.window.findChildren<QLabel*>(QStringLiteral("banner"))) all << label->text();
      return all.join(QLatin1Char('\n'));
    };
    QVERIFY2(words().contains(QStringLiteral("bad.csv', line 2: 'small'")), qPrintable(words()));
    QVERIFY(dropped(QStringLiteral("numbers.csv"), "1,2\n3,4\n"));
    QVERIFY2(words().contains(QStringLiteral("numbers.csv', line 1: ")), qPrintable(words()));
    QCOMPARE(library.runs().size(), before + 1);
  }

  // The dialog for a table that the program's start names appears before the window, not behind it.
  // Curves, recordings and tables only come to what is there; an experiment takes its place.
  void whatIsOnlyAddedLeavesUndoAlone() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString curves = folder.filePath(QStringLiteral("curves.csv")),
                  recording = folder.filePath(QStringLiteral("a.run")),
                  table = folder.filePath(QStringLiteral("table.csv")),
                  experiment = folder.filePath(QStringLiteral("a.slab"));
    QVERIFY(desk.bench.document().saveAs(experiment));
    KeptRun run;
    run.resolved = desk.window.experiment().resolved();
    run.header.emplace();
    run.metrics = test::madeUpMetrics(40);
    RunFiles::write(run, QStringLiteral("r"), recording);
    for (const auto& [path, text] : {std::pair{curves, metricsCsv(std::vector<CsvRun>{{"r", metricsOf(run)}})},
                                     {table, std::string("epoch,loss\n1,0.5\n2,0.4\n")}}) {
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray::fromStdString(text));
    }
    desk.press(Qt::Key_Plus, Qt::NoModifier);
    QCOMPARE(desk.replicas(), 3);
    for (const QString& path : {curves, recording, table}) {
      QVERIFY2(desk.bench.files().open(path) && test::hasRead(desk.bench.document()), qPrintable(path));
      QVERIFY2(desk.part<QAction>("undo").isEnabled(), qPrintable(path));
    }
    desk.part<QAction>("undo").trigger();  // by the menu, as the table's plot has the keys now
    QCOMPARE(desk.replicas(), 2);
    desk.set("replicas", "5");
    QVERIFY(desk.part<QAction>("undo").isEnabled());
    QVERIFY(desk.bench.files().open(experiment));
    QVERIFY(!desk.part<QAction>("undo").isEnabled());
  }

  void aTableOfTheStartIsBeforeTheWindow() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("log.csv"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("loss,epoch\n0.5,0\n0.25,1\n") > 0);
    file.close();
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    RunController controller;
    MainWindow window(controller);
    Workbench bench(window, settings);
    QVERIFY(bench.files().open(path));
    QVERIFY(window.findChild<QDialog*>(QStringLiteral("tablePlot")) == nullptr);  // a dialog shown now would lie below
    window.show();
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QDialog*>(QStringLiteral("tablePlot")) != nullptr, kPatienceMs);
    const auto* dialog = window.findChild<QDialog*>(QStringLiteral("tablePlot"));
    QVERIFY(dialog->isVisible());
  }

  // Any other table is plotted with columns that the user chooses; the table does not become a run.
  void anyTableIsPlotted() {
    language::use(QStringLiteral("en"));  // loads the English plurals
    const QTemporaryDir folder;
    Desk desk(folder);
    const std::size_t before = desk.window.library().runs().size();
    const QString path = folder.filePath(QStringLiteral("log.csv"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("name,loss,epoch,val_loss\na,0.5,0,0.75\nb,0.25,1,\nc,0.125,2,0.5\n");
    file.close();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QVERIFY(desk.drop(data) && test::hasRead(desk.bench.document()));
    auto* dialog = desk.window.findChild<QDialog*>(QStringLiteral("tablePlot"));
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QVERIFY(dialog->windowTitle().contains(QStringLiteral("log.csv")));
    QCOMPARE(desk.window.library().runs().size(), before);
    auto* x = dialog->findChild<QComboBox*>(QStringLiteral("tableX"));
    auto* y = dialog->findChild<QListWidget*>(QStringLiteral("tableY"));
    auto* curves = dialog->findChild<SeriesChart*>();
    const auto shown = [curves] {
      QStringList all;
      for (const SeriesChart::Series& line : curves->series()) {
        QString text = line.name;
        for (std::size_t i = 0; i < line.curve.size(); ++i)
          text += QStringLiteral(" %1:%2").arg(line.curve.x(i)).arg(line.curve.y(i));
        all << text;
      }
      return all;
    };
    QCOMPARE(x->currentText(), QStringLiteral("epoch"));
    QCOMPARE(y->count(), 3);
    QCOMPARE(shown(), QStringList{QStringLiteral("loss 0:0.5 1:0.25 2:0.125")});
    y->item(2)->setCheckState(Qt::Checked);
    QCOMPARE(shown(),
             (QStringList{QStringLiteral("loss 0:0.5 1:0.25 2:0.125"), QStringLiteral("val_loss 0:0.75 2:0.5")}));
    QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("tableNote"))
                ->text()
                .contains(QStringLiteral("1 cell holds no number")));
    x->setCurrentText(QStringLiteral("loss"));  // values fall, but the plot still goes from left to right
    QCOMPARE(shown().last(), QStringLiteral("val_loss 0.125:0.5 0.5:0.75"));
    for (int i = 0; i < y->count(); ++i) y->item(i)->setCheckState(Qt::Unchecked);
    QVERIFY(shown().isEmpty());
  }

  // Whatever its name: a file system has room for 255 bytes, and two runs may have one name.
  void aRunDraggedOutIsAFileOfItsOwn() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto* out = desk.bench.findChild<DragOut*>();
    RunLibrary& library = desk.window.library();
    library.rename(library.presentId(), QString(100, QChar(0x6F22)));  // 300 bytes
    const QString written = out->dataOf(library.presentId())->urls().value(0).toLocalFile();
    QVERIFY2(QFileInfo(written).isFile(), qPrintable(written));
    QVERIFY(desk.bench.document().open(written) && test::hasRead(desk.bench.document()));
    const auto opened = std::ranges::find(library.runs(), written, &KeptRun::source);
    QVERIFY(opened != library.runs().end());
    const int id = opened->id;
    // An unchanged recording is its file, with whatever else is in it.
    QCOMPARE(out->dataOf(id)->urls().value(0).toLocalFile(), written);
    library.annotate(id, QStringLiteral("noted"));
    const QString noted = out->dataOf(id)->urls().value(0).toLocalFile();
    QVERIFY2(noted != written && QFileInfo(noted).isFile(), qPrintable(noted));
    QCOMPARE(QFileInfo(noted).fileName(), QFileInfo(written).fileName());
  }

  void runsAndChartsAreDraggedOut() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto* out = desk.bench.findChild<DragOut*>();
    QVERIFY(out != nullptr);
    RunLibrary& library = desk.window.library();
    library.rename(library.presentId(), QStringLiteral("a/b: c"));
    const auto run = out->dataOf(library.presentId());
    QVERIFY(run != nullptr && run->hasUrls() && run->hasText());
    QVERIFY(run->text().startsWith(QStringLiteral("a/b: c: ")));
    QVERIFY(run->text().contains(QStringLiteral("strategylab:?")));
    const QList<QUrl> files = run->urls();
    QCOMPARE(files.size(), 1);
    QVERIFY2(files[0].fileName().endsWith(QStringLiteral(".run")), qPrintable(files[0].toString()));
    const std::size_t before = library.runs().size();
    QVERIFY(desk.bench.document().open(files[0].toLocalFile()) && test::hasRead(desk.bench.document()));
    QCOMPARE(library.runs().size(), before + 1);

    MetricChart& chart = desk.window.views().charts().chart(Quantity::Loss);
    const auto data = out->dataOf(chart);
    QVERIFY(data->hasImage() && data->hasFormat(QStringLiteral("text/csv")));
    QStringList endings;
    for (const QUrl& url : data->urls()) {
      endings << url.fileName().section(QLatin1Char('.'), -1);
      QVERIFY(QFileInfo(url.toLocalFile()).size() > 0);
    }
    QCOMPARE(endings, (QStringList{QStringLiteral("png"), QStringLiteral("csv")}));
    QVERIFY(!QImage(data->urls().constFirst().toLocalFile()).isNull());
    (void)parseMetricsCsv(data->data(QStringLiteral("text/csv")).toStdString(), "chart");
    // A chart is dragged out by its head; in its plot, dragging pans.
    desk.window.workspaces().choose(WindowLayout::Explore);
    QSignalSpy wanted(&chart, &MetricChart::dragWanted);
    QObject::disconnect(&chart, &MetricChart::dragWanted, out, nullptr);  // the slot would wait for the drop
    QTest::mousePress(&chart, Qt::LeftButton, {}, QPoint(20, 8));
    QTest::mouseMove(&chart, QPoint(22, 9));
    QCOMPARE(wanted.size(), 0);
    QTest::mouseMove(&chart, QPoint(90, 30));
    QCOMPARE(wanted.size(), 1);
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, QPoint(90, 30));
    QVERIFY(!chart.ranges().isZoomed());
  }

  // Pupils may play with every control, and each change begins a run: kept data must stay bounded.
  void whatIsKeptIsBounded() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.bench.undo().setMergeMs(0);
    const char* const strategies[] = {"mirrored", "parameter-server", "tpu", "central-storage"};
    for (int i = 0; i < 2 * SettingsUndo::kMostSteps; ++i) {
      if (i % 2 == 0)
        desk.set("strategy", strategies[i / 2 % 4]);
      else
        desk.set("replicas", QByteArray::number(2 + i / 2 % 3).constData());
      if (i % 50 == 0) {  // some of the runs train
        desk.controller.requestStep(3);
        QTRY_VERIFY_WITH_TIMEOUT(desk.controller.liveStep() >= 3, kPatienceMs);
      }
      QVERIFY(desk.bench.undo().stack().count() <= SettingsUndo::kMostSteps);
      QVERIFY(desk.window.library().runs().size() <= RunLibrary::kMostRuns);
      QVERIFY(desk.controller.records().kept().bytes() <= RecordStore::kDefaultBudget ||
              desk.controller.records().kept().size() <= RecordStore::kFewest);
    }
    QCOMPARE(desk.bench.undo().stack().count(), SettingsUndo::kMostSteps);
  }

  void picturesAndTracesAreDropped() {
    const QTemporaryDir folder;
    Desk desk(folder);
    QImage picture(60, 90, QImage::Format_RGB32);
    picture.fill(Qt::white);
    for (int y = 10; y < 80; ++y)
      for (int x = 25; x < 35; ++x) picture.setPixel(x, y, qRgb(0, 0, 0));
    const QString path = folder.filePath(QStringLiteral("one.png"));
    QVERIFY(picture.save(path));
    QMimeData file;
    file.setUrls({QUrl::fromLocalFile(path)});
    QVERIFY(desk.drop(file));
    auto* tryOut = desk.window.findChild<TryOut*>();
    QVERIFY(tryOut->isVisible());
    const std::vector<std::uint8_t> digit = tryOut->findChild<DigitPad*>()->example().pixels;
    QVERIFY(digit[28 * 14 + 14] > 200 && digit[28 * 14 + 4] == 0);  // the stroke, not the paper
    QTRY_VERIFY_WITH_TIMEOUT(tryOut->answer() >= 0, kPatienceMs);
    const QString name = folder.filePath(QStringLiteral("t.json"));
    TracePanel* const trace = exportTrace(desk, name);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(name), kPatienceMs);
    QCOMPARE(desk.window.statusBar()->currentMessage(), QStringLiteral("Saved: ") + name);
    file.setUrls({QUrl::fromLocalFile(name)});
    QVERIFY(desk.drop(file));
    QTRY_VERIFY_WITH_TIMEOUT(trace->isFileShown(), kPatienceMs);
  }

  void aFailedSaveEndsTheMessageOfTheSaveBefore() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString saved = folder.filePath(QStringLiteral("a.slab"));
    QVERIFY(desk.bench.document().saveAs(saved));
    QVERIFY(desk.window.statusBar()->currentMessage().contains(saved));
    QVERIFY(!desk.bench.document().saveAs(folder.filePath(QStringLiteral("missing/b.slab"))));
    QCOMPARE(desk.window.statusBar()->currentMessage(), QString());
  }

  void openBeginsBesideTheLastFile() {
    const QTemporaryDir folder, last;
    Desk desk(folder);
    desk.settings.setValue(QStringLiteral("recentFiles"), QStringList{last.filePath(QStringLiteral("a.run"))});
    desk.part<QAction>("open").trigger();
    const auto* dialog = desk.window.findChild<QFileDialog*>(QStringLiteral("openDialog"));
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->directory().canonicalPath(), QDir(last.path()).canonicalPath());
    delete dialog;
  }

  // File > Open takes what a drop takes. An experiment may have any name.
  void openTakesWhatADropTakes() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const auto open = [&](const QString& path) {
      desk.part<QAction>("open").trigger();
      auto* dialog = desk.window.findChild<QFileDialog*>(QStringLiteral("openDialog"));
      QVERIFY(dialog != nullptr);
      Q_EMIT dialog->fileSelected(path);
      delete dialog;
    };
    const QString name = folder.filePath(QStringLiteral("t.json"));
    TracePanel* const trace = exportTrace(desk, name);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(name), kPatienceMs);
    open(name);
    QTRY_VERIFY_WITH_TIMEOUT(trace->isFileShown(), kPatienceMs);
    const QString saved = folder.filePath(QStringLiteral("saved.json"));
    QVERIFY(desk.bench.document().saveAs(saved));
    desk.bench.document().begin();
    QVERIFY(desk.bench.document().path().isEmpty());
    open(saved);
    QCOMPARE(desk.bench.document().path(), QFileInfo(saved).absoluteFilePath());
    const NeuralNetwork& network = courseNetwork();
    std::vector<float> weights(static_cast<std::size_t>(network.layout().size()));
    network.initialize(77, weights);
    const QString kept = folder.filePath(QStringLiteral("kept.safetensors"));
    writeSafetensors(kept.toStdString(), weightsToTensors(network.layout(), weights));
    open(kept);
    QCOMPARE(QString::fromStdString(desk.window.experiment().asked().init), kept);
  }

  void closingAsksForWhatIsNotSaved() {
    const QTemporaryDir folder;
    Desk desk(folder);
    QVERIFY(desk.bench.document().saveAs(folder.filePath(QStringLiteral("a.slab"))));
    desk.set("replicas", "4");
    QVERIFY(!desk.window.close());
    auto* question = desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore"));
    QVERIFY(question != nullptr && question->isVisible());
    QTest::mouseClick(question->button(QMessageBox::Cancel), Qt::LeftButton);
    QVERIFY(desk.window.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore")) == nullptr, kPatienceMs);
    QVERIFY(!desk.window.close());
    question = desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore"));
    QTest::mouseClick(question->button(QMessageBox::Save), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.window.isVisible(), kPatienceMs);
    QVERIFY(!desk.bench.document().isModified());
  }

  // What was discarded is not there at the next start.
  void discardedChangesDoNotComeBack() {
    const QTemporaryDir folder;
    const QString kept = folder.filePath(QStringLiteral("kept")), path = folder.filePath(QStringLiteral("a.slab"));
    {
      Desk desk(folder);
      desk.bench.session().keep(kept);
      QVERIFY(desk.bench.document().saveAs(path));
      QCOMPARE(desk.replicas(), 2);
      desk.set("replicas", "4");
      QVERIFY(!desk.window.close());
      auto* question = desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore"));
      QTest::mouseClick(question->button(QMessageBox::Discard), Qt::LeftButton);
      QTRY_VERIFY_WITH_TIMEOUT(!desk.window.isVisible(), kPatienceMs);
    }
    Desk desk(folder);
    desk.bench.session().keep(kept);
    QVERIFY(desk.bench.session().restore());
    QCOMPARE(desk.bench.document().path(), path);
    QVERIFY(!desk.bench.document().isModified());
    QCOMPARE(desk.replicas(), 2);
  }

  // The sweep's form has the plan of the opened file, so an edit of the form changes the file.
  void anEditedPlanIsAChangeOfItsFile() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString path = folder.filePath(QStringLiteral("plan.slab"));
    saveSweep(classroomSweep(), path);
    QVERIFY(desk.bench.files().open(path));
    QVERIFY(!desk.bench.document().isModified());
    desk.part<QLineEdit>("sweepRowValues").setText(QStringLiteral("1, 2"));
    QTRY_VERIFY_WITH_TIMEOUT(desk.bench.document().isModified(), kPatienceMs);
    QVERIFY(!desk.window.close());
    auto* question = desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore"));
    QVERIFY(question != nullptr && question->button(QMessageBox::Save) != nullptr);
    QTest::mouseClick(question->button(QMessageBox::Save), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.window.isVisible(), kPatienceMs);
    const SweepRequest saved = readSweep(path);
    QVERIFY(saved.plan.replicas == (std::vector<std::int64_t>{1, 2}));
    QVERIFY(requestToJson(saved) == requestToJson(desk.window.findChild<SweepView*>()->request()));
  }

  // The form waits a moment for the next key. What is asked for, saved or closed meanwhile has the edit all the same.
  void anEditOfTheLastMomentIsSaved() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString path = folder.filePath(QStringLiteral("plan.slab"));
    saveSweep(classroomSweep(), path);
    QVERIFY(desk.bench.files().open(path));
    auto& values = desk.part<QLineEdit>("sweepRowValues");
    values.setText(QStringLiteral("1, 2"));
    QVERIFY(desk.bench.document().isModified());
    values.setText(QStringLiteral("1, 8"));
    const ExperimentFile shared = parseExperiment(desk.bench.document().text().toStdString(), "for a phone");
    QVERIFY(requestFromJson(shared.others.at(kSweepKey)).plan.replicas == (std::vector<std::int64_t>{1, 8}));
    values.setText(QStringLiteral("1, 2"));
    desk.part<QAction>("save").trigger();
    QVERIFY(readSweep(path).plan.replicas == (std::vector<std::int64_t>{1, 2}));
    values.setText(QStringLiteral("1, 4"));
    QVERIFY(!desk.window.close());
    auto* question = desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore"));
    QVERIFY(question != nullptr && question->button(QMessageBox::Save) != nullptr);
    QTest::mouseClick(question->button(QMessageBox::Save), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.window.isVisible(), kPatienceMs);
    QVERIFY(readSweep(path).plan.replicas == (std::vector<std::int64_t>{1, 4}));
  }

  // New, a recent file, a dropped file and a pasted link take the place of the file, so they ask as closing does. What
  // only comes to it, or is untitled, is not asked for.
  void leavingAFileAsksForWhatIsNotSaved() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString changed = folder.filePath(QStringLiteral("a.slab")),
                  other = folder.filePath(QStringLiteral("b.slab"));
    Document& document = desk.bench.document();
    const auto question = [&] { return desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore")); };
    const auto answer = [&](QMessageBox::StandardButton button) {
      QTest::mouseClick(question()->button(button), Qt::LeftButton);
      return QTest::qWaitFor([&] { return question() == nullptr; }, kPatienceMs);
    };
    QVERIFY(document.saveAs(other));
    QMimeData dropped;
    dropped.setUrls({QUrl::fromLocalFile(other)});
    const QString link = QStringLiteral("strategylab:?replicas=3&dataset=digits");
    const auto openRecent = [&] {
      auto& recent = desk.part<QMenu>("recentMenu");
      Q_EMIT recent.aboutToShow();
      for (QAction* action : recent.actions())
        if (action->toolTip() == other) action->trigger();
    };
    const std::vector<std::function<void()>> acts{[&] { desk.part<QAction>("new").trigger(); }, openRecent,
                                                  [&] { desk.drop(dropped); },
                                                  [&] {
                                                    QGuiApplication::clipboard()->setText(link);
                                                    desk.part<QAction>("pasteLink").trigger();
                                                  }};
    for (std::size_t i = 0; i < acts.size(); ++i) {
      const std::string row = "act " + std::to_string(i);
      desk.set("replicas", "2");
      QVERIFY2(document.saveAs(changed), row.c_str());
      desk.set("replicas", "5");
      acts[i]();
      QVERIFY2(question() != nullptr && question()->text().contains(QStringLiteral("a.slab")), row.c_str());
      QVERIFY2(answer(QMessageBox::Cancel) && document.path() == changed && desk.replicas() == 5, row.c_str());
      acts[i]();
      QVERIFY2(question() != nullptr && answer(QMessageBox::Save), row.c_str());
      QVERIFY2(document.path() != changed && readExperiment(changed.toStdString()).config.replicas == 5, row.c_str());
    }
    QVERIFY(document.path().isEmpty());  // the link's
    desk.set("replicas", "4");
    desk.part<QAction>("new").trigger();
    QVERIFY(question() == nullptr);
    desk.set("replicas", "2");
    QVERIFY(document.saveAs(changed));
    desk.set("replicas", "5");
    QGuiApplication::clipboard()->setText(QStringLiteral("hello"));
    desk.part<QAction>("pasteLink").trigger();
    QVERIFY(question() == nullptr && desk.said(QStringLiteral("no link")));
    desk.part<QAction>("new").trigger();
    QVERIFY(question() != nullptr && answer(QMessageBox::Discard));
    QVERIFY(document.path().isEmpty() && desk.replicas() != 5);
    QCOMPARE(readExperiment(changed.toStdString()).config.replicas, std::optional<std::int64_t>(2));
  }

  // Closing asks in plain words what would be lost, and Enter stays; it asks nothing if nothing would be lost.
  void closingAsksForWhatIsLost() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const auto question = [&] { return desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore")); };
    const auto asks = [&](const QString& words) {
      if (desk.window.close() || question() == nullptr) return false;
      const bool said = question()->text().contains(words);
      if (!said) qWarning("%s", qPrintable(question()->text()));
      QTest::keyClick(question(), Qt::Key_Return);
      return QTest::qWaitFor([&] { return question() == nullptr; }, kPatienceMs) && desk.window.isVisible() && said;
    };
    desk.window.playback().goTo(3);
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.playback().step() == 3 && desk.controller.isAtRest(), kPatienceMs);
    QVERIFY(asks(QStringLiteral("paused at step 3")));
    // Between two steps of a movie that plays, the trainer waits, but nobody has paused.
    desk.window.playback().play();
    QVERIFY(asks(QStringLiteral("Training is under way")));
    desk.window.playback().pause();
    desk.window.experiment().again();
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.playback().step() == 1 && desk.controller.isAtRest(), kPatienceMs);
    desk.part<QAction>("exportMovie").trigger();
    auto* movie = desk.window.findChild<MovieDialog*>();
    movie->findChild<QComboBox*>(QStringLiteral("movieSize"))->setCurrentIndex(4);  // the smallest
    movie->findChild<QComboBox*>(QStringLiteral("movieRate"))->setCurrentIndex(0);
    movie->make(folder.filePath(QStringLiteral("a.gif")));
    QVERIFY(movie->isMaking());
    QVERIFY(asks(QStringLiteral("A movie is being written")));
    QTRY_VERIFY_WITH_TIMEOUT(!movie->isMaking(), kPatienceMs);
    movie->close();
    desk.window.workspaces().choose(WindowLayout::Sweep);
    auto& sweep = *desk.window.findChild<SweepView*>();
    sweep.setRequest(classroomSweep());
    QTRY_VERIFY_WITH_TIMEOUT(desk.part<QToolButton>("sweepStart").isEnabled(), kPatienceMs);
    for (const char* button : {"sweepStart", "sweepPause"})
      QTest::mouseClick(&desk.part<QToolButton>(button), Qt::LeftButton);
    QVERIFY(sweep.run().isRunning());
    QVERIFY(asks(QStringLiteral("A sweep is under way: 0 of 180 runs")));
    QTest::mouseClick(&desk.part<QToolButton>("sweepCancel"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!sweep.run().isRunning(), kPatienceMs);
    QVERIFY(desk.window.close());
  }

  // The session cannot be stored when the window is closed, and later it can: each closing asks and tells again.
  void aClosingThatFailedIsNotTheAnswerToTheNext() {
    const QTemporaryDir folder;
    test::BadDisk disk(test::BadDisk::Kind::SizeLimit);
    Desk desk(folder);
    desk.bench.session().keep(folder.filePath(QStringLiteral("kept")));
    desk.storeAfter(kPatienceMs);
    const auto question = [&] { return desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore")); };
    const QString told = QStringLiteral("Close the window again");
    for (const std::int64_t step : {3, 5}) {
      desk.window.playback().goTo(step);
      QTRY_VERIFY_WITH_TIMEOUT(desk.window.playback().step() == step && desk.controller.isAtRest(), kPatienceMs);
      QVERIFY(!desk.window.close());
      QVERIFY(question() != nullptr && question()->text().contains(QStringLiteral("paused at step")));
      QVERIFY(disk.breakIt());
      for (QAbstractButton* button : question()->buttons())
        if (question()->buttonRole(button) == QMessageBox::AcceptRole) QTest::mouseClick(button, Qt::LeftButton);
      disk.mendIt();
      QVERIFY(desk.window.isVisible());
      QVERIFY(desk.said(told));
      QTRY_VERIFY_WITH_TIMEOUT(question() == nullptr, kPatienceMs);
      // The session is stored by itself, as soon as it can be.
      desk.set("learning-rate", step == 3 ? "0.02" : "0.03");
      QTRY_VERIFY_WITH_TIMEOUT(desk.window.playback().record() != nullptr, kPatienceMs);
      desk.storeAfter(kSoonMs);
      QTRY_VERIFY_WITH_TIMEOUT(!desk.said(told), kPatienceMs);
      desk.storeAfter(kPatienceMs);
    }
    QVERIFY(desk.quit());
  }

  void theWindowIsExported() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const auto exported = [&](const char* act, const char* name) {
      desk.part<QAction>(act).trigger();
      auto* dialog = desk.window.findChild<QFileDialog*>(QStringLiteral("exportDialog"));
      const QString path = folder.filePath(QLatin1String(name));
      Q_EMIT dialog->fileSelected(path);
      delete dialog;
      QFile file(path);
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(QImage::fromData(exported("exportPng", "w.png"), "PNG").width() >= desk.window.width());
    const QByteArray pdf = exported("exportPdf", "w.pdf");
    QVERIFY(pdf.startsWith("%PDF-") && pdf.size() > 10'000);
    QVERIFY(!pdf.contains("/DCTDecode"));  // a JPEG would change the colours, which stand for values
    // The stage is lines and words, not a picture of its pixels.
    const QSize pixels = (QSizeF(desk.window.stage().size()) * desk.window.devicePixelRatioF()).toSize();
    const QByteArray picture =
        QStringLiteral("/Width %1\n/Height %2\n").arg(pixels.width()).arg(pixels.height()).toLatin1();
    QVERIFY2(!pdf.contains(picture), picture.constData());
    QVERIFY(exported("exportPng", "none/w.png").isEmpty());
    const auto labels = desk.window.findChildren<QLabel*>(QStringLiteral("banner"));
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains(QStringLiteral("Cannot write"));
    }));
    desk.press(Qt::Key_C);
    QVERIFY(!QGuiApplication::clipboard()->pixmap().isNull());
  }

  // The poster shows the step that was on the stage when the user asked, on the chosen page.
  void aStepBecomesAPoster() {
    const QTemporaryDir folder;
    Desk desk(folder);
    for (const auto& [page, box] : {std::pair{0, "[0 0 1191.000000 842"}, {1, "[0 0 1191.000000 670"}}) {
      desk.part<QAction>("exportPoster").trigger();
      auto* dialog = desk.window.findChild<QFileDialog*>(QStringLiteral("exportDialog"));
      QCOMPARE(dialog->nameFilters().size(), 4);
      dialog->selectNameFilter(dialog->nameFilters().at(page));
      QFile file(folder.filePath(QStringLiteral("p%1.pdf").arg(page)));
      Q_EMIT dialog->fileSelected(file.fileName());
      delete dialog;
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray pdf = file.readAll();
      QVERIFY2(pdf.startsWith("%PDF-") && pdf.contains(box), pdf.mid(pdf.indexOf("/MediaBox"), 60).constData());
    }
    desk.part<QAction>("exportPoster").trigger();
    auto* dialog = desk.window.findChild<QFileDialog*>(QStringLiteral("exportDialog"));
    Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("none/p.pdf")));
    delete dialog;
    QVERIFY(desk.said(QStringLiteral("Cannot write")));
  }

  void aPosterNeedsAStep() {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    RunController controller;
    MainWindow window(controller);
    const Workbench bench(window, settings);
    window.show();
    window.findChild<QAction*>(QStringLiteral("exportPoster"))->trigger();
    QVERIFY(window.findChild<QFileDialog*>(QStringLiteral("exportDialog")) == nullptr);
    const auto labels = window.findChildren<QLabel*>(QStringLiteral("banner"));
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
      return label->text().contains(QStringLiteral("There is no step on the stage yet"));
    }));
  }

  void theLayoutIsResetAndLocked() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& dock = desk.part<QDockWidget>("evidencePanel");
    desk.window.workspaces().choose(WindowLayout::Explore);
    dock.setFloating(true);
    desk.part<QAction>("resetLayout").trigger();
    QVERIFY(!dock.isFloating() && dock.isVisible());
    desk.window.workspaces().choose(WindowLayout::Teach);
    desk.part<QAction>("lockLayout").trigger();
    QCOMPARE(dock.features(), QDockWidget::NoDockWidgetFeatures);
    // The panel's key and button do nothing while the layout is locked, and say why.
    auto& key = desk.part<QAction>("evidencePanelAct");
    QVERIFY(!key.isEnabled());
    QVERIFY(key.toolTip().contains(QStringLiteral("locked")));
    desk.part<QAction>("lockLayout").trigger();
    QVERIFY(key.isEnabled());
    QVERIFY(!key.toolTip().contains(QStringLiteral("locked")));
    QVERIFY(dock.features().testFlag(QDockWidget::DockWidgetMovable));
  }

  void settingsThatCannotBeStoredAreTold() {
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("settings.ini")));
    Desk desk(folder);
    desk.settings.setValue(QStringLiteral("lessons/ring"), QStringList{QStringLiteral("1")});
    desk.bench.session().keep(folder.filePath(QStringLiteral("kept")));
    QVERIFY(desk.said(QStringLiteral("progress in lessons cannot be stored")));
    QVERIFY(desk.said(folder.filePath(QStringLiteral("settings.ini"))));
  }

  void settingsThatAreNoNumbersAreLeftOut() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("settings.ini")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[charts]\naxis=1\nsmoothing=nan\nlogarithmic=true\n");
    file.close();
    Desk desk(folder);
    desk.bench.session().restoreWindow();
    desk.window.panels().openTab(QStringLiteral("chartsTab"));
    auto* charts = desk.window.findChild<ChartPanel*>();
    QVERIFY(charts != nullptr);
    charts->refresh();
    QVERIFY(charts->options() == (ChartOptions{XAxis::Epochs, 0, true}));
  }

  // The Delete key takes imported curves and notes too: a button brings them back as they were.
  void deletedRunsCanBeBroughtBack() {
    const QTemporaryDir folder;
    Desk desk(folder);
    RunLibrary& library = desk.window.library();
    const std::vector<Metric> metrics{StepMetric{.step = 1, .loss = 2}, StepMetric{.step = 2, .loss = 1}};
    const int first = library.add(metrics, QStringLiteral("theirs"), QStringLiteral("theirs.csv"));
    const int second = library.add(metrics, QStringLiteral("ours"), QStringLiteral("ours.csv"));
    library.annotate(first, QStringLiteral("the good one"));
    const int colour = library.find(first)->colour;
    library.setBaseline(first);
    const std::size_t before = library.runs().size();
    library.remove({first, second});
    QCOMPARE(library.runs().size(), before - 2);
    QVERIFY(desk.said(QStringLiteral("2 runs were deleted")));
    QTest::mouseClick(desk.remedy(), Qt::LeftButton);
    QCOMPARE(library.runs().size(), before);
    const auto back = std::ranges::find(library.runs(), QStringLiteral("theirs"), &KeptRun::name);
    QVERIFY(back != library.runs().end() && back->note == QStringLiteral("the good one"));
    QCOMPARE(back->colour, colour);
    QCOMPARE(library.baselineId(), back->id);
    QCOMPARE(back->metrics->steps.size(), std::size_t{2});
    QVERIFY(!desk.said(QStringLiteral("deleted")));
  }

  // Undo brings back the runs that were deleted last before it takes back an earlier change.
  void deletedRunsComeBackByUndo() {
    const QTemporaryDir folder;
    Desk desk(folder);
    RunLibrary& library = desk.window.library();
    QUndoStack& stack = desk.bench.undo().stack();
    const std::vector<Metric> metrics{StepMetric{.step = 1, .loss = 2}};
    const int first = library.add(metrics, QStringLiteral("theirs"), QStringLiteral("theirs.csv"));
    const int second = library.add(metrics, QStringLiteral("ours"), QStringLiteral("ours.csv"));
    library.setBaseline(second);
    const std::size_t before = library.runs().size();
    const auto isComplete = [&] {
      const KeptRun* baseline = library.find(library.baselineId());
      return library.runs().size() == before && baseline != nullptr && baseline->name == QStringLiteral("ours");
    };
    library.remove({first, second});
    desk.part<QAction>("undo").trigger();
    QVERIFY(isComplete());
    QVERIFY(!desk.said(QStringLiteral("deleted")));
    stack.redo();
    QCOMPARE(library.runs().size(), before - 2);
    stack.undo();
    QVERIFY(isComplete());
    // Neither the button nor undo brings back what the other has.
    library.remove(library.baselineId());
    stack.push(new QUndoCommand(QStringLiteral("another change")));
    QTest::mouseClick(desk.remedy(), Qt::LeftButton);
    QVERIFY(isComplete());
    stack.undo();
    stack.undo();
    QVERIFY(isComplete());
  }

  // Opening a file's moment or a trace neither rearranges panels for good nor overwrites preferences.
  void whatIsOpenedChangesNoPreference() {
    const QTemporaryDir folder;
    {
      Desk desk(folder);
      MainWindow& window = desk.window;
      desk.bench.session().keep(folder.filePath(QStringLiteral("kept")));
      const QString path = folder.filePath(QStringLiteral("a.slab"));
      window.workspaces().choose(WindowLayout::Profile);
      window.looks().setTheme(theme::Kind::Dark);
      QVERIFY(desk.bench.document().saveAs(path));
      window.workspaces().choose(WindowLayout::Teach);
      window.looks().setTheme(theme::Kind::Light);
      const QWidget& evidence = desk.part<QWidget>("evidencePanel");
      for (const bool open : {true, false}) {
        desk.part<QAction>("evidencePanelAct").trigger();
        QCOMPARE(evidence.isVisible(), open);
      }
      window.panels().showTab(QStringLiteral("traceTab"));  // as a dropped trace does
      QVERIFY(desk.part<QWidget>("traceTab").isVisible());
      QVERIFY(desk.bench.files().open(path));
      QTRY_VERIFY_WITH_TIMEOUT(desk.said(QStringLiteral("Profile")), kPatienceMs);
      QTest::mouseClick(desk.remedy(), Qt::LeftButton);
      QCOMPARE(window.workspaces().current(), WindowLayout::Profile);
      QCOMPARE(theme::kind(), theme::Kind::Dark);
      window.workspaces().choose(WindowLayout::Teach);
      QVERIFY(!evidence.isVisible());  // as the user left it
      window.workspaces().visit(WindowLayout::Profile);
      QVERIFY(window.close());
    }
    theme::setKind(theme::Kind::Light);
    Desk desk(folder);
    desk.bench.session().restoreWindow();
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Teach);
    QCOMPARE(theme::kind(), theme::Kind::Light);
    QCOMPARE(desk.window.looks().chosenTheme(), theme::Kind::Light);
    QVERIFY(!desk.part<QWidget>("evidencePanel").isVisible());
  }

  void theHistoryTakesBack() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.set("replicas", "4");
    desk.set("learning-rate", "0.1");
    desk.part<QAction>("historyAct").trigger();
    auto* list = desk.window.findChild<QUndoView*>();
    QVERIFY(list != nullptr && list->isVisible());
    QCOMPARE(list->model()->rowCount(), 3);
    list->setCurrentIndex(list->model()->index(0, 0));
    QCOMPARE(desk.replicas(), 2);
  }

  // A file offers its moment, layout, theme and mode, and nothing happens before the user accepts.
  void whereItWasSavedIsOffered() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    Playback& playback = desk.window.playback();
    playback.setMode(Playback::Mode::Live);
    playback.goTo(4);
    QTRY_COMPARE_WITH_TIMEOUT(playback.step(), std::int64_t{4}, kPatienceMs);
    const Beat beat = *playback.story().find(BeatKind::Aggregate);
    playback.seek(4, beat.beginS + 0.5 * (beat.endS - beat.beginS));
    desk.window.workspaces().choose(WindowLayout::Explore);
    desk.window.looks().setTheme(theme::Kind::Dark);
    QVERIFY(desk.bench.document().saveAs(path));
    desk.window.workspaces().choose(WindowLayout::Teach);
    desk.window.looks().setTheme(theme::Kind::Light);
    playback.setMode(Playback::Mode::Story);

    QVERIFY(desk.bench.files().open(path));
    QTRY_COMPARE_WITH_TIMEOUT(playback.step(), std::int64_t{1}, kPatienceMs);
    QVERIFY(desk.said(QStringLiteral("step 4, aggregate · layout Explore · theme Dark · mode Live")));
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Teach);  // the file forces nothing
    QCOMPARE(theme::kind(), theme::Kind::Light);
    QCOMPARE(playback.mode(), Playback::Mode::Story);
    QTest::mouseClick(desk.remedy(), Qt::LeftButton);
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Explore);
    QCOMPARE(theme::kind(), theme::Kind::Dark);
    QCOMPARE(playback.mode(), Playback::Mode::Live);
    QTRY_COMPARE_WITH_TIMEOUT(playback.step(), std::int64_t{4}, kPatienceMs);
    const Beat& there = *playback.story().find(BeatKind::Aggregate);
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(playback.seconds() - (there.beginS + 0.5 * (there.endS - there.beginS))) < 0.01,
                             kPatienceMs);
    QVERIFY(!playback.isPlaying());
    QVERIFY(!desk.said(QStringLiteral("step 4")));
    // If the window already shows the saved view, nothing is offered; a different run withdraws the offer.
    playback.seek(1, 0);
    QTRY_COMPARE_WITH_TIMEOUT(playback.step(), std::int64_t{1}, kPatienceMs);
    QVERIFY(desk.bench.document().saveAs(path));
    QVERIFY(desk.bench.files().open(path));
    QVERIFY(desk.remedy() == nullptr);
    desk.window.looks().setTheme(theme::Kind::Light);
    QVERIFY(desk.bench.files().open(path));
    QVERIFY(desk.said(QStringLiteral("theme Dark")));
    desk.set("replicas", "3");
    QVERIFY(!desk.said(QStringLiteral("theme Dark")));
    playback.setMode(Playback::Mode::Story);
  }

  // The projector's theme is temporary: the file keeps the theme before it, the chosen one or the system's.
  void theProjectorsThemeIsNotKept() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    for (const std::optional<theme::Kind> chosen : {std::optional<theme::Kind>(), std::optional(theme::Kind::Dark)}) {
      desk.window.looks().setTheme(chosen);
      desk.window.looks().setProjectorMode(true);
      QVERIFY(desk.bench.document().saveAs(path));
      desk.window.looks().setProjectorMode(false);
      QVERIFY(desk.bench.files().open(path));
      QVERIFY(!desk.said(QStringLiteral("theme")));
    }
    desk.window.looks().setTheme(std::nullopt);
  }

  // That there is no link is over once the experiment is in a file, is another one, or has a link.
  void thatThereIsNoLinkIsNotSaidForEver() {
    const QTemporaryDir folder;
    Desk desk(folder);
    RunSettings course;
    course.network = "course";
    const auto refuse = [&] {
      desk.window.experiment().setNetwork(*networkOf(course));
      desk.press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
      return desk.said(QStringLiteral("a link has no room"));
    };
    QVERIFY(refuse());
    QVERIFY(desk.bench.document().saveAs(folder.filePath(QStringLiteral("own.slab"))));
    QVERIFY(!desk.said(QStringLiteral("a link has no room")));
    QVERIFY(refuse());  // saved, but asked for again
    desk.set("network", "course");
    desk.press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!desk.said(QStringLiteral("a link has no room")));
    QVERIFY(refuse());
    QVERIFY(desk.bench.files().open(folder.filePath(QStringLiteral("own.slab"))));
    QVERIFY(!desk.said(QStringLiteral("a link has no room")));
  }

  // In projector mode there is no status line, so short messages appear above the stage and vanish again.
  void theProjectorHearsWhatIsSaidInPassing() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.press(Qt::Key_C);
    QVERIFY(desk.window.statusBar()->currentMessage().startsWith(QStringLiteral("Copied")));
    QVERIFY(!desk.said(QStringLiteral("Copied")));
    desk.window.looks().setProjectorMode(true);
    desk.press(Qt::Key_C);
    QVERIFY(desk.said(QStringLiteral("Copied: the picture of the stage")));
    desk.window.looks().setProjectorMode(false);
  }

  // While a recording is read, a dialog shows how far that is, and cancels it. If the file is bad, the message says so.
  void readingShowsHowFarItIs() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString good = folder.filePath(QStringLiteral("good.run")), bad = folder.filePath(QStringLiteral("bad.run"));
    KeptRun run;
    run.resolved = desk.window.experiment().resolved();
    run.header.emplace();
    run.metrics = test::madeUpMetrics(40);
    RunFiles::write(run, QStringLiteral("r"), good);
    Document& document = desk.bench.document();
    const auto dialog = [&] { return desk.window.findChild<QProgressDialog*>(QStringLiteral("readingDialog")); };
    const std::size_t before = desk.window.library().runs().size();
    QVERIFY(desk.bench.files().open(good));
    QVERIFY(dialog() != nullptr);
    QVERIFY2(dialog()->labelText().contains(QStringLiteral("good.run")), qPrintable(dialog()->labelText()));
    Q_EMIT document.reader().progressed(0.25);
    QCOMPARE(dialog()->value(), 25);
    dialog()->findChild<QPushButton*>()->click();
    QVERIFY(test::hasRead(document));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(dialog() == nullptr);
    QCOMPARE(desk.window.library().runs().size(), before);
    QVERIFY(desk.bench.files().recent().isEmpty());
    // A bad file is a message with a button, which reads the file again.
    QFile file(good);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray bytes = file.readAll();
    bytes[bytes.size() - 8] = static_cast<char>(bytes[bytes.size() - 8] ^ 0x10);  // the checksum
    QFile damaged(bad);
    QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write(bytes) == bytes.size());
    damaged.close();
    QVERIFY(desk.bench.files().open(bad) && test::hasRead(document));
    QVERIFY(desk.said(QStringLiteral("bad.run")));
    QCOMPARE(desk.window.library().runs().size(), before);
    QVERIFY(QFile::remove(bad) && QFile::copy(good, bad));
    QTest::mouseClick(desk.remedy(), Qt::LeftButton);
    QVERIFY(test::hasRead(document));
    QVERIFY(!desk.said(bad));
    QCOMPARE(desk.window.library().runs().size(), before + 1);
    QCOMPARE(desk.bench.files().recent(), QStringList{bad});
  }

  // A message goes when its cause is gone, and not because something else succeeds.
  void noticesGoWithTheirCause() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const QString good = folder.filePath(QStringLiteral("good.slab")),
                  bad = folder.filePath(QStringLiteral("bad.slab"));
    QVERIFY(desk.bench.document().saveAs(good));
    QVERIFY(!desk.bench.files().open(bad));  // the file is missing
    QVERIFY(desk.said(bad));
    desk.press(Qt::Key_C);  // the message about copying does not replace the error
    QVERIFY(desk.said(bad));
    QTest::mouseClick(desk.remedy(), Qt::LeftButton);  // tries again; the file is still missing
    QVERIFY(desk.said(bad));
    QVERIFY(desk.bench.files().open(good));
    QVERIFY(!desk.said(bad));
    for (const char* content : {"hello", ""}) {
      QFile file(bad);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(content);
      file.close();
      QVERIFY(!desk.bench.files().open(bad));
      QVERIFY(desk.said(bad));
    }
    QVERIFY(QFile::remove(bad) && QFile::copy(good, bad));
    QTest::mouseClick(desk.remedy(), Qt::LeftButton);
    QVERIFY(!desk.said(bad));
    QCOMPARE(desk.bench.document().path(), bad);
    QVERIFY(!desk.bench.files().open(folder.path()));  // it is a folder
    QVERIFY(desk.said(folder.path()));
    desk.press(Qt::Key_N);
    QVERIFY(!desk.said(folder.path()));
    // If there are two messages, the newer hides the older, which comes back when the newer is closed.
    QVERIFY(!desk.bench.files().open(folder.path()));
    QMimeData file;
    const QString torn = folder.filePath(QStringLiteral("torn.png"));
    QFile half(torn);
    QVERIFY(half.open(QIODevice::WriteOnly));
    half.write("\x89PNG\r\n\x1a\n");
    half.close();
    file.setUrls({QUrl::fromLocalFile(torn)});
    QVERIFY(desk.drop(file));
    QVERIFY(desk.said(torn) && !desk.said(QStringLiteral("is a folder")));
    for (auto* button : desk.window.findChildren<QToolButton*>())
      if (button->isVisible() && button->accessibleName() == QStringLiteral("Close this message")) {
        QTest::mouseClick(button, Qt::LeftButton);
        break;
      }
    QVERIFY(!desk.said(torn) && desk.said(QStringLiteral("is a folder")));
  }

  void aSecondWindowSaysWhyAndOffersACopy() {
    const QTemporaryDir folder, other;
    const QString place = folder.filePath(QStringLiteral("kept"));
    auto first = std::make_unique<Desk>(folder);
    first->bench.session().keep(place);
    first->storeAfter(kPatienceMs);
    QVERIFY(!first->bench.session().restore());
    QVERIFY(first->remedy() == nullptr);
    first->set("replicas", "5");
    {
      Desk second(other);
      second.bench.session().keep(place);
      QVERIFY(!second.bench.session().restore());
      QVERIFY(
          second.said(QStringLiteral("Another window of StrategyLab holds the session, so this one starts empty.")));
      QTest::mouseClick(second.remedy(), Qt::LeftButton);
      QVERIFY(second.said(QStringLiteral("has stored nothing yet")));
      first->storeAfter(kSoonMs);
      QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(place + QStringLiteral("/session-1/session.json")), kPatienceMs);
      QTest::mouseClick(second.remedy(), Qt::LeftButton);
      QCOMPARE(second.replicas(), 5);
      QVERIFY(second.remedy() == nullptr);
      QVERIFY(second.window.close());
    }
    {  // the second window now opens its own session and says so, until the first one closes
      Desk second(other);
      second.bench.session().keep(place);
      QVERIFY(second.bench.session().restore());
      QVERIFY(second.said(QStringLiteral("opened its own session")));
      QVERIFY(first->window.close());
      first.reset();
      QTRY_VERIFY_WITH_TIMEOUT(!second.said(QStringLiteral("opened its own session")), kPatienceMs);
    }
  }

  // The desktop's session ends: everything is stored, nothing is asked, and the window can go on.
  void aLogOutStoresTheSession() {
    const QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("kept"));
    Desk desk(folder);
    desk.bench.session().keep(place);
    QVERIFY(desk.bench.document().saveAs(folder.filePath(QStringLiteral("mine.slab"))));
    desk.set("replicas", "5");
    desk.bench.session().store();
    QVERIFY(desk.window.isVisible() && desk.window.findChild<QMessageBox*>(QStringLiteral("askBefore")) == nullptr);
    QFile stored(place + QStringLiteral("/session-1/session.json"));
    QVERIFY(stored.open(QIODevice::ReadOnly));
    const QByteArray session = stored.readAll();
    QVERIFY(session.contains("\"clean\": true") && session.contains("\\\"replicas\\\": 5"));
    QVERIFY(QFile::exists(desk.settings.fileName()));
  }

  // Opening a file at the start, by a double click, begins another experiment but keeps the session's runs.
  void aFileOpenedAtTheStartLeavesTheRuns() {
    const QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("kept")), file = folder.filePath(QStringLiteral("mine.slab"));
    const auto hasRun = [](Desk& desk) {
      return std::ranges::any_of(desk.window.library().runs(),
                                 [](const KeptRun& run) { return run.name == QStringLiteral("yesterday"); });
    };
    {
      Desk desk(folder);
      desk.bench.session().keep(place);
      QVERIFY(desk.bench.document().saveAs(file));
      desk.set("replicas", "4");
      desk.controller.requestStep(3);
      QTRY_VERIFY_WITH_TIMEOUT(desk.controller.steps().size() >= 3, kPatienceMs);
      desk.window.library().rename(desk.window.library().presentId(), QStringLiteral("yesterday"));
      QVERIFY(desk.bench.document().saveAs(folder.filePath(QStringLiteral("other.slab"))));  // closing asks for no file
      QVERIFY(desk.quit());
    }
    for (int start = 0; start < 2; ++start) {  // the second start keeps the runs again
      Desk desk(folder);
      desk.bench.session().keep(place);
      QVERIFY(desk.bench.files().open(file));
      desk.bench.session().restoreRuns();
      QCOMPARE(desk.replicas(), 2);
      QCOMPARE(desk.bench.document().path(), file);
      QTRY_VERIFY_WITH_TIMEOUT(hasRun(desk), kPatienceMs);
      QCOMPARE(desk.replicas(), 2);
      QVERIFY(desk.window.close());
    }
  }

  // With "Reopen the last session" off, the runs stay stored for the day when it is on again.
  void aSessionThatIsNotReopenedStaysStored() {
    const QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("kept"));
    const auto hasRun = [](Desk& desk) {
      return std::ranges::any_of(desk.window.library().runs(),
                                 [](const KeptRun& run) { return run.name == QStringLiteral("yesterday"); });
    };
    for (const bool first : {true, false}) {
      Desk desk(folder);
      desk.bench.session().keep(place);
      desk.settings.setValue(QStringLiteral("preferences/reopen"), first);
      QVERIFY(!desk.bench.session().restore());
      QVERIFY(!hasRun(desk));
      desk.controller.requestStep(3);
      QTRY_VERIFY_WITH_TIMEOUT(desk.controller.steps().size() >= 3, kPatienceMs);
      if (first) desk.window.library().rename(desk.window.library().presentId(), QStringLiteral("yesterday"));
      QVERIFY(desk.quit());
    }
    Desk desk(folder);
    desk.settings.setValue(QStringLiteral("preferences/reopen"), true);
    desk.bench.session().keep(place);
    QVERIFY(desk.bench.session().restore());
    QTRY_VERIFY_WITH_TIMEOUT(hasRun(desk), kPatienceMs);
  }

  void aWindowClosedInProjectorModeComesBackWithItsTitleBar() {
    const QTemporaryDir folder;
    {
      Desk desk(folder);
      desk.window.looks().setProjectorMode(true);
      QVERIFY(desk.window.isFullScreen());
      desk.bench.session().rememberWindow();
      desk.window.looks().setProjectorMode(false);  // the theme belongs to the program
    }
    Desk desk(folder);
    desk.bench.session().restoreWindow();
    QVERIFY(!desk.window.isFullScreen());
    for (const bool on : {true, false}) {  // the action knows
      desk.part<QAction>("fullScreen").trigger();
      QCOMPARE(desk.window.isFullScreen(), on);
    }
  }

  // A run begins anew where the window was closed: there is nothing to go back to.
  void whatAStartShowsAnywayIsNotOffered_data() {
    QTest::addColumn<QByteArray>("strategy");
    for (const char* key : {"mirrored", "parameter-server"}) QTest::newRow(key) << QByteArray(key);
  }
  void whatAStartShowsAnywayIsNotOffered() {
    QFETCH(QByteArray, strategy);
    const QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("kept"));
    {
      Desk desk(folder);
      Playback& playback = desk.window.playback();
      playback.setBeginsAtFirstBatch(true);
      desk.bench.session().keep(place);
      desk.set("strategy", strategy.constData());
      desk.set("replicas", "4");
      QTRY_VERIFY_WITH_TIMEOUT(playback.record() != nullptr && playback.seconds() > 0, kPatienceMs);
      QCOMPARE(playback.step(), std::int64_t{1});
      QCOMPARE(playback.seconds(), playback.story().workBeginsS());
      QVERIFY(desk.quit());
    }
    Desk desk(folder);
    desk.window.playback().setBeginsAtFirstBatch(true);
    desk.bench.session().keep(place);
    QVERIFY(desk.bench.session().restore());
    QVERIFY(!desk.said(QStringLiteral("the window showed")));
  }

  void startToStartTheSame() {
    const QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("kept"));
    {
      Desk desk(folder);
      desk.bench.session().keep(place);
      desk.window.workspaces().choose(WindowLayout::Explore);
      desk.window.looks().setTheme(theme::Kind::HighContrast);
      desk.window.looks().setTextPoints(12);
      desk.window.views().charts().setOptions({XAxis::Images, 0.5, true});
      desk.set("replicas", "4");
      desk.window.playback().setSpeed(4);
      QTRY_VERIFY_WITH_TIMEOUT(desk.controller.info() != nullptr && desk.window.playback().record() != nullptr,
                               kPatienceMs);
      desk.window.playback().goTo(3);
      QTRY_COMPARE_WITH_TIMEOUT(desk.window.playback().step(), std::int64_t{3}, kPatienceMs);
      QVERIFY(desk.quit());
    }
    theme::setKind(theme::Kind::Light);
    theme::setChosenPoints(0);
    Desk desk(folder);
    desk.bench.session().keep(place);
    desk.bench.session().restoreWindow();
    QVERIFY(desk.bench.session().restore());
    QCOMPARE(desk.replicas(), 4);
    QCOMPARE(desk.window.playback().speed(), 4.0);
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Explore);
    QCOMPARE(theme::kind(), theme::Kind::HighContrast);
    QCOMPARE(theme::chosenPoints(), 12);
    QCOMPARE(theme::textSize(), 16);
    QCOMPARE(desk.window.views().charts().options().axis, XAxis::Images);
    QVERIFY(!desk.bench.undo().stack().canUndo());
    // The run begins anew, and its moment is offered.
    QVERIFY(desk.said(QStringLiteral("the window showed: step 3")));
    QTRY_COMPARE_WITH_TIMEOUT(desk.window.playback().step(), std::int64_t{1}, kPatienceMs);
    QTest::mouseClick(desk.remedy(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(desk.window.playback().step(), std::int64_t{3}, kPatienceMs);
    desk.window.looks().setTextPoints(0);
    desk.window.looks().setTheme(theme::Kind::Light);
  }
};

QTEST_MAIN(TestWorkbench)
#include "tst_workbench.moc"
