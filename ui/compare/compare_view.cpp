// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/options/config_field.h"
#include "ui/branches/branches.h"
#include "ui/compare/branch_menus.h"
#include "ui/compare/lane_grid.h"
#include "ui/compare/lane_table.h"
#include "ui/compare/lane_view.h"
#include "ui/compare/lanes_below.h"
#include "ui/compare/report_button.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/fault_captions.h"
#include "ui/runs/run_library.h"
#include "ui/setup/experiment.h"
#include "ui/stage/stage.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kInstantMs = 400;
constexpr double kLeastLanesEm = 11;
constexpr double kGapEm = 0.3, kLeastEm = 26;  // in text sizes: between lanes; the height of all

constexpr InStepBy kWays[] = {InStepBy::Steps, InStepBy::Images, InStepBy::ModelledTime};

QString nameOf(InStepBy by) {
  switch (by) {
    case InStepBy::Steps:
      return CompareView::tr("step");
    case InStepBy::Images:
      return CompareView::tr("images");
    case InStepBy::ModelledTime:
      return CompareView::tr("modelled time");
  }
  return {};
}

QString tipOf(InStepBy by) {
  switch (by) {
    case InStepBy::Steps:
      return CompareView::tr("All show the same step and the same part of it.");
    case InStepBy::Images:
      return CompareView::tr(
          "All have seen the same number of images: a parameter server's worker takes several steps meanwhile.");
    case InStepBy::ModelledTime:
      return CompareView::tr("All show the same moment of their modelled clocks: the fast lane is steps ahead.");
  }
  return {};
}

// Names the first lane that has no such step: a branch before its fork, or a shorter run.
QString elsewhereWords(Lanes& lanes) {
  const Playback& leader = lanes.at(0).playback();
  const bool bySteps = lanes.lockstep().by() == InStepBy::Steps;
  for (std::size_t i = 1; i < lanes.count() && leader.record(); ++i) {
    const Lane& lane = lanes.at(i);
    if (!lane.playback().record()) continue;
    const std::int64_t step = lane.playback().step(), there = lanes.lockstep().leaderStepOf(lane, step);
    // By images or time, a step may end in the leader's next one.
    const bool begins = bySteps && there > leader.step();
    const bool ended =
        there < leader.step() && (bySteps || (lane.controller().isOver() && step == lane.controller().liveStep()));
    if (!begins && !ended) continue;
    return (begins ? CompareView::tr("%1 begins with step %2, and shows its beginning until then.")
                   : CompareView::tr("%1 has ended after step %2, which it shows."))
        .arg(lane.name(), countText(step));
  }
  return {};
}

}  // namespace

CompareView::CompareView(RunController& controller, Playback& playback, Selection& selection, Experiment& experiment,
                         RunLibrary& library, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      experiment_(experiment),
      library_(library),
      lanes_(controller, playback, selection) {
  setObjectName(QStringLiteral("compareView"));
  setProperty("role", QStringLiteral("panel"));
  area_ = new QWidget;
  area_->setObjectName(QStringLiteral("lanes"));
  area_->installEventFilter(this);
  theme::follow(area_, [this] { area_->setMinimumHeight(theme::em(kLeastLanesEm)); });
  below_ = new LanesBelow(lanes_);
  split_ = new QSplitter(Qt::Vertical);
  split_->installEventFilter(this);
  split_->addWidget(area_);
  split_->addWidget(below_);
  split_->setStretchFactor(0, 1);
  split_->setStretchFactor(1, 0);
  split_->setChildrenCollapsible(false);
  auto* page = new QWidget;
  page->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeBar());
  column->addWidget(split_, 1);
  theme::follow(page, [page] { page->setMinimumHeight(theme::em(kLeastEm)); });
  auto* scroll = new QScrollArea;  // needed for large letters on small screens
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setAccessibleName(tr("Runs side by side"));
  scroll->setWidget(page);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(scroll);
  theme::follow(split_, [this] {
    share();
    showMarks();
    refresh();
  });
  connect(below_, &QTabWidget::currentChanged, this, &CompareView::share);
  connect(below_, &LanesBelow::foldedChanged, this, &CompareView::share);
  connect(below_, &LanesBelow::wantedChanged, this, [this] {
    if (below_->leastHeight() != sharedLeast_) share();  // otherwise keep the height that the user has dragged
  });
  for (const auto& [key, by] : {std::pair{QKeySequence(Qt::Key_F6), 1}, {QKeySequence(Qt::SHIFT | Qt::Key_F6), -1}}) {
    auto* shortcut = new QShortcut(key, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, [this, by = by] { focusNext(by); });
  }
  connectLanes(selection);
  follow();
}

void CompareView::connectLanes(Selection& selection) {
  connect(&below_->differences(), &DifferenceSearch::changed, this, [this] {
    const DifferenceSearch& search = below_->differences();
    if (search.isSearching() && !searching_.isActive()) searching_.start();
    if (!search.isSearching() && !search.words().isEmpty()) Q_EMIT said(search.words());
  });
  // A search that takes longer than an instant shows its progress.
  searching_.setObjectName(QStringLiteral("searching"));
  searching_.setSingleShot(true);
  searching_.setInterval(kInstantMs);
  connect(&searching_, &QTimer::timeout, this, [this] {
    const DifferenceSearch& search = below_->differences();
    if (!search.isSearching()) return;
    Q_EMIT said(tr("Searching for where weights begin to differ. %1").arg(search.words()));
    searching_.start();
  });
  connect(&lanes_, &Lanes::changed, this, &CompareView::follow);
  connect(&lanes_, &Lanes::focusChanged, this, &CompareView::showFocus);
  connect(&lanes_, &Lanes::baselineChanged, this, [this] {
    showMarks();
    refresh();
  });
  const auto tell = [this] {
    if (!taking_) Q_EMIT comparisonChanged();
  };
  connect(&lanes_, &Lanes::changed, this, tell);
  connect(&lanes_, &Lanes::baselineChanged, this, tell);
  refreshing_.setSingleShot(true);
  refreshing_.setInterval(0);
  connect(&refreshing_, &QTimer::timeout, this, &CompareView::refresh);
  const auto soon = [this] {
    if (!refreshing_.isActive() && isVisible()) refreshing_.start();
  };
  connect(&lanes_, &Lanes::moved, this, soon);
  connect(&lanes_, &Lanes::moved, this, &CompareView::showFault);
  connect(&selection, &Selection::changed, branchMenus_, &BranchMenus::refresh);
  connect(&controller_, &RunController::updated, this, soon);
}

// Views must be destroyed before what they show.
CompareView::~CompareView() {
  area_->removeEventFilter(this);
  split_->removeEventFilter(this);
  below_->disconnect(this);
  lanes_.disconnect(this);
  delete split_;
}

void CompareView::focusNext(int by) {
  const auto count = static_cast<int>(lanes_.count());
  const auto next = static_cast<std::size_t>((static_cast<int>(lanes_.focus()) + by + count) % count);
  lanes_.setFocus(next);
  giveKeys(next);
}

void CompareView::giveKeys(std::size_t index) {
  LaneView* view = views_[index];
  (view->isSmall() ? static_cast<QWidget*>(view) : &view->stage())->setFocus(Qt::ShortcutFocusReason);
}

void CompareView::setDividesWrongly(bool wrongly) {
  dividesWrongly_ = wrongly;
  for (const LaneView* view : views_) view->stage().setDividesWrongly(wrongly);
}

void CompareView::setAmplified(double factor) {
  amplified_ = factor;
  for (const LaneView* view : views_) view->stage().setAmplified(factor);
}

// Keeps one view for each lane.
void CompareView::follow() {
  std::vector<LaneView*> views;
  for (std::size_t i = 0; i < lanes_.count(); ++i) {
    Lane* const lane = &lanes_.at(i);
    const auto known = std::ranges::find_if(views_, [&](const LaneView* view) { return &view->lane() == lane; });
    if (known != views_.end()) {
      views.push_back(*known);
      continue;
    }
    if (lane->isOwn()) library_.beside().follow(lane->controller());
    auto* view = new LaneView(*lane, lanes_.at(0), area_);
    const auto indexOf = [this](const LaneView* one) {
      return static_cast<std::size_t>(std::ranges::find(views_, one) - views_.begin());
    };
    connect(view, &LaneView::chosen, this, [this, view, indexOf] {
      if (!arranging_) lanes_.setFocus(indexOf(view));
    });
    connect(view, &LaneView::closeWanted, this, [this, view, indexOf] { lanes_.remove(indexOf(view)); });
    view->stage().setDividesWrongly(dividesWrongly_);
    view->stage().setAmplified(amplified_);
    connect(&view->stage(), &Stage::menuWanted, this, [this, view, indexOf](const Object& object, const QPoint& at) {
      lanes_.setFocus(indexOf(view));
      Q_EMIT menuWanted(object, at);
    });
    connect(&view->stage(), &Stage::slowdownWanted, &experiment_, &Experiment::slowDown);
    views.push_back(view);
    view->show();
  }
  const std::vector<LaneView*> before = std::exchange(views_, std::move(views));
  // Hiding a lane that has the keyboard focus would pass it on to the next lane, which would be chosen then.
  const QWidget* keys = QApplication::focusWidget();
  for (LaneView* view : before) {
    if (std::ranges::find(views_, view) != views_.end()) continue;
    if (keys != nullptr && (view == keys || view->isAncestorOf(keys))) giveKeys(lanes_.focus());
    view->hide();
    view->deleteLater();
  }
  share();
  base_->clear();
  for (std::size_t i = 0; i < lanes_.count(); ++i) base_->addItem(laneMark(lanes_, i), lanes_.at(i).name());
  showFocus();
}

QSize CompareView::leastLane(bool tight) const {
  QSize least(1, 1);
  for (const LaneView* view : views_) least = least.expandedTo(view->leastWithStage(tight));
  return least;
}

// Lanes keep room for their stages as long as the tabs below can do with less.
void CompareView::share() {
  const int whole = split_->height() - split_->handleWidth();
  const int under = std::min(below_->wantedHeight(), whole * 3 / 4);
  sharedLeast_ = below_->leastHeight();
  const auto left = [&](bool tight) { return std::max(sharedLeast_, whole - leastLane(tight).height()); };
  const bool tight = whole - std::min(under, left(false)) < leastLane(false).height();
  const int below = std::min(under, left(tight));
  split_->setSizes({whole - below, below});
}

std::vector<LanePlace> CompareView::places(bool tight) const {
  const QSize least = leastLane(tight);
  return placeLanes(views_.size(), lanes_.focus(), area_->size(), least, theme::em(kGapEm),
                    least.height() - views_.front()->stage().minimumHeight());
}

void CompareView::arrange() {
  if (views_.empty()) return;
  // Stages come before scrubbers and second lines of notes. A single lane needs no scrubber: the window's is right
  // below.
  std::vector<LanePlace> places = this->places(false);
  const auto pictures = [](const std::vector<LanePlace>& of) {
    return std::ranges::count(of, false, &LanePlace::small);
  };
  std::vector<LanePlace> tightly = this->places(true);
  const bool tight = views_.size() == 1 || pictures(tightly) > pictures(places);
  if (tight) places = std::move(tightly);
  const QWidget* keys = QApplication::focusWidget();
  const bool had = keys != nullptr && area_->isAncestorOf(keys);
  const bool outer = std::exchange(arranging_, true);
  for (std::size_t i = 0; i < views_.size(); ++i) {
    views_[i]->setTight(tight);
    views_[i]->setSmall(places[i].small);
    views_[i]->setGeometry(places[i].box);
  }
  int head = 0;
  for (const LaneView* view : views_)
    if (!view->isSmall()) head = std::max(head, view->headHeight(view->width()));
  for (LaneView* view : views_) view->setHeadHeight(view->isSmall() ? 0 : head);
  // Hiding a stage would pass the keyboard focus on to the next widget, the button that closes a lane.
  const QWidget* now = QApplication::focusWidget();
  const LaneView* chosen = views_[lanes_.focus()];
  const bool passedOn = now != keys && (now == nullptr || area_->isAncestorOf(now));
  if (had && (passedOn || (now == chosen && !chosen->isSmall()))) giveKeys(lanes_.focus());
  arranging_ = outer;
}

void CompareView::showMarks() {
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const QPixmap mark = laneMark(lanes_, i);
    views_[i]->setMark(mark);
    base_->setItemIcon(static_cast<int>(i), mark);
  }
}

void CompareView::showFocus() {
  for (std::size_t i = 0; i < views_.size(); ++i) views_[i]->setFocused(i == lanes_.focus() && views_.size() > 1);
  showMarks();
  arrange();
  refresh();
  const Lane& lane = lanes_.at(lanes_.focus());
  if (std::exchange(focused_, &lane) == &lane) return;
  Q_EMIT focusChanged(lane.controller(), lane.playback(), lane.selection());
}

// All lanes share one base.
void CompareView::shareBase() {
  const Lane& base = lanes_.at(lanes_.baseline());
  const auto& record = base.playback().record();
  if (record == nullptr)
    baseStep_ = nullptr;
  else if (baseStep_ == nullptr || &baseStep_->record() != record.get())
    baseStep_ = std::make_shared<const BaseStep>(base.controller().sharedInfo(), record);
  for (LaneView* view : views_) view->stage().setBase(&view->lane() == &base ? nullptr : baseStep_);
}

void CompareView::refresh() {
  refreshing_.stop();
  if (!isVisible()) return;
  std::int64_t longest = 0;
  for (const LaneView* view : views_)
    if (const auto& record = view->lane().playback().record()) longest = std::max(longest, record->metric.stepNs);
  double room = std::numeric_limits<double>::max();
  for (const LaneView* view : views_) room = std::min(room, view->barRoom());
  shareBase();
  bool other = false;  // true if a changed note may need another height
  for (LaneView* view : views_) {
    const QString before = view->unequal();
    view->refresh(longest, room, lanes_.by());
    other = other || before != view->unequal();
  }
  if (other) arrange();
  refreshBar();
}

void CompareView::refreshAll() {
  refresh();
  below_->refresh();
}

void CompareView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  lanes_.lockstep().setActive(true);
  share();
  arrange();
  refresh();
  below_->refresh();
  focusNext(0);  // so that Space plays
}

void CompareView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  lanes_.lockstep().setActive(false);
}

bool CompareView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == area_ && event->type() == QEvent::Resize) {
    arrange();
    refresh();  // bars use the room of the narrowest lane
  }
  if (watched == split_ && event->type() == QEvent::Resize) share();
  return QWidget::eventFilter(watched, event);
}

// Acts on the lanes as a whole: adding another lane, and faults in one of them.

bool CompareView::saysNoRoom() {
  if (lanes_.canAdd()) return false;
  Q_EMIT said(tr("There can be at most four lanes. Close one first."));
  return true;
}

void CompareView::compareWith(const StrategyInfo& info) {
  if (saysNoRoom()) return;
  if (const QString twice = twiceWords(info); !twice.isEmpty()) return void(Q_EMIT said(twice));
  lanes_.add({&info, std::nullopt, {}});
}

// The command line's `compare` refuses the same. A branch is another run, even if its strategy is the same.
QString CompareView::twiceWords(const StrategyInfo& info) const {
  for (std::size_t i = 0; i < lanes_.count(); ++i) {
    const Lane& lane = lanes_.at(i);
    const bool same = lane.isOwn() ? lane.wish().strategy == &info : experiment_.resolved().strategy == info.kind;
    if (same && lane.lineage().empty())
      return tr("A lane already has %1 with the same settings. Choose Branch here or a kept run: these have other "
                "settings.")
          .arg(lane.name());
  }
  return {};
}

void CompareView::compareWithKept(int id) {
  const KeptRun* run = library_.find(id);
  if (run == nullptr || !library_.canCompare(id) || saysNoRoom()) return;
  if (run->settingsKnown) return lanes_.add({nullptr, run->asked, library_.nameOf(*run), {{lineageOf(*run)}, {}}});
  try {
    const auto [settings, start] = library_.lesson(id);
    lanes_.add({nullptr, settings, library_.nameOf(id), start});
  } catch (const UserError& error) {
    Q_EMIT said(coreSentence(error));
  }
}

void CompareView::take(Comparing comparing) {
  taking_ = true;
  setComparison(lanes_, std::move(comparing));
  taking_ = false;
}

nlohmann::json CompareView::comparison() const {
  return comparisonToJson(lanes_);
}

void CompareView::fillChooser(QMenu& menu) {
  menu.addSection(tr("This experiment under"));
  bool isBeyond = false;  // the table's later rows
  for (const StrategyInfo& info : strategies()) {
    if (info.beyondTensorFlow && !isBeyond) menu.addSection(tr("Beyond tf.distribute"));
    isBeyond = info.beyondTensorFlow;
    QAction* action = menu.addAction(coreText(info.name));
    action->setObjectName(QStringLiteral("compareWith-") + QString::fromStdString(info.key));
    const QString twice = twiceWords(info);
    action->setToolTip(twice.isEmpty() ? coreText(info.sentence) : twice);
    action->setEnabled(twice.isEmpty());
    connect(action, &QAction::triggered, this, [this, &info] { compareWith(info); });
  }
  menu.setToolTipsVisible(true);
  menu.addSection(tr("A kept run, once more"));
  bool any = false;
  for (auto run = library_.runs().rbegin(); run != library_.runs().rend(); ++run) {
    if (!library_.canCompare(run->id) || library_.beside().has(run->id)) continue;
    QAction* action = menu.addAction(library_.nameOf(*run));
    connect(action, &QAction::triggered, this, [this, id = run->id] { compareWithKept(id); });
    any = true;
  }
  if (!any) menu.addAction(tr("There is none yet"))->setEnabled(false);
  for (QAction* action : menu.actions()) action->setEnabled(action->isEnabled() && lanes_.canAdd());
}

Lane* CompareView::focusedOther() {
  Lane& lane = lanes_.at(lanes_.focus());
  return lane.isOwn() ? &lane : nullptr;
}

// From now on the lane has a run with its own settings, like every branch.
void CompareView::strike(const FaultOffer& offer) {
  const Lane* lane = focusedOther();
  if (lane == nullptr || !offer.refusal.isEmpty()) return;
  lanes_.at(0).playback().pause();
  lanes_.replace(lanes_.focus(),
                 {nullptr, withoutOutputs(lane->controller().config()), lane->wish().name, offer.from, {}});
  struck_ = offer.fault;
}

// The fault is shown as it happens, in its lane, and all lanes stop there.
void CompareView::showFault() {
  const Lane* lane = focusedOther();
  if (!struck_ || lane == nullptr || lanes_.at(0).playback().isMoving()) return struck_.reset();
  const Playback& movie = lane->playback();
  if (!movie.record() || !lanes_.lockstep().isInStep()) return;
  const RunFault fault = *std::exchange(struck_, std::nullopt);
  if (movie.step() != fault.step) return;
  lane->playback().seek(fault.step, faultSeconds(movie.story(), *movie.record(), fault));
  lane->selection().pin(boxOf(fault, *lane->controller().info()));
  Q_EMIT said(struckWords(fault));
}

void CompareView::findDifference(DifferenceSearch::Which which) {
  below_->differences().search(which);
}

void CompareView::openChooser() {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fillChooser(*menu);
  menu->popup(add_->mapToGlobal(QPoint(0, add_->height())));
}

// The bar of the workspace Compare: buttons that add lanes (another strategy, a kept run, a branch, a broken value),
// and choices for all lanes.

// The buttons that add a lane.
void CompareView::makeButtons() {
  add_ = new QToolButton;
  add_->setObjectName(QStringLiteral("compareWith"));
  add_->setText(tr("Compare with…"));
  add_->setFocusPolicy(Qt::TabFocus);
  add_->setProperty("framed", true);
  add_->setToolTip(tr("Another strategy, or a kept run, beside this one (C)"));
  connect(add_, &QToolButton::clicked, this, &CompareView::openChooser);
  branchMenus_ = new BranchMenus(lanes_, library_, *this);
}

// The choices for all lanes together.
void CompareView::makeFields() {
  by_ = new QComboBox;
  by_->setObjectName(QStringLiteral("inStepBy"));
  by_->setFocusPolicy(Qt::TabFocus);  // after a choice with the mouse, keys go to the window
  for (const InStepBy way : kWays) {
    by_->addItem(nameOf(way));
    by_->setItemData(by_->count() - 1, tipOf(way), Qt::ToolTipRole);
  }
  by_->setToolTip(tr("What all lanes have in common at a moment"));
  by_->setWhatsThis(
      tr("What all lanes have in common at a moment: the number of the step; the images that they have seen; or the "
         "time on their modelled clocks, by which the fast lane is steps ahead while another waits at its barrier."));
  connect(by_, &QComboBox::activated, this, [this](int index) { lanes_.setBy(kWays[index]); });
  base_ = new QComboBox;
  base_->setObjectName(QStringLiteral("compareBaseline"));
  base_->setFocusPolicy(Qt::TabFocus);
  base_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  theme::follow(base_, [this] { base_->setMaximumWidth(theme::em(12)); });  // the bar has one row
  base_->setToolTip(
      tr("The others are compared with this one. In their pictures, values and answers that differ from those in this "
         "one are underlined (≠): values that are more than one of 255 colours apart."));
  base_->setWhatsThis(
      tr("The lane that the others are compared with: differences and distances are measured from it."));
  connect(base_, &QComboBox::activated, this,
          [this](int index) { lanes_.setBaseline(static_cast<std::size_t>(index)); });
  target_ = new QDoubleSpinBox;
  target_->setObjectName(QStringLiteral("laneTarget"));
  target_->setRange(0, 100);
  target_->setDecimals(1);
  target_->setSuffix(tr(" %"));
  target_->setSpecialValueText(tr("none"));
  target_->setWhatsThis(tr(
      "An accuracy on the test images. The table then says how many steps and how much modelled time each lane took to "
      "an evaluation that reached it."));
  target_->setToolTip(tipOf(LaneFigure::StepsToTarget));
  connect(target_, &QDoubleSpinBox::valueChanged, this, [this](double percent) {
    below_->table().setTarget(percent > 0 ? std::optional(percent / 100) : std::nullopt);
  });
}

QWidget* CompareView::makeBar() {
  auto* bar = new QWidget;
  bar->setProperty("role", QStringLiteral("panel"));
  makeButtons();
  report_ = new ReportButton(lanes_, below_->table());
  connect(report_, &ReportButton::said, this, &CompareView::said);
  makeFields();
  state_ = makeLabel({.name = "compareState", .role = "quiet"});
  const auto labelled = [](const QString& words, QWidget* field) {
    auto* pair = new QWidget;
    auto* label = new QLabel(words + QLatin1Char(' '));  // the shortcut's underline is wider than Qt calculates
    label->setBuddy(field);
    auto* row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(label);
    row->addWidget(field);
    return pair;
  };
  auto* flow = bar_ = new FlowLayout(bar);
  flow->addWidget(add_);
  flow->addWidget(&branchMenus_->branch());
  flow->addWidget(&branchMenus_->edit());
  flow->addWidget(labelled(tr("&Align by"), by_));
  flow->addWidget(labelled(tr("&Baseline"), base_));
  QWidget* target = labelled(tr("&Target accuracy"), target_);
  flow->addWidget(target);
  flow->addWidget(report_);
  flow->addWidget(state_);
  theme::follow(bar, [this, flow, target] {
    // A class needs the room for the lanes; controls not meant for it are hidden while the projector's mode is on.
    for (QWidget* part :
         std::initializer_list<QWidget*>{&branchMenus_->branch(), &branchMenus_->edit(), target, report_})
      part->setVisible(!theme::isProjected());
    flow->setSpacing(theme::em(0.8));
    flow->setContentsMargins(theme::em(0.5), theme::em(0.2), theme::em(0.5), theme::em(0.2));
  });
  return bar;
}

void CompareView::refreshBar() {
  add_->setEnabled(lanes_.canAdd());
  branchMenus_->refresh();
  base_->setCurrentIndex(static_cast<int>(lanes_.baseline()));
  const bool hasTime = lanes_.lockstep().canBe(InStepBy::ModelledTime);
  if (auto* items = qobject_cast<QStandardItemModel*>(by_->model()))
    items->item(static_cast<int>(InStepBy::ModelledTime))->setEnabled(hasTime);
  if (!hasTime && lanes_.lockstep().by() == InStepBy::ModelledTime) lanes_.setBy(std::nullopt);
  by_->setCurrentIndex(static_cast<int>(lanes_.lockstep().by()));
  // Only a word: the bar must not take another row from the stages whenever a lane is waited for.
  QString words = tr("Aligned."), tip;
  if (lanes_.count() < 2) {
    words = tr("One lane.");
    tip = tr("One lane: compare it with another.");
  } else if (!lanes_.lockstep().isInStep()) {
    words = tr("Waits.");
    tip = tr("The movie waits for a lane that is still training.");
  } else if (const QString apart = elsewhereWords(lanes_); !apart.isEmpty()) {
    words = tr("Not all.");
    tip = apart;
  }
  state_->setText(words);
  // "All is well" is not worth a row of its own, which would take room from the stages.
  bar_->setOnlyBeside(tip.isEmpty() ? state_ : nullptr);
  state_->setToolTip(tip);
  state_->setAccessibleDescription(tip);
}

}  // namespace lab
