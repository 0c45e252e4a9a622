// SPDX-License-Identifier: GPL-3.0-or-later
// The window: the stage on top of the scrubber in the middle, everything else in docks around it, and the layouts that
// arrange them. It lays out and forwards; what is shown is decided in the views, what is done in Experiment, Transport
// and Playback.
#pragma once

#include <QHash>
#include <QMainWindow>

#include <optional>

#include "ui/playback/playback.h"
#include "ui/run_controller.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_table.h"
#include "ui/setup/experiment.h"
#include "ui/stage/selection.h"
#include "ui/theme_tables.h"

class QAction;
class QDockWidget;
class QMenu;

namespace lab {

class ChartPanel;
class Inspector;
class Announcer;
class Notice;
class SetupBar;
class Stage;
class StatusLine;
class TracePanel;
class Transport;
class WhatIfPanel;

enum class WindowLayout {
  Teach,    // the stage, the inspector and one chart
  Explore,  // everything
  Profile,  // figures first
};

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(RunController& controller, QWidget* parent = nullptr);
  ~MainWindow() override;

  Experiment& experiment() { return experiment_; }
  Playback& playback() { return playback_; }
  Selection& selection() { return selection_; }
  Stage& stage() { return *stage_; }
  RunLibrary& library() { return library_; }
  RunTable& runTable() { return runs_; }
  ChartPanel& charts() { return *charts_; }
  const QList<QAction*>& keyActions() const { return keys_; }  // those that no menu has among them

  WindowLayout windowLayout() const { return layout_; }
  void setWindowLayout(WindowLayout layout);
  // The projector's has fewer panels and larger type. Nothing: as the system is.
  void setTheme(std::optional<theme::Kind> chosen);
  std::optional<theme::Kind> chosenTheme() const;  // without what F11 has set for the time being
  theme::Kind usualTheme() const { return chosenTheme().value_or(systemTheme_); }
  void setReducedMotion(std::optional<bool> chosen);  // nothing: as the system is
  void setSystemLooks(theme::Kind theme, bool reducedMotion);
  void setTextPoints(int points);  // 0: with the window
  void setProjectorMode(bool on);  // F11: full screen in the projector's theme, and back
  bool isProjectorMode() const { return projector_->isChecked(); }
  void restoreDocks(const QByteArray& state, int version);  // what saveState() gave in an earlier session
  void refreshAll();                                        // texts and charts, at once: for a picture

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void createCentre();
  void createDocks();
  void createToolBar();
  void createMenus();
  void fillLooks(QMenu& view);
  void createKeys();
  QDockWidget* addDock(const char* name, const QString& title, QWidget* content);
  QAction* addAct(const char* name, const QString& text, const QList<QKeySequence>& keys);
  int roomBelow() const;  // pixels of height that the stage can spare
  QList<QDockWidget*> docks() const;
  void arrangeDocks();  // as the layout has them
  void placeDocks();
  void rearrangeDocks();  // the same, but for what their user has changed
  void refreshNotice();
  void announceChanges();
  void showTheme(theme::Kind kind);
  QString lowerRate() const;
  void setChrome(bool shown);  // menus, toolbar and the docks' titles
  void applyTheme();
  void applyMotion();
  void setFullScreen(bool on);
  void fitToolBar();
  void leave();  // Esc
  void addReplicas(int more);

  RunController& controller_;
  Playback playback_;
  Selection selection_;
  Experiment experiment_;
  RunLibrary library_;
  RunTable runs_;
  WindowLayout layout_ = WindowLayout::Teach;
  bool wasMaximized_ = false;               // before full screen
  bool wasFullScreen_ = false;              // before F11
  std::optional<theme::Kind> themeBefore_;  // F11
  QByteArray docksBefore_;                  // the projector's theme
  std::optional<theme::Kind> theme_;        // as chosen; nothing: the system's
  theme::Kind systemTheme_ = theme::Kind::Light;
  std::optional<bool> reducedMotion_;
  bool systemReducedMotion_ = false;
  Transport* transport_;
  Stage* stage_;
  Notice* notice_;
  Announcer* announcer_ = nullptr;
  StatusLine* status_ = nullptr;
  ChartPanel* charts_;
  Inspector* inspector_;
  TracePanel* trace_;
  WhatIfPanel* whatIf_ = nullptr;  // made when it is first shown
  SetupBar* setupBar_;
  QDockWidget *setupDock_, *inspectorDock_, *chartsDock_, *narrationDock_, *runsDock_, *traceDock_, *whatIfDock_;
  QDockWidget* tryDock_;
  struct Stand {
    bool shown = false;
    Qt::DockWidgetArea area = Qt::NoDockWidgetArea;
  };
  QHash<QDockWidget*, Stand> arranged_;  // how they stood after arrangeDocks()
  QDockWidget* front_ = nullptr;         // whose tab was chosen last, since then
  QAction *teach_, *explore_, *profile_, *fullScreen_, *projector_;
  QList<QAction*> themes_;  // in the order of theme::kKinds; last, the system's
  QList<QAction*> keys_;    // for the sheet
};

}  // namespace lab
