// SPDX-License-Identifier: GPL-3.0-or-later
// A replica's layers as they compute: their names, the values of their kernels, what they output for the first image.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "ui/scene/scene_part.h"

namespace lab {

class SceneLayers : private ScenePart {
 public:
  explicit SceneLayers(const ScenePart& part);

  void add(const StageColumn& column);
  // Gives an item what the layer's kernel holds: tiles of filters for a first convolution, otherwise all values.
  void addValues(Item& item, const NetworkLayer& layer, std::int64_t version, double labelWidth,
                 double outputWidth) const;
  // Where a column shows an operation of a network that exchanges sums; null: nowhere.
  const QRectF* boxOf(const StageColumn& column, int operation) const;

 private:
  void light(Item& item, const NetworkLayer& layer, int replica) const;
  double widthOfLabel(const StageColumn& column, const QRectF& box) const;
  // The right part of a layer's row, for the layer's output for the replica's first image; empty: no room.
  QRectF outputRoom(const StageColumn& column, const QRectF& box, double labelWidth) const;
  void addOutput(const StageColumn& column, const NetworkLayer& layer, const QRectF& room);

  const BaseStep* base_;                         // the step whose weights can be compared with this one's; null: none
  std::map<std::pair<int, int>, QRectF> boxes_;  // by column and operation; for networks that exchange sums
};

}  // namespace lab
