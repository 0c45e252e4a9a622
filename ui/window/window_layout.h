// SPDX-License-Identifier: GPL-3.0-or-later
// The window's workspaces, one row each: the chosen tab decides what the centre shows. The centre's pages are in
// main_window_workspaces.cpp, the panels of each workspace in main_window_panels.cpp.
#pragma once

#include <QCoreApplication>

#include <array>

namespace lab {

enum class WindowLayout {
  Teach,    // the stage
  Explore,  // the stage with the settings and what they change
  Compare,  // runs side by side
  Sweep,    // many runs as a table of cells
  Profile,  // the time of a step; the stage is a strip that can be opened
};

struct LayoutRow {
  const char* key;    // for files and the command line
  const char* title;  // for the tab and the menu
};
// In the order of WindowLayout.
inline constexpr std::array kLayouts{LayoutRow{"teach", QT_TRANSLATE_NOOP("lab::MainWindow", "&Teach")},
                                     LayoutRow{"explore", QT_TRANSLATE_NOOP("lab::MainWindow", "&Explore")},
                                     LayoutRow{"compare", QT_TRANSLATE_NOOP("lab::MainWindow", "&Compare")},
                                     LayoutRow{"sweep", QT_TRANSLATE_NOOP("lab::MainWindow", "&Sweep")},
                                     LayoutRow{"profile", QT_TRANSLATE_NOOP("lab::MainWindow", "&Profile")}};

inline const char* keyOf(WindowLayout layout) {
  return kLayouts[static_cast<std::size_t>(layout)].key;
}

}  // namespace lab
