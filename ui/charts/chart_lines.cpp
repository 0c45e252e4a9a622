// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_lines.h"

#include <algorithm>
#include <utility>

#include "ui/runs/run_colours.h"
#include "ui/runs/run_library.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kFewPoints = 20;  // with fewer points, each is marked
// Opacity of earlier runs' lines: noisy ones become as faint as theme::faint lets them, so smoothed and test lines must
// stay clearly above that to be seen on them.
constexpr double kFaded = 0.5, kFadedLittle = 0.92;
constexpr double kBold = 1.7;  // factor for the width of a bold line

bool noisy(ChartLines::Kind kind) {
  return kind == ChartLines::Kind::Each;
}

const Curve& curveOfKind(const RunCurves& curves, ChartLines::Kind kind) {
  return noisy(kind) ? curves.each() : kind == ChartLines::Kind::Smoothed ? curves.smoothed() : curves.test();
}

}  // namespace

ChartLines::ChartLines(Quantity quantity, RunLibrary& library)
    : quantity_(quantity), each_(wordsOf(quantity).each), library_(library) {}

void ChartLines::setOptions(const ChartOptions& options) {
  const bool other = options.axis != options_.axis || options.smoothing != options_.smoothing;
  options_ = options;
  if (!other) return;
  curves_.clear();
  lines_.clear();
}

bool ChartLines::follow() {
  bool more = matchRuns();
  for (RunCurves& curves : curves_) more = curves.follow() || more;
  return more;
}

bool ChartLines::isBehind() const {
  return std::ranges::any_of(curves_, &RunCurves::isBehind);
}

const Curve& ChartLines::curveOf(const Line& line) const {
  return curveOfKind(curves_[line.curves], line.kind);
}

const Curve* ChartLines::curve(int run, Kind kind) const {
  const auto found = std::ranges::find(curves_, run, &RunCurves::run);
  return found == curves_.end() ? nullptr : &curveOfKind(*found, kind);
}

bool ChartLines::matchRuns() {
  std::vector<const KeptRun*> wanted;
  for (const KeptRun& run : library_.runs())
    if (library_.isCharted(run)) wanted.push_back(&run);
  if (std::ranges::equal(wanted, curves_, {}, &KeptRun::id, &RunCurves::run)) return false;
  const auto curvesOf = [this](const KeptRun* run) { return std::ranges::find(curves_, run->id, &RunCurves::run); };
  std::vector<RunCurves> added, kept;  // those that are added first: if one throws, the others must still be here
  for (const KeptRun* run : wanted)
    if (curvesOf(run) == curves_.end()) added.emplace_back(run->id, run->metrics, quantity_, options_);
  kept.reserve(wanted.size());
  auto next = added.begin();
  for (const KeptRun* run : wanted) {
    const auto found = curvesOf(run);
    kept.push_back(std::move(found != curves_.end() ? *found : *next++));
  }
  curves_ = std::move(kept);
  chooseLooks();  // a click may come before the next paint
  return true;
}

// Earlier runs fade beside the run on the stage, which is bold. Noisy lines lie below those that one reads.
void ChartLines::chooseLooks() {
  const theme::Colours& colours = theme::colours();
  const double em = theme::textSize();
  const bool smooth = options_.smoothing > 0, tested = isTested(quantity_);
  const bool hasPresent = curve(library_.presentId(), Kind::Each) != nullptr;
  lines_.clear();
  for (const Kind kind : {Kind::Each, Kind::Smoothed, Kind::Test}) {
    if ((kind == Kind::Smoothed && !smooth) || (kind == Kind::Test && !tested)) continue;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      const int id = curves_[i].run();
      const KeptRun* run = library_.find(id);
      const bool present = id == library_.presentId(), earlier = hasPresent && !present && !library_.beside().has(id);
      double share = noisy(kind) && (smooth || tested) ? (smooth ? 0.35 : 0.6) : 1;
      if (earlier) share *= noisy(kind) ? kFaded : kFadedLittle;
      const QColor own = run == nullptr ? colours.ink : runColour(run->colour);
      const double width = (noisy(kind) ? 0.09 : 0.14) * em * (present && curves_.size() > 1 ? kBold : 1);
      const bool marked =
          (noisy(kind) ? curves_[i].each() : curves_[i].test()).size() < kFewPoints && kind != Kind::Smoothed;
      lines_.push_back({i,
                        kind,
                        {share < 1 ? theme::faint(own, share) : own, width, marked ? 0.3 * em : 0,
                         run == nullptr ? Qt::SolidLine : runStyle(run->colour)}});
    }
  }
}

std::vector<Plot::Exit> ChartLines::exits(double top) const {
  std::vector<Plot::Exit> exits;
  for (const RunCurves& curves : curves_) {
    const std::optional<double> at = curves.divergesAt();
    if (!at) continue;
    const KeptRun* run = library_.find(curves.run());
    // Zooming may bring it back onto the axis.
    const Curve& each = curves.each();
    const std::size_t nearest = each.empty() ? 0 : each.nearest(*at);
    if (!each.empty() && each.x(nearest) == *at && each.y(nearest) <= top) continue;
    exits.push_back({*at, run == nullptr ? theme::colours().ink : runColour(run->colour), tr("diverged")});
  }
  return exits;
}

std::optional<double> ChartLines::batchLine() const {
  if (quantity_ != Quantity::NoiseScale) return std::nullopt;
  std::optional<double> batch;
  for (const RunCurves& curves : curves_) {
    const KeptRun* run = library_.find(curves.run());
    if (run == nullptr || !run->resolved.noiseScale || run->resolved.globalBatch == 0) continue;
    batch = static_cast<double>(run->resolved.globalBatch);
    if (run->id == library_.presentId()) break;
  }
  return batch;
}

// A run that has gone on, but has no line in this quantity, will have none.
bool ChartLines::isAwaited() const {
  const KeptRun* present = library_.find(library_.presentId());
  const auto hasLine = [](const RunCurves& curves) { return curves.each().size() > 1 || curves.test().size() > 1; };
  return present != nullptr && present->metrics->steps.size() <= 1 && !std::ranges::any_of(curves_, hasLine);
}

QString ChartLines::nameOf(const Line& line) const {
  const QString kind = line.kind == Kind::Test ? tr("test") : line.kind == Kind::Smoothed ? tr("smoothed") : each_;
  if (curves_.size() < 2) return kind;
  const KeptRun* run = library_.find(curves_[line.curves].run());
  return run == nullptr ? kind : tr("%1, %2").arg(library_.nameOf(*run), kind);
}

std::vector<PlotHead::Entry> ChartLines::entries() const {
  std::vector<PlotHead::Entry> entries;
  if (curves_.size() < 2) {
    if (lines_.size() > 1)
      for (const Line& line : lines_) entries.push_back({line.look.colour, nameOf(line)});
  } else {
    for (auto curves = curves_.rbegin(); curves != curves_.rend(); ++curves)
      if (const KeptRun* run = library_.find(curves->run()))
        entries.push_back({runColour(run->colour), library_.nameOf(*run), runStyle(run->colour)});
  }
  return entries;
}

}  // namespace lab
