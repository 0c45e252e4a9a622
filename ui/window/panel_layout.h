// SPDX-License-Identifier: GPL-3.0-or-later
// Where the panels stand around the centre, how large they are, and which of them fit. The centre keeps its share of
// the room: a side makes way for another, and Evidence goes to the side if the stage needs all the height.
#pragma once

#include <Qt>

#include <array>
#include <functional>

#include "core/base/at.h"

class QMainWindow;

namespace lab {

class Panel;
class StageStrip;
class ToolBars;
class Workspaces;

enum class PanelPlace { Guide, Detail, Evidence };  // at the start of a line, at its end, below
using PanelArray = std::array<Panel*, 3>;           // in the order of PanelPlace

class PanelLayout final {
 public:
  static constexpr double kStrip = 6.4;  // in text sizes: height of a curve on a projector

  // `keepsGuide`: true while the Guide stays when something else is opened.
  PanelLayout(QMainWindow& window, const PanelArray& panels, const Workspaces& workspaces, StageStrip& strip,
              const ToolBars& bars, std::function<bool()> keepsGuide);

  // Whether Evidence stands below.
  bool isBelow() const;
  bool isAside() const { return aside_; }
  void setAside(bool aside) { aside_ = aside; }  // as it was stored
  void begin();                                  // the initial arrangement: then place() each panel
  void place(PanelPlace place);
  void followCode();  // Detail has the width of its tab already
  void makeRoom(const Panel& opened);
  void giveBack();  // after a panel was closed
  void sizeAll();
  void fitWidth(const Panel& panel);
  void widen(Panel& dropped);
  void fit();            // to another size of the window
  void raiseEvidence();  // in a larger window

 private:
  Panel& at(PanelPlace place) const { return *lab::at(panels_, place); }
  Qt::DockWidgetArea lastArea() const;
  int sideWidth() const;
  int widthOf(const Panel& panel) const;
  void placeDetail();
  void placeEvidence();
  void separate(const Panel& opened);
  double leastCentre() const;  // the least share of the room that the centre and the panels divide
  int heightOfAll() const;     // centre and panels together
  int heightBelow(double across) const;

  QMainWindow& window_;
  PanelArray panels_;
  const Workspaces& workspaces_;
  StageStrip& strip_;
  const ToolBars& bars_;
  std::function<bool()> keepsGuide_;
  bool hasCode_ = false;  // Detail shows code, and is wide enough for it
  bool aside_ = false;    // Evidence stands at the side, because height is short
  bool beneath_ = false;  // Detail stands below a lesson, because width is short
  int givenHeight_ = 0;   // height of Evidence when all panels were sized
};

}  // namespace lab
