// SPDX-License-Identifier: GPL-3.0-or-later
// The built strategylab-cli with a module that it opens at run time: the one of emulated GPUs, in the place of CUDA's.
// And without one, or with something else in its place: what it says then.
#include <QTest>

#include <QDir>
#include <QFile>
#include <QJsonArray>

#include "tests/core/cli_program.h"

using namespace lab::test;

namespace {

constexpr const char* kModule = "STRATEGYLAB_CUDA_MODULE";

QJsonArray gpusOf(const Ran& devices) {
  QJsonArray gpus;
  for (const QJsonValue& device : jsonDocument(devices.out)["devices"].toArray())
    if (device["kind"].toString() == "cuda") gpus.append(device);
  return gpus;
}

}  // namespace

class TestCliGpu : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { qputenv(kModule, STRATEGYLAB_EMULATED_MODULE); }
  void cleanup() {
    qunsetenv(kModule);
    qunsetenv("STRATEGYLAB_EMULATED_GPUS");
  }

  void devicesListsThem() {
    qputenv("STRATEGYLAB_EMULATED_GPUS", "3");
    const QJsonArray gpus = gpusOf(runCli({"devices", "--json"}));
    QCOMPARE(gpus.size(), 3);
    for (const QJsonValue& gpu : gpus) {
      QVERIFY(gpu["available"].toBool());
      QVERIFY(!gpu.toObject().contains("why"));
      QVERIFY2(gpu["name"].toString().contains("compute capability 9.0"), qPrintable(gpu["name"].toString()));
    }
  }

  void whatIsNoModuleIsSaid_data() {
    QTest::addColumn<QByteArray>("module");
    QTest::addColumn<QString>("why");
    QTest::newRow("none") << QByteArray("/no/such/file") << "there is no CUDA module '/no/such/file'";
    QTest::newRow("no library") << QByteArray(__FILE__) << "cannot be opened";
    QTest::newRow("a program") << QByteArray(STRATEGYLAB_CLI) << "cannot be opened";
  }
  void whatIsNoModuleIsSaid() {
    QFETCH(QByteArray, module);
    QFETCH(QString, why);
    qputenv(kModule, module);
    const Ran devices = runCli({"devices", "--json"});
    QCOMPARE(devices.code, 0);
    const QJsonArray gpus = gpusOf(devices);
    QCOMPARE(gpus.size(), 1);
    QCOMPARE(gpus[0]["available"].toBool(true), false);
    QVERIFY2(gpus[0]["why"].toString().contains(why), qPrintable(gpus[0]["why"].toString()));
    for (const char* command : {"train", "selftest", "bench"}) {
      const Ran ran = runCli({command, "--devices", "cuda"});
      QCOMPARE(ran.code, 2);
      QVERIFY2(ran.err.contains("--devices cuda: ") && ran.err.contains("Use --devices "), ran.err.constData());
    }
  }

  // As a package has them: bin/strategylab-cli, and the module in the folder for libraries.
  void anInstalledModuleIsFound() {
    const QTemporaryDir place;
    const QDir root(place.path());
    const QString libraries = QDir::cleanPath(root.filePath(QStringLiteral("bin/" STRATEGYLAB_MODULE_FOLDER)));
    QVERIFY(root.mkpath(QStringLiteral("bin")) && root.mkpath(libraries));
    const QString program = root.filePath(QStringLiteral("bin/strategylab-cli"));
    QVERIFY(QFile::copy(QStringLiteral(STRATEGYLAB_CLI), program));
    qunsetenv(kModule);
    qputenv("STRATEGYLAB_EMULATED_GPUS", "2");
    const auto devices = [&] {
      QProcess process;
      prepareCli(process);
      process.setProgram(program);
      process.setArguments({QStringLiteral("devices"), QStringLiteral("--json")});
      process.start();
      process.waitForFinished();
      return gpusOf({process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()});
    };
    QCOMPARE(devices().first().toObject().value("available").toBool(true), false);
    QVERIFY(
        QFile::copy(QStringLiteral(STRATEGYLAB_EMULATED_MODULE), libraries + QStringLiteral("/strategylab_cuda.so")));
    QCOMPARE(devices().size(), 2);
  }

  void selftestTakesThem() {
    const Ran ran = runCli({"selftest", "--devices", "cuda", "--json"});
    QCOMPARE(ran.code, 0);
    const QJsonArray cases = jsonDocument(ran.out)["cases"].toArray();
    QVERIFY(cases.size() > 400);
    for (const QJsonValue& each : cases) {
      QCOMPARE(each["backend"].toString(), QString("cuda 0"));
      QVERIFY2(each["passed"].toBool(), qPrintable(each["case"].toString()));
    }
  }

  void trainsOnThem() {
    const QTemporaryDir folder;
    const QString metrics = folder.filePath("m.jsonl"), trace = folder.filePath("t.json");
    const Ran ran =
        runCli({"train", "--devices", "cuda", "--replicas", "2", "--global-batch", "20", "--steps", "3",
                "--train-examples", "60", "--test-examples", "20", "--metrics", metrics, "--trace", trace, "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QFile file(metrics);
    QVERIFY(file.open(QIODevice::ReadOnly));
    int steps = 0;
    for (const QJsonObject& line : jsonLines(file.readAll())) {
      if (line["event"] != "step") continue;
      QCOMPARE(line["step"].toInt(), ++steps);
      // Real devices: measured times, and no modelled one.
      QVERIFY(line["stepNs"].toDouble() > 0 && line["computeNs"].toDouble() > 0 && line["loss"].toDouble() > 0);
      QVERIFY(!line.contains("modelledStepNs"));
      QVERIFY(line["mirrorsIdentical"].toBool());
    }
    QCOMPARE(steps, 3);
    QFile traced(trace);
    QVERIFY(traced.open(QIODevice::ReadOnly));
    const QByteArray text = traced.readAll();
    QVERIFY(text.contains("conv2d forward") && text.contains("memory of GPU 0") && !text.contains("modelled\""));
  }

  void benchTakesAStepApart() {
    const Ran ran =
        runCli({"bench", "--devices", "cuda", "--replicas", "1", "--global-batch", "16", "--seconds", "0.2", "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QJsonObject bench = jsonDocument(ran.out);
    QCOMPARE(bench["processor"].toString(), QString("emulated GPU"));
    QVERIFY(bench["runs"][0]["imagesPerSecond"].toDouble() > 0);
    QVERIFY(bench["profile"]["operations"].toArray().size() >= 8);
  }
};

QTEST_GUILESS_MAIN(TestCliGpu)
#include "tst_cli_gpu.moc"
