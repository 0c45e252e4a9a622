// SPDX-License-Identifier: GPL-3.0-or-later
// The bar of the workspace Compare: buttons that add lanes (another strategy, a kept run, a branch, a broken value),
// and choices for all lanes.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QStandardItemModel>
#include <QToolButton>

#include <optional>

#include "ui/compare/branch_menus.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_table.h"
#include "ui/compare/lanes_below.h"
#include "ui/compare/report_button.h"
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

}  // namespace

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
