// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: processors=2 lock=waits cost=30
// A run among real processes as the window watches it: what a program in mpirun's place prints, keeps to itself, prints
// wrongly or stops printing; and the real mpirun if Open MPI is installed.
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/file_lock.h"
#include "core/base/platform.h"
#include "core/data/data_folders.h"
#include "core/files/metric_json.h"
#include "core/launching/messages.h"
#include "core/launching/process_failure.h"
#include "core/launching/process_launch.h"
#include "core/launching/process_run.h"
#include "core/launching/run_stream.h"
#include "core/model/neural_network.h"
#include "core/model/safetensors.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/process/health.h"
#include "core/process/messages.h"
#include "core/process/tagged_lines.h"
#include "core/process/wire_module.h"
#include "core/strategy/strategy.h"
#include "core/training/checkpoint.h"
#include "core/training/messages.h"
#include "tests/core/data_files.h"
#include "tests/support/fake_mpirun.h"
#include "tests/support/patience.h"

#include <nlohmann/json.hpp>

using namespace lab;
using namespace lab::test;

namespace {

constexpr ProcessPatience kShort{.startUp = 400, .silence = 400, .stop = 300, .terminate = 300};

bool endsAs(ProcessRun& run, RunState state) {
  return QTest::qWaitFor([&] { return run.state() == state; }, kPatienceMs);
}

// False for a zombie: mpirun does not wait for the processes that it ends.
bool isAlive(const ProcessFacts& process) {
  QFile stat(QStringLiteral("/proc/%1/stat").arg(process.pid));
  if (!stat.open(QIODevice::ReadOnly)) return false;
  const QByteArray line = stat.readAll();
  return line.mid(line.lastIndexOf(')') + 2, 1) != "Z";
}

std::string lineOf(const StepMetric& metric) {
  return toJsonLine(Metric(metric));
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

std::vector<double> stepLosses(Telemetry& telemetry) {
  std::vector<double> losses;
  for (const Metric& metric : telemetry.takeMetrics())
    if (const auto* step = std::get_if<StepMetric>(&metric)) losses.push_back(step->loss);
  return losses;
}

void leaveStory(const FakeMpirun& fake, const FakeStory& story) {
  fake.leave("about", aboutLine(*story.info));
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    fake.leave("step-" + QString::number(i + 1), lineOf(story.steps[i]));
    fake.leave("record-" + QString::number(i + 1), bytesOf(*story.records[i]));
  }
  EndMetric end;
  end.steps = std::ssize(story.steps);
  end.dataset = "digits";
  fake.leave("end", toJsonLine(Metric(end)));
}

}  // namespace

class TestProcessRun : public QObject {
  Q_OBJECT

  bool real_ = false;  // Open MPI is installed

 private Q_SLOTS:
  void initTestCase() {
    qputenv("OMPI_ALLOW_RUN_AS_ROOT", "1");
    qputenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    real_ = process::whyNoProcesses().empty() && isOnPath("mpirun");
  }

  void linesComeTogetherFromPieces() {
    process::TaggedLines lines;
    const auto whole = lines.add("[1,0]<stdout>:{\"a\":[1,2[1,0]<stdout>:3]}", false);
    QCOMPARE(whole.size(), std::size_t{1});
    QCOMPARE(whole[0].text, std::string("{\"a\":[1,23]}"));
    QCOMPARE(whole[0].worker, 0);
    // Another worker's line in between, and mpirun's own text.
    const auto two = lines.add("[1,0]<stdout>:ab[1,3]<stderr>:no room", true);
    QCOMPARE(two.size(), std::size_t{1});
    QVERIFY(two[0].worker == 3 && two[0].isError);
    const auto rest = lines.add("[1,0]<stdout>:cd", false);
    QCOMPARE(rest.at(0).text, std::string("abcd"));
    const auto own = lines.add("mpirun noticed that process rank 1 …", true);
    QVERIFY(own.at(0).worker == -1 && own[0].text.starts_with("mpirun"));
    QCOMPARE(lines.add("[1,12]<stdout>:", false).at(0).text, std::string());
    QVERIFY(lines.rest().empty());
    (void)lines.add("[1,2]<stdout>:cut[1,0]<stdout>:x", false);
    QCOMPARE(lines.rest().at(0).text, std::string("cut"));
  }

  void aRecordComesOverWithItsBits() {
    const FakeStory story = fakeStory(processConfig(), 2);
    const auto about = nlohmann::json::parse(aboutLine(*story.info));
    const ResolvedSettings resolved = resolve(processConfig());
    const auto info = infoFromAbout(about, resolved, openDataset(resolved));
    QCOMPARE(info->totalSteps, story.info->totalSteps);
    QCOMPARE(info->processes.size(), std::size_t{3});
    QCOMPARE(info->links.size(), info->legend.tracks.size());
    const std::string bytes = bytesOf(*story.records[1]);
    QCOMPARE(bytesOfText(textOfBytes(bytes)), bytes);
    for (std::size_t size : {0, 1, 2, 3, 4})
      QCOMPARE(bytesOfText(textOfBytes(bytes.substr(0, size))), bytes.substr(0, size));
    const auto back = recordFromBytes(bytes, *info);
    QCOMPARE(bytesOf(*back), bytes);
    QVERIFY(sameBits(back->weightsAfter, story.records[1]->weightsAfter));
    QVERIFY(sameBits(back->replicas[2].gradients, story.records[1]->replicas[2].gradients));
    // If cut off anywhere, or from a run of another size, the result is a message, and nothing is read beyond the end.
    for (const double part : {0.0, 0.0001, 0.01, 0.3, 0.999})
      QVERIFY_EXCEPTION_THROWN(
          (void)recordFromBytes(std::string_view(bytes).substr(0, static_cast<std::size_t>(part * bytes.size())),
                                *info),
          UserError);
    RunInfo larger = *info;
    larger.replicas = 4;
    QVERIFY_EXCEPTION_THROWN((void)recordFromBytes(bytes, larger), UserError);
  }

  void itTakesStepsAsItIsTold() {
    const FakeStory story = fakeStory(processConfig(), 4);
    const FakeMpirun fake(kObedient);
    leaveStory(fake, story);
    ProcessRun run(processConfig(), true);
    QVERIFY(QTest::qWaitFor([&] { return run.info() != nullptr && run.isAtRest(); }, kPatienceMs));
    QCOMPARE(run.state(), RunState::Paused);
    QVERIFY(run.telemetry().takeMetrics().empty());
    run.telemetry().requestRecord();
    run.stepOnce();
    QVERIFY(!run.isAtRest());
    QVERIFY(QTest::qWaitFor([&] { return run.isAtRest(); }, kPatienceMs));
    const auto metrics = run.telemetry().takeMetrics();
    QCOMPARE(metrics.size(), std::size_t{1});
    QCOMPARE(std::get<StepMetric>(metrics[0]).loss, story.steps[0].loss);
    const auto record = run.telemetry().takeRecord();
    QVERIFY(record && sameBits(record->gradients, story.records[0]->gradients));
    QVERIFY(!QFile::exists(QString::fromStdString((run.folder()->path() / recordFileName(1)).string())));
    run.stepOnce();
    run.stepOnce();
    QVERIFY(QTest::qWaitFor([&] { return run.isAtRest(); }, kPatienceMs));
    QCOMPARE(run.telemetry().takeMetrics().size(), std::size_t{2});
    QVERIFY(!run.telemetry().takeRecord());
    run.stop();
    QVERIFY(endsAs(run, RunState::Stopped));
  }

  void whoeverSaysNothingIsEnded_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("from the beginning") << "sleep 600";
    QTest::newRow("after its first words") << "put \"$here/about\"\nsleep 600";
    QTest::newRow("and ignores the signal") << "trap '' TERM\nput \"$here/about\"\nwhile :; do sleep 600; done";
    // An unknown process keeps its output open.
    QTest::newRow("and leaves another behind") << "put \"$here/about\"\nsetsid sleep 20 &\nsleep 600";
  }
  void whoeverSaysNothingIsEnded() {
    QFETCH(QString, body);
    const FakeMpirun fake(body);
    leaveStory(fake, fakeStory(processConfig(), 1));
    ProcessRun run(processConfig(), true, nullptr, kShort);
    QVERIFY(endsAs(run, RunState::Failed));
    QVERIFY(run.failure().is(say::processesSilent));
    QVERIFY(!run.killWorker(0));  // the run is over
  }

  // The examples cannot be read here before the first process has its input.
  void theInputDoesNotWaitForTheExamples() {
    const FakeMpirun fake("read first\ncat \"$here/images\" > \"$here/train-images-idx3-ubyte\"\nexit 3");
    const std::filesystem::path folder = std::filesystem::path(fake.path().toStdString()).parent_path();
    for (const IdxFileName& file : kIdxFiles)
      write(folder / idxName(file), file.kind == IdxKind::Images ? imagesFile(150) : labelsFile(150));
    std::filesystem::rename(folder / "train-images-idx3-ubyte", folder / "images");
    QCOMPARE(mkfifo((folder / "train-images-idx3-ubyte").c_str(), 0600), 0);
    RunSettings config = processConfig();
    config.dataset = "mnist";
    config.dataDir = folder;
    ProcessRun run(config, true);
    QVERIFY(endsAs(run, RunState::Failed));
    QVERIFY2(run.failure().is(say::mpirunStartedNothing), format(run.failure()).c_str());
  }

  void whoeverDoesNotStopIsEnded() {
    const FakeMpirun fake("trap '' TERM\nput \"$here/about\"\nwhile :; do say '{\"alive\":true}'; sleep 0.05; done");
    leaveStory(fake, fakeStory(processConfig(), 1));
    // A busy machine may take long to print.
    ProcessRun run(
        processConfig(), true, nullptr,
        {.startUp = kPatienceMs, .silence = kPatienceMs, .stop = kShort.stop, .terminate = kShort.terminate});
    QVERIFY(QTest::qWaitFor([&] { return run.info() != nullptr; }, kPatienceMs));
    QVERIFY(!run.killWorker(0));  // the worker is on another host
    run.stopAndWait();
    QCOMPARE(run.state(), RunState::Stopped);
  }

  // As where two machines have one name, or where a worker has ended and its number is used anew.
  void aProcessOfAnotherProgramIsNotEnded() {
    QProcess other;
    other.start("sleep", {"600"});
    QVERIFY(other.waitForStarted(kPatienceMs));
    const FakeMpirun fake("put \"$here/about\"\nsleep 600");
    FakeStory story = fakeStory(processConfig(), 1);
    auto info = std::make_shared<RunInfo>(*story.info);
    info->processes[1] = {hostName(), other.processId()};
    story.info = std::move(info);
    leaveStory(fake, story);
    {
      ProcessRun run(processConfig(), true, nullptr, {.stop = 0, .terminate = 0});
      QVERIFY(QTest::qWaitFor([&] { return run.info() != nullptr; }, kPatienceMs));
      QVERIFY(run.reachOf(1) == ProcessRun::Reach::Here);
      QVERIFY(!run.killWorker(1));
      run.stopAndWait();
    }
    QVERIFY(isAlive({hostName(), other.processId()}));
    other.kill();
    QVERIFY(other.waitForFinished(kPatienceMs));
  }

  void whoeverFailsAfterStopSaysWhy() {
    const FakeMpirun fake(
        "put \"$here/about\"\n"
        "while read word number; do\n"
        "  if [ $word = stop ]; then told 0 'strategylab-cli: there is no room on the disk.'; exit 1; fi\n"
        "done");
    leaveStory(fake, fakeStory(processConfig(), 1));
    ProcessRun run(processConfig(), true);
    QVERIFY(QTest::qWaitFor([&] { return run.info() != nullptr; }, kPatienceMs));
    run.stopAndWait();
    QCOMPARE(run.state(), RunState::Failed);
    QVERIFY2(format(run.failure()).find("no room") != std::string::npos, format(run.failure()).c_str());
  }

  // No patience at all is left for a run that has nothing to write.
  void whoeverWritesFilesAfterStopMayTakeLonger() {
    const FakeMpirun fake(
        "trap 'exit 143' TERM\n"
        "put \"$here/about\"\n"
        "while read word number; do\n"
        "  if [ $word = stop ]; then\n"
        "    for i in 1 2 3 4 5 6 7 8 9 10; do say '{\"alive\":true}'; sleep 0.1; done\n"
        "    touch \"$here/written\"; exit 130\n"
        "  fi\n"
        "done");
    leaveStory(fake, fakeStory(processConfig(), 1));
    const QTemporaryDir folder;
    RunSettings config = processConfig();
    config.save = folder.filePath("weights.safetensors").toStdString();
    ProcessRun run(config, true, nullptr, {.startUp = kPatienceMs, .silence = kPatienceMs, .stop = 0});
    QVERIFY(QTest::qWaitFor([&] { return run.info() != nullptr; }, kPatienceMs));
    run.stopAndWait();
    QCOMPARE(run.state(), RunState::Stopped);
    QVERIFY(QFile::exists(QFileInfo(fake.path()).dir().filePath("written")));
  }

  void howItEndedIsSaid_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("id");
    const QString first = "put \"$here/about\"\nput \"$here/step-1\"\n";
    const QString killed =
        "echo 'mpirun noticed that process rank 1 with PID 4711 on node elsewhere exited on signal 9 (Killed).' >&2\n"
        "exit 137";
    QTest::newRow("killed") << first + "say '{\"checkpoint\":1}'\n" + killed << "processKilled";
    QTest::newRow("before anything") << killed << "processKilled";
    QTest::newRow("its own words") << first + "told 2 'strategylab-cli: there is no room on the disk.'\nexit 1"
                                   << "processesFailed";
    QTest::newRow("its own words, and mpirun waits for ever")
        << first + "told 2 'strategylab-cli: the network is gone.'\nsleep 600"
        << "processesFailed";
    QTest::newRow("without a word") << first + "exit 3"
                                    << "mpirunSaysNothing";
    QTest::newRow("no end") << first + "exit 0"
                            << "mpirunSaysNothing";
    QTest::newRow("mpirun killed") << first + "kill -9 $$"
                                   << "mpirunKilled";
    QTest::newRow("mpirun's words") << first + "echo 'a daemon is gone' >&2\nexit 1"
                                    << "mpirunEnded";
    QTest::newRow("no such host") << "echo 'ssh: Could not resolve hostname b: Name or service not known' >&2\nexit 1"
                                  << "hostNotReached";
    QTest::newRow("nothing started") << "echo 'mpirun has a bad day' >&2\nexit 1"
                                     << "mpirunStartedNothing";
    QTest::newRow("nothing started, at length") << "{ head -c 1000000 /dev/zero | tr '\\0' x; echo; } >&2\nexit 1"
                                                << "mpirunStartedNothing";
    QTest::newRow("garbage") << "say 'some library says hello'\n" + first + "say '{\"event\":\"step\",'\nsleep 600"
                             << "streamUnreadable";
    QTest::newRow("another program") << "say '{\"about\":{\"replicas\":-4},\"run\":7}'\nsleep 600"
                                     << "streamUnreadable";
    QTest::newRow("no such record") << first + "say '{\"record\":1}'\nsleep 600"
                                    << "streamUnreadable";
  }
  void howItEndedIsSaid() {
    QFETCH(QString, body);
    QFETCH(QString, id);
    const FakeMpirun fake(body);
    leaveStory(fake, fakeStory(processConfig(), 1));
    ProcessRun run(processConfig(), true);
    QVERIFY(endsAs(run, RunState::Failed));
    const Message why = run.failure();
    QVERIFY2(why.text() != nullptr && why.text()->id == id.toStdString(), format(why).c_str());
    if (id != "processKilled") return;
    QCOMPARE(run.lostWorker(), 1);
    QVERIFY2(format(why).find("worker 1") != std::string::npos, format(why).c_str());
    QCOMPARE(run.checkpointStep(), run.info() != nullptr ? 1 : 0);
  }

  // As when a program that ignores SIGCHLD has started this one: the children inherit that.
  void aChildEndsAlsoWhereEndsAreIgnored() {
    struct sigaction ignored {
    }, before{};
    ignored.sa_handler = SIG_IGN;
    QVERIFY(sigaction(SIGCHLD, &ignored, &before) == 0);
    ChildProcess child({"sh", "-c", "echo said; exit 3"}, {});
    std::optional<int> code;
    std::string said;
    const bool ends = QTest::qWaitFor(
        [&] {
          while (const auto line = child.nextLine(0)) said += line->text;
          return (code = child.ended()).has_value();
        },
        kPatienceMs);
    sigaction(SIGCHLD, &before, nullptr);
    QVERIFY(ends);
    QCOMPARE(*code, 3);
    QCOMPARE(said, std::string("said"));
  }

  // Enough files are left for one pipe, and then for both, but not for the input.
  void aChildThatCannotStartKeepsNoFiles() {
    rlimit before{};
    QVERIFY(getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit few{200, before.rlim_max};
    QVERIFY(setrlimit(RLIMIT_NOFILE, &few) == 0);
    std::vector<int> files;
    const auto fill = [&] {
      const std::size_t had = files.size();
      for (int file = 0; (file = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) files.push_back(file);
      return files.size() - had;
    };
    (void)fill();
    std::vector<std::size_t> left;
    int refused = 0;
    for (const int spare : {3, 5}) {
      for (int i = 0; i < spare; ++i, files.pop_back()) close(files.back());
      try {
        const ChildProcess child({"true"}, {}, ChildProcess::Input::Written);
      } catch (const UserError&) {
        ++refused;
      }
      left.push_back(fill());
    }
    for (const int file : files) close(file);
    setrlimit(RLIMIT_NOFILE, &before);
    QCOMPARE(refused, 2);
    QCOMPARE(left, (std::vector<std::size_t>{3, 5}));
  }

  // Even before exec, while the child is still this program and the handlers of Qt Test would run in it.
  void aChildEndsAtAnyMoment() {
    for (int i = 0; i < 200; ++i) {
      ChildProcess child({"sleep", "600"}, {});
      child.terminate();
      std::optional<int> code;
      QVERIFY(QTest::qWaitFor(
          [&] {
            while (const auto line = child.nextLine(0)) qWarning("%s", line->text.c_str());
            return (code = child.ended()).has_value();
          },
          kPatienceMs));
      QCOMPARE(*code, 128 + 15);
    }
  }

  // The worker is killed through another mpirun; if that fails to reach it, the failure is reported and the run goes
  // on.
  void aWorkerOnAnotherHostIsKilledThroughMpirun() {
    const FakeMpirun fake(QStringLiteral(
        "case \"$*\" in\n"
        "  *'--host b sh -c kill -KILL 1000000001') touch \"$here/killed\"; exit 0;;\n"
        "  *'kill -KILL '*) echo 'no route to it' >&2; exit 7;;\n"
        "esac\n"
        "put \"$here/about\"\n"
        "while [ ! -e \"$here/killed\" ]; do sleep 0.05; done\n"
        "echo 'mpirun noticed that process rank 1 with PID 1000000001 on node b exited on signal 9 (Killed).' >&2\n"
        "exit 137"));
    RunSettings config = processConfig();
    config.workerHosts = "a,b,c";
    leaveStory(fake, fakeStory(processConfig(), 1));
    ProcessRun run(config, true);
    QTRY_VERIFY_WITH_TIMEOUT(run.info() != nullptr, kPatienceMs);
    QVERIFY(run.reachOf(1) == ProcessRun::Reach::ThroughMpirun);
    QVERIFY(run.reachOf(3) == ProcessRun::Reach::Not);
    QVERIFY(run.killWorker(2));
    Message why;
    QTRY_VERIFY_WITH_TIMEOUT(!why.empty() || !(why = run.takeKillFailure()).empty(), kPatienceMs);
    QVERIFY2(format(why).find("worker 2") != std::string::npos && format(why).find("no route") != std::string::npos,
             format(why).c_str());
    QVERIFY(run.takeKillFailure().empty());
    QVERIFY(run.killWorker(1));
    QVERIFY(endsAs(run, RunState::Failed));
    QCOMPARE(run.lostWorker(), 1);
    QVERIFY(run.reachOf(1) == ProcessRun::Reach::Not);
  }

  void aProgramThatIsNotThereIsSaid() {
    qputenv("STRATEGYLAB_MPIRUN", "/no/such/mpirun");
    QVERIFY_EXCEPTION_THROWN(ProcessRun(processConfig(), true), UserError);
    qunsetenv("STRATEGYLAB_MPIRUN");
    const FakeMpirun fake("exit 0");
    RunSettings twice = processConfig();
    twice.workerHosts = "a, b,a";
    QVERIFY_EXCEPTION_THROWN(checkProcessRun(resolve(twice)), UserError);
    twice.workerHosts = "a,b";  // three workers
    QVERIFY_EXCEPTION_THROWN(checkProcessRun(resolve(twice)), UserError);
    twice.workerHosts = "-oProxyCommand=x,b,c";
    QVERIFY_EXCEPTION_THROWN(checkProcessRun(resolve(twice)), UserError);
    twice.workerHosts = "a,b,c";
    checkProcessRun(resolve(twice));
  }

  // ---- Open MPI

  void realProcessesGoStepByStepAndGoOnFromACheckpoint_data() {
    QTest::addColumn<QByteArray>("strategy");
    for (const StrategyInfo& info : strategies())
      if (info.key == "multi-worker-mirrored" || !info.shards.empty())
        QTest::addRow("%s", info.key.c_str()) << QByteArray::fromStdString(info.key);
  }
  void realProcessesGoStepByStepAndGoOnFromACheckpoint() {
    QFETCH(QByteArray, strategy);
    if (!real_) QSKIP("no Open MPI, or no module for it");
    RunSettings config = processConfig(4);
    configField("strategy").set(config, strategy.toStdString());
    config.steps = 40;
    std::vector<double> losses;
    {
      RunSettings simulated = config;
      simulated.devices = DeviceChoice::Simulated;
      Telemetry telemetry;
      Trainer trainer(resolve(simulated), openDataset(simulated), telemetry);
      while (!trainer.finished()) trainer.step();
      for (const Metric& metric : telemetry.takeMetrics())
        if (const auto* step = std::get_if<StepMetric>(&metric)) losses.push_back(step->loss);
    }
    std::vector<double> seen;
    std::shared_ptr<const StepRecord> record;
    const auto drain = [&](ProcessRun& run) {
      for (const Metric& metric : run.telemetry().takeMetrics())
        if (const auto* step = std::get_if<StepMetric>(&metric)) {
          seen.resize(static_cast<std::size_t>(step->step));
          seen.back() = step->loss;
        }
      if (auto next = run.telemetry().takeRecord()) record = next;
    };
    std::shared_ptr<ProcessFolder> folder;
    std::int64_t checkpoint = 0;
    {
      ProcessRun run(config, true);
      QVERIFY(QTest::qWaitFor([&] { return run.state() == RunState::Failed || run.isAtRest(); }, kPatienceMs));
      QVERIFY2(run.state() == RunState::Paused, format(run.failure()).c_str());
      QCOMPARE(run.info()->processes.size(), std::size_t{4});
      run.telemetry().requestRecord();
      for (int i = 0; i < 25; ++i) run.stepOnce();
      QVERIFY(QTest::qWaitFor([&] { return drain(run), run.isAtRest(); }, kPatienceMs));
      drain(run);
      QCOMPARE(seen.size(), std::size_t{25});
      QVERIFY(record && record->metric.step == 1 && record->metric.clock == TimeSource::Measured);
      QVERIFY(!record->spans.empty() && record->replicas[3].gradients.size() == record->gradients.size());
      QVERIFY(run.killWorker(2));
      QVERIFY(endsAs(run, RunState::Failed));
      QVERIFY2(run.failure().is(say::processKilled), format(run.failure()).c_str());
      QCOMPARE(run.lostWorker(), 2);
      checkpoint = run.checkpointStep();
      QVERIFY(checkpoint == 20 || checkpoint == 25);  // the first worker may have ended at this step
      const std::string checkpoints = (run.folder()->path() / "checkpoints").string();
      QVERIFY2(format(run.failure()).find(checkpoints) != std::string::npos, format(run.failure()).c_str());
      QVERIFY(std::filesystem::exists(checkpointPath(checkpoints, checkpoint)));
      for (const ProcessFacts& each : run.info()->processes)
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(each), kPatienceMs);  // no worker is left
      folder = run.folder();
    }
    ProcessRun again(config, false, folder);
    QVERIFY(QTest::qWaitFor([&] { return drain(again), again.state() == RunState::Finished; }, kPatienceMs));
    drain(again);
    QCOMPARE(again.info()->firstStep, checkpoint + 1);
    QCOMPARE(seen, losses);
    QVERIFY(record && record->metric.step == 40);  // the last one is recorded unasked: Live ends with it
  }

  // As everywhere else in the window.
  void stepsInAFailureHaveThousandsSeparators() {
    int lost = -1;
    const Message why =
        failureOf({.silentSeconds = 60, .lastStep = 1130, .checkpointStep = 1100, .checkpoints = "kept"}, lost);
    QVERIFY2(format(why).find("after step 1,130. ") != std::string::npos, format(why).c_str());
    QVERIFY2(format(why).find("of step 1,100, in ") != std::string::npos, format(why).c_str());
    QCOMPARE(format(process::wordsOf(process::Doing::AllReduce, 1344)), std::string("the all-reduce of step 1,344"));
  }

  // A run whose copies differ keeps no checkpoints, and does not ask for any.
  void whoseCopiesDifferRunsToo() {
    if (!real_) QSKIP("no Open MPI, or no module for it");
    RunSettings config = processConfig(2);
    configField("strategy").set(config, "local-sgd");
    QVERIFY(strategyInfo(config.strategy).own == StrategyInfo::Own::Weights);
    config.steps = 6;
    ProcessRun run(config);
    QVERIFY(QTest::qWaitFor([&] { return run.state() == RunState::Finished || run.state() == RunState::Failed; },
                            kPatienceMs));
    QVERIFY2(run.state() == RunState::Finished, format(run.failure()).c_str());
    QCOMPARE(run.checkpointStep(), std::int64_t{0});
    QCOMPARE(stepLosses(run.telemetry()).size(), std::size_t{6});
  }

  // The file's weights are the initial ones, and the file is needed only where the window is.
  void aNetworksFileIsHandedOver() {
    if (!real_) QSKIP("no Open MPI, or no module for it");
    const QTemporaryDir folder;
    const std::string file = folder.filePath("net.keras").toStdString();
    RunSettings config = processConfig(2);
    config.devices = DeviceChoice::Simulated;
    config.network = "mlp";
    config.seed = 7;
    const auto lossesOf = [](const RunSettings& simulated) {
      Telemetry telemetry;
      Trainer trainer(resolve(simulated), openDataset(simulated), telemetry);
      while (!trainer.finished()) trainer.step();
      (void)trainer.finish();
      return stepLosses(telemetry);
    };
    config.save = file;
    (void)lossesOf(config);
    config.save.clear();
    config.seed = 1;
    config.network = file;
    const std::vector<double> alone = lossesOf(config);
    config.devices = DeviceChoice::Processes;
    ProcessRun run(config);
    QVERIFY(QTest::qWaitFor([&] { return run.state() == RunState::Finished || run.state() == RunState::Failed; },
                            kPatienceMs));
    QVERIFY2(run.state() == RunState::Finished, format(run.failure()).c_str());
    QCOMPARE(stepLosses(run.telemetry()), alone);
    QCOMPARE(run.info()->config.network, file);
  }

  // The checkpoints created a folder of this name on the host.
  void aHostThatDoesNotSeeTheWindowsFolderSendsRecords() {
    if (!real_) QSKIP("no Open MPI, or no module for it");
    const QTemporaryDir folder;
    QProcess mpirun;
    mpirun.start(QStringLiteral("mpirun"), {"-n",
                                            "2",
                                            "--oversubscribe",
                                            "--bind-to",
                                            "none",
                                            "--tag-output",
                                            STRATEGYLAB_CLI,
                                            "train",
                                            "--devices=processes",
                                            "--strategy=multi-worker-mirrored",
                                            "--dataset=digits",
                                            "--train-examples=60",
                                            "--test-examples=30",
                                            "--batch-per-replica=4",
                                            "--steps=2",
                                            "--threads=1",
                                            "--eval-every=0",
                                            "--watched=" + folder.path(),
                                            "--checkpoint-dir=" + folder.filePath("checkpoints"),
                                            "--checkpoint-every=1"});
    mpirun.write("record 1\ngo 2\n");
    QVERIFY(mpirun.waitForFinished(kPatienceMs));
    const QByteArray said = mpirun.readAllStandardOutput();
    QVERIFY2(said.contains("\"piece\"") && said.contains("{\"record\":1}"), said.right(500).constData());
    QVERIFY(said.contains("{\"checkpoint\":1}"));
    QVERIFY(!QDir(folder.path()).exists());  // nor are there checkpoints, which nobody asked for
  }

  void aRunThatDivergedKeepsItsMetrics() {
    if (!real_) QSKIP("no Open MPI, or no module for it");
    const QTemporaryDir folder;
    const QString weights = folder.filePath("huge.safetensors");
    const Layout& layout = courseNetwork().layout();
    writeSafetensors(weights.toStdString(),
                     weightsToTensors(layout, std::vector<float>(static_cast<std::size_t>(layout.size()), 1e30F)));
    QProcess mpirun;
    mpirun.start(QStringLiteral("mpirun"), {"-n",
                                            "2",
                                            "--oversubscribe",
                                            "--bind-to",
                                            "none",
                                            "--tag-output",
                                            STRATEGYLAB_CLI,
                                            "train",
                                            "--devices=processes",
                                            "--strategy=multi-worker-mirrored",
                                            "--network=course",
                                            "--dataset=digits",
                                            "--train-examples=60",
                                            "--test-examples=30",
                                            "--batch-per-replica=4",
                                            "--steps=4",
                                            "--threads=1",
                                            "--eval-every=0",
                                            "--init=" + weights,
                                            "--watched=" + folder.filePath("records"),
                                            "--save=" + folder.filePath("weights.safetensors"),
                                            "--metrics=" + folder.filePath("metrics.jsonl")});
    mpirun.write("go 1\n");
    QVERIFY(mpirun.waitForFinished(kPatienceMs));
    const QByteArray said = mpirun.readAllStandardOutput() + mpirun.readAllStandardError();
    QVERIFY2(said.contains(say::diverged.id), said.right(1000).constData());
    QVERIFY2(said.contains("\"event\":\"end\""), said.right(1000).constData());
    QFile metrics(folder.filePath("metrics.jsonl"));
    QVERIFY(metrics.open(QIODevice::ReadOnly));
    QCOMPARE(metrics.readAll().count("\"event\":\"step\""), 4);
  }

  // A killed window's folder is swept: old, marked as its own, and of no living process.
  void foldersOfKilledProgramsAreSwept() {
    const QTemporaryDir place;
    QProcess gone;
    gone.start(QStringLiteral("true"), QStringList{});
    const qint64 dead = gone.processId();
    QVERIFY(gone.waitForFinished(kPatienceMs));
    const auto make = [&](const QString& name, bool marked, bool old) {
      const std::filesystem::path folder = place.filePath(name).toStdString();
      std::filesystem::create_directories(folder / "checkpoints");
      if (marked) std::ofstream(folder / kFolderMark) << "";
      if (old)
        std::filesystem::last_write_time(folder, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    };
    const QString of = QStringLiteral("strategylab-%1-%2");
    make(of.arg(dead).arg(1), true, true);
    make(of.arg(dead).arg(2), false, true);
    make(of.arg(dead).arg(3), true, false);
    make(of.arg(QCoreApplication::applicationPid()).arg(1), true, true);
    make(QStringLiteral("strategylab-%1-x").arg(dead), true, true);
    make(QStringLiteral("other-%1-1").arg(dead), true, true);
    std::filesystem::create_directory_symlink(place.path().toStdString(),
                                              place.filePath(of.arg(dead).arg(4)).toStdString());
    make(of.arg(dead).arg(5), true, true);
    const std::filesystem::path used = place.filePath(of.arg(dead).arg(5)).toStdString();
    const FileLock elsewhere(used / kFolderMark);  // as in a container, where processes have other numbers
    const auto there = [&] { return QDir(place.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot); };
    QStringList expected = there();
    QCOMPARE(expected.size(), 8);
    QVERIFY(expected.removeOne(of.arg(dead).arg(1)));
    sweepProcessFolders(place.path().toStdString());
    QCOMPARE(there(), expected);
  }

  // TMPDIR of another user, of another machine or older than a tidied disk: the window starts, and runs have a folder.
  void aTemporaryFolderThatIsNotThereIsReplaced() {
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", "/no/such/folder");
    const auto restore = qScopeGuard([&] { before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before); });
    sweepProcessFolders();
    const ProcessFolder folder;
    QCOMPARE(folder.path().parent_path().string(), std::string("/tmp"));
    QVERIFY(std::filesystem::exists(folder.path() / kFolderMark));
  }

  void aRunThatIsGivenUpLeavesNobody() {
    if (!real_) QSKIP("no Open MPI, or no module for it");
    RunSettings config = processConfig(2);
    config.steps = 1'000'000;
    std::vector<ProcessFacts> processes;
    {
      ProcessRun run(config);
      QVERIFY(QTest::qWaitFor([&] { return run.info() != nullptr && !run.telemetry().takeMetrics().empty(); },
                              kPatienceMs));
      processes = run.info()->processes;
      run.pause();
      QVERIFY(QTest::qWaitFor([&] { return run.isAtRest(); }, kPatienceMs));
      run.resume();
    }
    for (const ProcessFacts& each : processes) QTRY_VERIFY_WITH_TIMEOUT(!isAlive(each), kPatienceMs);
  }
};

QTEST_GUILESS_MAIN(TestProcessRun)
#include "tst_process_run.moc"
