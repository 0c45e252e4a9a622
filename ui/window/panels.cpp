// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panels.h"

#include <QAction>
#include <QApplication>
#include <QDataStream>
#include <QIODevice>
#include <QMainWindow>
#include <QMenu>
#include <QTimer>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "ui/frame/on_demand.h"
#include "ui/frame/panel.h"
#include "ui/frame/stage_strip.h"
#include "ui/frame/tool_bars.h"
#include "ui/guide/lesson_view.h"
#include "ui/help/actions.h"
#include "ui/stage/stage.h"
#include "ui/step/selection.h"
#include "ui/theme/projected.h"
#include "ui/window/centre.h"

namespace lab {
namespace {

constexpr QLatin1String kInspector("inspectorTab");
constexpr int kVersion = 2;                             // format of the stored panels
constexpr unsigned kProjector = 1U << kLayouts.size();  // a workspace where nothing is open at first

struct PanelRow {
  const char* name;  // stored in files
  const char* title;
  unsigned open;  // the workspaces in which the panel is open at first
  Qt::Key key;
};
// In the order of PanelPlace.
constexpr PanelRow kPanels[]{
    {"guidePanel", QT_TRANSLATE_NOOP("lab::Panels", "&Guide"), bitOf(WindowLayout::Explore), Qt::Key_F7},
    {"detailPanel", QT_TRANSLATE_NOOP("lab::Panels", "&Detail"), bitOf(WindowLayout::Explore), Qt::Key_F8},
    {"evidencePanel", QT_TRANSLATE_NOOP("lab::Panels", "E&vidence"),
     bitOf(WindowLayout::Explore) | bitOf(WindowLayout::Profile), Qt::Key_F9},
};

}  // namespace

PanelArray Panels::makePanels() {
  PanelArray panels{};
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const PanelRow& row = kPanels[i];
    panels[i] = new Panel(row.name, tr(row.title).remove(QLatin1Char('&')));
    QAction* act = panels[i]->toggleViewAction();
    act->setObjectName(QLatin1String(row.name) + QStringLiteral("Act"));
    act->setText(tr(row.title));
    act->setShortcut(row.key);
  }
  return panels;
}

Panels::Panels(QMainWindow& window, const Centre& centre, const Workspaces& workspaces, ToolBars& bars,
               const Selection& selection)
    : window_(window),
      workspaces_(workspaces),
      selection_(selection),
      strip_(centre.strip()),
      bars_(bars),
      panels_(makePanels()),
      layout_(window, panels_, workspaces, strip_, bars, [this] { return keepsGuide(); }) {
  for (Panel* panel : panels_) follow(*panel);
  Panel& evidence = at(PanelPlace::Evidence);
  strip_.setTrace(evidence);
  connect(&evidence, &QDockWidget::visibilityChanged, this, [this] { strip_.fit(); });
  connect(&evidence, &QDockWidget::topLevelChanged, this, [this] { strip_.fit(); });
  connect(&strip_.act(), &QAction::triggered, this, &Panels::setStageOpen);
  // A replica that is zoomed into must be visible.
  connect(&centre.stage(), &Stage::zoomChanged, this, [this, &stage = centre.stage()] {
    if (stage.zoomed() >= 0 && strip_.hidesStage()) setStageOpen(true);
  });
  connect(&centre.stage(), &Stage::inspectionWanted, this, &Panels::inspect);
  connect(&selection, &Selection::changed, this, &Panels::endInspection);
  connect(&workspaces, &Workspaces::leaving, this, &Panels::keep);
}

void Panels::follow(Panel& panel) {
  connect(panel.toggleViewAction(), &QAction::triggered, this, [this, &panel](bool shows) {
    guest_ = false;
    Q_EMIT touched(panel);
    shows ? layout_.makeRoom(panel) : layout_.giveBack();
  });
  connect(&panel, &Panel::turned, this, [this, &panel] {
    guest_ = false;
    layout_.fitWidth(panel);
  });
  connect(&panel, &Panel::collapsed, this, [this, &panel] {
    guest_ = false;
    Q_EMIT touched(panel);
    layout_.giveBack();
  });
  connect(&panel, &QDockWidget::topLevelChanged, this, [this, &panel](bool floats) {
    if (!floats) QTimer::singleShot(0, this, [this, &panel] { layout_.widen(panel); });
  });
}

void Panels::addTab(const PanelTab& tab, std::function<QWidget*()> make) {
  tabs_.push_back(tab);
  OnDemand& page = at(tab.panel).addTab(tab.name, tab.title, std::move(make));
  connect(&page, &OnDemand::made, this, &Panels::viewMade);
  connect(&page, &OnDemand::seen, this, &Panels::seen);
}

void Panels::fillMenu(QMenu& view) {
  view.addSection(tr("Panels"));
  for (Panel* panel : panels_) view.addAction(panel->toggleViewAction());
  view.addAction(&strip_.act());
  QMenu* menu = view.addMenu(tr("Tabs"));
  for (const PanelTab& row : tabs_) {
    QAction* action = makeAction(window_, (row.name + std::string("Act")).c_str(), row.title);
    connect(action, &QAction::triggered, this, [this, name = row.name] { openTab(QLatin1String(name)); });
    menu->addAction(action);
  }
}

Panel* Panels::panelOf(const QString& tab) const {
  const auto found = std::ranges::find_if(panels_, [&](const Panel* panel) { return panel->page(tab) != nullptr; });
  return found == panels_.end() ? nullptr : *found;
}

OnDemand* Panels::tab(const QString& name) const {
  return panelOf(name)->page(name);
}

QStringList Panels::tabNames() const {
  QStringList names;
  for (const PanelTab& row : tabs_) names << QLatin1String(row.name);
  return names;
}

bool Panels::shows(const QString& tab) const {
  const Panel* panel = panelOf(tab);
  return panel != nullptr && panel->shows(tab);
}

void Panels::openTab(const QString& name) {
  guest_ = false;
  Q_EMIT touched(*panelOf(name));
  bring(name);
}

void Panels::bring(const QString& name) {
  Panel* panel = panelOf(name);
  panel->choose(name);
  panel->show();
  layout_.makeRoom(*panel);
  layout_.fitWidth(*panel);
}

void Panels::showTab(const QString& name) {
  keep();
  guest_ = true;
  bring(name);
  if (theme::isProjected()) layout_.sizeAll();
}

bool Panels::mayOffer() const {
  const Panel& evidence = at(PanelPlace::Evidence);
  return evidence.toggleViewAction()->isEnabled() && layout_.isBelow() && evidence.isHidden();
}

void Panels::setStageOpen(bool open) {
  strip_.setOpen(open);
  layout_.sizeAll();
}

// A user who clicks an object wants to know what it is. The panel or tab opened for this goes with the selection, and
// what made way for it comes back.
void Panels::inspect() {
  Panel& detail = at(PanelPlace::Detail);
  if (detail.shows(kInspector) || theme::isProjected()) return;
  Inspection begun{.covered = detail.isHidden() ? QString() : detail.chosen(), .displaced = {}, .wasGuest = guest_};
  const auto isShown = [](const Panel* panel) { return panel->stands(); };
  std::ranges::copy_if(panels_, std::back_inserter(begun.displaced), isShown);
  inspection_ = begun;
  showTab(kInspector);
  inspection_->displaced.removeIf(isShown);
}

void Panels::endInspection() {
  if (selection_.pinned() || !inspection_) return;
  const Inspection ended = *std::exchange(inspection_, std::nullopt);
  if (!guest_) return;  // the user has chosen another tab or panel since
  if (ended.covered.isEmpty()) {
    at(PanelPlace::Detail).hide();  // the stored arrangement is still that of before
  } else {
    at(PanelPlace::Detail).choose(ended.covered);
    guest_ = ended.wasGuest;
  }
  for (Panel* panel : ended.displaced) panel->show();
}

// True if the Guide stays when something else is opened: with a page that the user is working on. "Show me" may open
// something in the quiz's place: a message leads back.
bool Panels::keepsGuide() const {
  const QString front = at(PanelPlace::Guide).chosen();
  return (front == QStringLiteral("lessonsTab") && isInLesson(window_)) ||
         (front == QStringLiteral("quizTab") && (!guest_ || inspection_));
}

void Panels::endVisit() {
  if (guest_) show();
}

void Panels::keep() {
  if (guest_ || theme::isProjected()) return;
  kept() = {.docks = window_.saveState(kVersion), .tabs = {}, .aside = layout_.isAside()};
  for (const Panel* panel : panels_) kept().tabs << panel->chosen();
}

void Panels::show() {
  guest_ = false;
  arrange();
  const Arrangement& stored = kept();
  if (stored.docks.isEmpty() || theme::isProjected()) return;
  QWidget* focus = QApplication::focusWidget();
  // For a window that is hidden and maximized, Qt keeps a second copy of what it restores until the window is shown.
  // shown() may move a panel before that, and the copy would point to a place that is gone.
  const Qt::WindowStates state = window_.windowState();
  if (!window_.isVisible()) window_.setWindowState(state & ~(Qt::WindowMaximized | Qt::WindowFullScreen));
  window_.restoreState(stored.docks, kVersion);  // this hides and shows all bars and panels, which may move the focus
  window_.setWindowState(state);
  if (focus != nullptr && focus->isVisible()) focus->setFocus();
  bars_.fit();  // and decides which control stands in which line
  layout_.setAside(stored.aside);
  for (const QString& name : stored.tabs) panelOf(name)->choose(name);
  layout_.followCode();
  Q_EMIT shown();
}

void Panels::reset() {
  kept() = {};
  if (workspaces_.current() == WindowLayout::Profile) strip_.setOpen(false);
  Q_EMIT resetting();
  show();
}

QByteArray Panels::save() {
  keep();
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << kVersion;
  for (const Arrangement& each : kept_) stream << each.docks << each.tabs << each.aside;
  stream << strip_.isOpen();
  return bytes;
}

// Panels stored by another version are ignored.
void Panels::restore(const QByteArray& state) {
  QDataStream stream(state);
  int version = 0;
  stream >> version;
  if (version != kVersion) return;
  std::array<Arrangement, kLayouts.size()> stored;
  for (Arrangement& each : stored) {
    stream >> each.docks >> each.tabs >> each.aside;
    for (const QString& name : each.tabs)
      if (panelOf(name) == nullptr) return;
  }
  bool open = false;
  if (!stream.atEnd()) stream >> open;  // earlier versions stored no strip
  if (stream.status() != QDataStream::Ok) return;
  strip_.setOpen(open);
  kept_ = stored;
  show();
}

void Panels::arrange() {
  // On a projector: the stage, one chart, the caption.
  const unsigned workspace = theme::isProjected() ? kProjector : bitOf(workspaces_.current());
  layout_.begin();
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    const auto place = static_cast<PanelPlace>(i);
    layout_.place(place);
    panels_[i]->setVisible((kPanels[i].open & workspace) != 0);
    const auto front = [&](const PanelTab& row) { return row.panel == place && (row.front & workspace) != 0; };
    const auto found = std::ranges::find_if(tabs_, front);
    panels_[i]->choose(
        QLatin1String((found != tabs_.end() ? found : std::ranges::find(tabs_, place, &PanelTab::panel))->name));
  }
  layout_.makeRoom(at(PanelPlace::Detail));
  layout_.sizeAll();
}

}  // namespace lab
