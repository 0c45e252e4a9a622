// SPDX-License-Identifier: GPL-3.0-or-later
// Where each variable of the network lies in one flat buffer of floats. Parameters, gradients and optimizer slots all
// use the same layout, so that an optimizer, a norm or an all-reduce works on one span.
// Memory order is the reverse of creation order: tf.distribute packs gradients last layer first
// (cross_device_utils.py), and so a pack is a plain subspan, without a copy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/variable_part.h"

namespace lab {

struct Variable {
  std::string name;                 // Keras's, "conv2d/kernel"
  std::vector<std::int64_t> shape;  // Keras's
  std::int64_t offset = 0;          // first element in the flat buffer
  std::int64_t size = 0;            // elements
};

class Layout {
 public:
  // `variables` in creation order with name and shape; offsets and sizes are filled in here.
  explicit Layout(std::vector<Variable> variables);

  const std::vector<Variable>& variables() const { return variables_; }  // in creation order
  const Variable& find(std::string_view name) const;                     // a missing name is a broken invariant
  std::int64_t size() const { return size_; }                            // elements in total
  std::int64_t bytes() const { return size_ * 4; }

  // Returns how many floats to leave free at the start of a 64-byte aligned buffer, so that the largest variable begins
  // on a cache line.
  std::int64_t alignmentLead() const;

 private:
  std::vector<Variable> variables_;
  std::int64_t size_ = 0;
};

}  // namespace lab
