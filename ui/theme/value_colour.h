// SPDX-License-Identifier: GPL-3.0-or-later
// The only colour scale for values: weights, gradients, activations. One hue for each sign, which colour-blind people
// can tell apart and no replica has, and paper at zero. The strength grows with the root of the magnitude, since most
// values are far smaller than the largest. Uses the current theme; UI thread only.
#pragma once

#include <QColor>

namespace lab::theme {

// `scale`: the magnitude at which the colours end.
QRgb valueColour(double value, double scale);
// For values from 0 on: paper at 0, ink at `scale`, linear in between, like images.
QRgb strengthColour(double value, double scale);
// The value that has this colour: the inverse of valueColour() up to one step of the colours, for values within the
// scale.
double valueOfColour(QRgb colour, double scale);
// The smallest of 1, 2, 5 · 10^k that is not less than `largest`: a scale's end that is readable and seldom changes. 0
// stays 0.
double roundedScale(double largest);

}  // namespace lab::theme
