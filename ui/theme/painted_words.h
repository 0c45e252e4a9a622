// SPDX-License-Identifier: GPL-3.0-or-later
// Words in painted widgets that have less room than they would like. (The stage, which paints for every frame, keeps
// what it has fitted: stage/word_layouts.h.)
#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace lab {

// Percent of their usual width, of a projector's letters, which are rather narrower than lower.
inline constexpr int kNarrowestLetters = 70;

// For widgets that paint what has places of its own: time runs from left to right in every language, and so do numbers
// and pictures; words run in their own direction, where they stand.
void keepLeftToRight(QPainter& painter);

// One line in the painter's font and pen, cut short with "…" where it is wider than `box`.
void drawElided(QPainter& painter, const QRectF& box, int alignment, const QString& words);

// Makes the painter's font so much smaller that `words` are no wider than `room`, in pixels. Unchanged where they are
// not wider, and where they would come to less than `least` of their size: then they are better cut short.
void shrinkFont(QPainter& painter, const QString& words, double room, double least = 0);

}  // namespace lab
