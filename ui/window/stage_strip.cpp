// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/stage_strip.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/stage/narration.h"
#include "ui/theme/icons.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {

StageStrip::StageStrip(QAction& open, RunController& controller, Playback& playback, QWidget* parent)
    : QWidget(parent), open_(open), controller_(controller), playback_(playback) {
  setProperty("role", QStringLiteral("panel"));
  auto* button = new QToolButton;
  button->setDefaultAction(&open);
  button->setProperty("framed", true);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(open.iconText());
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
  connect(&open, &QAction::toggled, this, &StageStrip::refresh);
  connect(&playback, &Playback::changed, this, [this] {
    if (isVisible()) refresh();
  });
  refresh();
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
  const bool open = open_.isChecked();
  open_.setIcon(icon(open ? Icon::Down : isRightToLeft() ? Icon::Left : Icon::Right));
  const auto& record = playback_.record();
  const RunInfo* info = controller_.info();
  const Story& story = playback_.story();
  QString words;
  if (!open && record && info != nullptr && !story.beats.empty())
    words = narrate(*info, *record, story.beats[story.beatAt(playback_.seconds())], playback_.seconds());
  words_->setText(words_->fontMetrics().elidedText(words, Qt::ElideRight, words_->width()));
  words_->setToolTip(words);
  words_->setAccessibleName(words);
}

}  // namespace lab
