// SPDX-License-Identifier: GPL-3.0-or-later
// The workspace Compare: the window's run and up to three others side by side, in step, and under them what they come
// to: figures, the distance of their weights, curves, traces, what is pointed at. While it is not seen its runs rest.
#pragma once

#include <QTimer>
#include <QWidget>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "ui/compare/difference_search.h"
#include "ui/compare/lane_grid.h"
#include "ui/compare/lane_specs.h"
#include "ui/compare/lanes.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QMenu;
class QSplitter;
class QTabWidget;
class QToolButton;

namespace lab {

class Experiment;
class FlowLayout;
class LaneTable;
class BaseStep;
class LaneView;
class LanesBelow;
class RunLibrary;
struct BranchOffer;
struct FaultOffer;

class CompareView final : public QWidget {
  Q_OBJECT

 public:
  CompareView(RunController& controller, Playback& playback, Selection& selection, Experiment& experiment,
              RunLibrary& library, QWidget* parent = nullptr);
  ~CompareView() override;

  Lanes& lanes() { return lanes_; }
  LaneView& laneView(std::size_t index) const { return *views_[index]; }
  void compareWith(const StrategyInfo& info);
  QString twiceWords(const StrategyInfo& info) const;  // that this experiment stands there under it; "": it does not
  void compareWithKept(int id);
  // As a file, or a text of Guide's, has them; comparisonChanged() is for what a person does.
  void take(Comparing comparing);
  nlohmann::json comparison() const;
  void refreshAll();  // what stands under the lanes too, at once: for a picture
  void fillChooser(QMenu& menu);
  void askForReport();  // a name for it
  void writeReport(const QString& path);
  void fillBranches(QMenu& menu);
  void fillBreaks(QMenu& menu);
  void openChooser();  // below its button
  void openBranches();
  void openBreaks();
  void setDividesWrongly(bool wrongly);  // Stage's, of all lanes
  void setAmplified(double factor);      // and so is this
  void focusNext(int by);                // the lane after the one with the focus
  Lane* focusedOther();                  // nullptr: the window's own run has the focus
  void strike(const FaultOffer& offer);  // of focusedOther(): its run becomes the branch in which that happens
  void findDifference(DifferenceSearch::Which which);

 Q_SIGNALS:
  void focusChanged(RunController& controller, Playback& playback, Selection& selection);
  void comparisonChanged();
  void menuWanted(const lab::Object& object, const QPoint& at);  // Stage's, of the lane that has the focus
  void said(const QString& text);                                // what came of it, in a sentence

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeBar();
  void makeButtons();
  void makeFields();
  void makeReportButton();
  void connectLanes(Selection& selection);
  bool saysNoRoom();
  void showFault();
  QString parentName() const;  // what a branch calls the window's run
  void fillOffers(QMenu& menu, const std::vector<BranchOffer>& offers);
  void popUp(const QToolButton& button, void (CompareView::*fill)(QMenu&));
  void follow();   // lanes have come or gone
  void share();    // the height, between the lanes and what is under them
  void arrange();  // their places
  QSize leastLane(bool tight) const;
  std::vector<LanePlace> places(bool tight) const;
  void refresh();
  void refreshBar();
  void refreshButtons();
  void showMarks();
  void shareBase();
  void showFocus();
  void giveKeys(std::size_t index);  // the keyboard

  RunController& controller_;
  Experiment& experiment_;
  RunLibrary& library_;
  Lanes lanes_;
  std::vector<LaneView*> views_;
  std::shared_ptr<const BaseStep> baseStep_;  // the baseline lane's, as it is shown
  const Lane* focused_ = nullptr;             // as was said last
  bool taking_ = false;                       // within take()
  bool arranging_ = false;                    // what is hidden passes the keyboard on, which chooses no lane
  QWidget* area_;                             // of the lanes
  QToolButton *add_, *branch_, *break_, *report_;
  QComboBox *by_, *base_;
  QDoubleSpinBox* target_;
  FlowLayout* bar_;
  QLabel* state_;
  QTimer searching_{this};          // until a search for differences says how far it is
  QTimer refreshing_{this};         // of what several lanes' changes ask for in one turn of the event loop
  std::optional<RunFault> struck_;  // in the lane with the focus: to be shown as soon as its run is there
  QSplitter* split_;
  LanesBelow* below_;
  int sharedLeast_ = 0;  // what is under the lanes needed when the height was shared
  bool dividesWrongly_ = false;
  double amplified_ = 1;
};

}  // namespace lab
