// SPDX-License-Identifier: GPL-3.0-or-later
// The painted scene, kept from one frame to the next: only where items have changed is it painted again. What stands
// still is kept without what travels over it, too. It looks pixel for pixel as if it had been painted whole.
#pragma once

#include <QColor>
#include <QFont>
#include <QImage>
#include <QRegion>

#include <span>
#include <vector>

#include "ui/scene/scene_painter.h"
#include "ui/theme/theme_tables.h"

namespace lab {

class StageCanvas {
 public:
  // What does not lie in the scene; a change of any of it paints everything anew.
  struct Setting {
    QSize size;  // in logical pixels
    double ratio = 1;
    QFont font;
    QColor ground;
    theme::Kind theme = theme::Kind::Light;
    const Dataset* data = nullptr;
    Marked marked;
    bool operator==(const Setting&) const = default;
  };

  // Brings the image up to the scene. Returns where it has changed, in logical pixels.
  QRegion paint(Scene scene, const Setting& setting);
  void clear() { painted_ = {}; }       // nothing to show; the next scene is painted whole
  void forget() { painter_.forget(); }  // another run, or another layout: its parts are no longer of use
  const QImage& image() const { return image_; }
  const Scene& scene() const { return painted_; }  // as it was painted last

 private:
  // Which tiles change: of the picture of what stands, and of all.
  struct Changes {
    QRegion ground, all;
  };
  Changes changes(const Scene& scene, std::span<const QRectF> extents) const;
  void paintGround(QPainter& painter, const Scene& scene, const QRect& part);
  void paintAbove(QPainter& painter, const Scene& scene, const QRect& part);
  void see(const Scene& scene, std::size_t begin, std::size_t end, const QRect& part);

  ScenePainter painter_;
  Setting setting_;
  Scene painted_;
  std::vector<QRectF> extents_;    // where the items can leave a trace
  std::vector<const Item*> seen_;  // while painting: in the part at hand
  QImage ground_, image_, scratch_;
};

}  // namespace lab
