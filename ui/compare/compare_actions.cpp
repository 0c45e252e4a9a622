// SPDX-License-Identifier: GPL-3.0-or-later
// Acts on the lanes as a whole: adding another lane, and faults in one of them.
#include <QMenu>
#include <QToolButton>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/options/config_field.h"
#include "ui/compare/branches.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lanes_below.h"
#include "ui/i18n/core_words.h"
#include "ui/playback/fault_captions.h"
#include "ui/runs/run_library.h"
#include "ui/setup/experiment.h"

namespace lab {

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

}  // namespace lab
