// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/tool_bars.h"

#include <QAction>
#include <QLabel>
#include <QLayout>
#include <QMainWindow>
#include <QScopeGuard>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/frame/panel.h"
#include "ui/help/actions.h"
#include "ui/setup/settings_row.h"
#include "ui/setup/setup_bar.h"
#include "ui/theme/icons.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/transport/transport.h"
#include "ui/transport/transport_bar.h"

namespace lab {
namespace {

constexpr double kGap = 1.2;  // in text sizes

// A toolbar with a gap after it.
class FirstBar final : public QToolBar {
 public:
  using QToolBar::QToolBar;
  QSize sizeHint() const override { return QToolBar::sizeHint() + QSize(theme::em(kGap), 0); }
};

QWidget* makeGap() {
  auto* gap = new QWidget;
  gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  return gap;
}

}  // namespace

// Created before the panels and menus, so that their tabs and buttons come last.
ToolBars::ToolBars(QMainWindow& window, Experiment& experiment, const Transport& transport, TransportBar& transportBar)
    : window_(window), transportBar_(transportBar) {
  toolBar_ = addBar(new FirstBar(tr("Controls")), "controls");
  setupBar_ = new SetupBar(experiment);
  toolBar_->addWidget(setupBar_);
  connect(setupBar_, &SetupBar::refreshed, this, &ToolBars::fit);
  toolBar_->addWidget(makeMoreButton());
  tabRow_ = addBar(new QToolBar(tr("Workspaces")), "workspaceRow");
  window_.addToolBarBreak();
  moreBar_ = addBar(new QToolBar(tr("More controls")), "moreBar");
  moreBar_->addWidget(&setupBar_->others());
  moreBar_->addSeparator();
  transport.fillToolBar(*moreBar_);
}

QToolBar* ToolBars::addBar(QToolBar* bar, const char* name) {
  bar->setObjectName(QLatin1String(name));
  bar->setMovable(false);
  bar->setFloatable(false);
  bar->toggleViewAction()->setEnabled(false);
  theme::follow(bar, [bar] { bar->setIconSize({theme::em(1.35), theme::em(1.35)}); });
  window_.addToolBar(bar);
  // In a narrow window, controls without room go behind this button, which Qt draws only for light windows.
  if (auto* more = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
    more->setIcon(icon(Icon::Down));
    more->setToolTip(tr("More controls"));
    more->setAccessibleName(more->toolTip());
  }
  return bar;
}

QWidget* ToolBars::makeMoreButton() {
  moreAct_ = makeAction(window_, "moreControls", tr("M&ore controls"), {QKeySequence(Qt::CTRL | Qt::Key_M)});
  moreAct_->setCheckable(true);
  moreAct_->setIconText(tr("More"));
  moreAct_->setToolTip(tr("More settings, modes, speeds, single steps and panels (Ctrl+M)"));
  connect(moreAct_, &QAction::triggered, this, &ToolBars::setShowsMore);
  auto* button = new QToolButton;
  button->setDefaultAction(moreAct_);
  button->setProperty("framed", true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(tr("More controls"));
  button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  auto* place = new QWidget;
  auto* column = new QVBoxLayout(place);  // like the settings beside it, which have their names above
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  auto* above = new QLabel;
  above->setProperty("role", QStringLiteral("caption"));
  column->addWidget(above);
  column->addWidget(button);
  return place;
}

void ToolBars::addTabs(QTabBar* workspaces) {
  tabRow_->addWidget(workspaces);
  tabRow_->addWidget(makeGap());
  moreBar_->addWidget(makeGap());
}

void ToolBars::addPanel(QAction& panel, bool besideTabs) {
  QToolBar& bar = besideTabs ? *tabRow_ : *moreBar_;
  bar.addAction(&panel);
  panelButtons_ << bar.widgetForAction(&panel);
  panelButtons_.last()->setFocusPolicy(Qt::TabFocus);
}

void ToolBars::setShowsMore(bool shown) {
  more_ = shown;
  turnMore(shown);
}

void ToolBars::turnMore(bool shown) {
  moreAct_->setChecked(shown);
  fit();  // hidden parts report the width they need only now
  Q_EMIT moreTurned();
}

// Opens More temporarily: a control that is pointed at must be visible.
void ToolBars::reveal(const QString& control) {
  if (moreAct_->isChecked()) return;
  const QWidget* panel = window_.findChild<Panel*>(control);
  const auto* action = window_.findChild<QAction*>(panel != nullptr ? control + QStringLiteral("Act") : control);
  bool within = moreBar_->findChild<QWidget*>(control) != nullptr;
  if (action != nullptr && (panel == nullptr || panel->isHidden()))
    for (QObject* object : action->associatedObjects())
      if (const auto* widget = qobject_cast<QWidget*>(object))
        within = within || moreBar_->isAncestorOf(widget) || transportBar_.steps().isAncestorOf(widget);
  if (within) turnMore(true);
}

// Ctrl+1 to Ctrl+5, F7 to F9 and the menus replace the tabs and buttons: if letters are large, the stage's words come
// first. On a projector the keys suffice.
void ToolBars::show() {
  toolBar_->setVisible(!bare_);
  tabRow_->setVisible(!theme::isProjected() && window_.height() >= theme::em(18));
  const bool more = moreAct_->isChecked() && !bare_;
  moreBar_->setVisible(more);
  transportBar_.setSteps(more);
}

int ToolBars::height() const {
  const auto high = [](const QToolBar& bar) { return bar.isHidden() ? 0 : bar.sizeHint().height(); };
  const int first = high(*toolBar_), tabs = high(*tabRow_);
  return (window_.toolBarBreak(tabRow_) ? first + tabs : std::max(first, tabs)) + high(*moreBar_);
}

struct ToolBars::Spare {  // something that can be left out of the bar
  QWidget* widget;
  QAction *action, *separator;  // on the bar; nullptr: none
  int width;
};

// A field that is hidden sets the number that is typed in it, and the run that then begins calls this again. The bars
// are fitted once more afterwards, not while they are being fitted.
void ToolBars::fit() {
  if (isFitting_) {
    fitsAgain_ = true;
    return;
  }
  isFitting_ = true;
  const auto done = qScopeGuard([this] { isFitting_ = false; });
  fitsAgain_ = false;
  fitOnce();
  if (fitsAgain_) fitOnce();
}

void ToolBars::fitOnce() {
  show();
  // The workspaces' tabs can be scrolled, but the panels' buttons cannot, so these keep their words.
  for (QWidget* button : panelButtons_) button->setMinimumWidth(button->sizeHint().width());
  const QMargins margins = toolBar_->layout()->contentsMargins();
  int whole = margins.left() + margins.right() + setupBar_->nameWidth();
  for (const QWidget* field : setupBar_->first().fields())
    whole += field->sizeHint().width() + setupBar_->first().layout()->spacing();
  for (QAction* action : toolBar_->actions())
    if (const QWidget* widget = toolBar_->widgetForAction(action); widget != setupBar_)
      whole += widget->sizeHint().width() + toolBar_->layout()->spacing();
  const bool two = whole + theme::em(kGap) + tabRow_->sizeHint().width() > window_.width();
  if (two != window_.toolBarBreak(tabRow_)) {
    if (two)
      window_.insertToolBarBreak(tabRow_);
    else
      window_.removeToolBarBreak(tabRow_);
  }
  fitBar(*toolBar_, *setupBar_, setupBar_->first(), setupBar_->nameWidth());
  fitBar(*moreBar_, setupBar_->others(), setupBar_->others(), 0);
}

// If letters are large, not all controls fit into one row: those that are also in the menus, behind a button or in the
// tab Setup are left out, the least needed first. `place`: the row's place on the bar; `beside`: the width beside the
// row.
void ToolBars::fitBar(QToolBar& bar, QWidget& place, SettingsRow& row, int beside) {
  const QMargins margins = bar.layout()->contentsMargins();
  const int spacing = bar.layout()->spacing();
  std::vector<Spare> spares;  // the most needed first
  int room = window_.width() - margins.left() - margins.right() + spacing;
  QAction* separator = nullptr;
  for (QAction* action : bar.actions()) {
    QWidget* widget = bar.widgetForAction(action);
    if (action->isSeparator()) {
      separator = action;
      continue;
    }
    int wide = widget->sizeHint().width() + spacing;
    if (separator != nullptr) wide += bar.widgetForAction(separator)->sizeHint().width() + spacing;
    if (widget == &place) {
      for (QWidget* field : row.fields())
        spares.push_back({field, nullptr, nullptr, field->sizeHint().width() + row.layout()->spacing()});
      room -= beside + spacing;
    } else if (widget->property("spare").toBool()) {
      spares.push_back({widget, action, separator, wide});
    } else {
      room -= wide;
    }
    separator = nullptr;
  }
  std::ranges::stable_partition(spares,
                                [](const Spare& spare) { return !spare.widget->property("leastNeeded").toBool(); });
  if (!fitSpares(row, spares, room)) fitSpares(row, spares, room - row.moreWidth());
}

// Returns true if every setting is on the bar; otherwise a button opens the others.
bool ToolBars::fitSpares(SettingsRow& row, const std::vector<Spare>& spares, int room) {
  int roomBefore = room;
  bool fits = true, fittedBefore = true;
  QList<QWidget*> gone;
  for (const Spare& spare : spares) {
    bool shown = false;
    if (spare.widget->property("shorter").toBool()) {  // the one before, in less room, where that one has none
      shown = !fits && fittedBefore && roomBefore >= spare.width;
    } else {
      roomBefore = room;
      fittedBefore = fits;
      room -= spare.width;
      shown = fits = fits && room >= 0;
    }
    if (spare.action != nullptr) {
      spare.action->setVisible(shown);
      if (spare.separator != nullptr) spare.separator->setVisible(shown);
    } else {
      spare.widget->setVisible(shown);
      if (!shown) gone << spare.widget;
    }
  }
  row.setGone(gone);
  return gone.isEmpty();
}

}  // namespace lab
