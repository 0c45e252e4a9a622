// SPDX-License-Identifier: GPL-3.0-or-later
// What the window costs: training speed, processor time while it rests, and memory in a long run.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>

#include "core/device/device_clock.h"
#include "core/launching/live_run.h"
#include "core/options/resolve.h"
#include "window_bench.h"

namespace lab::bench {
namespace {

constexpr double kWarmUpS = 1;
constexpr std::int64_t kTurns = 5;  // per round

struct Speed {
  double imagesPerSecond = 0;
  double ownShare = 0;  // percent of one processor that the thread which watches the run has taken
};

Speed speedAlone(const RunSettings& config, double seconds) {
  LiveRun run(resolve(config));
  run.telemetry().setSpansWanted(false);
  std::int64_t examples = 0;
  const auto watch = [&](double forSeconds) {
    examples = 0;
    const std::int64_t began = steadyNs();
    const double cpu = threadSeconds();
    while (static_cast<double>(steadyNs() - began) * 1e-9 < forSeconds) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      for (const Metric& metric : run.telemetry().takeMetrics())
        if (const auto* step = std::get_if<StepMetric>(&metric)) examples += step->examples;
    }
    const double took = static_cast<double>(steadyNs() - began) * 1e-9;
    return Speed{static_cast<double>(examples) / took, 100 * (threadSeconds() - cpu) / took};
  };
  while (!run.info()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  watch(kWarmUpS);
  return watch(seconds);
}

Speed speedInWindow(const Options& options, const RunSettings& config, Playback::Mode mode, double seconds) {
  Desk desk(options);
  desk.begin(config);
  desk.playback.setMode(mode);
  desk.playback.play();
  waitFor(kWarmUpS);
  const std::size_t before = desk.controller.steps().size();
  const std::int64_t began = steadyNs();
  const double cpu = threadSeconds();
  waitFor(seconds);
  const double took = static_cast<double>(steadyNs() - began) * 1e-9;
  const double share = 100 * (threadSeconds() - cpu) / took;
  std::int64_t examples = 0;
  for (std::size_t i = before; i < desk.controller.steps().size(); ++i) examples += desk.controller.steps()[i].examples;
  return {static_cast<double>(examples) / took, share};
}

double percentOfTime(const Desk& desk, double seconds) {
  const std::int64_t began = steadyNs();
  const double cpu = processSeconds();
  waitFor(seconds);
  (void)desk;
  return 100 * (processSeconds() - cpu) / (static_cast<double>(steadyNs() - began) * 1e-9);
}

}  // namespace

// Measured in short turns, each compared with the runs without a window just before and after it: other work on the
// machine changes speeds by a fifth within a minute, and would drown two percent.
void measureSlowdown(const Options& options) {
  const RunSettings config = largeRun(options);
  const double seconds = 2 * options.seconds;
  std::vector<double> alone, noise, expressShare, liveShare;
  std::array<std::vector<double>, 2> slowed;  // percent: in Express, in Live
  alone.push_back(speedAlone(config, seconds).imagesPerSecond);
  for (std::int64_t round = 0; round < kTurns * options.rounds; ++round) {
    for (const bool live : {false, true}) {
      const Speed inWindow =
          speedInWindow(options, config, live ? Playback::Mode::Live : Playback::Mode::Express, seconds);
      const double before = alone.back(), after = speedAlone(config, seconds).imagesPerSecond;
      alone.push_back(after);
      noise.push_back(100 * std::abs(1 - after / before));
      slowed[live ? 1 : 0].push_back(100 * (1 - inWindow.imagesPerSecond / (0.5 * (before + after))));
      (live ? liveShare : expressShare).push_back(inWindow.ownShare);
    }
  }
  report("3 images a second without a window (median of the turns)", medianOf(alone), "images/s");
  const auto reportSlowed = [](const std::string& mode, const std::vector<double>& percent, double bound) {
    report("3 slowed down in " + mode + " (median of the turns)", medianOf(percent), "%", Bound::AtMost, bound);
    report("3   lower quartile", quantileOf(percent, 0.25), "%");
    report("3   upper quartile", quantileOf(percent, 0.75), "%");
  };
  reportSlowed("Express", slowed[0], 2);
  reportSlowed("Live", slowed[1], 10);
  report("3 two turns without a window differ by (median)", medianOf(noise), "%");
  report("3 processor time of the window's thread in Express", medianOf(expressShare), "% of one");
  report("3 processor time of the window's thread in Live", medianOf(liveShare), "% of one");
}

void measureIdle(const Options& options) {
  const double seconds = 5 * options.seconds;
  Desk desk(options);
  desk.begin(teachingRun(options));
  waitFor(2);
  report("4 processor time when paused, as the program starts", percentOfTime(desk, seconds), "% of one", Bound::AtMost,
         1);
  desk.begin(largeRun(options));
  desk.playback.setMode(Playback::Mode::Live);
  desk.playback.play();
  waitFor(3);
  desk.playback.pause();
  waitFor(2);
  report("4 processor time when paused in the middle of a Live run", percentOfTime(desk, seconds), "% of one",
         Bound::AtMost, 1);
}

void measureMemory(const Options& options) {
  constexpr std::int64_t kSteps = 100'000, kBoundMb = 500;
  RunSettings config = teachingRun(options);
  config.globalBatch = 2;
  config.replicas = 2;
  config.steps = kSteps;
  config.evalEvery = 0;
  Desk desk(options);
  desk.begin(config);
  report("5 memory at the first step", residentMb(), "MB");
  desk.playback.setMode(Playback::Mode::Express);
  desk.playback.play();
  std::vector<double> mb;
  const std::int64_t began = steadyNs();
  for (const std::int64_t steps : {kSteps / 10, kSteps / 2, kSteps}) {
    waitUntil("training", [&] { return desk.controller.liveStep() >= steps || desk.controller.isOver(); });
    mb.push_back(residentMb());
    report("5 memory after " + std::to_string(desk.controller.liveStep()) + " steps", mb.back(), "MB", Bound::AtMost,
           kBoundMb);
  }
  report("5 growth over the last 50,000 steps", mb[2] - mb[1], "MB");
  const double metrics = static_cast<double>(desk.controller.steps().size() / 2 *
                                             (sizeof(StepMetric) + 2 * sizeof(std::int64_t) + 3 * sizeof(QPointF))) *
                         1e-6;
  report("5   of which the metrics of 50,000 steps need", metrics, "MB");
  report("5 time per step", static_cast<double>(steadyNs() - began) * 1e-6 / kSteps, "ms");
  // Records and the trainer that recomputes them take further memory.
  for (std::int64_t step = 1; step < kSteps; step += kSteps / 100) desk.seekTo(step);
  report("5 memory after looking at 100 older steps", residentMb(), "MB", Bound::AtMost, kBoundMb);
  report("5 memory at its most", peakMb(), "MB", Bound::AtMost, kBoundMb);
}

}  // namespace lab::bench
