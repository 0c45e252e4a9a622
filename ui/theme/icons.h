// SPDX-License-Identifier: GPL-3.0-or-later
// The window's icons, drawn when they are shown: sharp at every size, and in the colours of the current theme.
#pragma once

#include <QIcon>

namespace lab {

enum class Icon {
  Home,
  Back,
  Play,
  Pause,
  Forward,
  End,
  Down,   // more below: a list opens
  Right,  // folded; Left is used if text runs from right to left
  Left,
  Close,
  Float,  // out of its place, into a window of its own
};

enum class IconColour {
  Ink,
  OnAccent,
};

QIcon icon(Icon icon, IconColour colour = IconColour::Ink);

}  // namespace lab
