// SPDX-License-Identifier: GPL-3.0-or-later
// Modelled steps without arithmetic: the stages add up, the laws of queues and stragglers hold, and the results agree
// with published measurements.
#include <QTest>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/model/model_presets.h"
#include "core/prediction/timing_run.h"
#include "core/strategy/strategy.h"
#include "core/timing/async_servers.h"
#include "core/timing/device_program.h"
#include "core/timing/memory_model.h"
#include "core/timing/server_queues.h"
#include "core/timing/step_packs.h"

using namespace lab;

namespace {

// All but Auto.
constexpr auto kMethods = [] {
  std::array<Reducer, static_cast<std::size_t>(Reducer::ServersAsync)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Reducer>(i + 1);
  return all;
}();

StepTiming timed(const RunSettings& config, std::int64_t batch, const TimingOptions& options = {}) {
  return TimingRun(config, options, Catalogue::builtIn(), TimingConstants::builtIn()).step(batch);
}

// Returns a request for one device of the network, which must outlive it.
StepRequest requestOn(const Network& network, const char* model) {
  StepRequest request;
  request.network = &network;
  request.model = &modelPreset(model);
  request.constants = &TimingConstants::builtIn();
  return request;
}

// Returns one for four asynchronous workers of it, whose servers are on other hosts.
StepRequest workersOn(const Network& network) {
  StepRequest request = requestOn(network, "resnet50");
  request.replicas = 4;
  request.method = Reducer::ServersAsync;
  request.serversApart = true;
  return request;
}

RunSettings configOf(StrategyKind strategy, std::int64_t replicas) {
  RunSettings config;
  config.strategy = strategy;
  config.replicas = replicas;
  return config;
}

// Two hosts of one device under each of two switches, below a third. `uplink` joins the switches.
ClusterSpec underTwoSwitches(const std::string& uplink) {
  ClusterSpec cluster;
  cluster.hostLink = "eth_10g";
  cluster.switches = {{"top", "", uplink}, {"left", "top", uplink}, {"right", "top", uplink}};
  for (const char* side : {"left", "right"})
    cluster.hosts.push_back({.name = side, .count = 2, .devices = {"v100"}, .link = "nvlink2", .attachedTo = side});
  return cluster;
}

}  // namespace

class TestStepModel : public QObject {
  Q_OBJECT

 private slots:
  // A normalisation of the inputs has no variables, and may be the first layer.
  void allIsSentWhereTheFirstLayerHasNoVariables() {
    ModelProfile model = modelPreset("vgg16");
    model.layers.front().tensors.clear();
    for (const double packBytes : {0.0, 1e6}) {
      StepRequest request;
      request.model = &model;
      request.method = Reducer::Ring;
      request.packBytes = packBytes;
      double sent = 0;
      for (const StepPack& pack : makePacks(request)) sent += pack.bytes;
      QCOMPARE(sent, 4.0 * static_cast<double>(model.parameters()));
    }
  }

  // Random clusters, networks, batches and settings: each track's stages are whole nanoseconds and sum to the step.
  void stagesAddUpExactly_data() {
    QTest::addColumn<int>("method");
    for (const Reducer method : kMethods)
      QTest::newRow(std::string(toString(method)).c_str()) << static_cast<int>(method);
  }
  void stagesAddUpExactly() {
    QFETCH(int, method);
    Rng rng(11, static_cast<std::uint64_t>(method));
    const Catalogue& catalogue = Catalogue::builtIn();
    constexpr int kRuns = 25;
    for (int i = 0; i < kRuns; ++i) {
      const auto pick = [&](const auto& list) -> const auto& {
        return list[rng.below(list.size())];
      };
      const auto hosts = static_cast<std::int64_t>(1 + rng.below(5)),
                 perHost = static_cast<std::int64_t>(1 + rng.below(9));
      ClusterSpec cluster =
          uniformCluster(hosts * perHost, hosts, pick(catalogue.devices()).id, pick(catalogue.links()).id,
                         pick(catalogue.links()).id, static_cast<std::int64_t>(1 + rng.below(4)));
      for (std::string& device : cluster.hosts.front().devices) device = pick(catalogue.devices()).id;
      cluster.hosts.front().peerToPeer = rng.below(2) == 0;
      // Sometimes adds groups of hosts with other devices and links and any number of NICs.
      for (std::uint64_t more = rng.below(3); more > 0; --more) {
        HostGroup group{.name = "more " + std::to_string(more),
                        .count = static_cast<std::int64_t>(1 + rng.below(3)),
                        .link = pick(catalogue.links()).id,
                        .nics = static_cast<std::int64_t>(1 + rng.below(4))};
        for (std::uint64_t devices = 1 + rng.below(5); devices > 0; --devices)
          group.devices.push_back(pick(catalogue.devices()).id);
        cluster.hosts.push_back(group);
      }
      cluster.transport = static_cast<NetTransport>(rng.below(4));
      const Network network(cluster, catalogue, TimingConstants::builtIn());
      StepRequest request;
      request.network = &network;
      request.model = &pick(modelPresets());
      request.constants = &TimingConstants::builtIn();
      request.replicas = network.devices();
      request.method = static_cast<Reducer>(method);
      request.batchPerReplica = static_cast<std::int64_t>(1 + rng.below(300));
      request.precision = std::array{Precision::Float32, Precision::Mixed, Precision::Bfloat16}[rng.below(3)];
      request.packBytes = rng.below(2) == 0 ? 0 : 1e3 * static_cast<double>(1 + rng.below(40'000));
      request.overlap = rng.below(3) > 0;
      request.servers = static_cast<int>(1 + rng.below(6));
      request.workerIsHost = rng.below(2) == 0;
      request.placement = static_cast<StepRequest::Placement>(rng.below(3));
      request.input = {.hostUsPerExample = 100 * rng.uniform(),
                       .threads = 4,
                       .bytesPerExample = 1e6 * rng.uniform(),
                       .prefetch = rng.below(2) == 0};
      request.stragglers = {.sigma = 0.3 * rng.uniform(),
                            .stallProbability = 0.1,
                            .stallFactor = 5,
                            .persistent = {{0, 1 + rng.uniform()}},
                            .seed = rng.next()};
      if (request.method == Reducer::Hierarchical && cluster.hosts.size() > 1) {
        // Its rows need the same number of ranks on every host; otherwise it is refused in a sentence.
        const std::int64_t each = std::ssize(cluster.hosts.front().devices);
        if (!std::ranges::all_of(cluster.hosts, [&](const auto& g) { return std::ssize(g.devices) == each; })) continue;
      }
      const StepTiming timing = simulateStep(request);
      QCOMPARE(std::ssize(timing.stages), request.replicas);
      for (const StageNs& track : timing.stages) {
        QCOMPARE(track.sum(), timing.stepNs);
        for (const std::int64_t ns : {track.compute, track.overlapped, track.exposed, track.straggler, track.input,
                                      track.launch, track.queue, track.nextCycle})
          QVERIFY(ns >= 0);
      }
      for (const double bytes : timing.resourceBytes) QVERIFY(bytes >= 0);
      QVERIFY(timing.imagesPerSecond > 0);
      const StepTiming again = simulateStep(request);
      QCOMPARE(again.stepNs, timing.stepNs);
      replicasShareATrack(request);
    }
  }
  // Equal replicas are modelled once if nobody watches; watched, each has a track of its own. With few batches and
  // without random draws many are equal, and the sums are the same.
  static void replicasShareATrack(StepRequest request) {
    request.stragglers.sigma = request.stragglers.stallProbability = 0;
    for (int r = 0; r < request.replicas; ++r) request.batches.push_back(4 + r % 2);
    if (request.method != Reducer::ServersAsync && request.replicas > 2) request.waitsFor = request.replicas - 1;
    for (const int waitsFor : {0, request.waitsFor}) {
      request.waitsFor = waitsFor;
      request.traced = false;
      const StepTiming shared = simulateStep(request);
      request.traced = true;
      const StepTiming own = simulateStep(request);
      QCOMPARE(shared.stepNs, own.stepNs);
      QCOMPARE(shared.leftOut, own.leftOut);
      QCOMPARE(shared.resourceBytes, own.resourceBytes);
      for (std::size_t r = 0; r < own.stages.size(); ++r)
        QVERIFY(std::memcmp(&shared.stages[r], &own.stages[r], sizeof(StageNs)) == 0);
      for (std::size_t r = 0; r < own.arrivals.size(); ++r) {
        QCOMPARE(shared.arrivals[r].replica, own.arrivals[r].replica);
        QCOMPARE(shared.arrivals[r].ns, own.arrivals[r].ns);
      }
    }
  }

  void strategiesAddUp() {
    for (const StrategyInfo& info : strategies()) {
      const StepTiming timing = timed(configOf(info.kind, info.singleReplica ? 1 : 8), 64);
      for (const StageNs& track : timing.stages) QCOMPARE(track.sum(), timing.stepNs);
    }
  }

  // Small batches get slower with more replicas, large ones faster (fixed global batch), and the stages say why.
  void smallBatchesGetSlowerLargeOnesFaster() {
    const auto step = [](std::int64_t replicas, std::int64_t globalBatch) {
      return timed(configOf(StrategyKind::Mirrored, replicas), globalBatch / replicas);
    };
    std::int64_t small = step(1, 64).stepNs, large = step(1, 65'536).stepNs;
    for (const std::int64_t replicas : {2, 4, 8}) {
      const StepTiming smallStep = step(replicas, 64), largeStep = step(replicas, 65'536);
      QVERIFY(smallStep.stepNs > small);
      QVERIFY(largeStep.stepNs < large);
      large = largeStep.stepNs;
      small = smallStep.stepNs;
      // The small step is launches and communication, the large one computation.
      const StageNs& s = smallStep.stages.front();
      const StageNs& l = largeStep.stages.front();
      QVERIFY(s.launch + s.exposed > 3 * s.compute);
      QVERIFY(l.compute > 5 * (l.launch + l.exposed));
    }
  }

  void packsOverlapWithBackward() {
    RunSettings config = configOf(StrategyKind::MultiWorkerMirrored, 32);
    TimingOptions options;
    options.model = "vgg16";
    const StepTiming one = timed(config, 64, options);
    config.bytesPerPack = 25'000'000;
    const StepTiming packs = timed(config, 64, options);
    QVERIFY(packs.stepNs < one.stepNs);
    QCOMPARE(one.stages[0].overlapped, 0);
    QCOMPARE(one.packs.size(), std::size_t{1});
    QVERIFY(packs.stages[0].overlapped > 0 && packs.packs.size() > 2);
    double bytes = 0;
    for (const PackTiming& pack : packs.packs) bytes += pack.bytes;
    QCOMPARE(bytes, 4.0 * static_cast<double>(modelPreset("vgg16").parameters()));
  }

  void inputPipelineHoldsUp() {
    TimingOptions options;
    options.model = "resnet50";
    const RunSettings config = configOf(StrategyKind::Mirrored, 8);
    const std::int64_t free = timed(config, 64, options).stepNs;
    options.input = {.hostUsPerExample = 20'000, .threads = 8};
    const StepTiming bound = timed(config, 64, options);
    // With prefetch, the step is the longer of the two: 8 · 64 · 20 ms / 8 threads.
    QCOMPARE(bound.stepNs, std::int64_t{64} * 20'000'000);
    QCOMPARE(bound.stages[0].input, bound.stepNs - free);
    options.input.prefetch = false;
    // Without prefetch they are copied too: a byte per element and the label, through host memory at 60 GB/s.
    const std::int64_t copyNs = std::llround(8 * 64 * (3.0 * 224 * 224 + 1) / 60);
    QCOMPARE(timed(config, 64, options).stepNs, bound.stepNs + copyNs + free);
  }

  // A parameter server's worker waits for its own examples: it is as slow as their input, and its track still adds up.
  void asynchronousWorkersWaitForTheirInput() {
    TimingOptions options;
    options.model = "resnet50";
    const RunSettings config = configOf(StrategyKind::ParameterServer, 4);
    const StepTiming free = timed(config, 64, options);
    QCOMPARE(free.stages[0].input, std::int64_t{0});
    options.input = {.hostUsPerExample = 100'000, .threads = 8};
    const StepTiming bound = timed(config, 64, options);
    const double inputNs = 64 * 100e6 / 8;
    QVERIFY(static_cast<double>(free.stepNs) < inputNs);
    QVERIFY(std::abs(bound.imagesPerSecond / (4 * 64 / (inputNs / 1e9)) - 1) < 0.05);
    for (const StageNs& track : bound.stages) {
      QVERIFY(track.input > 0);
      QCOMPARE(track.sum(), bound.stepNs);
    }
    options.input.prefetch = false;
    QVERIFY(timed(config, 64, options).stepNs > bound.stepNs);
  }

  // Gradients are copied into their packs and out again, and each copy crosses the memory twice (timing/README.md);
  // gradients sent variable by variable are not copied.
  void packsAreCopied() {
    const Network network(uniformCluster(2, 1, "v100", "nvlink2", ""), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = requestOn(network, "vgg16");
    request.replicas = 2;
    request.overlap = false;
    const auto computeNs = [&](Reducer method) {
      request.method = method;
      return static_cast<double>(simulateStep(request).stages[0].compute);
    };
    const double factor = 1 + TimingConstants::builtIn()["overlap.compute_loss"];
    const double copiesNs = 4 * 4.0 * static_cast<double>(request.model->parameters()) / (0.8 * 900);
    QVERIFY(std::abs((computeNs(Reducer::Ring) - computeNs(Reducer::OneDevice)) / (factor * copiesNs) - 1) < 1e-3);
  }

  // Weights are sent after all replicas have updated theirs, when nothing else is left to do.
  void updatedWeightsAreSentLast() {
    const Network network(uniformCluster(4, 1, "v100", "nvlink2", ""), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = requestOn(network, "vgg16");
    request.replicas = 4;
    request.method = Reducer::Ring;
    request.packBytes = 25e6;
    request.traced = true;
    request.sendsUpdated = true;
    const StepTiming timing = simulateStep(request);
    std::int64_t updatedNs = 0, sentNs = timing.stepNs;
    for (const ModelledSpan& span : timing.spans) {
      if (span.kind == ModelledSpan::Kind::Update) updatedNs = std::max(updatedNs, span.endNs);
      if (span.kind == ModelledSpan::Kind::Send) sentNs = std::min(sentNs, span.beginNs);
    }
    QVERIFY(updatedNs > 0 && sentNs >= updatedNs);
    QCOMPARE(timing.packs.back().endNs, timing.stepNs);
    for (const StageNs& stages : timing.stages) QCOMPARE(stages.sum(), timing.stepNs);
    request.sendsUpdated = false;
    QVERIFY(simulateStep(request).stepNs < timing.stepNs);  // gradients go while backward goes on
  }

  // A round's mean is that of its steps, each with its own exchange; a chosen step is that one.
  void aRoundIsTheMeanOfItsSteps() {
    TimingRun run(configOf(StrategyKind::Mirrored, 4), {}, Catalogue::builtIn(), TimingConstants::builtIn());
    const std::shared_ptr<const StepModel> model = run.shared();
    StepRequest request = model->asked();
    request.batchPerReplica = 32;
    const Exchange nothing{Exchange::What::Nothing}, all{Exchange::What::Weights, true};
    const Exchange neighbours{Exchange::What::Weights, true, Reducer::Neighbours};
    const std::vector<Exchange> round{nothing, neighbours, nothing, all};
    std::int64_t sum = 0;
    std::set<std::int64_t> different;
    for (std::size_t i = 0; i < round.size(); ++i) {
      const StepTiming alone = simulateStep(withExchange(request, round[i]));
      StepRequest chosen = request;
      chosen.round = round;
      chosen.step = static_cast<std::int64_t>(round.size() + i) + 1;  // in the second round
      QCOMPARE(simulateStep(chosen).stepNs, alone.stepNs);
      QCOMPARE(alone.packs.empty(), round[i].what == Exchange::What::Nothing);
      sum += alone.stepNs;
      different.insert(alone.stepNs);
    }
    QCOMPARE(different.size(), std::size_t{3});
    request.round = round;
    QCOMPARE(simulateStep(request).stepNs, sum / std::ssize(round));
    QCOMPARE(simulateStep(request).packs.empty(), false);  // the last step's
  }

  // Messages with a hundredth of a pack's elements, each with its place, cost what so many bytes cost. Memory has whole
  // packs, and sums in the middle of a pass and gathered weights are whole.
  void messagesMayCarryLess() {
    const Network network(uniformCluster(4, 2, "v100", "nvlink2", "eth_10g"), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    ModelProfile model = modelPreset("vgg16");
    model.layers[2].summedElements = 129;
    StepRequest request = requestOn(network, "vgg16");
    request.model = &model;
    request.replicas = 4;
    request.sums = Reducer::Ring;
    request.packBytes = 25e6;
    request.traced = true;
    const auto spansOf = [](const StepTiming& timing, ModelledSpan::Kind kind) {
      std::vector<std::pair<std::int64_t, double>> all;  // duration, bytes
      for (const ModelledSpan& span : timing.spans)
        if (span.kind == kind) all.emplace_back(span.endNs - span.beginNs, span.bytes);
      return all;
    };
    for (const auto& [method, stage] : {std::pair{Reducer::Ring, 0}, std::pair{Reducer::Nccl, 0},
                                        std::pair{Reducer::Hierarchical, 0}, std::pair{Reducer::Ring, 1}}) {
      request.method = method;
      request.shardStage = stage;
      const StepRequest sparse = withExchange(request, {.carried = {.share = 0.01, .bytesPerElement = 8}});
      const StepTiming whole = simulateStep(request), part = simulateStep(sparse);
      QVERIFY(part.stepNs < whole.stepNs);
      const auto sent = spansOf(part, ModelledSpan::Kind::Send);
      QCOMPARE(sent.size(), whole.packs.size());
      for (std::size_t i = 0; i < sent.size(); ++i) {
        QCOMPARE(part.packs[i].bytes, whole.packs[i].bytes);
        QCOMPARE(sent[i].second, whole.packs[i].bytes / 4 * (0.01 * 8));
        if (stage == 0) QCOMPARE(sent[i].first, collectiveNs(request, sent[i].second));
      }
      for (const auto kind : {ModelledSpan::Kind::AddSums, ModelledSpan::Kind::Gather})
        QVERIFY(spansOf(part, kind) == spansOf(whole, kind));
      QCOMPARE(spansOf(part, ModelledSpan::Kind::AddSums).size(), std::size_t{2});
      QCOMPARE(spansOf(part, ModelledSpan::Kind::Gather).empty(), stage == 0);
      for (const MemoryTimeline& device : memoryOver(sparse, part))
        QCOMPARE(of(device.changes.back().bytes, MemoryKind::Packs), 0);
      for (std::size_t i = 0; i < whole.resourceBytes.size() && stage == 0; ++i)
        QVERIFY(std::abs(part.resourceBytes[i] - 0.02 * whole.resourceBytes[i]) <= 1e-3 * part.resourceBytes[i]);
    }
  }

  // A step that no clock can count is refused in words, whatever makes it so long.
  void aStepOfMonthsIsRefused() {
    for (const StrategyKind strategy :
         {StrategyKind::Mirrored, StrategyKind::CentralStorage, StrategyKind::ParameterServer}) {
      for (const double factor : {1e13, 1e15, 1e300}) {
        RunSettings config = configOf(strategy, 2);
        config.slow = {{0, factor}};
        QVERIFY_THROWS_EXCEPTION(UserError, timed(config, 64));
      }
      QVERIFY_THROWS_EXCEPTION(UserError, timed(configOf(strategy, 2), 1'000'000'000'000'000'000));
    }
    RunSettings slow = configOf(StrategyKind::ParameterServer, 2);
    slow.slowLink = {{1, 1e15}};
    QVERIFY_THROWS_EXCEPTION(UserError, timed(slow, 64));
    RunSettings patient = configOf(StrategyKind::Mirrored, 2);
    patient.slow = {{0, 1e6}};
    QVERIFY(timed(patient, 64).stepNs > 1'000'000'000);
  }

  // A round of thousands of steps takes no more memory than a few of them: kept, these would take 900 MB.
  void aLongRoundKeepsNoSteps() {
    const TimingRun run(configOf(StrategyKind::MultiWorkerMirrored, 1024), {}, Catalogue::builtIn(),
                        TimingConstants::builtIn());
    StepRequest request = run.shared()->asked();
    const Exchange nothing{Exchange::What::Nothing}, all{Exchange::What::Weights, true};
    const StepTiming local = simulateStep(withExchange(request, nothing)),
                     last = simulateStep(withExchange(request, all));
    request.round.assign(9999, nothing);
    request.round.push_back(all);
    const auto mostMb = [] {
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      return usage.ru_maxrss / 1024;
    };
    const long before = mostMb();
    const StepTiming mean = simulateStep(request);
    QVERIFY2(mostMb() - before < 200, qPrintable(QString::number(mostMb() - before)));
    QCOMPARE(mean.stepNs, (9999 * local.stepNs + last.stepNs) / 10'000);
    QCOMPARE(mean.stages.size(), std::size_t{1024});
    for (const StageNs& stages : mean.stages) QCOMPARE(stages.sum(), mean.stepNs);
    QCOMPARE(mean.stages.back().exposed, last.stages.back().exposed / 10'000);
    QVERIFY(mean.resourceBytes.front() > 0);
    QCOMPARE(mean.resourceBytes.front(), last.resourceBytes.front() / 10'000);
  }

  void stragglersFollowTheOrderStatistics() {
    // core/timing/README.md, Stragglers: the table.
    QVERIFY(std::abs(expectedMaxLognormal(0.05, 8) - 1.074) < 0.001);
    QVERIFY(std::abs(expectedMaxLognormal(0.20, 64) - 1.605) < 0.01 * 1.605);
    QVERIFY(std::abs(expectedMaxLognormal(0.01, 1024) - 1.033) < 0.001);
    const StragglerModel model{.sigma = 0.05, .seed = 5};
    double sum = 0;
    constexpr int kSteps = 2000;
    for (int step = 0; step < kSteps; ++step) sum += std::ranges::max(straggle(model, 16, step));
    QVERIFY(std::abs(sum / kSteps - expectedMaxLognormal(0.05, 16)) < 0.002);
    QCOMPARE(straggle(model, 16, 3), straggle(model, 16, 3));
    QVERIFY(straggle(model, 16, 3) != straggle(model, 16, 4));
  }

  void aSlowReplicaIsWaitedFor() {
    RunSettings config = configOf(StrategyKind::Mirrored, 4);
    TimingOptions options;
    options.model = "resnet50";
    const StepTiming even = timed(config, 64, options);
    config.slow = {{2, 2.0}};
    const StepTiming slow = timed(config, 64, options);
    QVERIFY(static_cast<double>(slow.stepNs) > 1.8 * static_cast<double>(even.stepNs));
    QVERIFY(slow.stages[0].straggler > 10 * slow.stages[2].straggler);
  }

  // Asynchronous workers are a closed queueing network: X <= min(W / (Z + D), 1 / D), and close to it where service is
  // even (Lazowska et al. 1984). Workers see W − 1 updates of others between their pull and their push.
  void asynchronousWorkersAreAQueue() {
    for (const int workers : {1, 2, 4, 8, 16}) {
      const Network network(uniformCluster(workers, workers, "v100", "nvlink2", "eth_10g"), Catalogue::builtIn(),
                            TimingConstants::builtIn());
      StepRequest request = requestOn(network, "resnet50");
      request.replicas = workers;
      request.method = Reducer::ServersAsync;
      request.servers = 1;
      request.serversApart = true;
      request.batchPerReplica = 128;
      const StepTiming timing = simulateStep(request);
      const StageNs& own = timing.stages.front();
      const double bytes = 4.0 * static_cast<double>(request.model->parameters());
      const double oneWay = bytes / network.nicBandwidth() / 1e9;
      const double cycle = static_cast<double>(own.compute + own.launch) / 1e9 + 2 * oneWay;
      const double updatesPerSecond = timing.imagesPerSecond / 128;
      // Each direction is a server of its own.
      const double bound = std::min(workers / cycle, 1 / oneWay);
      QVERIFY2(updatesPerSecond <= bound * 1.02, qPrintable(QString::number(workers)));
      QVERIFY2(updatesPerSecond >= bound * 0.85, qPrintable(QString::number(workers)));
      QVERIFY2(std::abs(timing.meanStaleness - (workers - 1)) <= 0.15 * workers,
               qPrintable(QString("%1: %2").arg(workers).arg(timing.meanStaleness)));
    }
  }

  // Four servers send as much as four NICs carry, but two hosts have two, however many workers they have.
  void asynchronousWorkersOfAHostShareItsNics() {
    const auto updatesPerSecond = [](int hosts, std::int64_t nics) {
      const Network network(uniformCluster(8, hosts, "v100", "nvlink2", "eth_10g", nics), Catalogue::builtIn(),
                            TimingConstants::builtIn());
      StepRequest request = requestOn(network, "resnet50");
      request.replicas = 8;
      request.method = Reducer::ServersAsync;
      request.servers = 4;
      request.serversApart = true;
      request.placement = StepRequest::Placement::Sliced;
      request.batchPerReplica = 1;
      return simulateStep(request).imagesPerSecond;
    };
    const double bytes = 4.0 * static_cast<double>(modelPreset("resnet50").parameters());
    const double bound = 2e9 * Catalogue::builtIn().link("eth_10g").effectiveGbPerSec / bytes;
    const double shared = updatesPerSecond(2, 1), apart = updatesPerSecond(8, 1);
    QVERIFY2(shared <= 1.001 * bound && shared > 0.97 * bound, qPrintable(QString::number(shared / bound)));
    QVERIFY2(apart > 1.5 * bound, qPrintable(QString::number(apart / bound)));
    QVERIFY(updatesPerSecond(2, 2) > 1.9 * shared);
  }

  // gRPC's servers send 1.1 GB/s each: two of them do not fill NICs of 5 GB/s, eight do.
  void nicsThatCarryAllServersDelayNobody() {
    ClusterSpec cluster = uniformCluster(16, 2, "v100", "nvlink2", "eth_100g");
    cluster.transport = NetTransport::Grpc;
    const Network network(cluster, Catalogue::builtIn(), TimingConstants::builtIn());
    StepRequest request = requestOn(network, "resnet50");
    request.replicas = 16;
    request.method = Reducer::ServersAsync;
    request.servers = 2;
    QVERIFY(serverSettingsOf(request, 8).nicsOf.empty());
    request.servers = 8;
    const ServerSettings shared = serverSettingsOf(request, 8);
    QCOMPARE(shared.nicFactors.size(), std::size_t{2});
    QCOMPARE(shared.nicsOf.size(), std::size_t{16});
    QCOMPARE(shared.nicsOf.back(), 1);
  }

  // Two servers have half of the weights each; the one whose host has one NIC instead of four takes four times as
  // long. A worker with four NICs has the first half after an eighth of the time that a NIC takes for all, and then
  // waits for the second half.
  void eachServerHasItsHostsNics() {
    const HostGroup wide{.name = "wide", .devices = {"v100"}, .link = "nvlink2", .nics = 4};
    const HostGroup narrow{.name = "narrow", .devices = {"v100"}, .link = "nvlink2"};
    const auto stepOn = [](const HostGroup& first, HostGroup second, Reducer method) {
      ClusterSpec cluster;
      cluster.hostLink = "eth_10g";
      second.name += ", second";
      cluster.hosts = {first, second};
      const Network network(cluster, Catalogue::builtIn(), TimingConstants::builtIn());
      StepRequest request = requestOn(network, "resnet50");
      request.replicas = request.servers = 2;
      request.method = method;
      request.serversApart = method == Reducer::ServersAsync;
      request.placement = StepRequest::Placement::Sliced;
      // The second asynchronous worker is seldom in the first one's way.
      if (request.serversApart) request.stragglers.persistent = {{1, 1000}};
      return simulateStep(request);
    };
    const LinkModel& link = Catalogue::builtIn().link("eth_10g");
    const double ns = 4.0 * static_cast<double>(modelPreset("resnet50").parameters()) / link.effectiveGbPerSec;
    const double expected = 2 * ((1.0 / 8 + 1.0 / 2) * ns + link.latencyUs * 1e3);
    const auto exposed = static_cast<double>(stepOn(wide, narrow, Reducer::ServersAsync).stages.front().exposed);
    QVERIFY2(std::abs(exposed / expected - 1) < 1e-6, qPrintable(QString::number(exposed / expected)));
    // In step, all wait for the slower server and the slower worker, whichever host comes first.
    const std::int64_t slow = stepOn(narrow, narrow, Reducer::ServersSync).stepNs;
    QCOMPARE(stepOn(wide, narrow, Reducer::ServersSync).stepNs, slow);
    QCOMPARE(stepOn(narrow, wide, Reducer::ServersSync).stepNs, slow);
    QVERIFY(stepOn(wide, wide, Reducer::ServersSync).stepNs < slow);
  }

  // A worker alone receives and sends all of the weights in each step, on however many servers they are.
  void allServersSend() {
    const Network network(uniformCluster(2, 2, "v100", "nvlink2", "ib_edr"), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = requestOn(network, "resnet50");
    request.method = Reducer::ServersAsync;
    request.serversApart = true;
    request.batchPerReplica = 32;
    const double bytes = 4.0 * static_cast<double>(request.model->parameters());
    const double bothWaysNs = 2 * bytes / network.nicBandwidth() + 2.0 * static_cast<double>(network.nicLatencyNs());
    for (const auto placement : {StepRequest::Placement::Balanced, StepRequest::Placement::Sliced})
      for (const int servers : {1, 8, 9, 16, 64}) {
        request.placement = placement;
        request.servers = servers;
        const auto ns = static_cast<double>(simulateStep(request).stages.front().exposed);
        QVERIFY2(std::abs(ns / bothWaysNs - 1) < 1e-6, qPrintable(QStringLiteral("%1: %2").arg(servers).arg(ns)));
      }
  }

  // A worker sends as much in each cycle, however seldom it ends one while the others go on.
  void theSlowestWorkersMessagesAreCounted() {
    const Network network(uniformCluster(4, 4, "v100", "nvlink2", "eth_10g"), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = requestOn(network, "resnet50");
    request.method = Reducer::ServersAsync;
    request.serversApart = true;
    const std::int64_t exposed = simulateStep(request).stages.front().exposed;
    request.replicas = 4;
    for (const double factor : {1.0, 10.0, 1000.0}) {
      request.stragglers.persistent = {{3, factor}};
      const StepTiming timing = simulateStep(request);
      for (const StageNs& track : timing.stages) QCOMPARE(track.exposed, exposed);
      QVERIFY(factor == 1 || timing.stages.back().nextCycle == 0);
      // Only in its first cycle does it queue behind the others, which all ask at the start.
      QVERIFY(factor < 1000 || timing.stages.back().queue == 0);
    }
  }

  // The step is the slowest worker's cycle. The others do not wait for its end: they are in their next cycles.
  void asynchronousWorkersWaitForNobody() {
    const Network network(uniformCluster(4, 4, "v100", "nvlink2", "eth_10g"), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = workersOn(network);
    request.stragglers.persistent = {{3, 10}};
    request.traced = true;
    const StepTiming timing = simulateStep(request);
    for (std::size_t w = 0; w < 4; ++w) {
      const StageNs& track = timing.stages[w];
      QCOMPARE(track.straggler, std::int64_t{0});
      QCOMPARE(track.nextCycle > 0, w != 3);
      QCOMPARE(track.sum(), timing.stepNs);
      // Its spans end with its cycle.
      std::int64_t endNs = 0;
      for (const ModelledSpan& span : timing.spans)
        if (span.replica == static_cast<int>(w)) endNs = std::max(endNs, span.endNs);
      QCOMPARE(endNs, timing.stepNs - track.nextCycle);
    }
  }

  // Pulls and pushes of a class take turns on its access point: nine steps of the course network a second, however many
  // workers; a byte between two of them takes the air twice, and in step all pushes are one queue, whatever the
  // servers.
  void theAirIsOneForAll() {
    constexpr std::int64_t kBytes = 4 * 347'146;
    for (const int workers : {4, 16, 40}) {
      const Network network(uniformCluster(workers, workers, "v100", "nvlink2", "wifi_200m"), Catalogue::builtIn(),
                            TimingConstants::builtIn());
      QVERIFY(network.sharesTheAir());
      const Network::Route route = network.route(0, 1);
      const auto air = std::ranges::find_if(
          route.span(), [&](const auto& crossing) { return network.kind(crossing.resource) == ResourceKind::Air; });
      QVERIFY(air != route.span().end() && air->times == 2);
      StepRequest request = requestOn(network, "course-cnn");
      request.replicas = workers;
      request.method = Reducer::ServersAsync;
      request.serversApart = true;
      request.batchPerReplica = 64;
      for (const int servers : {1, 3}) {
        request.servers = servers;
        const StepTiming timing = simulateStep(request);
        const double bound = network.nicBandwidth() * 1e9 / (2.0 * kBytes), updates = timing.imagesPerSecond / 64;
        QVERIFY2(updates <= bound && updates > 0.97 * bound, qPrintable(QString::number(updates)));
        // Four pulls and as many pushes take turns; who waits for a turn has read nothing yet.
        const double stale = std::min(workers - 1, 2 * kLinkTurns);
        if (servers == 1)
          QVERIFY2(std::abs(timing.meanStaleness - stale) < 0.5, qPrintable(QString::number(timing.meanStaleness)));
      }
      request.method = Reducer::ServersSync;
      request.servers = 1;
      const std::int64_t one = simulateStep(request).stepNs;
      request.servers = 4;
      QCOMPARE(simulateStep(request).stepNs, one);
      QVERIFY(static_cast<double>(one) > 2.0 * workers * kBytes / network.nicBandwidth());
    }
  }

  // A request may limit the pulls. Where n pulls and n pushes take turns on the air, 2 n updates of others come between
  // a worker's turn and its own update, however many workers wait.
  void aRequestLimitsThePulls() {
    const Network network(uniformCluster(16, 16, "v100", "nvlink2", "wifi_200m"), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = requestOn(network, "course-cnn");
    request.replicas = 16;
    request.method = Reducer::ServersAsync;
    request.serversApart = true;
    request.batchPerReplica = 64;
    const double usual = simulateStep(request).meanStaleness;
    request.turns.atOnce = kLinkTurns;
    QCOMPARE(simulateStep(request).meanStaleness, usual);
    for (const int turns : {1, 2, 3}) {
      request.turns.atOnce = turns;
      const double stale = simulateStep(request).meanStaleness;
      QVERIFY2(std::abs(stale - 2 * turns) < 0.5, qPrintable(QString::number(stale)));
    }
  }

  // A bound of n clocks: a worker pulls as soon as every worker has ended as many cycles as it has, less n. The same
  // from a saved state.
  void aBoundOfClocksHoldsTheFast_data() {
    QTest::addColumn<int>("bound");
    QTest::newRow("none") << -1;
    for (const int bound : {0, 1, 3}) QTest::addRow("%d", bound) << bound;
  }
  void aBoundOfClocksHoldsTheFast() {
    QFETCH(int, bound);
    constexpr int kWorkers = 4;
    ServerSettings settings;
    settings.workers = kWorkers;
    settings.transferNs = {0};
    settings.updateNs = {7};
    if (bound >= 0) settings.turns.clocksAhead = bound;
    AsyncServers servers;
    servers.start(settings);
    for (int w = 0; w < kWorkers; ++w) servers.ask(w, 0);
    std::vector<std::vector<std::int64_t>> doneNs(kWorkers);  // of each cycle
    int held = 0;
    for (int updates = 0; updates < 200;) {
      const ServerTransfer transfer = servers.next();
      std::vector<std::int64_t>& own = doneNs[static_cast<std::size_t>(transfer.worker)];
      const std::int64_t clock = std::ssize(own);
      if (transfer.what == ServerTransfer::What::Pull) {
        const std::int64_t askedNs = own.empty() ? 0 : own.back();
        std::int64_t mayNs = askedNs;
        for (const auto& each : doneNs) {
          if (bound < 0 || clock <= bound) continue;
          QVERIFY(std::ssize(each) >= clock - bound);
          mayNs = std::max(mayNs, each[static_cast<std::size_t>(clock - bound - 1)]);
        }
        QCOMPARE(transfer.beginNs, mayNs);
        held += mayNs > askedNs ? 1 : 0;
        const std::int64_t number = transfer.worker;
        servers.compute(transfer.worker, 100 * (number + 1) + 37 * ((5 * clock + 3 * number) % 11));
        continue;
      }
      own.push_back(transfer.appliedNs);
      servers.ask(transfer.worker, transfer.appliedNs);
      if (++updates % 7 != 0) continue;
      AsyncServers loaded;
      loaded.start(settings);
      loaded.load(servers.save());
      servers = std::move(loaded);
    }
    QCOMPARE(held > 0, bound >= 0);
  }

  // A dead worker is waited for until it is noticed, and one that comes back is again. The same from a saved state.
  void theDeadHoldNobody() {
    ServerSettings settings;
    settings.workers = 3;
    settings.transferNs = settings.updateNs = {0};
    settings.turns.clocksAhead = 0;
    AsyncServers servers;
    servers.start(settings);
    for (int w = 0; w < settings.workers; ++w) servers.ask(w, 0);
    using Pulls = std::vector<std::pair<int, std::int64_t>>;
    const auto pullsDuring = [&](int updates) {
      AsyncServers loaded;
      loaded.start(settings);
      loaded.load(servers.save());
      servers = std::move(loaded);
      Pulls pulls;
      while (updates > 0) {
        const ServerTransfer transfer = servers.next();
        if (transfer.what == ServerTransfer::What::Pull) {
          pulls.emplace_back(transfer.worker, transfer.beginNs);
          servers.compute(transfer.worker, transfer.worker == 2 ? 1000 : 10);
        } else {
          servers.ask(transfer.worker, transfer.appliedNs);
          --updates;
        }
      }
      return pulls;
    };
    QVERIFY(pullsDuring(2) == (Pulls{{0, 0}, {1, 0}, {2, 0}}));
    (void)servers.drop(2);
    servers.forget(2, 500);
    QVERIFY(pullsDuring(4) == (Pulls{{0, 500}, {1, 500}, {0, 510}, {1, 510}}));
    servers.ask(2, 525);
    QVERIFY(pullsDuring(3) == (Pulls{{0, 520}, {1, 520}, {2, 525}}));
    QVERIFY(pullsDuring(1) == (Pulls{{0, 1525}, {1, 1525}, {2, 1525}}));
  }

  // Where speeds last, the fast come up to any bound and then go at the pace of the slowest. A step of a run is that of
  // the bound as it is: nobody is as far ahead as 1000.
  void underABoundAllGoWithTheSlowest() {
    const Network network(uniformCluster(4, 4, "v100", "nvlink2", "eth_10g"), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = workersOn(network);
    const auto bounded = [&](std::int64_t bound, std::int64_t step) {
      StepRequest own = request;
      own.turns.clocksAhead = bound;
      own.step = step;
      return simulateStep(own);
    };
    const auto unbounded = [&](std::int64_t step) {
      request.step = step;
      return simulateStep(request);
    };
    for (const std::int64_t step : {5, 40}) QCOMPARE(bounded(1, step).stepNs, unbounded(step).stepNs);
    request.stragglers.persistent = {{3, 10}};
    QCOMPARE(bounded(1000, 40).stepNs, unbounded(40).stepNs);
    for (const std::int64_t bound : {0, 1, 5, 1000}) {
      const StepTiming timing = bounded(bound, 0);
      for (const StageNs& track : timing.stages) QVERIFY(track.nextCycle < timing.stepNs / 1000);
      QVERIFY(timing.stages.front().queue > timing.stepNs / 2 && timing.stages.back().queue < timing.stepNs / 2);
      const auto examples = static_cast<double>(request.examples());
      const double together = examples * 1e9 / static_cast<double>(timing.stepNs);
      QVERIFY2(std::abs(timing.imagesPerSecond / together - 1) < 1e-3, qPrintable(QString::number(bound)));
      QVERIFY(timing.imagesPerSecond < unbounded(0).imagesPerSecond / 2);
    }
  }

  // Several NICs of a host send on the same Wi-Fi.
  void moreNicsDoNotWidenTheAir() {
    for (const Reducer method : kMethods) {
      const auto stepNs = [&](std::int64_t nics) {
        const Network network(uniformCluster(4, 4, "v100", "nvlink2", "wifi_200m", nics), Catalogue::builtIn(),
                              TimingConstants::builtIn());
        StepRequest request = requestOn(network, "course-cnn");
        request.replicas = 4;
        request.method = method;
        request.serversApart = true;
        return simulateStep(request).stepNs;
      };
      QVERIFY2(stepNs(1) == stepNs(4), std::string(toString(method)).c_str());
    }
  }

  // A ring of p ranks on m hosts sends 2 (p − 1)/p of its bytes from each host to the next, all on one medium, where
  // every byte is sent twice.
  void ringsShareTheAir_data() {
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("method");
    for (const int ranks : {4, 8})
      for (const Reducer method : {Reducer::Ring, Reducer::Nccl, Reducer::CpuAllReduce})
        QTest::addRow("%s, %d ranks", std::string(toString(method)).c_str(), ranks)
            << ranks << static_cast<int>(method);
  }
  void ringsShareTheAir() {
    QFETCH(int, ranks);
    QFETCH(int, method);
    constexpr int kHosts = 4;
    constexpr double kBytes = 1e8;
    const Network network(uniformCluster(ranks, kHosts, "v100", "nvlink2", "wifi_200m"), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = requestOn(network, "course-cnn");
    request.replicas = ranks;
    request.method = static_cast<Reducer>(method);
    const double airNs = 2.0 * kHosts * 2 * (ranks - 1) / ranks * kBytes / network.nicBandwidth();
    const double factor = static_cast<double>(collectiveNs(request, kBytes)) / airNs;
    QVERIFY2(std::abs(factor - 1) < 0.01, qPrintable(QString::number(factor)));
  }

  // Uplinks of 1 Gb/s below NICs of 10 Gb/s decide. A ring crosses each once in each direction; of what all workers
  // send to servers on any host, a quarter crosses each, 2 · 2 of 4 · 4 pairs; and two workers send by one to servers
  // at the top switch.
  void uplinksCost() {
    const Network slow(underTwoSwitches("eth_1g"), Catalogue::builtIn(), TimingConstants::builtIn());
    const Network fast(underTwoSwitches("eth_100g"), Catalogue::builtIn(), TimingConstants::builtIn());
    const Network none(uniformCluster(4, 4, "v100", "nvlink2", "eth_10g"), Catalogue::builtIn(),
                       TimingConstants::builtIn());
    const double uplink = Catalogue::builtIn().link("eth_1g").effectiveGbPerSec;
    StepRequest request;
    request.model = &modelPreset("resnet50");
    request.constants = &TimingConstants::builtIn();
    request.replicas = 4;
    const double bytes = 4.0 * static_cast<double>(request.model->parameters());
    const auto on = [&](const Network& network) {
      request.network = &network;
      return request;
    };
    for (const Reducer method : {Reducer::Ring, Reducer::Nccl, Reducer::CpuAllReduce}) {
      request.method = method;
      const double factor = static_cast<double>(collectiveNs(on(slow), bytes)) / (1.5 * bytes / uplink);
      QVERIFY2(std::abs(factor - 1) < 0.01, qPrintable(QString::number(factor)));
      QCOMPARE(collectiveNs(on(fast), bytes), collectiveNs(on(none), bytes));
    }
    request.method = Reducer::ServersSync;
    QVERIFY(static_cast<double>(simulateStep(on(slow)).stepNs) >= 2 * bytes / uplink);  // pulls, then pushes
    const double ratio =
        static_cast<double>(simulateStep(on(fast)).stepNs) / static_cast<double>(simulateStep(on(none)).stepNs);
    QVERIFY2(ratio >= 1 && ratio < 1.05, qPrintable(QString::number(ratio)));
    request.method = Reducer::ServersAsync;
    request.serversApart = true;
    const double updates = simulateStep(on(slow)).imagesPerSecond / static_cast<double>(request.batchPerReplica);
    const double bound = 2 * uplink * 1e9 / bytes;
    QVERIFY2(updates <= 1.02 * bound && updates > 0.75 * bound, qPrintable(QString::number(updates / bound)));
  }

  // Two workers below each of two uplinks, on which a message takes ten times as long as at the server's port. All ask
  // at once. Each uplink carries one message after the other, and the port, which is taken for 100 ns a message, does
  // not wait for the first uplink with a message for the second.
  void aBusyUplinkLeavesThePortToOthers() {
    ServerSettings settings;
    settings.workers = 4;
    settings.transferNs = {100};
    settings.updateNs = {0};
    settings.uplinkFactors = {10, 10};
    settings.uplinksOf = {{0}, {0}, {1}, {1}};
    AsyncServers servers;
    servers.start(settings);
    for (int w = 0; w < settings.workers; ++w) servers.ask(w, 0);
    (void)servers.next();  // all have asked before the first answer
    std::vector<std::int64_t> pulledNs;
    for (int w = 0; w < settings.workers; ++w) pulledNs.push_back(servers.cycle(w).pulledNs);
    QCOMPARE(pulledNs, (std::vector<std::int64_t>{1000, 2000, 1200, 2200}));
  }

  // NCCL joins hosts in the order of their ranks, whatever the switches: where these alternate, both hosts of a switch
  // send over its uplink, so that a ring takes twice as long.
  void ringsFollowTheOrderOfHosts() {
    const ClusterSpec beside = underTwoSwitches("eth_1g");
    ClusterSpec alternating = beside;
    alternating.hosts.clear();
    for (const int i : {0, 1, 0, 1}) {
      HostGroup host = beside.hosts[static_cast<std::size_t>(i)];
      host.name += std::to_string(alternating.hosts.size());
      host.count = 1;
      alternating.hosts.push_back(host);
    }
    const Network near(beside, Catalogue::builtIn(), TimingConstants::builtIn());
    const Network far(alternating, Catalogue::builtIn(), TimingConstants::builtIn());
    QCOMPARE(near.ringBandwidth(4), 2 * far.ringBandwidth(4));
    StepRequest request = requestOn(near, "resnet50");
    request.replicas = 4;
    for (const Reducer method : {Reducer::Ring, Reducer::Nccl, Reducer::CpuAllReduce}) {
      request.method = method;
      request.network = &near;
      const auto nearNs = static_cast<double>(collectiveNs(request, 1e8));
      request.network = &far;
      const double factor = static_cast<double>(collectiveNs(request, 1e8)) / nearNs;
      QVERIFY2(std::abs(factor - 2) < 0.02, qPrintable(QString::number(factor)));
    }
  }

  // Each of four workers pulls and pushes all weights. A synchronous server is on any of their hosts, so a host sends
  // three quarters for its worker and as much for its servers.
  void messagesOfServersAreCountedOnNicsAndUplinks() {
    const Network network(underTwoSwitches("eth_10g"), Catalogue::builtIn(), TimingConstants::builtIn());
    StepRequest request = workersOn(network);
    const double bytes = 4.0 * static_cast<double>(request.model->parameters());
    const auto counted = [](const StepRequest& of, const std::string& name) {
      const std::vector<double> all = simulateStep(of).resourceBytes;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (of.network->name(static_cast<int>(i)) == name) return all[i];
      return -1.0;
    };
    for (const char* end : {"device 2 out", "device 2 in", "host 2 NICs out", "host 2 NICs in"})
      QCOMPARE(counted(request, end), bytes);
    for (const char* uplink : {"left up", "left down", "right up", "right down"})
      QCOMPARE(counted(request, uplink), 2 * bytes);
    QCOMPARE(counted(request, "top up"), 0.0);
    request.step = 3;  // of one worker
    QCOMPARE(counted(request, "left up") + counted(request, "right up"), bytes);
    request.step = 0;
    request.method = Reducer::ServersSync;
    for (const char* end : {"host 1 NICs out", "host 1 NICs in"}) QCOMPARE(counted(request, end), 1.5 * bytes);
    for (const char* uplink : {"left up", "right down"}) QCOMPARE(counted(request, uplink), 2 * bytes);
    const Network air(uniformCluster(4, 4, "v100", "nvlink2", "wifi_200m"), Catalogue::builtIn(),
                      TimingConstants::builtIn());
    request.network = &air;
    for (const Reducer method : {Reducer::ServersSync, Reducer::ServersAsync}) {
      request.method = method;
      QCOMPARE(counted(request, "Wi-Fi"), 8 * bytes);
    }
    const Network one(uniformCluster(1, 1, "v100", "nvlink2", "eth_10g"), Catalogue::builtIn(),
                      TimingConstants::builtIn());
    request.network = &one;
    request.replicas = 1;
    QCOMPARE(counted(request, "host 0 NICs out"), bytes);
  }

  // A constant of 0 is refused by its name, or gives times all the same.
  void constantsOfZero_data() {
    QTest::addColumn<QString>("key");
    for (const TimingConstant& row : TimingConstants::builtIn().rows())
      QTest::newRow(row.key.c_str()) << QString::fromStdString(row.key);
  }
  void constantsOfZero() {
    QFETCH(QString, key);
    TimingConstants constants = TimingConstants::builtIn();
    try {
      const std::string csv = "key,value,unit,source\n" + key.toStdString() + ",0,,mine\n";
      constants = constants.mergedWith(TimingConstants::parse(csv, "my.csv"), "my.csv");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).contains(key) && QString(error.what()).contains("divides"), error.what());
      return;
    }
    std::vector<ClusterSpec> clusters{
        uniformCluster(6, 1, "v100", "pcie3_x16", ""), uniformCluster(12, 2, "v100", "pcie3_x16", "eth_25g"),
        uniformCluster(8, 1, "p100", "nvlink1", ""), uniformCluster(8, 1, "h100", "nvswitch", ""),
        uniformCluster(8, 1, "tpu_v3_core", "tpu_v3_ici", "")};
    clusters[1].transport = NetTransport::Tcp;
    clusters[0].hosts.front().peerToPeer = false;
    for (const ClusterSpec& cluster : clusters)
      for (const Reducer method : {Reducer::Nccl, Reducer::Torus, Reducer::CpuAllReduce, Reducer::CentralHost,
                                   Reducer::ServersSync, Reducer::ServersAsync}) {
        const Network network(cluster, Catalogue::builtIn(), constants);
        StepRequest request;
        request.network = &network;
        request.model = &modelPreset("course-cnn");
        request.constants = &constants;
        request.replicas = network.devices();
        request.method = method;
        request.input = {.hostUsPerExample = 1, .bytesPerExample = 785};
        const std::int64_t stepNs = simulateStep(request).stepNs;
        QVERIFY2(stepNs > 0 && stepNs < 1'000'000'000'000, qPrintable(QString::number(stepNs)));
      }
  }
  // Devices are divided among switches and chips, so half a device is none.
  void countsOfDevicesAreAtLeastOne() {
    for (const char* key : {"pcie.devices_per_switch", "pcie.devices_per_switch_small", "tpu.cores_per_chip"})
      QVERIFY_THROWS_EXCEPTION(
          UserError, TimingConstants::parse(std::string("key,value,unit,source\n") + key + ",0.5,,mine\n", "my.csv"));
  }

  // The third core is on a chip of its own, which sends what the other chip's two cores send together.
  void anOddTpuCoreHasAChip() {
    const Network network(uniformCluster(4, 1, "tpu_v3_core", "tpu_v3_ici", ""), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = requestOn(network, "course-cnn");
    request.method = Reducer::Torus;
    const auto ns = [&](int cores) {
      request.replicas = cores;
      return collectiveNs(request, 1e8);
    };
    QCOMPARE(ns(3), ns(4));
    // Two chips in a line: each sends half of all to the other, and the other half back, by four links at once.
    const LinkModel& link = network.linkInside(0);
    const double exchangeNs = 2 * link.latencyUs * 1e3 + 1e8 / (4 * link.effectiveGbPerSec);
    QVERIFY(std::abs(static_cast<double>(ns(3) - ns(2)) - exchangeNs) <= 1);
    request.replicas = 3;
    const std::vector<double> sent = simulateStep(request).resourceBytes;
    QCOMPARE(sent[0], 2.0 * 347'146);
    QCOMPARE(sent[2], 2.0 * 347'146);
    QCOMPARE(sent[4], 4.0 * 347'146);
  }

  // Chips of a slower kind decide for all, wherever they are among the hosts.
  void theSlowestChipsDecideForTheTorus() {
    const auto onHosts = [](const std::vector<std::string>& versions) {
      ClusterSpec cluster;
      cluster.hostLink = "tpu_v3_ici";
      for (const std::string& version : versions)
        cluster.hosts.push_back({.name = version + std::to_string(cluster.hosts.size()),
                                 .devices = std::vector<std::string>(4, version + "_core"),
                                 .link = version + "_ici"});
      const Network network(cluster, Catalogue::builtIn(), TimingConstants::builtIn());
      StepRequest request = requestOn(network, "resnet50");
      request.method = Reducer::Torus;
      request.replicas = network.devices();
      return collectiveNs(request, 1e8);
    };
    const std::int64_t slowNs = onHosts({"tpu_v2", "tpu_v2"});
    QVERIFY(onHosts({"tpu_v3", "tpu_v3"}) < slowNs);
    QCOMPARE(onHosts({"tpu_v3", "tpu_v2"}), slowNs);
    QCOMPARE(onHosts({"tpu_v2", "tpu_v3"}), slowNs);
  }

  // Rows of one length fit neither hosts of 6 and 2 devices nor the first 6 of two hosts of 4.
  void hierarchicalNeedsEqualHosts() {
    ClusterSpec unequal = uniformCluster(6, 1, "v100", "nvlink2", "eth_10g");
    unequal.hosts.push_back({.name = "other", .devices = {"v100", "v100"}, .link = "nvlink2"});
    StepRequest request;
    request.model = &modelPreset("course-cnn");
    request.constants = &TimingConstants::builtIn();
    request.method = Reducer::Hierarchical;
    const Network mixed(unequal, Catalogue::builtIn(), TimingConstants::builtIn());
    request.network = &mixed;
    request.replicas = 8;
    QVERIFY_THROWS_EXCEPTION(UserError, collectiveNs(request, 1e6));
    const Network equal(uniformCluster(8, 2, "v100", "nvlink2", "eth_10g"), Catalogue::builtIn(),
                        TimingConstants::builtIn());
    request.network = &equal;
    QVERIFY(collectiveNs(request, 1e6) > 0);
    request.replicas = 6;
    QVERIFY_THROWS_EXCEPTION(UserError, collectiveNs(request, 1e6));
    request.replicas = 3;  // on one host
    QVERIFY(collectiveNs(request, 1e6) > 0);
  }

  // A sum over groups, which would come after all present reducers, packs its elements as a sum over all does.
  void aSumOverGroupsPacks() {
    StepRequest request;
    request.replicas = 4;
    request.method = Reducer::Ring;
    QVERIFY(copiesPacks(request));
    request.method = Reducer::Neighbours;
    QVERIFY(!copiesPacks(request));
    request.method = static_cast<Reducer>(static_cast<int>(Reducer::Neighbours) + 1);
    QVERIFY(copiesPacks(request));
    QVERIFY(isOverAll(Reducer::Mpi) && !isOverAll(Reducer::Neighbours) && !isOverAll(request.method));
  }

  // NCCL knows the slowest of everything, whichever host comes first.
  void ncclDoesNotDependOnTheOrderOfHosts() {
    const std::vector<HostGroup> groups{{.name = "a", .devices = {"v100"}, .link = "pcie3_x16"},
                                        {.name = "b", .devices = {"a100", "a100", "a100", "a100"}, .link = "nvlink3"},
                                        {.name = "c", .devices = {"h100", "h100"}, .link = "nvlink4", .nics = 2}};
    for (const double bytes : {4e3, 1e6, 1e8}) {
      std::vector<std::int64_t> all;
      for (std::size_t first = 0; first < groups.size(); ++first) {
        ClusterSpec cluster;
        cluster.hostLink = "ib_edr";
        for (std::size_t i = 0; i < groups.size(); ++i) cluster.hosts.push_back(groups[(first + i) % groups.size()]);
        const Network network(cluster, Catalogue::builtIn(), TimingConstants::builtIn());
        StepRequest request = requestOn(network, "course-cnn");
        request.replicas = network.devices();
        request.method = Reducer::Nccl;
        all.push_back(collectiveNs(request, bytes));
      }
      QCOMPARE(all[1], all[0]);
      QCOMPARE(all[2], all[0]);
    }
  }

  // One device a host: a NIC of 2.5 GB/s fills one channel, so that many bytes take the ring's Simple protocol with
  // the longer steps of large messages (timing/README.md, NCCL).
  void ncclHasAsManyChannelsAsANicFills() {
    const TimingConstants& constants = TimingConstants::builtIn();
    const Network network(uniformCluster(2, 2, "v100", "nvlink2", "eth_25g"), Catalogue::builtIn(), constants);
    StepRequest request;
    request.network = &network;
    request.model = &modelPreset("course-cnn");
    request.constants = &constants;
    request.replicas = 2;
    request.method = Reducer::Nccl;
    const double stepsUs = constants["nccl.base.ring.simple"] + 2 * constants["nccl.hw.net.tree.simple"];
    const double us = constants["nccl.call_us"] + constants["nccl.many_nodes_simple_factor"] * stepsUs +
                      1e8 / (1e3 * network.nicBandwidth());
    QVERIFY(std::abs(static_cast<double>(collectiveNs(request, 1e8)) - 1e3 * us) <= 1);
  }

  // On Wi-Fi the latency decides about small messages: the tree's four steps between four hosts are quicker than the
  // ring's six. Networks of up to 25 µs have NCCL's own latency.
  void ncclWaitsForASlowNetwork() {
    const TimingConstants& constants = TimingConstants::builtIn();
    const auto us = [&](const char* hostLink) {
      const Network network(uniformCluster(4, 4, "v100", "nvlink2", hostLink), Catalogue::builtIn(), constants);
      StepRequest request = requestOn(network, "course-cnn");
      request.replicas = 4;
      request.method = Reducer::Nccl;
      return static_cast<double>(collectiveNs(request, 4)) / 1e3;
    };
    const LinkModel& air = Catalogue::builtIn().link("wifi_200m");
    const double stepUs = constants["nccl.hw.net.tree.ll"] + air.latencyUs - constants["nccl.hw.net_latency"];
    // Each of the four edges of a ring takes the air twice.
    const double sentUs = 4 / (1e3 * 0.5 * air.effectiveGbPerSec / 8 / 3.8);
    const double expected = constants["nccl.call_us"] + constants["nccl.base.tree.ll"] + 4 * stepUs + sentUs;
    QVERIFY2(std::abs(us("wifi_200m") - expected) < 2e-3, qPrintable(QString::number(us("wifi_200m") - expected)));
    QVERIFY(std::abs(us("eth_25g") - us("ib_edr")) < 0.1);
    QVERIFY(us("eth_10g") > us("eth_25g") + 39);
  }

  // On several hosts, a ring's steps inside them are no shorter than the post of a message to the network.
  void ncclPostsToTheNetwork() {
    const TimingConstants& constants = TimingConstants::builtIn();
    const Network network(uniformCluster(4, 2, "v100", "nvlink2", "ib_edr"), Catalogue::builtIn(), constants);
    StepRequest request = requestOn(network, "course-cnn");
    request.replicas = 4;
    request.method = Reducer::Nccl;
    const double expected = constants["nccl.call_us"] + constants["nccl.base.ring.ll"] +
                            4 * constants["nccl.hw.net_post"] + 2 * constants["nccl.hw.net.ring.ll"];
    QVERIFY(std::abs(static_cast<double>(collectiveNs(request, 4)) / 1e3 - expected) < 2e-3);
  }

  void shardImbalanceCosts() {
    // VGG-16's fc6 is 411 of 553 MB: with whole variables more servers are no help, cut ones are.
    const Network network(uniformCluster(16, 16, "v100", "nvlink2", "eth_25g"), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = requestOn(network, "vgg16");
    request.replicas = 16;
    request.method = Reducer::ServersSync;
    const auto step = [&](int servers, StepRequest::Placement placement) {
      request.servers = servers;
      request.placement = placement;
      return static_cast<double>(simulateStep(request).stepNs);
    };
    using Placement = StepRequest::Placement;
    QVERIFY(step(16, Placement::Balanced) > 0.7 * step(1, Placement::Balanced));
    QVERIFY(step(16, Placement::Sliced) < 0.2 * step(1, Placement::Sliced));
    // Incast: lossless networks have none, TCP with many senders has.
    const TimingConstants& constants = TimingConstants::builtIn();
    QCOMPARE(incastFactor(1000, NetTransport::Rdma, constants), 1.0);
    QCOMPARE(incastFactor(8, NetTransport::Tcp, constants), 1.0);
    QVERIFY(incastFactor(256, NetTransport::Tcp, constants) > 1.5 &&
            incastFactor(100'000, NetTransport::Tcp, constants) == 4.0);
  }

  void linksCarryWhatTheRingSends() {
    const RunSettings config = configOf(StrategyKind::MultiWorkerMirrored, 16);
    TimingOptions options;
    options.model = "resnet50";
    const TimingRun run(config, options, Catalogue::builtIn(), TimingConstants::builtIn());
    const StepTiming timing = run.step(64);
    const double each = 2.0 * 15 / 16 * 4.0 * static_cast<double>(modelPreset("resnet50").parameters());
    int nics = 0;
    for (int r = 0; r < run.network().resources(); ++r) {
      const double bytes = timing.resourceBytes[static_cast<std::size_t>(r)];
      if (run.network().kind(r) == ResourceKind::NicOut) {
        ++nics;
        QVERIFY(std::abs(bytes / each - 1) < 1e-4);  // one boundary a host
      }
      if (run.network().kind(r) == ResourceKind::DeviceOut) QVERIFY(std::abs(bytes / each - 1) < 1e-4);
    }
    QCOMPARE(nics, 2);
  }

  void efficiencies() {
    const TimingRun run(configOf(StrategyKind::Mirrored, 8), {}, Catalogue::builtIn(), TimingConstants::builtIn());
    const StepTiming many = run.step(1024);
    const double weak = scalingEfficiency(run.alone(1024), many, 8),
                 strong = scalingEfficiency(run.alone(8192), many, 8);
    QVERIFY(weak > 0.5 && weak < 1 && strong > 0 && strong < weak);
  }

  // A step that goes without two of four replicas trains half of its images in its time.
  void efficiencyIsOfTheImagesThatCount() {
    const Network network(uniformCluster(4, 1, "v100", "nvlink2", ""), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    StepRequest request = requestOn(network, "resnet50");
    request.batchPerReplica = 4 * 64;
    const StepTiming one = simulateStep(request);
    request.batchPerReplica = 64;
    request.replicas = 4;
    request.method = Reducer::Ring;
    for (const int awaited : {2, 4}) {
      request.waitsFor = awaited;
      const StepTiming many = simulateStep(request);
      const double ofTime = static_cast<double>(one.stepNs) / (4 * static_cast<double>(many.stepNs));
      QVERIFY(std::abs(scalingEfficiency(one, many, 4) / (ofTime * awaited / 4) - 1) < 1e-9);
    }
  }

  void impossibleRequestsSayWhy() {
    QVERIFY_THROWS_EXCEPTION(UserError, timed(configOf(StrategyKind::Default, 2), 64));
    QVERIFY_THROWS_EXCEPTION(UserError, timed(configOf(StrategyKind::MultiWorkerMirrored, 13), 64));
    QVERIFY_THROWS_EXCEPTION(UserError, timed(configOf(StrategyKind::Mirrored, 1'000'000), 64));
    QVERIFY_THROWS_EXCEPTION(UserError, timed(configOf(StrategyKind::Mirrored, 2), 0));
    TimingOptions options;
    options.model = "resnet5";
    QVERIFY_THROWS_EXCEPTION(UserError, timed(configOf(StrategyKind::Mirrored, 2), 64, options));
  }

  // Published totals of each model, within their digits.
  void presetsCountAsPublished_data() {
    QTest::addColumn<double>("millions");
    QTest::addColumn<double>("gmac");
    QTest::addColumn<int>("tensors");
    const auto row = [](const char* key, double millions, double gmac, int tensors) {
      QTest::newRow(key) << millions << gmac << tensors;
    };
    row("alexnet", 61.84, 0.839, 16);
    row("vgg16", 138.36, 15.470, 32);
    row("vgg16-cifar", 15.25, 0.314, 45);
    row("inception3", 23.84, 5.713, 284);
    row("inception3-224", 23.83, 2.838, 284);
    row("resnet50", 25.56, 3.858, 161);
    row("resnet50v15", 25.56, 4.089, 161);
    row("resnet101", 44.55, 7.570, 314);
    row("resnet101v15", 44.55, 7.801, 314);
    row("resnet152", 60.19, 11.282, 467);
    row("resnext50", 25.03, 4.230, 161);
    row("resnext101", 88.79, 16.414, 314);
    row("resnet9", 6.57, 0.379, 26);
    row("mnist-35095", 0.142, 0.00128, 6);
    row("mnist-mlp", 2.913, 0.00291, 8);
    row("course-cnn", 0.347146, 0.00054, 6);
  }
  void presetsCountAsPublished() {
    QFETCH(double, millions);
    QFETCH(double, gmac);
    QFETCH(int, tensors);
    const ModelProfile& preset = modelPreset(QTest::currentDataTag());
    const auto check = [](double value, double expected, const char* what) {
      QVERIFY2(std::abs(value / expected - 1) < 0.01, qPrintable(QString("%1: %2").arg(what).arg(value)));
    };
    check(static_cast<double>(preset.parameters()) / 1e6, millions, "parameters");
    check(preset.forwardMac() / 1e9, gmac, "multiply-adds");
    QCOMPARE(preset.tensors(), tensors);
  }
};

QTEST_GUILESS_MAIN(TestStepModel)
#include "tst_step_model.moc"
