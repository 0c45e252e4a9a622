// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/teach/control_hold.h"

#include <QAction>
#include <QEvent>
#include <QSignalBlocker>
#include <QTabBar>
#include <QWidget>

namespace lab {
namespace {

class ActionHold final : public ControlHold {
 public:
  ActionHold(QAction& action, ControlState state, const QString& why)
      : action_(&action),
        state_(state),
        enabled_(action.isEnabled()),
        visible_(action.isVisible()),
        tip_(action.toolTip()) {
    action.setToolTip(why);
    connect(&action, &QAction::changed, this, [this] { enforce(); });
    enforce();
  }
  ~ActionHold() override {
    if (!action_) return;
    disconnect(action_, nullptr, this, nullptr);
    action_->setVisible(visible_);
    action_->setEnabled(enabled_);
    action_->setToolTip(tip_);
  }
  bool isOf(const QObject* target, int) const override { return target == action_; }
  ControlState state() const override { return state_; }

 private:
  void enforce() {
    if (working_) return;
    working_ = true;
    if (state_ == ControlState::Hidden && action_->isVisible()) action_->setVisible(false);
    if (action_->isEnabled()) {
      enabled_ = true;
      action_->setEnabled(false);
    }
    working_ = false;
  }

  QPointer<QAction> action_;
  ControlState state_;
  bool enabled_, visible_, working_ = false;
  QString tip_;
};

class WidgetHold final : public ControlHold {
 public:
  WidgetHold(QWidget& widget, ControlState state, const QString& why)
      : widget_(&widget),
        state_(state),
        enabled_(!widget.testAttribute(Qt::WA_ForceDisabled)),
        visible_(!widget.isHidden()),
        tip_(widget.toolTip()) {
    widget.setToolTip(why);
    widget.installEventFilter(this);
    widget.setEnabled(false);
    if (state == ControlState::Hidden) widget.hide();
  }
  ~WidgetHold() override {
    if (!widget_) return;
    widget_->removeEventFilter(this);
    widget_->setEnabled(enabled_);
    if (state_ == ControlState::Hidden && visible_) widget_->show();
    widget_->setToolTip(tip_);
  }
  bool isOf(const QObject* target, int) const override { return target == widget_; }
  ControlState state() const override { return state_; }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::EnabledChange && !widget_->testAttribute(Qt::WA_ForceDisabled)) {
      enabled_ = true;
      widget_->setEnabled(false);
    } else if (event->type() == QEvent::ShowToParent && state_ == ControlState::Hidden) {
      visible_ = true;
      widget_->hide();
    }
    return false;
  }

 private:
  QPointer<QWidget> widget_;
  ControlState state_;
  bool enabled_, visible_;
  QString tip_;
};

class TabHold final : public ControlHold {
 public:
  TabHold(QTabBar& bar, int tab, ControlState state, const QString& why)
      : bar_(&bar), tab_(tab), state_(state), tip_(bar.tabToolTip(tab)) {
    bar.setTabToolTip(tab, why);
    if (state == ControlState::Hidden) {
      bar.setTabVisible(tab, false);
      bar.setTabEnabled(tab, false);
      return;
    }
    // The row would turn to another tab; what is in front stays.
    const QSignalBlocker quiet(&bar);
    const int current = bar.currentIndex();
    bar.setTabEnabled(tab, false);
    bar.setCurrentIndex(current);
  }
  ~TabHold() override {
    if (!bar_) return;
    bar_->setTabEnabled(tab_, true);
    bar_->setTabVisible(tab_, true);
    bar_->setTabToolTip(tab_, tip_);
  }
  bool isOf(const QObject* target, int part) const override { return target == bar_ && part == tab_; }
  ControlState state() const override { return state_; }

 private:
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
