// SPDX-License-Identifier: GPL-3.0-or-later
// exp, log and powers of our own, of additions, multiplications and divisions alone: the C libraries' differ in their
// last bits, and one library's from processor to processor. So a loss has the same bits wherever it is computed.
#pragma once

#include <cstdint>

namespace lab {

double exponential(double x);  // within 1e-15 of it; 0 below -708, infinite above 709
// Rounded from that. Below the smallest normal number it is 0, whether or not the thread flushes denormals.
float exponential(float x);

double logarithm(double x);  // of a normal number, within 2e-15
float logarithm(float x);

double integerPower(double base, std::int64_t exponent);  // exponent >= 0

}  // namespace lab
