// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/classroom/class_locks.h"

#include <QApplication>
#include <QDialog>
#include <QEvent>
#include <QMenu>
#include <QTimer>
#include <QUndoStack>

#include <algorithm>
#include <map>
#include <utility>

#include "core/options/config_field.h"
#include "ui/frame/on_demand.h"
#include "ui/frame/panel.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/window/main_window.h"

namespace lab {

class LockCommand final : public QUndoCommand {
 public:
  LockCommand(ClassLocks& owner, ControlLocks after, const QString& words)
      : QUndoCommand(words), owner_(owner), before_(owner.locks()), after_(std::move(after)) {}
  void undo() override { setObsolete(!owner_.isTakenBack(before_)); }
  void redo() override {
    if (!std::exchange(pushed_, true)) return owner_.put(after_);
    setObsolete(!owner_.isTakenBack(after_));
  }

 private:
  bool pushed_ = false;
  ClassLocks& owner_;
  ControlLocks before_, after_;
};

ClassLocks::ClassLocks(MainWindow& window, QUndoStack& undo, QObject* parent)
    : QObject(parent), window_(window), undo_(undo) {
  window_.experiment().setRefusal([this](const QString& setting) { return refusal(setting); });
}

ClassLocks::~ClassLocks() = default;

bool ClassLocks::isArranging() const {
  const auto* dialog = window_.findChild<QDialog*>(QStringLiteral("arrangeDialog"));
  return dialog != nullptr && dialog->isVisible();
}

QString ClassLocks::why() const {
  return tr("Locked by the teacher's file; %1 brings all back").arg(keys());
}

QString ClassLocks::refusal(const QString& id) const {
  if (!isInForce() || stateOf(id) == ControlState::Shown) return {};
  return tr("%1 is locked by the teacher's file. %2 brings all back.").arg(nameOf(id), keys());
}

QString ClassLocks::nameOf(const QString& id) const {
  for (const ConfigField& field : configFields())
    if (field.name == id.toStdString()) return settingCaption(field);
  const std::vector<Control> known = controlsOf(window_);
  const auto control = std::ranges::find(known, id, &Control::id);
  return control == known.end() ? id : control->name;
}

bool ClassLocks::isTakenBack(const ControlLocks& to) {
  if (!isInForce() || isArranging()) {
    put(to);
    return true;
  }
  Q_EMIT refused(tr("Locked controls stay locked. %1 brings all back.").arg(keys()));
  return false;
}

// Entries of the menu have the object names of the controls that they stand for.
void ClassLocks::holdMenu(QMenu& menu) {
  if (!isInForce()) return;
  std::erase_if(menuHolds_, [](const auto& hold) { return hold->isOf(nullptr, 0); });  // whose menus are gone
  const auto isHeld = [this](const QAction* action) {
    const auto holds = [action](const auto& hold) { return hold->isOf(action, 0); };
    return std::ranges::any_of(holds_, holds) || std::ranges::any_of(menuHolds_, holds);
  };
  for (QAction* action : menu.actions()) {
    if (action->menu() != nullptr) holdMenu(*action->menu());
    const QVariant told = action->property("control");  // set if the entry has another name
    const ControlState state = stateOf(told.isValid() ? told.toString() : action->objectName());
    if (state != ControlState::Shown && !isHeld(action)) menuHolds_.push_back(holdAction(*action, state, why()));
  }
}

std::vector<Control> ClassLocks::controls() const {
  for (OnDemand* view : window_.findChildren<OnDemand*>()) view->content();
  return controlsOf(window_);
}

QString ClassLocks::keys() const {
  const auto* back = window_.findChild<QAction*>(QStringLiteral("bringBackAct"));
  return back->shortcut().toString(QKeySequence::NativeText);
}

ControlState ClassLocks::stateOf(const QString& id) const {
  const std::string name = id.toStdString();
  if (std::ranges::binary_search(locks_.hidden, name)) return ControlState::Hidden;
  return std::ranges::binary_search(locks_.locked, name) ? ControlState::Locked : ControlState::Shown;
}

QStringList ClassLocks::take(const ControlLocks& locks) {
  put(locks);
  QStringList unknown;
  if (locks.empty()) return unknown;
  const auto find = [&](const std::vector<Control>& controls) {
    unknown.clear();
    for (const auto* names : {&locks.hidden, &locks.locked})
      for (const std::string& name : *names)
        if (std::ranges::find(controls, QString::fromStdString(name), &Control::id) == controls.end())
          unknown << QString::fromStdString(name);
  };
  find(controlsOf(window_));
  if (!unknown.isEmpty()) find(controls());  // may be in views that have not been made yet
  return unknown;
}

void ClassLocks::set(const QStringList& ids, ControlState state) {
  ControlLocks after = locks_;
  for (const QString& id : ids) {
    const std::string name = id.toStdString();
    std::erase(after.hidden, name);
    std::erase(after.locked, name);
    if (state == ControlState::Hidden) after.hidden.push_back(name);
    if (state == ControlState::Locked) after.locked.push_back(name);
  }
  after = inOrder(std::move(after));
  if (after == locks_) return;
  const QString words = state == ControlState::Hidden   ? tr("hide %Ln controls", nullptr, plural(ids.size()))
                        : state == ControlState::Locked ? tr("lock %Ln controls", nullptr, plural(ids.size()))
                                                        : tr("show %Ln controls", nullptr, plural(ids.size()));
  undo_.push(new LockCommand(*this, std::move(after), words));
}

void ClassLocks::put(const ControlLocks& locks) {
  lifted_ = false;
  locks_ = locks;
  apply();
  Q_EMIT changed();
  window_.experiment().refusalChanged();  // listeners update what can be done
}

void ClassLocks::lift(bool lifted) {
  lifted_ = lifted && !locks_.empty();
  apply();
  Q_EMIT changed();
  window_.experiment().refusalChanged();  // listeners update what can be done
}

// Also holds controls that are made or shown later.
bool ClassLocks::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Polish)
    if (auto* menu = qobject_cast<QMenu*>(watched)) holdMenu(*menu);
  if (event->type() == QEvent::Polish && !std::exchange(pending_, true))
    QTimer::singleShot(0, this, [this] {
      pending_ = false;
      apply();
    });
  return false;
}

void ClassLocks::apply() {
  const bool force = isInForce();
  menuHolds_.clear();
  if (force && panelsBefore_.isEmpty()) {
    panelsBefore_ = window_.panels().save();
    qApp->installEventFilter(this);
  }
  // If several controls share a part, the stronger state applies.
  std::map<std::pair<QObject*, int>, ControlState> wanted;
  if (force)
    for (const Control& control : controlsOf(window_)) {
      const ControlState state = stateOf(control.id);
      if (state == ControlState::Shown) continue;
      const auto want = [&](QObject* target, int part) {
        ControlState& now = wanted[{target, part}];
        if (target != nullptr) now = std::max(now, state);
      };
      for (const auto& action : control.actions) want(action, 0);
      for (const auto& widget : control.widgets) want(widget, 0);
      for (const auto& tab : control.tabs) want(tab.bar, tab.index);
    }
  const auto isWanted = [&wanted](const std::unique_ptr<ControlHold>& hold) {
    return std::ranges::any_of(wanted, [&hold](const auto& one) {
      return hold->isOf(one.first.first, one.first.second) && hold->state() == one.second;
    });
  };
  std::erase_if(holds_, [&](const auto& hold) { return !isWanted(hold); });
  const QString words = why();
  for (const auto& [target, state] : wanted) {
    const bool held =
        std::ranges::any_of(holds_, [&](const auto& hold) { return hold->isOf(target.first, target.second); });
    if (held) continue;
    if (auto* action = qobject_cast<QAction*>(target.first)) {
      holds_.push_back(holdAction(*action, state, words));
    } else if (auto* bar = qobject_cast<QTabBar*>(target.first)) {
      holds_.push_back(holdTab(*bar, target.second, state, words));
    } else if (auto* widget = qobject_cast<QWidget*>(target.first)) {
      holds_.push_back(holdWidget(*widget, state, words));
    }
  }
  if (force || panelsBefore_.isEmpty()) return;
  qApp->removeEventFilter(this);
  window_.panels().restore(std::exchange(panelsBefore_, {}));
}

}  // namespace lab
