// SPDX-License-Identifier: GPL-3.0-or-later
// Thrown out of long work whose owner has said that it is to end. It is no error, and nobody is told.
#pragma once

#include <exception>

namespace lab {

class Stopped : public std::exception {};

}  // namespace lab
