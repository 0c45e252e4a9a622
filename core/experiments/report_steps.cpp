// SPDX-License-Identifier: GPL-3.0-or-later
// The report's parts about single steps: bars, bills and traces. Each part has one scale for all runs.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/at.h"
#include "core/base/message.h"
#include "core/experiments/report_parts.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

struct Part {
  const char *name, *colour;
  std::int64_t StepMetric::*ns;
};
constexpr std::array<Part, 7> kParts{{{LAB_WORDS("compute"), "#0072b2", &StepMetric::computeNs},
                                      {LAB_WORDS("communication"), "#d55e00", &StepMetric::communicationNs},
                                      {LAB_WORDS("input"), "#e69f00", &StepMetric::inputNs},
                                      {LAB_WORDS("server queue"), "#cc79a7", &StepMetric::queueNs},
                                      {LAB_WORDS("straggler"), "#009e73", &StepMetric::stragglerNs},
                                      {LAB_WORDS("launch"), "#888888", &StepMetric::launchNs},
                                      {LAB_WORDS("a dead task"), "#000000", &StepMetric::faultNs}}};

bool isThere(const std::vector<ReportRun>& runs, const Part& part) {
  return std::ranges::any_of(runs, [&](const ReportRun& run) { return run.step && (*run.step).*part.ns > 0; });
}

constexpr std::array kSpanKinds{SpanKind::Compute, SpanKind::Update, SpanKind::Transfer, SpanKind::Reduce,
                                SpanKind::Wait,    SpanKind::Input,  SpanKind::Startup};

struct SpanLook {
  const char *name, *colour;
};
SpanLook spanLook(SpanKind kind) {
  switch (kind) {
    case SpanKind::Compute:
      return {LAB_WORDS("compute"), "#0072b2"};
    case SpanKind::Update:
      return {LAB_WORDS("update"), "#56b4e9"};
    case SpanKind::Transfer:
      return {LAB_WORDS("transfer"), "#d55e00"};
    case SpanKind::Reduce:
      return {LAB_WORDS("gradients added"), "#cc79a7"};
    case SpanKind::Wait:
      return {LAB_WORDS("wait"), "#c8c8c8"};
    case SpanKind::Input:
      return {LAB_WORDS("input"), "#e69f00"};
    case SpanKind::Startup:
      break;
  }
  return {LAB_WORDS("start-up"), "#888888"};
}

std::string mark(const char* colour) {
  return "<i style=\"background:" + std::string(colour) + "\"></i> ";
}

std::string svgNumber(double value) {
  return formatFixed(value, 1);
}

std::string difference(const ReportLanguage& language, std::int64_t ns) {
  if (ns == 0) return "0";
  return (ns < 0 ? "\u2212" : "+") + language.duration(std::abs(ns));
}

// Returns what 9 in 10 similar published steps would take if the model gave all of them this length.
std::optional<std::pair<double, double>> publishedNs(const ReportRun& run, std::int64_t stepNs) {
  if (!run.band) return std::nullopt;
  const auto ns = static_cast<double>(stepNs);
  return std::pair{ns * (1 + run.band->low), ns * (1 + run.band->high)};
}

// Returns "step 16, 256 images": a step's time is never shown without them.
std::string stepWords(const ReportLanguage& language, std::int64_t step, std::int64_t examples) {
  return language.words(LAB_WORDS("step")) + " " + shortNumber(language, static_cast<double>(step)) + ", " +
         shortNumber(language, static_cast<double>(examples)) + " " + language.words(LAB_WORDS("images"));
}

// Returns false for asynchronous strategies: a worker's step is longer than the update that its trace shows.
bool isWholeStep(const ReportRun& run) {
  return strategyInfo(run.config.strategy).synchronous;
}

std::optional<std::pair<double, double>> tracedBand(const ReportRun& run) {
  return isWholeStep(run) ? publishedNs(run, run.trace->endNs) : std::nullopt;
}

// Returns the length of the picture; for an asynchronous step also the worker's cycle, which the bars show.
std::string tracedTime(const ReportRun& run, const ReportLanguage& language) {
  const std::string shown = language.duration(run.trace->endNs);
  if (isWholeStep(run)) return shown;
  std::string words = language.words(LAB_WORDS("%1 since the update before, of its worker's %2"));
  words.replace(words.find("%2"), 2, language.duration(run.traceStepNs));
  return words.replace(words.find("%1"), 2, shown);
}

// Returns the same as numbers, with the differences to the baseline.
std::string breakdownTable(const Report& report, const ReportLanguage& language) {
  const ReportRun* base = report.baseline < report.runs.size() ? &report.runs[report.baseline] : nullptr;
  if (base != nullptr && !base->step) base = nullptr;
  std::string heads = "<tr><th></th>", rows;
  for (const ReportRun& run : report.runs) {
    if (!run.step) continue;
    heads += cell("th", run.name + ": " + stepWords(language, run.step->step, run.step->examples));
    if (base != nullptr && &run != base) heads += cell("th", "\u2212 " + base->name);
  }
  const auto row = [&](const char* name, std::int64_t StepMetric::*ns) {
    rows += "<tr>" + cell("th", language.words(name));
    for (const ReportRun& run : report.runs) {
      if (!run.step) continue;
      rows += cell("td", language.duration((*run.step).*ns));
      if (base != nullptr && &run != base)
        rows += cell("td", run.step->clock == base->step->clock
                               ? difference(language, (*run.step).*ns - (*base->step).*ns)
                               : std::string("\u2013"));  // measured and modelled times are never compared
    }
    rows += "</tr>\n";
  };
  for (const Part& part : kParts)
    if (isThere(report.runs, part)) row(part.name, part.ns);
  row(LAB_WORDS("step"), &StepMetric::stepNs);
  if (std::ranges::any_of(report.runs, [](const ReportRun& run) { return run.band && run.step; })) {
    rows += "<tr>" + cell("th", language.words(LAB_WORDS("9 in 10 published steps like it")));
    for (const ReportRun& run : report.runs) {
      if (!run.step) continue;
      const auto band = publishedNs(run, run.step->stepNs);
      rows += cell("td", band ? language.duration(std::llround(band->first)) + " \u2013 " +
                                    language.duration(std::llround(band->second))
                              : "\u2013");
      if (base != nullptr && &run != base) rows += "<td></td>";
    }
    rows += "</tr>\n";
  }
  return "<div class=\"wide\"><table>\n" + heads + "</tr>\n" + rows + "</table></div>\n";
}

constexpr double kTraceWidth = 760, kTraceLeft = 190, kTraceRoom = 40, kTrackHeight = 12, kAxisHeight = 20;
constexpr int kMostTraceTracks = 28;

// Draws one track's bars; spans of a kind that touch at this size become one.
std::string barsOf(std::span<const Span> spans, double rightNs, double y) {
  struct Bar {
    double from = 0, to = -1;
  };
  const double scale = (kTraceWidth - kTraceLeft - kTraceRoom) / rightNs;
  std::string svg;
  for (const SpanKind kind : kSpanKinds) {
    Bar bar;
    const auto draw = [&] {
      if (bar.to > bar.from)
        svg += "<rect x=\"" + formatFixed(kTraceLeft + bar.from, 2) + "\" y=\"" + svgNumber(y) + "\" width=\"" +
               formatFixed(std::max(bar.to - bar.from, 0.3), 2) + "\" height=\"" + svgNumber(kTrackHeight - 3) +
               "\" fill=\"" + spanLook(kind).colour + "\"/>";
    };
    for (const Span& span : spans) {
      if (span.kind != kind) continue;
      const double from = std::clamp(static_cast<double>(span.startNs), 0.0, rightNs) * scale;
      const double to = std::clamp(static_cast<double>(span.startNs + span.durationNs), 0.0, rightNs) * scale;
      if (bar.to >= bar.from && from - bar.to < 0.4) {
        bar.to = std::max(bar.to, to);
        continue;
      }
      draw();
      bar = {from, to};
    }
    draw();
  }
  return svg + "\n";
}

// Draws a line with end marks below the tracks, and a mark where the modelled step ends.
std::string bandLine(const std::pair<double, double>& band, double stepNs, double rightNs, double y) {
  const double scale = (kTraceWidth - kTraceLeft - kTraceRoom) / rightNs;
  const auto x = [&](double ns) { return svgNumber(kTraceLeft + ns * scale); };
  const std::string top = svgNumber(y - 4), low = svgNumber(y + 4), middle = svgNumber(y);
  return "<path stroke=\"#111111\" stroke-width=\"1.4\" fill=\"none\" d=\"M" + x(band.first) + " " + top + "V" + low +
         "M" + x(band.first) + " " + middle + "H" + x(band.second) + "M" + x(band.second) + " " + top + "V" + low +
         "\"/><circle cx=\"" + x(stepNs) + "\" cy=\"" + middle + "\" r=\"3\" fill=\"#111111\"/>\n";
}

std::string traceOf(const ReportRun& run, double rightNs, const ReportLanguage& language) {
  const Timeline& trace = *run.trace;
  std::string tracks;
  double y = 4;
  int left = 0;
  const auto label = [&](const std::string& words) {
    return "<text x=\"" + svgNumber(kTraceLeft - 8) + "\" y=\"" + svgNumber(y + kTrackHeight - 4) +
           "\" text-anchor=\"end\">" + escaped(words) + "</text>";
  };
  for (int track = 0; track < trace.tracks(); ++track) {
    const std::string bars = barsOf(trace.track(track), rightNs, y);
    if (bars == "\n") continue;
    if (y > kMostTraceTracks * kTrackHeight && ++left > 0) continue;
    const std::string name = language.message(at(trace.legend.tracks, track).name);
    tracks += label(name.substr(0, name.find(" \u00b7 "))) + bars;  // omits the kind of link, which the settings name
    y += kTrackHeight;
  }
  if (const auto band = tracedBand(run)) {
    tracks += label(language.words(LAB_WORDS("published"))) +
              bandLine(*band, static_cast<double>(trace.endNs), rightNs, y + kTrackHeight / 2);
    y += kTrackHeight;
  }
  std::string axis;
  const double scale = (kTraceWidth - kTraceLeft - kTraceRoom) / rightNs;
  for (const double tick : ticksOf(0, rightNs))
    axis += "<path stroke=\"#dddddd\" d=\"M" + svgNumber(kTraceLeft + tick * scale) + " 2V" + svgNumber(y + 3) +
            "\"/><text x=\"" + svgNumber(kTraceLeft + tick * scale) + "\" y=\"" + svgNumber(y + 15) +
            "\" text-anchor=\"middle\">" + escaped(language.duration(std::llround(tick))) + "</text>\n";
  const std::string height = svgNumber(y + kAxisHeight);
  std::string html = "<svg class=\"trace\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                     svgNumber(kTraceWidth) + " " + height + "\" role=\"img\"><title>" + escaped(run.name) +
                     "</title>\n" + axis + tracks + "</svg>\n";
  if (left > 0) {
    std::string more = language.words(LAB_WORDS("%1 more tracks are not drawn."));
    more.replace(more.find("%1"), 2, std::to_string(left));
    html += cell("p", more) + "\n";
  }
  return html;
}

}  // namespace

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

std::string cell(const std::string& tag, const std::string& text, const std::string& attributes) {
  return "<" + tag + attributes + ">" + escaped(text) + "</" + tag + ">";
}

// Returns about five round values within a range.
std::vector<double> ticksOf(double low, double high) {
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step) * step; tick <= high + step * 1e-9; tick += step)
    ticks.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  return ticks;
}

std::string shortNumber(const ReportLanguage& language, double value) {
  if (language.number) return language.number(value);
  return std::abs(value) >= 1000 ? formatCount(std::llround(value)) : shortest(std::round(value * 1e6) / 1e6);
}

std::string breakdownOf(const Report& report, const ReportLanguage& language) {
  const std::vector<ReportRun>& runs = report.runs;
  std::int64_t longest = 1;
  for (const ReportRun& run : runs)
    if (run.step) longest = std::max(longest, run.step->stepNs);
  std::string html = cell("h2", language.words(LAB_WORDS("Where a step's time went")), " class=\"newpage\"") +
                     "\n<p class=\"legend\">";
  for (const Part& part : kParts)
    if (isThere(runs, part))
      html += "<span><i style=\"background:" + std::string(part.colour) + "\"></i> " +
              escaped(language.words(part.name)) + "</span> ";
  html += "</p>\n<table class=\"bars\">\n";
  for (const ReportRun& run : runs) {
    if (!run.step) continue;
    const StepMetric& step = *run.step;
    html += "<tr>" + cell("th", run.name) + "<td class=\"bar\">";
    for (const Part& part : kParts) {
      const std::int64_t ns = step.*part.ns;
      if (ns <= 0) continue;
      const double share = static_cast<double>(ns) / static_cast<double>(longest);
      html += "<i style=\"background:" + std::string(part.colour) + ";width:" + formatFixed(100 * share, 3) +
              "%\" title=\"" + escaped(language.words(part.name)) + ": " + language.duration(ns) + "\"></i>";
    }
    html += "</td>" +
            cell("td", language.duration(step.stepNs) + " " +
                           language.words(step.clock == TimeSource::Modelled ? LAB_WORDS("modelled")
                                                                             : LAB_WORDS("measured")) +
                           ", " + stepWords(language, step.step, step.examples)) +
            "</tr>\n";
  }
  return html + "</table>\n" + breakdownTable(report, language);
}

std::string tracesOf(const Report& report, const ReportLanguage& language) {
  double rightNs = 0;
  for (const ReportRun& run : report.runs) {
    if (!run.trace) continue;
    rightNs = std::max(rightNs, static_cast<double>(run.trace->endNs));
    if (const auto band = tracedBand(run)) rightNs = std::max(rightNs, band->second);
  }
  if (rightNs <= 0) return "";
  std::string html = cell("h2", language.words(LAB_WORDS("The steps on one scale"))) + "\n<p class=\"legend\">";
  for (const SpanKind kind : kSpanKinds) {
    const bool any = std::ranges::any_of(report.runs, [&](const ReportRun& run) {
      return run.trace && std::ranges::find(run.trace->spans, kind, &Span::kind) != run.trace->spans.end();
    });
    if (any) html += "<span>" + mark(spanLook(kind).colour) + escaped(language.words(spanLook(kind).name)) + "</span> ";
  }
  html += "</p>\n";
  for (const ReportRun& run : report.runs) {
    if (!run.trace) continue;
    const bool modelled = run.trace->clock == TimeSource::Modelled;
    html += cell("h3", run.name + ": " + stepWords(language, run.traceStep, run.traceExamples) + ", " +
                           tracedTime(run, language) + ", " +
                           language.words(modelled ? LAB_WORDS("modelled") : LAB_WORDS("measured"))) +
            "\n" + traceOf(run, rightNs, language);
  }
  return html;
}

}  // namespace lab
