// SPDX-License-Identifier: GPL-3.0-or-later
// What a user does to any widget, whatever its purpose: points, clicks, drags, turns the wheel, presses keys, fills in.
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

  void point(QWidget& widget);                // anywhere on it
  void pointIn(QWidget& root);                // on any visible widget in it
  void press(QWidget& root);                  // presses a key for the widget with the focus
  void fill(QWidget& root);                   // any visible field or list in it
  void pushButton(QWidget& root);             // any visible button in it
  void typeAndClickElsewhere(QWidget& root);  // types into any visible line, without Enter

 private:
  QString nameOf(const QWidget& widget) const;
  QWidget* anyIn(QWidget& root, bool (*fits)(const QWidget&));
  QPoint placeOn(const QWidget& widget);
  void drag(QWidget& widget);
  void fillField(QWidget& widget);
  void enter(QWidget& widget, const QString& words);  // in place of its words
  void type(QWidget& widget, const QString& words);

  Chance& chance_;
  Journal& journal_;
  Papers& papers_;
};

}  // namespace lab::robot
