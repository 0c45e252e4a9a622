// SPDX-License-Identifier: GPL-3.0-or-later
// Light and dark: one set of colours for widgets, charts and the stage, the same on every desktop. Text stands at 4.5:1
// or more on its ground and graphics at 3:1. Hues belong to replicas; what belongs to the whole run is drawn in ink.
#pragma once

#include <QBrush>
#include <QColor>
#include <QString>

class QApplication;

namespace lab::theme {

struct Colours {
  bool dark = false;
  QColor window, panel;       // grounds: behind everything, and of cards on it
  QColor stage, stagePaused;  // the stage's ground; paused looks paused
  QColor ink, quietInk;       // text
  QColor line, edge;          // what only separates; what can be pressed (3:1)
  QColor accent, onAccent;    // one accent: what invites, what is selected
  QColor batchLine;           // values of single batches: many and noisy
  QColor errorInk, errorGround, warningInk, warningGround;
  QColor positive, negative;  // ends of the diverging scale of values; white (light) or black (dark) between
};

const Colours& colours();  // in force
const Colours& coloursOf(bool dark);
void setDark(bool dark);  // then apply() again

// Okabe–Ito, strokes at 3:1 on the ground in force. Hues repeat from replica 8 on, and the pattern changes.
QColor replicaColour(int replica);                           // strokes and text marks
QColor mix(const QColor& a, const QColor& b, double share);  // share: of a, 0 to 1
Qt::BrushStyle replicaPattern(int replica);

// The size of ordinary text, in pixels, for a window of this height: legible from the last row of a classroom whether
// the projector has 720 lines or 2,160.
int textSizeFor(int windowHeight);
void setTextSize(int pixels);  // then apply() again
int textSize();
int em(double count);  // a length in the window, as a multiple of the text size

void apply(QApplication& app);

}  // namespace lab::theme
