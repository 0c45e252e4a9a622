// SPDX-License-Identifier: GPL-3.0-or-later
// Whose a key is. While a field of the window has the focus, the keys that write or move in it are the field's: digits
// are no strategies there. Enter takes what was written, Esc what stood there before, and both give the keys back to
// the window's shortcuts, as does a press anywhere else. Keys that a number has no use for stay the window's: Space
// plays.
#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace lab {

class FieldKeys final : public QObject {
  Q_OBJECT

 public:
  explicit FieldKeys(QWidget& window);  // which owns it

  // A button that a click has given the focus is done with; one that was reached with Tab waits for Space.
  bool isByTab() const { return byTab_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool isOurs(const QObject& part) const;
  QWidget* fieldOf(QObject* object) const;  // null: in none of the window's

  QWidget& window_;
  bool byTab_ = false;  // the person goes by Tab, and has not clicked since
};

}  // namespace lab
