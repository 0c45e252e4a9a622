// SPDX-License-Identifier: GPL-3.0-or-later
// A grid of runs that differ in replicas, batch, learning rate and seed, and what such grids show: how many steps a
// target takes at each batch (Shallue et al. 2019, arXiv 1811.03600), and the batch beyond which more examples per step
// stop helping (McCandlish et al. 2018, arXiv 1812.06162). Free functions; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/data/dataset.h"
#include "core/experiments/random_search.h"
#include "core/experiments/target.h"
#include "core/options/config_field.h"
#include "core/timing/noise_scale.h"

namespace lab {

inline constexpr std::int64_t kMaxSweepCells = 10'000;

// Any setting of the table, with its values as ConfigField::set() takes them.
struct SweepAxis {
  std::string setting;
  std::vector<std::string> values;
};

// The values of each axis. An axis without values, and all other settings, take the base's.
struct SweepPlan {
  RunSettings base;  // not resolved
  std::vector<std::int64_t> replicas;
  std::vector<std::int64_t> batches;  // per replica, or with `global` for all replicas together
  bool global = false;  // if the strategy is an axis, one update of parameter servers has the global batch
  std::vector<LearningRateScaling> rules;
  std::optional<double> linearWarmup;  // an additional rule: linear, after this many epochs of warm-up
  std::vector<double> learningRates;
  std::vector<SweepAxis> others;
  std::vector<DrawnPoint> points;        // combined with every combination of the rest; not stored in the plan's text
  std::int64_t seeds = 1;                // base.seed and the following ones
  std::optional<std::int64_t> examples;  // that every cell trains on, whatever its batch; nothing: the base's steps
  Target target;
};

struct SweepCell {
  RunSettings asked;        // without what the strategy chooses
  ResolvedSettings config;  // unchecked if the cell is refused
  Target target;
  std::string program;             // the version that its run file names; set by who trains it
  std::optional<Message> refused;  // why it cannot be trained
  std::string key;                 // the settings that decide its result, as text: two cells with the same key are one
  // "r4-b256-linear-lr0.001-s1-1a2b3c4d.run"; if stopped early "….stopped.run", so that nobody mistakes it for a whole
  // run.
  std::string fileName(bool stopped = false) const;
};

// Returns every combination once, coarse first: the ends of each axis, then what lies between, so that the first tenth
// already shows the whole; among equally coarse cells, the longest first. Throws a UserError for more than
// kMaxSweepCells, for a value that its setting cannot have, or if no cell at all can be trained.
std::vector<SweepCell> cellsOf(const SweepPlan& plan);

// Returns the most work that a cell, or a step of it, can take relative to the plan's other cells, roughly in images.
double workOf(const SweepCell& cell);
double stepWorkOf(const SweepCell& cell);

// Trains a cell with `threads`. `goOn` is called before each step; if it returns false, nothing is returned. With a
// folder, the run's metrics are stored there, whole or not at all; for modelled runs without the times that it took
// here. `whole` gets all metrics before they are stored.
std::optional<RunTally> trainCell(const SweepCell& cell, const std::shared_ptr<const Dataset>& dataset, int threads,
                                  const std::function<bool()>& goOn, const std::filesystem::path& folder = {},
                                  const std::function<void(std::span<const Metric>, const RunTally&)>& whole = {});

void makeSweepFolder(const std::filesystem::path& folder);  // UserError if impossible
// Returns what an earlier sweep left in the folder for exactly this cell. A damaged file counts as missing, and is
// replaced.
std::optional<RunTally> keptResult(const SweepCell& cell, const std::filesystem::path& folder);
// The same for a cell that was stopped (halving.h), up to that point.
std::optional<RunTally> keptStopped(const SweepCell& cell, const std::filesystem::path& folder);

// How a cell's settings scale, by the timing model: the steady rate and the scaling efficiency
// (core/prediction/rates.h). All zero if time is measured.
struct SteadyScaling {
  double imagesPerSecond = 0, efficiency = 0;
};
SteadyScaling steadyScaling(const ResolvedSettings& config);

// Returns whether the number of replicas changes more than rounding in how a batch trains: gradients are stale, copies
// differ, or replicas are left out. Runs with different numbers then are no draws of one point.
bool dependsOnSplit(const ResolvedSettings& config);

// Steps to the target at a global batch.
struct SweepPoint {
  double globalBatch = 0, learningRate = 0, steps = 0;
  int trial = 0;  // distinguishes other runs with the same batch and rate
};
// The learning rate at which a batch reaches the target in the fewest steps, by the mean over its seeds.
struct BestRate {
  double globalBatch = 0, learningRate = 0;
  int trial = 0;
  std::vector<double> steps;  // per seed
  double mean() const;
};
// Returns them by batch. Rates that missed the target with any seed must not be among the points.
std::vector<BestRate> bestRates(std::span<const SweepPoint> points);
// Fits the curve through the best rates.
std::optional<BatchTradeOff> fitSweep(std::span<const SweepPoint> points);
// Returns why the critical batch of that curve is provisional; empty if it is not. The curve has two unknowns, so it
// fits any two batches: only a third can contradict it. The critical batch is where the curve bends, which is only
// visible between a smaller and a larger batch; outside all batches it is extrapolated. If the plan has `unfinished`
// runs, an outstanding seed may still move any point.
Message whyProvisional(std::span<const SweepPoint> points, const BatchTradeOff& fit, int unfinished);
// The interval of the critical batch in 95 of 100 draws of seeds, with replacement, each with its own best rates (the
// percentile bootstrap; always drawn from the same seed). Nothing if there is only one seed, or if one draw in ten fits
// no such curve.
struct BatchInterval {
  double low = 0, high = 0;
};
std::optional<BatchInterval> criticalBatchInterval(std::span<const SweepPoint> points);

}  // namespace lab
