// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/gradient_slots.h"

#include <algorithm>
#include <utility>

#include "core/base/at.h"

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;

}  // namespace

bool handsOn(const NetworkLayer& layer) {
  return layer.kind == Kind::Flatten || layer.kind == Kind::Add || (layer.kind == Kind::Dropout && layer.rate <= 0) ||
         (layer.kind == Kind::Activation && layer.function == ActivationFunction::None);
}

// Follows LayerPass's backward pass, assuming that no layer is fused with another.
int GradientSlots::needed(const NeuralNetwork& network) {
  GradientSlots slots(network);
  for (std::size_t i = network.layers().size(); i-- > 0;) {
    const NetworkLayer& layer = network.layers()[i];
    for (std::size_t which = 0; which < layer.inputs.size(); ++which) {
      const int from = layer.inputs[which];
      if (from < 0 || !at(network.layers(), from).trains) continue;
      const auto to = static_cast<std::size_t>(from);
      const bool isLast = which + 1 == layer.inputs.size(), owns = slots.of(i) != kNone;
      if (slots.of(to) != kNone) {
        if (!handsOn(layer)) slots.giveBack(slots.borrow());
      } else if (handsOn(layer) && isLast && owns) {
        slots.handOver(i, to);
      } else {
        slots.take(to);
      }
    }
    slots.release(i);
  }
  return slots.count();
}

void GradientSlots::handOver(std::size_t from, std::size_t to) {
  slots_[to] = std::exchange(slots_[from], kNone);
}

void GradientSlots::release(std::size_t layer) {
  if (const int slot = std::exchange(slots_[layer], kNone); slot != kNone) giveBack(slot);
}

int GradientSlots::borrow() {
  const auto free = std::ranges::find(used_, false);
  const auto slot = static_cast<std::size_t>(free - used_.begin());
  if (free == used_.end())
    used_.push_back(true);
  else
    used_[slot] = true;
  return static_cast<int>(slot);
}

}  // namespace lab
