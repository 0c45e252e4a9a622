// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/labels.h"

#include <QLabel>

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

}  // namespace lab
