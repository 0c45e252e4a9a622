// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep's plan in an experiment's file: the sweep's form gets it, and is stored again when the user edits it. A
// form that has another plan, such as that of a sweep that is running, leaves the file's as it is.
#pragma once

#include <QObject>

namespace lab {

class DeskParts;
class SweepView;

class KeptSweep final : public QObject {
  Q_OBJECT

 public:
  explicit KeptSweep(DeskParts& desk);

  // Takes the plan of an opened file, if it has one; returns whether it has. Throws UserError for an impossible plan.
  bool take();
  void restore();               // takes that of an earlier session, unless the view is still to be made
  void adopt(SweepView& view);  // called when the view is made

 private:
  void give(SweepView& view);

  DeskParts& desk_;
  bool isShown_ = false;  // the form has the file's plan
};

}  // namespace lab
