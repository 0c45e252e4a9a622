// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab as a program: its options, its exit codes, and the picture it draws without a display.
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <sys/types.h>
#include <unistd.h>

#include <csignal>

#include "core/files/experiment_file.h"
#include "core/files/metrics_csv.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "tests/support/patience.h"
#include "tests/ui/chart_fixture.h"
#include "ui/charts/chart_export.h"

using namespace lab;

namespace {

struct Result {
  int exitCode = -1;
  QString out, err;
};

Result run(const QStringList& arguments,
           const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
  QProcess process;
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(STRATEGYLAB_PROGRAM), arguments);
  if (!process.waitForFinished(kPatienceMs) || process.exitStatus() != QProcess::NormalExit) return {};
  return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
          QString::fromUtf8(process.readAllStandardError())};
}

// What a window left in a home folder of its own after it was told to end.
struct Session {
  QJsonObject left;
  QString err;
};
// `unread`: nobody reads what it says.
Session sessionOf(const QStringList& arguments, int signal = SIGTERM, bool unread = false) {
  const QTemporaryDir home;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  // This platform needs no display, but its windows count as seen.
  environment.insert("QT_QPA_PLATFORM", "minimal");
  environment.insert("HOME", home.path());
  environment.insert("XDG_RUNTIME_DIR", home.path());  // without this folder, Qt prints a warning
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME"}) environment.remove(name);
  const QString kept = home.filePath(QStringLiteral(".local/share/StrategyLab/StrategyLab/session-1"));
  QProcess window;
  window.setProcessEnvironment(environment);
  window.setChildProcessModifier([signal, unread] {
    std::signal(signal, SIG_DFL);  // nohup ignores SIGHUP
    int ends[2] = {-1, -1};
    if (!unread || pipe(ends) != 0) return;
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
  });
  window.start(QStringLiteral(STRATEGYLAB_PROGRAM), arguments);
  (void)QTest::qWaitFor([&] { return QFile::exists(kept + "/lock"); }, kPatienceMs);
  if (window.state() == QProcess::Running) kill(static_cast<pid_t>(window.processId()), signal);
  if (!window.waitForFinished(kPatienceMs) || window.exitStatus() != QProcess::NormalExit || window.exitCode() != 0)
    return {{}, QStringLiteral("no normal end")};
  QFile session(kept + QStringLiteral("/session.json"));
  if (!session.open(QIODevice::ReadOnly)) return {};
  return {QJsonDocument::fromJson(session.readAll()).object(), QString::fromUtf8(window.readAllStandardError())};
}

QStringList smallRun() {
  return {"--dataset", "digits", "--train-examples", "64", "--test-examples", "32", "--batch-per-replica", "4"};
}

}  // namespace

class TestProgram : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void answersWithoutADisplay() {
    QCOMPARE(run({"--version"}).out, QStringLiteral("strategylab " STRATEGYLAB_VERSION "\n"));
    const Result help = run({"--help"});
    QCOMPARE(help.exitCode, 0);
    for (const char* option : {"--render", "--size", "--after-steps", "--moment", "--theme", "--layout", "--strategy",
                               "--replicas", "--learning-rate"}) {
      QVERIFY2(help.out.contains(QLatin1String(option)), option);
    }
  }

  void badRequestsAreOneSentence_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    QTest::newRow("unknown option") << QStringList{"--replica", "2"} << "'--replicas'";
    QTest::newRow("unknown strategy") << QStringList{"--strategy", "mirrord"} << "mirrored";
    QTest::newRow("no number") << QStringList{"--replicas=two"} << "two";
    QTest::newRow("value is missing") << QStringList{"--replicas"} << "--replicas needs a value";
    QTest::newRow("combination") << QStringList{"--strategy", "one-device", "--replicas", "2"} << "OneDeviceStrategy";
    QTest::newRow("no such file") << QStringList{"file.txt"} << "'file.txt'";
    QTest::newRow("two files") << QStringList{"a.slab", "b.slab"} << "'b.slab'";
    QTest::newRow("file and options") << QStringList{"a.slab", "--replicas", "2"} << "'a.slab'";
    QTest::newRow("no experiment") << QStringList{STRATEGYLAB_PROGRAM} << "strategylab";
    QTest::newRow("size") << QStringList{"--size", "99999x99999"} << "99999x99999";
    QTest::newRow("steps") << QStringList{"--after-steps", "-1"} << "'-1'";
    QTest::newRow("moment") << QStringList{"--moment", "-3"} << "'-3'";
    QTest::newRow("zoom") << QStringList{"--zoom", "first"} << "'first'";
    QTest::newRow("part of a beat") << QStringList{"--moment", "update:2"} << "'update:2'";
    QTest::newRow("theme") << QStringList{"--theme", "drak"} << "dark";
    QTest::newRow("layout") << QStringList{"--layout", "teech"} << "teach";
    QTest::newRow("no strategy to compare") << QStringList{"--compare", "mirrored,tpuu"} << "'tpuu'";
    QTest::newRow("one lane") << QStringList{"--compare", "mirrored"} << "two to 4";
    QTest::newRow("one lane, of its own") << QStringList{"--compare", "tpu", "--strategy", "tpu"} << "two to 4";
    QTest::newRow("five lanes") << QStringList{"--compare", "mirrored,tpu,default,one-device,central-storage"}
                                << "two to 4";
    QTest::newRow("a lane twice") << QStringList{"--compare", "mirrored,mirrored"} << "'mirrored'";
    QTest::newRow("lanes elsewhere") << QStringList{"--compare", "mirrored,tpu", "--layout", "teach"} << "--layout";
    QTest::newRow("another picture") << QStringList{"--render", "x.jpg"}
                                     << "--render 'x.jpg': the file will be a PNG picture of the window, or a poster";
    QTest::newRow("a picture without an ending")
        << QStringList{"--render", "x"} << "--render 'x': the file will be a PNG picture of the window, or a poster";
    QTest::newRow("a moment of a poster")
        << QStringList{"--render", "x.pdf", "--moment", "update"} << "--moment applies to";
    QTest::newRow("a theme of a poster") << QStringList{"--render", "x.svg", "--theme", "dark"} << "--theme applies to";
    QTest::newRow("a page without a poster")
        << QStringList{"--render", "x.png", "--page", "a3"} << "--page belongs to a poster";
    QTest::newRow("no such page") << QStringList{"--render", "x.pdf", "--page", "a5"} << "'a5'";
    QTest::newRow("another file") << QStringList{"--metrics", "x.csv"} << "--metrics 'x.csv': the file will be JSON";
    QTest::newRow("no such lesson") << QStringList{"--render", "x.png", "--lesson", "rings"} << "'rings'";
    QTest::newRow("both lengths") << QStringList{"--epochs", "1", "--steps", "3"} << "--epochs and --steps";
    QTest::newRow("value too many") << QStringList{"--help=yes"} << "--help takes no value";
  }
  void badRequestsAreOneSentence() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const Result result = run(arguments);
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.err.contains(said), qPrintable(result.err));
    QVERIFY(result.err.startsWith(QStringLiteral("strategylab: error: ")));
    QVERIFY2(result.err.endsWith(QStringLiteral(".\n")) || result.err.endsWith(QStringLiteral("?\n")),
             qPrintable(result.err));
    QCOMPARE(result.err.count(QLatin1Char('\n')), 1);
    QVERIFY(result.out.isEmpty());
  }

  // The poster shows the requested step, as PDF and as SVG.
  void aPosterIsDrawn() {
    const QTemporaryDir folder;
    for (const auto& [name, begin] : {std::pair{"a.pdf", "%PDF-1."}, {"a.svg", "<?xml"}}) {
      const QString path = folder.filePath(QLatin1String(name));
      const Result result =
          run(QStringList{"--render", path, "--page", "wide", "--after-steps", "3", "--lang", "en"} + smallRun());
      QVERIFY2(result.exitCode == 0, qPrintable(result.err));
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray bytes = file.readAll();
      QVERIFY(bytes.startsWith(begin) && bytes.size() > 20'000);
      if (begin[0] == '<') QVERIFY(bytes.contains("--after-steps 3"));
    }
    const Result nowhere = run(QStringList{"--render", folder.filePath("none/a.pdf")} + smallRun());
    QCOMPARE(nowhere.exitCode, 1);
    QVERIFY2(nowhere.err.contains(QStringLiteral("none/a.pdf': No such file")), qPrintable(nowhere.err));
    QFile table(folder.filePath(QStringLiteral("a.csv")));
    QVERIFY(table.open(QIODevice::WriteOnly) && table.write("time,value\n1,2\n2,5\n") > 0);
    table.close();
    const Result plot = run({"--render", folder.filePath("b.pdf"), table.fileName()});
    QCOMPARE(plot.exitCode, 2);
    QVERIFY2(plot.err.contains(QStringLiteral("is a table of numbers")), qPrintable(plot.err));
  }

  // A termination is a normal end, like a session's or a terminal's: unsaved work is there at the next start, without a
  // message.
  void terminatedIsANormalEnd_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("told to end") << SIGTERM;
    QTest::newRow("its terminal closed") << SIGHUP;
  }
  void terminatedIsANormalEnd() {
    QFETCH(int, signal);
    const Session session = sessionOf(QStringList{"--replicas", "3"} + smallRun(), signal);
    QVERIFY(session.left.value("clean").toBool());
    QVERIFY(session.left.value("experiment").toString().contains("\"replicas\": 3"));
  }

  // As with `2>&1 | head`.
  void whoReadsItsMessagesMayGo() {
    QVERIFY(sessionOf({QStringLiteral("missing.slab")}, SIGTERM, true).left.value("clean").toBool());
  }

  // Options that only name the data set or its folder keep the batch of eight digits.
  void dataAloneLeaveTheEightDigits() {
    const QTemporaryDir data;
    for (const QStringList& given : {QStringList(), {"--data-dir", data.path()}, {"--dataset", "colour"}}) {
      const QString experiment = sessionOf(given).left.value("experiment").toString();
      QVERIFY2(experiment.contains("\"global-batch\": 8"), qPrintable(experiment));
      if (!given.isEmpty()) QVERIFY2(experiment.contains(given.last()), qPrintable(experiment));
    }
    const QString more = sessionOf(QStringList{"--dataset", "digits", "--seed", "3"}).left["experiment"].toString();
    QVERIFY2(!more.contains("global-batch"), qPrintable(more));
  }

  void tablesAreOpened() {
    const QTemporaryDir folder;
    KeptRun kept;
    kept.metrics = test::madeUpMetrics(40);
    const std::string ours = metricsCsv(std::vector<CsvRun>{{"r", metricsOf(kept)}});
    for (const QByteArray& text : {QByteArray::fromStdString(ours), QByteArray("time,value\n1,2\n2,5\n")}) {
      QFile file(folder.filePath(QStringLiteral("a.csv")));
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
      file.close();
      const Session session = sessionOf({file.fileName()});
      QString err = session.err;
      err.remove(QStringLiteral("This plugin does not support propagateSizeHints()\n"));  // of the platform "minimal"
      QCOMPARE(err, QString());
      QVERIFY(session.left.value("experiment").toString().contains("\"global-batch\": 8"));
    }
    QFile bad(folder.filePath(QStringLiteral("bad.csv")));
    QVERIFY(bad.open(QIODevice::WriteOnly) && bad.write("1,2\n3,4\n") > 0);
    bad.close();
    QVERIFY(sessionOf({bad.fileName()}).err.contains(QStringLiteral("bad.csv', line 1: ")));
    const Result drawn = run({"--render", folder.filePath(QStringLiteral("a.png")), bad.fileName()});
    QCOMPARE(drawn.exitCode, 2);
    QVERIFY2(drawn.err.contains(QStringLiteral("bad.csv', line 1: ")), qPrintable(drawn.err));
  }

  void drawsItsWindow() {
    const QTemporaryDir folder;
    const auto draw = [&](const QString& name, const QStringList& arguments) {
      const QString picture = folder.filePath(name);
      const Result result = run(QStringList{"--render", picture, "--size", "1000x640"} + arguments + smallRun());
      if (result.exitCode != 0) qWarning("%s", qPrintable(result.err));
      return QImage(picture);
    };
    const QImage image = draw("a.png", {"--after-steps", "5", "--moment", "aggregate:0.5"});
    QCOMPARE(image.size(), QSize(1000, 640));
    QVERIFY(image.convertToFormat(QImage::Format_Indexed8).colorCount() > 20);  // not an empty page
    // Another moment, theme or layout gives another picture; the run may be shorter than the steps that were asked for.
    QVERIFY(image != draw("b.png", {"--after-steps", "5", "--moment", "update"}));
    QVERIFY(image != draw("c.png", {"--after-steps", "5", "--moment", "aggregate:0.5", "--theme", "dark"}));
    QVERIFY(image != draw("inside.png", {"--after-steps", "5", "--moment", "aggregate:0.5", "--zoom", "1"}));
    QVERIFY(image != draw("d.png", {"--after-steps", "5", "--moment", "aggregate:0.5", "--layout", "explore"}));
    const QImage projected = draw("f.png", {"--after-steps", "5", "--moment", "aggregate:0.5", "--present"});
    QCOMPARE(projected.size(), image.size());
    QVERIFY(image != projected &&
            projected != draw("g.png", {"--after-steps", "5", "--moment", "aggregate:0.5", "--theme", "projector"}));
    QVERIFY(!draw("e.png", {"--after-steps", "1000", "--moment", "2.5"}).isNull());
  }

  // The test compares pictures to learn which lanes are drawn: the same pixels mean the same window.
  void drawsLanes() {
    // Compares the lanes alone. The table below them tells how long this program took, and its columns fit that text.
    constexpr QRect kLanes(0, 150, 1280, 380);
    const QTemporaryDir folder;
    const auto draw = [&](const QStringList& arguments) {
      const QString picture = folder.filePath(QStringLiteral("lanes.png"));
      QFile::remove(picture);
      const Result result = run(QStringList{"--render", picture, "--size", "1280x720", "--after-steps", "3", "--moment",
                                            "update", "--dataset", "digits", "--train-examples", "64",
                                            "--test-examples", "32", "--global-batch", "8", "--replicas", "2"} +
                                arguments);
      if (result.exitCode != 0) qWarning("%s", qPrintable(result.err));
      return result.exitCode == 0 ? QImage(picture).copy(kLanes) : QImage();
    };
    const QImage two = draw({"--compare", "mirrored,central-storage"});
    QVERIFY(!two.isNull());
    QCOMPARE(draw({"--compare", "mirrored,central-storage"}), two);
    QCOMPARE(draw({"--strategy", "mirrored", "--compare", "mirrored,central-storage"}), two);
    QCOMPARE(draw({"--strategy", "mirrored", "--compare", "central-storage"}), two);
    QCOMPARE(draw({"--compare", "mirrored,central-storage", "--layout", "compare"}), two);
    QVERIFY(draw({"--compare", "central-storage,mirrored"}) != two);
    const QImage trained = draw({"--compare", "mirrored,parameter-server"});  // its second lane trains further
    QVERIFY(!trained.isNull() && trained != two);
    QVERIFY(draw({"--compare", "mirrored,central-storage,parameter-server"}) != two);
    QVERIFY(draw({"--layout", "compare"}) != two);
    // The lanes of a file are drawn as well.
    const QString file = folder.filePath(QStringLiteral("lanes.slab"));
    QFile slab(file);
    QVERIFY(slab.open(QIODevice::WriteOnly));
    slab.write(R"({"format":"strategylab-experiment","version":1,"config":{"dataset":"digits","train-examples":64,
      "test-examples":32,"global-batch":8,"replicas":2},
      "comparison":{"version":1,"lanes":[{"strategy":"central-storage"}]}})");
    slab.close();
    const QString picture = folder.filePath(QStringLiteral("file.png"));
    const Result result = run({"--render", picture, "--size", "1280x720", "--after-steps", "3", "--moment", "update",
                               "--layout", "compare", file});
    QVERIFY2(result.exitCode == 0, qPrintable(result.err));
    QCOMPARE(QImage(picture).copy(kLanes), two);
  }

  // Compares whole pictures pixel by pixel: nothing in them fades, breathes or blinks, however busy the machine is.
  void drawsALesson() {
    const QTemporaryDir folder;
    const auto draw = [&](const QStringList& arguments) {
      const QString picture = folder.filePath(QStringLiteral("lesson.png"));
      QFile::remove(picture);
      const Result result = run(QStringList{"--render", picture, "--size", "1280x720"} + arguments);
      if (result.exitCode != 0) qWarning("%s", qPrintable(result.err));
      return QImage(picture);
    };
    const QImage ring = draw({"--lesson", "ring"});
    QVERIFY(!ring.isNull());
    for (int again = 0; again < 3; ++again) QCOMPARE(draw({"--lesson", "ring"}), ring);
    QVERIFY(ring != draw({}));
    QVERIFY(ring != draw({"--lesson", "slices"}));
    // A lesson's file is recognised by its name, with or without the option --lesson.
    const QString file = folder.filePath(QStringLiteral("mine.lesson"));
    QVERIFY(QFile::copy(QStringLiteral(STRATEGYLAB_SOURCE_DIR "/resources/lessons/03-all-reduce.lesson"), file));
    const QImage named = draw({"--lesson", file});
    QVERIFY(!named.isNull() && named != draw({}));
    QCOMPARE(draw({file}), named);
    // The picture shows the moment that was asked for, not the lesson's beginning.
    const QStringList later{"--lesson", "ring", "--after-steps", "2", "--moment", "aggregate:0.5"};
    const QImage ticked = draw(later);
    QVERIFY(ring != ticked);
    QCOMPARE(draw(later), ticked);
  }

  // The stage shows a recording's steps as it shows an experiment file's, and the chart shows the recorded curve.
  void drawsARecording() {
    const QTemporaryDir folder;
    const ResolvedSettings config = resolve([] {
      RunSettings asked;
      asked.dataset = "digits";
      asked.trainExamples = 64;
      asked.testExamples = 32;
      asked.globalBatch = 8;
      asked.replicas = 2;
      asked.seed = 5;
      asked.epochs = 2;
      return asked;
    }());
    ExperimentFile experiment;
    experiment.config = config.asked();
    const QString slab = folder.filePath(QStringLiteral("a.slab")),
                  recording = folder.filePath(QStringLiteral("a.run"));
    writeExperiment(slab.toStdString(), experimentText(experiment, "1.0"));
    RunHeader header;
    header.config = configToJson(config);
    header.dataset = "embedded digits";
    header.parameters = 1;
    KeptRun kept;
    kept.metrics = test::madeUpMetrics(16);
    RunFileWriter writer(recording.toStdString(), header);
    writer.metrics(metricsOf(kept));
    writer.finish(0);
    const auto draw = [&](const QString& file, const QStringList& more = {}) {
      const QString picture = folder.filePath(QStringLiteral("a.png"));
      QFile::remove(picture);
      const Result result =
          run(QStringList{"--render", picture, "--size", "1280x720", "--after-steps", "3", "--moment", "update"} +
              more + QStringList{file});
      if (result.exitCode != 0) qWarning("%s", qPrintable(result.err));
      return QImage(picture);
    };
    const QImage drawn = draw(recording), drawnSlab = draw(slab);
    QVERIFY(!drawn.isNull() && !drawnSlab.isNull());
    const QRect stage(0, 150, 700, 250);
    QCOMPARE(drawn.copy(stage), drawnSlab.copy(stage));
    QVERIFY(drawn.copy(stage) != draw(slab, {"--moment", "distribute"}).copy(stage));
    QVERIFY(drawn != drawnSlab);  // the curves differ
    // A recording that is cut off is drawn as far as it goes.
    QVERIFY(QFile::resize(recording, QFileInfo(recording).size() - 20));
    QVERIFY(!draw(recording).isNull());
  }

  // A table is opened like one that is dropped on the window, and can be drawn as well.
  void drawsTables() {
    const QTemporaryDir folder;
    const auto write = [&](const QString& name, const QByteArray& text) {
      QFile file(folder.filePath(name));
      (void)file.open(QIODevice::WriteOnly);
      file.write(text);
      return file.fileName();
    };
    const auto draw = [&](const QString& file) {
      const QString picture = folder.filePath(QStringLiteral("a.png"));
      QFile::remove(picture);
      const Result result = run(QStringList{"--render", picture, "--size", "1000x640"} +
                                (file.isEmpty() ? QStringList() : QStringList{file}));
      if (result.exitCode != 0) qWarning("%s", qPrintable(result.err));
      return QImage(picture);
    };
    KeptRun kept;
    kept.metrics = test::madeUpMetrics(40);
    const QByteArray ours = QByteArray::fromStdString(metricsCsv(std::vector<CsvRun>{{"r", metricsOf(kept)}}));
    const QImage plain = draw({}), curves = draw(write(QStringLiteral("ours.csv"), ours)),
                 table = draw(write(QStringLiteral("any.csv"), "time,value\n1,2\n2,5\n3,3\n"));
    QVERIFY(!plain.isNull() && !curves.isNull() && curves != plain);
    QCOMPARE(table.size(), QSize(1000, 640));
    QVERIFY(table != plain && table != draw(write(QStringLiteral("other.csv"), "time,value\n1,2\n2,1\n3,3\n")));
  }

  void aBeatThatIsNotThereIsSaid() {
    const QTemporaryDir folder;
    const Result result = run(QStringList{"--render", folder.filePath("a.png"), "--moment", "agregate"} + smallRun());
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.err.contains(QStringLiteral("aggregate")), qPrintable(result.err));
  }

  void aPictureThatCannotBeWrittenIsSaid() {
    const QTemporaryDir folder;
    const QString picture = folder.filePath(QStringLiteral("no-such-folder/window.png"));
    const Result result = run(QStringList{"--render", picture, "--after-steps", "1"} + smallRun());
    QCOMPARE(result.exitCode, 1);
    QVERIFY(result.err.contains(QStringLiteral("no-such-folder")));
  }

  // A person who opens a file by double click has no terminal: the window opens and says what is wrong. (Windows of
  // this platform count as seen; tst_workbench checks the words of the notice.)
  void aFileThatCannotBeOpenedOpensTheWindow_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("missing") << QByteArray();
    QTest::newRow("no experiment") << QByteArray("hello");
    QTest::newRow("half a recording") << QByteArray("\x1f\x8b\x08", 3);
    QTest::newRow("cannot run") << QByteArray(
        R"({"format":"strategylab-experiment","version":1,"config":{"strategy":"one-device","replicas":5}})");
    QTest::newRow("folder") << QByteArray("/");
  }
  void aFileThatCannotBeOpenedOpensTheWindow() {
    QFETCH(QByteArray, content);
    const QTemporaryDir folder;
    const QString path = content == "/" ? folder.path() : folder.filePath(QStringLiteral("bad.slab"));
    if (!content.isEmpty() && content != "/") {
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(content);
    }
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("minimal"));
    environment.insert(QStringLiteral("HOME"), folder.path());
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
      environment.remove(QLatin1String(name));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(STRATEGYLAB_PROGRAM), {path});
    QByteArray said;
    process.setReadChannel(QProcess::StandardError);
    while (!said.contains("strategylab: error: ") && process.waitForReadyRead(kPatienceMs))
      said += process.readAllStandardError();
    QVERIFY2(said.contains("strategylab: error: ") && said.contains(path.toUtf8()), said.constData());
    // The program has begun its session, as it does without a file, and goes on until it is closed.
    const QString kept = folder.filePath(QStringLiteral(".local/share/StrategyLab/StrategyLab/session-1/lock"));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(kept), kPatienceMs);
    QCOMPARE(process.state(), QProcess::Running);
    process.kill();
    process.waitForFinished(kPatienceMs);
  }

  void withoutADisplayAFileThatCannotBeOpenedIsAnError() {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) environment.remove(QLatin1String(name));
    const Result result = run({QStringLiteral("missing.slab")}, environment);
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.err.contains(QStringLiteral("missing.slab")), qPrintable(result.err));
  }

  void withoutADisplayItSaysSo_data() {
    QTest::addColumn<QStringList>("variables");
    QTest::newRow("none") << QStringList{};
    QTest::newRow("dead") << QStringList{"DISPLAY=:65000"};
    QTest::newRow("dead, and chosen") << QStringList{"DISPLAY=:65000", "QT_QPA_PLATFORM=xcb"};
    // Whether Qt's plugin for Wayland is there or not.
    QTest::newRow("dead Wayland") << QStringList{"WAYLAND_DISPLAY=strategylab-nowhere"};
    QTest::newRow("dead Wayland, and chosen")
        << QStringList{"WAYLAND_DISPLAY=strategylab-nowhere", "QT_QPA_PLATFORM=wayland"};
  }
  void withoutADisplayItSaysSo() {
    QFETCH(QStringList, variables);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) environment.remove(QLatin1String(name));
    for (const QString& variable : variables)
      environment.insert(variable.section(QLatin1Char('='), 0, 0), variable.section(QLatin1Char('='), 1));
    const Result result = run({}, environment);
    QCOMPARE(result.exitCode, 3);
    QVERIFY(result.err.contains(QStringLiteral("no display can be opened")));
    QVERIFY(result.err.contains(QStringLiteral("qt6-wayland")));
    QVERIFY(result.err.contains(QStringLiteral("--render")));
  }
};

QTEST_GUILESS_MAIN(TestProgram)
#include "tst_program.moc"
