// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/habits.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QScrollBar>
#include <QSet>
#include <QTabBar>

#include <algorithm>

namespace lab {
namespace {

QString plain(QString text) {
  return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString further(const QString& way, const QString& text) {
  return way.isEmpty() ? plain(text) : way + QStringLiteral(" ▸ ") + plain(text);
}

void collect(const QList<QAction*>& actions, const QString& way, std::vector<NamedAction>& found) {
  QString here = way;  // with the section's name
  for (QAction* action : actions) {
    if (action->isSeparator()) {
      here = action->text().isEmpty() ? way : further(way, action->text());
      continue;
    }
    if (action->text().isEmpty()) continue;
    const QString name = further(here, action->text());
    if (action->menu() != nullptr) {
      collect(action->menu()->actions(), name, found);
    } else {
      found.push_back({name, action});
    }
  }
}

QString keysOf(const QAction& action) {
  return action.shortcut().toString(QKeySequence::NativeText);
}

bool isWordless(const QWidget* widget) {
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  return button != nullptr && button->text().isEmpty();
}

// What a person sets, or presses without being told; the parts that Qt's own widgets are made of belong to those.
bool hasValue(const QWidget* widget) {
  if (qobject_cast<const QScrollBar*>(widget) != nullptr) return false;
  for (const QWidget* parent = widget->parentWidget(); parent != nullptr; parent = parent->parentWidget())
    if (qobject_cast<const QAbstractSpinBox*>(parent) != nullptr || qobject_cast<const QComboBox*>(parent) != nullptr ||
        qobject_cast<const QLineEdit*>(parent) != nullptr || qobject_cast<const QTabBar*>(parent) != nullptr ||
        qobject_cast<const QAbstractItemView*>(parent) != nullptr)
      return false;
  if (widget->objectName().startsWith(QStringLiteral("qt_"))) return false;
  return qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
         qobject_cast<const QComboBox*>(widget) != nullptr || qobject_cast<const QLineEdit*>(widget) != nullptr ||
         qobject_cast<const QAbstractSlider*>(widget) != nullptr || qobject_cast<const QCheckBox*>(widget) != nullptr ||
         isWordless(widget);
}

}  // namespace

std::vector<NamedAction> actionsOf(const QMenuBar& menus) {
  std::vector<NamedAction> found;
  collect(menus.actions(), QString(), found);
  return found;
}

std::vector<Command> commandsOf(const QMenuBar& menus, const QList<QMenu*>& others, const QList<QAction*>& more) {
  std::vector<Command> commands;
  QSet<QAction*> seen;
  const auto add = [&](const QString& name, QAction* action) {
    if (seen.contains(action)) return;
    seen.insert(action);
    // A menu that is filled anew meanwhile has other actions.
    const auto act = [action = QPointer(action)] {
      if (action) action->trigger();
    };
    commands.push_back({name, keysOf(*action), act, action->isEnabled()});
  };
  for (QMenu* menu : menus.findChildren<QMenu*>()) Q_EMIT menu->aboutToShow();
  for (const NamedAction& named : actionsOf(menus)) add(named.name, named.action);
  for (const QMenu* menu : others) {
    std::vector<NamedAction> found;
    collect(menu->actions(), plain(menu->title()), found);
    for (const NamedAction& named : found) add(named.name, named.action);
  }
  for (QAction* action : more) add(plain(action->text()), action);
  return commands;
}

QList<QAction*> withKeys(const QMenuBar& menus, const QList<QAction*>& more) {
  QList<QAction*> actions = more;
  for (const NamedAction& named : actionsOf(menus))
    if (!actions.contains(named.action)) actions.append(named.action);
  actions.removeIf([](const QAction* action) { return action->shortcut().isEmpty(); });
  return actions;
}

void explainWidgets(QWidget& root) {
  for (QWidget* widget : root.findChildren<QWidget*>())
    if (widget->whatsThis().isEmpty() && !widget->toolTip().isEmpty()) widget->setWhatsThis(widget->toolTip());
}

QStringList unexplained(const QWidget& root) {
  QStringList names;
  for (const QWidget* widget : root.findChildren<QWidget*>()) {
    if (!hasValue(widget)) continue;
    if (widget->toolTip().isEmpty() || widget->whatsThis().isEmpty())
      names << QStringLiteral("%1 '%2' %3")
                   .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                        widget->accessibleName());
  }
  return names;
}

}  // namespace lab
