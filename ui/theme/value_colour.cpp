// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/value_colour.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/at.h"
#include "ui/theme/theme.h"

namespace lab::theme {
namespace {

constexpr int kShades = 255;

// From paper to the colour at the end of one sign.
std::array<QRgb, kShades + 1> shadesOf(const QColor& end, const QColor& paper) {
  std::array<QRgb, kShades + 1> shades{};
  for (int i = 0; i <= kShades; ++i) at(shades, i) = mix(end, paper, static_cast<double>(i) / kShades).rgb();
  return shades;
}

struct Shades {
  QRgb paper = 0, positiveEnd = 0, negativeEnd = 0;
  std::array<QRgb, kShades + 1> positive{}, negative{};
};

const Shades& shadesInForce() {
  static Shades shades;
  const Colours& c = colours();
  if (shades.paper != c.panel.rgb() || shades.positiveEnd != c.positive.rgb() || shades.negativeEnd != c.negative.rgb())
    shades = {c.panel.rgb(), c.positive.rgb(), c.negative.rgb(), shadesOf(c.positive, c.panel),
              shadesOf(c.negative, c.panel)};
  return shades;
}

}  // namespace

QRgb valueColour(double value, double scale) {
  const double part = std::isinf(value) ? 1 : scale > 0 ? std::cbrt(std::min(1.0, std::abs(value) / scale)) : 0;
  const auto shade = static_cast<std::size_t>(std::lround(part * kShades));
  const Shades& shades = shadesInForce();
  return value < 0 ? shades.negative[shade] : shades.positive[shade];
}

QRgb strengthColour(double value, double scale) {
  const double part = scale > 0 ? std::clamp(value / scale, 0.0, 1.0) : std::isinf(value) && value > 0 ? 1 : 0;
  return mix(colours().ink, colours().panel, part).rgb();
}

double valueOfColour(QRgb colour, double scale) {
  const Shades& shades = shadesInForce();
  const auto distance = [colour](QRgb other) {
    const int red = qRed(colour) - qRed(other), green = qGreen(colour) - qGreen(other),
              blue = qBlue(colour) - qBlue(other);
    return red * red + green * green + blue * blue;
  };
  double value = 0;
  int least = distance(shades.paper);
  for (int i = 1; i <= kShades; ++i) {
    const double part = static_cast<double>(i) / kShades;
    for (const double sign : {1.0, -1.0}) {
      const int away = distance(at(sign > 0 ? shades.positive : shades.negative, i));
      if (away >= least) continue;
      least = away;
      value = sign * part * part * part * scale;
    }
  }
  return value;
}

double roundedScale(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  const double ten = std::pow(10.0, std::floor(std::log10(largest)));
  for (const double step : {1.0, 2.0, 5.0})
    if (largest <= step * ten * (1 + 1e-9)) return step * ten;
  return 10 * ten;
}

}  // namespace lab::theme
