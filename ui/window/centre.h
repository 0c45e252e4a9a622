// SPDX-License-Identifier: GPL-3.0-or-later
// The window's centre: the notice, the page of the workspace in front, and the transport. Teach, Explore and Profile
// share the page with the stage; Compare and Sweep have their own pages, made when they are first shown.
#pragma once

#include <QWidget>

#include <nlohmann/json_fwd.hpp>

class QAction;

namespace lab {

class CompareView;
class FaultMenu;
class Invitation;
class Messages;
class Notice;
class OnDemand;
class PageStack;
class ServedClass;
class Stage;
class StageStrip;
class Transport;
class TransportBar;
class Workspaces;
struct StageRun;

class Centre final : public QWidget {
  Q_OBJECT

 public:
  // `window` owns the actions.
  Centre(QWidget& window, StageRun& run, ServedClass& served, FaultMenu& faults, const Transport& transport,
         Workspaces& workspaces, Messages& messages);

  Stage& stage() const { return *stage_; }
  Notice& notice() const { return *notice_; }
  StageStrip& strip() const { return *strip_; }
  TransportBar& transportBar() const { return *transportBar_; }
  CompareView* comparison() const { return compare_; }  // null until it is first shown
  // Opens a file's sweep in its workspace. Throws UserError for an invalid sweep.
  void takeSweep(const nlohmann::json& sweep);
  void turn();                     // to the page of the workspace in front
  bool showsStage() const;         // or, in its place, the class's code
  void setShowsCode(bool shown);   // of the class, in place of the stage
  QAction* makeZoomAct();          // looks inside a replica; once
  QList<QAction*> makeLossActs();  // what the stage and the lanes draw otherwise; once

 Q_SIGNALS:
  void viewMade(QWidget* view);  // when a workspace of its own page is first seen
  void laneFocused();            // another lane has the focus

 private:
  QWidget* makeStagePage(FaultMenu& faults);
  QWidget* makeCompare(FaultMenu& faults);
  QWidget* makeSweep();

  StageRun& run_;
  ServedClass& class_;
  Workspaces& workspaces_;
  Messages& messages_;
  Notice* notice_;
  Stage* stage_;
  Invitation* invitation_;
  StageStrip* strip_;  // in place of the stage, or above it
  PageStack* pages_;   // the stage's, Compare's, Sweep's
  OnDemand* sweep_;
  CompareView* compare_ = nullptr;
  TransportBar* transportBar_;
};

}  // namespace lab
