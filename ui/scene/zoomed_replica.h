// SPDX-License-Identifier: GPL-3.0-or-later
// The replica that fills the stage: one of its images, the output of every layer for it, the layers' kernels and their
// gradients, all at the moment shown; and, for the value under the pointer, the sum behind it. Used only by scene*.cpp.
#pragma once

#include <QCoreApplication>

#include <cstdint>
#include <vector>

#include "core/replay/layer_outputs.h"
#include "ui/scene/scene_layers.h"

namespace lab {

class ZoomedReplica : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::ZoomedReplica)

 public:
  // The canvas's layout must have a zoomed replica.
  ZoomedReplica(const ScenePart& part, const SceneLayers& layers);

  void addNetwork();  // what stands still
  void explain();     // what lies above the network

 private:
  struct Shown {  // a layer's part of the stage
    std::size_t layer = 0;
    QRectF box;
  };
  void layOutLayers();
  void addPageWords();
  int operationFor(std::size_t layer) const;  // the forward operation of this layer, or of the layer that computes it
                                              // along
  bool isKnown(std::size_t layer) const;      // true if the layer's output is known at this moment
  // The finished share of the layer's forward pass, 0 to 1. Maps fill line by line meanwhile; the real order is not
  // recorded.
  double filled(std::size_t layer) const;
  // The place that is filled next, in a grid of this width and height.
  static QPoint nextPlace(double filled, int width, int height);
  void addImage();
  void addLayer(const Shown& shown);
  QString wordsOf(std::size_t layer) const;  // the layer's shape, and the range of its values
  void addMaps(const Shown& shown, const QRectF& room, double filled);
  void addUnits(const Shown& shown, const QRectF& room);
  void addLoss(double share, const QRectF& room, double font);
  void addClasses(const Shown& shown, const QRectF& room);
  void addKernel(const Shown& shown, const QRectF& room);
  // The value under the pointer, or the largest one of the chosen unit; `at`: its place in the map.
  const Item* explained(QPoint& at) const;
  void addWindow(std::size_t layer, std::int64_t channel, const UnitSum& unit);
  UnitSum sumOf(std::size_t layer, std::int64_t channel, const QPoint& at) const;
  void slide();  // moves the windows while maps fill
  void takePage(std::size_t most);
  QString addends(const NetworkLayer& layer, const StepPictures::LayerValues& all, std::size_t place) const;
  static QStringList sumLines(const NetworkLayer& layer, const UnitSum& unit, double value);
  void addCard(const QRectF& about, const QString& title, const QStringList& grid, std::int64_t columns,
               const QStringList& lines);

  const SceneLayers& layers_;
  const StageColumn& column_;
  const int replica_;
  const ReplicaStep* batch_;  // null: no batch yet
  std::size_t image_ = 0;     // the image that is shown; its position in the shard
  bool past_;                 // the batch before, of which the record has no gradient
  std::vector<Shown> shown_;  // layers that have room
  bool isPage_ = false;       // they are a part of those that should
};

}  // namespace lab
