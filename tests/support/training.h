// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs for tests: they take a configuration and return everything that the run reported.
#pragma once

#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/data/dataset.h"
#include "core/strategy/strategy.h"
#include "core/trace/metric.h"
#include "core/trace/span.h"
#include "core/training/trainer.h"

namespace lab::test {

struct Outcome {
  RunInfo info;
  std::vector<StepMetric> steps;
  std::vector<EvalMetric> evaluations;
  EndMetric end;
  std::vector<Span> spans;
  std::vector<float> weights;
};

// Settings by name, as on the command line: {{"strategy", "mirrored"}, {"replicas", "4"}}.
using Settings = std::vector<std::pair<std::string, std::string>>;
RunSettings configOf(const Settings& settings);

// Trains to the end. `eachStep` is called after every step.
Outcome train(const RunSettings& config, std::shared_ptr<const Dataset> dataset,
              const std::function<void(Trainer&)>& eachStep = {});

// The first examples of the embedded digits.
std::shared_ptr<const Dataset> fewDigits(std::int64_t train, std::int64_t test);

// Six steps of a global batch of 48 on simulated devices, without evaluation.
extern const Settings kShortRun;
Settings with(Settings settings, const Settings& more);

// All strategies, with several replicas where possible and with every reducer where there is a choice. The replicas do
// not divide the batch evenly, so short and uneven shares take part.
const std::map<std::string, Settings>& everyStrategyAndReducer();
// The same as rows of a data-driven test with a column "name", and the configuration of such a row.
void addStrategyRows();
RunSettings rowConfig(const QString& name, const Settings& more = {});
// The same with less work, for what neither threads nor layers change: on one thread (tst_strategies: it changes no
// bit; more would wait for each other beside other tests), and with a small network where a reducer is chosen.
RunSettings lightRowConfig(const QString& name, const Settings& more = {});

// Whether the run's replicas may compute on this processor, in measured time.
bool canBeMeasured(const RunSettings& config);

// A value of a strategy's own setting that is not its default.
std::string anotherValueOf(const OwnSetting& own);

// |a - b| / |b|, in the Euclidean norm.
double relativeDistance(const std::vector<float>& a, const std::vector<float>& b);

// Whether two buffers hold the same bits.
bool sameBits(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace lab::test
