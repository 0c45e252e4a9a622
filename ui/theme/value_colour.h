// SPDX-License-Identifier: GPL-3.0-or-later
// The one scale of colours for values: weights, gradients, activations. Two hues that colour-blind people tell apart
// and that no replica has, one for each sign, paper at zero. The strength grows with the root of the magnitude, since
// most values are far smaller than the largest. The theme in force; UI thread only.
#pragma once

#include <QColor>

namespace lab::theme {

// `scale`: the magnitude at which the colours end.
QRgb valueColour(double value, double scale);
// For values from 0 on: paper at 0, ink at `scale`, evenly between, as images are drawn.
QRgb strengthColour(double value, double scale);
// The value that has this colour: the inverse of valueColour() within a step of the colours, for values within the
// scale.
double valueOfColour(QRgb colour, double scale);
// The least of 1, 2, 5 · 10^k that is no smaller: a scale's end that reads well and seldom changes. 0 stays 0.
double roundedScale(double largest);

}  // namespace lab::theme
