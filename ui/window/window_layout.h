// SPDX-License-Identifier: GPL-3.0-or-later
// The window's layouts, a row each. Which docks one shows is in the docks' table (main_window_docks.cpp).
#pragma once

#include <QCoreApplication>

#include <array>

namespace lab {

enum class WindowLayout {
  Teach,    // the stage, the inspector and one chart
  Explore,  // everything
  Profile,  // figures first
};

struct LayoutRow {
  const char* key;    // for files and the command line
  const char* title;  // for the menu
};
// In the order of WindowLayout.
inline constexpr std::array kLayouts{LayoutRow{"teach", QT_TRANSLATE_NOOP("lab::MainWindow", "&Teach")},
                                     LayoutRow{"explore", QT_TRANSLATE_NOOP("lab::MainWindow", "&Explore")},
                                     LayoutRow{"profile", QT_TRANSLATE_NOOP("lab::MainWindow", "&Profile")}};

inline const char* keyOf(WindowLayout layout) {
  return kLayouts[static_cast<std::size_t>(layout)].key;
}

}  // namespace lab
