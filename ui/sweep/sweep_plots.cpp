// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_plots.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <set>

#include "core/base/at.h"
#include "core/options/learning_rate.h"
#include "core/strategy/strategy.h"
#include "ui/charts/axis.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/sweep/staleness_words.h"
#include "ui/sweep/sweep_words.h"

namespace lab {
namespace {

using Cells = std::vector<SweepRun::Cell>;
using Role = SweepPlot::Role;

double globalBatchOf(const SweepRun::Cell& cell) {
  return static_cast<double>(cell.cell.config.examplesPerStep());
}
double replicasOf(const SweepRun::Cell& cell) {
  return static_cast<double>(cell.cell.config.replicas);
}
// The learning rate after the rule.
double rateOf(const SweepRun::Cell& cell) {
  return learningRateAt(cell.cell.config, 1, 0) > 0 && cell.cell.config.warmupEpochs == 0
             ? learningRateAt(cell.cell.config, 1, 0)
             : learningRateAt(cell.cell.config, std::int64_t{1} << 40, 1);
}

// Axes with several values that are not in `without`; they distinguish the curves.
std::vector<std::string> furtherAxes(const SweepRequest& request, const std::set<std::string>& without) {
  std::vector<std::string> axes{kRuleAxis, "learning-rate", "replicas",
                                request.plan.global ? "global-batch" : "batch-per-replica"};
  for (const SweepAxis& other : request.plan.others) axes.push_back(other.setting);
  std::erase_if(
      axes, [&](const std::string& axis) { return without.contains(axis) || valuesOf(request.plan, axis).size() < 2; });
  return axes;
}

QString wordsOn(const SweepRequest& request, const SweepRun::Cell& cell, const std::vector<std::string>& axes) {
  QStringList words;
  for (const std::string& axis : axes) {
    const QString value = axisText(axis, valueOn(request.plan, cell.cell.asked, axis));
    words << (axis == kRuleAxis || axis == "strategy" ? value : QStringLiteral("%1 %2").arg(axisName(axis), value));
  }
  return words.join(QStringLiteral(", "));
}

// Runs by curve and by place along x, in the order of the plan's values.
struct Sorted {
  using Key = std::vector<std::ptrdiff_t>;  // the curve's place on each axis
  std::vector<Key> order;
  std::map<Key, QString> names;
  std::map<Key, std::map<double, std::vector<int>>> runs;
};
// `byClock`: modelled and measured runs have curves of their own.
Sorted sortedBy(const SweepRequest& request, const Cells& cells, const std::vector<std::string>& axes,
                const std::function<double(const SweepRun::Cell&)>& x, bool byClock = false) {
  Sorted sorted;
  for (int i = 0; i < std::ssize(cells); ++i) {
    const SweepRun::Cell& cell = at(cells, i);
    if (cell.state == CellState::Refused) continue;
    Sorted::Key key;
    for (const std::string& axis : axes) {
      const std::string value = valueOn(request.plan, cell.cell.asked, axis);
      const std::vector<std::string> values = valuesOf(request.plan, axis);
      key.push_back(std::ranges::find(values, value) - values.begin());
    }
    QStringList name{wordsOn(request, cell, axes)};
    if (byClock) {
      const bool measured = cell.result && !cell.result->modelled;
      key.push_back(measured ? 1 : 0);
      name << (measured ? lab::tr("measured") : lab::tr("modelled"));
      name.removeAll(QString());
    }
    sorted.runs[key][x(cell)].push_back(i);
    sorted.names.try_emplace(key, name.join(QStringLiteral(", ")));
  }
  for (const auto& [key, name] : sorted.names) sorted.order.push_back(key);
  return sorted;
}

// The mean for each seed. Runs of one seed that share a curve and a place differ only in what does not matter there,
// such as replicas at the same global batch, so they are not independent samples.
std::vector<double> valuesBySeed(const Cells& cells, const std::vector<int>& which, SweepQuantity quantity) {
  std::map<std::int64_t, std::pair<double, int>> seeds;
  for (const int run : which)
    if (const auto value = valueOf(at(cells, run), quantity)) {
      auto& [sum, count] = seeds[at(cells, run).cell.config.seed];
      sum += *value;
      ++count;
    }
  std::vector<double> values;
  for (const auto& [seed, sum] : seeds) values.push_back(sum.first / sum.second);
  return values;
}

// A point for each place where all ended runs have a value.
std::vector<SweepPlot::Point> pointsOf(const Cells& cells, const std::map<double, std::vector<int>>& places,
                                       SweepQuantity quantity) {
  std::vector<SweepPlot::Point> points;
  for (const auto& [x, which] : places) {
    SweepEntry entry = entryOf(cells, which, quantity);
    if (!entry.hasMean()) continue;
    entry.values = valuesBySeed(cells, which, quantity);
    const auto [low, high] = std::minmax_element(entry.values.begin(), entry.values.end());
    points.push_back({.x = x,
                      .y = entry.mean(),
                      .low = *low,
                      .high = *high,
                      .values = entry.values,
                      .cell = which.front(),
                      .words = entryText(entry, quantity)});
  }
  return points;
}

void addCurves(SweepPlot& plot, const Cells& cells, const Sorted& sorted, SweepQuantity quantity, Role role) {
  int look = 0;
  for (const Sorted::Key& key : sorted.order) {
    SweepPlot::Curve curve{sorted.names.at(key), role, look++, pointsOf(cells, sorted.runs.at(key), quantity)};
    if (!curve.points.empty()) plot.curves.push_back(std::move(curve));
  }
}

// Adds the best point of several curves at each place, in bold above the curves.
void addBest(SweepPlot& plot, bool less) {
  std::map<double, SweepPlot::Point> best;
  for (const SweepPlot::Curve& curve : plot.curves)
    for (const SweepPlot::Point& point : curve.points) {
      const auto [found, fresh] = best.try_emplace(point.x, point);
      if (fresh || (less ? point.y < found->second.y : point.y > found->second.y)) {
        found->second = point;
        found->second.words = QStringLiteral("%1 (%2)").arg(point.words, curve.name);
      }
    }
  SweepPlot::Curve curve{lab::tr("best of each batch"), Role::Best, 0, {}};
  for (auto& [x, point] : best) curve.points.push_back(std::move(point));
  if (!curve.points.empty()) plot.curves.push_back(std::move(curve));
}

const SweepPlot::Curve* leading(const SweepPlot& plot) {
  const auto best = std::ranges::find(plot.curves, Role::Best, &SweepPlot::Curve::role);
  return best != plot.curves.end() ? &*best : plot.curves.empty() ? nullptr : &plot.curves.front();
}

// The noise scale at the end of the runs: the median, and the range of the middle eight of ten.
void addNoiseScale(SweepPlot& plot, QStringList& said, const Cells& cells) {
  std::vector<double> noise;
  for (const SweepRun::Cell& cell : cells)
    if (cell.result && cell.result->noiseScale && cell.state == CellState::Reached)
      noise.push_back(*cell.result->noiseScale);
  if (noise.empty()) {
    said << lab::tr("The noise scale, another estimate, was not measured: it is a setting of the run.");
    return;
  }
  std::ranges::sort(noise);
  const auto at = [&](double share) { return lab::at(noise, share * double(noise.size() - 1) + 0.5); };
  const BatchInterval band{at(0.1), at(0.9)};
  plot.uprights.push_back({at(0.5), band, lab::tr("noise scale"), true});
  said << lab::tr(
              "Noise scale at the end of the runs: about %1 (8 of 10 runs: %2 to %3). It is another estimate, from "
              "the gradients.")
              .arg(shortNumber(std::round(at(0.5))), shortNumber(std::round(band.low)),
                   shortNumber(std::round(band.high)));
}

// Steps to the target, for runs whose rate reached the target with every seed.
std::vector<SweepPoint> sweepPoints(const Cells& cells, const Sorted& sorted) {
  std::vector<SweepPoint> points;
  int trial = 0;
  for (const Sorted::Key& key : sorted.order) {
    ++trial;
    for (const auto& [batch, which] : sorted.runs.at(key)) {
      if (!entryOf(cells, which, SweepQuantity::Steps).hasMean()) continue;
      for (const double steps : valuesBySeed(cells, which, SweepQuantity::Steps))
        points.push_back({batch, rateOf(at(cells, which.front())), steps, trial});
    }
  }
  return points;
}

QString criticalText(const BatchTradeOff& fit, const std::optional<BatchInterval>& interval,
                     const Message& provisional) {
  const QString batch = shortNumber(std::round(fit.criticalBatch));
  if (!provisional.empty())
    return lab::tr("Critical batch about %1, provisional (%2)").arg(batch, coreText(provisional));
  if (!interval) return lab::tr("Critical batch about %1").arg(batch);
  return lab::tr("Critical batch about %1 (95 % interval: %2 to %3)")
      .arg(batch, shortNumber(std::round(interval->low)), shortNumber(std::round(interval->high)));
}

// Number of runs that may still be trained to their end.
int unfinishedOf(const Cells& cells) {
  return static_cast<int>(std::ranges::count_if(
      cells, [](const auto& cell) { return !hasEnded(cell.state) && cell.state != CellState::Refused; }));
}

// Adds the line of perfect scaling from the smallest batch, the fit, its critical batch and the noise scale beside it.
void addScience(SweepPlot& plot, const Cells& cells, const std::vector<SweepPoint>& points, bool ofSteps) {
  const SweepPlot::Curve* lead = leading(plot);
  if (lead == nullptr || lead->points.size() < 2) return;
  const SweepPlot::Point first = lead->points.front(), last = lead->points.back();
  SweepPlot::Curve ideal{lab::tr("perfect scaling"), Role::Ideal, 0, {}};
  for (const double x : {first.x, last.x})
    ideal.points.push_back({.x = x, .y = ofSteps ? first.y * first.x / x : first.y});
  const auto fit = fitSweep(points);
  QStringList said;
  if (fit) {
    constexpr int kPieces = 48;
    SweepPlot::Curve line{lab::tr("fit"), Role::Fit, 0, {}};
    for (int i = 0; i <= kPieces; ++i) {
      const double x = first.x * std::pow(last.x / first.x, double(i) / kPieces);
      line.points.push_back({.x = x, .y = ofSteps ? fit->steps(x) : fit->examples(x)});
    }
    plot.curves.push_back(std::move(line));
    const auto interval = criticalBatchInterval(points);
    const Message provisional = whyProvisional(points, *fit, unfinishedOf(cells));
    plot.uprights.push_back({fit->criticalBatch, interval,
                             provisional.empty() ? lab::tr("critical batch") : lab::tr("critical batch, provisional"),
                             false});
    said << lab::tr("%1: from here on, twice the batch saves less than a quarter of the steps.")
                .arg(criticalText(*fit, interval, provisional));
  }
  addNoiseScale(plot, said, cells);
  plot.curves.push_back(std::move(ideal));
  plot.caption += QLatin1Char(' ') + said.join(QLatin1Char(' '));
}

const QString kNoTarget() {
  return lab::tr("This chart needs a target accuracy: give one in the plan.");
}

SweepPlot overBatch(const SweepRequest& request, const Cells& cells, SweepQuantity quantity) {
  SweepPlot plot{.xTitle = lab::tr("Global batch"), .logX = true, .logY = true};
  if (!request.plan.target.accuracy) {
    plot.lacking = kNoTarget();
    return plot;
  }
  // With the batch per worker along x, a step is the same for any number of workers, but its staleness is not, so runs
  // with different numbers must not share a point. Nor must they where copies differ or replicas are left out.
  const bool depend =
      std::ranges::any_of(cells, [](const SweepRun::Cell& cell) { return dependsOnSplit(cell.cell.config); });
  std::set<std::string> along{"batch-per-replica", "global-batch"};
  if (!depend) along.insert("replicas");
  const std::vector<std::string> further = furtherAxes(request, along);
  const Sorted sorted = sortedBy(request, cells, further, globalBatchOf);
  const bool compete = sorted.order.size() > 1,
             others = !request.plan.others.empty() || std::ranges::find(further, "replicas") != further.end();
  addCurves(plot, cells, sorted, quantity, compete && !others ? Role::Trial : Role::Series);
  if (compete && !others) addBest(plot, true);
  plot.caption =
      others ? lab::tr("A curve for each setting.")
      : compete
          ? lab::tr("Bold: the best rate of each batch. A curve that leaves it shows where its rule stops working.")
          : lab::tr(
                "With a single rule, a bend shows where the rule stops working, not where larger batches stop "
                "helping.");
  if (!others) addScience(plot, cells, sweepPoints(cells, sorted), quantity == SweepQuantity::Steps);
  return plot;
}

// Images per second of as many devices as fast as one alone, which the scaling efficiency is relative to. Of measured
// time no device alone is known, so the line goes through the curve's first point.
SweepPlot::Curve idealOf(const Cells& cells, const SweepPlot::Curve& curve,
                         const std::map<double, std::vector<int>>& places) {
  SweepPlot::Curve ideal{{}, Role::Ideal, curve.look, {}};
  const SweepPlot::Point& first = curve.points.front();
  for (const SweepPlot::Point& point : curve.points) {
    double y = first.y * point.x / first.x;
    for (const int run : places.at(point.x))
      if (const SteadyScaling& steady = at(cells, run).steady; steady.efficiency > 0)
        y = steady.imagesPerSecond / steady.efficiency;
    ideal.points.push_back({.x = point.x, .y = y});
  }
  return ideal;
}

SweepPlot overReplicas(const SweepRequest& request, const Cells& cells, SweepQuantity quantity) {
  SweepPlot plot{.xTitle = lab::tr("Replicas"), .logX = true, .logY = true};
  const bool rate = quantity == SweepQuantity::Rate;
  if (!rate && !request.plan.target.accuracy) plot.lacking = kNoTarget();
  if (valuesOf(request.plan, "replicas").size() < 2)
    plot.lacking = lab::tr("This chart needs several counts of replicas: make them an axis.");
  if (!plot.lacking.isEmpty()) return plot;
  std::set<std::string> without{"replicas"};
  // Neither rule nor rate changes how long a step takes.
  if (rate) without.insert({kRuleAxis, "learning-rate"});
  const bool twoClocks = !areModelled(cells);
  const Sorted sorted = sortedBy(request, cells, furtherAxes(request, without), replicasOf, twoClocks);
  addCurves(plot, cells, sorted, quantity, Role::Series);
  if (rate) {
    std::vector<SweepPlot::Curve> ideals;
    for (const SweepPlot::Curve& curve : plot.curves) {
      if (curve.points.size() < 2) continue;
      const Sorted::Key& key = lab::at(sorted.order, curve.look);
      ideals.push_back(idealOf(cells, curve, sorted.runs.at(key)));
    }
    if (!ideals.empty()) ideals.front().name = lab::tr("ideal");
    plot.curves.insert(plot.curves.end(), ideals.begin(), ideals.end());
    plot.caption =
        lab::tr("The gap to the ideal line is communication and waiting. “What if” shows the share of each.");
    return plot;
  }
  SweepPlot::Point* best = nullptr;
  for (SweepPlot::Curve& curve : plot.curves)
    for (SweepPlot::Point& point : curve.points)
      if (best == nullptr || point.y < best->y) best = &point;
  if (best != nullptr && !twoClocks) {
    best->marked = true;
    plot.caption = lab::tr("Ringed: the fastest way to the target, %1.").arg(secondsText(best->y));
  }
  plot.duration = true;
  return plot;
}

QString budgetText(const SweepPlan& plan) {
  if (plan.examples)
    return lab::tr("Every run saw at most %1 images: twice the batch took at most half the steps.")
        .arg(countText(*plan.examples));
  if (plan.target.until)
    return lab::
        tr("Every run ended where it reached its target, or after %1 epochs. To compare accuracies, choose a budget of "
           "steps or examples.")
            .arg(kTargetEpochs);
  if (plan.base.steps)
    return lab::tr("Every run took %1 steps: twice the batch saw twice the images.").arg(countText(*plan.base.steps));
  return lab::tr("Every run saw the images equally often: twice the batch took half the steps.");
}

SweepPlot accuracyOver(const SweepRequest& request, const Cells& cells, SweepChartKind kind) {
  const bool rate = kind == SweepChartKind::Rate, workers = kind == SweepChartKind::Staleness;
  SweepPlot plot{.xTitle = rate      ? lab::tr("Learning rate, before the rule")
                           : workers ? lab::tr("Workers")
                                     : lab::tr("Global batch"),
                 .logX = true,
                 .canLogY = false,
                 .share = true};
  const auto isAsync = [](const SweepRun::Cell& cell) { return !strategyInfo(cell.cell.config.strategy).synchronous; };
  const bool async = std::ranges::any_of(cells, isAsync);
  if (workers && !std::ranges::all_of(cells, isAsync)) plot.xTitle = lab::tr("Workers or replicas");
  if (rate && valuesOf(request.plan, "learning-rate").size() < 2)
    plot.lacking = lab::tr("This chart needs several learning rates: make them an axis.");
  else if (workers && (!async || valuesOf(request.plan, "replicas").size() < 2))
    plot.lacking = lab::tr(
        "This chart needs ParameterServer with several counts of workers: choose the strategy and make replicas an "
        "axis.");
  if (!plot.lacking.isEmpty()) return plot;
  std::set<std::string> along{"replicas", "batch-per-replica", "global-batch"};
  if (rate) along = {"learning-rate"};
  if (workers) along = {"replicas"};
  const auto x = [=](const SweepRun::Cell& cell) {
    return rate ? cell.cell.config.learningRate : workers ? replicasOf(cell) : globalBatchOf(cell);
  };
  const Sorted sorted = sortedBy(request, cells, furtherAxes(request, along), x);
  const bool compete = kind == SweepChartKind::Accuracy && sorted.order.size() > 1 && request.plan.others.empty();
  addCurves(plot, cells, sorted, SweepQuantity::Accuracy, compete ? Role::Trial : Role::Series);
  if (compete) addBest(plot, false);
  if (workers)
    for (SweepPlot::Curve& curve : plot.curves)
      for (SweepPlot::Point& point : curve.points)
        if (const auto& result = at(cells, point.cell).result; result && result->staleness)
          point.words +=
              QStringLiteral(", ") + lab::tr("mean staleness %1").arg(numberText(*result->staleness, 'f', 1));
  plot.caption = workers ? stalenessCaption(plot, cells) : budgetText(request.plan);
  return plot;
}

}  // namespace

QString chartName(SweepChartKind kind, std::optional<bool> modelled) {
  switch (kind) {
    case SweepChartKind::Steps:
      return tr("Steps to the target over the batch");
    case SweepChartKind::Examples:
      return tr("Examples to the target over the batch");
    case SweepChartKind::Throughput:
      return !modelled   ? tr("Images/s over replicas, partly modelled")
             : *modelled ? tr("Images/s over replicas, modelled, steady")
                         : tr("Images/s over replicas, measured, mean of the run");
    case SweepChartKind::Seconds:
      return !modelled   ? tr("Time to the target over replicas, partly modelled")
             : *modelled ? tr("Time to the target over replicas, modelled")
                         : tr("Time to the target over replicas, measured");
    case SweepChartKind::Rate:
      return tr("Accuracy over the learning rate");
    case SweepChartKind::Accuracy:
      return tr("Accuracy over the batch");
    case SweepChartKind::Staleness:
      return tr("Accuracy over workers: staleness");
  }
  return {};
}

SweepPlot makeSweepPlot(SweepChartKind kind, const SweepRequest& request, const Cells& cells) {
  SweepPlot plot;
  SweepQuantity quantity = SweepQuantity::Accuracy;
  switch (kind) {
    case SweepChartKind::Steps:
      plot = overBatch(request, cells, quantity = SweepQuantity::Steps);
      break;
    case SweepChartKind::Examples:
      plot = overBatch(request, cells, quantity = SweepQuantity::Examples);
      break;
    case SweepChartKind::Throughput:
      plot = overReplicas(request, cells, quantity = SweepQuantity::Rate);
      break;
    case SweepChartKind::Seconds:
      plot = overReplicas(request, cells, quantity = SweepQuantity::Seconds);
      break;
    default:
      plot = accuracyOver(request, cells, kind);
      break;
  }
  const std::optional<bool> modelled = areModelled(cells);
  plot.title = chartName(kind, modelled);
  plot.yTitle = quantityName(quantity, modelled);
  if (plot.lacking.isEmpty() && plot.curves.empty())
    plot.lacking = isOfTarget(quantity) && unfinishedOf(cells) == 0
                       ? tr("No cell reached the target with every seed. Choose a lower target or longer runs in the "
                            "plan, or see “%1”.")
                             .arg(chartName(SweepChartKind::Accuracy, modelled))
                       : tr("The sweep has no results yet.");
  return plot;
}

}  // namespace lab
