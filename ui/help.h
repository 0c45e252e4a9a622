// SPDX-License-Identifier: GPL-3.0-or-later
// What the Help menu opens: the sheet of keys, made from the actions themselves, and About. Neither blocks the window.
#pragma once

#include <QAction>
#include <QList>
#include <QString>

class QWidget;

namespace lab {

void showShortcuts(QWidget* parent, const QList<QAction*>& actions);
void showAbout(QWidget* parent);

QString systemInfo();  // versions and machine, for a report

}  // namespace lab
