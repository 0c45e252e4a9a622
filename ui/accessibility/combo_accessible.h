// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box for screen readers: its name is its label, and its text is the chosen value. On Linux, Qt 6.4 reports the
// value as the name, and no label.
#pragma once

#include <QAccessibleWidget>

class QComboBox;

namespace lab {

class ComboAccessible final : public QAccessibleWidget, public QAccessibleTextInterface {
 public:
  explicit ComboAccessible(QComboBox& combo);

  QString text(QAccessible::Text kind) const override;
  QAccessible::State state() const override;
  int childCount() const override;
  QAccessibleInterface* child(int index) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* focusChild() const override;
  QStringList actionNames() const override;
  void doAction(const QString& name) override;
  void* interface_cast(QAccessible::InterfaceType type) override;

  // The chosen value as read-only text without a cursor.
  QString text(int begin, int end) const override;
  int characterCount() const override;
  int cursorPosition() const override { return 0; }
  void setCursorPosition(int) override {}
  int selectionCount() const override { return 0; }
  void selection(int, int* begin, int* end) const override { *begin = *end = 0; }
  void addSelection(int, int) override {}
  void removeSelection(int) override {}
  void setSelection(int, int, int) override {}
  QRect characterRect(int) const override { return rect(); }
  int offsetAtPoint(const QPoint&) const override { return -1; }
  void scrollToSubstring(int, int) override {}
  QString attributes(int, int* begin, int* end) const override;

 private:
  QString value() const;

  QComboBox& combo_;
};

}  // namespace lab
