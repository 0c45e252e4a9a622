// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: processors=2 lock=waits cost=75
// strategylab-cli launch with real processes under mpirun: the bits of the simulated run, Ctrl-C, a killed and a
// stopped worker, what is refused and with which exit code. Skipped, with the reason, if MPI is missing.
#include "tests/core/cli_program.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/base/child_process.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/config/choices.h"
#include "core/keras/keras_json.h"
#include "core/process/launch_plan.h"
#include "core/process/tagged_lines.h"
#include "core/training/checkpoint.h"
#include "tests/support/patience.h"

using namespace lab;
using namespace lab::test;

namespace {

const QStringList kLaunched = {"--dataset",      "digits", "--train-examples", "600", "--test-examples", "100",
                               "--global-batch", "64",     "--threads",        "1"};

void allowRoot(QProcess& process) {
  QProcessEnvironment environment = process.processEnvironment();
  environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
  environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  process.setProcessEnvironment(environment);
}

Ran launched(const QStringList& arguments, const QString& folder = {}) {
  QProcess process;
  prepareCli(process);
  if (!folder.isEmpty()) process.setWorkingDirectory(folder);
  allowRoot(process);
  process.setArguments(QStringList{"launch"} + kLaunched + arguments);
  process.start();
  Ran ran;
  const bool ended = process.waitForFinished(kPatienceMs);
  ran.out = process.readAllStandardOutput();
  ran.err = process.readAllStandardError();
  if (ended && process.exitStatus() == QProcess::NormalExit) ran.code = process.exitCode();
  return ran;
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void trained(const QString& folder, const QStringList& arguments) {
  QProcess process;
  prepareCli(process);
  process.setWorkingDirectory(folder);
  process.setArguments(QStringList{"train", "--strategy", "multi-worker-mirrored", "--devices", "simulated", "--hosts",
                                   "2", "--replicas", "2"} +
                       kLaunched + arguments);
  process.start();
  QVERIFY(process.waitForFinished(kPatienceMs));
  QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
}

void leave(const QString& path, const QByteArray& content) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(content);
}

// Writes 60 empty images, all labelled 1, for training and as many for testing.
void leaveIdx(const QString& folder) {
  const QByteArray count("\0\0\0\x3c", 4), side("\0\0\0\x1c", 4);
  for (const char* stem : {"train", "t10k"}) {
    leave(folder + "/" + stem + "-images-idx3-ubyte",
          QByteArray("\0\0\x08\x03", 4) + count + side + side + QByteArray(60 * 784, '\0'));
    leave(folder + "/" + stem + "-labels-idx1-ubyte", QByteArray("\0\0\x08\x01", 4) + count + QByteArray(60, '\1'));
  }
}

// Writes files that a run may read, for one network or another.
void leaveFiles(const QString& folder) {
  trained(folder, {"--network", "mlp", "--steps", "2", "--seed", "7", "--save", "net.keras"});
  trained(folder, {"--steps", "2", "--seed", "7", "--save", "weights.safetensors"});
  leave(folder + "/net.json", QByteArray::fromStdString(kerasJson(mlpNetwork())));
  leave(
      folder + "/own.csv",
      "kind,id,name,fp32_peak_tflops,fp32_source,matrix_peak_tflops,matrix_precision,matrix_source,mem_gb,mem_gb_per_s,"
      "mem_source,launch_overhead_us,launch_source,cnn_train_eff_of_peak,eff_source,link_gb_per_s_per_dir,"
      "link_bw_source,link_effective_gb_per_s,link_eff_source,link_latency_us,latency_source,notes,family\n"
      "link,own,Own,,,,,,,,,,,,,1,M,0.9,D,20,M,,ethernet\n");
}

}  // namespace

class TestLaunch : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> files_;  // of leaveFiles(), for several rows

  // Starts an endless run, waits for its third checkpoint, lets `harm` do something, and waits for the end.
  void harmed(const QString& folder, const QStringList& more, const std::function<void(QProcess&)>& harm, Ran& ran) {
    QProcess process;
    prepareCli(process);
    allowRoot(process);
    process.setArguments(QStringList{"launch"} + kLaunched +
                         QStringList{"--workers", "3", "--steps", "100000", "--eval-every", "0", "--checkpoint-dir",
                                     folder, "--checkpoint-every", "5"} +
                         more);
    process.start();
    QTRY_VERIFY_WITH_TIMEOUT(newestCheckpointStep(folder.toStdString()) >= 10, kPatienceMs);
    harm(process);
    QVERIFY(process.waitForFinished(kPatienceMs));
    ran.code = process.exitCode();
    ran.err = process.readAllStandardError();
    QTRY_VERIFY_WITH_TIMEOUT(workersWith(folder).isEmpty(), kPatienceMs);  // no worker is left behind
  }

 private slots:
  void initTestCase() {
    if (!isOnPath("mpirun")) QSKIP("mpirun was not found (Debian: openmpi-bin)");
    const Ran ran = launched({"--steps", "1"});
    if (ran.code == 2 && ran.err.contains("MPI module")) QSKIP(ran.err.constData());
    QCOMPARE(ran.code, 0);
  }

  void realProcessesHaveTheBitsOfSimulatedOnes_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("reducer");
    QTest::addColumn<int>("shardStage");  // 0: mirrored copies
    for (const Reducer schedule : kSchedules) {
      const std::string reducer(toString(schedule));
      QTest::addRow("4, %s", reducer.c_str()) << 4 << 8 << QString::fromStdString(reducer) << 0;
    }
    for (const int workers : {1, 2, 3, 7, 16}) QTest::addRow("%d", workers) << workers << workers << "ring" << 0;
    for (int stage = 1; stage <= 3; ++stage) QTest::addRow("3, shard stage %d", stage) << 3 << 6 << "ring" << stage;
  }
  void realProcessesHaveTheBitsOfSimulatedOnes() {
    QFETCH(int, workers);
    QFETCH(int, replicas);
    QFETCH(QString, reducer);
    QFETCH(int, shardStage);
    const QTemporaryDir folder;
    const QString together = folder.filePath("together.safetensors"), alone = folder.filePath("alone.safetensors");
    const QStringList inParts{"--strategy", "sharded", "--shard-stage", QString::number(shardStage)};
    const QStringList same{"--replicas", QString::number(replicas), "--reducer", reducer, "--steps", "6"};
    const Ran ran = launched(same + (shardStage > 0 ? inParts : QStringList()) +
                             QStringList{"--workers", QString::number(workers), "--save", together, "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const Ran simulated = runCli(QStringList{"train", "--strategy", "multi-worker-mirrored", "--devices", "simulated",
                                             "--hosts", QString::number(workers), "--save", alone, "--json"} +
                                 kLaunched + same);
    QVERIFY2(simulated.code == 0, simulated.err.constData());
    QVERIFY(contentOf(together) == contentOf(alone));
    const QList<QJsonObject> lines = jsonLines(ran.out), others = jsonLines(simulated.out);
    QCOMPARE(lines.size(), others.size());
    for (qsizetype i = 0; i < lines.size(); ++i) {
      QCOMPARE(lines[i]["loss"], others[i]["loss"]);
      QCOMPARE(lines[i]["testLoss"], others[i]["testLoss"]);
      if (lines[i]["event"] == "step") QVERIFY(lines[i]["stepNs"].toDouble() > 0);  // measured
    }
    if (workers > 1) QCOMPARE(lines.back()["mirrorsIdentical"].toBool(), shardStage < 3);
  }

  // Without launch: started by mpirun alone, and by srun, which sets SLURM's and PMIx's variables but none of mpirun's.
  void otherStartersDoAsWell_data() {
    QTest::addColumn<QString>("before");
    QTest::newRow("mpirun") << "";
    QTest::newRow("as srun")
        << "export SLURM_PROCID=$OMPI_COMM_WORLD_RANK SLURM_LOCALID=$OMPI_COMM_WORLD_LOCAL_RANK SLURM_NTASKS=2 "
           "SLURM_JOB_ID=1 SLURM_JOBID=1 SLURM_STEP_ID=0 SLURM_STEPID=0 SLURM_NODEID=0 SLURM_NNODES=1 "
           "SLURM_TASKS_PER_NODE=2 SLURM_NODELIST=$(hostname) SLURM_JOB_NODELIST=$(hostname) "
           "SLURM_STEP_NODELIST=$(hostname);"
           "for v in $(env | grep -oE '^OMPI_(COMM_WORLD|UNIVERSE|MCA|FILE|FIRST|NUM|APP|ARGV|COMMAND)[A-Za-z0-9_]*');"
           "do unset $v; done;";
  }
  void otherStartersDoAsWell() {
    QFETCH(QString, before);
    const QTemporaryDir folder;
    const QString together = folder.filePath("together.safetensors"), alone = folder.filePath("alone.safetensors");
    const QStringList train = QStringList{"train", "--strategy", "multi-worker-mirrored", "--steps", "6"} + kLaunched;
    QProcess process;
    prepareCli(process);
    allowRoot(process);
    process.setProgram("mpirun");
    process.setArguments(QStringList{"-n", "2", "--oversubscribe", "--bind-to", "none", "sh", "-c",
                                     before + "exec \"$@\"", "sh", STRATEGYLAB_CLI} +
                         train + QStringList{"--devices", "processes", "--save", together});
    process.start();
    QVERIFY(process.waitForFinished(kPatienceMs));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    const Ran simulated =
        runCli(train + QStringList{"--devices", "simulated", "--hosts", "2", "--replicas", "2", "--save", alone});
    QVERIFY2(simulated.code == 0, simulated.err.constData());
    QVERIFY(contentOf(together) == contentOf(alone));
  }

  // Files are needed beside worker 0 if mpirun is started by hand, and beside launch otherwise; no other worker has
  // them.
  void filesAreNeededInOnePlace_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<bool>("byLaunch");
    for (const bool byLaunch : {false, true})
      for (const QStringList& options : {QStringList{"--network", "net.json"},
                                         {"--network", "net.keras"},
                                         {"--init", "weights.safetensors"},
                                         {"--catalogue", "own.csv"},
                                         {"--checkpoint-dir", "checkpoints", "--resume"},
                                         {"--network", "net.keras", "--checkpoint-dir", "checkpoints", "--resume"}}) {
        if (byLaunch && options.contains("--resume")) continue;  // checkpoints are worker 0's
        QTest::addRow("%s, %s", qPrintable(options.join(' ')), byLaunch ? "launch" : "mpirun") << options << byLaunch;
      }
  }
  void filesAreNeededInOnePlace() {
    QFETCH(QStringList, options);
    QFETCH(bool, byLaunch);
    const QTemporaryDir folder;
    for (const char* name : {"0", "1", "elsewhere"}) QVERIFY(QDir(folder.path()).mkdir(name));
    const QString there = folder.filePath(byLaunch ? "elsewhere" : "0");
    if (!files_) leaveFiles((files_ = std::make_unique<QTemporaryDir>())->path());
    for (const QString& name : QDir(files_->path()).entryList(QDir::Files))
      QVERIFY(QFile::copy(files_->filePath(name), there + "/" + name));
    if (options.contains("--resume")) {
      QStringList before = options;
      before.removeAll("--resume");
      const Ran ran = launched(before + QStringList{"--steps", "2"}, there);
      QVERIFY2(ran.code == 0, ran.err.constData());
    }
    const QStringList train = kLaunched + QStringList{"--strategy", "multi-worker-mirrored", "--steps", "6"} + options;
    const QString together = folder.filePath("together.safetensors"), alone = folder.filePath("alone.safetensors");
    QProcess process;
    prepareCli(process);
    allowRoot(process);
    process.setWorkingDirectory(folder.path());
    const QString each = "cd " + folder.path() + "/$OMPI_COMM_WORLD_RANK; exec \"$@\"";
    if (byLaunch) {  // this mpirun starts the workers in a folder of their own
      QFile mpirun(folder.filePath("mpirun"));
      QVERIFY(mpirun.open(QIODevice::WriteOnly));
      mpirun.write("#!/bin/sh\nPATH=${PATH#*:}; cd '" + folder.path().toUtf8() + "'; exec mpirun \"$@\"\n");
      mpirun.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
      QProcessEnvironment environment = process.processEnvironment();
      environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
      process.setProcessEnvironment(environment);
      process.setWorkingDirectory(there);
      process.setArguments(QStringList{"launch"} + train + QStringList{"--save", together});
    } else {
      process.setProgram("mpirun");
      process.setArguments(QStringList{"-n", "2", "--oversubscribe", "--bind-to", "none", "sh", "-c", each, "sh",
                                       STRATEGYLAB_CLI, "train"} +
                           train + QStringList{"--devices", "processes", "--save", together});
    }
    process.start();
    QVERIFY(process.waitForFinished(kPatienceMs));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    QProcess simulated;
    prepareCli(simulated);
    simulated.setWorkingDirectory(there);
    if (options.contains("--resume")) QVERIFY(QDir(there + "/checkpoints").removeRecursively());
    QStringList same = train;
    same.removeAll("--resume");
    simulated.setArguments(
        QStringList{"train", "--devices", "simulated", "--hosts", "2", "--replicas", "2", "--save", alone} + same);
    simulated.start();
    QVERIFY(simulated.waitForFinished(kPatienceMs));
    QVERIFY2(simulated.exitCode() == 0, simulated.readAllStandardError().constData());
    QVERIFY(!contentOf(alone).isEmpty() && contentOf(together) == contentOf(alone));
  }

  // Every worker has its own examples and reports their absence itself.
  void whoeverHasNoExamplesSaysSo() {
    const QTemporaryDir folder;
    for (const char* name : {"0", "1"}) QVERIFY(QDir(folder.path()).mkdir(name));
    QVERIFY(QDir(folder.filePath("0")).mkdir("own"));
    leaveIdx(folder.filePath("0/own"));
    QProcess process;
    prepareCli(process);
    allowRoot(process);
    process.setProgram("mpirun");
    process.setArguments({"-n",
                          "2",
                          "--oversubscribe",
                          "--bind-to",
                          "none",
                          "--tag-output",
                          "sh",
                          "-c",
                          "cd " + folder.path() + "/$OMPI_COMM_WORLD_RANK; exec \"$@\"",
                          "sh",
                          STRATEGYLAB_CLI,
                          "train",
                          "--devices",
                          "processes",
                          "--strategy",
                          "multi-worker-mirrored",
                          "--dataset",
                          "mnist",
                          "--data-dir",
                          "own",
                          "--steps",
                          "3"});
    process.start();
    QVERIFY(process.waitForFinished(kPatienceMs));
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains("[1,1]<stderr>:strategylab-cli: ") && said.contains("'own'"), said.constData());
  }

  void interruptEndsAllAtAStepWithFilesInPlace() {
    const QTemporaryDir folder;
    Ran ran;
    harmed(
        folder.path(), {"--metrics", folder.filePath("metrics.jsonl")},
        [](QProcess& process) { ::kill(static_cast<pid_t>(process.processId()), SIGINT); }, ran);
    QCOMPARE(ran.code, 130);
    QVERIFY(contentOf(folder.filePath("metrics.jsonl")).contains("\"event\":\"end\""));
  }

  // mpirun is asked to end, and no worker says what was done.
  void interruptBeforeTheStartIsSaid() {
    const QTemporaryDir folder;
    QFile mpirun(folder.filePath("mpirun"));
    QVERIFY(mpirun.open(QIODevice::WriteOnly));
    mpirun.write("#!/bin/sh\ntouch \"$0.began\"\nexec sleep 100\n");
    mpirun.close();
    QVERIFY(mpirun.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    QProcess process;
    prepareCli(process);
    allowRoot(process);
    QProcessEnvironment environment = process.processEnvironment();
    environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
    process.setProcessEnvironment(environment);
    process.setArguments(QStringList{"launch", "--steps", "5"} + kLaunched);
    process.start();
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder.filePath("mpirun.began")), kPatienceMs);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(kPatienceMs));
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(process.readAllStandardError(), QByteArray("stopped before a worker had reported.\n"));
  }

  // The run ends in time and names the worker, no process is left, and it is resumed to the bits of an undisturbed run.
  void aWorkerThatIsKilledOrStoppedIsNamed_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("strategy");
    QTest::newRow("killed") << SIGKILL << "multi-worker-mirrored";
    QTest::newRow("stopped") << SIGSTOP << "multi-worker-mirrored";
    QTest::newRow("told to end, and no other") << SIGTERM << "multi-worker-mirrored";
    QTest::newRow("killed, and its part with it") << SIGKILL << "sharded";
    QTest::newRow("stopped, with its part") << SIGSTOP << "sharded";
  }
  void aWorkerThatIsKilledOrStoppedIsNamed() {
    QFETCH(int, signal);
    QFETCH(QString, strategy);
    const QTemporaryDir folder;
    Ran ran;
    harmed(
        folder.path(), {"--deadline", "3", "--strategy", strategy},
        [&](QProcess&) {
          const qint64 victim = workerWith(folder.path(), 2);
          QVERIFY(victim > 1);
          ::kill(static_cast<pid_t>(victim), signal);
        },
        ran);
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains("worker 2"), ran.err.constData());
    // The command that the message names resumes from the step it names.
    const QByteArray said = ran.err.mid(ran.err.indexOf("To continue from it: ") + 21).trimmed();
    QVERIFY2(said.endsWith("--checkpoint-dir " + folder.path().toUtf8() + " --resume"), ran.err.constData());
    QProcess again;
    prepareCli(again);
    allowRoot(again);
    again.setProgram("sh");
    again.setArguments({"-c", "exec " + said});
    const auto newest = [&] { return newestCheckpointStep(folder.path().toStdString()); };
    const std::int64_t before = newest();
    QVERIFY2(ran.err.contains(("is of step " + formatCount(before) + ",").c_str()), ran.err.constData());
    again.start();
    QVERIFY(again.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(again.state() != QProcess::Running || newest() > before, kPatienceMs);
    QVERIFY2(again.state() == QProcess::Running, again.readAllStandardError().constData());
    ::kill(static_cast<pid_t>(again.processId()), SIGINT);
    QVERIFY(again.waitForFinished(kPatienceMs));
    QCOMPARE(again.exitCode(), 130);
  }

  // As when a machine sleeps: no worker is missing once all go on.
  void allStoppedForLongerThanTheDeadlineGoOn() {
    const QTemporaryDir folder;
    Ran ran;
    harmed(
        folder.path(), {"--deadline", "1"},
        [&](QProcess& process) {
          const QList<qint64> workers = workersWith(folder.path());
          const auto all = [&](int signal) {
            for (const qint64 pid : workers) ::kill(static_cast<pid_t>(pid), signal);
          };
          all(SIGSTOP);
          QTest::qWait(3000);  // compared with the deadline
          const auto newest = [&] { return newestCheckpointStep(folder.path().toStdString()); };
          const std::int64_t before = newest();
          all(SIGCONT);
          QTRY_VERIFY_WITH_TIMEOUT(process.state() != QProcess::Running || newest() > before, kPatienceMs);
          QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError().constData());
          ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        },
        ran);
    QCOMPARE(ran.code, 130);
  }

  void asRootOnlyWhereItIsAllowed() {
    process::LaunchRequest request;
    request.root = true;
    QVERIFY_THROWS_EXCEPTION(std::exception, (void)process::planLaunch(request));
    request.rootAllowed = true;
    QCOMPARE(process::planLaunch(request).command.front(), "mpirun");
    if (!runsAsRoot()) return;
    QProcess process;
    prepareCli(process);
    QProcessEnvironment environment = process.processEnvironment();
    environment.remove("OMPI_ALLOW_RUN_AS_ROOT");
    process.setProcessEnvironment(environment);
    process.setArguments({"launch", "--steps", "1"});
    process.start();
    QVERIFY(process.waitForFinished(kPatienceMs));
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().contains("OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"));
  }

  void whatCannotBeIsRefused() {
    for (const QStringList& arguments : {QStringList{"--strategy", "parameter-server", "--hosts", "a,b"},
                                         {"--strategy", "parameter-server", "--reducer", "ring"},
                                         {"--strategy", "parameter-server", "--workers", "2", "--replicas", "3"},
                                         {"--strategy", "parameter-server", "--replicas", "65"},
                                         {"--strategy", "mirrored"},
                                         {"--workers", "3", "--replicas", "4"},
                                         {"--workers", "3", "--hosts", "a,b"},
                                         {"--hosts=-oProxyCommand=x,b"},
                                         {"--worker-devices", "gpu"},
                                         {"--tf-config", "/nowhere"}}) {
      QProcess process;
      prepareCli(process);
      allowRoot(process);
      process.setArguments(QStringList{"launch"} + arguments);
      process.start();
      QVERIFY(process.waitForFinished(kPatienceMs));
      QCOMPARE(process.exitCode(), 2);
    }
  }

  // A worker that had taken it for --resume would have asked for --checkpoint-dir.
  void aFlagThatIsFalseIsFalseForTheWorkersToo() {
    const Ran ran = launched({"--steps", "1", "--resume=false"});
    QVERIFY2(ran.code == 0, ran.err.constData());
  }

  void planPutsEachWorkerOnItsHost() {
    process::LaunchRequest request;
    request.workers = 4;
    request.hosts = {"a", "b"};
    const process::LaunchPlan plan = process::planLaunch(request);
    QCOMPARE(plan.hostFile, "a\na\nb\nb\n");
    QCOMPARE(plan.workers[2], "worker 2 (b)");
    request.hosts = {"localhost", "b.example.org"};  // with the names that mpirun uses
    QCOMPARE(process::planLaunch(request).hosts,
             (std::vector<std::string>{hostName(), hostName(), "b.example.org", "b.example.org"}));
  }

  // On other hosts mpirun sets no variables but those that it is told.
  void planPassesOnWhatGpusAndNcclAreTold() {
    const auto passed = [](const std::string& name) {
      const std::vector<std::string> command = process::planLaunch({}).command, wanted{"-x", name};
      return !std::ranges::search(command, wanted).empty();
    };
    for (const char* name : {"STRATEGYLAB_NCCL", "STRATEGYLAB_CUDA_MODULE", "STRATEGYLAB_CUDA_OVERLAP",
                             "NCCL_SOCKET_IFNAME", "NCCL_DEBUG"}) {
      qunsetenv(name);
      QVERIFY2(!passed(name), name);
      qputenv(name, "set");
      const bool isPassed = passed(name);
      qunsetenv(name);
      QVERIFY2(isPassed, name);
    }
  }

  // If there are fewer cores than processes, or their number is unknown.
  void whoeverWaitsGivesWayWhereCoresAreShort() {
    const auto givesWay = [](int workers, int cores, const std::vector<std::string>& hosts) {
      process::LaunchRequest request;
      request.workers = workers;
      request.cores = cores;
      request.hosts = hosts;
      const std::vector<std::string> command = process::planLaunch(request).command;
      return *std::next(std::ranges::find(command, "mpi_yield_when_idle"));
    };
    QCOMPARE(givesWay(4, 4, {}), "0");
    QCOMPARE(givesWay(5, 4, {}), "1");
    QCOMPARE(givesWay(2, 0, {}), "1");
    QCOMPARE(givesWay(2, 4, {"a", "b"}), "1");
  }

  void aRunWithoutCheckpointsSaysSoAndWhatItLeaves() {
    QProcess process;
    prepareCli(process);
    allowRoot(process);
    const QTemporaryDir folder;  // its path marks these workers
    process.setArguments(QStringList{"launch"} + kLaunched +
                         QStringList{"--workers", "2", "--steps", "1000000", "--eval-every", "0", "--metrics",
                                     folder.filePath("metrics.jsonl")});
    process.start();
    QTRY_VERIFY_WITH_TIMEOUT(QFile(folder.filePath("metrics.jsonl.part")).size() > 0, kPatienceMs);
    const qint64 victim = workerWith(folder.path(), 1);
    QVERIFY(victim > 1);
    ::kill(static_cast<pid_t>(victim), SIGKILL);
    QVERIFY(process.waitForFinished(kPatienceMs));
    const QByteArray said = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(said.contains("worker 1") && said.contains("kept no checkpoints") && !said.contains("{\"kept\""),
             said.constData());
    QVERIFY2(said.contains("left unfinished: '" + folder.filePath("metrics.jsonl.part").toUtf8() + "'\n"),
             said.constData());
  }

  void whatMpirunCannotStartIsSaid_data() {
    QTest::addColumn<QByteArray>("says");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("unknown") << QByteArray(
                                    "ssh: Could not resolve hostname nosuch: Name or service not known\r\n---\nORTE")
                             << QByteArray("mpirun does not reach host 'nosuch': Name or service not known.");
    QTest::newRow("no server") << QByteArray("ssh: connect to host b port 22: Connection refused\r\n")
                               << QByteArray("mpirun does not reach host 'b': Connection refused.");
    QTest::newRow("no key") << QByteArray("Warning: added.\nme@b: Permission denied (publickey,password).\n")
                            << QByteArray("mpirun does not reach host 'b': Permission denied (publickey,password).");
    QTest::newRow("no program") << QByteArray(
                                       "or execute an executable:\n\nExecutable: /x/strategylab-cli\nNode: b\n\n")
                                << QByteArray("'/x/strategylab-cli' is not on host 'b'.");
    QTest::newRow("else") << QByteArray("mpirun has a bad day") << QByteArray();
  }
  void whatMpirunCannotStartIsSaid() {
    QFETCH(QByteArray, says);
    QFETCH(QByteArray, sentence);
    const Message why = process::whyNotStarted(says.toStdString());
    QCOMPARE(why.empty(), sentence.isEmpty());
    if (!why.empty()) QVERIFY2(format(why).starts_with(sentence.toStdString()), format(why).c_str());
  }

  void aHostThatIsNotThereIsSaid() {
    const Ran ran = launched({"--workers", "2", "--hosts", "localhost,no-such-host.invalid"});
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains("'no-such-host.invalid'") && !ran.err.contains("ORTE"), ran.err.constData());
  }

  void outputIsRead() {
    process::TaggedLines lines;
    const process::WorkerLine line = lines.add("[1,12]<stderr>:hello: you", true).at(0);
    QCOMPARE(line.worker, 12);
    QCOMPARE(line.text, "hello: you");
    QCOMPARE(lines.add("mpirun noticed", true).at(0).worker, -1);
    const auto killed =
        process::killedWorker("mpirun noticed that process rank 1 with PID 77 on node b exited on signal 9 (Killed).");
    QVERIFY(killed && killed->worker == 1 && killed->signal == 9 && killed->host == "b");
  }

  void outputOfAnyLengthIsRead() {
    const std::string noise(std::size_t{1} << 20, 'x'), digits(40, '9');
    const auto report = [](const std::string& rank, const std::string& signal) {
      return "mpirun noticed that process rank " + rank + " with PID 77 on node b exited on signal " + signal +
             " (Killed).";
    };
    QVERIFY(process::whyNotStarted(noise).empty());
    QVERIFY(!process::whyNotStarted("ssh: connect to host b port 22: Connection refused\n" + noise).empty());
    QVERIFY(!process::killedWorker(noise));
    const auto killed = process::killedWorker(noise + "\n" + report("1", "9"));
    QVERIFY(killed && killed->worker == 1);
    QVERIFY(!process::killedWorker(report(digits, "9")));
    QVERIFY(!process::killedWorker(report("1", digits)));
  }
};

QTEST_GUILESS_MAIN(TestLaunch)
#include "tst_launch.moc"
