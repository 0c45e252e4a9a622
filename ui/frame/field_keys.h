// SPDX-License-Identifier: GPL-3.0-or-later
// Decides who gets a key. While a field of the window has the focus, keys that edit or move in the field belong to it:
// digits choose no strategies there. Enter accepts the text, Esc restores the previous one, or what is in force after a
// refusal; both give the keys back to the window's shortcuts, as does a click elsewhere, and Tab goes on from there.
// The window keeps keys that a number cannot use: Space plays.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

class QKeyEvent;

namespace lab {

class FieldKeys final : public QObject {
  Q_OBJECT

 public:
  explicit FieldKeys(QWidget& window);  // which owns this object

  // A button focused by a click needs no more keys; one that was reached with Tab waits for Space.
  bool isByTab() const { return byTab_; }

 Q_SIGNALS:
  void refusedLeft();  // by Esc: the value in force is wanted back

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool isOurs(const QObject& part) const;
  QWidget* fieldOf(QObject* object) const;  // null: in no field of the window
  void goOn(const QObject& receiver) const;

  QWidget& window_;
  QPointer<QWidget> left_;  // the field that Enter or Esc has left last
  bool byTab_ = false;      // the user has moved with Tab, and has not clicked since
};

}  // namespace lab
