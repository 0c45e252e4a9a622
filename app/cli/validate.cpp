// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli validate: the timing model against measured rows.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "core/options/network_of.h"
#include "core/prediction/validation.h"
#include "core/timing/error_band.h"

namespace lab::cli {
namespace {

using nlohmann::json;

json toJson(const ValidationSummary& summary) {
  return {{"points", summary.points},
          {"median", summary.median},
          {"mean", summary.mean},
          {"p75", summary.p75},
          {"p90", summary.p90}};
}

json toJson(const Validation& validation) {
  json points = json::array(), calibrated = json::array(), skipped = json::array();
  for (const ValidationPoint& point : validation.points) {
    json entry{
        {"id", point.id},         {"point", point.point}, {"predicted", point.predicted}, {"measured", point.measured},
        {"error", point.error()}, {"unit", point.unit}};
    if (!validation.collective) {
      entry["quality"] = point.quality;
      entry["devices"] = point.devices;
      entry["method"] = point.method;
      entry["linear"] = point.linear;
      entry["hard"] = point.hard();
      entry["batchSweep"] = point.batchSweep;
      entry["bound"] = std::string(boundKey(point.bound));
    }
    (point.calibrating ? calibrated : points).push_back(std::move(entry));
  }
  for (const SkippedPoint& point : validation.skipped)
    skipped.push_back({{"id", point.id}, {"point", point.point}, {"reason", format(point.reason)}});
  json document{{"points", points},
                {"median", validation.all.median},
                {"mean", validation.all.mean},
                {"p90", validation.all.p90},
                {"skipped", skipped}};
  if (!validation.collective) {
    document["calibrated"] = calibrated;
    document["scored"] = toJson(validation.scored);
    document["hard"] = toJson(validation.hard);
    json orders = json::array();
    for (const OrderCheck& order : validation.orders)
      orders.push_back({{"rows", {order.first, order.second}},
                        {"devices", order.devices},
                        {"measuredRatio", order.measuredRatio},
                        {"predictedRatio", order.predictedRatio},
                        {"right", order.right()},
                        {"tie", order.tie}});
    document["methodOrder"] = orders;
  }
  return document;
}

constexpr auto right = Table::Align::Right;

void showPoints(const Validation& validation) {
  Table table({{"row"},
               {"point", right},
               {"devices", right},
               {"method"},
               {"predicted", right},
               {"measured", right},
               {"unit"},
               {"error", right},
               {"linear", right},
               {""}});
  for (const ValidationPoint& point : validation.points) {
    std::string remark = point.calibrating  ? "calibrates"
                         : point.batchSweep ? "batch sweep"
                         : point.hard()     ? "hard"
                                            : "";
    if (point.quality == "B") remark += remark.empty() ? "quality B" : ", quality B";
    table.add({point.id, std::to_string(point.point), formatCount(point.devices), point.method,
               formatFixed(point.predicted, point.predicted < 100 ? 2 : 0),
               formatFixed(point.measured, point.measured < 100 ? 2 : 0), point.unit, formatPercent(point.error()),
               point.linear > 0 ? formatPercent(point.linear / point.measured - 1) : "", remark});
  }
  print(table.text() + "\n");
}

void showSummary(const Validation& validation) {
  Table summary({{"modelled against measured"},
                 {"points", right},
                 {"median", right},
                 {"mean", right},
                 {"p75", right},
                 {"p90", right}});
  const auto add = [&](const std::string& name, const ValidationSummary& of) {
    summary.add({name, formatCount(of.points), formatPercent(of.median), formatPercent(of.mean), formatPercent(of.p75),
                 formatPercent(of.p90)});
  };
  add("all points", validation.all);
  if (!validation.collective) {
    add("quality A, no batch sweeps", validation.scored);
    add("the hard ones of these", validation.hard);
  }
  print(summary.text());
}

int show(const Validation& validation, double repeatShare) {
  showPoints(validation);
  showSummary(validation);
  if (!validation.orders.empty()) {
    Table orders({{"rows that differ in method"},
                  {"devices", right},
                  {"measured ratio", right},
                  {"predicted", right},
                  {"order"}});
    for (const OrderCheck& order : validation.orders)
      orders.add({order.first + " : " + order.second, formatCount(order.devices), formatFixed(order.measuredRatio, 3),
                  formatFixed(order.predictedRatio, 3),
                  order.right() ? "right"
                  : order.tie   ? "tie"
                                : "WRONG"});
    print("\n" + orders.text());
    if (std::ranges::any_of(validation.orders, [](const OrderCheck& o) { return o.tie && !o.right(); }))
      print("tie: measured no further apart than one source's own repeats of one configuration (" +
            formatPercent(repeatShare) + ", validation.repeat_share), and predicted the other way round.\n");
  }
  for (const SkippedPoint& point : validation.skipped)
    say("skipped: " + point.id + " point " + std::to_string(point.point) + ": " + format(point.reason));
  return 0;
}

}  // namespace

void addValidate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("validate", "Compare the timing model with measured rows.");
  command->footer(
      "Scaling rows are calibrated only at their first point. A file of collective rows (with the columns ranks and\n"
      "bytes) needs no calibration. Errors are predicted / measured - 1; the medians are of their size.");
  const CLI::Option* rows =
      addValue(*command, "--rows", "FILE", "Measured rows, CSV with the columns of scaling-rows.csv.");
  const TimingFiles files = addTimingFiles(*command);
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] {
    action = [=] {
      const std::optional<std::string> file = textOf(rows);
      if (!file) throw UserError(say::rowsMissing, Option{"rows"});
      const TimingConstants constants = constantsOf(files);
      const Validation validation = validateRows(textOfFile(*file), *file, catalogueOf(files), constants);
      if (!flagOf(asJson)) return show(validation, constants["validation.repeat_share"]);
      printJson(toJson(validation));
      return 0;
    };
  });
}

}  // namespace lab::cli
