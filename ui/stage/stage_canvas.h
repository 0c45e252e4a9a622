// SPDX-License-Identifier: GPL-3.0-or-later
// The painted scene, cached from frame to frame: only areas with changed items are painted again. What stands still is
// also cached without what travels above it. The result equals a full painting pixel for pixel.
#pragma once

#include <QColor>
#include <QFont>
#include <QImage>
#include <QRegion>

#include <span>
#include <vector>

#include "ui/painting/scene_painter.h"
#include "ui/theme/theme_tables.h"

namespace lab {

class StageCanvas {
 public:
  // What is not part of the scene; a change of any of these repaints everything.
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

  // Updates the image to the scene. Returns where it has changed, in logical pixels.
  QRegion paint(Scene scene, const Setting& setting);
  // Draws the scene that was painted last for paper: lines, areas and words, which stay sharp at any resolution.
  void paintOnPaper(QPainter& painter) const;
  void clear() { painted_ = {}; }       // nothing to show; the next scene is painted in full
  void forget() { painter_.forget(); }  // for another run or layout: cached parts are no longer of use
  const QImage& image() const { return image_; }
  const Scene& scene() const { return painted_; }  // as painted last

 private:
  // The changed tiles: of the picture of what stands still, and of the whole.
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
  std::vector<QRectF> extents_;    // the areas that items can paint on
  std::vector<const Item*> seen_;  // while painting: the items visible in the current part
  QImage ground_, image_, scratch_;
};

}  // namespace lab
