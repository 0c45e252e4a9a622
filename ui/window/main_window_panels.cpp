// SPDX-License-Identifier: GPL-3.0-or-later
// The three panels around the centre and their tabs, one row each, with the workspaces in which a panel is open or a
// tab in front at first. Decides how large panels are and which of them fit, and stores the panels of each workspace.
#include <QAction>
#include <QApplication>
#include <QDataStream>
#include <QIODevice>
#include <QLayout>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QStatusBar>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "ui/charts/chart_panel.h"
#include "ui/scene/layout.h"
#include "ui/stage/stage.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/transport/transport_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/on_demand.h"
#include "ui/window/panel.h"

namespace lab {
namespace {

constexpr double kCentre = 0.6, kCentreOfProfile = 0.5;  // the centre's least share of the room divided with the
                                                         // panels; in Profile
constexpr double kBetween = 70, kLowest = 9;     // in text sizes: least width between two sides; height of Evidence
constexpr double kStrip = 6.4;                   // in text sizes: a projector's curve
constexpr double kLeastBetween = 42;             // in text sizes: the stage between a lesson and Detail
constexpr double kLeastLine = 13;                // a side's width, if letters are large
constexpr double kHigh = 58, kLowestThere = 13;  // in text sizes: height of a high window's area; of Evidence there
constexpr int kLeastSide = 290;                  // pixels: controls do not shrink with letters
constexpr int kCodeWidth = 480;                  // pixels: most lines of a program fit
constexpr double kClassHeight = 17;              // in text sizes: totals, buttons and six workers
constexpr const char *kCodeTab = "programTab", *kCurves = "chartsTab", *kClassTab = "classTab";
constexpr int kVersion = 2;  // format of the stored panels

// Workspaces, for the tables.
constexpr unsigned in(WindowLayout workspace) {
  return 1U << static_cast<unsigned>(workspace);
}
constexpr unsigned kNowhere = 0, kExplore = in(WindowLayout::Explore), kProfile = in(WindowLayout::Profile),
                   kProjector = 1U << kLayouts.size();  // where nothing is open at first

}  // namespace

struct MainWindow::PanelRow {
  const char* name;  // stored in files
  const char* title;
  unsigned open;  // the workspaces in which the panel is open at first
  Qt::Key key;
};

struct MainWindow::TabRow {
  const char* name;
  const char* title;
  PanelPlace panel;
  unsigned front;  // the workspaces in which the tab is in front at first; elsewhere the panel's first tab is
  QWidget* (*make)(MainWindow& window);
};

std::span<const MainWindow::PanelRow> MainWindow::panelRows() {
  static constexpr PanelRow kRows[]{
      {"guidePanel", QT_TRANSLATE_NOOP("lab::MainWindow", "&Guide"), kExplore, Qt::Key_F7},
      {"detailPanel", QT_TRANSLATE_NOOP("lab::MainWindow", "&Detail"), kExplore, Qt::Key_F8},
      {"evidencePanel", QT_TRANSLATE_NOOP("lab::MainWindow", "E&vidence"), kExplore | kProfile, Qt::Key_F9},
  };
  return kRows;
}

std::span<const MainWindow::TabRow> MainWindow::tabRows() {
  using Place = PanelPlace;
  // In the order of the tabs. Makers capture nothing: they set the window's pointers when they make a view.
  static constexpr TabRow kRows[]{
      {"lessonsTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Lessons"), Place::Guide, kNowhere,
       [](MainWindow& window) { return window.makeLessons(); }},
      {"galleryTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Gallery"), Place::Guide, kNowhere,
       [](MainWindow&) { return makeGallery(); }},
      {"momentsTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Moments"), Place::Guide, kNowhere,
       [](MainWindow&) { return makeMoments(); }},
      {"glossaryTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Glossary"), Place::Guide, kNowhere,
       [](MainWindow&) { return makeGlossary(); }},
      {"quizTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Quiz"), Place::Guide, kNowhere,
       [](MainWindow&) { return makeQuiz(); }},
      {"narrationTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Narration"), Place::Guide, kExplore,
       [](MainWindow& window) { return window.makeNarration(); }},
      {"inspectorTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Inspector"), Place::Detail, kNowhere,
       [](MainWindow& window) { return window.makeInspector(); }},
      {"setupTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Setup"), Place::Detail, kExplore,
       [](MainWindow& window) { return window.makeSetup(); }},
      {"networkTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Network"), Place::Detail, kNowhere,
       [](MainWindow& window) { return window.makeNetworkPage(); }},
      {"programTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Program"), Place::Detail, kNowhere,
       [](MainWindow& window) { return window.makeProgramPane(); }},
      {"tryTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Try it"), Place::Detail, kNowhere,
       [](MainWindow& window) { return window.makeTryOut(); }},
      {"chartsTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Charts"), Place::Evidence, kNowhere,
       [](MainWindow& window) { return window.makeCharts(); }},
      {"traceTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Trace"), Place::Evidence, kProfile,
       [](MainWindow& window) { return window.makeTrace(); }},
      {"operationsTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Operations"), Place::Evidence, kNowhere,
       [](MainWindow& window) { return window.makeOperations(); }},
      {"runsTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Runs"), Place::Evidence, kNowhere,
       [](MainWindow& window) { return window.makeRuns(); }},
      {"whatIfTab", QT_TRANSLATE_NOOP("lab::MainWindow", "What if"), Place::Evidence, kNowhere,
       [](MainWindow& window) { return window.makeWhatIf(); }},
      {"classTab", QT_TRANSLATE_NOOP("lab::MainWindow", "Class"), Place::Evidence, kNowhere,
       [](MainWindow& window) { return window.makeClass(); }},
  };
  return kRows;
}

void MainWindow::createPanels() {
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    const PanelRow& row = panelRows()[i];
    Panel* panel = panels_[i] = new Panel(row.name, tr(row.title).remove(QLatin1Char('&')));
    QAction* act = panel->toggleViewAction();
    act->setObjectName(QLatin1String(row.name) + QStringLiteral("Act"));
    act->setText(tr(row.title));
    act->setShortcut(row.key);
    connect(act, &QAction::triggered, this, [this, panel](bool shown) {
      guest_ = false;
      settleCharts(*panel);
      shown ? makeRoom(*panel) : giveBack();
    });
    connect(panel, &Panel::turned, this, [this, panel] {
      guest_ = false;
      fitWidth(*panel);
    });
    connect(panel, &Panel::collapsed, this, [this, panel] {
      guest_ = false;
      settleCharts(*panel);
      giveBack();
    });
  }
  for (const TabRow& row : tabRows()) {
    Panel& panel = panelAt(row.panel);
    OnDemand& page = panel.addTab(row.name, tr(row.title), [this, &row] { return row.make(*this); });
    connect(&page, &OnDemand::made, this, &MainWindow::viewMade);
    connect(&page, &OnDemand::seen, this, &MainWindow::arranged);
  }
  connect(tab(QStringLiteral("setupTab")), &OnDemand::seen, this, &MainWindow::refreshNotice);
  connect(&panelAt(PanelPlace::Evidence), &QDockWidget::visibilityChanged, this, &MainWindow::fitStage);
  connect(&panelAt(PanelPlace::Evidence), &QDockWidget::topLevelChanged, this, &MainWindow::fitStage);
}

Panel* MainWindow::panelOf(const QString& tab) const {
  const auto found = std::ranges::find_if(panels_, [&](const Panel* panel) { return panel->page(tab) != nullptr; });
  return found == panels_.end() ? nullptr : *found;
}

OnDemand* MainWindow::tab(const QString& name) const {
  return panelOf(name)->page(name);
}

QStringList MainWindow::tabNames() const {
  QStringList names;
  for (const TabRow& row : tabRows()) names << QLatin1String(row.name);
  return names;
}

void MainWindow::fillPanels(QMenu& view) {
  view.addSection(tr("Panels"));
  for (Panel* panel : panels_) view.addAction(panel->toggleViewAction());
  view.addAction(stageAct_);
  QMenu* tabs = view.addMenu(tr("Tabs"));
  for (const TabRow& row : tabRows()) {
    QAction* action = addAct((row.name + std::string("Act")).c_str(), tr(row.title), {});
    connect(action, &QAction::triggered, this, [this, &row] { openTab(QLatin1String(row.name)); });
    tabs->addAction(action);
  }
}

void MainWindow::openTab(const QString& name) {
  guest_ = false;
  settleCharts(*panelOf(name));
  bring(name);
}

// The user has opened or closed the charts.
void MainWindow::settleCharts(const Panel& panel) {
  if (&panel != &panelAt(PanelPlace::Evidence)) return;
  if (theme::isProjected()) chartsProjected_ = true;
  if (layout_ == WindowLayout::Teach) chartsOffered_ = true;
}

// Opens the curves' panel once there is a line to see, between two steps, below the stage, without taking the focus.
// Only once: a user who closes it is not bothered again.
void MainWindow::offerCharts() {
  const std::int64_t step = std::exchange(offeredAt_, playback_.step());
  const bool turned = step != playback_.step() || playback_.mode() == Playback::Mode::Express;
  const bool projector = theme::isProjected();
  bool& offered = projector ? chartsProjected_ : chartsOffered_;
  const bool here = projector ? stage_->isVisible() : layout_ == WindowLayout::Teach;
  if (offered || !turned || !here || guest_) return;
  Panel& evidence = panelAt(PanelPlace::Evidence);
  constexpr std::size_t kLine = 3;  // points
  const bool canBe = evidence.toggleViewAction()->isEnabled() && isBelow() && evidence.isHidden();
  if (!canBe || controller_.steps().size() < kLine || (projector && !leavesPictures(theme::em(kStrip)))) return;
  offered = true;
  evidence.choose(QLatin1String(kCurves));
  evidence.show();
  makeRoom(evidence);
}

// True if letters and pictures on a projector's stage stay in place when the stage is `pixels` lower.
bool MainWindow::leavesPictures(int pixels) const {
  if (controller_.info() == nullptr) return false;
  const auto layoutIn = [this](int height) {
    return layoutStage(*controller_.info(), QSizeF(stage_->width(), height), theme::textSize());
  };
  const StageLayout now = layoutIn(stage_->height()), then = layoutIn(stage_->height() - pixels);
  return then.px >= theme::textSize() && then.columns.front().flat == now.columns.front().flat;
}

void MainWindow::bring(const QString& name) {
  Panel* panel = panelOf(name);
  panel->choose(name);
  panel->show();
  makeRoom(*panel);
  fitWidth(*panel);
}

void MainWindow::showTab(const QString& name) {
  keepPanels();
  guest_ = true;
  bring(name);
  if (theme::isProjected()) sizePanels();
}

// A user who clicks an object wants to know what it is. A panel opened for this closes with the selection, and the
// panels that made way for it come back.
void MainWindow::inspect() {
  Panel& detail = panelAt(PanelPlace::Detail);
  if (!detail.isHidden() || theme::isProjected()) return;
  inspects_ = true;
  const auto isShown = [](const Panel* panel) { return stands(*panel); };
  displaced_ = {};
  std::ranges::copy_if(panels_, std::back_inserter(displaced_), isShown);
  showTab(QStringLiteral("inspectorTab"));
  displaced_.removeIf(isShown);
}

void MainWindow::endInspection() {
  if (selection_.pinned() || !std::exchange(inspects_, false) || !guest_) return;
  panelAt(PanelPlace::Detail).hide();  // the stored arrangement is still that of before
  for (Panel* panel : displaced_) panel->show();
}

void MainWindow::endVisit() {
  if (guest_) showPanels();
}

void MainWindow::keepPanels() {
  if (guest_ || theme::isProjected()) return;
  Arrangement& kept = kept_[static_cast<std::size_t>(layout_)];
  kept.docks = saveState(kVersion);
  kept.aside = aside_;
  kept.tabs.clear();
  for (const Panel* panel : panels_) kept.tabs << panel->chosen();
}

void MainWindow::showPanels() {
  guest_ = false;
  arrangePanels();
  const Arrangement& kept = kept_[static_cast<std::size_t>(layout_)];
  if (kept.docks.isEmpty() || theme::isProjected()) return;
  QWidget* focus = QApplication::focusWidget();
  // For a window that is hidden and maximized, Qt keeps a second copy of what it restores until the window is shown.
  // fitPanels() may move a panel before that, and the copy would point to a place that is gone.
  const Qt::WindowStates state = windowState();
  if (!isVisible()) setWindowState(state & ~(Qt::WindowMaximized | Qt::WindowFullScreen));
  restoreState(kept.docks, kVersion);  // this hides and shows all bars and panels, which may move the focus
  setWindowState(state);
  if (focus != nullptr && focus->isVisible()) focus->setFocus();
  fitBars();  // and decides which control stands in which line
  aside_ = kept.aside;
  for (const QString& name : kept.tabs) panelOf(name)->choose(name);
  hasCode_ = panelAt(PanelPlace::Detail).chosen() == QLatin1String(kCodeTab);  // it has the stored width already
  fitPanels();
}

void MainWindow::resetPanels() {
  kept_[static_cast<std::size_t>(layout_)] = {};
  if (layout_ == WindowLayout::Teach) chartsOffered_ = false;
  if (layout_ == WindowLayout::Profile) stageOpen_ = false;
  showPanels();
}

QByteArray MainWindow::savePanels() {
  keepPanels();
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << kVersion;
  for (const Arrangement& kept : kept_) stream << kept.docks << kept.tabs << kept.aside;
  stream << stageOpen_;
  return bytes;
}

// Panels stored by another version are ignored.
void MainWindow::restorePanels(const QByteArray& state) {
  QDataStream stream(state);
  int version = 0;
  stream >> version;
  if (version != kVersion) return;
  std::array<Arrangement, kLayouts.size()> kept;
  for (Arrangement& each : kept) {
    stream >> each.docks >> each.tabs >> each.aside;
    for (const QString& name : each.tabs)
      if (panelOf(name) == nullptr) return;
  }
  bool open = false;
  if (!stream.atEnd()) stream >> open;  // earlier versions stored no strip
  if (stream.status() != QDataStream::Ok) return;
  stageOpen_ = open;
  kept_ = kept;
  showPanels();
}

// The workspace's initial arrangement.
void MainWindow::arrangePanels() {
  const bool projector = theme::isProjected();  // the stage, one chart, the caption
  const unsigned workspace = projector ? kProjector : in(layout_);
  // Readers from right to left begin at the right.
  const Qt::DockWidgetArea first = isRightToLeft() ? Qt::RightDockWidgetArea : Qt::LeftDockWidgetArea;
  const Qt::DockWidgetArea areas[]{first, lastArea(), isBelow() ? Qt::BottomDockWidgetArea : lastArea()};
  aside_ = !isBelow();
  beneath_ = false;
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    panels_[i]->setFloating(false);
    addDockWidget(areas[i], panels_[i]);
    panels_[i]->setVisible((panelRows()[i].open & workspace) != 0);
    const auto here = [i](const TabRow& row) { return static_cast<std::size_t>(row.panel) == i; };
    const auto front = [&](const TabRow& row) { return here(row) && (row.front & workspace) != 0; };
    const auto found = std::ranges::find_if(tabRows(), front);
    panels_[i]->choose(QLatin1String((found != tabRows().end() ? found : std::ranges::find_if(tabRows(), here))->name));
  }
  hasCode_ = false;
  makeRoom(panelAt(PanelPlace::Detail));
  sizePanels();
}

bool MainWindow::stands(const Panel& panel) {
  return !panel.isHidden() && !panel.isFloating();
}

int MainWindow::sideWidth() const {
  // Names of hardware are long: if there is room, lists show them whole.
  // Large letters need more than the usual share for a line of a few words.
  const int most = std::max(width() * 3 / 10, std::min(theme::em(kLeastLine), width() * 9 / 20));
  return std::min(std::max({theme::em(20), kLeastSide, width() / 5}), most);
}

// A side is wider while it shows code.
void MainWindow::fitWidth(const Panel& panel) {
  Panel& detail = panelAt(PanelPlace::Detail);
  if (&panel != &detail || !stands(detail)) return;
  const bool code = detail.chosen() == QLatin1String(kCodeTab);
  if (std::exchange(hasCode_, code) != code) resizeDocks({&detail}, {widthOf(detail)}, Qt::Horizontal);
}

// What is read line by line needs more than a side: code everywhere, other tabs on a projector.
int MainWindow::widthOf(const Panel& panel) const {
  static const QSet<QString> kWide{QStringLiteral("programTab"), QStringLiteral("traceTab"),
                                   QStringLiteral("whatIfTab")};
  const bool wide = theme::isProjected() && kWide.contains(panel.chosen());
  const int most = width() * 2 / 5;
  if (wide) return most;
  return panel.chosen() == QLatin1String(kCodeTab) ? std::max(sideWidth(), std::min(kCodeWidth, most)) : sideWidth();
}

// Whether Evidence stands below. If the stage needs all the height, Evidence stands at the side in Detail's place; a
// projector's large letters would leave only a sliver of a curve there.
bool MainWindow::isBelow() const {
  return theme::isProjected() || isStageAway() ||
         heightOfAll() - centralWidget()->minimumSizeHint().height() >= theme::em(kLowest);
}

// A lesson's page stays where it is. Detail stands on the other side, or below the lesson if the stage between the two
// would be too narrow.
void MainWindow::placeDetail() {
  Panel &guide = panelAt(PanelPlace::Guide), &detail = panelAt(PanelPlace::Detail);
  const bool goes =
      keepsGuide() && stands(guide) && stands(detail) &&
      width() - 2 * sideWidth() < std::max(theme::em(kLeastBetween), centralWidget()->minimumSizeHint().width());
  if (detail.isFloating() || std::exchange(beneath_, goes) == goes) return;
  const bool shown = !detail.isHidden();
  addDockWidget(goes ? dockWidgetArea(&guide) : lastArea(), &detail);
  if (goes) splitDockWidget(&guide, &detail, Qt::Vertical);
  detail.setVisible(shown);
  sizePanels();
}

// Shows one side at a time if both would leave too little for the centre; but nothing that the user opens replaces a
// lesson or the quiz.
void MainWindow::separate(const Panel& opened) {
  placeDetail();
  Panel &guide = panelAt(PanelPlace::Guide), &evidence = panelAt(PanelPlace::Evidence);
  const bool lesson = keepsGuide() && stands(guide);
  const bool narrow = width() - 2 * sideWidth() < theme::em(kBetween),
             below = dockWidgetArea(&evidence) == Qt::BottomDockWidgetArea;
  for (Panel* other : panels_) {
    if (other == &opened || !stands(opened)) continue;
    const bool apart = below && (other == &evidence || &opened == &evidence);
    const bool samePlace = !below && other != &guide && &opened != &guide;
    if (samePlace || (narrow && !apart && !lesson)) other->hide();
  }
}

// Makes room for a panel that was just opened: the centre keeps its share.
void MainWindow::makeRoom(const Panel& opened) {
  fitStage();
  placeEvidence();
  separate(opened);
  layout()->activate();
  // A panel that was never open has no size yet.
  const int least = std::min(std::max(kLeastSide, theme::em(kLeastLine)), sideWidth());
  const bool unsized = &opened != &panelAt(PanelPlace::Evidence) && opened.width() < least;
  double all = 0;
  const auto areaOf = [](const QWidget& widget) { return static_cast<double>(widget.width()) * widget.height(); };
  for (const Panel* panel : panels_)
    if (stands(*panel)) all += areaOf(*panel);
  const double centre = areaOf(*centralWidget());
  if (unsized || centre < leastCentre() * (centre + all)) sizePanels();
}

// Redistributes the room of a closed panel, unless the user has resized Evidence since its height was set.
void MainWindow::giveBack() {
  const Panel& evidence = panelAt(PanelPlace::Evidence);
  if (stands(evidence) && evidence.height() == givenHeight_) sizePanels();
}

double MainWindow::leastCentre() const {
  if (isStageAway()) return 0;
  return layout_ == WindowLayout::Profile ? kCentreOfProfile : kCentre;
}

// If the centre needs all the height, Evidence moves to the side meanwhile.
void MainWindow::placeEvidence() {
  Panel& evidence = panelAt(PanelPlace::Evidence);
  const bool below = isBelow();
  const bool goes = !below && dockWidgetArea(&evidence) == Qt::BottomDockWidgetArea;
  if (evidence.isFloating() || !(goes || (below && aside_))) return;
  aside_ = goes;
  const bool shown = !evidence.isHidden();
  addDockWidget(goes ? lastArea() : Qt::BottomDockWidgetArea, &evidence);
  evidence.setVisible(shown);
  sizePanels();
}

int MainWindow::heightOfAll() const {
  int room = height();
  for (const QWidget* bar : {static_cast<QWidget*>(menuBar()), static_cast<QWidget*>(statusBar())})
    if (!bar->isHidden()) room -= bar->sizeHint().height();
  return room - heightOfBars();
}

void MainWindow::sizePanels() {
  fitStage();
  QList<QDockWidget*> sides;
  QList<int> widths;
  double across = 1;  // the centre's share of the width
  for (const PanelPlace place : {PanelPlace::Guide, PanelPlace::Detail}) {
    Panel& panel = panelAt(place);
    if (!stands(panel)) continue;
    if (beneath_ && place == PanelPlace::Detail) continue;  // as wide as the panel above it
    sides << &panel;
    widths << widthOf(panel);
    across -= static_cast<double>(widths.back()) / width();
  }
  resizeDocks(sides, widths, Qt::Horizontal);
  Panel* below = &panelAt(PanelPlace::Evidence);
  if (dockWidgetArea(below) != Qt::BottomDockWidgetArea) return resizeDocks({below}, {widthOf(*below)}, Qt::Horizontal);
  resizeDocks({below}, {heightBelow(across)}, Qt::Vertical);
  layout()->activate();
  givenHeight_ = below->height();
}

// The height of Evidence if the centre has the share `across` of the width.
int MainWindow::heightBelow(double across) const {
  const int high = heightOfAll(), least = theme::em(high >= theme::em(kHigh) ? kLowestThere : kLowest);
  if (isStageAway()) return std::max(high, least);
  const bool projector = theme::isProjected(), curve = panelAt(PanelPlace::Evidence).chosen() == QLatin1String(kCurves);
  if (projector && curve) return theme::em(kStrip);
  // What the centre leaves; 0 if the sides have nearly all the width.
  const double left = std::max(0.0, 1 - (leastCentre() + 0.01) / std::max(across, 0.01));
  if (panelAt(PanelPlace::Evidence).chosen() == QLatin1String(kClassTab))
    return std::max(std::min(theme::em(kClassHeight), static_cast<int>(high * left)), theme::em(kLowest));
  const double wanted = projector || layout_ == WindowLayout::Profile ? 0.48 : 0.23;
  return std::max(static_cast<int>(high * std::min(wanted, left)), least);
}

// A larger window has room for a readable curve.
void MainWindow::raiseEvidence() {
  Panel& evidence = panelAt(PanelPlace::Evidence);
  if (!stands(evidence) || dockWidgetArea(&evidence) != Qt::BottomDockWidgetArea) return;
  const int high = heightBelow(static_cast<double>(centralWidget()->width()) / width());
  if (evidence.height() < std::min(high, theme::em(kLowestThere))) resizeDocks({&evidence}, {high}, Qt::Vertical);
}

// Other parts that depend on the window's size.
void MainWindow::fitPanels() {
  const bool projector = theme::isProjected();
  for (Panel* panel : panels_) {  // the workspaces' tabs can scroll, but these would be cut
    QWidget* button = buttonOf(*panel);
    button->setMinimumWidth(0);
    button->setMinimumWidth(button->sizeHint().width());
  }
  // Ctrl+1 to Ctrl+5, F7 to F9 and the menu replace them: if letters are large, the stage's words come first.
  showBars();
  statusBar()->setVisible(!projector && height() >= theme::em(30));  // the inspector shows the same
  // A projector's curve has the steps below it, and the keys go through them.
  transportBar_->setRunBar(height() >= theme::em(20) && layout_ != WindowLayout::Compare && !projector);
  if (charts_ != nullptr) charts_->setOnlyLoss(projector || layout_ == WindowLayout::Teach);
  fitStage();
  placeEvidence();
  separate(panelAt(aside_ ? PanelPlace::Evidence : PanelPlace::Detail));
}

}  // namespace lab
