// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions for screen readers of widgets that Qt 6.4 describes wrongly or not at all: painted widgets are no
// nameless boxes, a tool button of which one is chosen is a radio button, a combo box is called by its label.
#pragma once

namespace lab {

// Before the first widget is made. Qt asks for a widget's interface at its first event, which is as early as
// setAccessibleName() in its constructor, whether or not a screen reader is there, and keeps what it was given.
void installAccessibles();

// A painted widget with a place on a range, as a slider has. Whoever is one says QAccessible::ValueChanged.
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
