// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own icon, drawn from its built-in SVG: sharp at every size, and available without an installation.
#pragma once

#include <QIcon>

namespace lab {

QIcon windowIcon();

}  // namespace lab
