// SPDX-License-Identifier: GPL-3.0-or-later
// Which buffer has the gradient by which layer's output on the way back through a network. A buffer is free again once
// its layer is done: a chain needs two, whatever its length.
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/neural_network.h"

namespace lab {

class GradientSlots {
 public:
  static constexpr int kNone = -1;

  explicit GradientSlots(const NeuralNetwork& network) : slots_(network.layers().size(), kNone) {}

  // Buffers that a way back needs at most.
  static int needed(const NeuralNetwork& network);

  int of(std::size_t layer) const { return slots_[layer]; }  // kNone: no gradient has come yet
  int take(std::size_t layer) { return slots_[layer] = borrow(); }
  void handOver(std::size_t from, std::size_t to);  // what is for one is for the other
  void release(std::size_t layer);                  // may have none
  int borrow();                                     // for no layer
  void giveBack(int slot) { used_[static_cast<std::size_t>(slot)] = false; }
  int count() const { return static_cast<int>(used_.size()); }  // that were ever in use at once

 private:
  std::vector<int> slots_;  // of each layer
  std::vector<bool> used_;
};

// Whether the gradient by each of the layer's inputs is the one by its output, number by number, once relu has seen it.
bool handsOn(const NetworkLayer& layer);

}  // namespace lab
