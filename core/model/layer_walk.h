// SPDX-License-Identifier: GPL-3.0-or-later
// The order of a pass through a network's layers, forward and backward, for the processor (layer_pass.h) and for a GPU
// (replicas/gpu/gpu_layers.h). A layer may stop the pass if a synchronised batch normalisation needs the sums of all
// replicas; the pass then continues at that layer.
#pragma once

#include <cstddef>
#include <functional>

#include "core/model/neural_network.h"

namespace lab {

// Called before and after each of NeuralNetwork::operations(); may be empty.
using OperationObserver = std::function<void(int operation, bool begin)>;

class LayerWalk {
 public:
  // Continues to the end (true), or until all replicas must exchange sums (false), in each replica alike.
  bool run();
  // Makes run() stop once more in training, between forward and backward; isTurning() is true there.
  void stopToTurn() { stopsToTurn_ = true; }
  bool isTurning() const { return isTurning_; }

 protected:
  // `network` must outlive this object. `training`: the pass includes backward.
  LayerWalk(const NeuralNetwork& network, bool training, OperationObserver observer);
  LayerWalk(const LayerWalk&) = default;
  ~LayerWalk() = default;

  virtual void begin() = 0;  // before the first layer
  virtual bool forward(std::size_t layer) = 0;
  virtual void loss() = 0;
  virtual bool backward(std::size_t layer) = 0;

  const NeuralNetwork& network_;
  std::size_t first_ = 0;    // first layer that has a gradient to compute
  bool exchanging_ = false;  // the present layer has stopped and is not finished

 private:
  void enter(int operation);
  void leave();
  int operationOf(std::size_t layer, bool backward) const;

  const bool training_;
  const OperationObserver observer_;
  std::size_t at_ = 0;
  bool begun_ = false, back_ = false;
  bool stopsToTurn_ = false, isTurning_ = false;
  int operation_ = -1;  // the operation last reported to the observer
};

}  // namespace lab
