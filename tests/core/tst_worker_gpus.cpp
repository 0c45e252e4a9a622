// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: processors=2
// Replicas on GPUs in several processes, with emulated GPUs and threads in the place of processes: hop by hop the bits
// of one process, of any network, with evaluation, a record and a checkpoint; which GPU each replica takes. NCCL and
// real processes: tst_launch_gpus.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/device/cuda/gpu_module.h"
#include "core/keras/keras_json.h"
#include "core/model/neural_network.h"
#include "core/options/messages.h"
#include "core/options/resolve.h"
#include "core/process/peers.h"
#include "core/process/process_gpus.h"
#include "core/replicas/labels.h"
#include "core/training/checkpoint.h"
#include "core/training/messages.h"
#include "tests/support/emulated_gpus.h"
#include "tests/support/normed_network.h"
#include "tests/support/thread_wires.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const Settings kRun = {{"strategy", "multi-worker-mirrored"},
                       {"global-batch", "15"},
                       {"steps", "4"},
                       {"eval-every", "2"},
                       {"threads", "1"},
                       {"seed", "3"},
                       {"dataset", "digits"},
                       {"shuffle-buffer", "40"}};
const Settings kWorkers = {{"devices", "processes"}, {"worker-devices", "cuda"}};
const Settings kAlone = {{"devices", "cuda"}};

struct Trained {
  std::vector<float> weights;
  std::vector<double> losses, testLosses;
  std::vector<std::int64_t> bytesSent;
  std::shared_ptr<const StepRecord> record;
  std::vector<Span> spans;
};

// `recorded`: whether the second step is recorded.
Trained trained(const Settings& settings, const std::shared_ptr<const Dataset>& data, bool recorded) {
  Telemetry telemetry;
  telemetry.setSpansWanted(!recorded);
  Trainer trainer(resolve(configOf(settings)), data, telemetry);
  Trained result;
  while (!trainer.finished()) {
    if (recorded && trainer.stepsDone() == 1) telemetry.requestRecord();
    trainer.step();
  }
  (void)trainer.finish();
  result.record = telemetry.takeRecord();
  const auto peers = process::peers();
  const int own = peers ? peers->rank() * trainer.cluster().replicas() / peers->size() : 0;
  const auto weights = trainer.cluster().copies().of(own).weights.span();
  result.weights.assign(weights.begin(), weights.end());
  for (const Metric& metric : telemetry.takeMetrics())
    if (const auto* step = std::get_if<StepMetric>(&metric)) {
      result.losses.push_back(step->loss);
      result.bytesSent.push_back(step->bytesSent);
    } else if (const auto* evaluation = std::get_if<EvalMetric>(&metric)) {
      result.testLosses.push_back(evaluation->testLoss);
    }
  (void)telemetry.drainSpans(result.spans);
  return result;
}

std::string wordsOf(const std::exception_ptr& failure) {
  if (!failure) return "";
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

class TestWorkerGpus : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(60, 12);

  static Settings settingsOf(const QString& network, const QTemporaryDir& folder) {
    const Settings few = with(kRun, {{"train-examples", "60"}, {"test-examples", "12"}});
    if (network == "cifar10") return with(few, {{"network", "cifar10"}, {"dataset", "colour"}, {"steps", "2"}});
    if (network != "own" && network != "synchronised") return with(few, {{"network", network.toStdString()}});
    const QString file = normedNetworkFile(folder.path(), network == "synchronised");
    return with(few, {{"network", file.toStdString()}});
  }

  static void compareRecords(const StepRecord& actual, const StepRecord& expected) {
    QVERIFY(sameBits(actual.weightsBefore, expected.weightsBefore));
    QVERIFY(sameBits(actual.weightsAfter, expected.weightsAfter));
    QVERIFY(sameBits(actual.gradients, expected.gradients));
    for (std::size_t r = 0; r < expected.replicas.size(); ++r) {
      QVERIFY(sameBits(actual.replicas[r].losses, expected.replicas[r].losses));
      QVERIFY(actual.replicas[r].predictions == expected.replicas[r].predictions);
      QVERIFY(sameBits(actual.replicas[r].gradients, expected.replicas[r].gradients));
      QVERIFY(sameBits(actual.replicas[r].statistics, expected.replicas[r].statistics));
      QCOMPARE(actual.replicas[r].weightsDigest, expected.replicas[r].weightsDigest);
      QCOMPARE(actual.memory[r].total(), expected.memory[r].total());
    }
  }

  std::vector<Trained> together(int processes, const Settings& settings, bool recorded,
                                std::shared_ptr<const Dataset> data = {}) {
    if (!data) data = digits_;
    std::vector<Trained> all(static_cast<std::size_t>(processes));
    const auto failures = amongThreads(processes, [&](process::Peers& peers) {
      all[static_cast<std::size_t>(peers.rank())] = trained(with(settings, kWorkers), data, recorded);
    });
    for (const std::exception_ptr& failure : failures)
      if (failure) qWarning("%s", wordsOf(failure).c_str());
    return all;
  }

 private slots:
  void init() {
    replaceGpus([] { return makeEmulatedGpus({.gpus = 2}); });
  }
  void cleanup() { replaceGpus({}); }

  void hopByHopAsInOneProcess_data() {
    QTest::addColumn<int>("processes");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("reducer");
    QTest::addColumn<bool>("recorded");
    for (const bool recorded : {false, true})
      for (const auto& [processes, replicas, reducer] :
           {std::tuple(1, 2, "ring"), {2, 2, "ring"}, {2, 4, "torus"}, {3, 3, "tree"}})
        QTest::addRow("%d processes, %d replicas, %s%s", processes, replicas, reducer, recorded ? ", recorded" : "")
            << processes << replicas << reducer << recorded;
  }
  void hopByHopAsInOneProcess() {
    QFETCH(int, processes);
    QFETCH(int, replicas);
    QFETCH(QString, reducer);
    QFETCH(bool, recorded);
    const Settings settings = with(kRun, {{"replicas", std::to_string(replicas)},
                                          {"hosts", std::to_string(processes)},
                                          {"bytes-per-pack", "1000000"},
                                          {"reducer", reducer.toStdString()}});
    const Trained alone = trained(with(settings, kAlone), digits_, recorded);
    const std::vector<Trained> all = together(processes, settings, recorded);
    for (const Trained& each : all) QVERIFY(sameBits(each.weights, alone.weights));
    const Trained& first = all.front();
    QCOMPARE(first.losses, alone.losses);
    QCOMPARE(first.testLosses, alone.testLosses);
    const std::vector<Span>& spans = recorded ? first.record->spans : first.spans;
    for (int r = 0; r < replicas; ++r)
      for (const SpanKind kind : {SpanKind::Compute, SpanKind::Reduce})
        QVERIFY(std::ranges::any_of(spans, [&](const Span& s) { return s.track == r && s.kind == kind; }));
    if (recorded) compareRecords(*first.record, *alone.record);
  }

  // Layers of any size; a batch normalisation by each replica's examples or by all of them, and dropout behind it.
  void otherNetworksAsInOneProcess_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<int>("processes");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("reducer");
    QTest::addColumn<bool>("recorded");
    for (const auto& [network, processes, replicas, reducer, recorded] : {std::tuple("cifar10", 2, 2, "ring", false),
                                                                          {"mlp", 2, 4, "torus", true},
                                                                          {"own", 1, 2, "ring", false},
                                                                          {"own", 2, 4, "hierarchical", true},
                                                                          {"own", 3, 3, "tree", false},
                                                                          {"synchronised", 1, 2, "ring", false},
                                                                          {"synchronised", 2, 4, "ring", true},
                                                                          {"synchronised", 2, 2, "mpi", false},
                                                                          {"synchronised", 3, 3, "tree", false}})
      QTest::addRow("%s: %d processes, %d replicas, %s%s", network, processes, replicas, reducer,
                    recorded ? ", recorded" : "")
          << network << processes << replicas << reducer << recorded;
  }
  void otherNetworksAsInOneProcess() {
    QFETCH(QString, network);
    QFETCH(int, processes);
    QFETCH(int, replicas);
    QFETCH(QString, reducer);
    QFETCH(bool, recorded);
    const QTemporaryDir folder;
    const Settings settings = with(
        settingsOf(network, folder),
        {{"replicas", std::to_string(replicas)}, {"hosts", std::to_string(processes)}, {"bytes-per-pack", "20000"}});
    const auto data = openDataset(configOf(settings));
    const auto run = [&](bool alone) {
      Settings own = with(settings, {{"checkpoint-dir", folder.filePath(alone ? "alone" : "together").toStdString()},
                                     {"reducer", reducer.toStdString()}});
      if (!alone) return together(processes, own, recorded, data);
      if (reducer == "mpi") own.back().second = "ring";  // of two summands
      return std::vector<Trained>{trained(with(own, kAlone), data, recorded)};
    };
    const Trained alone = run(true).front();
    const std::vector<Trained> all = run(false);
    for (const Trained& each : all) QVERIFY(sameBits(each.weights, alone.weights));
    const Trained& first = all.front();
    QVERIFY(!alone.losses.empty() && !alone.testLosses.empty());
    QCOMPARE(first.losses, alone.losses);
    QCOMPARE(first.testLosses, alone.testLosses);
    QCOMPARE(first.bytesSent, alone.bytesSent);
    const TensorFile a = readNewestCheckpoint(folder.filePath("alone").toStdString()).tensors,
                     b = readNewestCheckpoint(folder.filePath("together").toStdString()).tensors;
    QCOMPARE(a.tensors.size(), b.tensors.size());
    for (const auto& [name, tensor] : a.tensors)
      QVERIFY2(sameBits(tensor.values, b.tensors.at(name).values), name.c_str());
    const bool normalises = network == "own" || network == "synchronised";
    QCOMPARE(b.tensors.contains("statistics/replica_" + std::to_string(replicas - 1)), normalises);
    const std::vector<Span>& spans = recorded ? first.record->spans : first.spans;
    const auto exchanges = std::ranges::count(spans, labelOf(Label::ExchangeSums), &Span::label);
    const int steps = recorded ? 1 : static_cast<int>(alone.losses.size());
    QCOMPARE(exchanges, network == "synchronised" ? 2 * replicas * steps : 0);
    if (recorded) compareRecords(*first.record, *alone.record);
  }

  // One replica's stream is often still at the first layer's sums when another has its own for the second.
  void sumsOfAWiderLayerLeaveThoseOfTheLastAlone() {
    using Kind = NetworkLayer::Kind;
    const QTemporaryDir folder;
    QFile file(folder.filePath("wider.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(
        kerasJson({"wider",
                   {28, 28, 1},
                   {{.kind = Kind::Conv2D, .name = "conv2d", .units = 4, .side = 3, .strideY = 3, .strideX = 3},
                    {.kind = Kind::BatchNorm, .name = "batch_normalization", .synchronized = true},
                    {.kind = Kind::DepthwiseConv2D, .name = "depthwise_conv2d", .units = 4, .side = 1},
                    {.kind = Kind::BatchNorm, .name = "batch_normalization_1", .synchronized = true},
                    {.kind = Kind::Flatten, .name = "flatten"},
                    {.kind = Kind::Dense, .name = "dense", .units = 10}}})));
    file.close();
    const Settings settings = with(kRun, {{"network", file.fileName().toStdString()},
                                          {"replicas", "8"},
                                          {"hosts", "2"},
                                          {"reducer", "ring"},
                                          {"global-batch", "16"},
                                          {"eval-every", "0"},
                                          {"steps", "30"}});
    const Trained alone = trained(with(settings, kAlone), digits_, false);
    const std::vector<Trained> all = together(2, settings, false);
    for (const Trained& each : all) QVERIFY(sameBits(each.weights, alone.weights));
    QCOMPARE(all.front().losses, alone.losses);
  }

  void aResumedRunHasTheBitsOfOneThatNeverStopped_data() {
    QTest::addColumn<QString>("network");
    for (const char* network : {"course", "own", "synchronised"}) QTest::newRow(network) << network;
  }
  void aResumedRunHasTheBitsOfOneThatNeverStopped() {
    QFETCH(QString, network);
    const QTemporaryDir folder;
    const Settings settings =
        with(settingsOf(network, folder), {{"replicas", "2"},
                                           {"hosts", "2"},
                                           {"optimizer", "adam"},
                                           {"checkpoint-every", "3"},  // not where it is evaluated
                                           {"checkpoint-dir", folder.filePath("kept").toStdString()}});
    const std::vector<Trained> whole = together(2, settings, false);
    QVERIFY(QFile::remove(folder.filePath("kept/checkpoint-000000000004.safetensors")));
    const std::vector<Trained> rest = together(2, with(settings, {{"resume", "true"}}), false);
    QCOMPARE(rest[0].losses.size(), std::size_t{1});
    QCOMPARE(rest[0].testLosses.back(), whole[0].testLosses.back());
    for (std::size_t r = 0; r < 2; ++r)
      QVERIFY(!rest[r].weights.empty() && sameBits(rest[r].weights, whole[r].weights));
  }

  // By a digest of each on its GPU.
  void copiesThatDifferAreFound() {
    std::array<bool, 2> found{true, true}, between{true, true};  // of a rank each: std::vector's bits share bytes
    const auto failures = amongThreads(2, [&](process::Peers& peers) {
      const auto rank = static_cast<std::size_t>(peers.rank());
      Telemetry telemetry;
      Trainer trainer(resolve(configOf(with(with(kRun, kWorkers), {{"replicas", "4"}, {"hosts", "2"}}))), digits_,
                      telemetry);
      trainer.step();
      found[rank] = !trainer.cluster().copies().areIdentical().value();
      if (peers.rank() == 1) {
        float& weight = trainer.cluster().copies().of(3).weights[347145];
        weight = std::nextafter(weight, 1.0F);
        trainer.cluster().copies().haveChanged();
      }
      between[rank] = !found[rank] && !trainer.cluster().copies().areIdentical().value();
      trainer.step();
      trainer.settle();
      for (const Metric& metric : telemetry.takeMetrics())
        if (const auto* step = std::get_if<StepMetric>(&metric)) found[rank] = step->mirrorsIdentical == false;
    });
    for (const std::exception_ptr& failure : failures) QVERIFY2(!failure, wordsOf(failure).c_str());
    QVERIFY(found[0] && found[1]);
    QVERIFY(between[0] && between[1]);
  }

  void replicasShareOutTheGpusOfTheirHost() {
    const auto seen = [](const std::vector<std::string>& addresses) {
      return WorkerGpus{addresses, std::vector<std::string>(addresses.size(), "GPU"), {}, {}};
    };
    const auto places = [](const std::vector<ReplicaGpu>& placed) {
      std::string text;
      for (const ReplicaGpu& each : placed) text += each.host + each.address + std::to_string(each.gpu) + " ";
      return text;
    };
    const WorkerGpus both = seen({"A", "B"});
    // All see all of their host.
    QCOMPARE(places(placeOnGpus({"h", "h"}, {both, both}, 1)), std::string("hA0 hB1 "));
    QCOMPARE(places(placeOnGpus({"h", "i"}, {both, both}, 2)), std::string("hA0 hB1 iA0 iB1 "));
    QCOMPARE(places(placeOnGpus({"h", "h", "h"}, {both, both, both}, 1)), std::string("hA0 hB1 hA0 "));
    // A scheduler has given each its own.
    QCOMPARE(places(placeOnGpus({"h", "h"}, {seen({"A"}), seen({"B"})}, 1)), std::string("hA0 hB0 "));
    QCOMPARE(places(placeOnGpus({"h", "h"}, {seen({"B", "A"}), both}, 1)), std::string("hB0 hA0 "));
  }

  void whatCannotBeIsRefusedByAllAlike() {
    const auto refusals = [&](const Settings& more) {
      std::vector<std::string> ids;
      for (const std::exception_ptr& failure : amongThreads(2, [&](process::Peers& peers) {
             peers.setAlike(true);
             (void)resolve(configOf(with(with(kRun, kWorkers), more)));
           })) {
        ids.emplace_back("nothing");
        try {
          if (failure) std::rethrow_exception(failure);
        } catch (const UserError& error) {
          ids.back() = error.message().text()->id;
        }
      }
      return ids;
    };
    const auto both = [](const std::string& id) { return std::vector<std::string>{id, id}; };
    QCOMPARE(refusals({}), both("nothing"));
    QCOMPARE(refusals({{"reducer", "nccl"}}), both("nothing"));
    QCOMPARE(refusals({{"reducer", "nccl"}, {"replicas", "4"}}), both(say::ncclSharesGpu.id));
    replaceGpus([] { return makeEmulatedGpus({.gpus = 2, .nccl = false}); });
    QCOMPARE(refusals({{"reducer", "nccl"}}), both(say::noNcclThere.id));
    replaceGpus([]() -> std::shared_ptr<gpu::Layer> { throw UserError(say::unset); });
    QCOMPARE(refusals({}), both(say::noGpuThere.id));
  }
};

QTEST_GUILESS_MAIN(TestWorkerGpus)
#include "tst_worker_gpus.moc"
