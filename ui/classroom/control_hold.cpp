// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/classroom/control_hold.h"

#include <QAction>
#include <QActionGroup>
#include <QHelpEvent>
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolTip>
#include <QWidget>

#include "ui/frame/panel.h"

namespace lab {
namespace {

// Qt sends no signal when a disabled action or widget is disabled again. So what the program wants stays in the
// explicit state of the action or widget, and a hold disables in the way that Qt's action groups and parent widgets do.

// Applies a temporary group's state to one action. The action keeps its explicit state, which counts again after a call
// with a group that is enabled and visible.
void applyGroup(QAction& action, bool enabled, bool visible) {
  QActionGroup group(nullptr);
  group.setExclusionPolicy(QActionGroup::ExclusionPolicy::None);
  group.setEnabled(enabled);
  group.setVisible(visible);
  group.addAction(&action);
  group.removeAction(&action);
}

class ActionHold final : public ControlHold {
 public:
  ActionHold(QAction& action, ControlState state, const QString& why)
      : action_(&action), state_(state), why_(why), tip_(action.toolTip()) {
    connect(&action, &QAction::changed, this, [this] { enforce(); });
    enforce();
  }
  ~ActionHold() override {
    if (!action_) return;
    disconnect(action_, nullptr, this, nullptr);
    if (action_->toolTip() == why_) action_->setToolTip(tip_);
    if (isAlone()) {
      applyGroup(*action_, true, true);
    } else {
      if (visible_) action_->setVisible(true);
      if (enabled_) action_->setEnabled(true);
    }
  }
  bool isOf(const QObject* target, int) const override { return target == action_; }
  ControlState state() const override { return state_; }

 private:
  // False if the action is in a group already, which it would lose in applyGroup().
  bool isAlone() const { return action_->actionGroup() == nullptr; }
  void enforce() {
    if (working_) return;
    working_ = true;
    if (action_->toolTip() != why_) {
      tip_ = action_->toolTip();
      action_->setToolTip(why_);
    }
    const bool shown = state_ == ControlState::Hidden && action_->isVisible();
    if (isAlone()) {
      if (shown || action_->isEnabled()) applyGroup(*action_, false, state_ != ControlState::Hidden);
    } else {
      if (shown) {
        visible_ = true;
        action_->setVisible(false);
      }
      if (action_->isEnabled()) {
        enabled_ = true;
        action_->setEnabled(false);
      }
    }
    working_ = false;
  }

  QPointer<QAction> action_;
  ControlState state_;
  bool enabled_ = false, visible_ = false, working_ = false;  // first two: what an action in a group should be
  QString why_, tip_;
};

class WidgetHold final : public ControlHold {
 public:
  WidgetHold(QWidget& widget, ControlState state, const QString& why)
      : widget_(&widget), state_(state), visible_(!widget.isHidden()), why_(why), tip_(widget.toolTip()) {
    widget.setToolTip(why);
    widget.installEventFilter(this);
    for (QWidget* part : widget.findChildren<QWidget*>()) part->installEventFilter(this);
    disable();
    if (state == ControlState::Hidden) widget.hide();
  }
  ~WidgetHold() override {
    if (!widget_) return;
    widget_->removeEventFilter(this);
    widget_->setEnabled(!widget_->testAttribute(Qt::WA_ForceDisabled));
    if (state_ == ControlState::Hidden && visible_) widget_->show();
    if (widget_->toolTip() == why_) widget_->setToolTip(tip_);
  }
  bool isOf(const QObject* target, int) const override { return target == widget_; }
  ControlState state() const override { return state_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched != widget_) {  // a part of the widget that has its own tip
      if (event->type() != QEvent::ToolTip) return false;
      QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), why_, static_cast<QWidget*>(watched));
      return true;
    }
    if (event->type() == QEvent::EnabledChange && widget_->isEnabled()) {
      disable();
    } else if (event->type() == QEvent::ShowToParent && state_ == ControlState::Hidden) {
      visible_ = true;
      widget_->hide();
    } else if (event->type() == QEvent::ToolTipChange && widget_->toolTip() != why_) {
      tip_ = widget_->toolTip();
      widget_->setToolTip(why_);
    }
    return false;
  }

 private:
  // Disables as a disabled parent would: the attribute still says what the program wants.
  void disable() {
    const bool wished = widget_->testAttribute(Qt::WA_ForceDisabled);
    widget_->setEnabled(false);
    widget_->setAttribute(Qt::WA_ForceDisabled, wished);
  }

  QPointer<QWidget> widget_;
  ControlState state_;
  bool visible_;
  QString why_, tip_;
};

class TabHold final : public ControlHold {
 public:
  TabHold(QTabBar& bar, int tab, ControlState state, const QString& why)
      : bar_(&bar), tab_(tab), state_(state), tip_(bar.tabToolTip(tab)) {
    bar.setTabToolTip(tab, why);
    if (state == ControlState::Hidden) {
      bar.setTabVisible(tab, false);
      bar.setTabEnabled(tab, false);
    } else {
      // Disabling a current tab would switch to another one; this keeps it in front.
      const QSignalBlocker quiet(&bar);
      const int current = bar.currentIndex();
      bar.setTabEnabled(tab, false);
      bar.setCurrentIndex(current);
    }
    offer();
  }
  ~TabHold() override {
    if (!bar_) return;
    bar_->setTabEnabled(tab_, true);
    bar_->setTabVisible(tab_, true);
    bar_->setTabToolTip(tab_, tip_);
    offer();
  }
  bool isOf(const QObject* target, int part) const override { return target == bar_ && part == tab_; }
  ControlState state() const override { return state_; }

 private:
  // Updates the list that a narrow panel shows in place of the row of tabs.
  void offer() {
    for (QWidget* up = bar_; up != nullptr; up = up->parentWidget())
      if (auto* panel = qobject_cast<Panel*>(up)) panel->offerTabs();
  }

  QPointer<QTabBar> bar_;
  int tab_;
  ControlState state_;
  QString tip_;
};

}  // namespace

std::unique_ptr<ControlHold> holdAction(QAction& action, ControlState state, const QString& why) {
  return std::make_unique<ActionHold>(action, state, why);
}

std::unique_ptr<ControlHold> holdWidget(QWidget& widget, ControlState state, const QString& why) {
  return std::make_unique<WidgetHold>(widget, state, why);
}

std::unique_ptr<ControlHold> holdTab(QTabBar& bar, int tab, ControlState state, const QString& why) {
  return std::make_unique<TabHold>(bar, tab, state, why);
}

}  // namespace lab
