// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions for screen readers of widgets that Qt 6.4 describes wrongly or not at all: painted widgets get a role,
// an exclusive tool button is reported as a radio button, and a combo box is called by its label.
#pragma once

namespace lab {

// Must be called before the first widget is made. Qt asks for a widget's interface at the widget's first event, which
// may come as early as setAccessibleName() in its constructor, even without a screen reader, and keeps the answer.
void installAccessibles();

// A painted widget with a position on a range, like a slider. Such widgets must send QAccessible::ValueChanged.
class Positioned {
 public:
  struct Range {
    double least = 0, most = 0, step = 1, now = 0;
  };
  virtual Range range() const = 0;
  virtual void moveTo(double position) = 0;

 protected:
  ~Positioned() = default;
};

}  // namespace lab
