// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/narration.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextOption>

#include <cmath>
#include <cstdint>

#include "core/replicas/labels.h"
#include "core/trace/step_record.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kLines = 2000;

// What the aggregation's own transfers carried. NCCL and MPI say nothing of theirs, so then the whole step's bytes.
QString sentWords(const StepRecord& record) {
  std::int64_t sent = 0;
  for (const Span& span : record.spans)
    if (span.kind == SpanKind::Transfer && span.step == record.metric.step && isReduction(span.label))
      sent += span.bytes;
  return sent > 0 ? tr(" Sent in total: %1.").arg(bytesText(sent))
                  : tr(" Sent in the whole step: %1.").arg(bytesText(record.metric.bytesSent));
}

// The figures of a finished beat, in addition to its duration and caption.
QString figuresOf(const StepRecord& record, const Beat& beat) {
  switch (beat.kind) {
    case BeatKind::Aggregate:
      return sentWords(record);
    case BeatKind::Distribute: {
      QStringList shares;
      for (const std::int64_t share : record.metric.shards) shares << countText(share);
      return tr(" Images per replica: %1.").arg(shares.join(QStringLiteral(", ")));
    }
    case BeatKind::Backward:
      return tr(" Mean loss: %1; recognised: %2 of %3.")
          .arg(numberText(record.metric.loss, 'g', 4))
          .arg(countText(std::llround(record.metric.accuracy * static_cast<double>(record.metric.examples))))
          .arg(countText(record.metric.examples));
    case BeatKind::Update:
      return tr(" Learning rate: %1.").arg(numberText(record.metric.learningRate, 'g', 4));
    case BeatKind::Apply:
      return record.metric.staleness ? tr(" Staleness: %Ln updates.", nullptr, plural(*record.metric.staleness))
                                     : QString();
    default:
      return {};
  }
}

}  // namespace

QString narrate(const RunInfo& info, const StepRecord& record, const Beat& beat, double seconds) {
  const bool over = seconds >= beat.endS;
  QString line = tr("step %1 · %2").arg(countText(record.metric.step), beat.name);
  if (over && record.timesKnown && beat.endNs > beat.beginNs) {
    line += tr(" · %1 %2")
                .arg(durationText(beat.endNs - beat.beginNs),
                     info.clock == TimeSource::Modelled ? tr("modelled") : tr("measured"));
  }
  return line + QStringLiteral(": ") + beat.captionAt(seconds) + (over ? figuresOf(record, beat) : QString());
}

Narration::Narration(RunController& controller, Playback& playback, QWidget* parent)
    : QPlainTextEdit(parent), controller_(controller), playback_(playback) {
  setObjectName(QStringLiteral("narrationText"));
  setReadOnly(true);
  // The direction of the language, even if a paragraph begins with the name of a strategy.
  QTextOption option = document()->defaultTextOption();
  option.setTextDirection(layoutDirection());
  document()->setDefaultTextOption(option);
  setMaximumBlockCount(kLines);
  theme::follow(this, [this] { document()->setDocumentMargin(theme::em(0.6)); });
  setTabChangesFocus(true);
  setPlaceholderText(tr("Each beat of a step becomes a line here as it passes."));
  setAccessibleName(tr("Narration"));
  connect(&playback_, &Playback::changed, this, &Narration::follow);
  follow();  // when first shown, narrate the present beat, even if the movie rests
}

QString Narration::notes() const {
  const RunInfo* info = controller_.info();
  if (info == nullptr) return toPlainText();
  return tr("Notes from StrategyLab %1: %2, %3\n%4; seed %5\n\n%6\n")
      .arg(QCoreApplication::applicationVersion(), runTitle(info->config, info), runDevices(info), runData(info))
      .arg(info->config.seed)
      .arg(toPlainText());
}

void Narration::copyNotes() {
  QGuiApplication::clipboard()->setText(notes());
}

void Narration::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addSeparator();
  connect(menu->addAction(tr("Copy everything as &notes")), &QAction::triggered, this, &Narration::copyNotes);
  menu->popup(event->globalPos());
}

void Narration::follow() {
  const auto& record = playback_.record();
  const RunInfo* info = controller_.info();
  const Story& story = playback_.story();
  if (!record || info == nullptr || story.beats.empty()) return;
  const std::size_t beat = story.beatAt(playback_.seconds());
  // Not by its address alone, which another run may have once this one is gone.
  const bool otherRun = narrated_.lock().get() != info, other = otherRun || story.step != toldStep_;
  if (otherRun) {
    if (!document()->isEmpty()) appendPlainText(QStringLiteral("—"));
    appendPlainText(runTitle(info->config, info) + QStringLiteral(", ") + runDevices(info));
  } else if (!other && beat == narratedBeat_) {
    return replaceLast(narrate(*info, *record, story.beats[beat], playback_.seconds()));
  } else if (story.step > toldStep_ || (!other && beat > narratedBeat_)) {
    replaceLast(overLine_);  // the previous beat is finished
  }
  narrated_ = controller_.sharedInfo();
  // Express shows no beat between the first step and the one at its end.
  tell(other && playback_.mode() == Playback::Mode::Express ? 0 : beat, beat);
}

void Narration::tell(std::size_t first, std::size_t last) {
  const Story& story = playback_.story();
  toldStep_ = story.step;
  narratedBeat_ = last;
  for (std::size_t i = first; i <= last; ++i) {
    const auto line = [&](double seconds) {
      return narrate(*controller_.info(), *playback_.record(), story.beats[i], seconds);
    };
    overLine_ = line(story.beats[i].endS);
    appendPlainText(i < last ? overLine_ : line(playback_.seconds()));
  }
}

void Narration::replaceLast(const QString& line) {
  if (document()->lastBlock().text() == line) return;
  QTextCursor last(document()->lastBlock());
  last.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
  last.insertText(line);
}

void Narration::narrateShownStep() {
  const auto& record = playback_.record();
  const RunInfo* info = controller_.info();
  const Story& story = playback_.story();
  if (!record || info == nullptr || story.beats.empty()) return;
  clear();
  appendPlainText(runTitle(info->config, info) + QStringLiteral(", ") + runDevices(info));
  narrated_ = controller_.sharedInfo();
  tell(0, story.beatAt(playback_.seconds()));
}

}  // namespace lab
