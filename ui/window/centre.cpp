// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/centre.h"

#include <QAction>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ui/compare/compare_view.h"
#include "ui/frame/messages.h"
#include "ui/frame/on_demand.h"
#include "ui/frame/page_stack.h"
#include "ui/frame/stage_page.h"
#include "ui/frame/stage_run.h"
#include "ui/frame/stage_strip.h"
#include "ui/frame/workspaces.h"
#include "ui/help/actions.h"
#include "ui/help/notice.h"
#include "ui/i18n/words.h"
#include "ui/serving/invitation.h"
#include "ui/serving/served_class.h"
#include "ui/setup/process_bar.h"
#include "ui/stage/stage.h"
#include "ui/sweep/sweep_view.h"
#include "ui/transport/transport_bar.h"
#include "ui/window/fault_menu.h"

namespace lab {
namespace {

QVBoxLayout* makeColumn(QWidget& page) {
  auto* column = new QVBoxLayout(&page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  return column;
}

}  // namespace

Centre::Centre(QWidget& window, StageRun& run, ServedClass& served, FaultMenu& faults, const Transport& transport,
               Workspaces& workspaces, Messages& messages)
    : run_(run), class_(served), workspaces_(workspaces), messages_(messages) {
  notice_ = new Notice;
  pages_ = new PageStack;
  pages_->addWidget(makeStagePage(faults));
  pages_->addWidget(new OnDemand([this, &faults] { return makeCompare(faults); }));
  sweep_ = new OnDemand([this] { return makeSweep(); });
  pages_->addWidget(sweep_);
  strip_ = new StageStrip(window, *pages_, run, workspaces);
  transportBar_ = new TransportBar(transport, run.controller, run.playback);
  setProperty("role", QStringLiteral("panel"));
  QVBoxLayout* column = makeColumn(*this);
  column->addWidget(notice_);
  column->addWidget(strip_);
  column->addWidget(pages_, 1);
  column->addWidget(transportBar_);
}

QWidget* Centre::makeStagePage(FaultMenu& faults) {
  stage_ = new Stage(run_.controller, run_.playback, run_.selection);
  stage_->picture().setGlides(true);
  stage_->setFocusPolicy(Qt::StrongFocus);
  connect(stage_, &Stage::slowdownWanted, this, [this](int replica, double factor) {
    class_.isOpen() ? class_.slow(replica, factor) : run_.experiment.slowDown(replica, factor);
  });
  connect(stage_, &Stage::menuWanted, &faults, &FaultMenu::open);
  auto* processes = new ProcessBar(run_.controller, run_.experiment);
  connect(processes, &ProcessBar::killWanted, &faults, &FaultMenu::killProcess);
  connect(processes, &ProcessBar::allWanted, &faults, [&faults](const QPoint& at) { faults.open({}, at); });
  invitation_ = new Invitation(class_);
  invitation_->hide();
  auto* page = new QWidget;
  QVBoxLayout* column = makeColumn(*page);
  column->addWidget(processes);
  column->addWidget(invitation_, 1);
  column->addWidget(stage_, 1);
  return new StagePage(page);
}

QWidget* Centre::makeCompare(FaultMenu& faults) {
  compare_ = new CompareView(run_.controller, run_.playback, run_.selection, run_.experiment, run_.library);
  connect(compare_, &CompareView::focusChanged, this, &Centre::laneFocused);
  connect(compare_, &CompareView::menuWanted, &faults, &FaultMenu::open);
  compare_->setDividesWrongly(stage_->dividesWrongly());
  compare_->setAmplified(stage_->amplified());
  connect(compare_, &CompareView::said, &messages_, [this](const QString& text) { messages_.say(text); });
  Q_EMIT viewMade(compare_);
  return compare_;
}

QWidget* Centre::makeSweep() {
  auto* view = new SweepView(run_.experiment, run_.library);
  connect(view, &SweepView::runWanted, &workspaces_, [this] { workspaces_.choose(WindowLayout::Explore); });
  // Shown even if another workspace is in front.
  connect(view, &SweepView::said, &messages_, [this](const QString& text) { messages_.say(text); });
  Q_EMIT viewMade(view);
  return view;
}

void Centre::takeSweep(const nlohmann::json& sweep) {
  const SweepRequest request = requestFromJson(sweep);
  static_cast<SweepView&>(sweep_->content()).setRequest(request);
}

void Centre::turn() {
  const WindowLayout workspace = workspaces_.current();
  pages_->turnTo(workspace == WindowLayout::Compare ? 1 : workspace == WindowLayout::Sweep ? 2 : 0);
}

bool Centre::showsStage() const {
  return stage_->isVisible() || invitation_->isVisible();
}

void Centre::setShowsCode(bool shown) {
  if (invitation_->isHidden() != shown) return;
  const bool focused = stage_->hasFocus();
  invitation_->setVisible(shown);
  stage_->setVisible(!shown);
  // Meanwhile keys that act on the stage must not go to another widget.
  if (shown && focused) window()->setFocus();
  if (!shown && window()->hasFocus()) stage_->setFocus();
}

QAction* Centre::makeZoomAct() {
  QAction* zoom = makeAction(*window(), "zoomMenu", tr("Look &inside a replica"), {Qt::Key_Z});
  zoom->setCheckable(true);
  connect(zoom, &QAction::triggered, this, [this](bool on) {
    const int chosen = run_.selection.pinned().endpoint;
    stage_->zoomInto(on ? std::max(0, chosen) : -1);
  });
  connect(stage_, &Stage::zoomChanged, zoom, [this, zoom] { zoom->setChecked(stage_->zoomed() >= 0); });
  // In Profile the stage opens for it.
  connect(&workspaces_, &Workspaces::turned, zoom, [this, zoom] {
    const WindowLayout workspace = workspaces_.current();
    const bool can = workspace != WindowLayout::Compare && workspace != WindowLayout::Sweep;
    zoom->setEnabled(can);
    zoom->setToolTip(can ? QString() : tr("Only on the stage: in Teach, Explore and Profile"));
  });
  return zoom;
}

QList<QAction*> Centre::makeLossActs() {
  QAction* wrong = makeAction(*window(), "dividesWrongly", tr("Losses over each replica's &own batch (wrong)"));
  wrong->setCheckable(true);
  connect(wrong, &QAction::toggled, this, [this](bool on) {
    stage_->setDividesWrongly(on);
    if (compare_ != nullptr) compare_->setDividesWrongly(on);
  });
  QAction* amplify =
      makeAction(*window(), "amplify", tr("&Differences of copies ×%1").arg(countText(std::llround(Stage::kAmplified))),
                 {Qt::Key_A});
  amplify->setCheckable(true);
  connect(amplify, &QAction::toggled, this, [this](bool on) {
    stage_->setAmplified(on ? Stage::kAmplified : 1);
    if (compare_ != nullptr) compare_->setAmplified(stage_->amplified());
  });
  // Most moments show no difference, so the action would seem to do nothing.
  connect(amplify, &QAction::triggered, this, [this](bool on) {
    messages_.say(on ? tr("Differences of copies ×%1: visible where copies are compared, at check or apply")
                           .arg(countText(std::llround(Stage::kAmplified)))
                     : tr("Differences of copies at their true size"));
  });
  return {amplify, wrong};
}

}  // namespace lab
