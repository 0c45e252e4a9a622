// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/classroom/controls.h"

#include <QAbstractButton>
#include <QAction>
#include <QActionGroup>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

#include "core/options/config_field.h"
#include "core/strategy/strategy.h"
#include "ui/frame/menus.h"
#include "ui/frame/on_demand.h"
#include "ui/frame/panel.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

// The actions that bring locked controls back, which cannot be locked themselves.
const QStringList kAlways{QStringLiteral("bringBackAct"), QStringLiteral("arrangeAct")};

template <typename Part>
bool has(const std::vector<QPointer<Part>>& parts, const Part* part) {
  return std::ranges::any_of(parts, [part](const QPointer<Part>& one) { return one.data() == part; });
}

QString bare(QString text) {
  return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

// A menu entry that opens a panel or a tab is named after it, with "Act" added.
QString idOf(const QAction& action) {
  QString id = action.objectName();
  if (id.isEmpty() && action.actionGroup() != nullptr) id = action.actionGroup()->objectName();
  if (id.endsWith(QStringLiteral("PanelAct")) || id.endsWith(QStringLiteral("TabAct"))) id.chop(3);
  return id;
}

class Gathering {
 public:
  explicit Gathering(MainWindow& window) : window_(window) {}

  std::vector<Control> all() {
    for (QAction* action : window_.menuBar()->actions())
      if (action->menu() != nullptr) menu(*action, lab::tr("Menus"));
    for (QAction* action : window_.menus().keyActions()) entry(*action, lab::tr("Keys"));
    settings();
    tabs();
    named();
    twins();
    toolBar("controls");
    toolBar("moreBar");
    return std::move(found_);
  }

 private:
  Control& at(const QString& id, const QString& name, const QString& place) {
    const auto known = std::ranges::find(found_, id, &Control::id);
    if (known != found_.end()) return *known;
    return found_.emplace_back(Control{id, name, place, {}, {}, {}});
  }

  void entry(QAction& action, const QString& place) {
    const QString id = idOf(action);
    if (id.isEmpty() || kAlways.contains(id)) return;
    const bool ofGroup = action.objectName().isEmpty();
    auto& actions = at(id, ofGroup ? place : bare(action.text()), place).actions;
    if (!has(actions, &action)) actions.emplace_back(&action);
  }

  // Adds a menu with all its contents, and also its entries one by one.
  void menu(QAction& action, const QString& place) {
    QMenu* menu = action.menu();
    const QString title = bare(action.text());
    std::vector<QPointer<QAction>> within{&action};
    for (QAction* one : menu->actions()) {
      if (one->isSeparator()) continue;
      if (one->menu() != nullptr) {
        this->menu(*one, title);
      } else {
        entry(*one, title);
        if (!kAlways.contains(one->objectName())) within.emplace_back(one);
      }
    }
    if (!menu->objectName().isEmpty()) at(menu->objectName(), title, place).actions = within;
  }

  QAction* action(const char* name) const { return window_.findChild<QAction*>(QLatin1String(name)); }

  void settings() {
    const QString place = lab::tr("Settings");
    for (const ConfigField& field : configFields()) {
      const QString id = QString::fromStdString(field.name);
      Control& control = at(id, settingCaption(field), place);
      for (const QString& name : {id, QStringLiteral("setting-") + id})
        for (QWidget* widget : window_.findChildren<QWidget*>(name)) add(control, widget);
      const auto with = [&](const char* name) {
        if (QAction* key = action(name)) control.actions.emplace_back(key);
      };
      if (id == QStringLiteral("replicas")) {
        with("moreReplicas");
        with("fewerReplicas");
      } else if (id == QStringLiteral("strategy")) {
        for (const StrategyInfo& info : strategies()) with(("strategy-" + info.key).c_str());
      }
    }
  }

  // Adds the widget and the label beside it.
  void add(Control& control, QWidget* widget) {
    control.widgets.emplace_back(widget);
    if (widget->parentWidget() == nullptr) return;
    for (QLabel* label : widget->parentWidget()->findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
      if (label->buddy() == widget) control.widgets.emplace_back(label);
  }

  void tabs() {
    auto* workspaces = window_.findChild<QTabBar*>(QStringLiteral("workspaces"));
    for (int i = 0; i < static_cast<int>(kLayouts.size()); ++i)
      at(QLatin1String(keyOf(static_cast<WindowLayout>(i))), workspaces->tabText(i), lab::tr("Workspaces"))
          .tabs.push_back({workspaces, i});
    for (Panel* panel : window_.findChildren<Panel*>()) {
      at(panel->objectName(), panel->windowTitle(), lab::tr("Panels")).widgets.emplace_back(panel);
      auto* bar = panel->findChild<QTabBar*>();
      int index = 0;
      for (const QString& name : window_.panels().tabNames())
        if (panel->page(name) != nullptr) {
          at(name, bar->tabText(index), panel->windowTitle()).tabs.push_back({bar, index});
          ++index;
        }
    }
  }

  // Adds all other named widgets that take the keyboard, in the views that have been made.
  void named() {
    for (QWidget* widget : window_.findChildren<QWidget*>()) {
      const QString id = widget->objectName();
      if (id.isEmpty() || id.startsWith(QStringLiteral("qt_")) || widget->focusPolicy() == Qt::NoFocus ||
          widget->window() != &window_ || isKnown(widget))
        continue;
      const auto* button = qobject_cast<const QAbstractButton*>(widget);
      QString name = widget->accessibleName();
      if (name.isEmpty() && button != nullptr) name = bare(button->text());
      if (name.isEmpty()) name = bare(widget->toolTip());
      if (name.isEmpty() ||
          (widget->parentWidget() && widget->parentWidget()->objectName() == QStringLiteral("notice")))
        continue;
      QString place = lab::tr("Stage");
      for (QWidget* up = widget; up != nullptr; up = up->parentWidget())
        if (const auto tab = std::ranges::find(found_, up->objectName(), &Control::id);
            up != widget && tab != found_.end() && !tab->tabs.empty()) {
          place = tab->name;
          break;
        }
      at(id, name, place).widgets.emplace_back(widget);
    }
  }

  bool isKnown(const QWidget* widget) const {
    return std::ranges::any_of(found_, [widget](const Control& control) { return has(control.widgets, widget); });
  }

  // Adds actions and widgets with the same effect, so that they cannot replace a locked control.
  void twins() {
    const auto known = [this](const char* id) { return std::ranges::find(found_, QLatin1String(id), &Control::id); };
    for (const auto& [id, act] : {std::pair{"mode", "nextMode"}, {"mode", "live"}})
      if (const auto control = known(id); control != found_.end())
        if (QAction* twin = action(act)) control->actions.emplace_back(twin);
    for (const auto& [id, field] : {std::pair{"themeMenu", "preferTheme"}, {"textMenu", "preferText"}})
      if (const auto control = known(id); control != found_.end())
        for (QWidget* twin : window_.findChildren<QWidget*>(QLatin1String(field))) control->widgets.emplace_back(twin);
  }

  // Adds the toolbar's places to the controls in them, so that a place is hidden with its control.
  void toolBar(const char* name) {
    const auto* bar = window_.findChild<QToolBar*>(QLatin1String(name));
    for (QAction* place : bar->actions()) {
      const QWidget* widget = bar->widgetForAction(place);
      if (place->isSeparator() || widget == nullptr) continue;
      QString id;
      const auto* button = qobject_cast<const QToolButton*>(widget);
      if (button == nullptr) {
        for (const QToolButton* one : widget->findChildren<QToolButton*>())
          if (one->defaultAction() != nullptr) button = one;
        for (const QWidget* one : widget->findChildren<QWidget*>())
          if (id.isEmpty() && widget->property("spare").toBool() && !one->objectName().isEmpty())
            id = one->objectName();
      }
      if (button != nullptr && button->defaultAction() != nullptr) id = idOf(*button->defaultAction());
      const auto control = std::ranges::find(found_, id, &Control::id);
      if (control != found_.end()) control->actions.emplace_back(place);
    }
  }

  MainWindow& window_;
  std::vector<Control> found_;
};

}  // namespace

std::vector<Control> controlsOf(MainWindow& window) {
  return Gathering(window).all();
}

QString controlAt(const std::vector<Control>& controls, QWidget* widget, const QPoint& global) {
  const QAction* action = nullptr;
  if (const auto* menu = qobject_cast<const QMenu*>(widget)) action = menu->actionAt(menu->mapFromGlobal(global));
  if (const auto* menus = qobject_cast<const QMenuBar*>(widget)) action = menus->actionAt(menus->mapFromGlobal(global));
  for (; widget != nullptr && action == nullptr; widget = widget->parentWidget()) {
    if (const auto* button = qobject_cast<const QToolButton*>(widget)) action = button->defaultAction();
    const auto* bar = qobject_cast<const QTabBar*>(widget);
    const int tab = bar == nullptr ? -1 : bar->tabAt(bar->mapFromGlobal(global));
    for (const Control& control : controls) {
      if (has(control.widgets, widget)) return control.id;
      for (const Control::Tab& each : control.tabs)
        if (each.bar == bar && each.index == tab && tab >= 0) return control.id;
    }
  }
  if (action == nullptr) return {};
  const QString id = action->menu() != nullptr ? action->menu()->objectName() : idOf(*action);
  return std::ranges::find(controls, id, &Control::id) == controls.end() ? QString() : id;
}

}  // namespace lab
