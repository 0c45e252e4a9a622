// SPDX-License-Identifier: GPL-3.0-or-later
// Own versions of exp, log and powers, from additions, multiplications and divisions alone: C libraries differ in the
// last bits, and even one library differs from processor to processor. So a loss has the same bits wherever it is
// computed.
#pragma once

#include <cstdint>

namespace lab {

double exponential(double x);  // error within 1e-15; 0 below -708, infinite above 709
// Rounds the double's result. Returns 0 below the smallest normal number, whether or not the thread flushes denormals.
float exponential(float x);

double logarithm(double x);  // of a normal number, error within 2e-15
float logarithm(float x);

double integerPower(double base, std::int64_t exponent);  // exponent >= 0

}  // namespace lab
