// SPDX-License-Identifier: GPL-3.0-or-later
// The window's labels: an object name for tests and the style sheet, a role for the style sheet, wrapping words.
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace lab {

struct LabelLook {
  QString text;
  const char* name = nullptr;  // the object's name; null: none
  const char* role = nullptr;  // for the style sheet: "quiet", "caption", "strong", "error"…
  bool wraps = false;
  bool plain = false;       // for text from elsewhere, which may look like markup
  bool selectable = false;  // by mouse
};
QLabel* makeLabel(const LabelLook& look);
// Gives a widget another role, as which it is shown at once.
void setRole(QWidget& widget, const QString& role);

}  // namespace lab
