// SPDX-License-Identifier: GPL-3.0-or-later
// Words in painted widgets that may have too little room. (The stage, which paints every frame, caches fitted words:
// scene/word_layouts.h.)
#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace lab {

// Percent of the usual width, for a projector's letters, which become narrower rather than lower.
inline constexpr int kNarrowestLetters = 70;

// For widgets that paint content with fixed places: time runs from left to right in every language, and so do numbers
// and pictures; words keep their own direction.
void keepLeftToRight(QPainter& painter);

// Draws one line in the painter's font and pen, cut short with "…" if it is wider than `box`.
void drawElided(QPainter& painter, const QRectF& box, int alignment, const QString& words);

// Shrinks the painter's font until `words` are no wider than `room`, in pixels. Leaves the font alone if they fit, or
// if it would shrink below `least` of its size: then it is better to cut the words.
void shrinkFont(QPainter& painter, const QString& words, double room, double least = 0);

}  // namespace lab
