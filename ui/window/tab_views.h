// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the panels' tabs, one row each, made when they are first seen, and kept with the run and with the lane
// that has the focus.
#pragma once

#include <QObject>
#include <QPointer>

#include <span>

#include "core/lesson/facts.h"

class QStackedWidget;

namespace lab {

class Centre;
class ChartPanel;
class ClassServing;
class Inspector;
class Lane;
class LessonView;
class Messages;
class OperationsPanel;
class Panels;
class ProgramPane;
class TracePanel;
class WhatIfPanel;
class Workspaces;
struct StageRun;

class TabViews final : public QObject {
  Q_OBJECT

 public:
  // Adds the tabs to `panels`.
  TabViews(StageRun& run, Centre& centre, const Workspaces& workspaces, Panels& panels, ClassServing& serving,
           Messages& messages);
  ~TabViews() override;  // before the lanes go

  ChartPanel& charts();  // made now if not shown yet
  void inspectFocus();   // follows the lane that has the focus
  void look();           // the lesson, at what the window shows now
  void fit();            // to the workspace and the theme
  void refreshAll();     // texts and charts, at once: for a screenshot

 Q_SIGNALS:
  void picturesChosen(const QString& folder);
  void controlPointedAt(const QString& name);  // by a lesson

 private:
  struct Row;
  static std::span<const Row> rows();

  QWidget* makeLessons();
  Fact windowFact(const FactCall& call) const;
  QWidget* makeInspector();
  QWidget* makeSetup();
  QWidget* makeNetworkPage();
  QWidget* makeProgramPane();
  QWidget* makeCharts();
  QWidget* makeTrace();
  QWidget* makeOperations();
  QWidget* makeRuns();
  QWidget* makeWhatIf();
  Lane* focusedLane() const;  // nullptr: Compare is not in front
  void followInProgram();
  void fitPace();

  StageRun& run_;
  Centre& centre_;
  const Workspaces& workspaces_;
  Panels& panels_;
  ClassServing& serving_;
  Messages& messages_;
  LessonView* lessons_ = nullptr;  // each of these is made when first seen
  ChartPanel* charts_ = nullptr;
  Inspector* inspector_ = nullptr;
  QStackedWidget* inspected_ = nullptr;  // contains inspector_ and, above it:
  QPointer<Inspector> laneInspector_;    // for the focused lane, if that is not the window's own
  TracePanel* trace_ = nullptr;
  OperationsPanel* operations_ = nullptr;
  WhatIfPanel* whatIf_ = nullptr;
  ProgramPane* program_ = nullptr;
};

}  // namespace lab
