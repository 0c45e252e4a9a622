// SPDX-License-Identifier: GPL-3.0-or-later
// A replica: its device, its tray, its layers, its copy of the weights, its gradient buffer.
#pragma once

#include <QCoreApplication>

#include <optional>

#include "ui/scene/scene_buffers.h"
#include "ui/scene/scene_layers.h"

namespace lab {

class SceneColumns : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneColumns)

 public:
  SceneColumns(const ScenePart& part, SceneLayers& layers, SceneBuffers& buffers)
      : ScenePart(part), layers_(layers), buffers_(buffers) {}

  void add(const StageColumn& column);
  struct Header {
    QString name, hardware;
    double hardwarePx = 0;
    std::optional<QRectF> badge, hardwareBox;  // empty if there is no room
  };
  Header headerOf(const StageColumn& column) const;
  Item& addBadge(const StageColumn& column, const QRectF& box);
  void addLoss(const StageColumn& column, const QRectF& box, Qt::Alignment align = Qt::AlignCenter);
  QRectF chipPlace(const StageColumn& column, double width) const;

 private:
  void addBrief(const StageColumn& column);
  void addTrayWords(const StageColumn& column);
  void addWaiting(const StageColumn& column);
  void addWeights(const StageColumn& column);
  void addIdleness(const StageColumn& column);
  QString idleness(int replica) const;  // what a worker does while its layers rest; "" while they compute
  bool waits(int replica) const;        // true if the replica has nothing to do until others are ready
  QString voteText(int replica) const;  // "1/12"

  SceneLayers& layers_;
  SceneBuffers& buffers_;
};

}  // namespace lab
