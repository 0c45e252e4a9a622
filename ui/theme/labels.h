// SPDX-License-Identifier: GPL-3.0-or-later
// Labels as the window has them: a name for tests and the style sheet, a role of the style sheet, words that wrap.
#pragma once

#include <QString>

class QLabel;

namespace lab {

struct LabelLook {
  QString text;
  const char* name = nullptr;  // the object's; null: none
  const char* role = nullptr;  // of the style sheet: "quiet", "caption", "strong", "error"…
  bool wraps = false;
  bool plain = false;       // text of others, which may look like markup
  bool selectable = false;  // by mouse
};
QLabel* makeLabel(const LabelLook& look);

}  // namespace lab
