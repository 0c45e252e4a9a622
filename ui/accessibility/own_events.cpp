// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accessibility/own_events.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QWidget>

#include <algorithm>

namespace lab {

bool takesKey(QEvent& event, std::initializer_list<Qt::Key> keys, Qt::KeyboardModifiers with) {
  if (event.type() != QEvent::ShortcutOverride) return false;
  const auto& key = static_cast<const QKeyEvent&>(event);
  if ((key.modifiers() & ~(with | Qt::KeypadModifier)) != Qt::NoModifier) return false;
  if (std::ranges::find(keys, key.key()) == keys.end()) return false;
  event.accept();
  return true;
}

bool showsTip(QEvent& event, QWidget& widget, const std::function<QString(const QPoint&)>& words) {
  if (event.type() != QEvent::ToolTip) return false;
  const auto& help = static_cast<const QHelpEvent&>(event);
  const QString text = words(help.pos());
  text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help.globalPos(), text, &widget);
  return true;
}

}  // namespace lab
