// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/labels.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QStyle>

namespace lab {

QLabel* makeLabel(const LabelLook& look) {
  auto* made = new QLabel;
  if (look.name != nullptr) made->setObjectName(QLatin1String(look.name));
  if (look.role != nullptr) made->setProperty("role", QLatin1String(look.role));
  if (look.plain) made->setTextFormat(Qt::PlainText);
  if (look.selectable) made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  made->setWordWrap(look.wraps);
  made->setText(look.text);
  return made;
}

void setRole(QWidget& widget, const QString& role) {
  if (widget.property("role") == role) return;
  widget.setProperty("role", role);
  widget.style()->unpolish(&widget);
  widget.style()->polish(&widget);
  QEvent changed(QEvent::StyleChange);  // makes room for the role's border and padding
  QCoreApplication::sendEvent(&widget, &changed);
}

}  // namespace lab
