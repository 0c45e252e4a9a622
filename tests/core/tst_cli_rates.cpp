// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// One setting has one steady rate, and a mean is called a mean: `train`, `compare`, `sweep` and its timing report the
// same, with the remainder of an epoch and without. A report uses only full steps. A progress line has whole words.
#include <fcntl.h>
#include <pty.h>
#include <unistd.h>
#include <cmath>

#include <QJsonArray>
#include <QRegularExpression>
#include <QTest>

#include "cli_program.h"
#include "core/base/units.h"
#include "core/prediction/rates.h"

using namespace lab;
using namespace lab::test;

namespace {

// 640 examples, 256 per step, so the third step has only half.
const QStringList kExperiment{"--dataset",       "digits", "--train-examples", "640",
                              "--test-examples", "10",     "--epochs",         "1"};

QJsonObject lineWith(const QByteArray& out, const char* key, const QString& value) {
  for (const QJsonObject& line : jsonLines(out))
    if (line[QLatin1String(key)] == value) return line;
  return {};
}

// The only run of `sweep --timing-only`.
QJsonObject timedRun(const QByteArray& out) {
  return jsonDocument(out)["runs"].toArray().at(0).toObject();
}

QString rowOf(const QByteArray& table, const QString& begin) {
  for (const QString& line : QString::fromUtf8(table).split('\n'))
    if (line.trimmed().startsWith(begin)) return line.trimmed();
  return {};
}

QString counted(double value) {
  return QString::fromStdString(formatCount(std::llround(value)));
}

// What is drawn on a terminal with this many columns, line by line.
QStringList progressLines(int columns, const QStringList& arguments) {
  int master = -1, slave = -1;
  char name[128] = "";
  const winsize size{24, static_cast<unsigned short>(columns), 0, 0};
  if (openpty(&master, &slave, name, nullptr, &size) != 0) return {};
  QProcess process;
  prepareCli(process);
  process.setArguments(arguments);
  process.setStandardErrorFile(QString::fromLatin1(name));
  process.start();
  QByteArray text;
  ::fcntl(master, F_SETFL, O_NONBLOCK);
  const auto drain = [&] {
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(master, bytes, sizeof bytes)) > 0;) text.append(bytes, count);
  };
  while (!process.waitForFinished(50) && process.state() != QProcess::NotRunning) drain();
  drain();
  ::close(slave);
  ::close(master);
  QStringList lines;
  for (const QString& part : QString::fromUtf8(text).split('\r'))
    if (const auto end = part.indexOf("\x1b[K"); end > 0) lines << part.left(end);
  return lines;
}

}  // namespace

class TestCliRates : public QObject {
  Q_OBJECT

 private slots:
  void oneSettingHasOneSteadyRate_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* name : {"mirrored", "tpu", "central-storage", "parameter-server", "multi-worker-mirrored"})
      QTest::newRow(name) << name;
  }
  void oneSettingHasOneSteadyRate() {
    QFETCH(QString, strategy);
    const QStringList setting{"--replicas", "4", "--batch-per-replica", "64"};
    const Ran trained = runCli(QStringList{"train", "--strategy", strategy, "--json"} + setting + kExperiment);
    QVERIFY2(trained.code == 0, trained.err.constData());
    const Ran swept = runCli(QStringList{"sweep", "--strategy", strategy, "--json"} + setting + kExperiment);
    QVERIFY2(swept.code == 0, swept.err.constData());
    const QJsonObject cell = lineWith(swept.out, "event", "cell");
    const Ran timed = runCli(QStringList{"sweep", "--timing-only", "--strategy", strategy, "--json"} + setting);
    QVERIFY2(timed.code == 0, timed.err.constData());
    const Ran table = runCli(QStringList{"train", "--strategy", strategy} + setting + kExperiment);

    const double steady = timedRun(timed.out)["modelledImagesPerSecond"].toDouble();
    QVERIFY(steady > 0);
    QCOMPARE(cell["modelledImagesPerSecond"].toDouble(), steady);
    // There is one scaling efficiency as well, relative to one device alone.
    QVERIFY(cell["efficiency"].toDouble() > 0 && cell["efficiency"].toDouble() < 1);
    QCOMPARE(cell["efficiency"].toDouble(), timedRun(timed.out)["scalingEfficiency"].toDouble());
    QVERIFY2(rowOf(table.out, "modelled, steady").contains(counted(steady) + " images/s"), table.out.constData());
    // The rate is a step's images over its time, except for workers whose steps overlap.
    QCOMPARE(rowOf(table.out, "modelled, steady").contains(" a step of the slowest of 4 workers, 64 images"),
             strategy == QStringLiteral("parameter-server"));

    // The rate of a step is the steady one if its batch is full; the mean includes the remainder, and has another name.
    double images = 0, seconds = 0;
    for (const QJsonObject& line : jsonLines(trained.out)) {
      if (line["event"] != "step") continue;
      images += line["examples"].toDouble();
      const double rate = line["modelledImagesPerSecond"].toDouble();
      if (line.contains("worker"))
        seconds = images / rate;
      else
        seconds += line["modelledStepNs"].toDouble() / 1e9;
      if (!line.contains("worker") && line["examples"] == 256) QCOMPARE(rate, steady);
    }
    const double mean = images / seconds;
    QVERIFY(std::abs(mean / steady - 1) > 1e-4);
    QVERIFY(std::abs(cell["modelledMeanImagesPerSecond"].toDouble() / mean - 1) < 1e-9);
    QVERIFY2(rowOf(table.out, "modelled, mean of the run").contains(counted(mean) + " images/s"),
             table.out.constData());
  }

  void compareHasThemTooAndSaysWhich() {
    const Ran compared =
        runCli(QStringList{"compare", "--strategies", "mirrored,parameter-server", "--json"} + kExperiment);
    QVERIFY2(compared.code == 0, compared.err.constData());
    for (const QJsonObject& line : jsonLines(compared.out)) {
      const QStringList setting{"--replicas", QString::number(line["replicas"].toInt()), "--batch-per-replica",
                                QString::number(line["batchPerReplica"].toInt())};
      const Ran timed =
          runCli(QStringList{"sweep", "--timing-only", "--json", "--strategy", line["strategy"].toString()} + setting);
      const QJsonObject point = timedRun(timed.out);
      QCOMPARE(line["modelledSteadyImagesPerSecond"].toDouble(), point["modelledImagesPerSecond"].toDouble());
      QCOMPARE(line["modelledSteadyStepNs"].toDouble(), point["modelledStepNs"].toDouble());
      QCOMPARE(line["modelledMeanImagesPerSecond"].toDouble(), line["modelledImagesPerSecond"].toDouble());
    }
    const Ran table = runCli(QStringList{"compare", "--strategies", "mirrored"} + kExperiment);
    const QByteArray heads = table.out.split('\n').front();
    QVERIFY2(heads.contains("modelled images/s, steady") && heads.contains("modelled images/s, mean"),
             heads.constData());
  }

  // A slow run is not one that stands: 1.4 images a second are not 1, and 0.08 are not 0.
  void aSmallRateHasDigits() {
    const Ran ran =
        runCli(QStringList{"train", "--strategy", "one-device", "--device-model", "cpu_laptop_core", "--slow", "0:1000",
                           "--batch-per-replica", "1", "--dataset", "digits", "--steps", "1", "--eval-every", "0"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    static const QRegularExpression digits(QStringLiteral("  (\\d\\.\\d) images/s, (\\d+) ms a step"));
    const auto found = digits.match(rowOf(ran.out, "modelled, steady"));
    QVERIFY2(found.hasMatch(), ran.out.constData());
    QVERIFY(std::abs(found.captured(1).toDouble() * found.captured(2).toDouble() / 1000 - 1) < 0.05);
  }

  // The modelled shares are those of the training run, even if unequal.
  void theModelIsAskedForTheSharesOfTheRun() {
    for (const QStringList& setting :
         {QStringList{"--global-batch", "130", "--replicas", "4"},
          QStringList{"--global-batch", "131", "--replicas", "6", "--strategy", "multi-worker-mirrored", "--hosts",
                      "2"},
          QStringList{"--global-batch", "131", "--replicas", "6", "--strategy", "multi-worker-mirrored", "--hosts", "2",
                      "--split", "file", "--files", "4"}}) {
      const Ran ran =
          runCli(QStringList{"train", "--dataset", "digits", "--steps", "1", "--eval-every", "0", "--json"} + setting);
      QVERIFY2(ran.code == 0, ran.err.constData());
      const Ran table =
          runCli(QStringList{"train", "--dataset", "digits", "--steps", "1", "--eval-every", "0"} + setting);
      const QJsonObject step = lineWith(ran.out, "event", "step");
      QVERIFY2(rowOf(table.out, "modelled, steady").contains(counted(step["modelledImagesPerSecond"].toDouble()) + " "),
               table.out.constData());
    }
  }

  // The table, the bars, the bill and the trace show the same time of a step, with its batch.
  void aReportRestsOnFullSteps() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("report.html");
    const Ran ran =
        runCli(QStringList{"compare", "--strategies", "tpu,mirrored", "--replicas", "4", "--report", path, "--json"} +
               kExperiment);
    QVERIFY2(ran.code == 0, ran.err.constData());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString html = QString::fromUtf8(file.readAll());
    for (const QJsonObject& line : jsonLines(ran.out)) {
      const QString name = line["strategy"].toString(),
                    time = QString::fromStdString(formatDuration(line["modelledSteadyStepNs"].toInt()));
      const QString row = QRegularExpression("<th>modelled step, steady</th>.*?</tr>").match(html).captured();
      QVERIFY2(row.contains(">" + time + "<"), qPrintable(row));
      QVERIFY(html.contains(">" + time + " modelled, step 2, 256 images<"));    // bars
      QVERIFY(html.contains("<th>" + name + ": step 2, 256 images</th>"));      // bill
      QVERIFY(html.contains("<h3>" + name + ": step 2, 256 images, " + time));  // trace
    }
    QVERIFY(!html.contains("last step"));
  }

  // Each picture of a step tells its duration; the picture of one worker's step also tells what it shows.
  void everyPictureHasItsTime() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("report.html");
    const Ran ran = runCli(
        QStringList{"compare", "--strategies", "mirrored,parameter-server", "--report", path, "--json"} + kExperiment);
    QVERIFY2(ran.code == 0, ran.err.constData());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString html = QString::fromUtf8(file.readAll());
    const QString time = QStringLiteral("[0-9.]+ (?:ns|µs|ms)");
    QVERIFY(QRegularExpression("<h3>mirrored: step 2, 256 images, " + time + ", modelled</h3>").match(html).hasMatch());
    const auto worker = QRegularExpression("<h3>parameter-server: step 2, 64 images, (" + time +
                                           ") since the update before, of its worker's (" + time + "), modelled</h3>")
                            .match(html);
    QVERIFY2(worker.hasMatch(), qPrintable(html));
    // The second update comes from another worker, whose cycle began with the first one's.
    const Ran trained =
        runCli(QStringList{"train", "--strategy", "parameter-server", "--replicas", "4", "--json"} + kExperiment);
    QStringList cycles;
    for (const QJsonObject& line : jsonLines(trained.out))
      if (line["step"] == 2 && line["event"] == "step")
        cycles << QString::fromStdString(formatDuration(line["modelledStepNs"].toInt()));
    QCOMPARE(cycles, QStringList{worker.captured(2)});
    QVERIFY(worker.captured(1) != worker.captured(2));
  }

  void ofARunTheLastFullStepCounts() {
    LastFullStep last;
    QVERIFY(!last.step());
    for (const auto& [step, examples] : {std::pair{1, 256}, {2, 256}, {3, 128}, {4, 256}, {5, 128}}) {
      StepMetric metric;
      metric.step = step;
      metric.examples = examples;
      last.take(metric);
    }
    QCOMPARE(last.step()->step, 4);
  }

  // Words are never cut, at any terminal width: the bar is dropped first, then the measured rate, then more. No value
  // stands without its name.
  void aLineOfProgressHasWholeWords() {
    const QStringList train{"train", "--dataset", "digits", "--replicas", "2", "--steps", "3", "--eval-every", "0"};
    const QRegularExpression whole(
        "^(\\[[#-]{12}\\] )?(epoch [0-9.]+ )?step [0-9]+/3( loss [0-9.]+)?( acc [0-9.]+ %)?( [0-9,]+ img/s measured)?( "
        "[0-9,]+ img/s modelled, steady)?$");
    for (const int columns : {20, 40, 60, 72, 80, 90, 100, 110, 120, 160}) {
      const QStringList lines = progressLines(columns, train);
      QVERIFY2(!lines.isEmpty(), qPrintable(QString::number(columns)));
      for (const QString& line : lines) {
        QVERIFY2(line.size() < columns && whole.match(line).hasMatch(),
                 qPrintable(QString("%1: '%2'").arg(columns).arg(line)));
        const bool bar = line.startsWith('['), measured = line.contains("measured"),
                   modelled = line.contains("modelled");
        QVERIFY2((!bar || measured) && (!measured || modelled), qPrintable(line));
        if (columns >= 80) QVERIFY2(modelled, qPrintable(line));
        if (columns >= 120) QVERIFY2(bar && measured, qPrintable(line));
      }
    }
    for (const QString& line : progressLines(120, train + QStringList{"--devices", "cpu"}))
      QVERIFY2(line.endsWith("img/s measured"), qPrintable(line));
  }
};

QTEST_GUILESS_MAIN(TestCliRates)
#include "tst_cli_rates.moc"
