// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the four themes, and what keeps them legible: contrast as WCAG 2.2 defines it, and two ways to weaken a
// colour that stop before it merges with its background. Pure functions; any thread.
#pragma once

#include <QColor>

#include <array>
#include <optional>
#include <string>

namespace lab::theme {

enum class Kind {
  Light,
  Dark,
  HighContrast,  // everything at 7:1 or more, edges drawn
  Projector,     // stronger than light, for a picture that daylight washes out; comes with larger type and fewer panels
};
inline constexpr std::array kKinds{Kind::Light, Kind::Dark, Kind::HighContrast, Kind::Projector};

// "light", "dark", "high-contrast", "projector": for files and the command line.
const char* keyOf(Kind kind);
std::optional<Kind> kindOf(const std::string& key);

struct Colours {
  bool dark = false;          // light letters on a dark background
  QColor window, panel;       // backgrounds: behind everything, and of cards on it
  QColor stage, stagePaused;  // the stage's background, and its background while paused
  QColor ink, quietInk;       // text
  QColor line, edge;          // edges that only separate, and edges of what can be pressed (3:1)
  QColor accent, onAccent;    // the one accent: for inviting and selected things
  QColor second;              // its opposite: communication beside computation, wrong answers beside right ones
  QColor batchLine;           // values of single batches: many and noisy
  QColor errorInk, errorGround, warningInk, warningGround;
  QColor positive, negative;  // ends of the diverging scale of values; the panel's background in the middle
};
const Colours& coloursOf(Kind kind);

// Okabe–Ito's hues, darkened or lightened until they have 3:1 on every background of the theme. They repeat from 8 on.
QColor replicaColour(int replica, Kind kind);

inline constexpr double kLeastText = 4.5, kLeastGraphics = 3;  // WCAG 2.2 AA, 1.4.3 and 1.4.11

// 1 to 21. https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
double contrast(const QColor& a, const QColor& b);
QColor mix(const QColor& a, const QColor& b, double share);  // `share`: of a, 0 to 1

// A background tinted with at most `share` of the colour, so that `ink` is legible on it.
QColor tint(const QColor& colour, double share, const QColor& ground, const QColor& ink);
// A line with at least `share` of the colour, so that it is visible on the background wherever the full colour is.
QColor faint(const QColor& colour, double share, const QColor& ground);
// The colour itself, or mixed with as much `ink` as it needs to be legible on all backgrounds of the theme.
QColor asText(const QColor& colour, const Colours& colours);

}  // namespace lab::theme
