// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/branch_menus.h"

#include <QMenu>
#include <QToolButton>

#include <optional>

#include "ui/branches/branches.h"
#include "ui/i18n/words.h"
#include "ui/lanes/lanes.h"
#include "ui/runs/run_library.h"

namespace lab {
namespace {

QString tooManyLanes() {
  return BranchMenus::tr("There is room for four lanes. Close one first.");
}

}  // namespace

BranchMenus::BranchMenus(Lanes& lanes, RunLibrary& library, QWidget& view)
    : QObject(&view), lanes_(lanes), library_(library), view_(view) {
  const auto button = [this](const char* name, const QString& text, void (BranchMenus::*act)()) {
    auto* made = new QToolButton;
    made->setObjectName(QLatin1String(name));
    made->setText(text);
    made->setFocusPolicy(Qt::TabFocus);
    made->setProperty("framed", true);
    connect(made, &QToolButton::clicked, this, act);
    return made;
  };
  branch_ = button("branchHere", tr("Branch here…"), &BranchMenus::openBranches);
  branch_->setWhatsThis(
      tr("Adds a lane that is the window's run up to the shown step and continues from there with one setting changed. "
         "Settings that cannot change in the middle of a run are greyed out and say why."));
  edit_ = button("breakIt", tr("Change a value…"), &BranchMenus::openBreaks);
  edit_->setWhatsThis(
      tr("Adds a lane in which the largest value of the selected weights or gradient of one replica is changed by hand "
         "in the shown step. See what the copies, the sum and later steps make of it."));
}

QString BranchMenus::parentName() const {
  const QString name = library_.nameOf(library_.presentId());
  return name.isEmpty() ? lanes_.at(0).name() : name;
}

void BranchMenus::fillOffers(QMenu& menu, const std::vector<BranchOffer>& offers) {
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

void BranchMenus::fillBranches(QMenu& menu) {
  const auto& record = lanes_.at(0).playback().record();
  menu.addSection(record ? tr("From step %1 on").arg(countText(record->metric.step))
                         : branchRefusal(lanes_.at(0).controller(), lanes_.at(0).playback()));
  const RunInfo* info = lanes_.at(0).controller().info();
  if (record && info != nullptr && info->isClass)  // not a section, for the reason below
    menu.addAction(tr("A branch of a class is a simulated run with the same number of workers, starting from what the "
                      "class had here"))
        ->setEnabled(false);
  fillOffers(menu, branchOffers(lanes_.at(0), parentName()));
}

void BranchMenus::fillBreaks(QMenu& menu) {
  const Object& object = lanes_.at(0).selection().pinned();
  const QString refusal = editRefusal(lanes_.at(0).controller(), lanes_.at(0).playback(), object);
  // Not a section, because a menu makes no room for a section's words.
  menu.addAction(refusal.isEmpty() ? editedValueWords(lanes_.at(0), object) : refusal)->setEnabled(false);
  menu.addSeparator();
  fillOffers(menu, editOffers(lanes_.at(0), object, parentName()));
}

// Nothing opens if there is nothing to choose; the button's tip says why.
void BranchMenus::openBranches() {
  if (branch_->isEnabled()) popUp(*branch_, &BranchMenus::fillBranches);
}

void BranchMenus::openBreaks() {
  if (edit_->isEnabled()) popUp(*edit_, &BranchMenus::fillBreaks);
}

void BranchMenus::popUp(const QToolButton& button, void (BranchMenus::*fill)(QMenu&)) {
  auto* menu = new QMenu(&view_);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  (this->*fill)(*menu);
  menu->popup(button.mapToGlobal(QPoint(0, button.height())));
}

void BranchMenus::refresh() {
  const bool room = lanes_.canAdd();
  const Lane& own = lanes_.at(0);
  const auto set = [&](QToolButton& button, const QString& refusal, const QString& tip) {
    const QString why = room ? refusal : tooManyLanes();
    button.setEnabled(why.isEmpty());
    button.setToolTip(why.isEmpty() ? tip : why);
  };
  set(*branch_, branchRefusal(own.controller(), own.playback()),
      tr("From the shown step on, with one setting changed"));
  set(*edit_, editRefusal(own.controller(), own.playback(), own.selection().pinned()),
      tr("Change one value of the selected replica by hand, in the shown step"));
}

}  // namespace lab
