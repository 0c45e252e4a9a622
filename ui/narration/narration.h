// SPDX-License-Identifier: GPL-3.0-or-later
// The stage's text twin: each beat that passes becomes a line with its numbers, for screen readers, notes and tests.
#pragma once

#include <QPlainTextEdit>

#include <cstddef>
#include <cstdint>

#include "ui/playback/story.h"

namespace lab {

class Playback;
class RunController;

// "step 3 · forward · 1.2 ms modelled: Every replica …"
QString narrate(const RunInfo& info, const StepRecord& record, const Beat& beat);

class Narration final : public QPlainTextEdit {
  Q_OBJECT

 public:
  Narration(RunController& controller, Playback& playback, QWidget* parent = nullptr);

  QString notes() const;  // with what run it was, so that it can be begun again
  void copyNotes();       // to the clipboard

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void follow();

  RunController& controller_;
  Playback& playback_;
  const RunInfo* told_ = nullptr;  // the run, and the beat of it, that was told last
  std::int64_t toldStep_ = 0;
  std::size_t toldBeat_ = 0;
};

}  // namespace lab
