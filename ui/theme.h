// SPDX-License-Identifier: GPL-3.0-or-later
// The light look: one set of colours for widgets and charts, the same on every desktop. Text stands at 4.5:1 or more on
// its ground. Hues are left to replicas; what belongs to the whole run is drawn in ink.
#pragma once

#include <QColor>

class QApplication;

namespace lab::theme {

inline constexpr QColor kWindow(0xF3, 0xF5, 0xF8);
inline constexpr QColor kPanel(0xFF, 0xFF, 0xFF);
inline constexpr QColor kInk(0x1B, 0x24, 0x30);
inline constexpr QColor kQuietInk(0x55, 0x60, 0x70);
inline constexpr QColor kLine(0xDC, 0xE1, 0xE8);
inline constexpr QColor kEdge(0x86, 0x91, 0xA0);  // of what can be pressed: 3:1 on the panel
inline constexpr QColor kAccent(0x1D, 0x5F, 0xBF);
inline constexpr QColor kBatchLine(0x7D, 0x93, 0xB2);  // values of single batches: many and noisy
inline constexpr QColor kErrorInk(0x8C, 0x1D, 0x18);
inline constexpr QColor kErrorGround(0xFD, 0xEC, 0xEA);
inline constexpr QColor kWarningInk(0x6B, 0x46, 0x00);
inline constexpr QColor kWarningGround(0xFF, 0xF4, 0xDB);

void apply(QApplication& app);

}  // namespace lab::theme
