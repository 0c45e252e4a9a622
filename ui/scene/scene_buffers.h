// SPDX-License-Identifier: GPL-3.0-or-later
// The replicas' gradient buffers: a strip each, in pictures that show how much of the sum they contain; the names of
// what a strip holds, and of the variables that lie there.
#pragma once

#include <QCoreApplication>

#include <cstddef>
#include <vector>

#include "ui/scene/scene_part.h"

namespace lab {

class SceneBuffers : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneBuffers)

 public:
  explicit SceneBuffers(const ScenePart& part) : ScenePart(part), map_(at_.step.pictures().map()) {}

  void addStrip(int replica);
  void nameStrip(const StageColumn& column);
  void nameVariables(const StageColumn& column);
  // Marks where variables end within a piece of the buffer; between named layers the marks extend beyond it.
  void addEdges(const QRectF& picture, const BufferRange& range, double opacity = 1, bool overhangs = false);
  QStringList sumNames(int endpoint) const;  // of a whole sum, without the replicas that came too late
  static QString meanText() { return tr("mean"); }

 private:
  QStringList stripNames(int replica) const;
  std::size_t endOfPicture(double stripWidth, std::size_t first) const;
  const std::vector<std::size_t>& picturesIn(double stripWidth);

  const BufferMap& map_;
  double pictureWidth_ = -1;              // of the strips that pictureEnds_ is for
  std::vector<std::size_t> pictureEnds_;  // one past the last cell of each picture of a strip
};

}  // namespace lab
