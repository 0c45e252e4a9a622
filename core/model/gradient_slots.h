// SPDX-License-Identifier: GPL-3.0-or-later
// Which buffer holds the gradient by which layer's output during the backward pass. A buffer is free again once its
// layer is done: a chain needs two, whatever its length.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/at.h"
#include "core/model/neural_network.h"

namespace lab {

class GradientSlots {
 public:
  static constexpr int kNone = -1;

  explicit GradientSlots(const NeuralNetwork& network) : slots_(network.layers().size(), kNone) {}

  // Returns the most buffers that a backward pass needs.
  static int needed(const NeuralNetwork& network);

  int of(std::size_t layer) const { return slots_[layer]; }  // kNone: no gradient has arrived yet
  int take(std::size_t layer) { return slots_[layer] = borrow(); }
  void handOver(std::size_t from, std::size_t to);  // passes the buffer of one layer to another
  void release(std::size_t layer);                  // the layer may have no buffer
  int borrow();                                     // a buffer for no layer
  void giveBack(int slot) { at(used_, slot) = false; }
  int count() const { return static_cast<int>(used_.size()); }  // the most that were in use at once

 private:
  std::vector<int> slots_;  // per layer
  std::vector<bool> used_;
};

// Returns whether the gradient by each of the layer's inputs equals the gradient by its output, element by element,
// after relu has been applied.
bool handsOn(const NetworkLayer& layer);

}  // namespace lab
