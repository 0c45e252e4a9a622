// SPDX-License-Identifier: GPL-3.0-or-later
// Fields in forms that scroll: the wheel scrolls the form, and must not change a value by accident.
#pragma once

#include <QWheelEvent>

namespace lab {

template <typename Field>
class Still : public Field {
 public:
  using Field::Field;

 protected:
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

}  // namespace lab
