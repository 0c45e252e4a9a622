// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_walk.h"

#include <algorithm>
#include <utility>

namespace lab {

LayerWalk::LayerWalk(const NeuralNetwork& network, bool training, OperationObserver observer)
    : network_(network), training_(training), observer_(std::move(observer)) {
  while (network.layers()[first_].forward < 0) ++first_;
}

bool LayerWalk::run() {
  if (!std::exchange(begun_, true)) begin();
  for (; !back_ && at_ < network_.layers().size(); ++at_) {
    enter(operationOf(at_, false));
    if (!forward(at_)) return leave(), false;
  }
  if (!back_) {
    leave();
    enter(network_.lossOperation());
    loss();
    leave();
    if (!training_) return true;
    back_ = isTurning_ = true;
    if (stopsToTurn_) return false;
  }
  isTurning_ = false;
  for (; at_ > first_; --at_) {
    enter(operationOf(at_ - 1, true));
    if (!backward(at_ - 1)) return leave(), false;
  }
  leave();
  return true;
}

// Returns a layer's operation. A layer without one belongs to the operation of the layer before it, or of the first.
int LayerWalk::operationOf(std::size_t layer, bool backward) const {
  std::size_t owner = layer;
  while (owner > 0 && network_.layers()[owner].forward < 0) --owner;
  owner = std::max(owner, first_);
  return backward ? network_.layers()[owner].backward : network_.layers()[owner].forward;
}

void LayerWalk::enter(int operation) {
  if (!observer_ || operation == operation_) return;
  leave();
  operation_ = operation;
  observer_(operation, true);
}

void LayerWalk::leave() {
  if (operation_ >= 0) observer_(operation_, false);
  operation_ = -1;
}

}  // namespace lab
