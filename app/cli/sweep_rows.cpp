// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "app/cli/cli.h"
#include "app/cli/table.h"
#include "core/base/units.h"
#include "core/options/config_field.h"
#include "core/prediction/hardware.h"

namespace lab::cli {
namespace {

using nlohmann::json;

std::string ruleOf(const SweepCell& cell) {
  return configField("lr-scaling").get(cell.config);
}

struct RuleFit {
  std::string rule;
  std::optional<BatchTradeOff> curve;
  std::optional<BatchInterval> criticalBatch;  // over seeds
  Message provisional;                         // the reason; empty if it is not provisional
};

// Returns whether runs of one batch train differently by their number of replicas: no curve over the batch is of all of
// them.
bool mixesSplits(const std::vector<SweepRow>& rows) {
  std::set<std::int64_t> replicas;
  bool depend = false;
  for (const SweepRow& row : rows) {
    if (!row.result) continue;
    replicas.insert(row.cell->config.replicas);
    depend = depend || dependsOnSplit(row.cell->config);
  }
  return depend && replicas.size() > 1;
}

// Fits the curve of each rule over all cells whose runs reached the target. One batch in several splits is one draw of
// its seed, and counts once: with their mean.
std::vector<RuleFit> fitsOf(const std::vector<SweepRow>& rows) {
  using Draw = std::tuple<double, double, std::int64_t>;               // batch, rate, seed
  std::map<std::string, std::map<Draw, std::vector<double>>> reached;  // steps of each split, by rule
  std::map<std::string, std::set<std::pair<double, double>>> missed;   // by rule: batch, rate
  std::map<std::string, int> unfinished;
  for (const SweepRow& row : rows) {
    reached.try_emplace(ruleOf(*row.cell));  // a rule without a success has a fit as well: none
    const bool stopped = row.result && row.result->stopped && !row.result->stepsToTarget;
    if ((!row.result && !row.cell->refused) || stopped) ++unfinished[ruleOf(*row.cell)];
    if (!row.result) continue;
    const ResolvedSettings& config = row.cell->config;
    const double batch = static_cast<double>(config.examplesPerStep()), rate = config.learningRate;
    if (row.result->stepsToTarget)
      reached[ruleOf(*row.cell)][{batch, rate, config.seed}].push_back(static_cast<double>(*row.result->stepsToTarget));
    else
      missed[ruleOf(*row.cell)].insert({batch, rate});
  }
  if (mixesSplits(rows))
    for (auto& [rule, draws] : reached) draws.clear();
  std::vector<RuleFit> fits;
  for (const auto& [rule, draws] : reached) {
    std::vector<SweepPoint> points;
    for (const auto& [draw, steps] : draws) {
      const auto& [batch, rate, seed] = draw;
      if (missed[rule].contains({batch, rate})) continue;
      const double sum = std::accumulate(steps.begin(), steps.end(), 0.0);
      points.push_back({batch, rate, sum / static_cast<double>(steps.size())});
    }
    RuleFit& fit = fits.emplace_back(RuleFit{rule, fitSweep(points), criticalBatchInterval(points), {}});
    if (fit.curve) fit.provisional = whyProvisional(points, *fit.curve, unfinished[rule]);
  }
  return fits;
}

}  // namespace

json toJson(const SweepRow& row) {
  const SweepCell& cell = *row.cell;
  const RunTally& result = *row.result;
  const ResolvedSettings& config = cell.config;
  const auto orNull = [](const auto& value) { return value ? json(*value) : json(nullptr); };
  json line{{"event", "cell"},
            {"strategy", std::string(strategyKey(config.strategy))},
            {"replicas", config.replicas},
            {"batchPerReplica", config.batchPerReplica},
            {"globalBatch", config.examplesPerStep()},
            {"lrScaling", ruleOf(cell)},
            {"learningRate", config.learningRate},
            {"seed", config.seed},
            {"steps", result.steps},
            {"testAccuracy", orNull(result.testAccuracy)},
            {"diverged", result.diverged},
            {"stopped", result.stopped ? json(result.steps) : json(nullptr)}};
  if (cell.target.accuracy) {
    line["stepsToTarget"] = orNull(result.stepsToTarget);
    line["examplesToTarget"] = orNull(result.examplesToTarget);
    line[result.modelled ? "modelledSecondsToTarget" : "secondsToTarget"] = orNull(result.secondsToTarget);
  }
  if (!result.modelled) {
    line["imagesPerSecond"] = result.imagesPerSecond();
    return line;
  }
  line["modelledImagesPerSecond"] = row.steady.imagesPerSecond;
  line["modelledMeanImagesPerSecond"] = result.imagesPerSecond();
  line["efficiency"] = row.steady.efficiency;
  if (!whyExtrapolated(config).empty()) line["extrapolated"] = true;
  if (!whyFloat32(config).empty()) line["modelledAsFloat32"] = true;
  return line;
}

std::string tableOf(const std::vector<SweepRow>& rows, bool withTarget) {
  const auto right = Table::Align::Right;
  const bool modelled =
      std::ranges::none_of(rows, [](const SweepRow& row) { return row.result && !row.result->modelled; });
  const bool halved = std::ranges::any_of(rows, [](const SweepRow& row) { return row.result && row.result->stopped; });
  std::vector<Table::Column> columns{{"replicas", right},
                                     {"batch/replica", right},
                                     {"global batch", right},
                                     {"lr scaling"},
                                     {"learning rate", right},
                                     {"seed", right},
                                     {modelled ? "modelled images/s, steady" : "measured images/s, mean", right},
                                     {"scaling efficiency", right},
                                     {"test accuracy", right},
                                     {"steps to target", right},
                                     {modelled ? "modelled time to target" : "time to target", right}};
  if (halved) columns.push_back({"stopped after step", right});
  Table table(columns);
  std::vector<const SweepRow*> sorted;
  for (const SweepRow& row : rows) sorted.push_back(&row);
  std::ranges::stable_sort(sorted, {}, [](const SweepRow* row) {
    const ResolvedSettings& config = row->cell->config;
    return std::tuple(config.replicas, config.examplesPerStep(), ruleOf(*row->cell), config.learningRate, config.seed);
  });
  for (const SweepRow* row : sorted) {
    const ResolvedSettings& config = row->cell->config;
    const auto& result = row->result;
    const auto rate = [&] { return modelled ? row->steady.imagesPerSecond : result->imagesPerSecond(); };
    std::vector<std::string> texts{
        formatCount(config.replicas),
        formatCount(config.batchPerReplica),
        formatCount(config.examplesPerStep()),
        ruleOf(*row->cell),
        configField("learning-rate").get(config),
        std::to_string(config.seed),
        result ? formatRounded(rate()) : row->state,
        result && result->modelled ? formatPercent(row->steady.efficiency) : "-",
        !result            ? "-"
        : result->diverged ? "diverged"
                           : (result->testAccuracy ? formatPercent(*result->testAccuracy) : "-"),
        result && result->stepsToTarget ? formatCount(*result->stepsToTarget)
        : result && result->stopped     ? "-"
        : result && withTarget          ? "not reached"
                                        : "-",
        result && result->secondsToTarget ? formatDuration(std::llround(*result->secondsToTarget * 1e9)) : "-"};
    if (halved) texts.push_back(result && result->stopped ? formatCount(result->steps) : "-");
    table.add(texts);
  }
  return table.text();
}

void showFits(const std::vector<SweepRow>& rows, bool asJson) {
  if (mixesSplits(rows))
    say("note: no curve of steps over the batch: with this strategy a batch trains differently on different numbers of "
        "replicas. Give one number of --replicas.");
  for (const auto& [rule, fit, interval, provisional] : fitsOf(rows)) {
    if (asJson)
      printJson({{"event", "fit"},
                 {"lrScaling", rule},
                 {"minSteps", fit ? json(fit->minimumSteps) : json(nullptr)},
                 {"minExamples", fit ? json(fit->minimumSteps * fit->criticalBatch) : json(nullptr)},
                 {"criticalBatch", fit ? json(fit->criticalBatch) : json(nullptr)},
                 {"provisional", !provisional.empty()},
                 {"criticalBatchLow", interval ? json(interval->low) : json(nullptr)},
                 {"criticalBatchHigh", interval ? json(interval->high) : json(nullptr)}});
    else if (fit)
      print(rule + ": steps to the target: about " + formatRounded(fit->minimumSteps) + " x (1 + " +
            formatRounded(fit->criticalBatch) + " / global batch); the second number is the critical batch" +
            (interval ? ", 95 % of draws of seeds between " + formatRounded(interval->low) + " and " +
                            formatRounded(interval->high)
                      : std::string()) +
            (provisional.empty() ? std::string() : "; provisional: " + format(provisional)) + "\n");
  }
}

}  // namespace lab::cli
