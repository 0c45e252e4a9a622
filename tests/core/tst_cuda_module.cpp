// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=15
// The CUDA module's source on a stand-in for CUDA's runtime (tests/support/fake_cuda.h), opened like the real module:
// trainings have the bits of the emulation, captured as graphs, with no call that allocates or waits in a step;
// everything is given back; and each way in which a GPU fails ends the run with a message that says what to do.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/cluster/cluster.h"
#include "core/device/cuda/gpu_layer.h"
#include "core/device/cuda/gpu_memory.h"
#include "core/device/cuda/gpu_module.h"
#include "core/launching/live_run.h"
#include "core/options/resolve.h"
#include "core/replicas/gpu/gpu_replicas.h"
#include "core/training/trainer.h"
#include "tests/support/emulated_gpus.h"
#include "tests/support/fake_cuda.h"
#include "tests/support/normed_network.h"
#include "tests/support/patience.h"
#include "tests/support/training.h"

using namespace lab;
using test::Settings;

namespace {

FakeCudaSet setCuda = nullptr;
FakeCudaCalls callsOf = nullptr;
long (*ncclAborts)() = nullptr;

// Configures the stand-in from now on.
void useCuda(const std::string& words) {
  replaceGpus({});
  setCuda(words.c_str());
}

Settings settingsOf(const QString& words) {
  Settings settings{{"devices", "cuda"},       {"optimizer", "sgd"}, {"momentum", "0.9"},
                    {"learning-rate", "0.05"}, {"eval-every", "0"},  {"steps", "6"}};
  for (const QString& each : words.split(' '))
    settings = test::with(settings, {{each.section('=', 0, 0).toStdString(), each.section('=', 1).toStdString()}});
  return settings;
}

struct Trained {
  std::vector<float> weights, statistics;
  std::vector<double> losses;
  std::int64_t graphs = 0;
};

Trained train(const QString& words, bool watched) {
  Telemetry telemetry;
  telemetry.setSpansWanted(watched);
  Trainer trainer(resolve(test::configOf(settingsOf(words))), test::fewDigits(96, 8), telemetry);
  while (!trainer.finished()) trainer.step();
  trainer.settle();
  Trained result{trainer.weights(),
                 trainer.cluster().movingStatistics().values(),
                 {},
                 dynamic_cast<const GpuReplicas&>(trainer.cluster().group()).graphs()};
  for (const Metric& metric : telemetry.takeMetrics())
    if (const auto* step = std::get_if<StepMetric>(&metric)) result.losses.push_back(step->loss);
  return result;
}

}  // namespace

class TestCudaModule : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    flushDenormals();
    qputenv("STRATEGYLAB_CUDA_MODULE", STRATEGYLAB_FAKE_MODULE);
    qputenv("STRATEGYLAB_NCCL", STRATEGYLAB_FAKE_NCCL);
    std::string error;
    void* module = openLibrary(STRATEGYLAB_FAKE_MODULE, error);
    QVERIFY2(module != nullptr, error.c_str());
    void* nccl = openLibrary(STRATEGYLAB_FAKE_NCCL, error);
    QVERIFY2(nccl != nullptr, error.c_str());
    setCuda = reinterpret_cast<FakeCudaSet>(librarySymbol(module, "fakeCudaSet"));
    callsOf = reinterpret_cast<FakeCudaCalls>(librarySymbol(module, "fakeCudaCalls"));
    ncclAborts = reinterpret_cast<long (*)()>(librarySymbol(nccl, "fakeNcclAborts"));
    QVERIFY(setCuda != nullptr && callsOf != nullptr && ncclAborts != nullptr);
  }
  void cleanup() {
    qunsetenv("STRATEGYLAB_FAKE_NCCL");
    replaceGpus({});
    setCuda("");
  }

  void asTheEmulation_data() {
    QTest::addColumn<int>("gpus");
    QTest::addColumn<bool>("watched");
    const auto row = [](const char* settings, int gpus, bool watched) { QTest::newRow(settings) << gpus << watched; };
    row("strategy=one-device global-batch=26 optimizer=adam momentum=0 learning-rate=0.001", 1, false);
    row("strategy=mirrored replicas=3 global-batch=26", 1, false);
    row("strategy=mirrored replicas=2 global-batch=26 matmul=bfloat16", 1, true);
    row("strategy=mirrored replicas=4 global-batch=16 reducer=halving-doubling", 2, false);
    row("strategy=mirrored replicas=4 global-batch=16 reducer=tree", 2, true);
    row("strategy=mirrored replicas=2 global-batch=16 reducer=nccl", 2, false);
    row("strategy=mirrored replicas=2 global-batch=16 reducer=nccl bytes-per-pack=400000", 2, true);
    row("strategy=mirrored replicas=1 global-batch=16 reducer=nccl", 1, false);
    row("strategy=gossip replicas=3 global-batch=26", 1, false);
    row("strategy=gossip replicas=3 global-batch=26 bytes-per-pack=1024", 2, true);
    row("strategy=sharded replicas=3 global-batch=26 shard-stage=2", 2, false);
    row("strategy=sharded replicas=2 global-batch=26 shard-stage=3", 1, false);
    row("strategy=sharded replicas=3 global-batch=26 shard-stage=3 bytes-per-pack=1024", 2, true);
    row("strategy=central-storage replicas=3 global-batch=16", 2, true);
    row("strategy=parameter-server replicas=2 batch-per-replica=8", 1, false);
    row("strategy=mirrored replicas=2 global-batch=26 network=mlp", 1, false);
    row("strategy=mirrored replicas=2 global-batch=26 network=mlp reducer=tree", 2, true);
    row("strategy=mirrored replicas=3 global-batch=26 network=synchronised", 2, false);
    row("strategy=central-storage replicas=3 global-batch=16 network=normed", 2, false);
    row("strategy=parameter-server replicas=2 batch-per-replica=8 network=normed", 2, true);
  }
  void asTheEmulation() {
    QFETCH(int, gpus);
    QFETCH(bool, watched);
    const QTemporaryDir folder;
    const QString words = QTest::currentDataTag();
    QString settings = words;
    settings.replace("=normed", "=" + test::normedNetworkFile(folder.path(), false));
    settings.replace("=synchronised", "=" + test::normedNetworkFile(folder.path(), true));
    replaceGpus([gpus] { return test::makeEmulatedGpus({.gpus = gpus}); });
    const Trained expected = train(settings, watched);
    const bool nccl = settings.contains("nccl");
    useCuda("gpus=" + std::to_string(gpus) + " seed=7");
    const Trained actual = train(settings, watched);
    QVERIFY(test::sameBits(actual.weights, expected.weights));
    QVERIFY(test::sameBits(actual.statistics, expected.statistics));
    QCOMPARE(actual.losses, expected.losses);
    QCOMPARE(actual.graphs, expected.graphs);
    QCOMPARE(callsOf("collectives") > 0, nccl);  // NCCL with one rank still counts as NCCL if it was asked for
    // The variables are registered if they are on the host and have pages of their own.
    const bool onHost = settings.contains("central") || settings.contains("server");
    QCOMPARE(callsOf("cudaHostRegister") > 0, onHost && !words.contains("normed"));
    QCOMPARE(callsOf("alive"), 0L);
  }

  void aStepIsOneCallAndOneWait() {
    useCuda("gpus=1");
    Telemetry telemetry;
    telemetry.setSpansWanted(false);
    Trainer trainer(resolve(test::configOf(settingsOf("strategy=mirrored replicas=2 global-batch=16 steps=20"))),
                    test::fewDigits(96, 8), telemetry);
    for (int i = 0; i < 5; ++i) trainer.step();
    const std::vector<const char*> never{"cudaMalloc",
                                         "cudaFree",
                                         "cudaHostAlloc",
                                         "cudaHostRegister",
                                         "cudaStreamSynchronize",
                                         "cudaMemGetInfo",
                                         "cudaMemsetAsync",
                                         "cudaEventCreateWithFlags",
                                         "cudaStreamCreateWithFlags",
                                         "cudaEventQuery",
                                         "cudaLaunchKernel",
                                         "cudaLaunchKernelExC",
                                         "cudaStreamQuery",
                                         "cudaStreamBeginCapture",
                                         "cudaGraphInstantiate"};
    std::vector<long> before;
    for (const char* name : never) before.push_back(callsOf(name));
    const long launches = callsOf("cudaGraphLaunch"), waits = callsOf("cudaEventSynchronize"),
               stamps = callsOf("cudaEventRecordWithFlags"), copies = callsOf("cudaMemcpyAsync"),
               orders = callsOf("cudaStreamWaitEvent");
    for (int i = 0; i < 6; ++i) trainer.step();
    for (std::size_t i = 0; i < never.size(); ++i) QVERIFY2(callsOf(never[i]) == before[i], never[i]);
    QCOMPARE(callsOf("cudaGraphLaunch") - launches, 6L);
    QCOMPARE(callsOf("cudaEventSynchronize") - waits, 6L);  // for the step before
    // Recorded where a step begins and ends, and after the copies of each replica's parameters, ahead of the graph.
    QCOMPARE(callsOf("cudaEventRecordWithFlags") - stamps, 18L);
    QCOMPARE(callsOf("cudaMemcpyAsync") - copies, 12L);
    QCOMPARE(callsOf("cudaStreamWaitEvent") - orders, 6L);
  }

  // From sm_90 on, a kernel directly behind another may begin while that one still runs, also in graphs. The bits are
  // the same as without this, because every kernel waits.
  void kernelsComeBeforeTheOneBeforeEnds_data() {
    QTest::addColumn<QString>("cuda");
    QTest::addColumn<bool>("overlap");
    QTest::newRow("sm_90") << "seed=3" << true;
    QTest::newRow("sm_80") << "major=8 seed=3" << false;
    QTest::newRow("compiled by the driver from compute_75") << "ptx=75 seed=3" << false;
    QTest::newRow("refused in a stream") << "fail=cudaLaunchKernelExC:1:801" << false;
    QTest::newRow("refused in a graph") << "fail=cudaLaunchKernelExC:25:1" << false;
    QTest::newRow("no graph of them") << "fail=cudaGraphInstantiate:1:400" << false;
  }
  void kernelsComeBeforeTheOneBeforeEnds() {
    QFETCH(QString, cuda);
    QFETCH(bool, overlap);
    const QString settings = "strategy=mirrored replicas=2 global-batch=16 reducer=ring steps=9";
    replaceGpus([] { return test::makeEmulatedGpus({}); });
    const Trained expected = train(settings, false);
    useCuda(cuda.toStdString());
    const Trained actual = train(settings, false);
    QVERIFY(test::sameBits(actual.weights, expected.weights));
    QCOMPARE(actual.graphs, expected.graphs);
    if (overlap) QVERIFY(callsOf("cudaLaunchKernelExC") >= 40);
    if (!overlap) QVERIFY(callsOf("cudaLaunchKernelExC") < 40);
  }
  // The stand-in would find a kernel that forgets to wait.
  void aKernelThatDoesNotWaitIsFound() {
    useCuda("forget=1");
    QVERIFY_THROWS_EXCEPTION(UserError, train("strategy=one-device global-batch=16", false));
  }

  // Unused GPUs get no context; used ones read each other's memory.
  void onlyGpusThatAreUsedAreTouched() {
    useCuda("gpus=4");
    (void)train("strategy=one-device global-batch=8 steps=1", false);
    QCOMPARE(callsOf("cudaDeviceEnablePeerAccess"), 0L);
    QCOMPARE(callsOf("cudaFuncGetAttributes"), long{gpu::kKernels});
    useCuda("gpus=4");
    (void)train("strategy=mirrored replicas=3 global-batch=9 steps=1", false);
    QCOMPARE(callsOf("cudaDeviceEnablePeerAccess"), 6L);
    QCOMPARE(callsOf("cudaFuncGetAttributes"), long{3 * gpu::kKernels});
    QCOMPARE(callsOf("alive"), 0L);
  }

  // As in a worker process that has been given another GPU than the first.
  void pageLockedMemoryNeedsNoOtherGpu() {
    useCuda("gpus=4");
    const std::shared_ptr<gpu::Layer> layer = openGpus();
    const gpu::DeviceMemory memory(*layer, 3, 64);
    const gpu::PinnedMemory pinned(*layer, 64);
    QCOMPARE(callsOf("cudaFuncGetAttributes"), long{gpu::kKernels});
    QCOMPARE(callsOf("cudaDeviceEnablePeerAccess"), 0L);
  }

  void failures_data() {
    QTest::addColumn<QString>("cuda");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("advises");
    QTest::addColumn<bool>("lost");
    const auto row = [](const char* name, const char* cuda, int replicas, const char* says, const char* advises,
                        bool lost) { QTest::newRow(name) << cuda << replicas << says << advises << lost; };
    row("too small", "memory=40000000", 8, "the memory of GPU 0 is used up", "Lower --batch-per-replica", false);
    row("no context", "fail=cudaSetDevice:1:2", 2,
        "the memory of GPU 0 (fake GPU) is used up (choosing it: out of memory", "end other programs", false);
    row("taken by another", "fail=cudaSetDevice:1:46", 2, "GPU 0 (fake GPU) cannot be used now", "nvidia-smi -c 0",
        false);
    row("full meanwhile", "fail=cudaMalloc:3:2", 2, "the memory of GPU 0 (fake GPU) is used up: ", "Lower", false);
    row("nothing page-locked", "fail=cudaHostAlloc:1:2", 2, "no more page-locked memory", "ulimit -l", false);
    row("no graph", "fail=cudaGraphInstantiate:1:2", 2, "is used up (making a graph: out of memory", "Lower", false);
    row("no code", "fail=cudaFuncGetAttributes:1:209", 2, "this build has no code for GPU 0 (fake GPU)",
        "STRATEGYLAB_CUDA_ARCHITECTURES", false);
    row("no code from its PTX", "fail=cudaFuncGetAttributes:1:222", 2,
        "the driver cannot make code for GPU 0 (fake GPU), compute capability 9.0", "Update the driver", false);
    row("no service between programs", "fail=cudaSetDevice:1:805", 2, "GPU 0 (fake GPU) cannot be used now",
        "nvidia-cuda-mps-control -d", false);
    row("bad launch", "fail=cudaLaunchKernel:40:700", 2, "lost GPU 0 (fake GPU) (launching a kernel: an illegal",
        "--resume", true);
    row("bad graph launch", "fail=cudaGraphLaunch:3:999", 2, "lost GPU 0 (fake GPU) (launching a step", "--resume",
        true);
    row("wrong call", "fail=cudaMemcpyAsync:40:1", 2,
        "internal error, please report it: GPU 0 (fake GPU), copying: invalid argument", "cudaError 1", false);
    row("wrong launch", "fail=cudaLaunchKernel:40:701", 2, "internal error, please report it: GPU 0", "cudaError 701",
        false);
    row("wrong wait in a graph", "major=8 fail=cudaStreamWaitEvent:40:905", 2,
        "internal error, please report it: GPU 0", "cudaError 905", false);
    row("wrong end of a graph", "major=8 fail=cudaStreamEndCapture:1:904", 2,
        "internal error, please report it: GPU 0 (fake GPU), ending a graph", "cudaError 904", false);
    row("wrong graph", "major=8 fail=cudaGraphInstantiate:1:1", 2, "internal error, please report it: GPU 0",
        "making a graph", false);
    row("wrong call, one of two", "gpus=2 fail=cudaGraphLaunch:3:400", 2, "internal error, please report it: GPU 0",
        "launching a step", false);
    row("lost", "lose=0:400", 2, "lost GPU 0 (fake GPU) (", "nvidia-smi", true);
    row("one of two lost", "gpus=2 lose=1:60", 2, "lost GPU 1 (fake GPU)", "start the program again", true);
    row("one of two lost, in a graph", "gpus=2 lose=1:400", 2, "lost GPU 1 (fake GPU)", "start the program again",
        true);
    row("one of two lost, ring", "gpus=2 lose=1:600", 4, "lost GPU 1 (fake GPU)", "start the program again", true);
  }
  void failures() {
    QFETCH(QString, cuda);
    QFETCH(int, replicas);
    QFETCH(QString, says);
    QFETCH(QString, advises);
    QFETCH(bool, lost);
    const RunSettings config = test::configOf({{"devices", "cuda"},
                                               {"replicas", std::to_string(replicas)},
                                               {"global-batch", "16"},
                                               {"dataset", "digits"},
                                               {"train-examples", "64"},
                                               {"test-examples", "8"},
                                               {"steps", "30"}});
    useCuda(cuda.toStdString());
    const long aborted = ncclAborts();
    {
      LiveRun run(resolve(config), false);
      QTRY_COMPARE_WITH_TIMEOUT(run.state(), RunState::Failed, kPatienceMs);
      const QString text = QString::fromStdString(format(run.failure()));
      QVERIFY2(text.contains(says) && text.contains(advises), qPrintable(text));
    }
    if (!lost) QCOMPARE(callsOf("alive"), 0L);
    if (lost) QCOMPARE(callsOf("cudaStreamDestroy"), 0L);  // a lost GPU is left alone: it might never answer
    if (lost && cuda.startsWith("gpus=2") && replicas == 2)
      QTRY_COMPARE_WITH_TIMEOUT(ncclAborts() - aborted, 2L, kPatienceMs);
    // The next run starts: here the GPU is as good as new, as in a new program.
    useCuda("gpus=1");
    LiveRun next(resolve(test::configOf({{"devices", "cuda"},
                                         {"replicas", "1"},
                                         {"dataset", "digits"},
                                         {"train-examples", "32"},
                                         {"test-examples", "8"},
                                         {"steps", "2"}})),
                 false);
    QTRY_COMPARE_WITH_TIMEOUT(next.state(), RunState::Finished, kPatienceMs);
  }

  void ncclThatDoesNotStartLeavesNothingBehind() {
    useCuda("gpus=2");
    qputenv("STRATEGYLAB_FAKE_NCCL", "initall=2");
    {
      LiveRun run(resolve(test::configOf({{"devices", "cuda"},
                                          {"replicas", "2"},
                                          {"dataset", "digits"},
                                          {"train-examples", "64"},
                                          {"test-examples", "8"},
                                          {"steps", "30"}})),
                  false);
      QTRY_COMPARE_WITH_TIMEOUT(run.state(), RunState::Failed, kPatienceMs);
      QVERIFY2(format(run.failure()).find("NCCL failed in ncclCommInitAll") != std::string::npos,
               format(run.failure()).c_str());
    }
    QCOMPARE(callsOf("alive"), 0L);
  }

  void ncclFailsInTheMiddle() {
    useCuda("gpus=2");
    qputenv("STRATEGYLAB_FAKE_NCCL", "error=6");
    const long aborted = ncclAborts();
    LiveRun run(resolve(test::configOf({{"devices", "cuda"},
                                        {"replicas", "2"},
                                        {"dataset", "digits"},
                                        {"train-examples", "64"},
                                        {"test-examples", "8"},
                                        {"steps", "30"}})),
                false);
    QTRY_COMPARE_WITH_TIMEOUT(run.state(), RunState::Failed, kPatienceMs);
    QVERIFY2(QString::fromStdString(format(run.failure()))
                 .contains(
                     "NCCL failed in a collective: remote process exited or there was a network error. Set NCCL_DEBUG"),
             format(run.failure()).c_str());
    QTRY_COMPARE_WITH_TIMEOUT(ncclAborts() - aborted, 2L, kPatienceMs);
  }

  // NCCL's abort waits for graphs that hold its communicators.
  void ncclFailsWhileGraphsHoldIt() {
    useCuda("gpus=2");
    const long aborted = ncclAborts();
    Telemetry telemetry;
    telemetry.setSpansWanted(false);
    Trainer trainer(resolve(test::configOf(settingsOf("strategy=mirrored replicas=2 global-batch=16 steps=20"))),
                    test::fewDigits(96, 8), telemetry);
    for (int i = 0; i < 8; ++i) trainer.step();
    QVERIFY(dynamic_cast<const GpuReplicas&>(trainer.cluster().group()).graphs() > 0 && callsOf("collectives") > 0);
    qputenv("STRATEGYLAB_FAKE_NCCL", "error=6");
    QVERIFY_THROWS_EXCEPTION(UserError, trainer.step());
    QTRY_COMPARE_WITH_TIMEOUT(ncclAborts() - aborted, 2L, kPatienceMs);
  }
};

QTEST_GUILESS_MAIN(TestCudaModule)
#include "tst_cuda_module.moc"
