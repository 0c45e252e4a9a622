// SPDX-License-Identifier: GPL-3.0-or-later
// The window: the workspace in the middle that the row of tabs has chosen, three panels around it. It lays out and
// forwards; what is shown is decided in the views, what is done in Experiment, Transport and Playback.
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
class FieldKeys;
class Inspector;
class Invitation;
class Lane;
struct FaultOffer;
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
  ChartPanel& charts();                           // made now where they have not been seen yet
  CompareView* comparison() { return compare_; }  // null until it was first shown
  struct Menus {
    QMenu *file, *edit, *view, *run, *help;
  };
  const Menus& menus() const { return menus_; }
  QAction* addKeyAct(const char* name, const QString& text, const QKeySequence& keys);  // that no menu has
  const QList<QAction*>& keyActions() const { return keys_; }  // those that no menu has among them

  WindowLayout windowLayout() const { return layout_; }
  WindowLayout chosenLayout() const { return chosenLayout_; }  // without where a file has led
  void setWindowLayout(WindowLayout layout);                   // stays where it is for one that is locked or hidden
  bool isOffered(WindowLayout layout) const;
  // A file's sweep, into its workspace. UserError for what is none.
  void takeSweep(const nlohmann::json& sweep);
  void visit(WindowLayout layout);  // for the time being: not where the next session begins
  void visit(theme::Kind kind);
  // A tab in front, its panel open: as a person wants it, or for the time being, to show what has been opened.
  void openTab(const QString& name);
  void showTab(const QString& name);
  OnDemand* tab(const QString& name) const;
  QStringList tabNames() const;
  void showPanels();   // as the workspace has kept them
  void endVisit();     // likewise, where a tab was shown for the time being and nobody has touched them since
  void resetPanels();  // of this workspace
  // The projector's has fewer panels and larger type. Nothing: as the system is.
  void setTheme(std::optional<theme::Kind> chosen);
  std::optional<theme::Kind> chosenTheme() const { return theme_; }  // without what is for the time being
  theme::Kind usualTheme() const;                                    // without F11
  void setReducedMotion(std::optional<bool> chosen);                 // nothing: as the system is
  void setSystemLooks(theme::Kind theme, bool reducedMotion);
  void setTextPoints(int points);          // 0: with the window
  void setProjectorMode(bool on);          // F11: full screen in the projector's theme, and back
  QString nameOf(theme::Kind kind) const;  // as the menu has it
  QString nameOf(WindowLayout layout) const;
  bool isProjectorMode() const { return projector_->isChecked(); }
  // What stands behind More, in sight: as a person wants it, or for the time being, for what is pointed at there.
  bool showsMore() const { return more_; }
  void setShowsMore(bool shown);
  void reveal(const QString& control);
  // Whether the charts have opened by themselves, or a person has opened or closed them in Teach.
  bool chartsOffered() const { return chartsOffered_; }
  void setChartsOffered(bool offered) { chartsOffered_ = offered; }
  // In Profile, as a person wants it: at its usual height, or a strip above the trace.
  void setStageOpen(bool open);
  QByteArray savePanels();                      // of all workspaces
  void restorePanels(const QByteArray& state);  // what savePanels() gave in an earlier session
  void refreshAll();                            // texts and charts, at once: for a picture

 Q_SIGNALS:
  void viewMade(QWidget* view);      // of a tab that is seen for the first time
  void arranged();                   // another workspace, or another tab in front
  void unsaid(const QString& text);  // what was said has been done
  void said(const QString& text);    // in passing, what came of something: the status line may be hidden
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
  struct Arrangement {  // of a workspace's panels
    QByteArray docks;
    QStringList tabs;  // in front
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
  void writeReport();  // of the lanes
  void createBars();
  QToolBar* addBar(QToolBar* bar, const char* name);
  QWidget* makeMoreButton();
  void createTabs();
  void createPanels();
  static QWidget* makeGallery();  // the workbench connects those of Guide
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
  void inspect();  // what was clicked
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
  void openFaults(const Object& object, const QPoint& at);  // {}: of all tasks; in Compare of the lane with the focus
  void refreshFaultAction();
  void offerResume(QMenu& menu, const RunInfo& info);
  std::vector<FaultOffer> faultsNow(const Lane* lane) const;  // null: of the window's run
  void strike(const FaultOffer& chosen, const Lane* lane);
  void showFault();
  void unsayAtPlay();
  void say(const QString& text, int ms);
  void sayUntilPlay(const QString& text, int ms);  // what Play will do: over when it does
  void sayLimit(Playback::Limit at);
  Lane* shownLane() const;  // with the focus in Compare, where that is not the window's own
  void killProcess(int worker);
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
  Panel* panelOf(const QString& tab) const;  // nullptr: none has it
  void turnTo(WindowLayout workspace);
  void keepPanels();     // of the workspace
  void arrangePanels();  // as it has them at first
  void makeRoom(const Panel& opened);
  void giveBack();
  bool hasStrip() const;  // in Profile, where Evidence takes the stage's room
  bool isStageAway() const;
  void fitStage();
  double leastCentre() const;  // its part of what it shares with the panels
  void sizePanels();
  int heightBelow(double across) const;
  void raiseEvidence();
  void fitPanels();
  static bool stands(const Panel& panel);  // open, in the window
  int sideWidth() const;
  int widthOf(const Panel& panel) const;
  void fitWidth(const Panel& panel);
  bool isBelow() const;
  void placeEvidence();
  void placeDetail();
  void separate(const Panel& opened);
  void bring(const QString& tab);
  bool followsLesson() const;  // the Guide's tab has a page that a person is at
  bool keepsGuide() const;     // beside whatever else is opened
  Qt::DockWidgetArea lastArea() const { return isRightToLeft() ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea; }
  int heightOfAll() const;  // of centre and panels
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
  std::array<Arrangement, kLayouts.size()> kept_;  // empty: as at first
  bool hasCode_ = false;                           // Detail, and is as wide as that asks for
  bool aside_ = false;                             // Evidence stands at the end, for want of height
  int givenHeight_ = 0;                            // of Evidence, when all had their sizes
  bool beneath_ = false;                           // Detail stands below a lesson, for want of width
  bool guest_ = false;                             // the panels show something that was opened
  bool more_ = false;                              // as a person has chosen
  bool stageOpen_ = false;                         // in Profile; the same
  bool chartsOffered_ = false;
  bool chartsProjected_ = false;        // the same, in this visit to the projector's mode
  std::int64_t offeredAt_ = 0;          // the step that was shown then
  bool wasMaximized_ = false;           // before full screen
  bool wasFullScreen_ = false;          // before F11
  std::optional<theme::Kind> theme_;    // as chosen; nothing: the system's
  std::optional<theme::Kind> visited_;  // for the time being, as a file has it
  theme::Kind systemTheme_ = theme::Kind::Light;
  std::optional<bool> reducedMotion_;
  bool systemReducedMotion_ = false;
  Transport* transport_;
  Stage* stage_;
  QAction* stageAct_;
  StageStrip* strip_;  // in the stage's place, or above it
  Notice* notice_;
  Announcer* announcer_ = nullptr;
  StatusLine* status_ = nullptr;
  FieldKeys* fieldKeys_ = nullptr;
  ChartPanel* charts_ = nullptr;  // each made when it is first seen
  Inspector* inspector_ = nullptr;
  bool inspects_ = false;                // Detail is there for what was clicked
  QList<Panel*> displaced_;              // they were there before it
  QStackedWidget* inspected_ = nullptr;  // it, and over it:
  QPointer<Inspector> laneInspector_;    // of the lane that has the focus, where that is not the window's own
  TracePanel* trace_ = nullptr;
  OperationsPanel* operations_ = nullptr;
  WhatIfPanel* whatIf_ = nullptr;
  ProgramPane* program_ = nullptr;
  CompareView* compare_ = nullptr;
  RunUntil* until_ = nullptr;
  std::unique_ptr<ClassSource> classSource_;
  ServedClass* class_ = nullptr;
  Invitation* invitation_ = nullptr;
  bool servedBefore_ = false;       // when it was looked at last
  std::optional<bool> showsCode_;   // as a person wants it
  QString untilPlay_;               // what was said last of what Play will do
  std::optional<RunFault> struck_;  // in the run that is prepared: to be shown as soon as it is there
  SetupBar* setupBar_;
  TransportBar* transportBar_;
  QToolBar *toolBar_, *tabRow_, *moreBar_;
  QAction* moreAct_;
  QTabBar* tabs_;
  PageStack* pages_;  // the stage's first, then those of pageRows()
  Menus menus_;
  QAction *fullScreen_, *projector_;
  QAction* faultAction_ = nullptr;
  QAction* codeAction_ = nullptr;  // of the class
  QList<QAction*> layoutActions_;  // in the order of kLayouts
  QList<QAction*> themes_;         // in the order of theme::kKinds; last, the system's
  QList<QAction*> keys_;           // for the sheet
};

}  // namespace lab
