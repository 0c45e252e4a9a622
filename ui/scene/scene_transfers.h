// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers and the links they take: each executed transfer once, from where its elements lie to where they will lie.
#pragma once

#include <QCoreApplication>

#include <vector>

#include "ui/scene/scene_layers.h"
#include "ui/scene/scene_sums.h"

namespace lab {

class SceneTransfers : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneTransfers)

 public:
  SceneTransfers(const ScenePart& part, const SceneLayers& layers, const SceneSums& sums)
      : ScenePart(part), layers_(layers), sums_(sums) {}

  void addLinks();
  void add();

 private:
  void addBroken();
  void breakLink(Item& link, bool deadAtFrom);
  void describe(Item& token, const Span& transfer) const;  // says whose gradients the token carries
  Values valuesOf(const Span& transfer, const QRectF& from) const;
  // Where a piece of the buffer lies on an endpoint: in a replica's strip, or in a server's box.
  QRectF place(int endpoint, const Span& transfer) const;
  QRectF placeOfSums(int endpoint, const Span& transfer) const;
  QPainterPath route(const QRectF& from, const QRectF& to, int fromEndpoint, int toEndpoint) const;

  const SceneLayers& layers_;
  const SceneSums& sums_;
  std::vector<QPointF> broken_;  // where links are broken
};

}  // namespace lab
