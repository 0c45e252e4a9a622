// SPDX-License-Identifier: GPL-3.0-or-later
// The window's workspaces, one row each: the chosen tab decides what the centre shows. The centre's pages are in
// centre.cpp, the panels of each workspace in panels.cpp, their tabs in tab_views.cpp.
#pragma once

#include <QCoreApplication>

#include <array>

#include "core/base/at.h"

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
inline constexpr std::array kLayouts{LayoutRow{"teach", QT_TRANSLATE_NOOP("lab::Workspaces", "&Teach")},
                                     LayoutRow{"explore", QT_TRANSLATE_NOOP("lab::Workspaces", "&Explore")},
                                     LayoutRow{"compare", QT_TRANSLATE_NOOP("lab::Workspaces", "&Compare")},
                                     LayoutRow{"sweep", QT_TRANSLATE_NOOP("lab::Workspaces", "&Sweep")},
                                     LayoutRow{"profile", QT_TRANSLATE_NOOP("lab::Workspaces", "&Profile")}};

inline const char* keyOf(WindowLayout layout) {
  return at(kLayouts, layout).key;
}

}  // namespace lab
