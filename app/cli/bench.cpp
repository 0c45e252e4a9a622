// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli bench: the trainer's own loop on this machine, beside what its processor can do at most. Everything
// here is measured; the simulated devices' virtual clocks play no part.
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/device/machine_peak.h"
#include "core/model/cnn.h"
#include "core/run/recorder.h"
#include "core/run/trainer.h"
#include "core/trace/telemetry.h"

namespace lab::cli {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kWarmUpSteps = 3;  // first touches of memory, and threads that wake up

struct Timing {
  std::int64_t steps = 0, images = 0;
  double seconds = 0;
  double imagesPerSecond() const { return seconds > 0 ? static_cast<double>(images) / seconds : 0; }
};

double flopPerImage() {
  double flop = 0;
  for (int op = 0; op < kCnnOps; ++op) flop += cnnOpCost(static_cast<CnnOp>(op), 1).flop;
  return flop;
}

// On threads of its own, gone before training begins.
MachinePeak measurePeak(int threads) {
  ThreadPool pool(threads);
  return measureMachinePeak(pool);
}

// The loop that train runs, for so many seconds.
Timing timeTraining(const RunConfig& config, std::shared_ptr<const Dataset> dataset, double seconds) {
  Telemetry telemetry;
  Trainer trainer(config, std::move(dataset), telemetry);
  Recorder recorder(trainer.info(), telemetry);
  for (int step = 0; step < kWarmUpSteps && !trainer.finished(); ++step) trainer.step();
  recorder.drain();
  Timing timing;
  const Clock::time_point begin = Clock::now();
  do {
    trainer.step();
    for (const Metric& metric : recorder.drain())
      if (const auto* step = std::get_if<StepMetric>(&metric)) timing.images += step->examples;
    ++timing.steps;
    timing.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  } while (timing.seconds < seconds && !trainer.finished() && !interrupted());
  return timing;
}

std::vector<RunConfig> configsFor(const GivenFields& given, const CLI::Option* replicas) {
  std::vector<std::string> counts = listOf(replicas);
  if (counts.empty()) counts = {"1", "2", "4", "8"};
  std::vector<RunConfig> configs;
  for (const std::string& count : counts) {
    RunConfig config = configOf(given);
    configField("replicas").set(config, count);
    if (!config.globalBatch) config.globalBatch = 256;
    configField("steps").set(config, "1000000000");  // the time ends it
    config.evalEvery = 0;
    configs.push_back(resolveConfig(config));
  }
  return configs;
}

int bench(const std::vector<RunConfig>& configs, double seconds, bool asJson) {
  catchInterrupts();
  const std::shared_ptr<const Dataset> dataset = openDataset(configs.front());
  const int threads = static_cast<int>(configs.front().threads.value_or(processorCount()));
  const MachinePeak measured = measurePeak(threads);
  const double peak = measured.multiplyAddGflops, memory = measured.triadGbPerSec, flop = flopPerImage();

  const auto right = Table::Align::Right;
  Table table({{"replicas", right},
               {"global batch", right},
               {"steps", right},
               {"measured images/s", right},
               {"GFLOP/s", right},
               {"share of peak", right}});
  json runs = json::array();
  for (const RunConfig& config : configs) {
    if (interrupted()) break;
    say("timing " + formatCount(*config.replicas) + (*config.replicas == 1 ? " replica" : " replicas"));
    const Timing timing = timeTraining(config, dataset, seconds);
    const double gflops = timing.imagesPerSecond() * flop / 1e9;
    table.add({formatCount(*config.replicas), formatCount(*config.globalBatch), formatCount(timing.steps),
               formatCount(static_cast<std::int64_t>(timing.imagesPerSecond())), fixed(gflops, 1),
               percent(gflops / peak)});
    runs.push_back({{"replicas", *config.replicas},
                    {"globalBatch", *config.globalBatch},
                    {"steps", timing.steps},
                    {"images", timing.images},
                    {"seconds", timing.seconds},
                    {"imagesPerSecond", timing.imagesPerSecond()},
                    {"gflops", gflops},
                    {"shareOfPeak", gflops / peak}});
  }
  if (asJson)
    printJson({{"processor", processorName()},
               {"threads", threads},
               {"dataset", dataset->name},
               {"peakGflops", peak},
               {"memoryGbPerSec", memory},
               {"flopPerImage", flop},
               {"runs", runs}});
  else
    print(processorName() + ", " + formatCount(threads) + " threads: measured peak " + fixed(peak, 1) +
          " GFLOP/s (float32 fused multiply-add), memory " + fixed(memory, 1) + " GB/s; " + fixed(flop / 1e6, 2) +
          " MFLOP an image\n\n" + table.text());
  return interrupted() ? kInterrupted : 0;
}

}  // namespace

void addBench(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("bench", "Training throughput of this machine, beside its own measured peak.");
  const CLI::Option* replicas =
      addValue(*command, "--replicas", "A,B,…", "Numbers of simulated replicas to time, in turn. [1,2,4,8]");
  const CLI::Option* seconds = addValue(*command, "--seconds", "X", "How long to time each. [2]");
  const auto options = std::make_shared<ConfigOptions>();
  options->add(*command, "global-batch", "256");
  for (const char* field : {"threads", "dataset", "data-dir", "optimizer", "seed"}) options->add(*command, field);
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] {
    action = [=] {
      const double duration = realOf(seconds, 2, 0.001, 3600);
      return bench(configsFor(options->given(), replicas), duration, flagOf(asJson));
    };
  });
}

}  // namespace lab::cli
