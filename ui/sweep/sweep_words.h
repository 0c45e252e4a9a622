// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep in words, in the window's language: axes, values, quantities, how cells ended. And the marks for that, each a
// shape and a letter besides its colour.
#pragma once

#include <QRectF>
#include <QString>

#include <optional>
#include <string>

#include "ui/sweep/sweep_table.h"

class QPainter;

namespace lab {

QString axisName(const std::string& axis);  // "Replicas"
QString axisText(const std::string& axis, const std::string& value);
QString ruleName(const std::string& rule);      // "linear, warmed up"
QString planText(const SweepRequest& request);  // its axes, rules, seeds and target, in two lines

// `modelled`: whether the runs' times are; nothing if some are and some are not.
QString quantityName(SweepQuantity quantity, std::optional<bool> modelled);
QString quantityText(SweepQuantity quantity, double value);  // short, for a cell
QString secondsText(double seconds);

QString stateName(CellState state);    // "not reached"
QString stateLetter(CellState state);  // "N"; "" where a shape alone is plain
// In the painter's pen.
void paintMark(QPainter& painter, const QRectF& box, CellState state);

// "Mirrored, 4 replicas…" is the row's and the column's; this is what came of it: "42 steps, ± 3, of 3 seeds".
QString entryText(const SweepEntry& entry, SweepQuantity quantity);

}  // namespace lab
