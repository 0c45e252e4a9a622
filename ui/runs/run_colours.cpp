// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_colours.h"

#include <QPainter>
#include <QPixmap>

#include <array>

#include "ui/theme/theme.h"

namespace lab {
namespace {

// Indigo, ochre, teal, wine, grey, green, magenta, brick.
constexpr std::array<QRgb, kRunColours> kLight{0xFF4B3FA7, 0xFF8A6500, 0xFF00818A, 0xFFA02C5A,
                                               0xFF5E6875, 0xFF2E7D32, 0xFFB0409B, 0xFFB5452C};
constexpr std::array<QRgb, kRunColours> kDark{0xFFA9A0F5, 0xFFDDB457, 0xFF52C9D2, 0xFFF08AB4,
                                              0xFFB4BDC9, 0xFF7BCF80, 0xFFE49AD6, 0xFFF29B86};

}  // namespace

QColor runColour(int place, theme::Kind kind) {
  const auto& colours = theme::coloursOf(kind).dark ? kDark : kLight;
  return QColor::fromRgb(colours[static_cast<std::size_t>(place) % colours.size()]);
}

QColor runColour(int place) {
  return runColour(place, theme::kind());
}

Qt::PenStyle runStyle(int place) {
  constexpr std::array kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  static_assert(kStyles.size() == kRunStyles);
  return kStyles[static_cast<std::size_t>(place / kRunColours) % kStyles.size()];
}

void paintRunMark(QPainter& painter, const QPointF& centre, double em, const QColor& colour, Qt::PenStyle style) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (style == Qt::SolidLine) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(centre, 0.3 * em, 0.3 * em);
  } else {
    const double half = kRunMarkEm * em / 2;
    painter.setPen(QPen(colour, 0.18 * em, style, Qt::FlatCap));
    painter.drawLine(centre - QPointF(half, 0), centre + QPointF(half, 0));
  }
  painter.restore();
}

QPixmap runSwatch(int place) {
  QPixmap picture(theme::em(kRunMarkEm), theme::em(0.8));
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  paintRunMark(painter, QRectF(picture.rect()).center(), theme::textSize(), runColour(place), runStyle(place));
  return picture;
}

}  // namespace lab
