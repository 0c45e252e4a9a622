// SPDX-License-Identifier: GPL-3.0-or-later
// The window: the workspace chosen in the row of tabs, in the middle, and three panels around it. It makes its parts
// and does what concerns several of them; views decide what is shown, and Experiment, Transport and Playback do the
// work.
#pragma once

#include <QMainWindow>

#include <memory>

#include "ui/frame/looks.h"
#include "ui/frame/stage_run.h"
#include "ui/frame/workspaces.h"
#include "ui/window/centre.h"
#include "ui/window/panels.h"

namespace lab {

class ChartsOffer;
class ClassServing;
class ClassSource;
class CompareActions;
class FaultMenu;
class FieldKeys;
class Menus;
class Messages;
class RunNotice;
class ServedClass;
class StatusLine;
class TabViews;
class ToolBars;
class Transport;

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(RunController& controller, QWidget* parent = nullptr);
  ~MainWindow() override;

  RunController& controller() { return run_.controller; }
  Experiment& experiment() { return run_.experiment; }
  Playback& playback() { return run_.playback; }
  Selection& selection() { return run_.selection; }
  RunLibrary& library() { return run_.library; }
  RunTable& runTable() { return run_.table; }
  Stage& stage() { return centre_->stage(); }
  ServedClass& servedClass() { return *class_; }
  Messages& messages() { return *messages_; }
  Workspaces& workspaces() { return *workspaces_; }
  Centre& centre() { return *centre_; }
  ToolBars& toolBars() { return *toolBars_; }
  Panels& panels() { return *panels_; }
  TabViews& views() { return *views_; }
  Looks& looks() { return *looks_; }
  Menus& menus() { return *menus_; }
  ChartsOffer& chartsOffer() { return *chartsOffer_; }
  void refreshAll();  // texts and charts, at once: for a screenshot

 Q_SIGNALS:
  void viewMade(QWidget* view);  // when a tab or a workspace is first seen
  void arranged();               // another workspace, or another tab in front

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void createClass();
  void createMenus();
  void createTabs();
  void connectParts();
  void connectLooks();
  void turn();                      // to the workspace in front
  void fit();                       // what depends on the window's size, the workspace and the theme
  void applyLooks(bool otherText);  // to the bars and panels
  void setChrome(bool shown);       // menus, toolbar and the panels' titles
  void leave();                     // Esc

  StageRun run_;
  Transport* transport_;
  FaultMenu* faults_;
  FieldKeys* fieldKeys_;
  StatusLine* status_;
  Centre* centre_;
  std::unique_ptr<ClassSource> classSource_;
  ServedClass* class_;
  // These go before what they show, the last one first: what is hidden when the window closes reaches none of them.
  std::unique_ptr<Messages> messages_;
  std::unique_ptr<Workspaces> workspaces_;
  std::unique_ptr<ToolBars> toolBars_;
  std::unique_ptr<Panels> panels_;
  std::unique_ptr<ClassServing> serving_;
  std::unique_ptr<TabViews> views_;
  std::unique_ptr<RunNotice> notice_;
  std::unique_ptr<Looks> looks_;
  std::unique_ptr<CompareActions> compare_;
  std::unique_ptr<Menus> menus_;
  std::unique_ptr<ChartsOffer> chartsOffer_;
};

}  // namespace lab
