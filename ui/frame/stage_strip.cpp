// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/stage_strip.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/frame/panel.h"
#include "ui/frame/stage_run.h"
#include "ui/frame/workspaces.h"
#include "ui/guide/lesson_view.h"
#include "ui/help/actions.h"
#include "ui/stage/narration.h"
#include "ui/theme/icons.h"
#include "ui/theme/labels.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {

StageStrip::StageStrip(QWidget& window, QWidget& stage, StageRun& run, const Workspaces& workspaces)
    : stage_(stage), run_(run), workspaces_(workspaces) {
  act_ = makeAction(window, "profileStage", tr("St&age in Profile"), {Qt::Key_B});
  act_->setIconText(tr("Stage"));
  act_->setIconVisibleInMenu(false);
  act_->setCheckable(true);
  setProperty("role", QStringLiteral("panel"));
  auto* button = new QToolButton;
  button->setDefaultAction(act_);
  button->setProperty("framed", true);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(act_->iconText());
  words_ = makeLabel({.name = "stripWords", .plain = true});
  words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // cut short if there is no room
  auto* row = new QHBoxLayout(this);
  row->addWidget(button);
  row->addWidget(words_, 1);
  theme::follow(this, [row] {
    const int gap = theme::em(0.3);
    row->setContentsMargins(2 * gap, gap, 2 * gap, gap);
    row->setSpacing(2 * gap);
  });
  connect(act_, &QAction::toggled, this, &StageStrip::refresh);
  connect(&run.playback, &Playback::changed, this, [this] {
    if (isVisible()) refresh();
  });
  refresh();
}

// Profile is for the trace: the stage stays hidden until the user opens it, but only if the trace takes its room. A
// lesson refers to both.
bool StageStrip::isNeeded() const {
  return workspaces_.current() == WindowLayout::Profile && !theme::isProjected() && trace_ != nullptr &&
         trace_->stands() && !isInLesson(*window());
}

bool StageStrip::hidesStage() const {
  return isNeeded() && !isOpen();
}

bool StageStrip::isOpen() const {
  return act_->isChecked();
}

void StageStrip::setOpen(bool open) {
  act_->setChecked(open);
}

void StageStrip::fit() {
  const bool needed = isNeeded(), away = needed && !isOpen();
  act_->setEnabled(needed);
  const QString keys = act_->shortcut().toString(QKeySequence::NativeText);
  const QString does =
      tr("Opens the stage, or closes it") + (keys.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(keys));
  act_->setToolTip(needed ? does : tr("Only in Profile, while the panel Evidence is open in the window"));
  setVisible(needed);
  stage_.setVisible(!away);
  parentWidget()->setSizePolicy(QSizePolicy::Preferred, away ? QSizePolicy::Maximum : QSizePolicy::Preferred);
}

void StageStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  refresh();
}

void StageStrip::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

// The open stage shows the caption itself.
void StageStrip::refresh() {
  const bool open = isOpen();
  act_->setIcon(icon(open ? Icon::Down : isRightToLeft() ? Icon::Left : Icon::Right));
  const auto& record = run_.playback.record();
  const RunInfo* info = run_.controller.info();
  const Story& story = run_.playback.story();
  QString words;
  if (!open && record && info != nullptr && !story.beats.empty())
    words = narrate(*info, *record, story.beats[story.beatAt(run_.playback.seconds())], run_.playback.seconds());
  words_->setText(words_->fontMetrics().elidedText(words, Qt::ElideRight, words_->width()));
  words_->setToolTip(words);
  words_->setAccessibleName(words);
}

}  // namespace lab
