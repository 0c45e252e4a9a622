// SPDX-License-Identifier: GPL-3.0-or-later
// The objects on the stage for screen readers, keys and tips: each with its place, a name such as "device R0, conv2d
// forward, step 118", and its figures in words.
#pragma once

#include <QCoreApplication>
#include <QRectF>

#include <vector>

#include "ui/step/object.h"

namespace lab {

struct Description;
struct Scene;
class Playback;
class Selection;
class ShownStep;

class StageObjects {
  Q_DECLARE_TR_FUNCTIONS(lab::StageObjects)

 public:
  // `scene`: as painted last.
  StageObjects(const Scene& scene, const ShownStep& step, const Playback& playback, Selection& selection);

  std::vector<Object> all() const;  // now, in reading order
  QRectF placeOf(const Object& object) const;
  QString nameOf(const Object& object) const;
  QString descriptionOf(const Object& object) const;
  QString tipOf(const Object& object, int zoomed) const;  // `zoomed`: the replica that fills the stage; -1: none

  const Object& chosen() const;  // the pinned one
  void choose(const Object& object) const;
  // Chooses the next or the previous object, if `far` of another kind. Returns false if there is none at all.
  bool chooseNext(bool forward, bool far) const;

 private:
  Description description(const Object& object) const;
  QString digitTip(const Object& object) const;

  const Scene& scene_;
  const ShownStep& step_;
  const Playback& playback_;
  Selection& selection_;
};

}  // namespace lab
