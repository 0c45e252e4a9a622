// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "core/base/ceil_divide.h"
#include "core/base/message.h"
#include "core/codegen/program.h"
#include "core/experiments/report_parts.h"
#include "core/options/config_field.h"

namespace lab {
namespace {

// Okabe and Ito's colours, which colour-blind people can distinguish. Dashes make curves visible that lie on one
// another, as those of equal strategies do.
constexpr std::array<const char*, 8> kReportColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#56b4e9", "#e69f00", "#000000", "#8c6d31"};
constexpr std::array<const char*, 4> kReportDashes{"none", "7 3", "2 3", "9 3 2 3"};

std::string lineStyle(std::size_t run) {
  return "stroke=\"" + std::string(kReportColours[run % kReportColours.size()]) + "\" stroke-dasharray=\"" +
         kReportDashes[run % kReportDashes.size()] + "\" fill=\"none\" stroke-width=\"1.8\"";
}

std::string chartOf(const std::string& title, const std::vector<ReportRun>& runs, const ReportCurve ReportRun::*curve,
                    const ReportLanguage& language) {
  constexpr double kWidth = 660, kHeight = 300, kLeft = 60, kRoom = 34, kBottom = 36, kTop = 10;
  constexpr std::size_t kPoints = 400;
  double right = 0, low = std::numeric_limits<double>::infinity(), high = -low;
  std::vector<std::vector<std::pair<double, double>>> lines;
  for (const ReportRun& run : runs) {
    lines.push_back((run.*curve).points(kPoints));
    for (const auto& [x, y] : lines.back())
      right = std::max(right, x), low = std::min(low, y), high = std::max(high, y);
  }
  if (!(high >= low) || right <= 0) return "";
  if (high == low) high = low + 1;
  const auto x = [&](double value) { return kLeft + value / right * (kWidth - kLeft - kRoom); };
  const auto y = [&](double value) { return kTop + (high - value) / (high - low) * (kHeight - kTop - kBottom); };
  const auto at = [](double value) { return formatFixed(value, 1); };
  std::string svg = "<h3>" + escaped(title) + "</h3>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                    at(kWidth) + " " + at(kHeight) + "\" role=\"img\"><title>" + escaped(title) + "</title>\n";
  for (const double tick : ticksOf(low, high))
    svg += "<path class=\"grid\" stroke=\"#dddddd\" d=\"M" + at(kLeft) + " " + at(y(tick)) + "H" + at(kWidth - kRoom) +
           "\"/><text x=\"" + at(kLeft - 6) + "\" y=\"" + at(y(tick) + 4) + "\" text-anchor=\"end\">" +
           shortNumber(language, tick) + "</text>\n";
  for (const double tick : ticksOf(0, right))
    svg += "<text x=\"" + at(x(tick)) + "\" y=\"" + at(kHeight - kBottom + 16) + "\" text-anchor=\"middle\">" +
           shortNumber(language, tick) + "</text>\n";
  svg += "<text x=\"" + at((kLeft + kWidth) / 2) + "\" y=\"" + at(kHeight - 4) + "\" text-anchor=\"middle\">" +
         escaped(language.words(LAB_WORDS("images seen"))) + "</text>\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const std::string name = "<title>" + escaped(runs[i].name) + "</title>";
    if (lines[i].size() == 1) {  // a line without length would be invisible
      const auto& [px, py] = lines[i].front();
      svg += "<circle class=\"curve\" cx=\"" + at(x(px)) + "\" cy=\"" + at(y(py)) + "\" r=\"" + at(4.5 - 0.5 * i) +
             "\" " + lineStyle(i) + ">" + name + "</circle>\n";
      continue;
    }
    std::string path;
    for (const auto& [px, py] : lines[i]) path += (path.empty() ? "M" : "L") + at(x(px)) + " " + at(y(py));
    svg += "<path class=\"curve\" " + lineStyle(i) + " d=\"" + path + "\">" + name + "</path>\n";
  }
  return svg + "</svg>\n";
}

// Adds the legend, which explains that a curve ends where its values are not finite.
std::string legendOf(const std::vector<ReportRun>& runs, const ReportLanguage& language) {
  std::string html = "<p class=\"legend\">";
  for (std::size_t i = 0; i < runs.size(); ++i)
    html += "<span><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"10\"><path class=\"curve\" " +
            lineStyle(i) + " d=\"M0 5H30\"/></svg> " + escaped(runs[i].name) +
            (runs[i].diverged() ? " (" + escaped(language.words(LAB_WORDS("diverged"))) + ")" : std::string()) +
            "</span> ";
  return html + "</p>\n";
}

std::string settingsOf(const std::vector<ReportRun>& runs, const ReportLanguage& language) {
  std::string differing, common;
  for (const ConfigField& field : configFields()) {
    if (!field.changesResults && field.name != "steps" && field.name != "epochs" && field.name != "eval-every")
      continue;
    std::vector<std::string> values;
    for (const ReportRun& run : runs)  // epochs do not hold where steps are given
      values.push_back(field.name == "epochs" && run.config.steps ? "" : field.get(run.config));
    const bool same = std::ranges::all_of(values, [&](const std::string& value) { return value == values.front(); });
    if (same && (runs.empty() || values.front().empty())) continue;
    std::string& rows = same ? common : differing;
    rows += "<tr>" + cell("th", field.name);
    if (same)
      rows += cell("td", values.front());
    else
      for (const std::string& value : values) rows += cell("td", value.empty() ? "–" : value);
    rows += "</tr>\n";
  }
  std::string html =
      cell("h2", language.words(LAB_WORDS("Settings that differ"))) + "\n<div class=\"wide\"><table>\n<tr><th></th>";
  for (const ReportRun& run : runs) html += cell("th", run.name);
  html += "</tr>\n" + differing + "</table></div>\n<details>" +
          cell("summary", language.words(LAB_WORDS("Settings that all have"))) + "\n<table>\n" + common +
          "</table></details>\n";
  return html;
}

std::string programsOf(const std::vector<ReportRun>& runs, const ReportLanguage& language) {
  std::string html = cell("h2", language.words(LAB_WORDS("The same in TensorFlow")), " class=\"newpage\"") + "\n";
  std::vector<std::pair<std::string, std::string>> programs;  // runs' names, text; branches have their parent's program
  for (const ReportRun& run : runs) {
    const std::string text = makeProgram(run.config, {.loop = run.config.lossReduction == LossReduction::Loop}).text();
    const auto same = std::ranges::find(programs, text, &std::pair<std::string, std::string>::second);
    if (same == programs.end())
      programs.emplace_back(run.name, text);
    else
      same->first += ", " + run.name;
  }
  for (const auto& [names, text] : programs)
    html += "<details>" + cell("summary", names) + cell("pre", text) + "</details>\n";
  return html;
}

// Returns whether the runs differ in nothing but their strategies, and what follows from these.
bool areOneExperiment(const std::vector<ReportRun>& runs) {
  std::set<StrategyKind> kinds;
  for (const ReportRun& run : runs) kinds.insert(run.config.strategy);
  if (kinds.size() != runs.size()) return false;
  if (runs.empty()) return true;
  const ReportRun& first = runs.front();
  const auto mayDiffer = [](const ConfigField& field) {
    return !field.changesResults || field.perStrategy || field.name == "strategy" ||
           field.name == "batch-per-replica" || field.name == "global-batch";
  };
  return std::ranges::all_of(runs, [&](const ReportRun& run) {
    return run.dataset == first.dataset && run.config.examplesOfReplicas() == first.config.examplesOfReplicas() &&
           std::ranges::all_of(configFields(), [&](const ConfigField& field) {
             return mayDiffer(field) || field.get(run.config) == field.get(first.config);
           });
  });
}

// "mnist", or "mnist (one run), digits (another run)".
std::string dataOf(const std::vector<ReportRun>& runs) {
  const std::string& first = runs.front().dataset;
  if (std::ranges::all_of(runs, [&](const ReportRun& run) { return run.dataset == first; })) return first;
  std::string data;
  for (const ReportRun& run : runs) data += (data.empty() ? "" : ", ") + run.dataset + " (" + run.name + ")";
  return data;
}

constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#111;background:#fff}"
    "pre{overflow-x:auto;font-size:.85em}table{border-collapse:collapse;margin:.5em "
    "0;font-size:.9em}.wide{overflow-x:auto}"
    "th,td{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:right}td{white-space:nowrap}"
    "th:first-child{text-align:left}svg{width:100%;max-width:46em}svg text{font-size:11px;fill:#444}"
    ".legend span{margin-right:1.2em;white-space:nowrap}.legend svg{width:30px}"
    "i{display:inline-block;height:.9em;vertical-align:middle}.legend i{width:.9em}"
    ".newpage{break-before:page}.bars{width:100%}.trace{max-width:62em}.bar{width:70%;text-align:left;font-size:0}.bar "
    "i{height:18px}";

}  // namespace

void ReportCurve::add(double images, double value) {
  if (std::isfinite(value)) points_.emplace_back(images, value);
}

std::vector<std::pair<double, double>> ReportCurve::points(std::size_t most) const {
  const std::size_t group = ceilDivide(points_.size(), most);
  if (group <= 1) return points_;
  std::vector<std::pair<double, double>> fewer;
  for (std::size_t begin = 0; begin < points_.size(); begin += group) {
    const std::size_t end = std::min(points_.size(), begin + group);
    double x = 0, y = 0;
    for (std::size_t i = begin; i < end; ++i) x += points_[i].first, y += points_[i].second;
    fewer.emplace_back(x / static_cast<double>(end - begin), y / static_cast<double>(end - begin));
  }
  return fewer;
}

void ReportRun::take(const Metric& metric) {
  if (const auto* taken = std::get_if<StepMetric>(&metric)) {
    full_.take(*taken);
    step = full_.step();
    images_ += static_cast<double>(taken->examples);
    loss.add(images_, taken->loss);
    divergence_.take(taken->loss);
  } else if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
    accuracy.add(images_, eval->testAccuracy);
  }
}

std::string Report::html(const ReportLanguage& language) const {
  const auto words = [&](const char* english) { return language.words(english); };
  std::string title = words(!areOneExperiment(runs) ? LAB_WORDS("%1 runs side by side")
                            : runs.size() == 1      ? LAB_WORDS("The same experiment under %1 strategy")
                                                    : LAB_WORDS("The same experiment under %1 strategies"));
  title.replace(title.find("%1"), 2, std::to_string(runs.size()));
  std::string html =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
      "lang=\"" +
      language.code + "\"><head><meta charset=\"UTF-8\"/><meta name=\"viewport\" content=\"width=device-width\"/>" +
      cell("title", words(LAB_WORDS("Strategies compared"))) + "<style>" + kStyle + "</style></head><body>\n" +
      cell("h1", title) + "\n";
  html += cell(
      "p", "StrategyLab " + version + (runs.empty() ? "" : "; " + words(LAB_WORDS("data")) + ": " + dataOf(runs)) +
               ". " +
               words(LAB_WORDS("Modelled times and rates come from the timing model of the chosen devices; "
                               "measured ones come from the computer that ran this.")) +
               " " +
               words(LAB_WORDS(
                   "A steady rate counts only full batches; the mean of a run includes the remainder of each epoch.")));
  for (const std::string& note : notes) html += cell("p", note);
  html += "<div class=\"wide\"><table>\n";
  for (std::size_t i = 0; i < heads.size(); ++i) {  // a run is a column, because there are more figures than runs
    html += "<tr>" + cell("th", heads[i]);
    for (const ReportRun& run : runs) html += cell(i == 0 ? "th" : "td", i < run.cells.size() ? run.cells[i] : "");
    html += "</tr>\n";
  }
  html += "</table></div>\n" + breakdownOf(*this, language) + tracesOf(*this, language) +
          cell("h2", words(LAB_WORDS("Curves"))) + "\n" + legendOf(runs, language) +
          chartOf(words(LAB_WORDS("Loss of the training batches")), runs, &ReportRun::loss, language) +
          chartOf(words(LAB_WORDS("Accuracy on the test images")), runs, &ReportRun::accuracy, language) +
          settingsOf(runs, language) + programsOf(runs, language);
  return html + "</body></html>\n";
}

}  // namespace lab
