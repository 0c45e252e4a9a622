// SPDX-License-Identifier: GPL-3.0-or-later
// The three panels around the centre with their tabs: which are open and in front, by the user's wish, temporarily, and
// as each workspace has them stored.
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

#include "core/base/at.h"
#include "ui/frame/workspaces.h"
#include "ui/window/panel_layout.h"

class QMainWindow;
class QMenu;

namespace lab {

class Centre;
class OnDemand;
class Selection;

// Workspaces as a set, for tables.
constexpr unsigned bitOf(WindowLayout workspace) {
  return 1U << static_cast<unsigned>(workspace);
}

struct PanelTab {
  const char* name;  // stored in files
  QString title;
  PanelPlace panel;
  unsigned front;  // the workspaces in which the tab is in front at first; elsewhere the panel's first tab is
};

class Panels final : public QObject {
  Q_OBJECT

 public:
  Panels(QMainWindow& window, const Centre& centre, const Workspaces& workspaces, ToolBars& bars,
         const Selection& selection);

  void addTab(const PanelTab& tab, std::function<QWidget*()> make);  // in the order of the tabs
  void fillMenu(QMenu& view);

  Panel& at(PanelPlace place) const { return *lab::at(panels_, place); }
  const PanelArray& all() const { return panels_; }
  OnDemand* tab(const QString& name) const;
  QStringList tabNames() const;
  bool shows(const QString& tab) const;
  // Bring a tab to the front and open its panel: openTab() for the user's wish, showTab() temporarily, to show
  // something that was opened.
  void openTab(const QString& name);
  void showTab(const QString& name);
  bool isVisit() const { return guest_; }  // true while the panels show something temporarily
  void endVisit();                         // show(), if a tab was shown temporarily and nobody has touched the panels
  void show();                             // as the workspace has stored them
  void reset();                            // for this workspace
  void keep();                             // for this workspace
  bool isInitial() const { return lab::at(kept_, workspaces_.current()).docks.isEmpty(); }
  QByteArray save();                      // for all workspaces
  void restore(const QByteArray& state);  // takes what save() returned in an earlier session
  // In Profile, as the user wants it: at its usual height, or as a strip above the trace.
  void setStageOpen(bool open);
  void inspect();  // shows what was clicked
  // Whether Evidence can be opened unasked, below the stage; offerTab() opens it with this tab.
  bool mayOffer() const;
  void offerTab(const QString& name) { bring(name); }
  PanelLayout& layout() { return layout_; }

 Q_SIGNALS:
  void viewMade(QWidget* view);      // when a tab is first seen
  void seen();                       // another tab is in front
  void touched(const Panel& panel);  // the user has opened or closed it
  void shown();                      // the panels are as the workspace has stored them
  void resetting();

 private:
  struct Arrangement {  // the panels of a workspace
    QByteArray docks;
    QStringList tabs;  // tabs in front
    bool aside = false;
  };

  struct Inspection {
    QString covered;          // Detail's tab before; empty: Detail was closed
    QList<Panel*> displaced;  // the panels that were open before
    bool wasGuest;            // guest_ before
  };

  static PanelArray makePanels();
  void follow(Panel& panel);
  Panel* panelOf(const QString& tab) const;  // nullptr: no panel has this tab
  void bring(const QString& tab);
  void arrange();  // the workspace's initial arrangement
  bool keepsGuide() const;
  void endInspection();
  Arrangement& kept() { return lab::at(kept_, workspaces_.current()); }

  QMainWindow& window_;
  const Workspaces& workspaces_;
  const Selection& selection_;
  StageStrip& strip_;
  ToolBars& bars_;
  PanelArray panels_;
  PanelLayout layout_;
  std::vector<PanelTab> tabs_;
  std::array<Arrangement, kLayouts.size()> kept_;  // empty: the initial arrangement
  bool guest_ = false;                             // the panels show something temporarily
  std::optional<Inspection> inspection_;           // the inspector was opened for what was clicked
};

}  // namespace lab
