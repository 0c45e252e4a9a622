// SPDX-License-Identifier: GPL-3.0-or-later
// What users expect from a desktop program: the palette, the sheet of keys, What's This, Preferences. Everything is
// made from the window's own menus and widgets, so that nothing is written twice.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QString>

#include <vector>

#include "ui/help/command_palette.h"

class QMainWindow;
class QMenu;
class QMenuBar;
class QWidget;

namespace lab {

// Every action of the menus at any depth, named by the menus and sections above it: "View ▸ Theme ▸ Dark". Without
// separators.
struct NamedAction {
  QString name;
  QAction* action = nullptr;
};
std::vector<NamedAction> actionsOf(const QMenuBar& menus);

// All commands of the window's menus, of `others` and of `more` (actions that have only keys), with those impossible
// now marked. Fills menus that are filled on opening.
std::vector<Command> commandsOf(const QMenuBar& menus, const QList<QMenu*>& others, const QList<QAction*>& more);

// All actions that have keys, without duplicates.
QList<QAction*> withKeys(const QMenuBar& menus, const QList<QAction*>& more);

// Makes an action of `owner` that is in no menu yet. `name` is for tests, chosen keys and a teacher's locks.
QAction* makeAction(QObject& owner, const char* name, const QString& text, const QList<QKeySequence>& keys = {});

// Makes a widget's tool tip its answer to Shift+F1, too.
void explainWidgets(QWidget& root);

}  // namespace lab
