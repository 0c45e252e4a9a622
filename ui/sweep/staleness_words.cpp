// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/staleness_words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/at.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/sweep/sweep_words.h"

namespace lab {
namespace {

using Cells = std::vector<SweepRun::Cell>;

enum class Reading { Kept, Divided, Synchronous };

struct Readings {
  std::array<const SweepPlot::Curve*, 3> curves{};
  bool several = false;  // two curves of one kind: no single sentence describes all
  const SweepPlot::Curve* of(Reading reading) const { return at(curves, reading); }
};

const SweepRun::Cell& firstOf(const SweepPlot::Point& point, const Cells& cells) {
  return at(cells, point.cell);
}

Readings readingsOf(const SweepPlot& plot, const Cells& cells) {
  Readings found;
  for (const SweepPlot::Curve& curve : plot.curves) {
    const ResolvedSettings& config = firstOf(curve.points.front(), cells).cell.config;
    const Reading reading = strategyInfo(config.strategy).synchronous            ? Reading::Synchronous
                            : config.lrScaling == LearningRateScaling::Staleness ? Reading::Divided
                                                                                 : Reading::Kept;
    const SweepPlot::Curve*& place = at(found.curves, reading);
    found.several = found.several || place != nullptr;
    place = &curve;
  }
  return found;
}

const SweepPlot::Point* at(const SweepPlot::Curve* curve, double x) {
  if (curve == nullptr) return nullptr;
  const auto point = std::ranges::find(curve->points, x, &SweepPlot::Point::x);
  return point == curve->points.end() ? nullptr : &*point;
}

}  // namespace

QString stalenessCaption(const SweepPlot& plot, const Cells& cells) {
  const Readings readings = readingsOf(plot, cells);
  const SweepPlot::Curve* kept = readings.of(Reading::Kept);
  if (readings.several || kept == nullptr || kept->points.size() < 2)
    return lab::tr(
        "More workers mean staler gradients: a step starts from weights that others have changed meanwhile. A rate "
        "divided by the staleness compensates for that.");
  const SweepPlot::Point &few = kept->points.front(), &many = kept->points.back();
  const auto count = [](double x) { return countText(std::llround(x)); };
  QString words = lab::tr("From %1 to %2 workers accuracy goes from %3 to %4 at an unchanged rate")
                      .arg(count(few.x), count(many.x), percentText(few.y), percentText(many.y));
  const auto& tally = firstOf(many, cells).result;
  if (tally && tally->staleness)
    words += QStringLiteral(": ") +
             lab::tr("a gradient has missed %1 updates on average").arg(numberText(*tally->staleness, 'f', 1));
  words += QLatin1Char('.');
  if (const SweepPlot::Point* divided = at(readings.of(Reading::Divided), many.x))
    words += QLatin1Char(' ') + lab::tr("Divided by the staleness, the rate gives %1.").arg(percentText(divided->y));
  if (const SweepPlot::Point* alike = at(readings.of(Reading::Synchronous), many.x)) {
    const SweepRun::Cell& cell = firstOf(*alike, cells);
    const QString name = strategyShortName(strategyInfo(cell.cell.config.strategy));
    const bool asMany = tally && cell.result && tally->examples == cell.result->examples;
    words += QLatin1Char(' ') +
             (asMany ? lab::tr("%1 on as many images, with no stale gradients: %2.").arg(name, percentText(alike->y))
                     : lab::tr("%1, with no stale gradients: %2.").arg(name, percentText(alike->y)));
  }
  return words;
}

}  // namespace lab
