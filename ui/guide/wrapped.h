// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of running text in a narrow panel. TensorFlow's names can be longer than a line there, so they may break where
// a reader would break them.
#pragma once

#include <QFontMetrics>
#include <QString>

class QLabel;
class QListWidget;

namespace lab {

// Adds places to break to long words: after dots, underscores and brackets, and before capitals. Nothing else changes.
QString breakable(const QString& text);

// The same with hyphens that show where a line breaks: only in words longer than `width` pixels, roughly between
// syllables. Words that fit do not change.
QString hyphenated(const QString& text, const QFontMetrics& metrics, int width);

// From now on the label's longest word does not keep the panel wide: in a narrow place it is hyphenated. Scroll bars as
// needed around the label do not change where.
void keepNarrow(QLabel& label);

// From now on the list's rows are as high as their words need at the present width: Qt's estimate ignores some of what
// stands beside the words.
void keepRowsWhole(QListWidget& list);

// A plain-text label that wraps and stays narrow; `role` in the style sheet, or null.
QLabel* wrappedLabel(const char* name, const char* role);

}  // namespace lab
