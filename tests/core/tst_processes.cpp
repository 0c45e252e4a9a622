// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: processors=2 cost=20
// A run among processes, with threads in their place (support/thread_wires.h): the same bits as in one process under
// every schedule; what is recorded, resumed and evaluated; unlike processes are reported, and a process that the others
// wait for in vain is named. Real processes: tst_launch.
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/keras/keras_json.h"
#include "core/launching/processes.h"
#include "core/model/safetensors.h"
#include "core/options/messages.h"
#include "core/options/resolve.h"
#include "core/process/awake_clock.h"
#include "core/process/health.h"
#include "core/process/messages.h"
#include "core/process/peers.h"
#include "core/process/task_config.h"
#include "core/process/wire.h"
#include "core/training/checkpoint.h"
#include "tests/support/refusal.h"
#include "tests/support/thread_wires.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const Settings kRun = {{"strategy", "multi-worker-mirrored"},
                       {"global-batch", "47"},
                       {"steps", "4"},
                       {"eval-every", "2"},
                       {"threads", "1"},
                       {"seed", "3"},
                       {"learning-rate", "0.002"},
                       {"dataset", "digits"},
                       {"shuffle-buffer", "100"}};

// Seconds, in tests that wait for the deadline: long enough that a busy machine's thread is not missed by accident.
constexpr double kDeadline = 2;

std::string idOf(const std::exception_ptr& failure) {
  if (!failure) return "";
  try {
    std::rethrow_exception(failure);
  } catch (const UserError& error) {
    return error.message().text()->id;
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string sentenceOf(const std::exception_ptr& failure) {
  if (!failure) return "";
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Notes the bytes of the largest message that is sent.
class MeasuredWire : public process::Wire {
 public:
  MeasuredWire(std::shared_ptr<process::Wire> wire, std::atomic<std::size_t>& largest)
      : wire_(std::move(wire)), largest_(largest) {}

  int rank() const override { return wire_->rank(); }
  int size() const override { return wire_->size(); }
  std::string library() const override { return wire_->library(); }
  process::Request send(int to, process::Channel channel, const void* bytes, std::size_t count) override {
    for (std::size_t was = largest_; was < count && !largest_.compare_exchange_weak(was, count);) {
    }
    return wire_->send(to, channel, bytes, count);
  }
  process::Request receive(int from, process::Channel channel, void* bytes, std::size_t count) override {
    return wire_->receive(from, channel, bytes, count);
  }
  bool test(process::Request& request) override { return wire_->test(request); }
  void cancel(process::Request& request) override { wire_->cancel(request); }
  void sumOverAll(float* values, std::int64_t count) override { wire_->sumOverAll(values, count); }
  void abort(int exitCode) noexcept override { wire_->abort(exitCode); }

 private:
  std::shared_ptr<process::Wire> wire_;
  std::atomic<std::size_t>& largest_;
};

// Every look for a beat of worker 1 is an error.
class BrokenWire final : public MeasuredWire {
 public:
  using MeasuredWire::MeasuredWire;
  process::Request receive(int from, process::Channel channel, void* bytes, std::size_t count) override {
    const process::Request request = MeasuredWire::receive(from, channel, bytes, count);
    if (from == 1 && channel == process::Channel::Heartbeats) broken_ = request;
    return request;
  }
  bool test(process::Request& request) override {
    if (request != 0 && request == broken_) throw std::runtime_error("the link is broken");
    return MeasuredWire::test(request);
  }

 private:
  std::atomic<process::Request> broken_{0};
};

struct RunOfAll {
  Outcome first;  // the first process's
  std::vector<std::vector<float>> weights;
  std::vector<std::exception_ptr> failures;
};

RunOfAll trainAmong(int processes, const Settings& settings, const std::shared_ptr<const Dataset>& data) {
  RunOfAll run;
  run.weights.resize(static_cast<std::size_t>(processes));
  run.failures = amongThreads(processes, [&](process::Peers& peers) {
    const RunSettings config = configOf(with(settings, {{"devices", "processes"}}));
    Telemetry telemetry;
    Trainer trainer(resolve(config), data, telemetry);
    while (!trainer.finished()) trainer.step();
    const EndMetric end = trainer.finish();
    const int own = peers.rank() * trainer.cluster().replicas() / peers.size();
    const auto weights = trainer.cluster().replica(own).variables.weights.span();
    run.weights[static_cast<std::size_t>(peers.rank())] = {weights.begin(), weights.end()};
    if (!peers.isChief()) return;
    run.first.end = end;
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric))
        run.first.steps.push_back(*step);
      else if (const auto* evaluation = std::get_if<EvalMetric>(&metric))
        run.first.evaluations.push_back(*evaluation);
    (void)telemetry.drainSpans(run.first.spans);
    run.first.info = trainer.info();
  });
  return run;
}

}  // namespace

class TestProcesses : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  void everyScheduleHasTheBitsOfOneProcess_data() {
    QTest::addColumn<int>("processes");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("reducer");
    QTest::addColumn<QString>("network");
    QTest::newRow("2 processes, 4 replicas, ring, mlp") << 2 << 4 << "ring"
                                                        << "mlp";
    for (const auto& [processes, replicas] : {std::pair(1, 2), {2, 2}, {3, 3}, {4, 8}, {5, 5}, {8, 8}, {16, 16}})
      for (const Reducer reducer : kSchedules)
        QTest::addRow("%d processes, %d replicas, %s", processes, replicas, std::string(toString(reducer)).c_str())
            << processes << replicas << QString::fromStdString(std::string(toString(reducer))) << "course";
  }
  void everyScheduleHasTheBitsOfOneProcess() {
    QFETCH(int, processes);
    QFETCH(int, replicas);
    QFETCH(QString, reducer);
    QFETCH(QString, network);
    const Settings settings = with(kRun, {{"network", network.toStdString()},
                                          {"replicas", std::to_string(replicas)},
                                          {"hosts", std::to_string(processes)},
                                          {"bytes-per-pack", "1000000"},
                                          {"reducer", reducer.toStdString()}});
    const Outcome alone = train(configOf(with(settings, {{"devices", "simulated"}})), digits_);
    const RunOfAll run = trainAmong(processes, settings, digits_);
    for (const std::exception_ptr& failure : run.failures) QVERIFY2(!failure, idOf(failure).c_str());
    for (const std::vector<float>& weights : run.weights) QVERIFY(sameBits(weights, alone.weights));
    QCOMPARE(run.first.steps.size(), alone.steps.size());
    for (std::size_t i = 0; i < alone.steps.size(); ++i) {
      QCOMPARE(run.first.steps[i].loss, alone.steps[i].loss);
      QCOMPARE(run.first.steps[i].accuracy, alone.steps[i].accuracy);
      QCOMPARE(run.first.steps[i].bytesSent, alone.steps[i].bytesSent);
      QCOMPARE(run.first.steps[i].mirrorsIdentical, alone.steps[i].mirrorsIdentical);
      QVERIFY(run.first.steps[i].clock == TimeSource::Measured);
    }
    QCOMPARE(run.first.evaluations.size(), alone.evaluations.size());
    for (std::size_t i = 0; i < alone.evaluations.size(); ++i) {
      QCOMPARE(run.first.evaluations[i].testLoss, alone.evaluations[i].testLoss);
      QCOMPARE(run.first.evaluations[i].testAccuracy, alone.evaluations[i].testAccuracy);
    }
  }

  // Each replica's own statistics, or sums exchanged in the middle of a pass; checkpoints have those of all replicas.
  void batchNormalisationHasTheBitsOfOneProcess_data() {
    QTest::addColumn<bool>("synchronized");
    QTest::addColumn<int>("processes");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("reducer");
    for (const bool synchronized : {false, true})
      for (const auto& [processes, replicas] : {std::pair(2, 2), {2, 4}, {3, 3}})
        for (const char* reducer : {"ring", "tree", "halving-doubling"})
          QTest::addRow("%s, %d processes, %d replicas, %s", synchronized ? "synchronised" : "own", processes, replicas,
                        reducer)
              << synchronized << processes << replicas << reducer;
  }
  void batchNormalisationHasTheBitsOfOneProcess() {
    QFETCH(bool, synchronized);
    QFETCH(int, processes);
    QFETCH(int, replicas);
    QFETCH(QString, reducer);
    const QTemporaryDir folder;
    using Kind = NetworkLayer::Kind;
    const NeuralNetwork network(
        "normed", {28, 28, 1},
        {{.kind = Kind::Conv2D, .name = "conv2d", .units = 4, .side = 3, .strideY = 3, .strideX = 3},
         {.kind = Kind::BatchNorm, .name = "batch_normalization", .synchronized = synchronized},
         {.kind = Kind::Flatten, .name = "flatten"},
         {.kind = Kind::Dense, .name = "dense", .units = 10}});
    QFile file(folder.filePath("normed.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(kerasJson(network)));
    file.close();
    const auto run = [&](const char* devices, const char* checkpoints) {
      const Settings settings = with(kRun, {{"network", file.fileName().toStdString()},
                                            {"replicas", std::to_string(replicas)},
                                            {"hosts", std::to_string(processes)},
                                            {"checkpoint-dir", folder.filePath(checkpoints).toStdString()},
                                            {"reducer", reducer.toStdString()}});
      if (devices == std::string("processes")) return trainAmong(processes, settings, digits_);
      RunOfAll one;
      one.first = train(configOf(with(settings, {{"devices", devices}})), digits_);
      return one;
    };
    const RunOfAll alone = run("simulated", "alone"), together = run("processes", "together");
    for (const std::exception_ptr& failure : together.failures) QVERIFY2(!failure, idOf(failure).c_str());
    for (const std::vector<float>& weights : together.weights) QVERIFY(sameBits(weights, alone.first.weights));
    for (std::size_t i = 0; i < alone.first.steps.size(); ++i) {
      QCOMPARE(together.first.steps[i].loss, alone.first.steps[i].loss);
      QCOMPARE(together.first.steps[i].bytesSent, alone.first.steps[i].bytesSent);
    }
    for (std::size_t i = 0; i < alone.first.evaluations.size(); ++i)
      QCOMPARE(together.first.evaluations[i].testLoss, alone.first.evaluations[i].testLoss);
    const TensorFile a = readNewestCheckpoint(folder.filePath("alone").toStdString()).tensors,
                     b = readNewestCheckpoint(folder.filePath("together").toStdString()).tensors;
    QCOMPARE(a.tensors.size(), b.tensors.size());
    for (const auto& [name, tensor] : a.tensors)
      QVERIFY2(sameBits(tensor.values, b.tensors.at(name).values), name.c_str());
    QVERIFY(b.tensors.contains("statistics/replica_" + std::to_string(replicas - 1)));
  }

  // MPI's own order may change the last bit of a sum, but the copies are equal.
  void mpisOwnAllReduceKeepsTheCopiesEqual() {
    const RunOfAll run = trainAmong(2, with(kRun, {{"replicas", "4"}, {"hosts", "2"}, {"reducer", "mpi"}}), digits_);
    for (const std::exception_ptr& failure : run.failures) QVERIFY2(!failure, idOf(failure).c_str());
    QVERIFY(run.first.end.mirrorsIdentical == true);
    QVERIFY(sameBits(run.weights[0], run.weights[1]));
  }

  // The first process has everyone's spans, on its own clock, and the whole record.
  void aRecordHasAllReplicas_data() {
    QTest::addColumn<QString>("network");
    QTest::newRow("course") << "course";
    QTest::newRow("mlp") << "mlp";
  }
  void aRecordHasAllReplicas() {
    QFETCH(QString, network);
    const Settings settings =
        with(kRun, {{"network", network.toStdString()}, {"replicas", "4"}, {"hosts", "2"}, {"eval-every", "0"}});
    const auto recorded = [&](const RunSettings& config) {
      Telemetry telemetry;
      Trainer trainer(resolve(config), digits_, telemetry);
      telemetry.requestRecord();
      trainer.step();
      trainer.step();
      (void)trainer.finish();
      return telemetry.takeRecord();
    };
    const auto alone = recorded(configOf(with(settings, {{"devices", "simulated"}})));
    std::shared_ptr<const StepRecord> together;
    const auto failures = amongThreads(2, [&](process::Peers& peers) {
      const auto record = recorded(configOf(with(settings, {{"devices", "processes"}})));
      if (peers.isChief()) together = record;
    });
    for (const std::exception_ptr& failure : failures) QVERIFY2(!failure, idOf(failure).c_str());
    QVERIFY(alone && together);
    QVERIFY(sameBits(together->weightsBefore, alone->weightsBefore));
    QVERIFY(sameBits(together->weightsAfter, alone->weightsAfter));
    QVERIFY(sameBits(together->gradients, alone->gradients));
    QCOMPARE(together->replicas.size(), alone->replicas.size());
    for (std::size_t r = 0; r < alone->replicas.size(); ++r) {
      QVERIFY(together->replicas[r].shard == alone->replicas[r].shard);
      QVERIFY(sameBits(together->replicas[r].losses, alone->replicas[r].losses));
      QVERIFY(together->replicas[r].predictions == alone->replicas[r].predictions);
      QVERIFY(sameBits(together->replicas[r].gradients, alone->replicas[r].gradients));
      QCOMPARE(together->replicas[r].weightsDigest, alone->replicas[r].weightsDigest);
      QCOMPARE(together->replicas[r].weightsDistance, 0.0);
      QCOMPARE(together->memory[r].total(), alone->memory[r].total());
    }
    const auto transfers = [](const StepRecord& record) {
      return std::ranges::count_if(record.spans,
                                   [](const Span& span) { return span.kind == SpanKind::Transfer && span.step == 1; });
    };
    QCOMPARE(transfers(*together), transfers(*alone));  // each hop is a span
    for (int r = 0; r < 4; ++r)
      QVERIFY(std::ranges::any_of(together->spans,
                                  [r](const Span& span) { return span.track == r && span.kind == SpanKind::Compute; }));
  }

  void aResumedRunHasTheBitsOfOneThatNeverStopped() {
    const QTemporaryDir folder;
    const Settings settings =
        with(kRun, {{"replicas", "3"}, {"hosts", "3"}, {"checkpoint-dir", folder.path().toStdString()}});
    const RunOfAll whole = trainAmong(3, with(settings, {{"checkpoint-every", "2"}}), digits_);
    for (const std::exception_ptr& failure : whole.failures) QVERIFY2(!failure, idOf(failure).c_str());
    QVERIFY(QFile::remove(folder.filePath("checkpoint-000000000004.safetensors")));
    const RunOfAll rest = trainAmong(3, with(settings, {{"resume", "true"}}), digits_);
    for (const std::exception_ptr& failure : rest.failures) QVERIFY2(!failure, idOf(failure).c_str());
    QCOMPARE(rest.first.steps.size(), std::size_t{2});
    for (int r = 0; r < 3; ++r)
      QVERIFY(sameBits(rest.weights[static_cast<std::size_t>(r)], whole.weights[static_cast<std::size_t>(r)]));
  }

  void unlikeProcessesAreToldApart() {
    const auto failed =
        [&](const std::function<void(int, Settings&, std::string&, std::shared_ptr<const Dataset>&)>& change) {
          const auto failures = amongThreads(3, [&](process::Peers& peers) {
            Settings settings = with(kRun, {{"devices", "processes"}});
            std::string version = "1.0";
            std::shared_ptr<const Dataset> data = digits_;
            change(peers.rank(), settings, version, data);
            peers.setAlike(true);
            compareProcesses(peers, resolve(configOf(settings)), data, version);
          });
          for (const std::exception_ptr& failure : failures)
            if (idOf(failure) != idOf(failures.front())) return std::string("not the same everywhere");
          return idOf(failures.front());
        };
    QCOMPARE(failed([](int, Settings&, std::string&, auto&) {}), "");
    QCOMPARE(failed([](int, Settings&, std::string&, auto& data) {
               auto named = std::make_shared<Dataset>(*data);
               named->source = "/no UTF-8: \xff";
               data = named;
             }),
             "");
    QCOMPARE(failed([](int rank, Settings&, std::string& version, auto&) {
               if (rank == 1) version = "0.9";
             }),
             say::otherVersionThere.id);
    QCOMPARE(failed([](int rank, Settings& settings, std::string&, auto&) {
               if (rank == 2) settings.emplace_back("seed", "4");
             }),
             say::otherSettingThere.id);
    for (const auto& [name, value] : {std::pair("steps", "7"), {"eval-every", "3"}, {"checkpoint-dir", "c"}})
      QCOMPARE(failed([&](int rank, Settings& settings, std::string&, auto&) {
                 if (rank == 1) settings.emplace_back(name, value);
               }),
               say::otherSettingThere.id);
    QCOMPARE(failed([](int rank, Settings& settings, std::string&, auto&) {
               settings.emplace_back("checkpoint-dir", "on host " + std::to_string(rank));
             }),
             "");
    for (const auto& [name, value] : {std::pair("resume", "true"), {"checkpoint-every", "3"}})
      QCOMPARE(failed([&](int rank, Settings& settings, std::string&, auto&) {
                 settings.emplace_back("checkpoint-dir", "c");
                 if (rank == 0) settings.emplace_back(name, value);
               }),
               say::otherSettingThere.id);
    QCOMPARE(failed([](int rank, Settings&, std::string&, auto& data) {
               if (rank != 1) return;
               auto other = std::make_shared<Dataset>(*data);
               other->train.pixels[5000] ^= 1;
               data = other;
             }),
             say::otherDataThere.id);
    QCOMPARE(failed([](int rank, Settings& settings, std::string&, auto&) {
               if (rank == 0) settings.emplace_back("hosts", "2");
             }).empty(),
             false);
  }

  void whoeverIsMissingIsNamed() {
    const auto failures = amongThreads(
        3,
        [](process::Peers& peers) {
          for (int step = 1;; ++step) {
            peers.enter(process::Doing::AllReduce, step);
            peers.barrier();
          }
        },
        kDeadline, [](ThreadWires& wires) { wires.cut(2); });
    QCOMPARE(idOf(failures[0]), say::workerMissing.id);
    try {
      std::rethrow_exception(failures[0]);
    } catch (const UserError& error) {
      QVERIFY2(std::string(error.what()).starts_with("worker 2 (process "), error.what());
    }
    QCOMPARE(idOf(failures[1]).empty(), false);  // it was told of the failure, or ended with the first process
    QCOMPARE(idOf(failures[2]).empty(), false);
  }

  // The other processes of the first one's host may be lost together with it.
  void anotherHostReportsAboutTheFirst() {
    const auto reporter = [](const std::vector<std::string>& hosts, int worker) {
      std::vector<process::Place> places;
      for (const std::string& host : hosts) places.push_back({.host = host});
      return process::reporterOf(places, worker);
    };
    QCOMPARE(reporter({"a", "a", "b", "b"}, 0), 2);
    QCOMPARE(reporter({"a", "b", "a"}, 0), 1);
    QCOMPARE(reporter({"a", "a", "a"}, 0), 1);
    QCOMPARE(reporter({}, 0), 1);  // not known yet
    QCOMPARE(reporter({"a", "a", "b", "b"}, 2), 0);
  }

  // A short wait costs no time beyond its polls; a long one no processor.
  void aLongWaitLeavesTheProcessor() {
    using namespace std::chrono_literals;
    using process::Rest;
    QVERIFY(process::restAfter(1, 0ns, false) == Rest::Spin);
    QVERIFY(process::restAfter(process::kSpins + 1, process::kLongWait - 1ns, false) == Rest::Yield);
    QVERIFY(process::restAfter(1, 0ns, true) == Rest::Yield);
    for (const bool shares : {false, true})
      QVERIFY(process::restAfter(process::kSpins + 1, process::kLongWait, shares) == Rest::Nap);
  }

  // The process is alive but does something other than what the others wait for.
  void whoeverDoesNotComeIsNamed() {
    const auto failures = amongThreads(
        3,
        [](process::Peers& peers) {
          peers.enter(process::Doing::AllReduce, 7);
          if (peers.rank() != 1) return peers.barrier();
          peers.leave();
          process::Request never = peers.receive(1, nullptr, 0);  // no message for this ever comes
          while (!peers.test(never)) std::this_thread::yield();
        },
        kDeadline);
    QCOMPARE(idOf(failures[0]), say::workerAbsent.id);
  }

  // While data are read and GPUs joined, another limit applies.
  void whoeverDoesNotStartIsNamedWithinTheLimit() {
    const auto failures = amongThreads(
        3,
        [](process::Peers& peers) {
          if (peers.rank() != 2) return peers.barrier();  // in the start-up, like everything here
          process::Request never = peers.receive(2, nullptr, 0);
          while (!peers.test(never)) std::this_thread::yield();
        },
        kDeadline, {}, 1.5 * kDeadline);
    QCOMPARE(idOf(failures[0]), say::workerAbsent.id);
    try {
      std::rethrow_exception(failures[0]);
    } catch (const UserError& error) {
      QVERIFY2(std::string(error.what()).find("--start-up-limit") != std::string::npos, error.what());
    }
  }

  // The others are in the first step already, but the start-up limit holds for the one they wait for.
  void whoeverIsStillStartingIsGivenTheStartUpLimit() {
    const auto failures = amongThreads(
        3,
        [](process::Peers& peers) {
          if (peers.rank() != 2) {
            peers.enter(process::Doing::Begin, 0);
            return peers.barrier();
          }
          process::Request never = peers.receive(2, nullptr, 0);
          while (!peers.test(never)) std::this_thread::yield();
        },
        kDeadline, {}, 1.5 * kDeadline);
    QVERIFY2(sentenceOf(failures[0]).find("--start-up-limit") != std::string::npos, sentenceOf(failures[0]).c_str());
  }

  // The weights go into a pipe that nobody reads until the others have given up.
  void whoeverWritesFilesIsGivenTheirLimit() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("weights.safetensors").toStdString();
    if (::mkfifo(path.c_str(), 0600) != 0) QSKIP("no pipes here");
    const int pipe = ::open(path.c_str(), O_RDWR | O_NONBLOCK);
    const Settings settings = with(kRun, {{"devices", "processes"},
                                          {"network", "mlp"},
                                          {"hosts", "2"},
                                          {"replicas", "2"},
                                          {"steps", "1"},
                                          {"eval-every", "0"},
                                          {"save", path}});
    std::atomic<bool> over = false;
    const auto failures = amongThreads(
        2,
        [&](process::Peers& peers) {
          const auto said = qScopeGuard([&] { over = over || peers.isChief(); });
          try {
            Telemetry telemetry;
            Trainer trainer(resolve(configOf(settings)), digits_, telemetry);
            trainer.step();
            (void)trainer.finish();
          } catch (...) {
            std::vector<char> bytes(1 << 16);
            while (!peers.isChief() && !over)
              if (::read(pipe, bytes.data(), bytes.size()) <= 0) std::this_thread::yield();
            throw;
          }
        },
        2 * kDeadline, {}, kDeadline / 2);
    ::close(pipe);
    QVERIFY2(sentenceOf(failures[1]).find("--start-up-limit") != std::string::npos, sentenceOf(failures[1]).c_str());
  }

  // A checkpoint may have more bytes than one of MPI's messages can.
  void whatIsLargeIsBroadcastInPieces() {
    std::atomic<std::size_t> largest = 0;
    std::atomic<int> equal = 0;
    process::Content content(process::Peers::kMostBroadcast + 5);
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<std::byte>(i % 251);
    const auto failures = amongWires(3, [&](const std::shared_ptr<process::Wire>& wire) {
      process::Peers peers(std::make_shared<MeasuredWire>(wire, largest), {60, 60});
      if (peers.broadcast(peers.isChief() ? content : process::Content()) == content) ++equal;
    });
    for (const std::exception_ptr& failure : failures) QVERIFY2(!failure, idOf(failure).c_str());
    QCOMPARE(equal.load(), 3);
    QCOMPARE(largest.load(), process::Peers::kMostBroadcast);
  }

  // Time during which all were stopped counts for none of them.
  void timeWhileStoppedDoesNotCount() {
    static std::int64_t ns = 0;
    ns = 1'000;
    process::AwakeClock clock(30, [] { return ns; });
    ns += 20;
    QCOMPARE(clock.nowNs(), std::int64_t{20});
    clock.tick();
    ns += 1'000'000;
    QCOMPARE(clock.nowNs(), std::int64_t{50});
    clock.tick();
    QCOMPARE(clock.nowNs(), std::int64_t{50});
    ns += 10;
    clock.tick();
    QCOMPARE(clock.nowNs(), std::int64_t{60});
  }

  void aCutBetweenTwoIsNamed() {
    const auto failures = amongThreads(
        3,
        [](process::Peers& peers) {
          int value = 0;
          peers.barrier();
          peers.enter(process::Doing::AllReduce, 2);
          if (peers.rank() == 0) return peers.barrier();
          process::Request request = peers.receive(3 - peers.rank(), &value, sizeof value);
          peers.wait(request, 3 - peers.rank());
        },
        kDeadline);
    QCOMPARE(idOf(failures[0]), say::workerUnreachable.id);
  }

  void anErrorOfOneLinkDoesNotSilenceTheOthers() {
    std::atomic<std::size_t> largest = 0;
    std::atomic<bool> over = false;
    process::Verdict verdict;
    const auto failures = amongWires(3, [&](std::shared_ptr<process::Wire> wire) {
      if (wire->rank() == 0) wire = std::make_shared<BrokenWire>(wire, largest);
      process::Health health(wire, {kDeadline, kDeadline}, [](const process::Verdict&) {});
      while (wire->rank() == 2 ? !health.hasVerdict() : !over) std::this_thread::yield();
      if (wire->rank() != 2) return;
      verdict = health.takeVerdict();
      over = true;
    });
    for (const std::exception_ptr& failure : failures) QVERIFY2(!failure, idOf(failure).c_str());
    QVERIFY(verdict.kind == process::Verdict::Kind::Missing);
    QCOMPARE(verdict.worker, 1);
  }

  void taskConfigsAreRead() {
    const process::TaskConfig config = process::parseTaskConfig(
        R"({"cluster": {"chief": ["a:1"], "worker": ["b:2", "c:3"]}, "task": {"type": "worker", "index": 1}})", "x");
    QCOMPARE(config.workers, (std::vector<std::string>{"a:1", "b:2", "c:3"}));
    QCOMPARE(*config.index, 2);
    const std::string text = process::taskConfigText({"a:1", "b:2"}, 1);
    QCOMPARE(*process::parseTaskConfig(text, "x").index, 1);
    for (const char* bad : {"", "[]", "{}", R"({"cluster": {}})", R"({"cluster": {"worker": ["a"]}})",
                            R"({"cluster": {"worker": ["a:1"], "ps": ["b:1"]}})", R"({"cluster": {"worker": [1]}})",
                            R"({"cluster": {"worker": "a:1"}})", R"({"cluster": {"worker": {"0": "a:1"}}})",
                            R"({"cluster": {"worker": ["a:1", "a:1"]}})", R"({"cluster": {"worker": ["a:70000"]}})",
                            R"({"cluster": {"worker": ["a:0"]}})", R"({"cluster": {"worker": ["a/b:1"]}})"})
      QVERIFY_THROWS_EXCEPTION(UserError, (void)process::parseTaskConfig(bad, "x"));
    const QString said = test::refusal([] { (void)process::parseTaskConfig("{\n\"cluster\": {}}\n", "x"); });
    QVERIFY2(said.startsWith(QStringLiteral("x: '{ \"cluster\": {}}' is not")), qPrintable(said));
  }

  void whatIsNotDoneIsRefused() {
    const auto refused = [](const Settings& settings) {
      try {
        (void)resolve(configOf(with(settings, {{"devices", "processes"}})));
        return std::string();
      } catch (const UserError& error) {
        return std::string(error.message().text()->id);
      }
    };
    QCOMPARE(refused({{"strategy", "multi-worker-mirrored"}}), "");
    QCOMPARE(refused({{"strategy", "parameter-server"}}), say::serversAmongProcesses.id);
    QCOMPARE(refused({{"strategy", "mirrored"}}), say::processesNeedHosts.id);
    QCOMPARE(refused(with(kRun, {{"noise-scale", "true"}})), say::noiseAmongProcesses.id);
    QCOMPARE(refused(with(kRun, {{"slow", "1:2"}})), say::slowAmongProcesses.id);
    QCOMPARE(refused(with(kRun, {{"reducer", "nccl"}})), say::ncclAmongProcesses.id);
    Telemetry telemetry;
    QVERIFY_THROWS_EXCEPTION(UserError,
                             Trainer(resolve(configOf(with(kRun, {{"devices", "processes"}}))), digits_, telemetry));
  }
};

QTEST_GUILESS_MAIN(TestProcesses)
#include "tst_processes.moc"
