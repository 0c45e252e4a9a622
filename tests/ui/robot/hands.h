// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does to any widget, whatever it is for: points, clicks, drags, turns the wheel, presses keys, fills in.
#pragma once

#include <QPoint>
#include <QString>

#include "tests/ui/robot/chance.h"
#include "tests/ui/robot/journal.h"
#include "tests/ui/robot/papers.h"

class QAction;
class QComboBox;
class QLineEdit;
class QWidget;

namespace lab::robot {

class Hands {
 public:
  Hands(Chance& chance, Journal& journal, Papers& papers) : chance_(chance), journal_(journal), papers_(papers) {}

  void point(QWidget& widget);     // anywhere on it
  void pointIn(QWidget& root);     // on any widget that is seen in it
  void press(QWidget& root);       // a key, for what has the focus there
  void fill(QWidget& root);        // any field or list that is seen in it
  void pushButton(QWidget& root);  // any that is seen in it

 private:
  QString nameOf(const QWidget& widget) const;
  QWidget* anyIn(QWidget& root, bool (*fits)(const QWidget&));
  QPoint placeOn(const QWidget& widget);
  void drag(QWidget& widget);
  void fillField(QWidget& widget);
  void type(QWidget& widget, const QString& words);

  Chance& chance_;
  Journal& journal_;
  Papers& papers_;
};

}  // namespace lab::robot
