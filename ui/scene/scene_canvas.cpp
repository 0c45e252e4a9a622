// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_canvas.h"

#include <algorithm>

#include "ui/i18n/words.h"

namespace lab {

double easeInOut(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

QRectF between(const QRectF& a, const QRectF& b, double t) {
  return {a.left() + (b.left() - a.left()) * t, a.top() + (b.top() - a.top()) * t,
          a.width() + (b.width() - a.width()) * t, a.height() + (b.height() - a.height()) * t};
}

double widthOf(const QString& words, double fontPx, bool bold) {
  double em = 0;
  for (const QChar letter : words) {
    const bool small = letter.unicode() >= 0x2080 && letter.unicode() <= 0x2089;  // an index
    const bool thin = QStringLiteral("iljtf.,:;|·' ").contains(letter);
    const bool wide = letter == QLatin1Char('m') || letter == QLatin1Char('W') || letter == QLatin1Char('M');
    em += small ? 0.45 : thin ? 0.36 : wide ? 1.02 : letter.isUpper() ? 0.74 : letter == QLatin1Char('w') ? 0.83 : 0.63;
  }
  return em * fontPx * (bold ? 1.1 : 1);
}

QString longestThatFits(const QStringList& words, double width, double fontPx, bool bold) {
  for (const QString& each : words)
    if (widthOf(each, fontPx, bold) <= width) return each;
  return words.last();
}

double weightsFontPx(const QString& name, const QSizeF& badge, bool disc, double largest) {
  const double room = disc ? 0.86 * std::min(badge.width(), badge.height()) : badge.width() - 0.5 * badge.height();
  return std::min(largest, room / widthOf(name, 1, true));
}

QSize resolutionOf(const QRectF& box) {
  constexpr double kLeastHeight = 5, kSide = 3;  // pixels
  if (box.width() < kNarrowestPicture || box.height() < kLeastHeight) return {};
  return (box.size() / kSide).toSize().expandedTo({1, 1});
}

SceneCanvas::SceneCanvas(const StageLayout& layout) : layout_(layout) {
  scene_.size = layout.size;
  scene_.px = layout.px;
  scene_.items.reserve(1024);  // most moments need fewer
}

Item& SceneCanvas::add(Item::Shape shape, const QRectF& box, const Object& object) {
  Item& item = scene_.items.emplace_back();
  item.shape = shape;
  item.box = box;
  item.object = object;
  return item;
}

Item& SceneCanvas::text(const QRectF& box, const QString& words, double scale, Qt::Alignment align) {
  Item& item = add(Item::Shape::Text, box);
  item.text = words;
  item.fontPx = scale * scene_.px;
  item.align = align;
  return item;
}

Item& SceneCanvas::fitted(const QRectF& box, const QStringList& forms, double scale, Qt::Alignment align, bool bold) {
  Item& item = text(box, longestThatFits(forms, box.width(), scale * scene_.px, bold), scale, align);
  item.bold = bold;
  return item;
}

Item& SceneCanvas::chip(const QRectF& box, const QString& words, const Object& object) {
  Item& item = add(Item::Shape::Chip, box, object);
  item.text = words;
  item.fontPx = 0.85 * scene_.px;
  return item;
}

Item& SceneCanvas::term(const QRectF& picture, const Values& values, const Object& object) {
  Item& item = add(Item::Shape::Term, picture, object);
  item.values = values;
  item.level = values != nullptr ? 1 : 0;
  item.fontPx = 0.85 * scene_.px;
  return item;
}

bool SceneCanvas::coversWords(const QRectF& box) const {
  return std::ranges::any_of(scene_.items, [&box](const Item& item) {
    const bool stands = item.shape == Item::Shape::Text || item.shape == Item::Shape::Weights;
    if (!stands || item.text.isEmpty()) return false;
    QRectF ink(0, 0, std::min(widthOf(item.text, item.fontPx, item.bold), item.box.width()),
               std::min(item.fontPx, item.box.height()));
    ink.moveCenter(item.box.center());
    if (item.align.testFlag(Qt::AlignLeft)) ink.moveLeft(item.box.left());
    if (item.align.testFlag(Qt::AlignRight)) ink.moveRight(item.box.right());
    return ink.intersects(box);
  });
}

void SceneCanvas::hideLayerNames(const QRectF& box, int replica) {
  for (Item& item : scene_.items)
    if (item.shape == Item::Shape::Layer && item.owner == replica && item.box.intersects(box)) item.text.clear();
}

QString SceneCanvas::colourScaleText(double scale) {
  return tr("colour scale: ±%1").arg(numberText(scale));
}

}  // namespace lab
