// SPDX-License-Identifier: GPL-3.0-or-later
// Stores a text as its difference from another text: a unified diff without lines of context.
#pragma once

#include <QByteArray>

#include <optional>

namespace lab::test {

// Returns a diff with the fewest removed and added lines; "" if both texts are the same.
QByteArray lineDiff(const QByteArray& base, const QByteArray& text);
int differingLines(const QByteArray& diff);

// Restores the text. Returns nullopt if the diff was not made against this base, or is damaged.
std::optional<QByteArray> patched(const QByteArray& base, const QByteArray& diff);

}  // namespace lab::test
