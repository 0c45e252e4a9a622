// SPDX-License-Identifier: GPL-3.0-or-later
// Words on several lines that may have too little room: they are cut after a whole sentence, or else after a word, with
// "…".
#pragma once

#include <QFontMetricsF>
#include <QSizeF>
#include <QString>

namespace lab {

// As many words as fit into `room` when wrapped: all of them, whole sentences, or some words and "…".
QString wrappedWords(const QFontMetricsF& metrics, const QString& words, const QSizeF& room);

// The words with a space between each number and its unit at which no line ends: for what is painted, and nothing else.
QString withWholeQuantities(QString words);

}  // namespace lab
