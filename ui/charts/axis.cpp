// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis.h"

#include <algorithm>
#include <cmath>

#include "ui/i18n/words.h"

namespace lab {

double roundStep(double maximum, int count) {
  const double raw = maximum / count;
  if (!std::isfinite(raw) || raw <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

Range roundRange(Range values, int count) {
  if (!(values.length() > 0)) {
    const double room = values.from == 0 ? 1 : std::abs(values.from) * 0.1;
    values = {values.from - room, values.to + room};
  }
  const double step = roundStep(values.length(), count);
  return {step * std::floor(values.from / step * (1 + 1e-12)), step * std::ceil(values.to / step * (1 - 1e-12))};
}

QString shortNumber(double value) {
  const double size = std::abs(value);
  const auto digits = [](double number) { return numberText(number, 'g', 4); };
  if (size != 0 && (size < 1e-3 || size >= 1e15)) return numberText(value, 'g', 3);
  if (size >= 1e9) return digits(value / 1e9) + QStringLiteral(" G");
  if (size >= 1e6) return digits(value / 1e6) + QStringLiteral(" M");
  if (size >= 1e4) return digits(value / 1e3) + QStringLiteral(" k");
  return digits(value);
}

std::vector<Tick> linearTicks(Range range, int count, bool whole) {
  std::vector<Tick> ticks;
  double step = roundStep(range.length(), std::max(count, 1));
  if (whole) step = std::ceil(step * (1 - 1e-9));  // 2.5 becomes 3, 25 stays
  constexpr int kMost = 50;
  double at = step * std::ceil(range.from / step - 1e-9);
  for (int i = 0; i < kMost && at <= range.to + 1e-9 * step; ++i, at += step) {
    const double value = std::abs(at) < 1e-9 * step ? 0 : at;
    // As many digits as distinguish two neighbouring lines.
    const int digits =
        std::clamp(static_cast<int>(std::ceil(std::log10(std::max(std::abs(value), step) / step) + 1.6)), 3, 12);
    ticks.push_back(
        {value, std::abs(value) >= 1e4 || digits <= 4 ? shortNumber(value) : numberText(value, 'g', digits)});
  }
  // Large values close together would look the same without the digits that k and M leave out.
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    if (ticks[i].text != ticks[i - 1].text) continue;
    for (Tick& tick : ticks) tick.text = numberText(tick.at, 'g', 10);
    break;
  }
  return ticks;
}

namespace {

// The ends of a logarithmic axis, as powers of ten: the quotient of two such ends is a finite number, and not 0.
constexpr double kFirstDecade = -150, kLastDecade = 150;

double withinDecades(double decade) {
  return std::clamp(decade, kFirstDecade, kLastDecade - 1);  // an axis has at least one decade
}

}  // namespace

double logFoot(double smallest) {
  return smallest > 0 ? std::pow(10, withinDecades(std::floor(std::log10(smallest)) - 1)) : 0.1;
}

Range logRange(double smallest, double largest) {
  const double from = withinDecades(std::floor(std::log10(smallest) + 1e-12)),
               to = std::min(std::ceil(std::log10(largest) - 1e-12), kLastDecade);
  return {std::pow(10, from), std::pow(10, std::max(to, from + 1))};
}

std::vector<Tick> logTicks(Range range, int count) {
  std::vector<Tick> ticks;
  const double first = std::log10(range.from), last = std::log10(range.to);
  if (!(last > first) || !std::isfinite(first) || !std::isfinite(last)) return ticks;  // it would not end
  // A tick at every n-th power of ten, or, if there is room, also at two and five times each power.
  const int every = std::max(1, static_cast<int>(std::ceil((last - first) / std::max(count, 1))));
  const bool fine = (last - first) * 3 <= count + 1;
  for (double decade = std::floor(first); decade <= last + 1e-9; ++decade) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && !fine) break;
      const double at = factor * std::pow(10, decade);
      if (at < range.from * (1 - 1e-9) || at > range.to * (1 + 1e-9)) continue;
      const bool format = factor > 1 || static_cast<long>(decade) % every == 0;
      ticks.push_back({at, format ? shortNumber(at) : QString()});
    }
  }
  return ticks.size() >= 2 ? ticks : linearTicks(range, count);
}

}  // namespace lab
