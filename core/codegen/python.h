// SPDX-License-Identifier: GPL-3.0-or-later
// Python's words for values.
#pragma once

#include <string>
#include <string_view>

namespace lab {

// A string literal, or a path of bytes that are not UTF-8.
std::string pythonText(std::string_view text);
// In a comment: one line, without anything that an editor would not show.
std::string pythonComment(std::string_view text);
// 0.001, 1e-05
std::string pythonNumber(double value);
// With a point or an exponent: Keras takes no whole number as a rate.
std::string pythonFloat(double value);

}  // namespace lab
