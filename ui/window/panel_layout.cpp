// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panel_layout.h"

#include <QLayout>
#include <QMainWindow>
#include <QMenuBar>
#include <QSet>
#include <QStatusBar>

#include <algorithm>
#include <utility>

#include "ui/frame/panel.h"
#include "ui/frame/stage_strip.h"
#include "ui/frame/tool_bars.h"
#include "ui/frame/workspaces.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kCentre = 0.6, kCentreOfProfile = 0.5;  // the centre's least share of the room divided with the
                                                         // panels; in Profile
constexpr double kBetween = 70, kLowest = 9;     // in text sizes: least width between two sides; height of Evidence
constexpr double kLeastBetween = 42;             // in text sizes: the stage between a lesson and Detail
constexpr double kLeastLine = 13;                // a side's width, if letters are large
constexpr double kHigh = 58, kLowestThere = 13;  // in text sizes: height of a high window's area; of Evidence there
constexpr int kLeastSide = 290;                  // pixels: controls do not shrink with letters
constexpr int kCodeWidth = 480;                  // pixels: most lines of a program fit
constexpr double kClassHeight = 17;              // in text sizes: totals, buttons and six workers
constexpr const char *kCodeTab = "programTab", *kCurves = "chartsTab", *kClassTab = "classTab";

}  // namespace

PanelLayout::PanelLayout(QMainWindow& window, const PanelArray& panels, const Workspaces& workspaces, StageStrip& strip,
                         const ToolBars& bars, std::function<bool()> keepsGuide)
    : window_(window),
      panels_(panels),
      workspaces_(workspaces),
      strip_(strip),
      bars_(bars),
      keepsGuide_(std::move(keepsGuide)) {}

// Readers from right to left begin at the right.
Qt::DockWidgetArea PanelLayout::lastArea() const {
  return window_.isRightToLeft() ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea;
}

void PanelLayout::begin() {
  aside_ = !isBelow();
  beneath_ = hasCode_ = false;
}

void PanelLayout::place(PanelPlace place) {
  const Qt::DockWidgetArea last = lastArea(),
                           first = last == Qt::RightDockWidgetArea ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea;
  at(place).setFloating(false);
  window_.addDockWidget(place == PanelPlace::Guide              ? first
                        : place == PanelPlace::Detail || aside_ ? last
                                                                : Qt::BottomDockWidgetArea,
                        &at(place));
}

void PanelLayout::followCode() {
  hasCode_ = at(PanelPlace::Detail).chosen() == QLatin1String(kCodeTab);
}

int PanelLayout::sideWidth() const {
  // Names of hardware are long: if there is room, lists show them whole.
  // Large letters need more than the usual share for a line of a few words.
  const int most = std::max(window_.width() * 3 / 10, std::min(theme::em(kLeastLine), window_.width() * 9 / 20));
  return std::min(std::max({theme::em(20), kLeastSide, window_.width() / 5}), most);
}

// A side is wider while it shows code.
void PanelLayout::fitWidth(const Panel& panel) {
  Panel& detail = at(PanelPlace::Detail);
  if (&panel != &detail || !detail.stands()) return;
  const bool code = detail.chosen() == QLatin1String(kCodeTab);
  if (std::exchange(hasCode_, code) != code) window_.resizeDocks({&detail}, {widthOf(detail)}, Qt::Horizontal);
}

// A side where no panel stood is only as wide as the panel must be that the user drops there.
void PanelLayout::widen(Panel& dropped) {
  const Qt::DockWidgetArea area = window_.dockWidgetArea(&dropped);
  const bool side = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
  window_.layout()->activate();
  if (side && dropped.stands() && dropped.width() < widthOf(dropped))
    window_.resizeDocks({&dropped}, {widthOf(dropped)}, Qt::Horizontal);
}

// What is read line by line needs more than a side: code everywhere, other tabs on a projector.
int PanelLayout::widthOf(const Panel& panel) const {
  static const QSet<QString> kWide{QStringLiteral("programTab"), QStringLiteral("traceTab"),
                                   QStringLiteral("whatIfTab")};
  const bool wide = theme::isProjected() && kWide.contains(panel.chosen());
  const int most = window_.width() * 2 / 5;
  if (wide) return most;
  return panel.chosen() == QLatin1String(kCodeTab) ? std::max(sideWidth(), std::min(kCodeWidth, most)) : sideWidth();
}

// Whether Evidence stands below. If the stage needs all the height, Evidence stands at the side in Detail's place; a
// projector's large letters would leave only a sliver of a curve there.
bool PanelLayout::isBelow() const {
  return theme::isProjected() || strip_.hidesStage() ||
         heightOfAll() - window_.centralWidget()->minimumSizeHint().height() >= theme::em(kLowest);
}

// A lesson's page stays where it is. Detail stands on the other side, or below the lesson if the stage between the two
// would be too narrow.
void PanelLayout::placeDetail() {
  Panel &guide = at(PanelPlace::Guide), &detail = at(PanelPlace::Detail);
  const bool goes = keepsGuide_() && guide.stands() && detail.stands() &&
                    window_.width() - 2 * sideWidth() <
                        std::max(theme::em(kLeastBetween), window_.centralWidget()->minimumSizeHint().width());
  if (detail.isFloating() || std::exchange(beneath_, goes) == goes) return;
  const bool shown = !detail.isHidden();
  window_.addDockWidget(goes ? window_.dockWidgetArea(&guide) : lastArea(), &detail);
  if (goes) window_.splitDockWidget(&guide, &detail, Qt::Vertical);
  detail.setVisible(shown);
  sizeAll();
}

// Shows one side at a time if both would leave too little for the centre; but nothing that the user opens replaces a
// lesson or the quiz.
void PanelLayout::separate(const Panel& opened) {
  placeDetail();
  Panel &guide = at(PanelPlace::Guide), &evidence = at(PanelPlace::Evidence);
  const bool lesson = keepsGuide_() && guide.stands();
  const bool narrow = window_.width() - 2 * sideWidth() < theme::em(kBetween),
             below = window_.dockWidgetArea(&evidence) == Qt::BottomDockWidgetArea;
  for (Panel* other : panels_) {
    if (other == &opened || !opened.stands()) continue;
    const bool apart = below && (other == &evidence || &opened == &evidence);
    const bool samePlace = !below && other != &guide && &opened != &guide;
    if (samePlace || (narrow && !apart && !lesson)) other->hide();
  }
}

// Makes room for a panel that was just opened: the centre keeps its share.
void PanelLayout::makeRoom(const Panel& opened) {
  strip_.fit();
  placeEvidence();
  separate(opened);
  window_.layout()->activate();
  // A panel that was never open has no size yet.
  const int least = std::min(std::max(kLeastSide, theme::em(kLeastLine)), sideWidth());
  const bool unsized = &opened != &at(PanelPlace::Evidence) && opened.width() < least;
  double all = 0;
  const auto areaOf = [](const QWidget& widget) { return static_cast<double>(widget.width()) * widget.height(); };
  for (const Panel* panel : panels_)
    if (panel->stands()) all += areaOf(*panel);
  const double centre = areaOf(*window_.centralWidget());
  if (unsized || centre < leastCentre() * (centre + all)) sizeAll();
}

// Redistributes the room of a closed panel, unless the user has resized Evidence since its height was set.
void PanelLayout::giveBack() {
  const Panel& evidence = at(PanelPlace::Evidence);
  if (evidence.stands() && evidence.height() == givenHeight_) sizeAll();
}

double PanelLayout::leastCentre() const {
  if (strip_.hidesStage()) return 0;
  return workspaces_.current() == WindowLayout::Profile ? kCentreOfProfile : kCentre;
}

// If the centre needs all the height, Evidence moves to the side meanwhile.
void PanelLayout::placeEvidence() {
  Panel& evidence = at(PanelPlace::Evidence);
  const bool below = isBelow();
  const bool goes = !below && window_.dockWidgetArea(&evidence) == Qt::BottomDockWidgetArea;
  if (evidence.isFloating() || !(goes || (below && aside_))) return;
  aside_ = goes;
  const bool shown = !evidence.isHidden();
  window_.addDockWidget(goes ? lastArea() : Qt::BottomDockWidgetArea, &evidence);
  evidence.setVisible(shown);
  sizeAll();
}

int PanelLayout::heightOfAll() const {
  int room = window_.height();
  for (const QWidget* bar : {static_cast<QWidget*>(window_.menuBar()), static_cast<QWidget*>(window_.statusBar())})
    if (!bar->isHidden()) room -= bar->sizeHint().height();
  return room - bars_.height();
}

void PanelLayout::sizeAll() {
  strip_.fit();
  QList<QDockWidget*> sides;
  QList<int> widths;
  double across = 1;  // the centre's share of the width
  for (const PanelPlace place : {PanelPlace::Guide, PanelPlace::Detail}) {
    Panel& panel = at(place);
    if (!panel.stands()) continue;
    if (beneath_ && place == PanelPlace::Detail) continue;  // as wide as the panel above it
    sides << &panel;
    widths << widthOf(panel);
    across -= static_cast<double>(widths.back()) / window_.width();
  }
  window_.resizeDocks(sides, widths, Qt::Horizontal);
  Panel* below = &at(PanelPlace::Evidence);
  if (window_.dockWidgetArea(below) != Qt::BottomDockWidgetArea)
    return window_.resizeDocks({below}, {widthOf(*below)}, Qt::Horizontal);
  window_.resizeDocks({below}, {heightBelow(across)}, Qt::Vertical);
  window_.layout()->activate();
  givenHeight_ = below->height();
}

// The height of Evidence if the centre has the share `across` of the width.
int PanelLayout::heightBelow(double across) const {
  const int high = heightOfAll(), least = theme::em(high >= theme::em(kHigh) ? kLowestThere : kLowest);
  if (strip_.hidesStage()) return std::max(high, least);
  const bool projector = theme::isProjected(), curve = at(PanelPlace::Evidence).chosen() == QLatin1String(kCurves);
  if (projector && curve) return theme::em(kStrip);
  // What the centre leaves; 0 if the sides have nearly all the width.
  const double left = std::max(0.0, 1 - (leastCentre() + 0.01) / std::max(across, 0.01));
  if (at(PanelPlace::Evidence).chosen() == QLatin1String(kClassTab))
    return std::max(std::min(theme::em(kClassHeight), static_cast<int>(high * left)), theme::em(kLowest));
  const double wanted = projector || workspaces_.current() == WindowLayout::Profile ? 0.48 : 0.23;
  return std::max(static_cast<int>(high * std::min(wanted, left)), least);
}

// A larger window has room for a readable curve.
void PanelLayout::raiseEvidence() {
  Panel& evidence = at(PanelPlace::Evidence);
  if (!evidence.stands() || window_.dockWidgetArea(&evidence) != Qt::BottomDockWidgetArea) return;
  const int high = heightBelow(static_cast<double>(window_.centralWidget()->width()) / window_.width());
  if (evidence.height() < std::min(high, theme::em(kLowestThere)))
    window_.resizeDocks({&evidence}, {high}, Qt::Vertical);
}

void PanelLayout::fit() {
  strip_.fit();
  placeEvidence();
  separate(at(aside_ ? PanelPlace::Evidence : PanelPlace::Detail));
}

}  // namespace lab
