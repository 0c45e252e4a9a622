// SPDX-License-Identifier: GPL-3.0-or-later
// The window's workspaces, one row each: the chosen tab decides what the centre shows. The centre's pages are in
// centre.cpp, the panels of each workspace in panels.cpp, their tabs in tab_views.cpp.
#pragma once

#include <QCoreApplication>

#include <array>

#include "core/base/at.h"

namespace lab {

enum class WindowLayout { Teach, Explore, Compare, Sweep, Profile };

struct LayoutRow {
  const char* key;    // for files and the command line
  const char* title;  // for the tab and the menu
  const char* shows;  // for the tab's tool tip
};
// In the order of WindowLayout.
inline constexpr std::array kLayouts{
    LayoutRow{"teach", QT_TRANSLATE_NOOP("lab::Workspaces", "&Teach"),
              QT_TRANSLATE_NOOP("lab::Workspaces", "The stage: one step as a movie")},
    LayoutRow{"explore", QT_TRANSLATE_NOOP("lab::Workspaces", "&Explore"),
              QT_TRANSLATE_NOOP("lab::Workspaces", "The stage with the settings and what they change")},
    LayoutRow{"compare", QT_TRANSLATE_NOOP("lab::Workspaces", "&Compare"),
              QT_TRANSLATE_NOOP("lab::Workspaces", "Runs side by side")},
    LayoutRow{"sweep", QT_TRANSLATE_NOOP("lab::Workspaces", "&Sweep"),
              QT_TRANSLATE_NOOP("lab::Workspaces", "Many runs, as a table of cells")},
    LayoutRow{"profile", QT_TRANSLATE_NOOP("lab::Workspaces", "&Profile"),
              QT_TRANSLATE_NOOP("lab::Workspaces", "Where the time of a step goes")}};

inline const char* keyOf(WindowLayout layout) {
  return at(kLayouts, layout).key;
}

}  // namespace lab
