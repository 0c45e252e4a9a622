// SPDX-License-Identifier: GPL-3.0-or-later
// The window: the stage on top of the scrubber in the middle, everything else in docks around it, and the layouts that
// arrange them. It lays out and forwards; what is shown is decided in the views, what is done in Experiment, Transport
// and Playback.
#pragma once

#include <QMainWindow>

#include <optional>
#include <span>
#include <vector>

#include "ui/look/theme_tables.h"
#include "ui/playback/playback.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_table.h"
#include "ui/scene/selection.h"
#include "ui/setup/experiment.h"
#include "ui/watch/run_controller.h"
#include "ui/window/window_layout.h"

class QAction;
class QDockWidget;
class QMenu;
class QStackedWidget;
class QTabBar;
class QToolBar;

namespace lab {

class ChartPanel;
class CompareView;
class Inspector;
class Announcer;
class Notice;
class SetupBar;
class Stage;
class StatusLine;
class TracePanel;
class Transport;
class WhatIfPanel;

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
  CompareView* comparison() { return compare_; }  // null until it was first shown
  struct Menus {
    QMenu *file, *edit, *view, *run, *help;
  };
  const Menus& menus() const { return menus_; }
  const QList<QAction*>& keyActions() const { return keys_; }  // those that no menu has among them

  WindowLayout windowLayout() const { return layout_; }
  void setWindowLayout(WindowLayout layout);
  // A file's sweep, into its workspace. UserError for what is none.
  void takeSweep(const nlohmann::json& sweep);
  // The projector's has fewer panels and larger type. Nothing: as the system is.
  void setTheme(std::optional<theme::Kind> chosen);
  std::optional<theme::Kind> chosenTheme() const;  // without what F11 has set for the time being
  theme::Kind usualTheme() const { return chosenTheme().value_or(systemTheme_); }
  void setReducedMotion(std::optional<bool> chosen);  // nothing: as the system is
  void setSystemLooks(theme::Kind theme, bool reducedMotion);
  void setTextPoints(int points);          // 0: with the window
  void setProjectorMode(bool on);          // F11: full screen in the projector's theme, and back
  QString nameOf(theme::Kind kind) const;  // as the menu has it
  QString nameOf(WindowLayout layout) const;
  bool isProjectorMode() const { return projector_->isChecked(); }
  QByteArray saveDocks() const { return saveState(docksVersion()); }
  void restoreDocks(const QByteArray& state);  // what saveDocks() gave in an earlier session
  void refreshAll();                           // texts and charts, at once: for a picture

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  enum class DockPlace;
  struct DockRow;
  struct Dock {
    DockPlace place;
    const DockRow* row;
    QDockWidget* widget;
    bool shown = false;  // after arrangeDocks(), as `area`
    Qt::DockWidgetArea area = Qt::NoDockWidgetArea;
  };
  static std::span<const DockRow> dockRows();
  static int docksVersion();

  struct PageRow;
  static std::span<const PageRow> pageRows();

  void createCentre();
  QWidget* makeStagePage();
  QWidget* makeCompare();
  void compareWith();
  void createTabRow();
  void createTabs();
  void createDocks();
  QWidget* makeSetup(QDockWidget& dock);
  QWidget* makeInspector();
  QWidget* makeCharts();
  QWidget* makeRuns(QDockWidget& dock);
  QWidget* makeTrace(QDockWidget& dock);
  QWidget* makeWhatIf(QDockWidget& dock);
  void createToolBar();
  void createMenus();
  void fillView(QMenu& view);
  void fillRun(QMenu& run);
  void fillLooks(QMenu& view);
  void createKeys();
  QAction* addAct(const char* name, const QString& text, const QList<QKeySequence>& keys);
  int roomBelow() const;                       // pixels of height that the stage can spare
  QDockWidget* dockAt(DockPlace place) const;  // the first there
  void arrangeDocks();                         // as the layout has them
  void placeDocks();
  void stackDocks(Qt::DockWidgetArea area, QDockWidget& front, bool profile);
  void tabDocks(bool teach, bool below);
  void sizeDocks(QDockWidget& front, bool teach, bool profile);
  void rearrangeDocks();  // the same, but for what their user has changed
  void refreshNotice();
  void tryRemedy();
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
  CompareView* compare_ = nullptr;  // likewise
  SetupBar* setupBar_;
  QToolBar *toolBar_, *tabRow_;
  QTabBar* tabs_;
  QStackedWidget* pages_;  // the stage's first, then those of pageRows()
  Menus menus_;
  std::vector<Dock> docks_;
  QDockWidget* setupDock_;
  QDockWidget* front_ = nullptr;  // whose tab was chosen last, since arrangeDocks()
  QAction *fullScreen_, *projector_;
  QList<QAction*> layoutActions_;  // in the order of kLayouts
  QList<QAction*> themes_;         // in the order of theme::kKinds; last, the system's
  QList<QAction*> keys_;           // for the sheet
};

}  // namespace lab
