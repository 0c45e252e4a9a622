// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painting/scene_painter.h"

#include <QRegion>

#include <algorithm>
#include <vector>

#include "ui/painting/vector_device.h"
#include "ui/scene/scene_canvas.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {

using theme::mix;

namespace {

QColor hue(const Item& item) {
  return item.owner >= 0 ? theme::replicaColour(item.owner) : theme::colours().ink;
}

}  // namespace

// Black or white, whichever is more legible on this background.
const QColor& ScenePainter::inkOn(const QColor& ground) {
  QColor& ink = inks_[ground.rgba()];
  if (ink.isValid()) return ink;
  const QColor black(0x10, 0x14, 0x1A);
  ink = theme::contrast(ground, black) >= theme::contrast(ground, Qt::white) ? black : QColor(Qt::white);
  return ink;
}

void ScenePainter::setFont(const QFont& font) {
  words_.setFont(font, theme::leastLetters());
}

void ScenePainter::paint(QPainter& painter, const Scene& scene, const Dataset& data, const Marked& marked) {
  std::vector<const Item*> items;
  items.reserve(scene.items.size());
  for (const Item& each : scene.items) items.push_back(&each);
  paintItems(painter, items, scene.px, data, marked);
  paintOutlines(painter, items, scene.px, marked);
}

void ScenePainter::paintItems(QPainter& painter, std::span<const Item* const> items, double px, const Dataset& data,
                              const Marked& marked) {
  painter_ = &painter;
  data_ = &data;
  px_ = px;
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Item* each : items) {
    painter.setOpacity(each->opacity);
    item(*each);
    // A link's outline lies under what travels on the link.
    if (each->shape == Item::Shape::Link && marked.has(each->object)) outline(*each, each->object == marked.selected);
  }
  painter.setOpacity(1);
  painter_ = nullptr;
  data_ = nullptr;
}

void ScenePainter::paintOutlines(QPainter& painter, std::span<const Item* const> items, double px,
                                 const Marked& marked) {
  if (marked.none()) return;
  painter_ = &painter;
  px_ = px;
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& each = *items[i];
    if (each.shape == Item::Shape::Link || !marked.has(each.object)) continue;
    painter.save();
    // No outline across the words of a card that lies over the item.
    const QRect around = extentOf(each, px).toAlignedRect();
    QRegion open(around);
    for (const Item* above : items.subspan(i + 1))
      if (above->covers) open -= above->box.toAlignedRect();
    if (open != QRegion(around)) painter.setClipRegion(open, Qt::IntersectClip);
    outline(each, each.object == marked.selected);
    painter.restore();
  }
  painter_ = nullptr;
}

QRectF ScenePainter::extentOf(const Item& item, double px) {
  const double margin = 0.3 * px + 2;  // outlines and pens stand out
  QRectF extent = item.box.normalized();
  if (item.shape == Item::Shape::Link) extent = item.path.boundingRect();
  return extent.adjusted(-margin, -margin, margin, margin);
}

void ScenePainter::item(const Item& item) {
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  switch (item.shape) {
    case Item::Shape::Frame:
      return boxes_.draw(p, item.box, {.fill = mix(c.window, c.stage, 0.7), .edge = c.edge, .radius = 2 * radius()});
    case Item::Shape::Panel:
      return panel(item);
    case Item::Shape::Tray:
      return tray(item);
    case Item::Shape::Digit:
      return digit(item);
    case Item::Shape::Answer:
      return answer(item);
    case Item::Shape::Scale:
      return scale(item);
    case Item::Shape::Layer:
      return layer(item);
    case Item::Shape::Cell:
      return cell(item);
    case Item::Shape::Token:
      return token(item);
    case Item::Shape::Weights:
      return weights(item);
    case Item::Shape::Link:
      return linkImages_.draw(p, item.path,
                              {.colour = item.quiet      ? c.errorInk
                                         : item.glow > 0 ? c.ink
                                                         : c.edge,
                               .width = (item.strong ? 0.26 : 0.12) * px_,
                               .dashed = item.strong,
                               .broken = item.quiet});
    case Item::Shape::Block:
      if (item.values != nullptr) return valuesIn(item);
      p.setPen(QPen(c.edge, 1));
      p.setBrush(theme::tint(c.ink, 0.12));
      p.drawRect(item.box);
      return text(item.box.adjusted(0.3 * px_, 0, -0.3 * px_, 0), item, c.ink);
    case Item::Shape::Chip:
      return chip(item);
    case Item::Shape::Text:
      return text(item.box, item, item.quiet ? c.quietInk : item.owner >= 0 ? theme::replicaInk(item.owner) : c.ink);
    case Item::Shape::Hatch:
      return hatch(item);
    case Item::Shape::Bar:
      return p.fillRect(item.box, item.owner >= 0 ? hue(item) : theme::faint(c.ink, 0.6));
    case Item::Shape::Outline:
      p.setPen(QPen(c.accent, std::max(2.0, 0.16 * px_)));
      p.setBrush(Qt::NoBrush);
      return p.drawRect(item.box);
    case Item::Shape::Term:
      return term(item);
    case Item::Shape::Edge:
      return p.fillRect(item.box, c.ink);
  }
}

// Unknown values are hatched, because plain paper means zero.
void ScenePainter::term(const Item& item) {
  if (item.level < 1) unknown(item.box);
  if (item.level > 0 && item.level < 1) {
    painter_->save();
    painter_->setClipRect(QRectF(item.box.left(), item.box.top(), item.box.width() * item.level, item.box.height()),
                          Qt::IntersectClip);
    values_.draw(*painter_, item.box, item.values);
    painter_->restore();
  } else if (item.level > 0) {
    values_.draw(*painter_, item.box, item.values);
  }
  boxes_.draw(*painter_, item.box,
              {.fill = Qt::transparent, .edge = hue(item), .edgeWidth = std::clamp(0.12 * px_, 1.0, 3.0)});
  textOn(item);
}

void ScenePainter::unknown(const QRectF& box) {
  const theme::Colours& c = theme::colours();
  painter_->fillRect(box, mix(c.window, c.panel, 0.6));
  painter_->fillRect(box, QBrush(theme::faint(c.quietInk, 0.55), Qt::BDiagPattern));
}

void ScenePainter::panel(const Item& item) {
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  if (item.strong) {  // the caption's background, from edge to edge
    p.fillRect(item.box, c.panel);
    p.fillRect(QRectF(item.box.left(), item.box.top(), item.box.width(), 1), c.line);
    return;
  }
  boxes_.draw(p, item.box,
              {.fill = c.panel,
               .edge = item.glow > 0 ? c.accent : c.line,
               .edgeWidth = item.glow > 0 ? 0.18 * px_ : 1,
               .radius = 2 * radius()});
  if (item.owner < 0) return;
  const QRectF stripe(item.box.left() + 2 * radius(), item.box.top() - 0.12 * px_, item.box.width() - 4 * radius(),
                      0.28 * px_);
  if (theme::replicaPattern(item.owner) == Qt::SolidPattern) {
    boxes_.draw(p, stripe, {.fill = theme::replicaColour(item.owner), .radius = 0.14 * px_});
  } else {
    p.setPen(Qt::NoPen);
    p.setBrush(QBrush(theme::replicaColour(item.owner), theme::replicaPattern(item.owner)));
    p.drawRoundedRect(stripe, 0.14 * px_, 0.14 * px_);
  }
}

void ScenePainter::tray(const Item& item) {
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  if (item.quiet) {
    p.setPen(QPen(c.line, 1, Qt::DotLine));
    p.setBrush(Qt::NoBrush);
    p.drawRoundedRect(item.box, 1, 1);
    return;
  }
  boxes_.draw(p, item.box,
              {.fill = mix(c.window, c.panel, 0.75), .edge = item.owner >= 0 ? hue(item) : c.line, .radius = radius()});
}

void ScenePainter::layer(const Item& item) {
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  boxes_.draw(p, item.box,
              {.fill = mix(c.window, c.panel, 0.8), .edge = item.glow > 0 ? hue(item) : c.line, .radius = radius()});
  if (item.glow > 0 && item.level >= 0) {
    const double width = item.box.width() * std::clamp(item.level, 0.03, 1.0);
    const double left = item.strong ? item.box.right() - width : item.box.left();
    boxes_.draw(p, QRectF(left, item.box.top(), width, item.box.height()),
                {.fill = theme::tint(c.ink, 0.2), .radius = radius()});
  }
  if (item.values != nullptr) {
    if (item.glow > 0) p.fillRect(item.picture, c.panel);  // the gaps between a kernel's tiles are not values
    values_.draw(p, item.picture, item.values);
    if (item.apart != nullptr) apart(item);
  }
  QRectF words = item.box.adjusted(0.2 * px_, 0, -0.2 * px_, 0);
  if (item.values != nullptr) words.setRight(item.picture.left() - 0.1 * px_);  // the name stands beside the picture
  text(words, item, item.glow > 0 ? c.ink : c.quietInk);
}

// A line below values that differ from the base's, like that under a misspelt word, in the picture's own columns.
void ScenePainter::apart(const Item& item) {
  const ValueMap& map = *item.apart;
  const double cell = item.picture.width() / map.width, high = std::max(2.0, 0.16 * px_);
  for (int x = 0; x < map.width; ++x) {
    bool any = false;
    for (int y = 0; y < map.height && !any; ++y)
      any = !isNoValue(
          map.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(x)]);
    if (any)
      painter_->fillRect(QRectF(item.picture.left() + x * cell, item.picture.bottom() - high, cell, high),
                         theme::colours().second);
  }
}

// The picture with an edge in its owner's hue, or in ink without an owner. Variables of a server stand close together.
void ScenePainter::valuesIn(const Item& item) {
  const bool close = item.shape == Item::Shape::Block;
  if (item.shape == Item::Shape::Cell && item.strong) unknown(item.box);
  values_.draw(*painter_, item.box, item.values);
  if (item.shape == Item::Shape::Cell && item.box.width() < px_) {  // edges all around would take half of so narrow a
                                                                    // cell
    const QRectF& box = item.box;
    const double line = std::clamp(0.08 * box.height(), 1.0, 2.0);
    boxes_.draw(*painter_, QRectF(box.left(), box.top(), box.width(), line), {.fill = hue(item)});
    boxes_.draw(*painter_, QRectF(box.left(), box.bottom() - line, box.width(), line), {.fill = hue(item)});
    return;
  }
  boxes_.draw(*painter_, item.box,
              {.fill = Qt::transparent,
               .edge = close ? theme::colours().edge : hue(item),
               .edgeWidth = close ? 1 : std::clamp(0.12 * px_, 1.0, 3.0)});
  textOn(item);
}

// A few letters over a picture, on their own background.
void ScenePainter::textOn(const Item& item) {
  if (item.text.isEmpty()) return;
  const double width = std::min(item.box.width(), widthOf(item.text, item.fontPx, item.bold) + 0.5 * px_);
  const double height = std::min(item.box.height(), 1.15 * item.fontPx);
  const QRectF ground(item.box.center().x() - width / 2, item.box.center().y() - height / 2, width, height);
  boxes_.draw(*painter_, ground, {.fill = theme::colours().panel, .radius = 0.2 * px_});
  text(item.box, item, theme::colours().ink);
}

// What travels must stand out from what it passes over, which may look the same: a gap around it, and an edge around
// the gap.
void ScenePainter::lift(const QRectF& box) {
  const theme::Colours& c = theme::colours();
  const double most = 0.3 * std::min(box.width(), box.height());
  const double gap = std::min(0.16 * px_, most), edge = std::min(0.14 * px_, most), out = gap + edge / 2;
  boxes_.draw(*painter_, box.adjusted(-out, -out, out, out),
              {.fill = c.panel, .edge = c.ink, .edgeWidth = edge, .radius = std::min(radius(), most)});
}

void ScenePainter::token(const Item& item) {
  lift(item.box);
  if (item.values != nullptr) return valuesIn(item);
  const theme::Colours& c = theme::colours();
  const bool zeros = item.level <= 0;  // nothing to add: drawn empty
  const QColor ground = zeros ? c.panel : hue(item);
  boxes_.draw(*painter_, item.box,
              {.fill = ground, .edge = zeros ? hue(item) : c.stage, .edgeWidth = 0.14 * px_, .radius = radius()});
  text(item.box, item, inkOn(ground));
}

void ScenePainter::hatch(const Item& item) {
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  p.setPen(Qt::NoPen);
  p.setBrush(mix(c.window, c.panel, 0.6));
  p.drawRoundedRect(item.box, radius(), radius());
  p.setBrush(QBrush(theme::faint(c.quietInk, 0.5), Qt::BDiagPattern));
  p.drawRoundedRect(item.box, radius(), radius());
  if (item.box.width() <= 4 * px_) return;
  const double words = widthOf(item.text, item.fontPx) + 0.6 * px_, height = 1.5 * px_;
  const double width = std::min(std::max(4.6 * px_, words), item.box.width());
  const QRectF middle(item.box.center().x() - width / 2, item.box.center().y() - height / 2, width, height);
  p.setBrush(c.panel);
  p.drawRoundedRect(middle, radius(), radius());
  text(middle, item, c.ink);
}

void ScenePainter::text(const QRectF& box, const Item& item, const QColor& colour) {
  if (item.text.isEmpty() || box.width() < 2) return;
  painter_->setPen(colour);
  words_.draw(*painter_, box, {.words = item.text, .fontPx = item.fontPx, .bold = item.bold, .align = item.align});
}

void ScenePainter::digit(const Item& item) {
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  const double ratio = pixelsIn(p);
  const auto pixels = [ratio](double logical) { return static_cast<int>(std::lround(logical * ratio)); };
  const double width = std::clamp(0.045 * item.box.width(), 1.0, 0.22 * px_);
  const DigitImages::Frame frame{(item.owner >= 0 ? theme::replicaColour(item.owner) : c.edge).rgb(),
                                 std::max(1, pixels(width))};
  // The picture is made in its final size: at whole pixels there is nothing to scale.
  const QPointF corner(pixels(item.box.left()) - frame.outside(), pixels(item.box.top()) - frame.outside());
  const QImage picture = images_.picture(*data_, item.example, std::max(1, pixels(item.box.width())), frame);
  p.drawImage(QRectF(corner / ratio, QSizeF(picture.size()) / ratio), picture);
  if (item.strong) {  // the image that the zoomed replica shows
    p.setPen(QPen(c.accent, std::max(2.0, 0.16 * px_)));
    p.setBrush(Qt::NoBrush);
    p.drawRect(item.box);
  }
  if (item.level <= 0) return;
  // A wrong prediction is marked by a folded corner, so that colour is not the only sign.
  const double fold = 0.34 * item.box.width();
  QPainterPath path(item.box.topRight());
  path.lineTo(item.box.right() - fold, item.box.top());
  path.lineTo(item.box.right(), item.box.top() + fold);
  path.closeSubpath();
  p.fillPath(path, c.errorInk);
}

// How likely each class is: a right answer is filled, a wrong one outlined. The likeliest class's name stands where its
// bar is not.
void ScenePainter::answer(const Item& item) {
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  const QRectF &box = item.box, &bars = item.picture;
  const QColor ink = item.strong ? c.ink : c.errorInk;
  if (item.isApart) p.fillRect(QRectF(box.left(), box.bottom(), box.width(), std::max(2.0, 0.16 * px_)), c.second);
  if (item.values == nullptr) return text(box, item, ink);
  const int classes = item.values->width;
  const double width = bars.width() / classes;
  const float* row = item.values->values.data() + static_cast<std::ptrdiff_t>(item.level) * classes;
  const auto likeliest = std::max_element(row, row + classes) - row;
  QRectF corner(box.left(), box.top(), 0.5 * box.width(), 1.1 * item.fontPx);
  if (2 * likeliest < classes && row[likeliest] > 0.5F) corner.moveRight(box.right());
  // The ground is as high as a certain answer, so that a low bar looks unsure.
  for (int i = 0; i < classes; ++i)
    p.fillRect(QRectF(bars.left() + i * width, bars.top(), std::max(1.0, width - 1), bars.height() - 1),
               theme::mix(c.ink, c.panel, 0.09));
  text(corner, item, ink);
  p.fillRect(QRectF(bars.left(), bars.bottom() - 1, bars.width(), 1), c.edge);
  for (int i = 0; i < classes; ++i) {
    const double height = (bars.height() - 1) * static_cast<double>(row[i]);
    const QRectF bar(bars.left() + i * width, bars.bottom() - 1 - height, std::max(1.0, width - 1), height);
    if (i != likeliest) {
      p.fillRect(bar, theme::faint(c.ink, 0.45));
    } else if (item.strong) {
      p.fillRect(bar, c.ink);
    } else {
      p.setPen(QPen(c.errorInk, 1));
      p.setBrush(Qt::NoBrush);
      p.drawRect(bar.adjusted(0.5, 0.5, -0.5, 0));
    }
  }
}

void ScenePainter::scale(const Item& item) {
  const theme::Colours& c = theme::colours();
  values_.draw(*painter_, item.picture, item.values);
  boxes_.draw(*painter_, item.picture, {.fill = Qt::transparent, .edge = c.edge});
  text(QRectF(item.box.left(), item.box.top(), item.picture.left() - item.box.left(), item.box.height()), item,
       c.quietInk);
}

void ScenePainter::cell(const Item& item) {
  if (item.values != nullptr) return valuesIn(item);
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  const QRectF& box = item.box;
  if (item.quiet) {  // not computed yet; zeros are paper
    unknown(box);
  } else {
    boxes_.draw(p, box, {.fill = c.panel});
  }
  if (item.level > 0) {
    QRectF filled =
        item.strong
            ? QRectF(box.right() - box.width() * item.level, box.top(), box.width() * item.level, box.height())
            : QRectF(box.left(), box.bottom() - box.height() * item.level, box.width(), box.height() * item.level);
    if (item.owner >= 0) {
      // The replica's own gradient fills the cell in its hue: nothing was added yet.
      if (!item.strong) filled = box;
      boxes_.draw(p, filled, {.fill = theme::tint(theme::replicaColour(item.owner), 0.55)});
      if (theme::replicaPattern(item.owner) != Qt::SolidPattern) {
        p.setPen(Qt::NoPen);
        p.setBrush(QBrush(theme::replicaColour(item.owner), theme::replicaPattern(item.owner)));
        p.drawRect(filled);
      }
    } else {
      boxes_.draw(p, filled, {.fill = theme::tint(c.ink, item.level >= 1 ? 0.42 : 0.26)});
    }
  }
  if (box.width() > 5) {  // in a narrow cell, a whole pixel of edge would leave nothing
    boxes_.draw(p, box, {.fill = Qt::transparent, .edge = c.edge});
  } else {
    p.setPen(QPen(c.edge, 0.4));
    p.setBrush(Qt::NoBrush);
    p.drawRect(box);
  }
  if (item.quiet) return textOn(item);
  text(box, item, c.ink);
}

void ScenePainter::weights(const Item& item) {
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  const bool empty = item.level <= 0;
  const QColor edge = empty || item.quiet ? c.edge : mix(c.accent, c.ink, item.glow);
  const double width = (empty || item.quiet ? 0.1 : 0.16 + 0.2 * item.glow) * px_;
  const QColor fill = item.glow > 0 ? theme::tint(c.accent, 0.25 * item.glow) : c.panel;
  if (!item.strong && !empty) {
    boxes_.draw(p, item.box, {.fill = fill, .edge = edge, .edgeWidth = width, .radius = item.box.height() / 2});
  } else {
    QPen pen(edge, width);
    if (empty) pen.setStyle(Qt::DashLine);
    p.setPen(pen);
    p.setBrush(fill);
    const double side = std::min(item.box.width(), item.box.height());
    const QRectF disc(item.box.center().x() - side / 2, item.box.center().y() - side / 2, side, side);
    const double radius = item.box.height() / 2;
    item.strong ? p.drawEllipse(disc) : p.drawRoundedRect(item.box, radius, radius);
  }
  Item words = item;
  words.bold = true;
  QRectF room = item.box;
  if (item.strong && !item.bold) {  // the square within a disc
    const double side = 0.86 * std::min(room.width(), room.height());
    room = QRectF(room.center().x() - side / 2, room.top(), side, room.height());
  }
  text(room, words, empty || item.quiet ? c.quietInk : c.ink);
}

void ScenePainter::chip(const Item& item) {
  const theme::Colours& c = theme::colours();
  QPainter& p = *painter_;
  const double radius = item.box.height() / 2;
  QColor ground = mix(c.window, c.panel, 0.8), ink = c.quietInk, edge = c.line;
  if (item.strong && item.bold) {  // the sign of the comparison
    ground = c.accent;
    ink = c.onAccent;
    edge = c.accent;
  } else if (item.strong) {  // staleness
    ground = c.warningGround;
    ink = c.warningInk;
    edge = c.warningInk;
  } else if (item.owner >= 0) {
    edge = hue(item);
    ink = c.ink;
  }
  boxes_.draw(p, item.box, {.fill = ground, .edge = edge, .radius = radius});
  text(item.box.adjusted(0.3 * px_, 0, -0.3 * px_, 0), item, ink);
}

void ScenePainter::outline(const Item& item, bool pinned) {
  QPainter& p = *painter_;
  p.setPen(QPen(theme::colours().accent, (pinned ? 0.26 : 0.16) * px_));
  p.setBrush(Qt::NoBrush);
  if (item.shape == Item::Shape::Link) {
    p.drawPath(item.path);
    return;
  }
  const double grow = 0.12 * px_;
  p.drawRoundedRect(item.box.adjusted(-grow, -grow, grow, grow), 0.4 * px_, 0.4 * px_);
}

}  // namespace lab
