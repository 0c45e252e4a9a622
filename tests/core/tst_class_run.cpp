// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized processors=2 lock=waits cost=17
// A class that trains, seen from the window: real processes of strategylab-class serve and join it. Members and their
// figures, orders, records with the exact bits of what happened, files, and the message if something fails.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/classruns/class_program.h"
#include "core/classruns/class_replay.h"
#include "core/classruns/class_run.h"
#include "core/classruns/messages.h"
#include "core/files/metric_json.h"
#include "core/files/recorder.h"
#include "core/files/run_file.h"
#include "core/model/safetensors.h"
#include "core/options/config_field.h"
#include "core/protocol/class_order.h"
#include "core/protocol/class_settings.h"
#include "core/replay/recompute.h"
#include "tests/support/class_workers.h"
#include "tests/support/patience.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const QString kClassProgram = QStringLiteral(STRATEGYLAB_CLASS_PROGRAM);  // "" if the program is not built

RunSettings settings(std::int64_t steps, const char* strategy = "parameter-server") {
  RunSettings asked;
  configField("strategy").set(asked, strategy);
  asked.network = "mlp";
  asked.replicas = 2;
  asked.batchPerReplica = 16;
  asked.steps = steps;
  asked.evalEvery = 0;
  return asked;
}

constexpr std::int64_t kEndless = 1'000'000;

// A run and its workers; metrics are collected as they arrive.
class Lesson {
 public:
  explicit Lesson(const RunSettings& asked, int workers = 2, int silenceMs = 15'000)
      : run(asked, {.firstWorkers = std::max(1, workers)}), workers_(kClassProgram, silenceMs) {
    if (!waitFor([this] { return !run.link().empty() || run.state() == RunState::Failed; })) return;
    for (int w = 0; w < workers; ++w) join();
  }

  void join(const std::string& nickname = "") { workers_.join(run.link(), nickname); }
  void kill(std::size_t worker) { workers_.kill(worker); }

  template <typename Done>
  bool waitFor(Done done) {
    return QTest::qWaitFor(
        [&] {
          take();
          return done();
        },
        kPatienceMs);
  }
  bool trains(std::int64_t more) {
    const std::int64_t to = updates() + more;
    return waitFor([&] { return updates() >= to; });
  }
  bool rests() {
    return waitFor([this] { return run.isAtRest(); });
  }
  bool ends() {
    return waitFor([this] { return run.state() != RunState::Running && run.state() != RunState::Preparing; });
  }

  void take() {
    for (const Metric& metric : run.telemetry().takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric)) steps.push_back(*step);
    for (const ClassNews& each : run.takeNews()) news.push_back(each);
  }
  std::int64_t updates() const { return std::ssize(steps); }

  ClassRun run;
  std::vector<StepMetric> steps;
  std::vector<ClassNews> news;

 private:
  ClassWorkers workers_;
};

std::vector<float> savedIn(const std::string& file) {
  std::vector<float> all;
  for (const auto& [name, tensor] : readSafetensors(file).tensors)
    all.insert(all.end(), tensor.values.begin(), tensor.values.end());
  return all;
}

}  // namespace

class TestClassRun : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  // Puts a script in the place of the class's program.
  void pretend(const char* script) {
    QFile file(folder_.filePath(QStringLiteral("class")));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QVERIFY(file.write(QByteArray("#!/bin/sh\n") + script + "\n") > 0);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("STRATEGYLAB_CLASS_PROGRAM", QFile::encodeName(file.fileName()));
  }

 private Q_SLOTS:
  void initTestCase() {
    if (kClassProgram.isEmpty()) QSKIP("strategylab-class is not built: Boost's headers are missing");
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
  }

  void membersAreKnownByTheirNamesAndFigures() {
    Lesson lesson(settings(kEndless), 1);
    QVERIFY(lesson.run.link().starts_with("http://127.0.0.1:"));
    QVERIFY(lesson.trains(5));
    QCOMPARE(lesson.run.info()->replicas, 1);
    lesson.join("Ada");
    QVERIFY(lesson.waitFor([&] { return lesson.run.members().size() == 2; }));
    QCOMPARE(lesson.run.info()->replicas, 2);
    QCOMPARE(lesson.run.members()[0].name, std::string("Otter 1"));
    QCOMPARE(lesson.run.members()[1].nickname, std::string("Ada"));
    QVERIFY(lesson.waitFor([&] { return lesson.run.members()[1].roundTripNs > 0; }));
    const ClassMember member = lesson.run.members()[1];
    QVERIFY(member.pushes > 0 && member.imagesPerSecond > 0 && member.bytesPerSecond > 0);
    QVERIFY(!member.path.empty());
    lesson.run.remove(1);
    QVERIFY(lesson.waitFor([&] { return lesson.run.members()[1].state == ClassMember::State::Left; }));
    QVERIFY(!lesson.run.members()[1].why.empty());
    // The last figure is exact too, although figures are reported once a second.
    std::int64_t pushed = 0;
    for (const std::string& line : lesson.run.takeOrder())
      if (line.starts_with("{\"class\"")) pushed += serving::partsFrom(nlohmann::json::parse(line)).front().worker == 1;
    QCOMPARE(lesson.run.members()[1].pushes, pushed);
    lesson.kill(0);
    QVERIFY(lesson.waitFor([&] { return lesson.run.members()[0].state == ClassMember::State::Left; }));
    QVERIFY(lesson.run.members()[0].why.empty());
    // The number is given to a new worker, and its former owner stays in the list.
    lesson.join();
    QVERIFY(lesson.waitFor([&] { return lesson.run.members().size() == 3; }));
    QCOMPARE(lesson.run.members()[2].worker, 0);
    QVERIFY(lesson.run.members()[2].state != ClassMember::State::Left);
    const auto told = [&](ClassNews::What what) { return std::ranges::count(lesson.news, what, &ClassNews::what); };
    QVERIFY(lesson.trains(1));
    QCOMPARE(told(ClassNews::What::Joined), 3);
    QCOMPARE(told(ClassNews::What::Left), 2);
    lesson.run.endClass();
    QVERIFY(lesson.ends());
    QVERIFY(lesson.run.state() == RunState::Stopped);
  }

  void theLastPushesAreCountedToo() {
    Lesson lesson(settings(20, "mirrored"));
    QVERIFY(lesson.ends());
    QCOMPARE(lesson.run.state(), RunState::Finished);
    for (const ClassMember& member : lesson.run.members()) QCOMPARE(member.pushes, 20);
  }

  void whoIsSlowedIsStale() {
    Lesson lesson(settings(kEndless));
    QVERIFY(lesson.trains(10));
    lesson.run.slow(1, 8);
    const auto slowed = [&] { return lesson.run.members()[1]; };
    QVERIFY(lesson.waitFor([&] { return slowed().slowdown == 8 && slowed().latestStaleness > 4; }));
    lesson.run.slow(1, 1);
    QVERIFY(lesson.waitFor([&] { return slowed().slowdown == 1 && slowed().latestStaleness < 4; }));
  }

  void itRestsAndTakesSingleSteps() {
    Lesson lesson(settings(kEndless));
    QVERIFY(lesson.trains(10));
    QVERIFY(!lesson.run.isAtRest());
    lesson.run.pause();
    QVERIFY(lesson.rests());
    QVERIFY(lesson.run.state() == RunState::Paused);
    lesson.take();
    const std::int64_t before = lesson.updates();
    for (std::int64_t step = 1; step <= 3; ++step) {
      lesson.run.telemetry().requestRecord();
      lesson.run.stepOnce();
      QVERIFY(!lesson.run.isAtRest());
      QVERIFY(lesson.rests());
      lesson.take();
      QCOMPARE(lesson.updates(), before + step);
      const auto record = lesson.run.telemetry().takeRecord();
      QVERIFY(record);
      QCOMPARE(record->metric.step, before + step);
    }
    lesson.run.resume();
    QVERIFY(lesson.trains(10));
    QVERIFY(lesson.run.state() == RunState::Running);
  }

  // A paused class sends nothing but pings, for longer than a worker tolerates silence.
  void nobodyLeavesAPausedClass() {
    Lesson lesson(settings(kEndless), 2, 2000);
    QVERIFY(lesson.trains(10));
    lesson.run.pause();
    QVERIFY(lesson.rests());
    for (int pings = 0; pings < 4; ++pings) {
      const std::int64_t before = lesson.run.members()[0].roundTripNs;
      QVERIFY(lesson.waitFor([&] { return lesson.run.members()[0].roundTripNs != before; }));
    }
    QCOMPARE(lesson.run.members().size(), std::size_t{2});
    for (const ClassMember& each : lesson.run.members()) QVERIFY(each.state == ClassMember::State::Waiting);
    lesson.run.resume();
    QVERIFY(lesson.trains(10));
  }

  void recordsHaveTheBitsOfWhatHappened_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<bool>("halves");
    for (const char* strategy : {"parameter-server", "mirrored"}) QTest::newRow(strategy) << strategy << false;
    QTest::newRow("bfloat16 on the wire") << "parameter-server" << true;
  }
  // Live records, and others that are computed after the end; beside them, the whole class is trained again.
  void recordsHaveTheBitsOfWhatHappened() {
    QFETCH(QString, strategy);
    QFETCH(bool, halves);
    RunSettings asked = settings(200, strategy.toUtf8());
    if (halves) asked.wire = Wire::Bfloat16;
    asked.run = folder_.filePath(strategy + ".run").toStdString();
    asked.save = folder_.filePath(strategy + ".safetensors").toStdString();
    Lesson lesson(asked);
    std::vector<std::shared_ptr<const StepRecord>> live;
    Recorder recorder(lesson.run.fileInfo(), lesson.run.telemetry());
    lesson.run.telemetry().requestRecord();
    std::vector<std::string> lines;
    QVERIFY(QTest::qWaitFor(
        [&] {
          const bool isOver = lesson.run.state() == RunState::Finished;
          if (auto record = lesson.run.telemetry().takeRecord()) {
            live.push_back(std::move(record));
            lesson.run.telemetry().requestRecord();
          }
          for (const std::string& line : lesson.run.takeOrder()) recorder.addToRun(line);
          (void)recorder.drain();
          return isOver;
        },
        kPatienceMs));
    (void)recorder.finish();
    QVERIFY(!live.empty());

    const RunRecord file = readRunFile(asked.run);
    QVERIFY(file.fault.empty());
    const serving::ClassOrder order = serving::readClassOrder(asked.run);
    QCOMPARE(order.updates.size(), std::size_t{200});
    const ResolvedSettings config = unchecked(configFromJson(file.header.config));
    const auto data = lesson.run.info()->data;
    const serving::ReplayedClass again = serving::replayClass(config, data, order);
    const std::vector<float> saved = savedIn(asked.save);
    QCOMPARE(saved.size(), again.variables.size());
    QVERIFY(sameBits(std::vector<float>(again.variables), [&] {
      std::vector<float> flat(saved.size());
      tensorsToWeights(readSafetensors(asked.save), lesson.run.info()->network->layout(), "saved", flat);
      return flat;
    }()));

    const auto recomputer = lesson.run.recomputer(1);
    const auto recomputed = [&](std::int64_t step) {
      recomputer->request(step);
      std::shared_ptr<const StepRecord> record;
      (void)QTest::qWaitFor([&] { return (record = recomputer->take()) != nullptr || !recomputer->busy(); },
                            kPatienceMs);
      return record;
    };
    // Trained again version by version, in the recorded order.
    serving::ClassBatches batches(config, data->train, std::ssize(order.updates));
    serving::ClassReplayer replayer(config, data, 1, false);
    std::vector<serving::Snapshot> versions{replayer.variables()};
    for (const auto& parts : order.updates) {
      replayer.keep();
      batches.add(parts);
      (void)replayer.apply(parts, replayer.computeAll(parts, batches));
      versions.push_back(replayer.variables());
    }
    const auto after = [&](std::int64_t step) {
      std::vector<float> variables = *versions[static_cast<std::size_t>(step)];
      variables.resize(static_cast<std::size_t>(lesson.run.info()->parameters));
      return variables;
    };
    for (const std::int64_t step : {1, 90, 91, 200}) {
      const auto record = recomputed(step);
      QVERIFY(record);
      QCOMPARE(record->replicas.size(), std::size_t{2});
      QVERIFY(sameBits(record->weightsAfter, after(step)));
      if (step > 1) QVERIFY(sameBits(record->weightsBefore, after(step - 1)));
    }
    for (const auto& record : live) {
      const auto other = recomputed(record->metric.step);
      QVERIFY(other);
      QVERIFY(sameBits(record->gradients, other->gradients));
      QVERIFY(sameBits(record->weightsAfter, other->weightsAfter));
    }
  }

  void settingsOfOthersAreRefused() {
    RunSettings asked = settings(5);
    asked.batchPerReplica = 100'000;
    Lesson large(asked, 0);
    QVERIFY(large.ends());
    QVERIFY(large.run.state() == RunState::Failed);
    QVERIFY(format(large.run.failure()).find("batch-per-replica") != std::string::npos);
    // Settings that a class does not have are left out.
    asked = settings(5);
    asked.deviceModel = "a100";
    asked.devices = DeviceChoice::Simulated;
    asked.slowLink = {{0, 2.0}};
    QVERIFY(serving::classSettings(asked).deviceModel != "a100");
    QVERIFY(serving::classSettings(asked).slowLink.empty());
  }

  void withoutItsProgramItSaysHowToBuildIt() {
    qputenv("STRATEGYLAB_CLASS_PROGRAM", "/no/such/program");
    try {
      const ClassRun run(settings(5), {});
      QFAIL("it began");
    } catch (const UserError& error) {
      QVERIFY(std::string(error.what()).find("STRATEGYLAB_CLASS=1 app/run.sh") != std::string::npos);
    }
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
  }

  // What app/run.sh is told in the environment, the window that it starts finds there too.
  void builtByRunShItIsFoundBesideTheProgram() {
    qputenv("STRATEGYLAB_CLASS", "1");
    qunsetenv("STRATEGYLAB_CLASS_PROGRAM");
    ClassProgram::check();
    qunsetenv("STRATEGYLAB_CLASS");
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
  }

  // Its output has not been read to the end, so it has not ended yet as far as this program knows.
  void anOrderToAProgramThatIsGoneIsLost() {
    pretend("exec 0<&-\necho '{\"over\": 1}'\nexit 3");
    ClassProgram program("serve", nlohmann::json::object());
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
    QVERIFY(program.next(kPatienceMs));  // its input is closed by now
    program.order("pause");
    program.order("stop");
    QVERIFY_THROWS_EXCEPTION(UserError, while (!program.hasEnded())(void) program.next(1));
  }

  // A state may be unreadable or gone, for instance because the disk is full or somebody has cleaned the folder.
  void aStateThatCannotBeReadDoesNotEndTheClass() {
    pretend(
        "echo '{\"link\": \"http://127.0.0.1:9\"}'\n"
        "echo '{\"state\": 0, \"ordered\": true, \"there\": true}'\n"
        "echo '{\"over\": 0}'");
    ClassRun run(settings(5), {});
    const bool ends = QTest::qWaitFor([&] { return run.state() >= RunState::Finished; }, kPatienceMs);
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
    QVERIFY2(ends && run.state() == RunState::Finished, format(run.failure()).c_str());
  }

  // The record begins with the first step, of which there is no state: it takes longer than anybody waits.
  void ordersReachTheClassWhileARecordIsMade() {
    constexpr std::int64_t kUpdates = 5000, kExamples = 512;
    RunSettings asked = settings(kUpdates);
    asked.network = "course";
    asked.batchPerReplica = kExamples;
    QFile lines(folder_.filePath("lines"));
    QVERIFY(lines.open(QIODevice::WriteOnly));
    const auto say = [&lines](const std::string& line) { lines.write((line + "\n").c_str()); };
    say(R"({"joined": {"worker": 0, "name": "Otter 1", "nickname": "", "path": "baseline"}})");
    for (std::int64_t step = 1; step <= kUpdates; ++step) {
      if (step == kUpdates) say(R"({"state": 4999, "ordered": true, "there": false})");
      say(serving::orderLine({{.closure = static_cast<std::uint64_t>(step),
                               .worker = 0,
                               .version = step - 1,
                               .examples = kExamples,
                               .scale = 1.F / kExamples,
                               .path = "baseline"}}));
      say(serving::timesLine({.parts = {{step, step, step, 0}}, .appliedNs = step}));
      say(toJsonLine(StepMetric{.step = step, .examples = kExamples, .shards = {kExamples}, .loss = 1, .worker = 0}));
    }
    for (int i = 0; i < 10'000; ++i) say(R"({"members": []})");  // more than a pipe holds
    lines.close();
    const QString removed = folder_.filePath("removed");
    pretend(("read begin\n"
             "echo '{\"link\": \"http://127.0.0.1:9\"}'\n"
             "while read order; do\n"
             "  case $order in\n"
             "    state) cat '" +
             lines.fileName() +
             "' ;;\n"
             "    remove*) : > '" +
             removed +
             "' ;;\n"
             "    stop) echo '{\"over\": 0}'; exit ;;\n"
             "  esac\n"
             "done")
                .toUtf8());
    ClassRun run(asked, {});
    run.telemetry().requestRecord();
    std::size_t updates = 0;
    const bool begins =
        QTest::qWaitFor([&] { return (updates += run.telemetry().takeMetrics().size()) >= kUpdates - 1; }, kPatienceMs);
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
    QVERIFY(begins);
    run.remove(0);
    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(removed); }, kPatienceMs));
    run.stopAndWait();
    QVERIFY2(run.state() == RunState::Stopped, format(run.failure()).c_str());
  }

  // As the window does; somebody who joins and leaves all day must not fill its memory.
  void newsThatNobodyTakesIsBounded() {
    pretend(
        "echo '{\"link\": \"http://127.0.0.1:9\"}'\n"
        "for each in $(seq 1500); do\n"
        "  echo '{\"joined\": {\"worker\": 0, \"name\": \"Otter 1\", \"nickname\": \"\", \"path\": \"avx2\"}}'\n"
        "  echo '{\"left\": 0, \"why\": null}'\n"
        "done\n"
        "echo '{\"over\": 0}'");
    ClassRun run(settings(5), {});
    const bool ends = QTest::qWaitFor([&] { return run.state() >= RunState::Finished; }, kPatienceMs);
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
    QVERIFY2(ends && run.state() == RunState::Finished, format(run.failure()).c_str());
    const auto news = run.takeNews();
    QCOMPARE(news.size(), ClassRun::kMostNews);
    QVERIFY(news.back().what == ClassNews::What::Left);
    QVERIFY(run.takeNews().empty());
  }

  // Before its link a resumed class says who was there before: for the run file, and not as news.
  void aResumedClassKnowsWhoWasThere() {
    pretend(
        "echo '{\"joined\": {\"worker\": 2, \"name\": \"Lynx 3\", \"path\": \"avx2\"}}'\n"
        "echo '{\"left\": 2}'\n"
        "echo '{\"link\": \"http://127.0.0.1:9\"}'\n"
        "echo '{\"joined\": {\"worker\": 0, \"name\": \"Otter 1\", \"nickname\": \"\", \"path\": \"avx2\"}}'\n"
        "echo '{\"over\": 0}'");
    ClassRun run(settings(5), {});
    const bool ends = QTest::qWaitFor([&] { return run.state() >= RunState::Finished; }, kPatienceMs);
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
    QVERIFY2(ends && run.state() == RunState::Finished, format(run.failure()).c_str());
    const std::vector<std::string> order{serving::joinedLine(2, "Lynx 3", "avx2"), serving::leftLine(2),
                                         serving::joinedLine(0, "Otter 1", "avx2")};
    QVERIFY(run.takeOrder() == order);
    const auto news = run.takeNews();
    QVERIFY(news.size() == 1 && news.front().who.name == "Otter 1");
    QCOMPARE(run.info()->replicas, 3);
  }

  void aProgramThatDoesNotStopIsEnded() {
    pretend("echo '{\"link\": \"http://127.0.0.1:9\"}'\nexec sleep 600");
    ClassRun run(settings(5), {.stopSeconds = 0.1});
    const bool begins = QTest::qWaitFor([&] { return !run.link().empty(); }, kPatienceMs);
    qputenv("STRATEGYLAB_CLASS_PROGRAM", kClassProgram.toUtf8());
    QVERIFY(begins);
    run.stopAndWait();
    QVERIFY(run.state() == RunState::Failed);
    QVERIFY2(run.failure().is(say::classProgramSilent), format(run.failure()).c_str());
  }

  void anAddressThatCannotBeIsSaid() {
    ClassRun run(settings(5), {.listen = "192.0.2.1:9"});
    QVERIFY(QTest::qWaitFor([&] { return run.state() == RunState::Failed; }, kPatienceMs));
    QVERIFY(format(run.failure()).find("192.0.2.1:9") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestClassRun)
#include "tst_class_run.moc"
