// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/state_history.h"

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace lab {
namespace {

std::int64_t bytesOf(const nlohmann::json& value) {
  std::int64_t bytes = static_cast<std::int64_t>(sizeof value);
  if (value.is_structured())
    for (const nlohmann::json& element : value) bytes += bytesOf(element);
  if (value.is_string()) bytes += std::ssize(value.get_ref<const std::string&>());
  return bytes;
}

std::int64_t bytesOf(const Checkpoint& state) {
  std::int64_t bytes = bytesOf(state.config) + bytesOf(state.state);
  for (const auto& [name, tensor] : state.tensors.tensors)
    bytes += static_cast<std::int64_t>(tensor.values.capacity() * sizeof(float));
  for (const auto& [name, text] : state.tensors.metadata) bytes += std::ssize(text);
  return bytes;
}

// The system's own folder for temporary files may be kept in memory. One that lasts over a restart is not.
std::FILE* openScratchFile() {
  const std::string path =
      "/var/tmp/strategylab-" + std::to_string(std::random_device()()) + "-" + std::to_string(std::random_device()());
  std::FILE* file = std::fopen(path.c_str(), "w+bx");
  if (file == nullptr) return std::tmpfile();
  if (std::remove(path.c_str()) == 0) return file;
  std::fclose(file);
  return std::tmpfile();
}

}  // namespace

std::int64_t stepOf(const Checkpoint& state) {
  return state.state.at("step").get<std::int64_t>();
}

StateHistory::StateHistory(std::int64_t budgetBytes) : budgetBytes_(budgetBytes), file_(openScratchFile()) {
  if (file_) std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // whole tensors go in and out
}

// The values into the file; false: they stay where they are.
bool StateHistory::store(Kept& kept) {
  if (!file_) return false;
  std::int64_t bytes = 0;
  for (const auto& [name, tensor] : kept.state->tensors.tensors)
    bytes += std::ssize(tensor.values) * static_cast<std::int64_t>(sizeof(float));
  if (placeBytes_ == 0) placeBytes_ = bytes;
  const bool again = bytes <= placeBytes_ && !free_.empty();
  const std::int64_t place = again ? free_.back() : end_;
  if (std::fseek(file_.get(), static_cast<long>(place), SEEK_SET) != 0) return false;
  for (const auto& [name, tensor] : kept.state->tensors.tensors)
    if (std::fwrite(tensor.values.data(), sizeof(float), tensor.values.size(), file_.get()) != tensor.values.size())
      return false;  // no room: what was written is written over by the next
  auto words = std::make_shared<Checkpoint>();
  words->config = kept.state->config;
  words->state = kept.state->state;
  words->tensors.metadata = kept.state->tensors.metadata;
  for (const auto& [name, tensor] : kept.state->tensors.tensors) {
    words->tensors.tensors[name].shape = tensor.shape;
    kept.counts.push_back(std::ssize(tensor.values));
  }
  kept.state = std::move(words);
  kept.place = place;
  if (again)
    free_.pop_back();
  else
    end_ += std::max(bytes, placeBytes_);
  return true;
}

// Null where the file cannot be read: then the step is not computed again.
std::shared_ptr<const Checkpoint> StateHistory::load(const Kept& kept) const {
  if (kept.place < 0) return kept.state;
  auto state = std::make_shared<Checkpoint>(*kept.state);
  if (std::fseek(file_.get(), static_cast<long>(kept.place), SEEK_SET) != 0) return nullptr;
  auto count = kept.counts.begin();
  for (auto& [name, tensor] : state->tensors.tensors) {
    tensor.values.resize(static_cast<std::size_t>(*count++));
    if (std::fread(tensor.values.data(), sizeof(float), tensor.values.size(), file_.get()) != tensor.values.size())
      return nullptr;
  }
  return state;
}

void StateHistory::keep(std::shared_ptr<const Checkpoint> state) {
  Kept added{stepOf(*state), bytesOf(*state), std::move(state), {}, -1};
  std::vector<Kept> dropped;  // freed after the lock
  const std::lock_guard lock(mutex_);
  LAB_CHECK(kept_.empty() || kept_.back().step < added.step);
  bytes_ += added.bytes;
  if (!store(added)) budgetBytes_ = std::min(budgetBytes_, kMemoryBudget);
  kept_.push_back(std::move(added));
  while (bytes_ > budgetBytes_ && kept_.size() > 1) {
    std::vector<Kept> left;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (i % 2 != 0) {
        bytes_ -= kept_[i].bytes;
        if (kept_[i].place >= 0) free_.push_back(kept_[i].place);
      }
      (i % 2 == 0 ? left : dropped).push_back(std::move(kept_[i]));
    }
    kept_ = std::move(left);
    spacing_ *= 2;
  }
}

std::shared_ptr<const Checkpoint> StateHistory::atOrBefore(std::int64_t step) const {
  const std::lock_guard lock(mutex_);
  const auto after = std::ranges::lower_bound(kept_, step, {}, &Kept::step);
  return after == kept_.begin() ? nullptr : load(*std::prev(after));
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
std::int64_t StateHistory::memoryBytes() const {
  const std::lock_guard lock(mutex_);
  std::int64_t bytes = 0;
  for (const Kept& kept : kept_) bytes += kept.place < 0 ? kept.bytes : bytesOf(*kept.state);
  return bytes;
}

}  // namespace lab
