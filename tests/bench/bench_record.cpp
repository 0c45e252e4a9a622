// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of watching: a step, a recorded step, and keeping or loading the state between two.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "core/options/resolve.h"
#include "core/training/trainer.h"

namespace {

using namespace lab;

struct Run {
  Telemetry telemetry;
  std::unique_ptr<Trainer> trainer;

  Run(StrategyKind strategy, std::int64_t batchPerReplica) {
    RunSettings config;
    config.strategy = strategy;
    config.replicas = 8;
    config.batchPerReplica = batchPerReplica;
    config.dataset = "digits";
    config.devices = DeviceChoice::Simulated;
    config.steps = 1'000'000'000;
    config.evalEvery = 0;
    telemetry.setSpansWanted(false);
    trainer = std::make_unique<Trainer>(resolve(config), openDataset(config), telemetry);
    for (int i = 0; i < 10; ++i) trainer->step();
  }
};

void step(benchmark::State& state, StrategyKind strategy, std::int64_t batch, bool recorded) {
  Run run(strategy, batch);
  for ([[maybe_unused]] auto _ : state) {
    if (recorded) run.telemetry.requestRecord();
    run.trainer->step();
    benchmark::DoNotOptimize(run.telemetry.takeRecord());
    benchmark::DoNotOptimize(run.telemetry.takeMetrics());
  }
}

void save(benchmark::State& state, StrategyKind strategy, std::int64_t batch) {
  Run run(strategy, batch);
  for ([[maybe_unused]] auto _ : state) {
    // A step in between, as in training, fills the caches with other data.
    state.PauseTiming();
    run.trainer->step();
    state.ResumeTiming();
    benchmark::DoNotOptimize(std::make_shared<const Checkpoint>(run.trainer->saveState()));
  }
}

void load(benchmark::State& state, StrategyKind strategy, std::int64_t batch) {
  Run run(strategy, batch);
  const Checkpoint saved = run.trainer->saveState();
  for ([[maybe_unused]] auto _ : state) run.trainer->loadState(saved);
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [strategy, name] :
       {std::pair{StrategyKind::Mirrored, "mirrored"}, std::pair{StrategyKind::ParameterServer, "parameter-server"}})
    for (const std::int64_t batch : {64, 1}) {
      const std::string label = std::string(name) + ", 8 replicas, batch " + std::to_string(batch) + " each: ";
      const auto add = [&](const char* what, auto&& body) {
        benchmark::RegisterBenchmark((label + what).c_str(), body)->Unit(benchmark::kMillisecond)->UseRealTime();
      };
      const StrategyKind kind = strategy;
      add("step", [=](benchmark::State& s) { step(s, kind, batch, false); });
      add("recorded step", [=](benchmark::State& s) { step(s, kind, batch, true); });
      add("save state", [=](benchmark::State& s) { save(s, kind, batch); });
      add("load state", [=](benchmark::State& s) { load(s, kind, batch); });
    }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
