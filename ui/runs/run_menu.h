// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a kept run: the same menu in the table, in the charts' legend and on a chart.
#pragma once

class QAbstractItemView;
class QMenu;

namespace lab {

class RunLibrary;
class RunTable;

void fillRunMenu(QMenu& menu, RunLibrary& library, int id);

// The menu at the pointer; F2 and double click on name or note edit, Delete removes all that are selected. Enter, and a
// double click on any other cell, repeat.
void makeRunView(QAbstractItemView& view, RunTable& table, RunLibrary& library);

}  // namespace lab
