// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/workspaces.h"

#include <QActionGroup>
#include <QMenu>
#include <QSignalBlocker>
#include <QTabBar>

#include "ui/help/actions.h"

namespace lab {

Workspaces::Workspaces(QWidget& window) {
  auto* group = new QActionGroup(this);
  for (std::size_t i = 0; i < kLayouts.size(); ++i) {
    const QKeySequence keys(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i)));
    QAction* action = group->addAction(makeAction(window, kLayouts[i].key, tr(kLayouts[i].title), {keys}));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, i] { choose(static_cast<WindowLayout>(i)); });
  }
  actions_ = group->actions();
  actions_.first()->setChecked(true);
}

QTabBar* Workspaces::makeTabs() {
  tabs_ = new QTabBar;
  tabs_->setObjectName(QStringLiteral("workspaces"));
  tabs_->setAccessibleName(tr("Workspaces"));
  tabs_->setFocusPolicy(Qt::TabFocus);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  for (std::size_t i = 0; i < kLayouts.size(); ++i) {
    const int tab = tabs_->addTab(nameOf(static_cast<WindowLayout>(i)));
    tabs_->setTabToolTip(tab, tr(kLayouts[i].shows));
  }
  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) { choose(static_cast<WindowLayout>(tab)); });
  return tabs_;
}

void Workspaces::fillMenu(QMenu& view) {
  view.addSection(tr("Workspace"));
  view.addActions(actions_);
}

// A class may be barred from a workspace.
bool Workspaces::isOffered(WindowLayout workspace) const {
  const int tab = static_cast<int>(workspace);
  return workspace == current_ || (tabs_->isTabEnabled(tab) && tabs_->isTabVisible(tab));
}

void Workspaces::choose(WindowLayout workspace) {
  if (!isOffered(workspace)) return;
  chosen_ = workspace;
  visit(workspace);
}

void Workspaces::visit(WindowLayout workspace) {
  if (workspace == current_ || !isOffered(workspace)) return;
  Q_EMIT leaving();
  current_ = workspace;
  {
    const QSignalBlocker quiet(tabs_);
    tabs_->setCurrentIndex(static_cast<int>(workspace));
  }
  actions_.at(static_cast<qsizetype>(workspace))->setChecked(true);
  Q_EMIT turned();
}

QString Workspaces::nameOf(WindowLayout workspace) const {
  return actions_.at(static_cast<qsizetype>(workspace))->text().remove(QLatin1Char('&'));
}

}  // namespace lab
