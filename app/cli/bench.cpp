// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli bench: the trainer's own loop on this machine, compared with the processor's peak. Everything here is
// measured; the simulated devices' virtual clocks play no part.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "app/cli/profile.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/device/cuda/gpu_module.h"
#include "core/device/cuda/gpu_peak.h"
#include "core/device/machine_peak.h"
#include "core/files/recorder.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/trace/telemetry.h"
#include "core/training/trainer.h"

namespace lab::cli {
namespace {

using nlohmann::json;

struct Timing {
  std::int64_t steps = 0, images = 0;
  double seconds = 0;
  double imagesPerSecond() const { return seconds > 0 ? static_cast<double>(images) / seconds : 0; }
  double stepSeconds() const { return steps > 0 ? seconds / static_cast<double>(steps) : 0; }
};

// Measures the peak on threads that are gone before training begins. A GPU's arithmetic peak follows from its clock and
// its lanes, which cannot be exceeded; its memory is measured.
MachinePeak measurePeak(const ResolvedSettings& config, int threads) {
  if (config.devices == DeviceChoice::Cuda) {
    const std::shared_ptr<gpu::Layer> layer = openGpus();
    return {layer->gpus().front().fp32Gflops, {{0, gpu::measureCopyGbPerSec(*layer, 0)}}};
  }
  ThreadPool pool(threads);
  return measureMachinePeak(pool);
}

// Times the loop that train runs, for `seconds`.
Timing timeTraining(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, double seconds) {
  Telemetry telemetry;
  Trainer trainer(config, std::move(dataset), telemetry);
  Recorder recorder(trainer.info(), telemetry);
  for (int step = 0; step < kWarmUpSteps && !trainer.finished(); ++step) trainer.step();
  recorder.drain();
  Timing timing;
  const SteadyClock::time_point begin = SteadyClock::now();
  do {
    trainer.step();
    for (const Metric& metric : recorder.drain())
      if (const auto* step = std::get_if<StepMetric>(&metric)) timing.images += step->examples;
    ++timing.steps;
    timing.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
  } while (timing.seconds < seconds && !trainer.finished() && !interrupted());
  return timing;
}

struct BenchRequest {
  std::vector<ResolvedSettings> configs;  // every batch with every number of replicas
  ResolvedSettings profiled;              // one replica in real time
  double seconds = 0;
  bool asJson = false;
};

ResolvedSettings endless(RunSettings config) {
  configField("steps").set(config, "1000000000");  // the time limit ends it
  config.evalEvery = 0;
  return resolve(config);
}

std::vector<std::string> listOr(const CLI::Option* option, std::vector<std::string> unset) {
  std::vector<std::string> given = listOf(option);
  return given.empty() ? std::move(unset) : given;
}

BenchRequest requestOf(const GivenFields& given, const CLI::Option* replicas, const CLI::Option* batches) {
  BenchRequest request;
  const std::vector<std::string> sizes = listOr(batches, {"32", "64", "128", "256", "512", "1024", "2048", "4096"});
  for (const std::string& size : sizes)
    for (const std::string& count : listOr(replicas, {"1", "2", "4", "8"})) {
      RunSettings config = configOf(given);
      // By default bench times the processor, whose arithmetic the simulated devices use too.
      if (config.devices == DeviceChoice::Auto) config.devices = DeviceChoice::Simulated;
      configField("replicas").set(config, count);
      configField("global-batch").set(config, size);
      request.configs.push_back(endless(config));
    }
  RunSettings profiled = configOf(given);
  configField("replicas").set(profiled, "1");
  const bool onGpu = request.configs.front().devices == DeviceChoice::Cuda;
  configField("devices").set(profiled, onGpu ? "cuda" : "cpu");
  configField("global-batch").set(profiled, isGiven(batches) ? sizes.front() : "256");
  request.profiled = endless(profiled);
  return request;
}

// Returns the images of one step: fewer than the batch if the last step of an epoch, or each, has fewer.
template <typename Steps>
std::int64_t meanImages(const Steps& taken) {
  return taken.steps > 0 ? std::llround(static_cast<double>(taken.images) / static_cast<double>(taken.steps)) : 0;
}

const auto kRight = Table::Align::Right;

// Returns how many processors, each with the peak, compute side by side: the GPUs in use, or this machine's one.
double processorsOf(const ResolvedSettings& config) {
  const auto gpus = std::min<std::int64_t>(config.replicas, std::ssize(gpuInfos()));
  return config.devices == DeviceChoice::Cuda ? static_cast<double>(std::max<std::int64_t>(1, gpus)) : 1;
}

// Returns the floor for a step of all replicas on `images`: one after the other on one processor, side by side on
// several GPUs. Sums between replicas are left out.
double floorOf(const ResolvedSettings& config, std::int64_t images, const MachinePeak& peak) {
  const std::int64_t replicas = config.replicas, share = images / replicas, larger = images % replicas;
  const std::shared_ptr<const NeuralNetwork> network = networkOf(config);
  const double seconds = static_cast<double>(larger) * stepFloorSeconds(*network, share + 1, peak) +
                         static_cast<double>(replicas - larger) * stepFloorSeconds(*network, share, peak);
  return seconds / processorsOf(config);
}

json runJson(const ResolvedSettings& config, const Timing& timing, double gflops, double share, double floor) {
  return {{"replicas", config.replicas},
          {"globalBatch", config.globalBatch},
          {"steps", timing.steps},
          {"images", timing.images},
          {"seconds", timing.seconds},
          {"imagesPerSecond", timing.imagesPerSecond()},
          {"stepSeconds", timing.stepSeconds()},
          {"floorSeconds", floor},
          {"gflops", gflops},
          {"shareOfPeak", share}};
}

json operationJson(const OperationTime& operation, const StepProfile& profile, const MachinePeak& peak) {
  const double gflops = operation.flop / operation.seconds / 1e9, gbPerSec = operation.bytes / operation.seconds / 1e9;
  return {{"name", operation.name},
          {"seconds", operation.seconds},
          {"floorSeconds", floorSeconds(operation.flop, operation.bytes, peak)},
          {"shareOfStep", operation.seconds / profile.seconds},
          {"gflops", gflops},
          {"shareOfPeak", gflops / peak.multiplyAddGflops},
          {"gbPerSec", gbPerSec},
          {"shareOfMemory", gbPerSec / peak.gbPerSec(operation.bytes)}};
}

std::string operationTable(const StepProfile& profile, const json& operations) {
  Table table({{"operation"},
               {"µs a step", kRight},
               {"at peak µs", kRight},
               {"of the step", kRight},
               {"GFLOP/s", kRight},
               {"of peak", kRight},
               {"GB/s", kRight},
               {"of memory", kRight}});
  const auto number = [](const json& value) { return value.get<double>(); };
  for (const json& row : operations)
    table.add({row["name"].get<std::string>(), formatFixed(number(row["seconds"]) * 1e6, 1),
               formatFixed(number(row["floorSeconds"]) * 1e6, 1), formatPercent(number(row["shareOfStep"])),
               formatFixed(number(row["gflops"]), 1), formatPercent(number(row["shareOfPeak"])),
               formatFixed(number(row["gbPerSec"]), 1), formatPercent(number(row["shareOfMemory"]))});
  double floor = 0;
  for (const json& row : operations) floor += number(row["floorSeconds"]);
  table.add({"everything else", formatFixed(profile.otherSeconds * 1e6, 1), "",
             formatPercent(profile.otherSeconds / profile.seconds), "", "", "", ""});
  table.add({"whole step", formatFixed(profile.seconds * 1e6, 1), formatFixed(floor * 1e6, 1), "", "", "", "", ""});
  return table.text();
}

void showTimings(const BenchRequest& request, const std::vector<Timing>& timings, const StepProfile& profile,
                 const MachinePeak& peak, const std::string& dataset) {
  const int threads = static_cast<int>(request.profiled.threads);
  const double flop = flopPerImage(*networkOf(request.profiled));
  Table table({{"global batch", kRight},
               {"replicas", kRight},
               {"steps", kRight},
               {"measured images/s", kRight},
               {"µs a step", kRight},
               {"at peak µs", kRight},
               {"GFLOP/s", kRight},
               {"share of peak", kRight}});
  json runs = json::array(), operations = json::array();
  for (std::size_t i = 0; i < timings.size(); ++i) {
    const ResolvedSettings& config = request.configs[i];
    const double gflops = timings[i].imagesPerSecond() * flop / 1e9,
                 share = gflops / peak.multiplyAddGflops / processorsOf(config),
                 floor = floorOf(config, meanImages(timings[i]), peak);
    table.add({formatCount(config.globalBatch), formatCount(config.replicas), formatCount(timings[i].steps),
               formatRounded(timings[i].imagesPerSecond()), formatFixed(timings[i].stepSeconds() * 1e6, 1),
               formatFixed(floor * 1e6, 1), formatFixed(gflops, 1), formatPercent(share)});
    runs.push_back(runJson(config, timings[i], gflops, share, floor));
  }
  for (const OperationTime& operation : profile.operations)
    operations.push_back(operationJson(operation, profile, peak));

  const bool onGpu = request.profiled.devices == DeviceChoice::Cuda;
  const std::string machine =
      onGpu ? gpuInfos().front().name : processorName() + (request.asJson ? "" : ", " + counted(threads, "thread"));
  if (request.asJson)
    printJson({{"processor", machine},
               {"threads", threads},
               {"dataset", dataset},
               {"peakGflops", peak.multiplyAddGflops},
               {"memoryGbPerSec", peak.memoryGbPerSec()},
               {"flopPerImage", flop},
               {"runs", runs},
               {"profile",
                {{"globalBatch", request.profiled.globalBatch},
                 {"steps", profile.steps},
                 {"images", profile.images},
                 {"seconds", profile.seconds},
                 {"otherSeconds", profile.otherSeconds},
                 {"operations", operations}}}});
  else
    print(machine + ": " + (onGpu ? "at most " : "measured peak ") + formatFixed(peak.multiplyAddGflops, 1) +
          " GFLOP/s (float32 fused multiply-add" + (onGpu ? ", by its clock" : "") + "), memory measured " +
          formatFixed(peak.memoryGbPerSec(), 1) + " GB/s; " + formatFixed(flop / 1e6, 2) + " MFLOP an image\n\n" +
          table.text() +
          (profile.operations.empty()
               ? ""
               : "\nOne step of " + counted(meanImages(profile), "image") + " on one replica, mean of " +
                     counted(profile.steps, "step") +
                     "; operations as counted on paper (for a gradient behind max pooling, those that the maxima "
                     "leave); memory: what this machine's caches or memory reach with that many bytes\n\n" +
                     operationTable(profile, operations)));
}

int bench(const BenchRequest& request) {
  catchInterrupts();
  const std::shared_ptr<const Dataset> dataset = openDataset(request.profiled);
  const int threads = static_cast<int>(request.profiled.threads);
  MachinePeak peak = measurePeak(request.profiled, threads);

  std::vector<Timing> timings;
  for (const ResolvedSettings& config : request.configs) {
    if (interrupted()) break;
    say("timing batch " + formatCount(config.globalBatch) + " on " + counted(config.replicas, "replica"));
    timings.push_back(timeTraining(config, dataset, request.seconds));
  }
  StepProfile profile;
  if (!interrupted()) profile = profileStep(request.profiled, dataset, request.seconds);
  // Measures again at the end, because a machine that others use is not always equally fast. The higher figures count.
  peak.raiseTo(measurePeak(request.profiled, threads));
  showTimings(request, timings, profile, peak, dataset->name);
  return interrupted() ? kInterrupted : 0;
}

}  // namespace

void addBench(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "bench", "Training throughput of this machine, and each operation's, beside its own measured peak.");
  const CLI::Option* replicas =
      addValue(*command, "--replicas", "A,B,…", "Numbers of simulated replicas to time, in turn. [1,2,4,8]");
  const CLI::Option* batches = addValue(*command, "--global-batch", "A,B,…",
                                        "Global batches to time with each of them; the breakdown shows a step of the "
                                        "first, 256 if none is given. [32,64,128,…,4096]");
  const CLI::Option* seconds = addValue(*command, "--seconds", "X", "How long to time each. [1]");
  const auto options = std::make_shared<ConfigOptions>();
  options->add(*command, "devices", "simulated");
  for (const char* field : {"threads", "dataset", "data-dir", "network", "optimizer", "seed"})
    options->add(*command, field);
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] {
    action = [=] {
      BenchRequest request = requestOf(options->given(), replicas, batches);
      request.seconds = realOf(seconds, 1, 0.001, 3600);
      request.asJson = flagOf(asJson);
      return bench(request);
    };
  });
}

}  // namespace lab::cli
