// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/notice.h"

#include <QGridLayout>
#include <QLabel>
#include <QStyle>
#include <QTime>
#include <QToolButton>

#include <algorithm>

#include "ui/accessibility/announcer.h"
#include "ui/theme/fitting.h"
#include "ui/theme/icons.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kForTheRest = 16.5;  // in text sizes: menus, controls, stage and scrubber

QStringList& lately() {
  static QStringList list;
  return list;
}

}  // namespace

const QStringList& Notice::recent() {
  return lately();
}

Notice::Notice(QWidget* parent) : QFrame(parent), text_(new QLabel), remedy_(new QToolButton) {
  setObjectName(QStringLiteral("notice"));
  text_->setObjectName(QStringLiteral("banner"));
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  remedy_->setObjectName(QStringLiteral("remedy"));
  remedy_->setToolTip(tr("Do what the message proposes"));
  remedy_->setAccessibleName(remedy_->toolTip());
  remedy_->setProperty("framed", true);
  remedy_->setFocusPolicy(Qt::TabFocus);
  auto* close = new QToolButton;
  close->setIcon(icon(Icon::Close));
  close->setFocusPolicy(Qt::TabFocus);
  close->setAccessibleName(tr("Close this message"));
  close->setToolTip(tr("Close this message"));
  area_ = new FittingArea(text_);
  for (QWidget* part : {area_->viewport(), static_cast<QWidget*>(text_)}) part->setAutoFillBackground(false);
  text_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  grid_ = new QGridLayout(this);
  grid_->setContentsMargins(theme::em(1), theme::em(0.4), theme::em(0.6), theme::em(0.4));
  grid_->setColumnStretch(0, 1);
  grid_->addWidget(area_, 0, 0);
  grid_->addWidget(remedy_, 0, 1, Qt::AlignVCenter);
  grid_->addWidget(close, 0, 2, Qt::AlignTop);
  connect(close, &QToolButton::clicked, this, [this] {
    hide();
    Q_EMIT closed();
  });
  connect(remedy_, &QToolButton::clicked, this, &Notice::remedyWanted);
  hide();
}

// As high as its words, but at most a third of the window, and less if letters are so large that the stage needs the
// rest: then it scrolls. The remedy stands below if it would leave the words too little room.
void Notice::fit() {
  const bool below = remedy_->sizeHint().width() * 2 > width();
  if (below != below_) {
    below_ = below;
    grid_->removeWidget(remedy_);
    grid_->addWidget(remedy_, below ? 1 : 0, below ? 0 : 1, below ? Qt::AlignLeft : Qt::AlignVCenter);
  }
  grid_->activate();
  const int words = std::max(0, text_->heightForWidth(std::max(1, area_->width())));
  const int most = std::min(window()->height() / 3, window()->height() - theme::em(kForTheRest));
  area_->setFixedHeight(std::min(words, std::max(theme::em(1.5), most)));
}

void Notice::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fit();
}

void Notice::again() {
  if (isHidden()) text_->clear();
}

void Notice::say(Kind kind, const QString& text, const QString& remedy) {
  if (text == text_->text()) return;
  text_->setText(text);
  if (!text.isEmpty()) {
    lately().append(QTime::currentTime().toString(QStringLiteral("hh:mm:ss ")) + text);
    if (lately().size() > kMostRecent) lately().removeFirst();
  }
  setVisible(!text.isEmpty());
  remedy_->setText(remedy);
  remedy_->setAccessibleName(remedy.isEmpty() ? remedy_->toolTip() : remedy);
  remedy_->setVisible(!remedy.isEmpty());
  setRole(*this, kind == Kind::Error     ? QStringLiteral("error")
                 : kind == Kind::Warning ? QStringLiteral("warning")
                                         : QStringLiteral("hint"));
  for (QWidget* part : {static_cast<QWidget*>(text_), static_cast<QWidget*>(remedy_)}) {
    style()->unpolish(part);
    style()->polish(part);
  }
  if (isVisible()) fit();
  announce(*this, text);
}

}  // namespace lab
