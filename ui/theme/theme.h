// SPDX-License-Identifier: GPL-3.0-or-later
// The theme in force: one set of colours for widgets, charts and the stage, the same on every desktop, and the size of
// text. Text stands at 4.5:1 or more on its ground and graphics at 3:1. Hues belong to replicas; what belongs to the
// whole run is drawn in ink. UI thread only.
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QString>

#include <functional>

#include "ui/theme/theme_tables.h"

class QObject;

namespace lab::theme {

Kind kind();               // in force
const Colours& colours();  // in force
void setKind(Kind kind);   // then apply() again, of apply_theme.h

QColor replicaColour(int replica);           // strokes and marks, at 3:1 on the grounds of the theme in force
QColor replicaInk(int replica);              // text: as much of the hue as can be read
Qt::BrushStyle replicaPattern(int replica);  // another from replica 8 on, where the hues repeat
// Of the theme in force: a ground on which ink can be read, a line that can be seen on the panel's ground.
QColor tint(const QColor& colour, double share);
QColor faint(const QColor& colour, double share);

// The size of ordinary text, in pixels, for a window of this height: what was chosen, else legible from the last row of
// a classroom whether the projector has 720 lines or 2,160. With the projector's theme 18 pt on 1,080 lines, and as
// large a part of others, where less was chosen.
int textSizeFor(int windowHeight);
inline constexpr int kLeastPoints = 8, kMostPoints = 32;
void setChosenPoints(int points);  // 0: with the window; else kLeastPoints to kMostPoints
int chosenPoints();
void setTextSize(int pixels);  // then apply() again
int textSize();
int leastLetters();  // pixels, of what is painted: on a projector no letter is smaller than ordinary text
// But no letter is so many times as large as asked for: in a small picture the one word with room would shout.
inline constexpr double kMostLarger = 1.4;
double paintedLetters(double asked);         // pixels: what letters come to where there is room
int smallText(double share);                 // of what may be smaller, in pixels; nothing may on a projector
inline constexpr double kSmallShare = 0.85;  // of captions
QFont smallFont(const QFont& font);          // of captions (role="caption"), where they are painted
inline constexpr double kCorner = 0.4;       // em: of everything that is rounded
int em(double count);                        // a length in the window, as a multiple of the text size
int target();                                // the least side of what is pressed: 24 pixels (WCAG 2.2, 2.5.8) or more

// Runs `act` now, and after each apply() for as long as `context` lives: lengths in em that a layout keeps.
void follow(QObject* context, const std::function<void()>& act);
void tellFollowers();  // runs them; for apply()

}  // namespace lab::theme
