// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// The built strategylab-cli with a module that it opens at run time: the CUDA module's source on a stand-in for CUDA
// (tests/support/fake_cuda.h). What the program prints without a module, with another library in its place, and
// wherever GPUs cannot be used. And what tests/gpu/run.sh makes of machines that lack something.
#include <QTest>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QStandardPaths>

#include <cmath>

#include <dlfcn.h>

#include "core/base/child_process.h"
#include "tests/core/cli_program.h"
#include "tests/support/patience.h"

using namespace lab::test;

namespace {

constexpr const char* kModule = "STRATEGYLAB_CUDA_MODULE";
constexpr const char* kCuda = "STRATEGYLAB_FAKE_CUDA";

QJsonArray gpusOf(const Ran& devices) {
  QJsonArray gpus;
  for (const QJsonValue& device : jsonDocument(devices.out)["devices"].toArray())
    if (device["kind"].toString() == "cuda") gpus.append(device);
  return gpus;
}

// Runs tests/gpu/run.sh where a folder's programs, modules of Python and libraries (lib/) come before all others.
class Rehearsal {
 public:
  Rehearsal() {
    QVERIFY(QDir().mkpath(path("logs")));
    // A program that knows the GPUs. It trains at once, but not with NCCL.
    write("strategylab-cli", "case $1 in devices) exec '" STRATEGYLAB_CLI
                             "' \"$@\" ;; esac\n"
                             "for option; do\n"
                             "  case $option in\n"
                             "    --reducer=nccl) exit 2 ;;\n"
                             "    --metrics=*) echo '{\"event\":\"end\"}' >\"${option#*=}\" ;;\n"
                             "    --save=*) : >\"${option#*=}\" ;;\n"
                             "  esac\n"
                             "done\n");
  }
  QString path(const QString& name) const { return folder_.filePath(name); }
  void write(const QString& name, const QByteArray& script, const QByteArray& begin = "#!/bin/sh\n") const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(begin + script);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }
  Ran run(const QStringList& arguments) const {
    QProcess process;
    QProcessEnvironment environment = emptyHome();
    for (const auto& [variable, place] :
         {std::pair{"PATH", folder_.path()}, {"PYTHONPATH", folder_.path()}, {"LD_LIBRARY_PATH", path("lib")}})
      environment.insert(variable, place + ":" + environment.value(variable));
    environment.insert("TMPDIR", path("logs"));
    process.setProcessEnvironment(environment);
    process.setProgram("bash");
    process.setArguments(QStringList{STRATEGYLAB_SOURCE_DIR "/tests/gpu/run.sh", "--cli", path("strategylab-cli")} +
                         arguments);
    process.start();
    Ran ran;
    const bool ended = process.waitForFinished(lab::kPatienceMs);
    ran.out = process.readAllStandardOutput();
    ran.err = process.readAllStandardError();
    if (ended && process.exitStatus() == QProcess::NormalExit) ran.code = process.exitCode();
    return ran;
  }

 private:
  QTemporaryDir folder_;
};

}  // namespace

class TestCliGpu : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    qputenv(kModule, STRATEGYLAB_FAKE_MODULE);
    qputenv("STRATEGYLAB_NCCL", STRATEGYLAB_FAKE_NCCL);
  }
  void cleanup() {
    for (const char* name : {kModule, kCuda, "STRATEGYLAB_NCCL", "STRATEGYLAB_FAKE_NCCL", "CUDA_VISIBLE_DEVICES"})
      qunsetenv(name);
  }

  void devicesListsThem() {
    qputenv(kCuda, "gpus=3");
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
    QTest::newRow("none") << QByteArray("/no/such/file") << "the CUDA module '/no/such/file' is missing";
    QTest::newRow("no library") << QByteArray(STRATEGYLAB_SOURCE_DIR "/README.md") << "cannot be opened";
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

  // Each reason, in the module's words.
  void whyGpusAreNotUsed_data() {
    QTest::addColumn<QByteArray>("cuda");
    QTest::addColumn<QByteArray>("visible");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* cuda, const char* visible, const char* why) {
      QTest::newRow(why) << QByteArray(cuda) << QByteArray(visible) << why;
    };
    if (void* driver = dlopen("libcuda.so.1", RTLD_NOW); driver == nullptr)
      row("driver=0", "", "there is no NVIDIA driver on this machine (libcuda.so.1 cannot be opened)");
    row("driver=12080", "",
        "the NVIDIA driver is too old: it supports CUDA 12.8, and CUDA 13.0 is needed (driver 580 or newer)");
    row("gpus=0", "", "the NVIDIA driver is installed, but it finds no GPU");
    row("gpus=0", "7", "CUDA_VISIBLE_DEVICES=\"7\" leaves no GPU visible");
    row("major=6 minor=1", "", "GPU 0 (fake GPU) has compute capability 6.1, but 7.5 or newer is needed");
    row("fail=cudaGetDeviceCount:1:803", "",
        "CUDA does not start: error of the stand-in for CUDA (cudaError 803); restart the machine if its driver was "
        "updated");
    row("fail=cudaGetDeviceCount:1:999", "", "CUDA does not start: error of the stand-in for CUDA (cudaError 999)");
  }
  void whyGpusAreNotUsed() {
    QFETCH(QByteArray, cuda);
    QFETCH(QByteArray, visible);
    QFETCH(QString, why);
    qputenv(kCuda, cuda);
    if (!visible.isEmpty()) qputenv("CUDA_VISIBLE_DEVICES", visible);
    const QJsonArray gpus = gpusOf(runCli({"devices", "--json"}));
    QCOMPARE(gpus.size(), 1);
    QCOMPARE(gpus[0]["available"].toBool(true), false);
    QCOMPARE(gpus[0]["why"].toString(), why);
  }

  void whyNcclIsNotUsed_data() {
    QTest::addColumn<QByteArray>("library");
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QString>("says");
    QTest::newRow("there") << QByteArray(STRATEGYLAB_FAKE_NCCL) << QByteArray() << ", NCCL 2.28.3";
    QTest::newRow("none") << QByteArray("/no/such") << QByteArray() << "; NCCL is missing (/no/such: ";
    QTest::newRow("too old") << QByteArray(STRATEGYLAB_FAKE_NCCL) << QByteArray("version=21000")
                             << "; NCCL 2.10.0 is too old: 2.18 or newer is needed";
    QTest::newRow("of old numbers") << QByteArray(STRATEGYLAB_FAKE_NCCL) << QByteArray("version=2804")
                                    << "; NCCL 2.8.4 is too old";
    QTest::newRow("another library") << QByteArray(STRATEGYLAB_FAKE_MODULE) << QByteArray()
                                     << "; the NCCL library has no ncclGetVersion: install NCCL 2.27";
  }
  void whyNcclIsNotUsed() {
    QFETCH(QByteArray, library);
    QFETCH(QByteArray, words);
    QFETCH(QString, says);
    qputenv(kCuda, "gpus=2");
    qputenv("STRATEGYLAB_NCCL", library);
    qputenv("STRATEGYLAB_FAKE_NCCL", words);
    const QJsonArray gpus = gpusOf(runCli({"devices", "--json"}));
    QCOMPARE(gpus.size(), 2);
    const QString name = gpus[0]["name"].toString();
    QVERIFY2(name.contains(QStringLiteral("CUDA 13.0, driver for CUDA 13.0") + says), qPrintable(name));
    QCOMPARE(gpus[0].toObject().contains("whyNoNccl"), !says.startsWith(QStringLiteral(", ")));
    // A user who asks for NCCL gets the same message; one who does not trains with the ring.
    if (says.startsWith(QStringLiteral(", "))) return;
    const Ran asked = runCli({"train", "--devices", "cuda", "--replicas", "2", "--reducer", "nccl"});
    QCOMPARE(asked.code, 2);
    QVERIFY2(asked.err.contains("--reducer nccl: ") && asked.err.contains("Or use --reducer ring."),
             asked.err.constData());
  }

  // The module's errors reach the program: the run fails with exit code 1, and the message says what to do.
  void aRunThatFailsSaysWhy_data() {
    QTest::addColumn<QByteArray>("cuda");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("full") << QByteArray("memory=40000000") << QByteArray("the memory of GPU 0 is used up: ");
    QTest::newRow("lost") << QByteArray("lose=0:200") << QByteArray("the run lost GPU 0 (fake GPU) (");
  }
  void aRunThatFailsSaysWhy() {
    QFETCH(QByteArray, cuda);
    QFETCH(QByteArray, says);
    qputenv(kCuda, cuda);
    const Ran ran = runCli({"train", "--devices", "cuda", "--replicas", "8", "--global-batch", "16", "--steps", "9",
                            "--train-examples", "64", "--test-examples", "8", "--dataset", "digits"});
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains(says), ran.err.constData());
  }

  // The message names the cost, and appears only once.
  void memoryThatIsNotPageLockedIsSaidOnce() {
    qputenv(kCuda, "fail=cudaHostRegister:0:801");
    const Ran ran =
        runCli({"train", "--devices", "cuda", "--strategy", "central-storage", "--replicas", "2", "--global-batch",
                "16", "--steps", "3", "--train-examples", "64", "--test-examples", "8", "--dataset", "digits"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QCOMPARE(ran.err.count("strategylab: note: the system does not page-lock the variables in the host's memory"), 1);
  }

  // As a package installs them: bin/strategylab-cli, and the module in the folder for libraries.
  void anInstalledModuleIsFound() {
    const QTemporaryDir place;
    const QDir root(place.path());
    const QString libraries = QDir::cleanPath(root.filePath(QStringLiteral("bin/" STRATEGYLAB_MODULE_FOLDER)));
    QVERIFY(root.mkpath(QStringLiteral("bin")) && root.mkpath(libraries));
    const QString program = root.filePath(QStringLiteral("bin/strategylab-cli"));
    QVERIFY(QFile::copy(QStringLiteral(STRATEGYLAB_CLI), program));
    qunsetenv(kModule);
    qputenv(kCuda, "gpus=2");
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
    QVERIFY(QFile::copy(QStringLiteral(STRATEGYLAB_FAKE_MODULE), libraries + QStringLiteral("/strategylab_cuda.so")));
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
      // Real devices have measured times and no modelled ones.
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
    QCOMPARE(bench["processor"].toString(), QString("fake GPU"));
    QVERIFY(bench["runs"][0]["imagesPerSecond"].toDouble() > 0);
    QVERIFY(bench["profile"]["operations"].toArray().size() >= 8);
  }

  // Eight replicas on two GPUs have two peaks, one replica has one.
  void benchsShareIsOfAllGpusInUse() {
    qputenv(kCuda, "gpus=2");
    const Ran ran = runCli(
        {"bench", "--devices", "cuda", "--replicas", "1,2,8", "--global-batch", "16", "--seconds", "0.05", "--json"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    const QJsonObject bench = jsonDocument(ran.out);
    const QJsonArray runs = bench["runs"].toArray();
    QCOMPARE(runs.size(), 3);
    for (const QJsonValue& run : runs) {
      const double peaks = (run["replicas"].toInt() == 1 ? 1 : 2) * bench["peakGflops"].toDouble();
      QVERIFY(peaks > 0);
      QVERIFY(std::abs(run["shareOfPeak"].toDouble() * peaks / run["gflops"].toDouble() - 1) < 1e-9);
    }
  }

  void runShLeavesOutNcclWhereThereIsNone_data() {
    QTest::addColumn<QByteArray>("library");
    QTest::addColumn<bool>("there");
    QTest::newRow("there") << QByteArray(STRATEGYLAB_FAKE_NCCL) << true;
    QTest::newRow("none") << QByteArray("/no/such") << false;
  }
  void runShLeavesOutNcclWhereThereIsNone() {
    if (!lab::isOnPath("bash") || !lab::isOnPath("python3")) QSKIP("bash or python3 was not found");
    QFETCH(QByteArray, library);
    QFETCH(bool, there);
    qputenv("STRATEGYLAB_NCCL", library);
    const Rehearsal rehearsal;
    for (const char* name : {"mpirun", "strategylab_mpi.so"}) rehearsal.write(name, "");
    const Ran ran = rehearsal.run({"--only", "strategies,workers", "--jobs", "2"});
    QCOMPARE(ran.code, there ? 1 : 0);  // this program refuses NCCL
    for (const char* check : {"strategies", "workers"}) {
      const QByteArray skipped = QByteArray("skipped ") + check + " over NCCL: NCCL is missing (/no/such: ";
      QVERIFY2(ran.out.contains(skipped) != there, ran.out.constData());
      QVERIFY2(ran.out.contains(QByteArray(there ? "FAILED  " : "ok      ") + check), ran.out.constData());
    }
  }

  void runShTakesPyTorchsNcclOnlyWhereTheSystemHasNone_data() {
    QTest::addColumn<QString>("ofSystem");
    QTest::addColumn<QString>("ofPyTorch");
    const QString good = STRATEGYLAB_FAKE_NCCL, bad = STRATEGYLAB_FAKE_MODULE;  // the latter is no NCCL
    QTest::newRow("the system's") << good << bad;
    QTest::newRow("PyTorch's") << bad << good;
  }
  void runShTakesPyTorchsNcclOnlyWhereTheSystemHasNone() {
    if (!lab::isOnPath("bash") || !lab::isOnPath("python3")) QSKIP("bash or python3 was not found");
    QFETCH(QString, ofSystem);
    QFETCH(QString, ofPyTorch);
    qunsetenv("STRATEGYLAB_NCCL");
    const Rehearsal rehearsal;
    for (const char* folder : {"lib", "nvidia/nccl/lib"}) QVERIFY(QDir().mkpath(rehearsal.path(folder)));
    for (const char* name : {"nvidia/__init__.py", "nvidia/nccl/__init__.py"}) rehearsal.write(name, "");
    QVERIFY(QFile::link(ofSystem, rehearsal.path("lib/libnccl.so.2")));
    QVERIFY(QFile::link(ofPyTorch, rehearsal.path("nvidia/nccl/lib/libnccl.so.2")));
    const Ran ran = rehearsal.run({"--only", "selftest"});
    QVERIFY2(ran.code == 0, ran.err.constData());
    QVERIFY2(ran.out.contains(", NCCL 2.28.3"), ran.out.constData());
  }

  void runShKeepsTheOutputOfWhatFailed() {
    if (!lab::isOnPath("bash") || !lab::isOnPath("python3")) QSKIP("bash or python3 was not found");
    const Rehearsal rehearsal;
    const auto kept = [&] { return QDir(rehearsal.path("logs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot); };
    QCOMPARE(rehearsal.run({"--only", "selftest"}).code, 0);
    QCOMPARE(kept(), QStringList());
    rehearsal.write("strategylab-cli",
                    "case $1 in devices) exec '" STRATEGYLAB_CLI "' \"$@\" ;; esac\necho all of it\nexit 1\n");
    const Ran ran = rehearsal.run({"--only", "selftest"});
    QCOMPARE(ran.code, 1);
    QCOMPARE(kept().size(), 1);
    const QString folder = rehearsal.path("logs/" + kept().first());
    QVERIFY2(ran.out.contains("each check's output is in " + folder.toUtf8()), ran.out.constData());
    QFile file(folder + "/selftest.txt");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "all of it\n");
  }

  void runShSkipsNcuWithoutTheRightToReadCounters() {
    if (!lab::isOnPath("bash") || !lab::isOnPath("python3")) QSKIP("bash or python3 was not found");
    const Rehearsal rehearsal;
    rehearsal.write("ncu", "echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission'\nexit 1\n");
    const Ran ran = rehearsal.run({"--only", "ncu"});
    QVERIFY2(ran.code == 0, ran.out.constData());
    QVERIFY2(ran.out.contains("skipped ncu: this user may not read the GPU's counters"), ran.out.constData());
    rehearsal.write("ncu", "exit 1\n");
    QCOMPARE(rehearsal.run({"--only", "ncu"}).code, 1);
  }

  // It needs no pgrep to find them. Here a worker has stopped, another has not started, and one begins its program
  // late: it has no command line to be found by when the others are ended.
  void workersPyLeavesNoProcessBehind() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("python3 was not found");
    const Rehearsal rehearsal;
    rehearsal.write("strategylab-cli",
                    "[ \"$1\" = launch ] || kill -STOP $$\n"
                    "given=\"$*\" late=\"$0\" /bin/sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done\n"
                    "                                     exec \"$late\" train $given' &\n"
                    "\"$0\" train \"$@\" &\nwait\n");
    QVERIFY(QDir().mkpath(rehearsal.path("endless")));
    for (const char* name : {"endless/1.safetensors", "endless/2.safetensors"}) rehearsal.write(name, "");
    QProcess process;
    process.setProcessEnvironment(emptyHome());
    process.setWorkingDirectory(STRATEGYLAB_SOURCE_DIR "/tests/gpu");
    process.setProgram(python);
    // Without other programs, but only once Python runs: `python3` may itself be a script that needs them.
    process.setArguments({"-B", "-c",
                          "import os, pathlib, sys, workers\n"
                          "os.environ['PATH'] = '/no/such'\n"
                          "folder = pathlib.Path(sys.argv[1])\n"
                          "print(workers.stopped(folder / 'strategylab-cli', 2, folder))",
                          rehearsal.path("")});
    process.start();
    QVERIFY(process.waitForFinished(lab::kPatienceMs));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    const QByteArray said = process.readAllStandardOutput();
    QVERIFY2(said.startsWith("['it did not start: "), said.constData());
    QVERIFY(workersWith(rehearsal.path("endless")).isEmpty());
  }

  // As PyTorch's wheel for processors is.
  void runShSkipsAPyTorchThatHasNoGpu() {
    if (!lab::isOnPath("bash") || !lab::isOnPath("python3")) QSKIP("bash or python3 was not found");
    const Rehearsal rehearsal;
    rehearsal.write("torch.py", "def ones(*_, **__): raise AssertionError('Torch not compiled with CUDA enabled')\n",
                    "");
    const Ran ran = rehearsal.run({"--only", "peers"});
    QVERIFY2(ran.code == 0, ran.out.constData());
    QVERIFY2(
        ran.out.contains("skipped peers:64,256,1024,8192: PyTorch does not compute here: AssertionError: Torch not"),
        ran.out.constData());
  }
};

QTEST_GUILESS_MAIN(TestCliGpu)
#include "tst_cli_gpu.moc"
