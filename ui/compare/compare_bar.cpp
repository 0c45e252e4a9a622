// SPDX-License-Identifier: GPL-3.0-or-later
// The bar of the workspace Compare: buttons that add lanes (another strategy, a kept run, a branch, a broken value),
// and choices for all lanes.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QMenu>
#include <QStandardItemModel>
#include <QToolButton>

#include <optional>

#include "ui/compare/branches.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_table.h"
#include "ui/compare/lanes_below.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

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
  const std::int64_t shown = lanes.at(0).playback().step();
  for (std::size_t i = 1; i < lanes.count() && lanes.lockstep().by() == InStepBy::Steps; ++i) {
    const Lane& lane = lanes.at(i);
    const std::int64_t step = lane.playback().step();
    if (!lane.playback().record() || step == shown) continue;
    return (step > shown ? CompareView::tr("%1 begins with step %2, and shows its beginning until then.")
                         : CompareView::tr("%1 has ended after step %2, which it shows."))
        .arg(lane.name(), countText(step));
  }
  return {};
}

QString tooManyLanes() {
  return CompareView::tr("There is room for four lanes. Close one first.");
}

}  // namespace

// The buttons that add a lane.
void CompareView::makeButtons() {
  const auto button = [this](const char* name, const QString& text, void (CompareView::*act)()) {
    auto* made = new QToolButton;
    made->setObjectName(QLatin1String(name));
    made->setText(text);
    made->setFocusPolicy(Qt::TabFocus);
    made->setProperty("framed", true);
    connect(made, &QToolButton::clicked, this, act);
    return made;
  };
  add_ = button("compareWith", tr("Compare with…"), &CompareView::openChooser);
  add_->setToolTip(tr("Another strategy, or a kept run, beside this one (C)"));
  branch_ = button("branchHere", tr("Branch here…"), &CompareView::openBranches);
  branch_->setWhatsThis(
      tr("Adds a lane that is the window's run up to the shown step and continues from there with one setting changed. "
         "Settings that cannot change in the middle of a run are greyed out and say why."));
  break_ = button("breakIt", tr("Change a value…"), &CompareView::openBreaks);
  break_->setWhatsThis(
      tr("Adds a lane in which the largest value of the selected weights or gradient of one replica is changed by hand "
         "in the shown step. See what the copies, the sum and later steps make of it."));
}

// The choices for all lanes together.
void CompareView::makeFields() {
  by_ = new QComboBox;
  by_->setObjectName(QStringLiteral("inStepBy"));
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
  makeReportButton();
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
  flow->addWidget(branch_);
  flow->addWidget(break_);
  flow->addWidget(labelled(tr("&Align by"), by_));
  flow->addWidget(labelled(tr("&Baseline"), base_));
  QWidget* target = labelled(tr("&Target accuracy"), target_);
  flow->addWidget(target);
  flow->addWidget(report_);
  flow->addWidget(state_);
  theme::follow(bar, [this, flow, target] {
    // A class needs the room for the lanes; controls not meant for it are hidden while the projector's mode is on.
    for (QWidget* part : std::initializer_list<QWidget*>{branch_, break_, target, report_})
      part->setVisible(!theme::isProjected());
    flow->setSpacing(theme::em(0.8));
    flow->setContentsMargins(theme::em(0.5), theme::em(0.2), theme::em(0.5), theme::em(0.2));
  });
  return bar;
}

QString CompareView::parentName() const {
  const QString name = library_.nameOf(library_.presentId());
  return name.isEmpty() ? lanes_.at(0).name() : name;
}

void CompareView::fillOffers(QMenu& menu, const std::vector<BranchOffer>& offers) {
  menu.setToolTipsVisible(true);
  std::optional<BranchOffer::Of> of;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const BranchOffer& offer = offers[i];
    if (of && *of != offer.of && offer.of == BranchOffer::Of::Strategy) menu.addSection(tr("Under"));
    of = offer.of;
    QAction* action = menu.addAction(QString(offer.words).replace(QLatin1Char('&'), QStringLiteral("&&")));
    action->setObjectName(QStringLiteral("offer-%1").arg(i));
    action->setToolTip(!offer.refusal.isEmpty() ? offer.refusal : lanes_.canAdd() ? offer.words : tooManyLanes());
    action->setEnabled(offer.refusal.isEmpty() && lanes_.canAdd());
    connect(action, &QAction::triggered, this, [this, wish = offer.wish] { lanes_.add(wish); });
  }
}

void CompareView::fillBranches(QMenu& menu) {
  const auto& record = lanes_.at(0).playback().record();
  menu.addSection(record ? tr("From step %1 on").arg(countText(record->metric.step))
                         : branchRefusal(controller_, lanes_.at(0).playback()));
  const RunInfo* info = controller_.info();
  if (record && info != nullptr && info->isClass)  // not a section, for the reason below
    menu.addAction(tr("A branch of a class is a simulated run with the same number of workers, starting from what the "
                      "class had here"))
        ->setEnabled(false);
  fillOffers(menu, branchOffers(lanes_.at(0), parentName()));
}

void CompareView::fillBreaks(QMenu& menu) {
  const Object& object = lanes_.at(0).selection().pinned();
  const QString refusal = editRefusal(controller_, lanes_.at(0).playback(), object);
  // Not a section, because a menu makes no room for a section's words.
  menu.addAction(refusal.isEmpty() ? editedValueWords(lanes_.at(0), object) : refusal)->setEnabled(false);
  menu.addSeparator();
  fillOffers(menu, editOffers(lanes_.at(0), object, parentName()));
}

// Nothing opens if there is nothing to choose; the button's tip says why.
void CompareView::openBranches() {
  if (branch_->isEnabled()) popUp(*branch_, &CompareView::fillBranches);
}

void CompareView::openBreaks() {
  if (break_->isEnabled()) popUp(*break_, &CompareView::fillBreaks);
}

void CompareView::popUp(const QToolButton& button, void (CompareView::*fill)(QMenu&)) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  (this->*fill)(*menu);
  menu->popup(button.mapToGlobal(QPoint(0, button.height())));
}

void CompareView::refreshButtons() {
  const bool room = lanes_.canAdd();
  add_->setEnabled(room);
  const Lane& own = lanes_.at(0);
  const auto set = [&](QToolButton& button, const QString& refusal, const QString& tip) {
    const QString why = room ? refusal : tooManyLanes();
    button.setEnabled(why.isEmpty());
    button.setToolTip(why.isEmpty() ? tip : why);
  };
  set(*branch_, branchRefusal(controller_, own.playback()), tr("From the shown step on, with one setting changed"));
  set(*break_, editRefusal(controller_, own.playback(), own.selection().pinned()),
      tr("Change one value of the selected replica by hand, in the shown step"));
}

void CompareView::refreshBar() {
  refreshButtons();
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
