// SPDX-License-Identifier: GPL-3.0-or-later
// The actions for a kept run: the same menu in the table, in the charts' legend and on a chart.
#pragma once

class QAbstractItemView;
class QMenu;

namespace lab {

class RunLibrary;
class RunTable;

void fillRunMenu(QMenu& menu, RunLibrary& library, int id);

// Adds the menu at the pointer; F2 and a double click on name or note edit, Delete removes all selected runs. Enter,
// and a double click on any other cell, repeat the run.
void makeRunView(QAbstractItemView& view, RunTable& table, RunLibrary& library);

}  // namespace lab
