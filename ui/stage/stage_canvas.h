// SPDX-License-Identifier: GPL-3.0-or-later
// The painted scene, kept from one frame to the next: only where items have changed is it painted again. It looks pixel
// for pixel as if it had been painted whole.
#pragma once

#include <QColor>
#include <QFont>
#include <QImage>
#include <QRegion>

#include "ui/stage/scene_painter.h"

namespace lab {

class StageCanvas {
 public:
  // What does not lie in the scene; a change of any of it paints everything anew.
  struct Setting {
    QSize size;  // in logical pixels
    double ratio = 1;
    QFont font;
    QColor ground;
    bool dark = false;
    const Dataset* data = nullptr;
    Object selected, hovered;
    bool operator==(const Setting&) const = default;
  };

  const QImage& paint(const Scene& scene, const Setting& setting);

 private:
  QRegion changes(const Scene& scene) const;

  ScenePainter painter_;
  Setting setting_;
  Scene painted_;
  QImage image_, scratch_;
};

}  // namespace lab
