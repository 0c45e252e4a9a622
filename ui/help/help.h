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

// All that a report of a problem needs: systemInfo(), the build, the displays, `window` and `settings` as they are, and
// the last notices. Paths of the user's home begin with ~.
QString problemReport(const QString& window, const QString& settings);
// Shows the report, which may be edited, and copies it when asked to. It goes nowhere by itself.
void showReport(QWidget* parent, const QString& report);

}  // namespace lab
