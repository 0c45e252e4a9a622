// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_columns.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/options/config_field.h"
#include "ui/i18n/words.h"
#include "ui/sweep/sweep_words.h"

namespace lab {
namespace {

constexpr const char* kSeed = "seed";
constexpr int kAxisTicks = 5;
constexpr double kLogRoom = 1.1;
constexpr double kDecades = 30;  // ratio of the largest to the smallest value above which an axis is logarithmic

std::vector<std::string> valuesIn(const SweepPlan& plan, const std::string& setting) {
  if (setting != kSeed) return valuesOf(plan, setting);
  std::vector<std::string> values;
  RunSettings asked = plan.base;
  for (std::int64_t i = 0; i < plan.seeds; ++i, ++asked.seed) values.push_back(configField(kSeed).get(asked));
  return values;
}

bool isShare(SweepQuantity quantity) {
  return quantity == SweepQuantity::Accuracy || quantity == SweepQuantity::Efficiency;
}

SweepColumns::Scale scaleOf(const CellColumn& column, const std::vector<bool>& counted,
                            const std::optional<SweepQuantity>& quantity, const SweepColumns& columns) {
  SweepColumns::Scale scale;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (!counted[i]) continue;
    if (!column.at[i]) scale.lacks = true;
    low = std::min(low, column.at[i].value_or(low));
    high = std::max(high, column.at[i].value_or(high));
  }
  const std::size_t at = columns.scales.size();
  if (!quantity) {
    scale.range = {0, static_cast<double>(column.values.size() - 1)};
    for (std::size_t i = 0; i < column.values.size(); ++i)
      scale.ticks.push_back({static_cast<double>(i), columns.text(at, static_cast<double>(i))});
  } else if (high >= low) {
    scale.logarithmic = !isShare(*quantity) && low > 0 && high / low > kDecades;
    scale.range = scale.logarithmic ? Range{low / kLogRoom, high * kLogRoom} : roundRange({low, high}, kAxisTicks);
    scale.ticks = scale.logarithmic ? logTicks(scale.range, kAxisTicks) : linearTicks(scale.range, kAxisTicks);
    for (Tick& tick : scale.ticks)
      if (!tick.text.isEmpty()) tick.text = columns.text(at, tick.at);
  }
  return scale;
}

}  // namespace

std::vector<std::string> variedSettings(const SweepPlan& plan) {
  std::vector<std::string> settings{"replicas", plan.global ? "global-batch" : "batch-per-replica", kRuleAxis,
                                    "learning-rate"};
  for (const SweepAxis& other : plan.others) settings.push_back(other.setting);
  settings.emplace_back(kSeed);
  std::erase_if(settings, [&](const std::string& setting) { return valuesIn(plan, setting).size() < 2; });
  return settings;
}

std::vector<SweepQuantity> usualMeasures(const SweepPlan& plan) {
  return {SweepQuantity::Loss, SweepQuantity::Accuracy, SweepQuantity::Rate,
          plan.target.accuracy ? SweepQuantity::Seconds : SweepQuantity::Duration};
}

double SweepColumns::Scale::share(double value) const {
  if (!(range.length() > 0)) return 0.5;
  if (!logarithmic) return (value - range.from) / range.length();
  return std::log(value / range.from) / std::log(range.to / range.from);
}

double SweepColumns::Scale::value(double share) const {
  return logarithmic ? range.from * std::pow(range.to / range.from, share) : range.from + share * range.length();
}

QString SweepColumns::title(std::size_t column) const {
  return measures[column] ? quantityName(*measures[column], modelled) : axisName(table.columns()[column].name);
}

QString SweepColumns::text(std::size_t column, double value) const {
  if (measures[column]) return quantityText(*measures[column], value);
  const CellColumn& of = table.columns()[column];
  return axisText(of.name, of.values.at(static_cast<std::size_t>(value)));
}

QString SweepColumns::cellName(int cell) const {
  QStringList words;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const auto& value = at(table.columns()[i].at, cell);
    if (measures[i] || !value) continue;
    const bool named = table.columns()[i].name == kRuleAxis || table.columns()[i].name == "strategy";
    words << (named ? text(i, *value) : QStringLiteral("%1 %2").arg(title(i), text(i, *value)));
  }
  return words.join(QStringLiteral(", "));
}

QString SweepColumns::cellText(int cell, std::optional<SweepQuantity> inView) const {
  QStringList words{cellName(cell)};
  for (std::size_t i = 0; i < measures.size(); ++i)
    if (const auto& value = at(table.columns()[i].at, cell); measures[i] && value && (!inView || inView == measures[i]))
      words << QStringLiteral("%1: %2").arg(title(i), text(i, *value));
  if (at(stopped, cell)) words << stateName(CellState::Stopped);
  return words.join(inView ? QStringLiteral("; ") : QStringLiteral("\n"));
}

QStringList SweepColumns::rangeWords() const {
  QStringList words;
  for (std::size_t i = 0; i < measures.size(); ++i)
    if (const auto& range = table.range(i))
      words << (range->from == range->to
                    ? QStringLiteral("%1: %2").arg(title(i), text(i, range->from))
                    : lab::tr("%1: %2 to %3").arg(title(i), text(i, range->from), text(i, range->to)));
  return words;
}

bool SweepColumns::isCompared(SweepQuantity quantity) const {
  return modelled || !isOfClock(quantity);
}

// Like the grid's: counts and times by their logarithm, and one colour for times of two clocks.
double SweepColumns::heat(int cell, SweepQuantity quantity) const {
  const auto column = std::ranges::find(measures, std::optional(quantity));
  if (column == measures.end()) return -1;
  const auto i = static_cast<std::size_t>(column - measures.begin());
  const auto& value = at(table.columns()[i].at, cell);
  if (!value) return -1;
  if (!isCompared(quantity)) return 0.5;
  const double share = std::clamp(scales[i].share(*value), 0.0, 1.0);
  return lessIsBetter(quantity) ? 1 - share : share;
}

std::vector<SweepColumns::Group> SweepColumns::groups(const std::string& setting,
                                                      const std::vector<SweepRun::Cell>& cells) const {
  std::vector<Group> groups;
  const auto by = table.find(setting);
  if (!by) return groups;
  for (CellGroup& each : table.groupsBy(*by)) {
    Group group{std::move(each), {}, {}};
    for (const auto& quantity : measures) {
      const SweepEntry entry = quantity ? entryOf(cells, group.cells.cells, *quantity) : SweepEntry();
      group.spreads.push_back(entry.hasMean() ? spreadOf(entry.values) : std::nullopt);
      group.ofTwoClocks.push_back(entry.ofTwoClocks);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

QString SweepColumns::groupText(const std::string& setting, const Group& group, SweepQuantity inView) const {
  const QString name = text(*table.find(setting), group.cells.place);
  const auto runs = std::ssize(group.cells.cells);
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (measures[i] != inView) continue;
    if (const auto& spread = group.spreads[i]) {
      const QString mean = quantityText(inView, spread->mean);  // one run deviates from nothing
      return QStringLiteral("%1: %2 (%3)")
          .arg(name, runs == 1 ? mean : QStringLiteral("%1 ± %2").arg(mean, quantityText(inView, spread->deviation)),
               lab::tr("%Ln runs", nullptr, plural(runs)));
    }
    if (group.ofTwoClocks[i]) return lab::tr("%1: no mean of modelled and measured times").arg(name);
    const auto ended = std::ranges::count_if(group.cells.cells, [&](int cell) {
      const auto at = static_cast<std::size_t>(cell);
      return table.columns()[i].at[at] && !stopped[at];
    });
    return lab::tr("%1: no mean, a value in %2 of %Ln runs", nullptr, plural(runs)).arg(name, countText(ended));
  }
  return name;
}

SweepColumns sweepColumns(const SweepRequest& request, const std::vector<SweepRun::Cell>& cells,
                          const std::vector<SweepQuantity>& measures, const std::string& last) {
  std::vector<std::string> settings = variedSettings(request.plan);
  if (const auto found = std::ranges::find(settings, last); found != settings.end())
    std::rotate(found, found + 1, settings.end());
  SweepColumns made;
  std::vector<CellColumn> columns;
  for (const std::string& setting : settings) {
    CellColumn column{setting, valuesIn(request.plan, setting), {}};
    for (const SweepRun::Cell& cell : cells) {
      const auto place = std::ranges::find(column.values, valueOn(request.plan, cell.cell.asked, setting));
      column.at.push_back(place == column.values.end() ? std::nullopt
                                                       : std::optional<double>(place - column.values.begin()));
    }
    columns.push_back(std::move(column));
    made.measures.emplace_back();
  }
  for (const SweepQuantity quantity : measures) {
    CellColumn column{"measure-" + std::to_string(static_cast<int>(quantity)), {}, {}};
    for (const SweepRun::Cell& cell : cells) column.at.push_back(lastValueOf(cell, quantity));
    if (std::ranges::none_of(column.at, [](const auto& value) { return value.has_value(); })) continue;
    columns.push_back(std::move(column));
    made.measures.emplace_back(quantity);
  }
  std::vector<bool> counted;
  for (const SweepRun::Cell& cell : cells) {
    counted.push_back(cell.result.has_value());
    made.stopped.push_back(cell.state == CellState::Stopped);
  }
  made.modelled = areModelled(cells);
  made.table = CellColumns(std::move(columns), counted);
  for (std::size_t i = 0; i < made.measures.size(); ++i)
    made.scales.push_back(scaleOf(made.table.columns()[i], counted, made.measures[i], made));
  return made;
}

}  // namespace lab
