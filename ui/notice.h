// SPDX-License-Identifier: GPL-3.0-or-later
// A bar above the stage: what happened and what to do, in place of a dialog. It stays until what it says is over or it
// is closed, and never takes the keyboard.
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace lab {

class Notice final : public QFrame {
  Q_OBJECT

 public:
  enum class Kind { Error, Warning };

  explicit Notice(QWidget* parent = nullptr);

  // "" hides it. The same text again does not bring back what was closed. `remedy`: a button's words, "" for none.
  void tell(Kind kind, const QString& text, const QString& remedy = {});

 Q_SIGNALS:
  void remedyWanted();

 private:
  QLabel* text_;
  QToolButton* remedy_;
};

}  // namespace lab
