// SPDX-License-Identifier: GPL-3.0-or-later
// What the stage shows: the run's layout, the scene painted in it, and the transition from the layout before.
#pragma once

#include <functional>
#include <utility>

#include "ui/stage/stage_canvas.h"
#include "ui/stage/stage_change.h"

namespace lab {

class Playback;

class StagePicture {
 public:
  // `update` is called for each frame of a transition; `playback` says whether motion is to be reduced.
  StagePicture(std::function<void()> update, const Playback& playback);

  // Beside other lanes on a large screen the stage is narrow and high, so its letters would be much smaller than the
  // window's.
  void setBeside(bool beside) { beside_ = beside; }
  bool isBeside() const { return beside_; }
  // If true, cards glide to their new places after a change of layout, unless reduced motion is on.
  void setGlides(bool glides) { glides_ = glides; }
  bool isGliding() const { return change_.isMoving(); }

  // Makes the layout if it is not that of the run, this size and the zoomed replica (-1: none).
  void arrange(const RunInfo& info, const QSizeF& size, int zoomed, bool isOtherRun);
  void clear();  // nothing to show
  // Returns where the picture has changed, in logical pixels.
  QRegion draw(Scene scene, const StageCanvas::Setting& setting) { return canvas_.paint(std::move(scene), setting); }

  const StageLayout& layout() const { return layout_; }
  const Scene& scene() const { return canvas_.scene(); }  // as drawn last; empty while there is nothing to show
  double ratio() const { return canvas_.image().devicePixelRatio(); }
  int replicaAt(const QPointF& point) const;  // -1: no replica that can be zoomed into

  void paint(QPainter& painter, const QRegion& region, const QColor& ground) const;
  // While there is nothing to show: paints the picture before, for a short time. Returns false if there is none.
  bool paintWaiting(QPainter& painter) const;

 private:
  void leave();  // before the painted layout is replaced
  double leastText() const;

  const Playback& playback_;
  StageCanvas canvas_;
  StageChange change_;
  StageLayout layout_;
  double leastText_ = 0;  // the value for which layout_ was made
  bool beside_ = false, glides_ = false;
};

}  // namespace lab
