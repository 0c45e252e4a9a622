// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// Training from the command line, on the embedded digits: the metrics' keys, JSON and nothing else, the same bits with
// any number of threads, Ctrl-C, and the comparison.
#include <algorithm>
#include <cmath>
#include <csignal>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include "cli_program.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/files/run_file.h"
#include "core/keras/keras_json.h"
#include "core/model/cnn.h"
#include "core/model/neural_network.h"
#include "core/model/safetensors.h"
#include "core/strategy/strategy.h"
#include "core/trace/divergence.h"

using namespace lab;
using namespace lab::test;

namespace {

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QSet<QString> keysOf(const QJsonObject& object) {
  const QStringList keys = object.keys();
  return {keys.begin(), keys.end()};
}

qsizetype ofTensorFlow() {
  return std::ranges::count(strategies(), false, &StrategyInfo::beyondTensorFlow);
}

}  // namespace

class TestCliTrain : public QObject {
  Q_OBJECT

 private slots:
  void metricsHaveTheContractsKeys_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QSet<QString>>("keys");     // a step's keys besides the common ones
    QTest::addColumn<QSet<QString>>("foreign");  // keys that a step must not have
    const QSet<QString> modelled{"modelledStepNs", "modelledComputeNs", "modelledCommunicationNs",
                                 "modelledImagesPerSecond"};
    const QSet<QString> measured{"stepNs", "computeNs", "communicationNs", "imagesPerSecond"};
    const QSet<QString> worker{"worker", "staleness"};
    QTest::newRow("mirrored, simulated") << QStringList{"--replicas", "3"} << modelled << measured + worker;
    QTest::newRow("mirrored, this processor") << QStringList{"--devices", "cpu"} << measured << modelled + worker;
    QTest::newRow("default") << QStringList{"--strategy", "default"} << modelled << measured + worker;
    QTest::newRow("parameter-server") << QStringList{"--strategy", "parameter-server"} << modelled + worker << measured;
  }
  void metricsHaveTheContractsKeys() {
    QFETCH(QStringList, arguments);
    QFETCH(QSet<QString>, keys);
    QFETCH(QSet<QString>, foreign);
    const QTemporaryDir folder;
    const QString metrics = folder.filePath("metrics.jsonl");
    const Ran ran = runCli(
        QStringList{"train", "--steps", "4", "--test-examples", "100", "--metrics", metrics, "--json"} + arguments);
    QVERIFY2(ran.code == 0, ran.err.constData());
    // Standard output and the file are the same, line by line.
    QCOMPARE(ran.out, contentOf(metrics));
    const QList<QJsonObject> lines = jsonLines(ran.out);
    QCOMPARE(lines.size(), 6);

    const bool mirrored = !arguments.contains("--strategy");
    keys += {"event", "step", "epoch", "examples", "shards", "loss", "accuracy", "learningRate", "bytesSent", "wallNs"};
    for (int i = 0; i < 4; ++i) {
      const QJsonObject step = lines[i];
      QCOMPARE(step["event"].toString(), QString("step"));
      QCOMPARE(step["step"].toInt(), i + 1);
      QVERIFY2(keysOf(step).contains(keys), qPrintable(step.keys().join(' ')));
      QVERIFY2(!keysOf(step).intersects(foreign), qPrintable(step.keys().join(' ')));
      int examples = 0;
      for (const QJsonValue& shard : step["shards"].toArray()) examples += shard.toInt();
      QCOMPARE(step["examples"].toInt(), examples);
      QVERIFY(step["loss"].toDouble() > 0 && step["wallNs"].toDouble() > 0);
      QVERIFY(mirrored ? step["mirrorsIdentical"] == QJsonValue(true) : step["mirrorsIdentical"].isNull());
    }
    QCOMPARE(lines[4]["event"].toString(), QString("eval"));
    QCOMPARE(keysOf(lines[4]), QSet<QString>({"event", "step", "testLoss", "testAccuracy"}));
    QCOMPARE(lines[5]["event"].toString(), QString("end"));
    QVERIFY(keysOf(lines[5]).contains(
        {"event", "steps", "seconds", "imagesPerSecond", "mirrorsIdentical", "dataset", "parameters"}));
    QCOMPARE(lines[5].contains("modelledSeconds"), !keys.contains("stepNs"));
    QCOMPARE(lines[5]["dataset"].toString(), QString("digits"));
    QCOMPARE(lines[5]["parameters"].toInt(), 347146);
    QVERIFY(mirrored ? lines[5]["mirrorsIdentical"] == QJsonValue(true) : lines[5]["mirrorsIdentical"].isNull());
    QVERIFY2(ran.err.contains("MNIST was not found") && ran.err.contains("digits"), ran.err.constData());
  }

  void theSummaryIsForPeople() {
    const Ran ran = runCli({"train", "--dataset", "digits", "--steps", "3", "--test-examples", "50"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    for (const char* word :
         {"MirroredStrategy", "digits", "3 of 3", "test accuracy", "measured", "modelled", "identical bit by bit"})
      QVERIFY2(ran.out.contains(word), word);
    QVERIFY(!ran.err.contains("MNIST was not found"));  // the digits were chosen
    QVERIFY(!ran.err.contains('\r'));                   // no bar, since there is no terminal
    const Ran one =
        runCli({"train", "--dataset", "digits", "--global-batch", "1", "--steps", "1", "--eval-every", "0"});
    QVERIFY2(one.out.contains(" a step of 1 image") && !one.out.contains("of 1 images"), one.out.constData());
  }

  // Reports the step in which the divergence began, not the one that left no doubt, as the window does.
  void aRunThatDivergedIsCalledSo() {
    const QTemporaryDir folder;
    const QString metrics = folder.filePath("m.jsonl");
    const QStringList run{"train", "--steps", "8", "--network", "mlp", "--test-examples", "100", "--optimizer", "sgd"};
    const Ran wild = runCli(run + QStringList{"--learning-rate", "100", "--metrics", metrics});
    QVERIFY2(wild.code == 0 && wild.out.contains("diverged  "), wild.out.constData());
    Divergence divergence;
    for (const QJsonObject& line : jsonLines(contentOf(metrics)))
      if (line["event"] == "step") divergence.take(line["loss"].toDouble(std::nan("")));
    QVERIFY(divergence.index().has_value());
    const QByteArray step = QByteArray::number(static_cast<qlonglong>(*divergence.index()) + 1);
    QVERIFY2(wild.out.contains("at step " + step + ": start again"), wild.out.constData());
    QVERIFY(!runCli(run).out.contains("diverged"));
  }

  void threadsAndOutputsNeverChangeTheWeights() {
    const QTemporaryDir folder;
    const QStringList train{"train", "--replicas", "3", "--steps", "12", "--eval-every", "0", "--dataset", "digits"};
    QByteArray first;
    for (const char* threads : {"1", "2", "5"}) {
      const QString weights = folder.filePath(threads);
      QStringList arguments = train + QStringList{"--threads", threads, "--save", weights};
      if (threads[0] == '5') arguments << "--trace" << folder.filePath("trace") << "--json";
      QVERIFY(runCli(arguments).code == 0);
      QVERIFY(!contentOf(weights).isEmpty());
      if (first.isEmpty()) first = contentOf(weights);
      QVERIFY2(contentOf(weights) == first, threads);
    }
    const QString other = folder.filePath("other");
    QCOMPARE(runCli(train + QStringList{"--seed", "2", "--save", other}).code, 0);
    QVERIFY(contentOf(other) != first);
  }

  void aSignalEndsAtAStepWithEveryFileWhole_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl-C") << SIGINT;
    QTest::newRow("timeout") << SIGTERM;
    QTest::newRow("a closed terminal") << SIGHUP;
  }
  void aSignalEndsAtAStepWithEveryFileWhole() {
    QFETCH(int, signal);
    const QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(name); };
    QProcess process;
    prepareCli(process);
    process.setArguments({"train",
                          "--dataset",
                          "digits",
                          "--epochs",
                          "1000000",
                          "--eval-every",
                          "0",
                          "--json",
                          "--save",
                          path("weights"),
                          "--metrics",
                          path("metrics"),
                          "--trace",
                          path("trace"),
                          "--run",
                          path("run"),
                          "--checkpoint-dir",
                          path("checkpoints"),
                          "--checkpoint-every",
                          "1000000"});
    process.start();
    QByteArray out;
    while (out.count('\n') < 3) {
      QVERIFY2(process.waitForReadyRead(120'000), process.readAllStandardError());
      out += process.readAllStandardOutput();
    }
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    out += process.readAllStandardOutput();

    const QByteArray metrics = contentOf(path("metrics"));
    QCOMPARE(metrics, out);
    const QList<QJsonObject> lines = jsonLines(metrics);
    QVERIFY(lines.size() >= 4);
    const QJsonObject end = lines.last();
    QCOMPARE(end["event"].toString(), QString("end"));
    QCOMPARE(end["steps"].toInt(), lines.size() - 1);
    const TensorFile weights = readSafetensors(path("weights").toStdString());
    QCOMPARE(weights.tensors.size(), courseNetwork().layout().variables().size());
    QVERIFY(jsonDocument(contentOf(path("trace")))["traceEvents"].toArray().size() > 10);
    QVERIFY(contentOf(path("run")).size() > 100);
    QVERIFY(!QDir(path("checkpoints")).entryList(QDir::Files).isEmpty());
    QCOMPARE(QDir(folder.path()).entryList({"*.part", "*.tmp*"}), QStringList());
  }

  // As with `| head`: the program is not ended by the broken pipe's signal, and what it was asked to write is whole.
  void aClosedPipeEndsAtAStepWithEveryFileWhole() {
    const QTemporaryDir folder;
    QProcess process;
    prepareCli(process);
    process.setProgram("sh");
    process.setArguments({"-c", "{ \"$@\"; echo \"exit code $?\" >&2; } | head -n 1", "sh", STRATEGYLAB_CLI, "train",
                          "--dataset", "digits", "--epochs", "1000000", "--eval-every", "0", "--json", "--metrics",
                          folder.filePath("metrics"), "--save", folder.filePath("weights")});
    process.start();
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(jsonLines(process.readAllStandardOutput()).size(), 1);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains("cannot write to standard output") && said.contains("exit code 1\n"), said);
    const QList<QJsonObject> lines = jsonLines(contentOf(folder.filePath("metrics")));
    QVERIFY(!lines.isEmpty());
    QCOMPARE(lines.last()["event"].toString(), QString("end"));
    QVERIFY(!readSafetensors(folder.filePath("weights").toStdString()).tensors.empty());
  }

  // What cannot be printed is in no file that was asked for.
  void closedStandardFilesAreNoFiles() {
    const QTemporaryDir folder;
    QProcess process;
    prepareCli(process);
    process.setProgram("sh");
    process.setArguments({"-c", "exec \"$@\" <&- >&- 2>&-", "sh", STRATEGYLAB_CLI, "train", "--dataset", "digits",
                          "--steps", "3", "--eval-every", "0", "--json", "--metrics", folder.filePath("metrics")});
    process.start();
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(process.exitCode(), 1);
    const QList<QJsonObject> lines = jsonLines(contentOf(folder.filePath("metrics")));
    QVERIFY(!lines.isEmpty());
    QCOMPARE(lines.last()["steps"].toInt(), lines.size() - 1);
  }

  // What was trained is in the report, even if nobody can read standard output.
  void compareWritesItsReportWithoutStandardOutput_data() {
    QTest::addColumn<QStringList>("options");
    QTest::newRow("text") << QStringList();
    QTest::newRow("JSON") << QStringList{"--json"};
  }
  void compareWritesItsReportWithoutStandardOutput() {
    if (!QFile::exists("/dev/full")) QSKIP("this system has no /dev/full");
    QFETCH(QStringList, options);
    const QTemporaryDir folder;
    const QString report = folder.filePath("report.html");
    const Ran ran = runCli(QStringList{"compare", "--strategies", "mirrored,one-device", "--dataset", "digits",
                                       "--steps", "1", "--eval-every", "0", "--report", report} +
                               options,
                           "/dev/full");
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains("cannot write to standard output"), ran.err.constData());
    QVERIFY(contentOf(report).contains("mirrored"));
  }

  void compareIsOneExperiment() {
    const Ran ran = runCli({"compare", "--dataset", "digits", "--train-examples", "512", "--test-examples", "100",
                            "--json", "--seed", "3"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QList<QJsonObject> runs = jsonLines(ran.out);
    QCOMPARE(runs.size(), ofTensorFlow());
    QMap<QString, QJsonObject> byName;
    for (const QJsonObject& run : runs) byName[run["strategy"].toString()] = run;
    QCOMPARE(byName.size(), ofTensorFlow());
    for (const QJsonObject& run : byName) {
      const QString name = run["strategy"].toString();
      const bool single = name == "default" || name == "one-device";
      QCOMPARE(run["replicas"].toInt(), single ? 1 : name == "tpu" ? 8 : 4);
      QVERIFY2(run["images"].toInt() == 512, qPrintable(name));
      if (name == "parameter-server") {
        QCOMPARE(run["batchPerReplica"].toInt(), 64);
        QCOMPARE(run["steps"].toInt(), 8);
        QVERIFY(run["stalenessMean"].isDouble());
      } else {
        QCOMPARE(run["globalBatch"].toInt(), 256);
        QCOMPARE(run["steps"].toInt(), 2);
        QVERIFY(run["stalenessMean"].isNull());
      }
      for (const char* key : {"testAccuracy", "testLoss", "imagesPerSecond", "modelledImagesPerSecond",
                              "modelledStepNs", "bytesSentPerStep", "seconds", "modelledSeconds"})
        QVERIFY2(run[key].isDouble(), key);
      const bool copies = name == "mirrored" || name == "multi-worker-mirrored" || name == "tpu";
      QVERIFY2(copies ? run["mirrorsIdentical"] == QJsonValue(true) : run["mirrorsIdentical"].isNull(),
               qPrintable(name));
    }
    // The same numbers whichever reducer adds them up, except for rounding.
    const double one = byName["default"]["testLoss"].toDouble();
    for (const char* name : {"one-device", "mirrored", "multi-worker-mirrored", "central-storage"})
      QVERIFY2(std::abs(byName[name]["testLoss"].toDouble() - one) < 1e-4 * one, name);
    QCOMPARE(byName["default"]["bytesSentPerStep"].toDouble(), 0.0);
    // The distance between the final weights and those of the first run: none, rounding, or another way of training.
    QCOMPARE(byName["default"]["weightDistance"].toDouble(), 0.0);
    QCOMPARE(byName["one-device"]["weightDistance"].toDouble(), 0.0);
    for (const char* name : {"mirrored", "multi-worker-mirrored", "central-storage"})
      QVERIFY2(byName[name]["weightDistance"].toDouble() < 1e-5, name);
    QVERIFY(byName["mirrored"]["weightDistance"].toDouble() > 0);
    QVERIFY(byName["parameter-server"]["weightDistance"].toDouble() > 1e-4);
    QVERIFY(byName["default"]["busiestLink"].isNull());
    QVERIFY(byName["mirrored"]["busiestLink"].toString().contains("replica"));
    // A quarter of the gradients, sent to the next replica, six times.
    QCOMPARE(byName["mirrored"]["busiestLinkBytes"].toInt(), 2082880);
    QCOMPARE(byName["mirrored"]["bytesSentPerStep"].toDouble(), 2.0 * 3 * 1388584);
  }

  void compareSaysWhatItLeavesOut() {
    const QTemporaryDir folder;
    const Ran ran = runCli({"compare", "--strategies", "mirrored,one-device,multi-worker-mirrored,parameter-server",
                            "--dataset", "digits", "--steps", "2", "--eval-every", "0", "--reducer", "hierarchical",
                            "--hosts", "4", "--metrics", folder.filePath("m.jsonl"), "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QString said = QString::fromUtf8(ran.err);
    for (const char* note : {"one-device: --reducer is left out", "one-device: --hosts is left out",
                             "parameter-server: --reducer is left out", "parameter-server: --hosts is left out",
                             "mirrored: --hosts is left out"})
      QVERIFY2(said.contains(note), qPrintable(QString(note) + " is not in: " + said));
    QVERIFY(!said.contains("multi-worker-mirrored: --"));
    for (const QJsonObject& run : jsonLines(ran.out)) {
      if (run["strategy"] != "multi-worker-mirrored") continue;
      QCOMPARE(run["hosts"].toInt(), 4);
      QCOMPARE(run["reducer"].toString(), QString("hierarchical"));
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files),
             QStringList({"m-mirrored.jsonl", "m-multi-worker-mirrored.jsonl", "m-one-device.jsonl",
                          "m-parameter-server.jsonl"}));
    // Two global steps are two steps of each of the four workers.
    QCOMPARE(jsonLines(contentOf(folder.filePath("m-parameter-server.jsonl"))).size(), 9);
    QCOMPARE(jsonLines(contentOf(folder.filePath("m-mirrored.jsonl"))).size(), 3);
    // A pod of TPUs has several hosts.
    const Ran pod = runCli({"compare", "--strategies", "tpu,multi-worker-mirrored", "--dataset", "digits", "--steps",
                            "1", "--eval-every", "0", "--hosts", "2", "--json"});
    QVERIFY2(pod.code == 0 && !pod.err.contains("left out"), pod.err.constData());
    for (const QJsonObject& run : jsonLines(pod.out)) QCOMPARE(run["hosts"].toInt(), 2);
  }

  void compareToATarget() {
    const Ran ran = runCli({"compare", "--strategies", "mirrored,parameter-server", "--dataset", "digits",
                            "--train-examples", "640", "--test-examples", "100", "--target-accuracy", "0.5", "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QList<QJsonObject> runs = jsonLines(ran.out);
    QCOMPARE(runs.size(), 2);
    for (const QJsonObject& run : runs) {
      QCOMPARE(run["stepsToTarget"].toInt(), run["steps"].toInt());
      QCOMPARE(run["examplesToTarget"].toInt(), run["images"].toInt());
      QCOMPARE(run["modelledSecondsToTarget"].toDouble(), run["modelledSeconds"].toDouble());
      QVERIFY(run["testAccuracy"].toDouble() >= 0.5 && run["complete"].toBool());
    }
  }

  // In the words of the sweep and the window.
  void compareSaysWhatDiverged() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("report.html");
    const QStringList command{"compare",
                              "--strategies",
                              "mirrored,one-device",
                              "--dataset",
                              "digits",
                              "--optimizer",
                              "sgd",
                              "--steps",
                              "8",
                              "--train-examples",
                              "640",
                              "--report",
                              file,
                              "--learning-rate",
                              "1000"};
    const Ran table = runCli(command);
    QVERIFY2(table.code == 0, table.err.constData());
    QCOMPARE(table.out.count("diverged at step 2"), 2);
    QCOMPARE(contentOf(file).count("(diverged)"), 2);
    for (const QJsonObject& run : jsonLines(runCli(command + QStringList{"--json"}).out))
      QCOMPARE(run["diverged"], QJsonValue(true));
    for (const QJsonObject& run : jsonLines(runCli(command.mid(0, 13) + QStringList{"--json"}).out))
      QCOMPARE(run["diverged"], QJsonValue(false));
    QVERIFY(!contentOf(file).contains("(diverged)"));
  }

  // A strategy that fails costs only itself: the others run, and its row and its curve are there.
  void compareGoesOnPastAFailure() {
    const QTemporaryDir folder;
    const QString weights = folder.filePath("huge.safetensors");
    const Layout& layout = courseNetwork().layout();
    writeSafetensors(weights.toStdString(),
                     weightsToTensors(layout, std::vector<float>(static_cast<std::size_t>(layout.size()), 1e30F)));
    const QStringList command{"compare",
                              "--strategies",
                              "mirrored,one-device",
                              "--dataset",
                              "digits",
                              "--network",
                              "course",
                              "--init",
                              weights,
                              "--steps",
                              "8",
                              "--train-examples",
                              "640",
                              "--save",
                              folder.filePath("w.keras"),
                              "--report",
                              folder.filePath("report.html")};
    const Ran table = runCli(command);
    QCOMPARE(table.code, 1);
    for (const char* name : {"mirrored", "one-device"}) {
      QVERIFY2(table.out.contains(QByteArray(name) + " (failed)"), table.out.constData());
      QVERIFY2(table.err.contains(QByteArray("strategylab-cli: ") + name + ": "), table.err.constData());
    }
    QCOMPARE(contentOf(folder.filePath("report.html")).count("(diverged)"), 2);
    const Ran json = runCli(command + QStringList{"--json"});
    QCOMPARE(json.code, 1);
    const QList<QJsonObject> runs = jsonLines(json.out);
    QCOMPARE(runs.size(), 2);
    for (const QJsonObject& run : runs) QVERIFY2(!run["failed"].toString().isEmpty(), json.out.constData());
  }

  // The report is one well-formed file with the numbers of the output lines, and fetches nothing.
  void compareWritesAReport() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("report.html");
    const Ran ran =
        runCli({"compare", "--strategies", "mirrored,tpu,parameter-server", "--dataset", "digits", "--steps", "8",
                "--train-examples", "640", "--test-examples", "100", "--json", "--report", file});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QByteArray html = contentOf(file);
    QXmlStreamReader xml(html);
    QStringList cells;
    int curves = 0, programs = 0;
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      if (xml.name() == QLatin1String("th") || xml.name() == QLatin1String("td"))
        cells << xml.readElementText(QXmlStreamReader::IncludeChildElements);
      else if (xml.attributes().value("class") == QLatin1String("curve"))
        ++curves;
      else if (xml.name() == QLatin1String("pre"))
        programs += xml.readElementText().contains(QLatin1String("import tensorflow as tf")) ? 1 : 0;
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(curves, 3 * 3);  // loss, accuracy, legend
    QCOMPARE(programs, 3);
    for (const QJsonObject& run : jsonLines(ran.out)) {
      QVERIFY(cells.contains(run["strategy"].toString()));
      QVERIFY(cells.contains(QString::number(100 * run["testAccuracy"].toDouble(), 'f', 1) + " %"));
    }
    QVERIFY(cells.contains("tpu_v3_core") && cells.contains("v100"));  // the setting that differs
    QVERIFY(!html.contains("src=") && !html.contains("href=") && !html.contains("@import"));
    // The program notices that the report cannot be written before it trains anything.
    const Ran refused = runCli({"compare", "--dataset", "digits", "--report", "/dev/null/x.html"});
    QVERIFY(refused.code == 2 && refused.err.contains("/dev/null/x.html") && refused.out.isEmpty());
  }

  // Curves of one point are drawn as visible points.
  void aReportShowsOnePoint() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("report.html");
    const Ran ran = runCli({"compare", "--strategies", "default,tpu", "--dataset", "digits", "--steps", "1",
                            "--test-examples", "10", "--report", file});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QXmlStreamReader xml(contentOf(file));
    int points = 0;
    while (!xml.atEnd())
      if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("circle"))
        points +=
            xml.attributes().value("class") == QLatin1String("curve") && xml.attributes().value("r").toDouble() > 2;
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(points, 2 * 2);  // loss and accuracy of both runs
  }

  void allStrategiesAreCompared() {
    const Ran ran = runCli({"compare", "--strategies", "all", "--dataset", "digits", "--steps", "1", "--eval-every",
                            "0", "--train-examples", "256", "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QCOMPARE(jsonLines(ran.out).size(), ofTensorFlow());
    QCOMPARE(runCli({"compare", "--strategies", "all,tpu"}).code, 2);
  }

  // A strategy that is not in tf.distribute is compared if it is named. With a slow replica, one that does not wait for
  // it is faster, and the images that it drops are not counted.
  void othersAreComparedByName() {
    for (const StrategyInfo& info : strategies()) {
      if (info.goesWithout.empty()) continue;
      const Ran ran = runCli({"compare", "--strategies", QString("mirrored,%1").arg(info.key.c_str()), "--dataset",
                              "digits", "--train-examples", "512", "--slow", "2:3", "--eval-every", "0", "--json"});
      QVERIFY2(ran.code == 0, ran.err.constData());
      const QList<QJsonObject> runs = jsonLines(ran.out);
      QCOMPARE(runs.size(), qsizetype{2});
      QCOMPARE(runs[1]["strategy"].toString(), QString::fromStdString(info.key));
      QCOMPARE(runs[0]["beyondTensorFlow"], QJsonValue(false));
      QCOMPARE(runs[1]["beyondTensorFlow"], QJsonValue(true));
      QCOMPARE(ran.err.count("beyond tf.distribute"), 1);
      QVERIFY2(ran.err.contains("note: " + QByteArray::fromStdString(info.key) + ": beyond tf.distribute"), ran.err);
      QCOMPARE(runs[1]["images"].toInt(), runs[0]["images"].toInt() * 3 / 4);
      QVERIFY(runs[1]["modelledStepNs"].toDouble() < runs[0]["modelledStepNs"].toDouble());
      QVERIFY(runs[1]["modelledImagesPerSecond"].toDouble() > runs[0]["modelledImagesPerSecond"].toDouble());
      QVERIFY(runs[1]["weightDistance"].toDouble() > 0);
      // The images that the rate counts stand beside it.
      const Ran trained = runCli({"train", "--strategy", QString::fromStdString(info.key), "--dataset", "digits",
                                  "--replicas", "4", "--steps", "1", "--eval-every", "0"});
      QVERIFY2(trained.out.contains(" a step of 192 of 256 images"), trained.out.constData());
    }
  }

  // A full disk leaves a part that is named; without files, none are said to be written.
  void whatIsLeftIsNamed() {
    const QTemporaryDir folder;
    const auto ran = [&](const char* script, const QStringList& more) {
      QProcess process;
      prepareCli(process);
      process.setProgram("sh");
      process.setArguments(QStringList{"-c", script, STRATEGYLAB_CLI, "train", "--dataset", "digits", "--network",
                                       "mlp", "--steps", "1000", "--eval-every", "0"} +
                           more);
      process.start();
      process.waitForFinished(kPatienceMs);
      return Ran{process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    };
    const QString metrics = folder.filePath("m.jsonl");
    const Ran full = ran(R"(trap "" XFSZ; ulimit -f 8; exec "$0" "$@")", {"--metrics", metrics});
    QVERIFY2(full.code == 1 && full.err.contains("left unfinished: '" + metrics.toUtf8() + ".part'"), full.err);
    QVERIFY(QFile::exists(metrics + ".part"));
    const char* closed = R"("$0" "$@" --json | head -1)";
    const Ran none = ran(closed, {});
    QVERIFY2(none.err.contains("stopped after step ") && !none.err.contains("files that were asked for"), none.err);
    const Ran some = ran(closed, {"--metrics", metrics});
    QVERIFY2(some.err.contains("the files that were asked for are written") && QFile::exists(metrics), some.err);
  }

  // A requested result that did not come is reported.
  void whatDidNotComeIsSaid() {
    const QTemporaryDir folder;
    const QStringList train{"train", "--dataset", "digits", "--eval-every", "0", "--train-examples", "256"};
    const QStringList kept{"--checkpoint-dir", folder.filePath("kept")};
    QCOMPARE(runCli(train + kept + QStringList{"--steps", "3"}).code, 0);
    const Ran again = runCli(train + kept + QStringList{"--steps", "2", "--resume"});
    QVERIFY2(again.code == 0 && again.err.contains("of step 3, and this run has 2 steps: nothing was trained"),
             again.err);
    QVERIFY2(!again.out.contains("images/s"), again.out);
    QVERIFY(!again.err.contains("replaces them"));
    const Ran anew = runCli(train + kept + QStringList{"--steps", "1"});
    QVERIFY2(anew.code == 0 && anew.err.contains("up to step 3, and this run's first one replaces them"), anew.err);
    QCOMPARE(runCli(train + kept + QStringList{"--steps", "3", "--resume"}).code, 0);
    QVERIFY(!runCli(train + kept + QStringList{"--steps", "4", "--resume"}).err.contains("nothing was trained"));
    const auto noise = [&](const QStringList& more) {
      return runCli(train + QStringList{"--steps", "1", "--noise-scale"} + more).err;
    };
    QVERIFY(noise({"--strategy", "one-device"}).contains("--noise-scale compares the gradients of replicas"));
    QVERIFY(noise({"--strategy", "parameter-server"}).contains("--noise-scale compares the gradients of replicas"));
    QVERIFY(!noise({}).contains("--noise-scale"));
  }

  // The time "in all" is that of the whole run, as in the last metric, and the rate says since when it counts. Steps to
  // a target cannot be counted from the middle.
  void aResumedRunTellsOfTheWholeRun() {
    const QTemporaryDir folder;
    const QString metrics = folder.filePath("m.jsonl"), whole = folder.filePath("whole.jsonl");
    const QStringList train{"train", "--dataset", "digits", "--eval-every", "0", "--train-examples", "256"};
    const QStringList kept{"--checkpoint-dir", folder.filePath("kept")};
    const auto inAll = [](const Ran& ran) {
      for (const QByteArray& line : ran.out.split('\n'))
        if (line.contains("modelled, mean")) return line.mid(line.indexOf("images/s, ")).trimmed();
      return QByteArray();
    };
    const Ran through = runCli(train + QStringList{"--steps", "20", "--metrics", whole});
    QVERIFY2(through.code == 0 && through.out.contains("modelled, mean of the run"), through.out);
    QCOMPARE(runCli(train + kept + QStringList{"--steps", "10"}).code, 0);
    const Ran resumed = runCli(train + kept + QStringList{"--steps", "20", "--resume", "--metrics", metrics});
    QVERIFY2(resumed.code == 0 && resumed.out.contains("modelled, mean since step 11"), resumed.out);
    QVERIFY2(inAll(resumed).contains(" in all") && inAll(resumed) == inAll(through), resumed.out);
    QCOMPARE(jsonLines(contentOf(metrics)).last()["modelledSeconds"],
             jsonLines(contentOf(whole)).last()["modelledSeconds"]);
    const Ran refused = runCli(QStringList{"compare", "--target-accuracy", "0.5", "--resume"} + kept);
    QVERIFY2(refused.code == 2 && refused.err.contains("--target-accuracy counts from a run"), refused.err);
  }

  // The command that a run which ends early advises is the same one with --resume.
  void aResumedRunKeepsTheFilesOfItsEarlierSteps() {
    const QTemporaryDir folder;
    const auto file = [&](const char* name) { return folder.filePath(QLatin1String(name)); };
    const QStringList train{"train",      "--dataset",        "digits",        "--eval-every",
                            "0",          "--train-examples", "256",           "--checkpoint-dir",
                            file("kept"), "--metrics",        file("m.jsonl"), "--run",
                            file("a.run")};
    const auto stepsIn = [](const QString& path) {
      QList<int> steps;
      for (const QJsonObject& line : jsonLines(contentOf(path)))
        if (line["event"].toString() == "step") steps << line["step"].toInt();
      return steps;
    };
    QCOMPARE(runCli(train + QStringList{"--steps", "2"}).code, 0);
    const QByteArray first = contentOf(file("a.run"));
    QCOMPARE(readRunFile(file("a.run").toStdString()).header.program, std::string(STRATEGYLAB_VERSION));
    QFile part(file("m.jsonl.part"));  // as a run leaves it that is killed
    QVERIFY(part.open(QIODevice::WriteOnly));
    part.close();
    const Ran again = runCli(train + QStringList{"--steps", "4", "--resume"});
    QVERIFY2(again.code == 0 && again.err.contains("m.before-step-3.jsonl'"), again.err);
    QCOMPARE(stepsIn(file("m.before-step-3.jsonl")), (QList<int>{1, 2}));
    QCOMPARE(stepsIn(file("m.jsonl")), (QList<int>{3, 4}));
    QCOMPARE(contentOf(file("a.before-step-3.run")), first);
    QVERIFY(QFile::exists(file("m.before-step-3.jsonl.part")));
    // Nothing that was kept is replaced: this run is resumed at the same step.
    QVERIFY(QFile::copy(file("m.jsonl"), file("m.before-step-5.jsonl")));
    QCOMPARE(runCli(train + QStringList{"--steps", "5", "--resume"}).code, 0);
    QCOMPARE(stepsIn(file("m.before-step-5-2.jsonl")), (QList<int>{3, 4}));
  }

  void compareIsATableForPeople() {
    const Ran ran = runCli(
        {"compare", "--strategies", "default,tpu", "--dataset", "digits", "--steps", "1", "--test-examples", "10"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QList<QByteArray> lines = ran.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].contains("measured images/s") && lines[0].contains("modelled images/s"));
    QVERIFY(lines[1].startsWith("default ") && lines[2].startsWith("tpu "));
  }

  void benchReportsItsShareOfThePeak() {
    const Ran ran = runCli({"bench", "--replicas", "1,2", "--global-batch", "64,40", "--seconds", "0.05", "--dataset",
                            "digits", "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QJsonObject bench = jsonDocument(ran.out);
    QVERIFY(bench["peakGflops"].toDouble() > 0 && bench["memoryGbPerSec"].toDouble() > 0);
    const double flop = bench["flopPerImage"].toDouble();
    QVERIFY(flop > 2.5e6 && flop < 3.2e6);
    const QJsonArray runs = bench["runs"].toArray();
    QCOMPARE(runs.size(), 4);
    for (qsizetype i = 0; i < runs.size(); ++i) {
      const QJsonObject run = runs[i].toObject();
      QCOMPARE(run["globalBatch"].toInt(), i < 2 ? 64 : 40);
      QCOMPARE(run["replicas"].toInt(), i % 2 == 0 ? 1 : 2);
      QVERIFY(run["imagesPerSecond"].toDouble() > 0 && run["steps"].toInt() > 0);
      const double share = run["imagesPerSecond"].toDouble() * flop / 1e9 / bench["peakGflops"].toDouble();
      QVERIFY(std::abs(run["shareOfPeak"].toDouble() - share) < 1e-9);
    }

    // The operations and the rest make up the step; their work is the work for the images and for the update.
    const QJsonObject profile = bench["profile"].toObject();
    QCOMPARE(profile["globalBatch"].toInt(), 64);
    double seconds = profile["otherSeconds"].toDouble(), work = 0;
    QStringList names;
    for (const QJsonValue& value : profile["operations"].toArray()) {
      const QJsonObject operation = value.toObject();
      names << operation["name"].toString();
      seconds += operation["seconds"].toDouble();
      const double done = operation["gflops"].toDouble() * 1e9 * operation["seconds"].toDouble();
      if (names.last() != "update") work += done;
      QVERIFY(operation["seconds"].toDouble() > 0 &&
              (operation["gbPerSec"].toDouble() > 0) == (names.last() != "input"));
    }
    QCOMPARE(names.join(", "),
             "input, conv2d forward, dense forward, dense_1 forward, loss, dense_1 backward, "
             "dense backward, conv2d backward, update");
    QVERIFY(profile["otherSeconds"].toDouble() > 0);
    QVERIFY(std::abs(seconds / profile["seconds"].toDouble() - 1) < 1e-6);
    const double images = profile["images"].toDouble();
    QVERIFY(images > 0 && std::abs(work * profile["steps"].toDouble() / (images * flop) - 1) < 1e-6);
  }

  // An epoch's second step has one of the 4,000 digits: work is counted for the images of each step.
  void aBreakdownCountsTheImagesOfItsSteps() {
    const Ran ran = runCli({"bench", "--replicas", "1", "--global-batch", "3999", "--seconds", "0.2", "--dataset",
                            "digits", "--network", "mlp", "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QJsonObject bench = jsonDocument(ran.out), profile = bench["profile"].toObject();
    const double steps = profile["steps"].toDouble(), images = profile["images"].toDouble();
    QVERIFY(images >= 1 && images <= 2000 * (steps + 1));
    double work = 0;
    for (const QJsonValue& operation : profile["operations"].toArray())
      if (operation["name"].toString() != "update")
        work += operation["gflops"].toDouble() * 1e9 * operation["seconds"].toDouble();
    QVERIFY(std::abs(work * steps / (images * bench["flopPerImage"].toDouble()) - 1) < 1e-6);
  }

  // A network with more operations than the course's, of which a step's time at the peak is the sum, too.
  void aStepAtThePeakIsItsOperationsAtThePeak() {
    std::vector<NetworkLayer> layers{{.kind = NetworkLayer::Kind::Flatten, .name = "flatten"}};
    for (const char* name : {"dense", "dense_1", "dense_2", "dense_3"})
      layers.push_back({.kind = NetworkLayer::Kind::Dense, .name = name, .units = 32, .relu = true});
    layers.push_back({.kind = NetworkLayer::Kind::Dense, .name = "dense_4", .units = 10});
    const std::string json = kerasJson({"deep", {28, 28, 1}, layers});
    const QTemporaryDir folder;
    const QString network = folder.filePath("deep.json");
    writeFileAtomically(network.toStdString(), {reinterpret_cast<const std::uint8_t*>(json.data()), json.size()});
    // A batch that divides the digits: all steps are alike.
    const Ran ran = runCli({"bench", "--replicas", "1", "--global-batch", "40", "--seconds", "0.05", "--dataset",
                            "digits", "--network", network, "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QJsonObject bench = jsonDocument(ran.out);
    const QJsonArray operations = bench["profile"]["operations"].toArray();
    QVERIFY(operations.size() > 2 + kCnnOps);  // with input and update
    double sum = 0;
    for (const QJsonValue& operation : operations) sum += operation["floorSeconds"].toDouble();
    QVERIFY(sum > 0);
    QVERIFY(std::abs(bench["runs"][0]["floorSeconds"].toDouble() / sum - 1) < 1e-9);
  }
};

QTEST_GUILESS_MAIN(TestCliTrain)
#include "tst_cli_train.moc"
