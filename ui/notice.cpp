// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notice.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

#include "ui/icons.h"
#include "ui/theme.h"

namespace lab {

Notice::Notice(QWidget* parent) : QFrame(parent), text_(new QLabel), remedy_(new QToolButton) {
  setObjectName(QStringLiteral("notice"));
  text_->setObjectName(QStringLiteral("banner"));
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  remedy_->setObjectName(QStringLiteral("remedy"));
  remedy_->setToolTip(tr("Do what the message proposes"));
  remedy_->setProperty("framed", true);
  remedy_->setFocusPolicy(Qt::TabFocus);
  auto* close = new QToolButton;
  close->setIcon(icon(Icon::Close));
  close->setFocusPolicy(Qt::TabFocus);
  close->setAccessibleName(tr("Close this message"));
  close->setToolTip(tr("Close this message"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(theme::em(1), theme::em(0.4), theme::em(0.6), theme::em(0.4));
  row->addWidget(text_, 1);
  row->addWidget(remedy_, 0, Qt::AlignVCenter);
  row->addWidget(close, 0, Qt::AlignTop);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(remedy_, &QToolButton::clicked, this, &Notice::remedyWanted);
  hide();
}

void Notice::tell(Kind kind, const QString& text, const QString& remedy) {
  if (text == text_->text()) return;
  text_->setText(text);
  setVisible(!text.isEmpty());
  remedy_->setText(remedy);
  remedy_->setVisible(!remedy.isEmpty());
  setProperty("role", kind == Kind::Error ? QStringLiteral("error") : QStringLiteral("warning"));
  style()->unpolish(this);
  style()->polish(this);
  for (QWidget* part : {static_cast<QWidget*>(text_), static_cast<QWidget*>(remedy_)}) {
    style()->unpolish(part);
    style()->polish(part);
  }
}

}  // namespace lab
