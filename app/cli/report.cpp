// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/units.h"
#include "core/program/program.h"
#include "core/run/run_config.h"

namespace lab::cli {
namespace {

// Okabe and Ito's colours, which colour-blind people distinguish too. Dashes besides: curves that lie on one another,
// as those of equal strategies do, show through.
constexpr std::array<const char*, 8> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                              "#56b4e9", "#e69f00", "#000000", "#8c6d31"};
constexpr std::array<const char*, 4> kDashes{"none", "7 3", "2 3", "9 3 2 3"};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string cell(const std::string& tag, const std::string& text, const std::string& attributes = "") {
  return "<" + tag + attributes + ">" + escaped(text) + "</" + tag + ">";
}

std::string lineStyle(std::size_t run) {
  return "stroke=\"" + std::string(kColours[run % kColours.size()]) + "\" stroke-dasharray=\"" +
         kDashes[run % kDashes.size()] + "\" fill=\"none\" stroke-width=\"1.8\"";
}

// About five round values within a range.
std::vector<double> ticksOf(double low, double high) {
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step) * step; tick <= high + step * 1e-9; tick += step)
    ticks.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  return ticks;
}

std::string shortNumber(double value) {
  return std::abs(value) >= 1000 ? formatCount(std::llround(value)) : shortest(std::round(value * 1e6) / 1e6);
}

std::string chartOf(const std::string& title, const std::vector<ReportRun>& runs, const Curve ReportRun::*curve) {
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
           shortNumber(tick) + "</text>\n";
  for (const double tick : ticksOf(0, right))
    svg += "<text x=\"" + at(x(tick)) + "\" y=\"" + at(kHeight - kBottom + 16) + "\" text-anchor=\"middle\">" +
           shortNumber(tick) + "</text>\n";
  svg += "<text x=\"" + at((kLeft + kWidth) / 2) + "\" y=\"" + at(kHeight - 4) +
         "\" text-anchor=\"middle\">images seen</text>\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    std::string path;
    for (const auto& [px, py] : lines[i]) path += (path.empty() ? "M" : "L") + at(x(px)) + " " + at(y(py));
    if (lines[i].size() == 1) path += "h0.1";  // a dot
    svg += "<path class=\"curve\" " + lineStyle(i) + " d=\"" + path + "\"><title>" + escaped(runs[i].name) +
           "</title></path>\n";
  }
  return svg + "</svg>\n";
}

std::string legendOf(const std::vector<ReportRun>& runs) {
  std::string html = "<p class=\"legend\">";
  for (std::size_t i = 0; i < runs.size(); ++i)
    html += "<span><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"10\"><path class=\"curve\" " +
            lineStyle(i) + " d=\"M0 5H30\"/></svg> " + escaped(runs[i].name) + "</span> ";
  return html + "</p>\n";
}

// Where the last step's time went; the parts sum to it.
std::string breakdownOf(const std::vector<ReportRun>& runs) {
  struct Part {
    const char *name, *colour;
    std::int64_t StepMetric::*ns;
  };
  static constexpr std::array<Part, 6> kParts{{{"compute", "#0072b2", &StepMetric::computeNs},
                                               {"communication", "#d55e00", &StepMetric::communicationNs},
                                               {"input", "#e69f00", &StepMetric::inputNs},
                                               {"server queue", "#cc79a7", &StepMetric::queueNs},
                                               {"straggler", "#009e73", &StepMetric::stragglerNs},
                                               {"launch", "#888888", &StepMetric::launchNs}}};
  std::int64_t longest = 1;
  for (const ReportRun& run : runs)
    if (run.outcome.lastStep) longest = std::max(longest, run.outcome.lastStep->stepNs);
  std::string html = "<h2>Where the last step's time went</h2>\n<p class=\"legend\">";
  for (const Part& part : kParts)
    html += "<span><i style=\"background:" + std::string(part.colour) + "\"></i> " + part.name + "</span> ";
  html += "</p>\n<table class=\"bars\">\n";
  for (const ReportRun& run : runs) {
    if (!run.outcome.lastStep) continue;
    const StepMetric& step = *run.outcome.lastStep;
    html += "<tr>" + cell("th", run.name) + "<td class=\"bar\">";
    for (const Part& part : kParts) {
      const std::int64_t ns = step.*part.ns;
      if (ns <= 0) continue;
      const double share = static_cast<double>(ns) / static_cast<double>(longest);
      html += "<i style=\"background:" + std::string(part.colour) + ";width:" + formatFixed(100 * share, 3) +
              "%\" title=\"" + part.name + ": " + formatDuration(ns) + "\"></i>";
    }
    html += "</td>" +
            cell("td", formatDuration(step.stepNs) + (step.clock == Clock::Modelled ? " modelled" : " measured")) +
            "</tr>\n";
  }
  return html + "</table>\n";
}

std::string settingsOf(const std::vector<ReportRun>& runs) {
  std::string differing, common;
  for (const ConfigField& field : configFields()) {
    if (!field.changesResults && field.name != "steps" && field.name != "epochs" && field.name != "eval-every")
      continue;
    std::vector<std::string> values;
    for (const ReportRun& run : runs) values.push_back(field.get(run.outcome.info.config));
    const bool same = std::ranges::all_of(values, [&](const std::string& value) { return value == values.front(); });
    if (same && values.front().empty()) continue;
    std::string& rows = same ? common : differing;
    rows += "<tr>" + cell("th", field.name);
    if (same)
      rows += cell("td", values.front());
    else
      for (const std::string& value : values) rows += cell("td", value.empty() ? "–" : value);
    rows += "</tr>\n";
  }
  std::string html = "<h2>Settings that differ</h2>\n<div class=\"wide\"><table>\n<tr><th></th>";
  for (const ReportRun& run : runs) html += cell("th", run.name);
  html += "</tr>\n" + differing + "</table></div>\n<details><summary>Settings that all have</summary>\n<table>\n" +
          common + "</table></details>\n";
  return html;
}

std::string programsOf(const std::vector<ReportRun>& runs) {
  std::string html = "<h2>The same in TensorFlow</h2>\n";
  for (const ReportRun& run : runs) {
    const RunConfig& config = run.outcome.info.config;
    const Program program = makeProgram(config, {.loop = config.lossReduction == LossReduction::Loop});
    html += "<details>" + cell("summary", run.name) + cell("pre", program.text()) + "</details>\n";
  }
  return html;
}

constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#111;background:#fff}"
    "pre{overflow-x:auto;font-size:.85em}table{border-collapse:collapse;margin:.5em "
    "0;font-size:.9em}.wide{overflow-x:auto}"
    "th,td{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:right}td{white-space:nowrap}"
    "th:first-child{text-align:left}svg{width:100%;max-width:46em}svg text{font-size:11px;fill:#444}"
    ".legend span{margin-right:1.2em;white-space:nowrap}.legend svg{width:30px}"
    "i{display:inline-block;height:.9em;vertical-align:middle}.legend i{width:.9em}"
    ".bars{width:100%}.bar{width:70%;text-align:left;font-size:0}.bar i{height:18px}";

}  // namespace

void Curve::add(double images, double value) {
  if (std::isfinite(value)) points_.emplace_back(images, value);
}

std::vector<std::pair<double, double>> Curve::points(std::size_t most) const {
  const std::size_t group = (points_.size() + most - 1) / most;
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
  if (const auto* step = std::get_if<StepMetric>(&metric)) {
    images_ += static_cast<double>(step->examples);
    loss.add(images_, step->loss);
  } else if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
    accuracy.add(images_, eval->testAccuracy);
  }
}

std::string Report::html() const {
  std::string html =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
      "lang=\"en\"><head><meta charset=\"UTF-8\"/><meta name=\"viewport\" content=\"width=device-width\"/>"
      "<title>Strategies compared</title><style>" +
      std::string(kStyle) + "</style></head><body>\n<h1>The same experiment under " + std::to_string(runs.size()) +
      (runs.size() == 1 ? " strategy</h1>\n" : " strategies</h1>\n");
  html += cell(
      "p", std::string("StrategyLab ") + STRATEGYLAB_VERSION +
               (runs.empty() ? "" : "; data: " + runs.front().outcome.end.dataset) +
               ". Times and rates that are called modelled are those of the devices that were asked for, by the timing "
               "model; what is called measured is of the computer that ran this.");
  for (const std::string& note : notes) html += cell("p", note);
  html += "<div class=\"wide\"><table>\n<tr>";
  for (const std::string& head : heads) html += cell("th", head);
  html += "</tr>\n";
  for (const ReportRun& run : runs) {
    html += "<tr>";
    for (std::size_t i = 0; i < run.cells.size(); ++i) html += cell(i == 0 ? "th" : "td", run.cells[i]);
    html += "</tr>\n";
  }
  html += "</table></div>\n" + breakdownOf(runs) + "<h2>Curves</h2>\n" + legendOf(runs) +
          chartOf("Loss of the training batches", runs, &ReportRun::loss) +
          chartOf("Accuracy on the test images", runs, &ReportRun::accuracy) + settingsOf(runs) + programsOf(runs);
  return html + "</body></html>\n";
}

}  // namespace lab::cli
