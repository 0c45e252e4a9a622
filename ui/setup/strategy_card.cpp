// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/strategy_card.h"

#include <QPainter>

#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kWidth = 21, kPadding = 0.75;  // in text sizes

QFont bold(QFont font) {
  font.setWeight(QFont::DemiBold);
  return font;
}

}  // namespace

StrategyCard::StrategyCard(const QString& name, const QString& sentence, int key, QWidget* parent)
    : QAbstractButton(parent), sentence_(sentence), key_(key) {
  setText(name);
  setCheckable(true);
  setAutoExclusive(true);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setAccessibleName(name);
  setAccessibleDescription(sentence);
}

QSize StrategyCard::sizeHint() const {
  const int inner = theme::em(kWidth - 2 * kPadding);
  const QRect words = fontMetrics().boundingRect(QRect(0, 0, inner, 10'000), Qt::TextWordWrap, sentence_);
  return {theme::em(kWidth), theme::em(2 * kPadding + 0.3) + fontMetrics().height() + words.height()};
}

void StrategyCard::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool marked = isChecked();
  painter.setPen(QPen(marked || hasFocus() ? colours.accent
                      : underMouse()       ? colours.edge
                                           : colours.line,
                      marked       ? 2
                      : hasFocus() ? 1.5
                                   : 1));
  painter.setBrush(underMouse() ? colours.window : colours.panel);
  const double radius = theme::em(0.4);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);

  const int padding = theme::em(kPadding);
  const QRect inner = rect().adjusted(padding, padding, -padding, -padding);
  painter.setFont(bold(font()));
  painter.setPen(marked ? colours.accent : colours.ink);
  painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, text());
  painter.setFont(font());
  painter.setPen(colours.quietInk);
  if (key_ <= 9) painter.drawText(inner, Qt::AlignRight | Qt::AlignTop, QString::number(key_));
  painter.drawText(inner.adjusted(0, fontMetrics().height() + theme::em(0.3), 0, 0), Qt::TextWordWrap, sentence_);
}

void StrategyCard::enterEvent(QEnterEvent* event) {
  QAbstractButton::enterEvent(event);
  update();
}

void StrategyCard::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  update();
}

}  // namespace lab
