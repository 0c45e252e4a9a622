// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/presenter.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/files/experiment_file.h"
#include "core/options/config_field.h"
#include "ui/files/document.h"
#include "ui/guide/moments_view.h"
#include "ui/guide/order_list.h"
#include "ui/help/class_plans.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/i18n/written_words.h"
#include "ui/playback/captions.h"
#include "ui/session/window_view.h"
#include "ui/stage/stage.h"
#include "ui/step/object_name.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

constexpr const char* kMomentsKey = "moments";

}  // namespace

Presenter::Presenter(MainWindow& window, Document& document, WindowView& view, QObject* parent)
    : QObject(parent), window_(window), document_(document), view_(view) {
  connect(&document_, &Document::changed, this, &Presenter::readDocument);
  connect(&moments_, &Moments::changed, this, [this] {
    refreshActions();
    if (moments_.toJson() == kept_) return;
    kept_ = moments_.toJson();
    document_.setOther(kMomentsKey, kept_);
  });
  QApplication::instance()->installEventFilter(this);
  readDocument();
}

// Reads another file's or the session's list, or clears it.
void Presenter::readDocument() {
  const nlohmann::json* there = document_.other(kMomentsKey);
  const nlohmann::json now = there == nullptr ? nlohmann::json() : *there;
  if (now == kept_) return;
  const nlohmann::json before = kept_;
  const bool gone = now.is_null() && !moments_.all().empty() && document_.path().isEmpty();
  kept_ = now;
  moments_.read(now);
  if (gone) Q_EMIT left(tr("The list of moments belongs to the previous experiment."), tr("Keep this list"), before);
}

void Presenter::fillMenu(QMenu& menu) {
  const auto add = [&](const char* name, const QString& text, Qt::Key key, auto act) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    if (key != Qt::Key_unknown) action->setShortcut(key);
    connect(action, &QAction::triggered, this, act);
    return action;
  };
  menu.addSeparator();
  add("momentAddMenu", tr("Add this &moment to the list"), Qt::Key_unknown, [this] { this->add(); });
  next_ = add("momentNext", tr("Ne&xt moment (projector mode)"), Qt::Key_PageDown, [this] { step(1); });
  previous_ = add("momentPrevious", tr("Pre&vious moment (projector mode)"), Qt::Key_PageUp, [this] { step(-1); });
  if (auto* projector = window_.findChild<QAction*>(QStringLiteral("projector"))) {
    connect(projector, &QAction::toggled, this, &Presenter::refreshActions);
    connect(projector, &QAction::toggled, this, &Presenter::keepTab, Qt::QueuedConnection);  // queued, until the mode
                                                                                             // is there
  }
  refreshActions();
}

void Presenter::refreshActions() {
  for (QAction* action : {next_, previous_})
    if (action != nullptr) action->setEnabled(window_.looks().isProjectorMode() && !moments_.all().empty());
}

// If a list is prepared before the projector is switched on, the tab of its moment goes along.
void Presenter::keepTab() {
  const int present = moments_.present();
  if (!window_.looks().isProjectorMode() || present < 0 || present >= static_cast<int>(moments_.all().size())) return;
  const Moment& moment = at(moments_.all(), present).moment;
  const QString tab = moment.question.empty() ? QString::fromStdString(moment.tab) : QStringLiteral("quizTab");
  const auto text = [](const RunSettings& config) { return configToJson(config); };
  const bool there = moment.settings && text(*moment.settings) == text(withoutOutputs(window_.experiment().asked()));
  if (there && window_.panels().tabNames().contains(tab)) window_.panels().showTab(tab);
}

void Presenter::follow(MomentsView& view) {
  view.setMoments(moments_);
  connect(&view, &MomentsView::addWanted, this, &Presenter::add);
  connect(&view, &MomentsView::updateWanted, this, &Presenter::update);
  connect(&view, &MomentsView::showWanted, this, &Presenter::goTo);
  connect(&view, &MomentsView::classWanted, this, &Presenter::takeClass);
}

Moment Presenter::here() const {
  Moment moment;
  moment.settings = withoutOutputs(window_.experiment().asked());
  moment.view = view_.now();
  moment.object = lab::objectName(window_.selection().pinned());
  for (const RunBranch& branch : window_.experiment().lineage()) {
    if (!branch.fault) continue;
    moment.faults.push_back({*branch.fault});
    MomentFault& fault = moment.faults.back();
    // All tasks restart in the step that was given up.
    if (fault.atNs > 0 && moment.faults.size() > 1) {
      const std::int64_t backup = fault.step - 1;
      fault.step = moment.faults[moment.faults.size() - 2].step;
      fault.every = WindowView::backupsEvery(backup, fault.step, window_.controller().info());
    }
    fault.atNs = 0;
  }
  return moment;
}

QString Presenter::titleOf(const Moment& moment) const {
  const ResolvedSettings& config = window_.experiment().resolved();
  QStringList parts{strategyShortName(strategyInfo(config.strategy))};
  if (config.replicas > 1) parts.front() += QStringLiteral(" × %1").arg(config.replicas);
  if (moment.view.step > 0) parts << tr("step %1").arg(countText(moment.view.step));
  if (const QString beat = beatNamed(moment.view.beat); !beat.isEmpty()) parts << beat;
  return parts.join(QStringLiteral(", "));
}

void Presenter::add() {
  if (!moments_.refusal().isEmpty()) return Q_EMIT said(moments_.refusal(), true);
  try {
    const Moment moment = here();
    (void)momentText(moment);  // settings that do not fit into a link are refused now, not when the moment is shown
    const QString title = titleOf(moment);
    moments_.add(title, moment);
    Q_EMIT said(tr("Added: moment %1, %2").arg(moments_.present() + 1).arg(title), false);
  } catch (const UserError& error) {
    Q_EMIT said(coreSentence(error), true);
  }
}

// The user's own list is not lost: it is offered again.
void Presenter::takeClass(int index) {
  const ClassPlan& plan = at(shippedClasses(), index);
  std::vector<NamedMoment> list;
  for (const ClassStation& station : plan.stations)
    list.push_back({.title = tr("%1 min: %2").arg(station.minute).arg(writtenWords(station.title)),
                    .moment = station.moment,
                    .note = classNote(station)});
  const nlohmann::json before = kept_;
  const bool had = !moments_.all().empty();
  moments_.take(std::move(list));
  goTo(0);
  if (had)
    Q_EMIT left(tr("The class “%1” has replaced your list of moments.").arg(writtenWords(plan.title)), tr("Bring back"),
                before);
}

void Presenter::update(int index) {
  try {
    const Moment moment = here();
    (void)momentText(moment);
    moments_.update(index, moment);
  } catch (const UserError& error) {
    Q_EMIT said(coreSentence(error), true);
  }
}

void Presenter::goTo(int index) {
  if (index < 0 || index >= static_cast<int>(moments_.all().size())) return;
  const NamedMoment named = at(moments_.all(), index);
  moments_.setPresent(index);
  if (!named.problem.isEmpty()) return Q_EMIT said(named.problem, true);
  Moment moment = named.moment;
  const bool showsTab = !moment.tab.empty() || !moment.question.empty();
  if (window_.looks().isProjectorMode()) {  // its theme stays; the moment's tab temporarily replaces the chart
    moment.view.theme.clear();
    if (!showsTab) window_.panels().show();
  } else if (!showsTab) {
    window_.panels().endVisit();  // the previous moment's tab goes, and the list of moments comes back
  }
  try {
    window_.selection().pin({});  // the previous moment's selection is not shown on the way
    // The previous moment may have been about wrong losses.
    if (auto* wrong = window_.findChild<QAction*>(QStringLiteral("dividesWrongly")))
      wrong->setChecked(moment.view.wrongLosses);
    view_.show(moment, Experiment::By::Teacher);
    window_.library().tellOfPresent();
    Q_EMIT said(tr("Moment %1 of %2: %3").arg(index + 1).arg(moments_.all().size()).arg(named.title), false);
    const QString ask = named.note.section(QLatin1Char('\n'), 0, 0);  // without the answer
    Q_EMIT shown(ask.isEmpty() ? named.title : tr("%1. %2").arg(named.title, ask),
                 index + 1 == static_cast<int>(moments_.all().size()));
    // The next key is for what is shown: if the list has gone, Qt would focus some button.
    if (qobject_cast<OrderList*>(QApplication::focusWidget()) == nullptr) window_.stage().setFocus();
  } catch (const UserError& error) {
    Q_EMIT said(coreSentence(error), true);
  }
}

// Stays at both ends; the key shows the moment again, in case the user has gone elsewhere meanwhile.
void Presenter::step(int by) {
  const int last = static_cast<int>(moments_.all().size()) - 1;
  goTo(moments_.present() < 0 ? 0 : std::clamp(moments_.present() + by, 0, last));
}

// Whatever has the focus: in projector mode the presenter's keys belong to the moments.
bool Presenter::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride || next_ == nullptr || !next_->isEnabled()) return false;
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr || widget->window() != &window_) return false;
  const auto& key = *static_cast<QKeyEvent*>(event);
  const QKeySequence keys(key.keyCombination());
  if (!next_->shortcuts().contains(keys) && !previous_->shortcuts().contains(keys)) return false;
  event->ignore();
  return true;
}

}  // namespace lab
