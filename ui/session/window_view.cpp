// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/window_view.h"

#include <QAction>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/at.h"
#include "core/training/faults.h"
#include "ui/branches/branches.h"
#include "ui/compare/compare_view.h"
#include "ui/frame/on_demand.h"
#include "ui/guide/quiz.h"
#include "ui/guide/quiz_view.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/stage/stage.h"
#include "ui/step/object_name.h"
#include "ui/theme/theme.h"
#include "ui/transport/transport.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

// In the order of their enums.
constexpr std::array kModes{"story", "play", "live", "fast", "express"};

template <typename Enum, std::size_t kCount>
std::optional<Enum> named(const std::array<const char*, kCount>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

template <typename Enum, std::size_t kCount>
std::string nameOf(const std::array<const char*, kCount>& names, Enum value) {
  return at(names, value);
}

std::optional<WindowLayout> layoutOf(const std::string& key) {
  const auto found = std::ranges::find(kLayouts, key, &LayoutRow::key);
  if (found == kLayouts.end()) return std::nullopt;
  return static_cast<WindowLayout>(found - kLayouts.begin());
}

// True if, with this distance between backups, all tasks restart from this backup after the step that was given up.
bool startsFrom(std::int64_t backup, std::int64_t givenUp, std::int64_t every, const RunInfo* info) {
  return info == nullptr || backup == backupBefore(givenUp, info->stepsPerEpoch, every);
}

// How many of these faults the run has already; nothing if it has others, or is a branch for another reason.
std::optional<std::size_t> faultsDone(const Lineage& lineage, const std::vector<MomentFault>& faults,
                                      const RunInfo* info) {
  if (lineage.size() > faults.size()) return std::nullopt;
  for (std::size_t i = 0; i < lineage.size(); ++i) {
    const std::optional<RunFault>& had = lineage[i].fault;
    const MomentFault& wanted = faults[i];
    if (!had || had->what != wanted.what || had->task != wanted.task || had->index != wanted.index) return std::nullopt;
    if (had->atNs == 0 && had->step != wanted.step) return std::nullopt;
    if (had->atNs > 0 && i > 0 && !startsFrom(had->step - 1, faults[i - 1].step, wanted.every, info))
      return std::nullopt;
  }
  return lineage.size();
}

}  // namespace

WindowView::WindowView(MainWindow& window, QObject* parent) : QObject(parent), window_(window) {
  connect(&window_.playback(), &Playback::changed, this, &WindowView::goOn);
  connect(&window_.experiment(), &Experiment::started, this, [this] {
    step_ = 0;
    if (!striking_) faults_.clear();
  });
}

SavedView WindowView::now() const {
  SavedView view;
  const Playback& playback = window_.playback();
  view.step = playback.step();
  const Story& story = playback.story();
  if (!story.beats.empty() && playback.seconds() > 0) {
    const Beat& beat = story.beats[story.beatAt(playback.seconds())];
    const double length = beat.endS - beat.beginS;
    view.beat = beatKey(beat.kind);
    view.part = length > 0 ? std::clamp((playback.seconds() - beat.beginS) / length, 0.0, 1.0) : 0;
  }
  view.layout = keyOf(window_.workspaces().current());
  view.theme = theme::keyOf(window_.looks().usualTheme());
  view.mode = nameOf(kModes, playback.mode());
  view.wrongLosses = window_.stage().dividesWrongly();
  return view;
}

QString WindowView::difference(const SavedView& saved) const {
  QStringList parts;
  SavedView here = now();
  if (here.step == 0) {  // the first step is coming, from its first batch on
    here.step = 1;
    const bool synchronous = strategyInfo(window_.experiment().asked().strategy).synchronous;
    here.beat = beatKey(synchronous ? BeatKind::Batch : BeatKind::Flow);
  }
  const QString beat = beatNamed(saved.beat);
  if (saved.step > 0 && (saved.step != here.step || (!beat.isEmpty() && saved.beat != here.beat)))
    parts << (beat.isEmpty() ? tr("step %1").arg(countText(saved.step))
                             : tr("step %1, %2").arg(countText(saved.step), beat));
  if (const auto layout = layoutOf(saved.layout); layout && *layout != window_.workspaces().current())
    parts << tr("layout %1").arg(window_.workspaces().nameOf(*layout));
  if (const auto kind = theme::kindOf(saved.theme); kind && saved.theme != here.theme)
    parts << tr("theme %1").arg(window_.looks().nameOf(*kind));
  if (const auto mode = named<Playback::Mode>(kModes, saved.mode); mode && *mode != window_.playback().mode())
    parts << tr("mode %1").arg(modeName(*mode));
  if (saved.wrongLosses && !here.wrongLosses) parts << tr("losses over each replica's own batch (wrong)");
  return parts.join(QStringLiteral(" · "));
}

void WindowView::show(const SavedView& saved) {
  if (const auto layout = layoutOf(saved.layout); layout && *layout != window_.workspaces().current())
    window_.workspaces().visit(*layout);
  if (const auto kind = theme::kindOf(saved.theme); kind && saved.theme != now().theme) {
    if (window_.looks().isProjectorMode()) window_.looks().setProjectorMode(false);
    window_.looks().visit(*kind);
  }
  if (const auto mode = named<Playback::Mode>(kModes, saved.mode)) window_.playback().setMode(*mode);
  auto* wrong = window_.findChild<QAction*>(QStringLiteral("dividesWrongly"));
  if (saved.wrongLosses && wrong != nullptr) wrong->setChecked(true);
  if (saved.step > 0) goTo(saved.step, saved.beat, saved.part);
}

void WindowView::show(const Moment& moment, Experiment::By whom) {
  Experiment& experiment = window_.experiment();
  const std::optional<std::size_t> done = faultsDone(experiment.lineage(), moment.faults, window_.controller().info());
  if (moment.settings && (!experiment.runs(*moment.settings) || !done)) experiment.begin(*moment.settings, whom);
  if (!moment.settings && !moment.faults.empty() && !done) experiment.again();
  SavedView there = moment.view;
  there.step = 0;
  const bool onStage = moment.settings || moment.view.step > 0 || !moment.view.beat.empty();
  if (onStage && there.layout.empty() && moment.compare.empty()) showStage();
  show(there);
  compare(moment.compare);
  if (window_.panels().tabNames().contains(QString::fromStdString(moment.tab)))
    window_.panels().showTab(QString::fromStdString(moment.tab));
  ask(moment.question);
  object_ = moment.object;
  std::int64_t step = moment.view.step;
  if (step == 0 && moment.settings) step = 1;
  if (step == 0 && !moment.view.beat.empty()) step = std::max<std::int64_t>(window_.playback().step(), 1);
  faults_.assign(moment.faults.begin() + static_cast<std::ptrdiff_t>(done.value_or(0)), moment.faults.end());
  if (step == 0 && faults_.empty()) return arrive();
  window_.playback().pause();
  last_ = moment.view;
  last_.step = step;
  goToNext();
}

// In the workspace that the person has chosen, not the one to which the moment before led, if the stage is there alone.
void WindowView::showStage() {
  Workspaces& workspaces = window_.workspaces();
  const WindowLayout chosen = workspaces.chosen();
  workspaces.visit(chosen == WindowLayout::Explore ? chosen : WindowLayout::Teach);
}

void WindowView::goToNext() {
  if (!faults_.empty()) return goTo(faults_.front().step, {}, 0);
  goTo(last_.step, last_.beat, last_.part);
}

// The next fault happens to the run on the stage, at its step.
void WindowView::strike() {
  if (faults_.empty()) return;
  const MomentFault fault = faults_.front();
  faults_.erase(faults_.begin());
  const RunLibrary& library = window_.library();
  const QString parent = library.nameOf(library.presentId());
  for (const FaultOffer& offer : faultOffers(window_.controller(), window_.playback(), parent)) {
    const RunFault& can = offer.fault;
    if (can.what != fault.what || can.task != fault.task || can.index != fault.index || !offer.refusal.isEmpty())
      continue;
    if (offer.process >= 0) {  // ends all processes, so nothing follows
      window_.controller().processes().kill(offer.process);
      faults_.clear();
      return arrive();
    }
    if (can.atNs > 0 && !startsFrom(can.step - 1, window_.playback().step(), fault.every, window_.controller().info()))
      continue;
    striking_ = true;
    window_.experiment().branch(offer.from);
    striking_ = false;
    return goToNext();
  }
  faults_.clear();
  arrive();
}

// The question has its own tab, whatever tab the moment names.
void WindowView::ask(const std::string& question) {
  if (question.empty()) return;
  const QString tab = QStringLiteral("quizTab");
  window_.panels().showTab(tab);
  if (auto* quiz = qobject_cast<QuizView*>(&window_.panels().tab(tab)->content())) quiz->goTo(question);
}

// Replaces the present lanes.
void WindowView::compare(const std::vector<StrategyKind>& kinds) {
  if (kinds.empty()) return;
  window_.workspaces().visit(WindowLayout::Compare);
  CompareView* view = window_.centre().comparison();
  if (view == nullptr) return;  // the window is hidden
  Lanes& lanes = view->lanes();
  bool same = lanes.count() == kinds.size() + 1;
  for (std::size_t i = 0; same && i < kinds.size(); ++i)
    same = lanes.at(i + 1).wish().strategy == &strategyInfo(kinds[i]);
  if (same) return;
  while (lanes.count() > 1) lanes.remove(lanes.count() - 1);
  for (const StrategyKind kind : kinds) view->compareWith(strategyInfo(kind));
}

std::int64_t WindowView::backupsEvery(std::int64_t backup, std::int64_t givenUp, const RunInfo* info) {
  if (info == nullptr || backup == backupBefore(givenUp, info->stepsPerEpoch)) return 0;
  return backup == backupBefore(givenUp, info->stepsPerEpoch, kBackupSteps) ? kBackupSteps : 0;
}

QString WindowView::unknownIn(const Moment& moment, const QStringList& tabs) {
  const SavedView& view = moment.view;
  if (!view.layout.empty() && !layoutOf(view.layout)) return QStringLiteral("workspace");
  if (!view.theme.empty() && !theme::kindOf(view.theme)) return QStringLiteral("theme");
  if (!view.mode.empty() && !named<Playback::Mode>(kModes, view.mode)) return QStringLiteral("mode");
  if (!view.beat.empty() && beatNamed(view.beat).isEmpty()) return QStringLiteral("beat");
  if (!moment.object.empty() && !objectNamed(moment.object)) return QStringLiteral("object");
  if (!moment.tab.empty() && !tabs.contains(QString::fromStdString(moment.tab))) return QStringLiteral("tab");
  if (!moment.question.empty() &&
      std::ranges::find(shippedQuiz(), moment.question, &QuizQuestion::name) == shippedQuiz().end())
    return QStringLiteral("question");
  return {};
}

void WindowView::goTo(std::int64_t step, const std::string& beat, double part) {
  if (step <= 0) return arrive();
  step_ = step;
  beat_ = beat;
  part_ = part;
  going_ = false;
  goOn();
}

// The run's first picture must come first; the step's story knows where its beats are, and exists as soon as the step
// does.
void WindowView::goOn() {
  Playback& playback = window_.playback();
  if (step_ == 0 || playback.record() == nullptr) return;
  if (!std::exchange(going_, true)) {
    playback.goTo(step_);
    step_ = playback.wantedStep();  // the run may be shorter
  }
  if (playback.isPlaying() || playback.wantedStep() != step_) {
    step_ = 0;  // the user has gone elsewhere
    faults_.clear();
    return;
  }
  if (playback.step() != step_) return;
  step_ = 0;
  // Queued, because another run must not begin within the playback's own signal.
  if (!faults_.empty()) return void(QMetaObject::invokeMethod(this, &WindowView::strike, Qt::QueuedConnection));
  for (const Beat& beat : playback.story().beats) {
    if (beat_ != beatKey(beat.kind)) continue;
    playback.seek(playback.step(), beat.beginS + part_ * (beat.endS - beat.beginS));
    break;
  }
  arrive();
}

void WindowView::arrive() {
  if (const auto object = objectNamed(std::exchange(object_, {}))) window_.selection().mark(*object);
  Q_EMIT arrived();
}

}  // namespace lab
