// SPDX-License-Identifier: GPL-3.0-or-later
// The stage as text: each beat that passes becomes a line with its numbers, for screen readers, notes and tests.
#pragma once

#include <QPlainTextEdit>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ui/playback/story.h"

namespace lab {

class Playback;
class RunController;

// "step 3 · forward · 1.2 ms modelled: Every replica …": a beat's text at a moment of it; complete at the beat's end.
QString narrate(const RunInfo& info, const StepRecord& record, const Beat& beat, double seconds);

class Narration final : public QPlainTextEdit {
  Q_OBJECT

 public:
  Narration(RunController& controller, Playback& playback, QWidget* parent = nullptr);

  QString notes() const;  // with the run's settings, so that the run can be repeated
  void copyNotes();       // to the clipboard
  // Narrates the shown step from its beginning to the shown moment, and nothing that was shown before.
  void narrateShownStep();

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void follow();
  void tell(std::size_t first, std::size_t last);  // beats of the shown step
  void replaceLast(const QString& line);

  RunController& controller_;
  Playback& playback_;
  std::weak_ptr<const RunInfo> narrated_;  // the run and the beat that were narrated last
  std::int64_t toldStep_ = 0;
  std::size_t narratedBeat_ = 0;
  QString overLine_;  // the final line of that beat
};

}  // namespace lab
