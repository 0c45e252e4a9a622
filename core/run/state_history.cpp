// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/state_history.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace lab {
namespace {

std::int64_t bytesOf(const nlohmann::json& json) {
  std::int64_t bytes = static_cast<std::int64_t>(sizeof json);
  if (json.is_structured())
    for (const nlohmann::json& element : json) bytes += bytesOf(element);
  if (json.is_string()) bytes += std::ssize(json.get_ref<const std::string&>());
  return bytes;
}

std::int64_t bytesOf(const Checkpoint& state) {
  std::int64_t bytes = bytesOf(state.config) + bytesOf(state.state);
  for (const auto& [name, tensor] : state.tensors.tensors)
    bytes += static_cast<std::int64_t>(tensor.values.capacity() * sizeof(float));
  for (const auto& [name, text] : state.tensors.metadata) bytes += std::ssize(text);
  return bytes;
}

}  // namespace

std::int64_t stepOf(const Checkpoint& state) {
  return state.state.at("step").get<std::int64_t>();
}

void StateHistory::keep(std::shared_ptr<const Checkpoint> state) {
  Kept added{stepOf(*state), bytesOf(*state), std::move(state)};
  std::vector<Kept> dropped;  // freed after the lock
  const std::lock_guard lock(mutex_);
  LAB_CHECK(kept_.empty() || kept_.back().step < added.step);
  bytes_ += added.bytes;
  kept_.push_back(std::move(added));
  while (bytes_ > budgetBytes_ && kept_.size() > 1) {
    std::vector<Kept> left;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (i % 2 != 0) bytes_ -= kept_[i].bytes;
      (i % 2 == 0 ? left : dropped).push_back(std::move(kept_[i]));
    }
    kept_ = std::move(left);
    spacing_ *= 2;
  }
}

std::shared_ptr<const Checkpoint> StateHistory::atOrBefore(std::int64_t step) const {
  const std::lock_guard lock(mutex_);
  const auto after = std::ranges::lower_bound(kept_, step, {}, &Kept::step);
  return after == kept_.begin() ? nullptr : std::prev(after)->state;
}

std::int64_t StateHistory::spacing() const {
  const std::lock_guard lock(mutex_);
  return spacing_;
}
std::int64_t StateHistory::states() const {
  const std::lock_guard lock(mutex_);
  return std::ssize(kept_);
}
std::int64_t StateHistory::capacity() const {
  const std::lock_guard lock(mutex_);
  return kept_.empty() ? 0 : budgetBytes_ / std::max<std::int64_t>(1, kept_.front().bytes);
}
std::int64_t StateHistory::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace lab
