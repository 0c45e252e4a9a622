// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the window is shown to a class in a room: larger type and fewer panels, whatever the colours. Always true
// with the projector theme. UI thread only.
#pragma once

namespace lab::theme {

bool isProjected();
void setProjected(bool projected);  // call apply() of apply_theme.h afterwards

}  // namespace lab::theme
