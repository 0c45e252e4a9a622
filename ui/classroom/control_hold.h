// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps one action, widget or tab locked or hidden during its lifetime, even if the program enables or shows it
// meanwhile; afterwards the object is as the program last wanted.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

#include <memory>

#include "ui/classroom/controls.h"

class QAction;
class QTabBar;
class QWidget;

namespace lab {

class ControlHold : public QObject {
 public:
  virtual bool isOf(const QObject* target, int part) const = 0;  // `part`: the tab in a row of tabs; otherwise 0
  virtual ControlState state() const = 0;
};

std::unique_ptr<ControlHold> holdAction(QAction& action, ControlState state, const QString& why);
std::unique_ptr<ControlHold> holdWidget(QWidget& widget, ControlState state, const QString& why);
std::unique_ptr<ControlHold> holdTab(QTabBar& bar, int tab, ControlState state, const QString& why);

}  // namespace lab
