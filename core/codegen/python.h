// SPDX-License-Identifier: GPL-3.0-or-later
// Python's notation for values.
#pragma once

#include <string>
#include <string_view>

namespace lab {

// Returns a string literal, or a path of bytes if the text is not UTF-8.
std::string pythonText(std::string_view text);
// Returns text for a comment: one line, without characters that an editor would not show.
std::string pythonComment(std::string_view text);
// Returns 0.001, 1e-05.
std::string pythonNumber(double value);
// Always has a point or an exponent, because Keras does not take a whole number as a rate.
std::string pythonFloat(double value);

}  // namespace lab
