// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/narration/narration.h"

#include "ui/playback/playback.h"
#include "ui/run_controller.h"
#include "ui/run_summary.h"
#include "ui/theme.h"
#include "ui/words.h"

namespace lab {
namespace {

constexpr int kLines = 2000;

// What a beat can say in figures besides its duration and its caption.
QString figuresOf(const StepRecord& record, const Beat& beat) {
  switch (beat.kind) {
    case BeatKind::Aggregate:
      return tr(" Sent in all: %1.").arg(bytesText(record.metric.bytesSent));
    case BeatKind::Apply:
      return record.metric.staleness ? tr(" Staleness: %1.").arg(*record.metric.staleness) : QString();
    default:
      return {};
  }
}

}  // namespace

QString narrate(const RunInfo& info, const StepRecord& record, const Beat& beat) {
  QString line = tr("step %1 · %2").arg(record.metric.step).arg(beat.name);
  if (beat.endNs > beat.beginNs) {
    line += tr(" · %1 %2")
                .arg(durationText(beat.endNs - beat.beginNs),
                     info.clock == Clock::Modelled ? tr("modelled") : tr("measured"));
  }
  return line + QStringLiteral(": ") + beat.caption + figuresOf(record, beat);
}

Narration::Narration(RunController& controller, Playback& playback, QWidget* parent)
    : QPlainTextEdit(parent), controller_(controller), playback_(playback) {
  setObjectName(QStringLiteral("narrationText"));
  setReadOnly(true);
  setMaximumBlockCount(kLines);
  document()->setDocumentMargin(theme::em(0.6));
  setPlaceholderText(tr("Each beat of a step becomes a line here as it passes."));
  setAccessibleName(tr("Narration"));
  connect(&playback_, &Playback::changed, this, &Narration::follow);
}

void Narration::follow() {
  const auto& record = playback_.record();
  const RunInfo* info = controller_.info();
  const Story& story = playback_.story();
  if (!record || info == nullptr || story.beats.empty()) return;
  // Where nothing moves there are no beats to pass, only steps.
  if (playback_.mode() == Playback::Mode::Fast || playback_.mode() == Playback::Mode::Express) return;
  const std::size_t beat = story.beatAt(playback_.seconds());
  if (info != told_) {
    if (told_ != nullptr) appendPlainText(QStringLiteral("—"));
    appendPlainText(runTitle(info->config, info) + QStringLiteral(", ") + runDevices(info));
  } else if (story.step == toldStep_ && beat == toldBeat_) {
    return;
  }
  told_ = info;
  toldStep_ = story.step;
  toldBeat_ = beat;
  appendPlainText(narrate(*info, *record, story.beats[beat]));
}

}  // namespace lab
