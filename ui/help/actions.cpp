// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/actions.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QSet>

#include "ui/i18n/words.h"

namespace lab {
namespace {

const QString kBetween = QStringLiteral(" ▸ ");

QString plain(QString text) {
  return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString further(const QString& way, const QString& text) {
  return way.isEmpty() ? plain(text) : way + kBetween + plain(text);
}

void collect(const QList<QAction*>& actions, const QString& way, std::vector<NamedAction>& found) {
  QString here = way;  // includes the section's name
  for (QAction* action : actions) {
    if (action->isSeparator()) {
      here = action->text().isEmpty() ? way : further(way, action->text());
      continue;
    }
    if (action->text().isEmpty() || !action->isVisible()) continue;
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
    if (seen.contains(action) || action->property("byKeysAlone").toBool()) return;
    seen.insert(action);
    // A menu that is refilled meanwhile has other actions.
    const auto act = [action = QPointer(action)] {
      if (action) action->trigger();
    };
    Command command{name, keysOf(*action), act, action->isEnabled()};
    if (const QString words = action->property("words").toString(); !words.isEmpty())
      command.words = further(name.section(kBetween, 0, -2), words);
    if (action->toolTip() != plain(action->text())) command.why = action->toolTip();
    const bool asks = action->text().endsWith(QStringLiteral("…"));  // it opens a dialog, which is visible
    const bool turns = action->isCheckable() && action->actionGroup() == nullptr;
    if (turns)
      command.says = (action->isChecked() ? lab::tr("%1: off") : lab::tr("%1: on")).arg(name);
    else if (!asks)
      command.says = name;
    commands.push_back(std::move(command));
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

QAction* makeAction(QObject& owner, const char* name, const QString& text, const QList<QKeySequence>& keys) {
  auto* action = new QAction(text, &owner);
  action->setObjectName(QLatin1String(name));
  action->setShortcuts(keys);
  return action;
}

void explainWidgets(QWidget& root) {
  for (QWidget* widget : root.findChildren<QWidget*>())
    if (widget->whatsThis().isEmpty() && !widget->toolTip().isEmpty()) widget->setWhatsThis(widget->toolTip());
}

}  // namespace lab
