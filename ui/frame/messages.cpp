// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/messages.h"

#include <memory>
#include <utility>

#include "ui/accessibility/announcer.h"
#include "ui/frame/stage_run.h"
#include "ui/i18n/words.h"
#include "ui/runview/run_summary.h"
#include "ui/transport/transport.h"

namespace lab {

Messages::Messages(StageRun& run, Announcer& announcer) : run_(run), announcer_(announcer) {}

void Messages::followRun(const Transport& transport) {
  connect(&run_.playback, &Playback::stands, this, &Messages::sayLimit);
  connect(&transport, &Transport::modeChosen, this, [this](Playback::Mode mode) {
    const bool runsOn = mode == Playback::Mode::Live || mode == Playback::Mode::Fast || mode == Playback::Mode::Express;
    if (runsOn && !run_.playback.isPlaying() && !run_.controller.isOver())
      sayUntilPlay(tr("Mode %1: training continues as soon as you press Play.").arg(modeName(mode)));
  });
  connect(&run_.playback, &Playback::changed, this, [this] {
    if (run_.playback.isPlaying()) unsay();
  });
  connect(&run_.experiment, &Experiment::started, this, &Messages::unsay);
  connect(&run_.controller.processes(), &WorkerProcesses::killFailed, this,
          [this](const QString& why) { say(why, 4 * kMessageMs); });
  announceChanges();
}

void Messages::say(const QString& text, int ms) {
  if (text.isEmpty()) return;
  announcer_.say(text);
  Q_EMIT said(text, ms);
}

void Messages::sayUntilPlay(const QString& text, int ms) {
  untilPlay_ = text;
  say(text, ms);
}

void Messages::unsay() {
  if (!untilPlay_.isEmpty()) Q_EMIT unsaid(std::exchange(untilPlay_, {}));
}

void Messages::sayLimit(Playback::Limit at) {
  const RunController& run = run_.controller;
  const QString step = countText(run_.playback.step());
  const auto& steps = run.steps();
  if (at == Playback::Limit::Beginning)
    say(tr("This is where the run begins: step %1.").arg(step));
  else if (!run.isOver())
    sayUntilPlay(tr("Step %1 is the latest trained step. Play continues training.").arg(step));
  else if (run.state() == RunState::Failed)
    sayUntilPlay(run.failure());
  else if (!steps.empty() && steps.back().aborted)
    say(tr("The run has ended with an error at step %1. Undo takes back the last change to it.").arg(step));
  else
    say(tr("Training is over: step %1 is the last.").arg(step));
}

// Announces changes outside the focus, which screen readers would not report: another run, mode, playing or paused.
void Messages::announceChanges() {
  connect(&run_.controller, &RunController::updated, this, [this, shown = std::shared_ptr<const RunInfo>()]() mutable {
    const auto info = run_.controller.sharedInfo();
    if (info != nullptr && info != shown)
      announcer_.say(tr("%1, %2").arg(runTitle(info->config, info.get()), runDevices(info.get())));
    shown = info;
  });
  connect(&run_.playback, &Playback::acted, this,
          [this, wasPlaying = run_.playback.isPlaying(), before = run_.playback.mode()]() mutable {
            const bool playing = run_.playback.isPlaying();
            const Playback::Mode mode = run_.playback.mode();
            if (mode != before) announcer_.say(tr("Mode %1").arg(modeName(mode)));
            if (playing != wasPlaying) announcer_.say(playing ? tr("Playing") : tr("Paused"));
            wasPlaying = playing;
            before = mode;
          });
}

}  // namespace lab
