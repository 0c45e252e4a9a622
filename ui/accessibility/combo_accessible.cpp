// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accessibility/combo_accessible.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>

#include "ui/accessibility/announcer.h"

namespace lab {

ComboAccessible::ComboAccessible(QComboBox& combo) : QAccessibleWidget(&combo, QAccessible::ComboBox), combo_(combo) {
  // A screen reader does not speak a closed list's new value by itself.
  QObject::connect(&combo, &QComboBox::currentTextChanged, &combo, [&combo](const QString& value) {
    if (combo.hasFocus() && !combo.isEditable()) announce(combo, value);
  });
}

QString ComboAccessible::value() const {
  return combo_.currentText();  // in an editable box, the text being typed
}

QString ComboAccessible::text(QAccessible::Text kind) const {
  if (kind == QAccessible::Value) return value();
  const QString given = QAccessibleWidget::text(kind);
  return kind == QAccessible::Name && given.isEmpty() ? value() : given;  // some in Qt's own dialogs have no label
}

QAccessible::State ComboAccessible::state() const {
  QAccessible::State state = QAccessibleWidget::state();
  state.expandable = state.hasPopup = true;
  state.expanded = combo_.view()->isVisible();
  return state;
}

int ComboAccessible::childCount() const {
  return combo_.isEditable() ? 2 : 1;  // the list and, if editable, the line
}

QAccessibleInterface* ComboAccessible::child(int index) const {
  QWidget* part = index == 0 ? static_cast<QWidget*>(combo_.view()) : index == 1 ? combo_.lineEdit() : nullptr;
  if (part != nullptr && part->accessibleName().isEmpty()) part->setAccessibleName(text(QAccessible::Name));
  return QAccessible::queryAccessibleInterface(part);
}

QAccessibleInterface* ComboAccessible::childAt(int, int) const {
  return combo_.isEditable() ? child(1) : nullptr;
}

int ComboAccessible::indexOfChild(const QAccessibleInterface* child) const {
  if (child->object() == combo_.view()) return 0;
  return combo_.isEditable() && child->object() == combo_.lineEdit() ? 1 : -1;
}

QAccessibleInterface* ComboAccessible::focusChild() const {
  return combo_.isEditable() ? child(1) : nullptr;
}

QStringList ComboAccessible::actionNames() const {
  return QStringList{showMenuAction(), pressAction()} + QAccessibleWidget::actionNames();
}

void ComboAccessible::doAction(const QString& name) {
  if (name != showMenuAction() && name != pressAction()) return QAccessibleWidget::doAction(name);
  if (combo_.view()->isVisible()) {
    combo_.hidePopup();
  } else {
    combo_.showPopup();
  }
}

void* ComboAccessible::interface_cast(QAccessible::InterfaceType type) {
  if (type == QAccessible::TextInterface) return static_cast<QAccessibleTextInterface*>(this);
  return QAccessibleWidget::interface_cast(type);
}

QString ComboAccessible::text(int begin, int end) const {
  return value().mid(begin, end - begin);
}

int ComboAccessible::characterCount() const {
  return static_cast<int>(value().size());
}

QString ComboAccessible::attributes(int, int* begin, int* end) const {
  *begin = 0;
  *end = characterCount();
  return {};
}

}  // namespace lab
