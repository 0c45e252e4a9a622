// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own icon, from the drawing inside it: sharp at every size, and there without an installation.
#pragma once

#include <QIcon>

namespace lab {

QIcon windowIcon();

}  // namespace lab
