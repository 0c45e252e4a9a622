// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <variant>
#include <vector>

#include "app/cli/cli.h"
#include "core/base/platform.h"
#include "core/base/units.h"

namespace lab::cli {

std::string bar(double share, int width) {
  const int full = std::clamp(static_cast<int>(share * width), 0, width);
  return "[" + std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(width - full), '-') + "]";
}

namespace {

// One or a few words, and when they are left out for lack of room: higher ranks first, rank 0 never.
struct LinePart {
  std::string text;
  int rank = 0;
};

// Keeps whole parts, as many as fit: half a number could be read as another one, and without its name as any.
std::string fitted(std::vector<LinePart> parts, std::size_t room) {
  const auto joined = [&] {
    std::string line;
    for (const LinePart& part : parts) line += (line.empty() ? "" : " ") + part.text;
    return line;
  };
  std::string line = joined();
  while (line.size() > room) {
    const auto first = std::ranges::max_element(parts, {}, &LinePart::rank);
    if (first->rank == 0) return "";
    parts.erase(first);
    line = joined();
  }
  return line;
}

}  // namespace

Progress::Progress(const RunInfo& info, const std::optional<SteadyStep>& steady, std::string name, bool quiet)
    : totalSteps_(info.totalSteps), name_(std::move(name)), columns_(quiet ? 0 : terminalColumns(stderr)) {
  if (steady) steadyPerSecond_ = steady->imagesPerSecond;
}

Progress::~Progress() {
  clear();
}

void Progress::show(const Metric& metric) {
  if (const auto* step = std::get_if<StepMetric>(&metric)) {
    if (columns_ > 0) showStep(*step);
  } else if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
    clear();
    say(name_ + ": step " + formatCount(eval->step) + " of " + formatCount(totalSteps_) + ": test loss " +
        formatFixed(eval->testLoss, 4) + ", test accuracy " + formatPercent(eval->testAccuracy));
  }
}

void Progress::showStep(const StepMetric& metric) {
  images_ += metric.examples;
  wallNs_ += metric.wallNs;
  const auto now = std::chrono::steady_clock::now();
  if (drawn_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;

  const double rate = wallNs_ > 0 ? static_cast<double>(images_) * 1e9 / static_cast<double>(wallNs_) : 0;
  const double share = static_cast<double>(metric.step) / static_cast<double>(std::max<std::int64_t>(1, totalSteps_));
  std::vector<LinePart> parts{{bar(share, 12), 6},
                              {"epoch " + formatFixed(metric.epoch, 2), 3},
                              {"step " + std::to_string(metric.step) + "/" + std::to_string(totalSteps_), 0},
                              {"loss " + formatFixed(metric.loss, 4), 1},
                              {"acc " + formatPercent(metric.accuracy), 4},
                              {formatRounded(rate) + " img/s measured", 5}};
  if (steadyPerSecond_) parts.push_back({formatRounded(*steadyPerSecond_) + " img/s modelled, steady", 2});
  images_ = wallNs_ = 0;
  // A line that wraps cannot be rewritten. It is plain ASCII, so bytes are columns.
  const std::string line = fitted(std::move(parts), static_cast<std::size_t>(columns_ - 1));
  std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
}

void Progress::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace lab::cli
