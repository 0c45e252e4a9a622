// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of running text in a narrow panel. TensorFlow's names are longer than a line there: they may break where a
// person would break them.
#pragma once

#include <QFontMetrics>
#include <QString>

class QLabel;
class QListWidget;

namespace lab {

// Long words with places to break: after dots, underscores, brackets, and before capitals. Nothing else changes.
QString breakable(const QString& text);

// The same with hyphens that show where a line ends: in words that have more than the `width` pixels of a line, between
// syllables or nearly so. What fits is left alone.
QString hyphenated(const QString& text, const QFontMetrics& metrics, int width);

// From now on the label's longest word does not hold the panel wide: at a narrow place it is hyphenated.
void keepNarrow(QLabel& label);

// From now on the list's rows are as high as their words, at the width that there is: Qt's own guess leaves out parts
// of what stands beside them.
void keepRowsWhole(QListWidget& list);

// Plain text that wraps, and is kept narrow; `role` of the style sheet, null for none.
QLabel* wrappedLabel(const char* name, const char* role);

}  // namespace lab
