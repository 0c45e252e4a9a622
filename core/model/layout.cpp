// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layout.h"

#include <algorithm>

#include "core/base/aligned_buffer.h"
#include "core/base/error.h"

namespace lab {

Layout::Layout(std::vector<Variable> variables) : variables_(std::move(variables)) {
  for (auto variable = variables_.rbegin(); variable != variables_.rend(); ++variable) {
    variable->size = 1;
    for (const std::int64_t extent : variable->shape) variable->size *= extent;
    LAB_CHECK(variable->size > 0);
    variable->offset = size_;
    size_ += variable->size;
  }
}

const Variable& Layout::find(std::string_view name) const {
  const auto found = std::ranges::find(variables_, name, &Variable::name);
  LAB_CHECK(found != variables_.end());
  return *found;
}

std::int64_t Layout::alignmentLead() const {
  constexpr std::int64_t kFloats = kCacheLineBytes / sizeof(float);
  const auto largest = std::ranges::max_element(variables_, {}, &Variable::size);
  return largest == variables_.end() ? 0 : (kFloats - largest->offset % kFloats) % kFloats;
}

}  // namespace lab
