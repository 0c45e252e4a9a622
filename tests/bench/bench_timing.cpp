// SPDX-License-Identifier: GPL-3.0-or-later
// What timing without training costs: one step of a ring over 1,024 and 16,384 devices, the sweep of 1, 2, 4 … 1,024
// devices × 8 batch sizes, and what the window does when a slider moves. `maxRssMb` is the program's largest memory so
// far, so run one benchmark at a time for a figure of its own (--benchmark_filter).
#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include "core/prediction/modelled_timeline.h"
#include "core/prediction/what_if.h"

namespace {

using namespace lab;

const WhatIfModel& model() {
  static const WhatIfModel made(Catalogue::builtIn(), TimingConstants::builtIn());
  return made;
}

WhatIf ringOver(std::int64_t devices, const char* network) {
  WhatIf what;
  what.config.strategy = StrategyKind::MultiWorkerMirrored;
  what.config.reducer = Reducer::Ring;
  what.model = network;
  what.cluster = uniformCluster(devices, (devices + 7) / 8, "v100", "nvlink2", "ib_edr", 4);
  return what;
}

void reportMemory(benchmark::State& state) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["maxRssMb"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

// With the network built anew, as for a cluster that has just been changed.
void step(benchmark::State& state, std::int64_t devices, const char* network) {
  const WhatIf what = ringOver(devices, network);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(model().runOf(what, {}).step(what.batchPerReplica).stepNs);
  reportMemory(state);
}

void sweep(benchmark::State& state, const char* network) {
  for ([[maybe_unused]] auto _ : state)
    for (std::int64_t devices = 1; devices <= 1024; devices *= 2) {
      const TimingRun run = model().runOf(withDevices(ringOver(8, network), devices), {});
      for (std::int64_t batch = 8; batch <= 1024; batch *= 2) benchmark::DoNotOptimize(run.step(batch).stepNs);
    }
  reportMemory(state);
}

// The step with its timeline, and the curve of 1 to 1,024 devices.
void slider(benchmark::State& state) {
  const WhatIf what = ringOver(8, "course-cnn");
  for ([[maybe_unused]] auto _ : state) {
    const TimingRun run = model().runOf(what, {}, true);
    benchmark::DoNotOptimize(timelineOf(run, run.step(what.batchPerReplica)));
    benchmark::DoNotOptimize(scalingCurve(model(), what, {}, 1024));
  }
  reportMemory(state);
}

}  // namespace

BENCHMARK_CAPTURE(step, ring_1024_cnn, 1024, "course-cnn")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, ring_1024_resnet50, 1024, "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, ring_16384_resnet50, 16384, "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep, to_1024_by_8_cnn, "course-cnn")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep, to_1024_by_8_resnet50, "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK(slider)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
