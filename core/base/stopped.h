// SPDX-License-Identifier: GPL-3.0-or-later
// Thrown to end long work that its owner has cancelled. It is not an error and is not reported.
#pragma once

#include <exception>

namespace lab {

class Stopped : public std::exception {};

}  // namespace lab
