// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/field_keys.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>

#include "ui/accessibility/own_events.h"
#include "ui/setup/setting_field.h"
#include "ui/setup/strategy_picker.h"

namespace lab {
namespace {

bool isEnter(int key) {
  return key == Qt::Key_Return || key == Qt::Key_Enter;
}

bool movesOrErases(int key) {
  constexpr int kKeys[] = {Qt::Key_Left, Qt::Key_Right,  Qt::Key_Up,       Qt::Key_Down,   Qt::Key_Home,
                           Qt::Key_End,  Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Delete, Qt::Key_Backspace};
  return std::ranges::find(kKeys, key) != std::end(kKeys);
}

// True if the field uses this key, alone or with Shift.
bool takes(const QWidget& field, const QKeyEvent& key) {
  if (key.key() == Qt::Key_Escape || isEnter(key.key())) return true;
  const QString text = key.text();
  const bool prints = !text.isEmpty() && text.front().isPrint();
  if (qobject_cast<const QComboBox*>(&field) != nullptr)  // Space opens it, letters search for a line
    return prints || (movesOrErases(key.key()) && key.key() != Qt::Key_Left && key.key() != Qt::Key_Right);
  if (movesOrErases(key.key())) return true;
  if (qobject_cast<const QLineEdit*>(&field) != nullptr) return prints;
  const bool fraction = qobject_cast<const QDoubleSpinBox*>(&field) != nullptr &&
                        (text == QLatin1String(".") || text == QLatin1String(","));
  return prints && (text.front().isDigit() || fraction);
}

// Discards text that was typed but not accepted.
void putBack(QWidget& field) {
  if (auto* number = qobject_cast<QSpinBox*>(&field)) {
    number->setValue(number->value());
  } else if (auto* real = qobject_cast<QDoubleSpinBox*>(&field)) {
    real->setValue(real->value());
  } else {
    auto* list = qobject_cast<QComboBox*>(&field);
    QLineEdit* line = list != nullptr ? list->lineEdit() : qobject_cast<QLineEdit*>(&field);
    if (line == nullptr) return;
    while (line->isUndoAvailable()) line->undo();
    if (const QCompleter* words = line->completer()) words->popup()->hide();  // which an undo opens, as typing does
    line->setModified(false);
    if (list != nullptr) line->setCursorPosition(0);  // shows a name from its beginning
  }
}

}  // namespace

FieldKeys::FieldKeys(QWidget& window) : QObject(&window), window_(window) {
  QApplication::instance()->installEventFilter(this);
}

// True for parts in a window of their own too.
bool FieldKeys::isOurs(const QObject& part) const {
  const QObject* object = &part;
  while (object != nullptr && object != &window_) object = object->parent();
  return object != nullptr;
}

QWidget* FieldKeys::fieldOf(QObject* object) const {
  QWidget* field = nullptr;
  QWidget* widget = qobject_cast<QWidget*>(object);
  for (; widget != nullptr && !widget->isWindow(); widget = widget->parentWidget()) {
    if (qobject_cast<QAbstractItemView*>(widget) != nullptr) return nullptr;  // a cell's editor has its own keys
    if (qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QLineEdit*>(widget) != nullptr)
      field = widget;
  }
  // The window itself, its floating docks, and the picker of strategies; dialogs have their own rules.
  const bool ours =
      widget == &window_ ||
      ((qobject_cast<QDockWidget*>(widget) != nullptr || qobject_cast<StrategyPicker*>(widget) != nullptr) &&
       isOurs(*widget));
  return ours ? field : nullptr;
}

// Without a focus Tab would begin anew, far from the field.
void FieldKeys::goOn(const QObject& receiver) const {
  if (left_ && left_->isVisible() && left_->window() == &receiver && QApplication::focusWidget() == nullptr)
    left_->setFocus();
}

bool FieldKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool isTab = key == Qt::Key_Tab || key == Qt::Key_Backtab;
    byTab_ = byTab_ || isTab;
    if (isTab) goOn(*watched);
  }
  if (event->type() == QEvent::MouseButtonPress) {
    byTab_ = false;
    const auto* pressed = qobject_cast<QWidget*>(watched);
    QWidget* field = pressed == nullptr ? nullptr : fieldOf(QApplication::focusWidget());
    if (field == nullptr || pressed == field || field->isAncestorOf(pressed) || pressed->window() != field->window())
      return false;
    // What was typed counts from here on. That may start the run anew, which may remove what is pressed.
    const QPointer<QObject> there = watched;
    field->clearFocus();
    return there.isNull();
  }
  if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) return false;
  // Keys of an open list are never shortcuts. The list must see them here: it takes Enter, F4 and Esc as overrides of
  // shortcuts, not as presses (QComboBoxPrivateContainer::eventFilter).
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (event->type() == QEvent::ShortcutOverride && widget != nullptr && widget->window() != &window_ &&
      widget->window()->windowType() == Qt::Popup && isOurs(*widget)) {
    event->accept();
    return false;
  }
  QWidget* field = fieldOf(watched);
  if (field == nullptr) return false;
  const auto& key = *static_cast<QKeyEvent*>(event);
  if (event->type() == QEvent::ShortcutOverride && key.matches(QKeySequence::Undo) &&
      field->property(kRefused).toBool()) {  // the window undoes it, as the field has nothing else to undo
    event->ignore();
    return true;
  }
  if ((key.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) != Qt::NoModifier) return false;
  if (event->type() == QEvent::ShortcutOverride) {
    event->setAccepted(takes(*field, key));
    return true;
  }
  if (key.key() != Qt::Key_Escape && !isEnter(key.key())) return false;
  if (isEnter(key.key()) && field->property(kOwnEnter).toBool()) return false;
  const QPointer<QWidget> there = field;  // what was typed may start the run anew, which may remove the field
  if (auto* number = qobject_cast<QAbstractSpinBox*>(field); number != nullptr && isEnter(key.key()))
    number->interpretText();
  if (key.key() == Qt::Key_Escape) {
    putBack(*field);
    if (field->property(kRefused).toBool()) Q_EMIT refusedLeft();
  }
  left_ = there;
  if (there) field->clearFocus();  // this makes a line edit emit that editing has finished
  const bool refused = there && isEnter(key.key()) && field->property(kRefused).toBool();
  if (refused) field->setFocus();  // so that the user can correct it
  return true;
}

}  // namespace lab
