// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: processors=2 lock=waits cost=75
// Real processes under mpirun whose replicas compute on GPUs, here on the stand-ins for CUDA and NCCL (fake_cuda.h):
// the bits of one process, with NCCL among all and hop by hop; a worker that is killed or stopped during NCCL's
// all-reduce, and a lost GPU; impossible set-ups are reported. Skipped, with the reason, if MPI is missing.
#include "tests/core/cli_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <csignal>
#include <functional>

#include "core/base/child_process.h"
#include "core/training/checkpoint.h"
#include "tests/support/normed_network.h"
#include "tests/support/patience.h"

using namespace lab;
using namespace lab::test;

namespace {

const QStringList kTrain = {"--strategy",       "multi-worker-mirrored",
                            "--train-examples", "60",
                            "--test-examples",  "12",
                            "--seed",           "3",
                            "--shuffle-buffer", "40"};

void prepareOnGpus(QProcess& process, const QString& cuda, const QString& nccl = {}) {
  prepareCli(process);
  QProcessEnvironment environment = process.processEnvironment();
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) environment.insert(name, "1");
  environment.insert("STRATEGYLAB_CUDA_MODULE", STRATEGYLAB_FAKE_MODULE);
  environment.insert("STRATEGYLAB_NCCL", STRATEGYLAB_FAKE_NCCL);
  environment.insert("STRATEGYLAB_FAKE_CUDA", cuda);
  environment.insert("STRATEGYLAB_FAKE_NCCL", nccl);
  process.setProcessEnvironment(environment);
}

Ran ranOnGpus(const QStringList& arguments, const QString& cuda = "gpus=4", const QString& nccl = {}) {
  QProcess process;
  prepareOnGpus(process, cuda, nccl);
  process.setArguments(arguments);
  process.start();
  Ran ran;
  const bool ended = process.waitForFinished(kPatienceMs);
  ran.out = process.readAllStandardOutput();
  ran.err = process.readAllStandardError();
  if (ended && process.exitStatus() == QProcess::NormalExit) ran.code = process.exitCode();
  return ran;
}

// Adds the usual options unless `more` sets them.
QStringList trainWith(QStringList more) {
  for (const auto& [option, usual] : {std::pair{"--dataset", "digits"}, {"--global-batch", "13"}})
    if (!more.contains(option)) more += {option, usual};
  return kTrain + more;
}
QStringList launchOf(int workers, const QStringList& more) {
  return QStringList{"launch", "--workers", QString::number(workers), "--worker-devices", "cuda", "--threads", "1"} +
         trainWith(more);
}
QStringList aloneOf(int workers, int replicas, const QStringList& more) {
  return QStringList{"train",
                     "--devices",
                     "cuda",
                     "--hosts",
                     QString::number(workers),
                     "--replicas",
                     QString::number(replicas),
                     "--threads",
                     "1"} +
         trainWith(more);
}

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestLaunchGpus : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (!isOnPath("mpirun")) QSKIP("mpirun was not found (Debian: openmpi-bin)");
    const Ran ran = ranOnGpus(launchOf(1, {"--steps", "1"}));
    if (ran.code == 2 && ran.err.contains("MPI module")) QSKIP(ran.err.constData());
    QVERIFY2(ran.code == 0, ran.err.constData());
  }

  void processesHaveTheBitsOfOne_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("reducer");
    QTest::addColumn<QStringList>("more");
    const auto row = [](int workers, int replicas, const char* reducer, const QStringList& more = {}) {
      QTest::addRow("%d workers, %d replicas, %s %s", workers, replicas, reducer, qPrintable(more.join(' ')))
          << workers << replicas << reducer << more;
    };
    row(1, 1, "nccl");
    row(2, 2, "nccl");
    row(2, 2, "nccl", {"--bytes-per-pack", "400000"});
    row(2, 4, "nccl", {"--trace", "trace.json"});
    row(4, 4, "nccl");
    row(2, 2, "ring");
    row(2, 4, "hierarchical", {"--trace", "trace.json"});
    row(4, 8, "tree");  // two replicas on each GPU
    row(2, 2, "nccl", {"--network", "cifar10", "--dataset", "colour", "--global-batch", "5"});
    row(2, 4, "ring", {"--network", "mlp"});
    row(3, 3, "nccl", {"--network", "own statistics"});
    row(2, 4, "hierarchical", {"--network", "own statistics", "--trace", "trace.json"});
    row(2, 4, "nccl", {"--network", "synchronised"});
    row(3, 3, "ring", {"--network", "synchronised", "--trace", "trace.json"});
  }
  void processesHaveTheBitsOfOne() {
    QFETCH(int, workers);
    QFETCH(int, replicas);
    QFETCH(QString, reducer);
    QFETCH(QStringList, more);
    const QTemporaryDir folder;
    const QString together = folder.filePath("together.safetensors"), alone = folder.filePath("alone.safetensors");
    const QString trace = folder.filePath("trace.json");
    const bool traced = more.removeAll("trace.json") > 0;
    if (traced) more.push_back(trace);
    for (QString& each : more)
      if (each == "own statistics" || each == "synchronised")
        each = normedNetworkFile(folder.path(), each == "synchronised");
    const QStringList same{"--reducer", reducer, "--steps", "4", "--eval-every", "2", "--json"};
    const Ran ran = ranOnGpus(
        launchOf(workers, same + more + QStringList{"--replicas", QString::number(replicas), "--save", together}));
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QByteArray spans = bytesOf(trace);
    const Ran one = ranOnGpus(aloneOf(workers, replicas, same + more + QStringList{"--save", alone}));
    QVERIFY2(one.code == 0, one.err.constData());
    QVERIFY(!bytesOf(together).isEmpty() && bytesOf(together) == bytesOf(alone));
    const QList<QJsonObject> lines = jsonLines(ran.out), others = jsonLines(one.out);
    QVERIFY(lines.size() > 6);
    QCOMPARE(lines.size(), others.size());
    for (qsizetype i = 0; i < lines.size(); ++i) {
      for (const char* key : {"event", "loss", "accuracy", "shards", "testLoss", "testAccuracy", "mirrorsIdentical"})
        QCOMPARE(lines[i][key], others[i][key]);
      if (lines[i]["event"] == "step") QVERIFY(lines[i]["stepNs"].toDouble() >= lines[i]["communicationNs"].toDouble());
    }
    if (!traced) return;
    for (int r = 0; r < replicas; ++r)  // the spans of every process's GPUs have reached the first
      QVERIFY2(spans.count("replica " + QByteArray::number(r)) > 0, spans.constData());
    QVERIFY(spans.count("GPU ") >= replicas);
  }

  // The run ends in time and names the worker, no process is left, and it is resumed to the bits of an undisturbed run.
  void whoeverIsMissingInAnAllReduceIsNamed_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("reducer");
    QTest::addColumn<bool>("synchronized");
    QTest::newRow("killed") << SIGKILL << "nccl" << false;
    QTest::newRow("stopped") << SIGSTOP << "nccl" << false;
    QTest::newRow("stopped, hop by hop") << SIGSTOP << "ring" << false;
    QTest::newRow("stopped, with sums in the middle of the step") << SIGSTOP << "nccl" << true;
  }
  void whoeverIsMissingInAnAllReduceIsNamed() {
    QFETCH(int, signal);
    QFETCH(QString, reducer);
    QFETCH(bool, synchronized);
    const QTemporaryDir folder, other, networks;
    const QStringList network =
        synchronized ? QStringList{"--network", normedNetworkFile(networks.path(), true)} : QStringList();
    const auto arguments = [&](const QTemporaryDir& to, const QStringList& more) {
      return launchOf(3, more + network +
                             QStringList{"--reducer", reducer, "--eval-every", "0", "--checkpoint-every", "4",
                                         "--deadline", "3", "--checkpoint-dir", to.path()});
    };
    QProcess process;
    prepareOnGpus(process, "gpus=3");
    process.setArguments(arguments(folder, {"--steps", "100000"}));
    process.start();
    // Does not wait for one by name: only the newest few are kept, and a quick run may pass it before the test sees it.
    QTRY_VERIFY_WITH_TIMEOUT(newestCheckpointStep(folder.path().toStdString()) >= 8, kPatienceMs);
    const qint64 victim = workerWith(folder.path(), 2);
    QVERIFY(victim > 1);
    ::kill(static_cast<pid_t>(victim), signal);
    QVERIFY(process.waitForFinished(kPatienceMs));
    const QByteArray said = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(said.contains("worker 2") && said.contains("--resume"), said.constData());
    QTRY_VERIFY_WITH_TIMEOUT(workersWith(folder.path()).isEmpty(), kPatienceMs);

    const QStringList kept = QDir(folder.path()).entryList({"checkpoint-*.safetensors"}, QDir::Files, QDir::Name);
    const QString steps = QString::number(kept.back().mid(11, 12).toLongLong() + 4);
    const QString resumed = other.filePath("resumed.safetensors"), whole = other.filePath("whole.safetensors");
    const Ran rest = ranOnGpus(arguments(folder, {"--steps", steps, "--resume", "--save", resumed}), "gpus=3");
    QVERIFY2(rest.code == 0, rest.err.constData());
    const Ran never = ranOnGpus(
        aloneOf(3, 3,
                network + QStringList{"--steps", steps, "--reducer", reducer, "--eval-every", "0", "--save", whole}),
        "gpus=3");
    QVERIFY2(never.code == 0, never.err.constData());
    QVERIFY(!bytesOf(whole).isEmpty() && bytesOf(resumed) == bytesOf(whole));
  }

  void whatFailsIsSaid_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("cuda");
    QTest::addColumn<QString>("nccl");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const QStringList nccl{"--reducer", "nccl", "--steps", "200", "--eval-every", "0", "--deadline", "3"};
    const QStringList ring{"--reducer", "ring", "--steps", "200", "--eval-every", "0", "--deadline", "3"};
    const auto row = [](const char* name, const QStringList& options, const char* cuda, const char* fakeNccl, int code,
                        const char* says) { QTest::newRow(name) << options << cuda << fakeNccl << code << says; };
    row("a lost GPU", nccl, "gpus=3 lose=2:200", "", 1, "worker 2: strategylab-cli: the run lost GPU 2");
    row("a lost GPU, hop by hop", ring, "gpus=3 lose=2:200", "", 1, "worker 2: strategylab-cli: the run lost GPU 2");
    row("NCCL fails", nccl, "gpus=3", "error=6", 1, "NCCL failed in a collective");
    row("NCCL refuses", nccl, "gpus=3", "duplicate=1", 1, "NCCL failed in ncclCommInitRank: invalid usage");
    row("one hangs in a call", nccl, "gpus=3", "hang=1 after=2", 1, "worker 0: strategylab-cli: worker 1 (process ");
    row("all hang in a call", nccl, "gpus=3", "hang=1 connect=1 after=2", 1, "all workers have waited for each other");
    // The start-up has its own limit.
    const QStringList starting = nccl + QStringList{"--start-up-limit", "4"};
    row("one hangs as NCCL starts", starting, "gpus=3", "hang=1 after=-1", 1,
        "during the start-up, and NCCL does not say");
    row("too few GPUs", nccl, "gpus=2", "", 2, "replicas 0 and 2 share one of");
    row("an old NCCL", nccl, "gpus=3", "version=20000", 2, "--reducer nccl: worker 0");
    row("no GPU", ring, "gpus=0", "", 2, "--worker-devices cuda: worker 0");
    row("no memory", ring, "gpus=3 memory=1000000", "", 1, "the memory of GPU");
  }
  void whatFailsIsSaid() {
    QFETCH(QStringList, options);
    QFETCH(QString, cuda);
    QFETCH(QString, nccl);
    QFETCH(int, code);
    QFETCH(QString, says);
    const Ran ran = ranOnGpus(launchOf(3, options), cuda, nccl);
    QVERIFY2(ran.code == code, ran.err.constData());
    QVERIFY2(ran.err.contains(says.toUtf8()), ran.err.constData());
  }
};

QTEST_GUILESS_MAIN(TestLaunchGpus)
#include "tst_launch_gpus.moc"
