// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/section.h"

#include <QToolButton>
#include <QVBoxLayout>

#include "ui/theme/icons.h"

namespace lab {

Section::Section(const QString& title, QWidget* body, bool open, QWidget* parent)
    : QWidget(parent), heading_(new QToolButton), body_(body) {
  heading_->setText(title);
  heading_->setProperty("section", true);
  heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  heading_->setFocusPolicy(Qt::TabFocus);
  heading_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  heading_->setAccessibleDescription(tr("Folds and unfolds this group"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(heading_);
  column->addWidget(body_);
  connect(heading_, &QToolButton::clicked, this, [this] { setOpen(body_->isHidden()); });
  setOpen(open);
}

void Section::setOpen(bool open) {
  body_->setVisible(open);
  heading_->setIcon(icon(open ? Icon::Down : isRightToLeft() ? Icon::Left : Icon::Right));
}

}  // namespace lab
