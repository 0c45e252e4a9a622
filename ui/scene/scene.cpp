// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene.h"

#include "ui/scene/scene_builder.h"

namespace lab {

Object Scene::objectAt(const QPointF& point) const {
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    if (!item->object || item->opacity < 0.05) continue;
    if (item->shape == Item::Shape::Link) {
      QPainterPathStroker stroker;
      stroker.setWidth(0.6 * px);
      if (stroker.createStroke(item->path).contains(point)) return item->object;
    } else if (item->box.contains(point)) {
      return item->object;
    }
  }
  return {};
}

Scene makeScene(const SceneInput& input) {
  return SceneBuilder(input).build();
}

}  // namespace lab
