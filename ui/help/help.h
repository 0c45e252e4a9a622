// SPDX-License-Identifier: GPL-3.0-or-later
// The dialogs of the Help menu: the sheet of keys, made from the actions themselves, and About. Neither blocks the
// window.
#pragma once

#include <QAction>
#include <QList>
#include <QString>

class QWidget;

namespace lab {

void showShortcuts(QWidget* parent, const QList<QAction*>& actions);
void showAbout(QWidget* parent);

QString systemInfo();  // versions and machine, for a report

// Everything for reporting a problem: systemInfo(), the build, the displays, `window` and `settings` as given, and the
// last notices. Paths in the user's home begin with ~.
QString problemReport(const QString& window, const QString& settings);
// Shows the report, which can be edited, and copies it on request. Nothing is sent.
void showReport(QWidget* parent, const QString& report);

}  // namespace lab
