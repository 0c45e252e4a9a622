// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a scene. The painter decides how things look; the scene says what they are and where.
#pragma once

#include <QHash>
#include <QPainter>

#include <span>

#include "ui/painting/box_images.h"
#include "ui/painting/digit_images.h"
#include "ui/painting/link_images.h"
#include "ui/painting/value_images.h"
#include "ui/painting/word_layouts.h"
#include "ui/scene/scene.h"

namespace lab {

// The objects that are outlined wherever they appear.
struct Marked {
  Object selected, hovered;
  ObjectKinds lit;

  bool none() const { return !selected && !hovered && lit.none(); }
  bool has(const Object& object) const {
    return object && (object == selected || object == hovered || lit.has(object.kind));
  }
  bool operator==(const Marked&) const = default;
};

class ScenePainter {
 public:
  void paint(QPainter& painter, const Scene& scene, const Dataset& data, const Marked& marked);
  // Sets the font of all words, except for size and weight. Call before anything is painted.
  void setFont(const QFont& font);
  // Painting in two parts, so that what stands still can be cached: first the items alone, then the outlines above
  // them. `items`: all of the scene's items, or only those visible in the painted area; back to front. `px`: the
  // scene's.
  void paintItems(QPainter& painter, std::span<const Item* const> items, double px, const Dataset& data,
                  const Marked& marked);
  void paintOutlines(QPainter& painter, std::span<const Item* const> items, double px, const Marked& marked);

  // Drops what was cached for another run's picture, which has another layout.
  void forget() {
    images_.clear();
    linkImages_.clear();
    boxes_.clear();
    values_.clear();
    words_.clear();
  }

  // The area that an item can paint on; `px` is the scene's.
  static QRectF extentOf(const Item& item, double px);

 private:
  void item(const Item& item);
  void panel(const Item& item);
  void tray(const Item& item);
  void layer(const Item& item);
  void token(const Item& item);
  void lift(const QRectF& box);
  void hatch(const Item& item);
  void text(const QRectF& box, const Item& item, const QColor& colour);
  void digit(const Item& item);
  void answer(const Item& item);
  void scale(const Item& item);
  void cell(const Item& item);
  void term(const Item& item);
  void unknown(const QRectF& box);
  void valuesIn(const Item& item);
  void apart(const Item& item);
  void textOn(const Item& item);
  void weights(const Item& item);
  void chip(const Item& item);
  double radius() const { return 0.45 * px_; }
  const QColor& inkOn(const QColor& ground);
  void outline(const Item& item, bool pinned);

  DigitImages images_;
  LinkImages linkImages_;
  BoxImages boxes_;
  ValueImages values_;
  WordLayouts words_;
  QHash<QRgb, QColor> inks_;  // by ground
  // Only while painting.
  QPainter* painter_ = nullptr;
  const Dataset* data_ = nullptr;
  double px_ = 12;
};

}  // namespace lab
