// SPDX-License-Identifier: GPL-3.0-or-later
// What timing without training costs: one step of a ring over 1,024 and 16,384 devices, the sweep of 1, 2, 4 … 1,024
// devices × 8 batch sizes, and what the window does when a slider moves. `maxRssMb` is the program's largest memory so
// far, so run one benchmark at a time for a figure of its own (--benchmark_filter).
#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <string>
#include <utility>

#include "core/prediction/modelled_timeline.h"
#include "core/prediction/what_if.h"

namespace {

using namespace lab;

const WhatIfModel& model() {
  static const WhatIfModel made(Catalogue::builtIn(), TimingConstants::builtIn());
  return made;
}

WhatIf over(std::int64_t devices, const char* network, Reducer reducer = Reducer::Ring) {
  const bool servers = reducer == Reducer::ServersAsync;
  WhatIf what;
  what.config.strategy = servers ? StrategyKind::ParameterServer : StrategyKind::MultiWorkerMirrored;
  if (!servers) what.config.reducer = reducer;
  what.model = network;
  const std::int64_t hosts = servers ? devices : (devices + 7) / 8;
  what.cluster = uniformCluster(devices, hosts, "v100", "nvlink2", "ib_edr", 4);
  return what;
}

void reportMemory(benchmark::State& state) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["maxRssMb"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

// Builds the network again, as for a cluster that has just been changed.
void step(benchmark::State& state, std::int64_t devices, const char* network, Reducer reducer = Reducer::Ring) {
  const WhatIf what = over(devices, network, reducer);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(model().runOf(what, {}).step(what.examplesPerDevice).stepNs);
  reportMemory(state);
}

void sweep(benchmark::State& state, const char* network) {
  for ([[maybe_unused]] auto _ : state)
    for (std::int64_t devices = 1; devices <= 1024; devices *= 2) {
      const TimingRun run = model().runOf(withDevices(over(8, network), devices), {});
      for (std::int64_t batch = 8; batch <= 1024; batch *= 2) benchmark::DoNotOptimize(run.step(batch).stepNs);
    }
  reportMemory(state);
}

// The window's work for one place of a slider: the step with its timeline and its memory, and both curves.
void slider(benchmark::State& state, std::int64_t devices, std::int64_t most, Reducer reducer) {
  const WhatIf what = over(devices, "course-cnn", reducer);
  const Anchor anchor;
  for ([[maybe_unused]] auto _ : state) {
    const WhatIfAnswer answer = model().answer(what, anchor, true);
    const TimingRun run = model().runOf(what, {});
    benchmark::DoNotOptimize(timelineOf(run, answer.timing));
    benchmark::DoNotOptimize(run.memory(what.examplesPerDevice));
    benchmark::DoNotOptimize(scalingCurve(model(), what, {}, most));
    benchmark::DoNotOptimize(scalingCurve(model(), what, {}, most, devices * what.examplesPerDevice));
  }
  reportMemory(state);
}

}  // namespace

BENCHMARK_CAPTURE(step, ring_1024_cnn, 1024, "course-cnn")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, ring_1024_resnet50, 1024, "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, ring_16384_resnet50, 16384, "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep, to_1024_by_8_cnn, "course-cnn")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep, to_1024_by_8_resnet50, "resnet50")->Unit(benchmark::kMillisecond);

int main(int count, char** arguments) {
  for (const auto& [name, reducer] : {std::pair{"ring", Reducer::Ring},
                                      {"hierarchical", Reducer::Hierarchical},
                                      {"tree", Reducer::Tree},
                                      {"servers", Reducer::ServersAsync}})
    for (const std::int64_t devices : {1024, 8192, 65536}) {
      const std::string of = std::string(name) + "/" + std::to_string(devices);
      benchmark::RegisterBenchmark(("step/" + of).c_str(), step, devices, "course-cnn", reducer)
          ->Unit(benchmark::kMillisecond);
      benchmark::RegisterBenchmark(("slider/" + of).c_str(), slider, devices, std::max<std::int64_t>(1024, devices),
                                   reducer)
          ->Unit(benchmark::kMillisecond);
    }
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
}
