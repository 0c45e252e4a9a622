// SPDX-License-Identifier: GPL-3.0-or-later
// A grid of runs that differ in replicas, batch, learning rate and seed, and what such grids are made for: how many
// steps a target takes at each batch (Shallue et al. 2019, arXiv 1811.03600), and the batch beyond which more examples
// a step stop helping (McCandlish et al. 2018, arXiv 1812.06162). Free functions; any thread.
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

// Any setting of the table with the values that it takes, as ConfigField::set() has them.
struct SweepAxis {
  std::string setting;
  std::vector<std::string> values;
};

// The values of each axis; of one without values the base's own. The base says the rest.
struct SweepPlan {
  RunSettings base;  // not resolved
  std::vector<std::int64_t> replicas;
  std::vector<std::int64_t> batches;  // of a replica, or with `global` of all replicas together
  bool global = false;                // of parameter servers, where the strategy is an axis, of one update
  std::vector<LearningRateScaling> rules;
  std::optional<double> linearWarmup;  // one rule more: linear, after so many epochs of warm-up
  std::vector<double> learningRates;
  std::vector<SweepAxis> others;
  std::vector<DrawnPoint> points;        // all the rest for each of them; no part of the plan as text
  std::int64_t seeds = 1;                // base.seed and those after it
  std::optional<std::int64_t> examples;  // every cell trains on so many, whatever its batch; else the base's steps
  Target target;
};

struct SweepCell {
  RunSettings asked;        // without what the strategy chooses
  ResolvedSettings config;  // of a refused one unchecked
  Target target;
  std::optional<Message> refused;  // why it cannot be trained
  std::string key;                 // the settings that decide its result, as text: two cells of one key are one
  // "r4-b256-linear-lr0.001-s1-1a2b3c4d.run"; of one that was stopped early "….stopped.run", which nobody takes for it.
  std::string fileName(bool stopped = false) const;
};

// Every combination, once each, coarse first: the ends of each axis, then what lies between, so that the first tenth
// already shows the whole; of equally coarse ones the longest first. UserError for more than kMaxSweepCells, for a
// value that its setting cannot have, or where no cell at all can be trained.
std::vector<SweepCell> cellsOf(const SweepPlan& plan);

// What a cell takes at most beside the others of its plan, and a step of it, in images or so.
double workOf(const SweepCell& cell);
double stepWorkOf(const SweepCell& cell);

// Trains a cell with `threads`. `goOn` is asked before each step: nothing is returned where it was false. With a folder
// the run's metrics are kept there, whole or not at all; of modelled runs without the times that it took here. `whole`:
// has them all before that.
std::optional<RunTally> trainCell(const SweepCell& cell, const std::shared_ptr<const Dataset>& dataset, int threads,
                                  const std::function<bool()>& goOn, const std::filesystem::path& folder = {},
                                  const std::function<void(std::span<const Metric>, const RunTally&)>& whole = {});

void makeSweepFolder(const std::filesystem::path& folder);  // UserError where it cannot be
// What an earlier sweep has left in the folder for this very cell. A damaged file counts as none: it is replaced.
std::optional<RunTally> keptResult(const SweepCell& cell, const std::filesystem::path& folder);
// The same of a cell that was stopped (halving.h), until there.
std::optional<RunTally> keptStopped(const SweepCell& cell, const std::filesystem::path& folder);

// How a cell's settings scale, by the timing model: its steady rate (core/prediction/rates.h), and that per replica
// over the same of the fewest replicas, `fewest`. All zero where time is measured.
struct SteadyScaling {
  double imagesPerSecond = 0, efficiency = 0;
};
SteadyScaling steadyScaling(const ResolvedSettings& config, std::int64_t fewest);

// Steps to the target over the global batch.
struct SweepPoint {
  double globalBatch = 0, learningRate = 0, steps = 0;
  int trial = 0;  // what else tells the runs of one batch and rate apart
};
// The learning rate of a batch that reaches the target in the fewest steps, by the mean over its seeds.
struct BestRate {
  double globalBatch = 0, learningRate = 0;
  int trial = 0;
  std::vector<double> steps;  // of each seed
  double mean() const;
};
// By batch. Rates that missed the target with a seed must not be among the points.
std::vector<BestRate> bestRates(std::span<const SweepPoint> points);
// The curve through the best rates.
std::optional<BatchTradeOff> fitSweep(std::span<const SweepPoint> points);
// Why the critical batch of that curve is provisional; empty where it is not. It has two unknowns, and so goes through
// any two batches: a third is the least that can contradict it. The critical batch is where the curve bends, which is
// seen only between a smaller and a larger batch; outside of all it is extrapolated. And with `unfinished` runs of the
// plan, a seed that is still out may move any point.
Message whyProvisional(std::span<const SweepPoint> points, const BatchTradeOff& fit, int unfinished);
// Where the critical batch of that curve lies in 95 of 100 draws of seeds, with replacement, each with best rates of
// its own (the percentile bootstrap; drawn from a seed that is always the same). Nothing where one seed is all there
// is, or where one draw in ten fits no such curve.
struct BatchInterval {
  double low = 0, high = 0;
};
std::optional<BatchInterval> criticalBatchInterval(std::span<const SweepPoint> points);

}  // namespace lab
