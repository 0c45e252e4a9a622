// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.h"

#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <utility>

#include "ui/compare/branch_menus.h"
#include "ui/compare/lane_grid.h"
#include "ui/compare/lane_table.h"
#include "ui/compare/lane_view.h"
#include "ui/compare/lanes_below.h"
#include "ui/runs/run_library.h"
#include "ui/setup/experiment.h"
#include "ui/stage/stage.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kInstantMs = 400;
constexpr double kLeastLanesEm = 11;
constexpr double kGapEm = 0.3, kLeastEm = 26;  // in text sizes: between lanes; the height of all

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

}  // namespace lab
