// SPDX-License-Identifier: GPL-3.0-or-later
// What a desktop program is expected to have: the palette, the sheet of keys, What's This, Preferences. All of it is
// made from the window's own menus and widgets, so that nothing is written twice.
#pragma once

#include <QAction>
#include <QList>
#include <QString>

#include <vector>

#include "ui/help/command_palette.h"

class QMainWindow;
class QMenu;
class QMenuBar;
class QWidget;

namespace lab {

// Every action of the menus, however deep, with the menus and sections on its way: "View ▸ Theme ▸ Dark". Separators
// left out.
struct NamedAction {
  QString name;
  QAction* action = nullptr;
};
std::vector<NamedAction> actionsOf(const QMenuBar& menus);

// All that the window's menus, the `others` and `more` (actions that have keys alone) can do, with what cannot be done
// now marked. Menus that are filled when they open are filled.
std::vector<Command> commandsOf(const QMenuBar& menus, const QList<QMenu*>& others, const QList<QAction*>& more);

// All actions that have keys, each once.
QList<QAction*> withKeys(const QMenuBar& menus, const QList<QAction*>& more);

// A widget's tooltip is also its answer to Shift+F1.
void explainWidgets(QWidget& root);

}  // namespace lab
