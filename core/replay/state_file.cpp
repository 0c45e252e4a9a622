// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/state_file.h"

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>
#include <utility>

namespace lab {
namespace {

constexpr const char* kFolder = "/var/tmp";  // /tmp may be kept in memory
constexpr std::int64_t kSpareBytes = 65536;

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

std::FILE* openScratchFile() {
  const std::string path = std::string(kFolder) + "/strategylab-" + std::to_string(std::random_device()()) + "-" +
                           std::to_string(std::random_device()());
  std::FILE* file = std::fopen(path.c_str(), "w+bx");
  if (file == nullptr) return std::tmpfile();
  if (std::remove(path.c_str()) == 0) return file;
  std::fclose(file);
  return std::tmpfile();
}

}  // namespace

StateFile::StateFile() : file_(openScratchFile()) {
  if (file_) std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // whole tensors are read and written
}

std::int64_t StateFile::freeBytes() const {
  if (!file_) return 0;
  std::error_code failed;
  const std::filesystem::space_info space = std::filesystem::space(kFolder, failed);
  return failed ? 0 : static_cast<std::int64_t>(std::min<std::uintmax_t>(space.available, INT64_MAX));
}

StateFile::Kept StateFile::keep(std::shared_ptr<const Checkpoint> state) {
  Kept kept{stepOf(*state), bytesOf(*state), std::move(state), {}, -1};
  (void)store(kept);
  return kept;
}

void StateFile::drop(const Kept& kept) {
  if (kept.place >= 0) free_.push_back(kept.place);
}

std::int64_t StateFile::memoryBytes(const Kept& kept) {
  return kept.place < 0 ? kept.bytes : bytesOf(*kept.state);
}

// Writes the values to the file; returns false if they stay where they are.
bool StateFile::store(Kept& kept) {
  if (!file_) return false;
  std::int64_t bytes = 0;
  for (const auto& [name, tensor] : kept.state->tensors.tensors)
    bytes += std::ssize(tensor.values) * static_cast<std::int64_t>(sizeof(float));
  // Leave spare room: the first state may come from a run that has nothing under way yet.
  if (placeBytes_ == 0) placeBytes_ = bytes + bytes / 16 + kSpareBytes;
  const bool again = bytes <= placeBytes_ && !free_.empty();
  const std::int64_t place = again ? free_.back() : end_;
  if (std::fseek(file_.get(), static_cast<long>(place), SEEK_SET) != 0) return false;
  for (const auto& [name, tensor] : kept.state->tensors.tensors)
    if (!tensor.values.empty() &&
        std::fwrite(tensor.values.data(), sizeof(float), tensor.values.size(), file_.get()) != tensor.values.size())
      return false;  // no room: the next write overwrites what was written
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

std::shared_ptr<const Checkpoint> StateFile::load(const Kept& kept) const {
  if (kept.place < 0) return kept.state;
  auto state = std::make_shared<Checkpoint>(*kept.state);
  if (std::fseek(file_.get(), static_cast<long>(kept.place), SEEK_SET) != 0) return nullptr;
  auto count = kept.counts.begin();
  for (auto& [name, tensor] : state->tensors.tensors) {
    tensor.values.resize(static_cast<std::size_t>(*count++));
    if (!tensor.values.empty() &&
        std::fread(tensor.values.data(), sizeof(float), tensor.values.size(), file_.get()) != tensor.values.size())
      return nullptr;
  }
  return state;
}

}  // namespace lab
