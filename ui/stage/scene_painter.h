// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a scene. What a thing looks like is decided here; where and what it is, in the scene.
#pragma once

#include <QPainter>

#include "ui/stage/digit_images.h"
#include "ui/stage/scene.h"

namespace lab {

class ScenePainter {
 public:
  // `selected` and `hovered` are outlined wherever they appear.
  // Of items that lie outside of `part` nothing need be seen; null: all of it is wanted.
  void paint(QPainter& painter, const Scene& scene, const Dataset& data, const Object& selected, const Object& hovered,
             const QRectF& part = {});

  // Where an item can leave a trace; `px` is the scene's.
  static QRectF extentOf(const Item& item, double px);

 private:
  void item(const Item& item);
  void text(const QRectF& box, const Item& item, const QColor& colour);
  void digit(const Item& item);
  void cell(const Item& item);
  void weights(const Item& item);
  void chip(const Item& item);
  void outline(const Item& item, bool pinned);

  DigitImages images_;
  // Only while painting.
  QPainter* painter_ = nullptr;
  const Dataset* data_ = nullptr;
  double px_ = 12;
};

}  // namespace lab
