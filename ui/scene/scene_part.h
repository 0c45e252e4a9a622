// SPDX-License-Identifier: GPL-3.0-or-later
// What each part of a scene has while the scene is built: the moment, the canvas that takes its items, and the places.
#pragma once

#include "ui/scene/scene_canvas.h"
#include "ui/scene/scene_moment.h"

namespace lab {

class ScenePart {
 public:
  ScenePart(const SceneMoment& at, SceneCanvas& canvas)  // both must outlive the part
      : at_(at), canvas_(canvas), layout_(canvas.layout()), px_(layout_.px) {}

 protected:
  const SceneMoment& at_;
  SceneCanvas& canvas_;
  const StageLayout& layout_;
  const double px_;
};

}  // namespace lab
