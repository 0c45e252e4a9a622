// SPDX-License-Identifier: GPL-3.0-or-later
// The window: the workspace chosen in the row of tabs, in the middle, and three panels around it. It does layout and
// forwarding only; views decide what is shown, and Experiment, Transport and Playback do the work.
#pragma once

#include <QMainWindow>
#include <QPointer>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ui/playback/playback.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_table.h"
#include "ui/runview/run_controller.h"
#include "ui/scene/selection.h"
#include "ui/setup/experiment.h"
#include "ui/theme/theme_tables.h"
#include "ui/window/window_layout.h"

class QAction;
class QMenu;
class QStackedWidget;
class QTabBar;
class QToolBar;

namespace lab {

class ChartPanel;
class CompareView;
class ClassSource;
class FaultMenu;
class FieldKeys;
class Inspector;
class Invitation;
class LessonView;
class Announcer;
class Notice;
class OnDemand;
class OperationsPanel;
class PageStack;
class Panel;
class ProgramPane;
class RunUntil;
class ServedClass;
class SettingsRow;
class SetupBar;
class Stage;
class StageStrip;
class StatusLine;
class TracePanel;
class Transport;
class TransportBar;
class WhatIfPanel;

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(RunController& controller, QWidget* parent = nullptr);
  ~MainWindow() override;

  RunController& controller() { return controller_; }
  Experiment& experiment() { return experiment_; }
  Playback& playback() { return playback_; }
  Selection& selection() { return selection_; }
  Stage& stage() { return *stage_; }
  ServedClass& servedClass() { return *class_; }
  RunLibrary& library() { return library_; }
  RunTable& runTable() { return runs_; }
  ChartPanel& charts();                           // made now if not shown yet
  CompareView* comparison() { return compare_; }  // null until it is first shown
  struct Menus {
    QMenu *file, *edit, *view, *run, *help;
  };
  const Menus& menus() const { return menus_; }
  QAction* addKeyAct(const char* name, const QString& text, const QKeySequence& keys);  // an action that is in no menu
  const QList<QAction*>& keyActions() const { return keys_; }  // the actions that are in no menu

  WindowLayout windowLayout() const { return layout_; }
  WindowLayout chosenLayout() const { return chosenLayout_; }  // ignores what a file has opened for a visit
  void setWindowLayout(WindowLayout layout);                   // does nothing for a layout that is locked or hidden
  bool isOffered(WindowLayout layout) const;
  // Opens a file's sweep in its workspace. Throws UserError for an invalid sweep.
  void takeSweep(const nlohmann::json& sweep);
  void visit(WindowLayout layout);  // temporarily: the next session does not begin there
  void visit(theme::Kind kind);
  // Bring a tab to the front and open its panel: openTab() for the user's wish, showTab() temporarily, to show
  // something that was opened.
  void openTab(const QString& name);
  void showTab(const QString& name);
  OnDemand* tab(const QString& name) const;
  QStringList tabNames() const;
  void showPanels();   // as the workspace has stored them
  void endVisit();     // the same, if a tab was shown temporarily and nobody has touched the panels since
  void resetPanels();  // for this workspace
  // The projector theme has fewer panels and larger type. Nothing: follow the system.
  void setTheme(std::optional<theme::Kind> chosen);
  std::optional<theme::Kind> chosenTheme() const { return theme_; }  // ignores temporary themes
  theme::Kind usualTheme() const;                                    // ignores F11
  void setReducedMotion(std::optional<bool> chosen);                 // nothing: follow the system
  void setSystemLooks(theme::Kind theme, bool reducedMotion);
  void setTextPoints(int points);          // 0: depends on the window's size
  void setProjectorMode(bool on);          // F11: toggles full screen with the projector theme
  QString nameOf(theme::Kind kind) const;  // the name in the menu
  QString nameOf(WindowLayout layout) const;
  bool isProjectorMode() const { return projector_->isChecked(); }
  // Whether the controls behind More are shown: by the user's wish, or temporarily, because something there is pointed
  // at.
  bool showsMore() const { return more_; }
  void setShowsMore(bool shown);
  void reveal(const QString& control);
  // True once the charts have opened by themselves, or the user has opened or closed them in Teach.
  bool chartsOffered() const { return chartsOffered_; }
  void setChartsOffered(bool offered) { chartsOffered_ = offered; }
  // In Profile, as the user wants it: at its usual height, or as a strip above the trace.
  void setStageOpen(bool open);
  QByteArray savePanels();                      // for all workspaces
  void restorePanels(const QByteArray& state);  // takes what savePanels() returned in an earlier session
  void refreshAll();                            // texts and charts, at once: for a screenshot

 Q_SIGNALS:
  void viewMade(QWidget* view);      // when a tab or a workspace is first seen
  void arranged();                   // another workspace, or another tab in front
  void unsaid(const QString& text);  // what the message announced has been done
  void said(const QString& text);    // a short message about a result, as the status line may be hidden
  void picturesChosen(const QString& folder);

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  enum class PanelPlace { Guide, Detail, Evidence };  // at the start of a line, at its end, below
  struct PanelRow;
  struct TabRow;
  static std::span<const PanelRow> panelRows();
  static std::span<const TabRow> tabRows();
  struct Arrangement {  // the panels of a workspace
    QByteArray docks;
    QStringList tabs;  // tabs in front
    bool aside = false;
  };
  struct PageRow;
  static std::span<const PageRow> pageRows();

  void createCentre();
  QWidget* makeStagePage();
  QWidget* makeStageStrip();
  QWidget* makeCompare();
  void compareWith();
  void connectCompare();
  void writeReport();  // about the lanes
  void createBars();
  QToolBar* addBar(QToolBar* bar, const char* name);
  QWidget* makeMoreButton();
  void createTabs();
  void createPanels();
  static QWidget* makeGallery();  // the workbench connects those of the Guide
  static QWidget* makeMoments();
  static QWidget* makeGlossary();
  static QWidget* makeQuiz();
  QWidget* makeNarration();
  QWidget* makeLessons();
  QWidget* makeSetup();
  QWidget* makeTryOut();
  QWidget* makeNetworkPage();
  QWidget* makeInspector();
  QWidget* makeProgramPane();
  void followInProgram();
  void inspectFocus();
  void inspect();  // shows what was clicked
  void endInspection();
  QWidget* makeCharts();
  QWidget* makeRuns();
  QWidget* makeTrace();
  QWidget* makeOperations();
  QWidget* makeWhatIf();
  void fitPace();
  void createMenus();
  void fillView(QMenu& view);
  void fillRun(QMenu& run);
  void fillBranches(QMenu& run);
  void unsay();
  void say(const QString& text, int ms);
  void sayUntilPlay(const QString& text, int ms);  // about what Play will do; removed when Play or another run begins
  void sayLimit(Playback::Limit at);
  void fillSearches(QMenu& run);
  void createClass();
  void fillClass(QMenu& run);
  QWidget* makeClass();
  void openServe();
  void serve(const RunSettings& settings, const ClassRun::Wishes& wishes);  // UserError
  void followRun();
  void followClass();
  bool showsCode() const;
  void setShowsCode(bool shown);
  void openRunUntil();
  void fillPanels(QMenu& view);
  void fillLooks(QMenu& view);
  void createKeys();
  QAction* addAct(const char* name, const QString& text, const QList<QKeySequence>& keys);
  Panel& panelAt(PanelPlace place) const { return *panels_[static_cast<std::size_t>(place)]; }
  Panel* panelOf(const QString& tab) const;  // nullptr: no panel has this tab
  void turnTo(WindowLayout workspace);
  void keepPanels();     // for the workspace
  void arrangePanels();  // the workspace's initial arrangement
  void makeRoom(const Panel& opened);
  void giveBack();
  bool hasStrip() const;  // true in Profile, where Evidence takes the stage's room
  bool isStageAway() const;
  void fitStage();
  double leastCentre() const;  // the least share of the room that the centre and the panels divide
  void sizePanels();
  int heightBelow(double across) const;
  void raiseEvidence();
  void fitPanels();
  static bool stands(const Panel& panel);  // true if the panel is open in the window
  int sideWidth() const;
  int widthOf(const Panel& panel) const;
  void fitWidth(const Panel& panel);
  bool isBelow() const;
  void placeEvidence();
  void placeDetail();
  void separate(const Panel& opened);
  void bring(const QString& tab);
  bool followsLesson() const;  // true if the Guide's tab shows a page that the user is working on
  bool keepsGuide() const;     // true if the Guide stays when something else is opened
  Qt::DockWidgetArea lastArea() const { return isRightToLeft() ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea; }
  int heightOfAll() const;  // centre and panels together
  void refreshNotice();
  enum class Remedy { LowerRate, Resume, Digits, ThisMachine, Simulated, Serve, Again };
  Remedy remedy() const;
  QString remedyWords() const;
  void tryRemedy();
  void announceChanges();
  theme::Kind themeInForce() const;
  void showTheme();
  QString lowerRate() const;
  void setChrome(bool shown);  // menus, toolbar and the panels' titles
  void applyTheme();
  void applyMotion();
  void setFullScreen(bool on);
  struct Spare;
  void fitBars();
  void fitBarsOnce();
  void showBars();
  int heightOfBars() const;
  QWidget* buttonOf(const Panel& panel) const;
  void fitBar(QToolBar& bar, QWidget& place, SettingsRow& row, int beside);
  static bool fitSpares(SettingsRow& row, const std::vector<Spare>& spares, int room);
  void settleCharts(const Panel& panel);
  void offerCharts();
  bool leavesPictures(int pixels) const;
  void leave();  // Esc
  void addReplicas(int more);

  RunController& controller_;
  Playback playback_;
  Selection selection_;
  Experiment experiment_;
  RunLibrary library_;
  RunTable runs_;
  WindowLayout layout_ = WindowLayout::Teach, chosenLayout_ = WindowLayout::Teach;
  std::array<Panel*, 3> panels_{};
  std::array<Arrangement, kLayouts.size()> kept_;  // empty: the initial arrangement
  bool hasCode_ = false;                           // Detail shows code, and is wide enough for it
  bool aside_ = false;                             // Evidence stands at the side, because height is short
  int givenHeight_ = 0;                            // height of Evidence when all panels were sized
  bool beneath_ = false;                           // Detail stands below a lesson, because width is short
  bool guest_ = false;                             // the panels show something temporarily
  bool more_ = false;                              // as the user has chosen
  bool isFitting_ = false, fitsAgain_ = false;     // in fitBars()
  bool stageOpen_ = false;                         // in Profile; as the user has chosen
  bool chartsOffered_ = false;
  bool chartsProjected_ = false;        // the same, during this visit to projector mode
  std::int64_t offeredAt_ = 0;          // the step that was shown then
  bool wasMaximized_ = false;           // before full screen
  bool wasFullScreen_ = false;          // before F11
  std::optional<theme::Kind> theme_;    // as chosen; nothing: the system's
  std::optional<theme::Kind> visited_;  // temporary, from a file
  theme::Kind systemTheme_ = theme::Kind::Light;
  std::optional<bool> reducedMotion_;
  bool systemReducedMotion_ = false;
  Transport* transport_;
  Stage* stage_;
  QAction* stageAct_;
  StageStrip* strip_;  // in place of the stage, or above it
  Notice* notice_;
  Announcer* announcer_ = nullptr;
  FaultMenu* faults_ = nullptr;
  StatusLine* status_ = nullptr;
  FieldKeys* fieldKeys_ = nullptr;
  ChartPanel* charts_ = nullptr;  // each of these is made when first seen
  Inspector* inspector_ = nullptr;
  bool inspects_ = false;                // Detail was opened for what was clicked
  QList<Panel*> displaced_;              // the panels that were open before
  QStackedWidget* inspected_ = nullptr;  // contains inspector_ and, above it:
  QPointer<Inspector> laneInspector_;    // for the focused lane, if that is not the window's own
  TracePanel* trace_ = nullptr;
  OperationsPanel* operations_ = nullptr;
  WhatIfPanel* whatIf_ = nullptr;
  ProgramPane* program_ = nullptr;
  CompareView* compare_ = nullptr;
  RunUntil* until_ = nullptr;
  std::unique_ptr<ClassSource> classSource_;
  ServedClass* class_ = nullptr;
  Invitation* invitation_ = nullptr;
  bool servedBefore_ = false;      // at the latest check
  std::optional<bool> showsCode_;  // the user's choice
  QString untilPlay_;              // the latest message about what Play will do
  SetupBar* setupBar_;
  TransportBar* transportBar_;
  QToolBar *toolBar_, *tabRow_, *moreBar_;
  QAction* moreAct_;
  QTabBar* tabs_;
  PageStack* pages_;  // the stage's first, then those of pageRows()
  Menus menus_;
  QAction *fullScreen_, *projector_;
  QAction* codeAction_ = nullptr;  // for the class
  QList<QAction*> layoutActions_;  // in the order of kLayouts
  QList<QAction*> themes_;         // in the order of theme::kKinds; last, the system's
  QList<QAction*> keys_;           // for the sheet
};

}  // namespace lab
