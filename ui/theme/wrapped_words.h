// SPDX-License-Identifier: GPL-3.0-or-later
// Words on several lines that have less room than they would like: they end with a whole sentence, else after a word
// with "…".
#pragma once

#include <QFontMetricsF>
#include <QSizeF>
#include <QString>

namespace lab {

// As many of the words as stand within `room` where they are wrapped: all of them, whole sentences, or so many and "…".
QString wrappedWords(const QFontMetricsF& metrics, const QString& words, const QSizeF& room);

}  // namespace lab
