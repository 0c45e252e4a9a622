// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QPolygonF>

#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kGrid = 24;  // shapes are drawn on a square of 24 units

class Engine final : public QIconEngine {
 public:
  Engine(Icon icon, IconColour colour) : icon_(icon), colour_(colour) {}

  QIconEngine* clone() const override { return new Engine(*this); }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const theme::Colours& colours = theme::colours();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const double side = qMin(rect.width(), rect.height());
    painter->translate(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2);
    painter->scale(side / kGrid, side / kGrid);
    painter->setPen(Qt::NoPen);
    painter->setBrush(mode == QIcon::Disabled           ? theme::disabledInk()
                      : colour_ == IconColour::OnAccent ? colours.onAccent
                                                        : colours.ink);
    drawShape(*painter);
    painter->restore();
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap picture(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return picture;
  }

 private:
  // A triangle with its tip at `tip` and this `length`; a negative length points left.
  static void triangle(QPainter& painter, double tip, double length) {
    painter.drawPolygon(QPolygonF({{tip, 12}, {tip - length, 5}, {tip - length, 19}}));
  }

  // For something that opens: not a triangle, which means play.
  static void arrow(QPainter& painter, const QPolygonF& points) {
    QPen pen(painter.brush().color(), 2.6);
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    painter.setPen(pen);
    painter.drawPolyline(points);
  }

  void drawShape(QPainter& painter) const {
    switch (icon_) {
      case Icon::Home:
        painter.drawRect(QRectF(4, 5, 2.5, 14));
        triangle(painter, 7, -12);
        break;
      case Icon::Back:
        painter.drawRect(QRectF(16.5, 5, 2.5, 14));
        triangle(painter, 4, -11);
        break;
      case Icon::Play:
        triangle(painter, 19.5, 13);
        break;
      case Icon::Pause:
        painter.drawRect(QRectF(6.5, 5, 4, 14));
        painter.drawRect(QRectF(13.5, 5, 4, 14));
        break;
      case Icon::Forward:
        painter.drawRect(QRectF(5, 5, 2.5, 14));
        triangle(painter, 20, 11);
        break;
      case Icon::End:
        painter.drawRect(QRectF(17.5, 5, 2.5, 14));
        triangle(painter, 17, 12);
        break;
      case Icon::Down:
        arrow(painter, {{6, 9}, {12, 15}, {18, 9}});
        break;
      case Icon::Right:
        arrow(painter, {{9, 6}, {15, 12}, {9, 18}});
        break;
      case Icon::Left:
        arrow(painter, {{15, 6}, {9, 12}, {15, 18}});
        break;
      case Icon::Close:
        painter.setPen(QPen(painter.brush(), 2, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(7, 7), QPointF(17, 17));
        painter.drawLine(QPointF(17, 7), QPointF(7, 17));
        break;
      case Icon::Float:
        painter.setPen(QPen(painter.brush(), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(5, 9, 10, 10));
        painter.drawPolyline(QPolygonF({{9, 5}, {19, 5}, {19, 15}}));
        break;
    }
  }

  Icon icon_;
  IconColour colour_;
};

}  // namespace

QIcon icon(Icon icon, IconColour colour) {
  return QIcon(new Engine(icon, colour));
}

}  // namespace lab
