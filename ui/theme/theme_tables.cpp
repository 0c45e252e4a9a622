// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/at.h"

namespace lab::theme {
namespace {

constexpr QColor rgb(int value) {
  return {(value >> 16) & 0xFF, (value >> 8) & 0xFF, value & 0xFF};
}

constexpr Colours kLight{.dark = false,
                         .window = rgb(0xF3F5F8),
                         .panel = rgb(0xFFFFFF),
                         .stage = rgb(0xFBFCFD),
                         .stagePaused = rgb(0xEFF1F4),
                         .ink = rgb(0x1B2430),
                         .quietInk = rgb(0x55606F),
                         .line = rgb(0xDCE1E8),
                         .edge = rgb(0x7F8A99),
                         .accent = rgb(0x1D5FBF),
                         .onAccent = rgb(0xFFFFFF),
                         .second = rgb(0xC25A00),
                         .batchLine = rgb(0x738AAA),
                         .errorInk = rgb(0x8C1D18),
                         .errorGround = rgb(0xFDECEA),
                         .warningInk = rgb(0x6B4600),
                         .warningGround = rgb(0xFFF4DB),
                         .positive = rgb(0x567F00),
                         .negative = rgb(0x951BA0)};

constexpr Colours kDark{.dark = true,
                        .window = rgb(0x15181D),
                        .panel = rgb(0x1F242B),
                        .stage = rgb(0x191D23),
                        .stagePaused = rgb(0x22262D),
                        .ink = rgb(0xE9EDF2),
                        .quietInk = rgb(0xA9B3C0),
                        .line = rgb(0x343B45),
                        .edge = rgb(0x7C8796),
                        .accent = rgb(0x6FA8F5),
                        .onAccent = rgb(0x10141A),
                        .second = rgb(0xFFA658),
                        .batchLine = rgb(0x7890B0),
                        .errorInk = rgb(0xFFB4AB),
                        .errorGround = rgb(0x3D1B19),
                        .warningInk = rgb(0xF4CF8B),
                        .warningGround = rgb(0x382B12),
                        .positive = rgb(0xBCF248),
                        .negative = rgb(0xF58AFF)};

constexpr Colours kHighContrast{.dark = true,
                                .window = rgb(0x000000),
                                .panel = rgb(0x000000),
                                .stage = rgb(0x000000),
                                .stagePaused = rgb(0x1C1C22),
                                .ink = rgb(0xFFFFFF),
                                .quietInk = rgb(0xE0E0E0),
                                .line = rgb(0x8A8A8A),
                                .edge = rgb(0xFFFFFF),
                                .accent = rgb(0xFFE14D),
                                .onAccent = rgb(0x000000),
                                .second = rgb(0xFFB347),
                                .batchLine = rgb(0x9FB8E8),
                                .errorInk = rgb(0xFFC2BA),
                                .errorGround = rgb(0x2A0000),
                                .warningInk = rgb(0xFFE08A),
                                .warningGround = rgb(0x231800),
                                .positive = rgb(0xB2F04A),
                                .negative = rgb(0xF09AFF)};

constexpr Colours kProjector{.dark = false,
                             .window = rgb(0xF2F2F2),
                             .panel = rgb(0xFFFFFF),
                             .stage = rgb(0xFFFFFF),
                             .stagePaused = rgb(0xEAEAEA),
                             .ink = rgb(0x000000),
                             .quietInk = rgb(0x30363E),
                             .line = rgb(0xB8BEC7),
                             .edge = rgb(0x59616D),
                             .accent = rgb(0x0B4BB3),
                             .onAccent = rgb(0xFFFFFF),
                             .second = rgb(0x9A4600),
                             .batchLine = rgb(0x4F6A94),
                             .errorInk = rgb(0x7A1210),
                             .errorGround = rgb(0xFDECEA),
                             .warningInk = rgb(0x4F3300),
                             .warningGround = rgb(0xFFEFC7),
                             .positive = rgb(0x3E5E00),
                             .negative = rgb(0x75148F)};

// Blue, orange, green, vermillion, sky, brown, yellow, black; none is a hue of the signs of values.
using Hues = std::array<QColor, 8>;
constexpr Hues kReplicaLight{rgb(0x0072B2), rgb(0xB87F00), rgb(0x008F69), rgb(0xD55E00),
                             rgb(0x3F8FBC), rgb(0x8B5A3C), rgb(0x8F8722), rgb(0x3A3F46)};
constexpr Hues kReplicaDark{rgb(0x3D9FD9), rgb(0xE69F00), rgb(0x14B98B), rgb(0xEA7A2C),
                            rgb(0x7CC6F0), rgb(0xC49A7C), rgb(0xE6DA4E), rgb(0xC9CED6)};
constexpr Hues kReplicaHighContrast{rgb(0x5CB6F2), rgb(0xFFB000), rgb(0x2FD6A5), rgb(0xFF8F45),
                                    rgb(0x9AD8FF), rgb(0xD9B08F), rgb(0xF5EA5A), rgb(0xE6E9EE)};
constexpr Hues kReplicaProjector{rgb(0x005F96), rgb(0x8A5F00), rgb(0x00704F), rgb(0xA84A00),
                                 rgb(0x1F6E9C), rgb(0x6E4226), rgb(0x6B6510), rgb(0x2A2E34)};

struct Entry {  // in the order of the enum
  const char* key;
  const Colours& colours;
  const Hues& replicas;
};
constexpr Entry kTable[]{{"light", kLight, kReplicaLight},
                         {"dark", kDark, kReplicaDark},
                         {"high-contrast", kHighContrast, kReplicaHighContrast},
                         {"projector", kProjector, kReplicaProjector}};
static_assert(std::size(kTable) == kKinds.size());

const Entry& entryOf(Kind kind) {
  return at(kTable, kind);
}

double luminance(const QColor& colour) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

constexpr double kStep = 0.04;  // of a share

}  // namespace

const char* keyOf(Kind kind) {
  return entryOf(kind).key;
}

std::optional<Kind> kindOf(const std::string& key) {
  for (const Kind kind : kKinds)
    if (key == keyOf(kind)) return kind;
  return {};
}

const Colours& coloursOf(Kind kind) {
  return entryOf(kind).colours;
}

QColor replicaColour(int replica, Kind kind) {
  const Hues& hues = entryOf(kind).replicas;
  return hues[static_cast<std::size_t>(std::max(0, replica)) % hues.size()];
}

double contrast(const QColor& a, const QColor& b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

QColor mix(const QColor& a, const QColor& b, double share) {
  const auto channel = [share](int x, int y) { return static_cast<int>(std::lround(x * share + y * (1 - share))); };
  return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

QColor tint(const QColor& colour, double share, const QColor& ground, const QColor& ink) {
  QColor mixed = mix(colour, ground, share);
  while (share > 0 && contrast(mixed, ink) < kLeastText)
    mixed = mix(colour, ground, share = std::max(0.0, share - kStep));
  return mixed;
}

QColor faint(const QColor& colour, double share, const QColor& ground) {
  QColor mixed = mix(colour, ground, share);
  while (share < 1 && contrast(mixed, ground) < kLeastGraphics)
    mixed = mix(colour, ground, share = std::min(1.0, share + kStep));
  return mixed;
}

QColor asText(const QColor& colour, const Colours& colours) {
  const auto legible = [&colours](const QColor& text) {
    return std::ranges::all_of(std::array{colours.window, colours.panel, colours.stage, colours.stagePaused},
                               [&](const QColor& ground) { return contrast(text, ground) >= kLeastText; });
  };
  double share = 1;
  QColor mixed = colour;
  while (share > 0 && !legible(mixed)) mixed = mix(colour, colours.ink, share = std::max(0.0, share - kStep));
  return mixed;
}

}  // namespace lab::theme
