// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are stored as what differs from another text: a unified diff without lines of context.
#pragma once

#include <QByteArray>

#include <optional>

namespace lab::test {

// Of the fewest removed and added lines. "" where both are the same.
QByteArray lineDiff(const QByteArray& base, const QByteArray& text);
int differingLines(const QByteArray& diff);

// The text again; nothing where the diff was notmade against this base, or is damaged.
std::optional<QByteArray> patched(const QByteArray& base, const QByteArray& diff);

}  // namespace lab::test
