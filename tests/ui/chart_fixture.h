// SPDX-License-Identifier: GPL-3.0-or-later
// Runs with made-up numbers for tests and benchmarks of charts: as many steps as wanted, without training.
#pragma once

#include <cmath>
#include <memory>

#include "core/options/resolve.h"
#include "ui/runs/run_library.h"
#include "ui/setup/experiment.h"

namespace lab::test {

inline std::shared_ptr<RunMetrics> madeUpMetrics(std::int64_t steps, double phase = 0) {
  auto metrics = std::make_shared<RunMetrics>();
  metrics->steps.resize(static_cast<std::size_t>(steps));
  for (std::int64_t i = 0; i < steps; ++i) {
    StepMetric& step = metrics->steps[static_cast<std::size_t>(i)];
    const auto x = static_cast<double>(i);
    step.step = i + 1;
    step.epoch = (x + 1) / 100;
    step.examples = 64;
    step.loss = 2 / (1 + 0.001 * x) + 0.2 + 0.1 * std::sin(0.37 * std::fmod(x * x, 1009) + phase);
    step.accuracy = 0.5 + 0.4 * std::sin(x + phase);
    step.learningRate = 0.001;
    step.clock = TimeSource::Modelled;
    step.stepNs = 2'000'000;
    step.wallNs = 5'000'000;
    step.imagesPerSecond = 32'000;
  }
  return metrics;
}

// The parts of a window that a library needs, with nothing running.
struct ChartFixture {
  RunController controller;
  Experiment experiment{controller};
  RunLibrary library{controller, experiment};

  int add(std::shared_ptr<const RunMetrics> metrics, const QString& name = {}) {
    KeptRun run;
    run.resolved = resolve(RunSettings{});
    run.name = name;
    run.state = RunState::Finished;
    run.header = RunHeader{};
    run.metrics = std::move(metrics);
    return library.add(std::move(run));
  }

  void stepOn(std::int64_t steps = 1) { controller.requestStep(controller.liveStep() + steps); }
};

}  // namespace lab::test
