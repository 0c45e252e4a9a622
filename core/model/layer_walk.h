// SPDX-License-Identifier: GPL-3.0-or-later
// The order of a pass through a network's layers, there and back, whoever computes them: the processor (layer_pass.h)
// or a GPU (cluster/gpu/gpu_layers.h). A layer may stop it, where a synchronised batch normalisation needs what the
// other replicas have summed; it goes on there.
#pragma once

#include <cstddef>
#include <functional>

#include "core/model/neural_network.h"

namespace lab {

// Called around each of NeuralNetwork::operations(); may be empty.
using OperationObserver = std::function<void(int operation, bool begin)>;

class LayerWalk {
 public:
  // Goes on to the end (true), or until sums are to be exchanged between all replicas, in each of them.
  bool run();
  // In training it then stops once more, between forward and backward; isTurning() where it has.
  void stopToTurn() { stopsToTurn_ = true; }
  bool isTurning() const { return isTurning_; }

 protected:
  // `network` outlives it. `training`: back as well.
  LayerWalk(const NeuralNetwork& network, bool training, OperationObserver observer);
  LayerWalk(const LayerWalk&) = default;
  ~LayerWalk() = default;

  virtual void begin() = 0;  // before the first layer
  virtual bool forward(std::size_t layer) = 0;
  virtual void loss() = 0;
  virtual bool backward(std::size_t layer) = 0;

  const NeuralNetwork& network_;
  std::size_t first_ = 0;    // layer that has a gradient to compute
  bool exchanging_ = false;  // the present layer has stopped, and is not through yet

 private:
  void enter(int operation);
  void leave();
  int operationOf(std::size_t layer, bool backward) const;

  const bool training_;
  const OperationObserver observer_;
  std::size_t at_ = 0;
  bool begun_ = false, back_ = false;
  bool stopsToTurn_ = false, isTurning_ = false;
  int operation_ = -1;  // that the observer was told of
};

}  // namespace lab
