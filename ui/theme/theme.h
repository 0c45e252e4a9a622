// SPDX-License-Identifier: GPL-3.0-or-later
// The current theme: one set of colours for widgets, charts and the stage, the same on every desktop, and the text
// size. Text has a contrast of 4.5:1 or more with its background, graphics 3:1. Hues belong to replicas; what belongs
// to the whole run is drawn in ink. UI thread only.
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QString>

#include <functional>

#include "ui/theme/theme_tables.h"

class QObject;

namespace lab::theme {

Kind kind();               // the current theme's
const Colours& colours();  // the current theme's
void setKind(Kind kind);   // call apply() of apply_theme.h afterwards

QColor replicaColour(int replica);           // for strokes and marks, at 3:1 on the current theme's backgrounds
QColor replicaInk(int replica);              // for text: as much of the hue as is legible
Qt::BrushStyle replicaPattern(int replica);  // a different pattern from replica 8 on, where the hues repeat
// In the current theme: a background on which ink is legible, and a line that is visible on the panel's background.
QColor tint(const QColor& colour, double share);
QColor faint(const QColor& colour, double share);

// The size of ordinary text, in pixels, for a window of this height: the chosen size, or else one that is legible from
// the last row of a classroom, whether the projector has 720 lines or 2,160. The projector theme uses at least 18 pt on
// 1,080 lines, and the same share of other heights.
int textSizeFor(int windowHeight);
inline constexpr int kLeastPoints = 8, kMostPoints = 32;
void setChosenPoints(int points);  // 0: depends on the window; otherwise kLeastPoints to kMostPoints
int chosenPoints();
void setTextSize(int pixels);  // call apply() afterwards
int textSize();
int leastLetters();  // pixels, for painted text: on a projector no letter is smaller than ordinary text
// Letters grow at most by this factor: in a small picture the one word with room would stand out.
inline constexpr double kMostLarger = 1.4;
double paintedLetters(double asked);         // pixels: the size of letters if there is room
int smallText(double share);                 // the size of smaller text, in pixels; on a projector no text is smaller
inline constexpr double kSmallShare = 0.85;  // for captions
QFont smallFont(const QFont& font);          // for painted captions (role="caption")
inline constexpr double kCorner = 0.4;       // em: the corner radius of everything rounded
int em(double count);                        // a length in the window, as a multiple of the text size
int target();                                // the smallest side of a control that can be pressed: 24 pixels (WCAG 2.2,
                                             // 2.5.8) or more

// Runs `act` now, and after each apply() as long as `context` lives: for lengths in em that a layout stores.
void follow(QObject* context, const std::function<void()>& act);
void tellFollowers();  // runs those acts; for apply()

}  // namespace lab::theme
