// SPDX-License-Identifier: GPL-3.0-or-later
// The workspace Compare: the window's run and up to three others side by side, in step. Below them are the results:
// figures, the distance of their weights, curves, traces, and the object pointed at. Its runs rest while it is hidden.
#pragma once

#include <QTimer>
#include <QWidget>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "ui/branches/difference_search.h"
#include "ui/compare/lane_grid.h"
#include "ui/lanes/lane_specs.h"
#include "ui/lanes/lanes.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QMenu;
class QSplitter;
class QToolButton;

namespace lab {

class BranchMenus;
class Experiment;
class FlowLayout;
class BaseStep;
class LaneView;
class LanesBelow;
class ReportButton;
class RunLibrary;
struct FaultOffer;

class CompareView final : public QWidget {
  Q_OBJECT

 public:
  CompareView(RunController& controller, Playback& playback, Selection& selection, Experiment& experiment,
              RunLibrary& library, QWidget* parent = nullptr);
  ~CompareView() override;

  Lanes& lanes() { return lanes_; }
  LaneView& laneView(std::size_t index) const { return *views_[index]; }
  BranchMenus& branchMenus() const { return *branchMenus_; }
  ReportButton& report() const { return *report_; }
  void compareWith(const StrategyInfo& info);
  QString twiceWords(const StrategyInfo& info) const;  // why this experiment is already there under the strategy; "" if
                                                       // it is not
  void compareWithKept(int id);
  // Takes lanes as a file or a text of the Guide describes them; comparisonChanged() is emitted only for the user's
  // acts.
  void take(Comparing comparing);
  nlohmann::json comparison() const;
  void refreshAll();  // also the tabs below the lanes, at once: for a screenshot
  void fillChooser(QMenu& menu);
  void openChooser();                    // below the menu's button
  void setDividesWrongly(bool wrongly);  // as in Stage, for all lanes
  void setAmplified(double factor);      // as in Stage, for all lanes
  void focusNext(int by);                // the lane after the one with the focus
  Lane* focusedOther();                  // nullptr: the window's own run has the focus
  void strike(const FaultOffer& offer);  // focusedOther()'s run becomes the branch in which the fault happens
  void findDifference(DifferenceSearch::Which which);

 Q_SIGNALS:
  void focusChanged(RunController& controller, Playback& playback, Selection& selection);
  void comparisonChanged();
  void menuWanted(const lab::Object& object, const QPoint& at);  // Stage's, for the lane that has the focus
  void said(const QString& text);                                // the result of an act, in a sentence

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeBar();
  void makeButtons();
  void makeFields();
  void connectLanes(Selection& selection);
  bool saysNoRoom();
  void showFault();
  void follow();   // after lanes have come or gone
  void share();    // shares the height between the lanes and the tabs below
  void arrange();  // sets the lanes' places
  QSize leastLane(bool tight) const;
  std::vector<LanePlace> places(bool tight) const;
  void refresh();
  void refreshBar();
  void showMarks();
  void shareBase();
  void showFocus();
  void giveKeys(std::size_t index);  // the keyboard focus

  RunController& controller_;
  Experiment& experiment_;
  RunLibrary& library_;
  Lanes lanes_;
  std::vector<LaneView*> views_;
  std::shared_ptr<const BaseStep> baseStep_;  // of the baseline lane, as shown
  const Lane* focused_ = nullptr;             // as last announced
  bool taking_ = false;                       // true within take()
  bool arranging_ = false;                    // a hidden widget passes the keyboard focus on, which must choose no lane
  QWidget* area_;                             // contains the lanes
  QToolButton* add_;
  ReportButton* report_;
  BranchMenus* branchMenus_;
  QComboBox *by_, *base_;
  QDoubleSpinBox* target_;
  FlowLayout* bar_;
  QLabel* state_;
  QTimer searching_{this};          // until a search for differences shows its progress
  QTimer refreshing_{this};         // collects the changes of several lanes in one turn of the event loop
  std::optional<RunFault> struck_;  // in the lane with the focus: shown as soon as its run is there
  QSplitter* split_;
  LanesBelow* below_;
  int sharedLeast_ = 0;  // the height that the tabs below needed when the height was shared
  bool dividesWrongly_ = false;
  double amplified_ = 1;
};

}  // namespace lab
