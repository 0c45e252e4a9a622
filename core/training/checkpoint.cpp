// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/checkpoint.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/data/messages.h"
#include "core/training/messages.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCheckpointFormat = "strategylab-checkpoint";
constexpr const char* kCheckpointVersion = "2";
constexpr std::int64_t kMaxBytes = std::int64_t{3} << 30;  // the largest safetensors file

// Returns the digest of everything in the file except the digest itself.
std::string contentDigest(const TensorFile& file) {
  Digest digest(DigestKind::Sha256);
  const auto add = [&](const std::string& text) {
    digest.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  for (const auto& [key, value] : file.metadata) {
    if (key == "sha256") continue;
    add(key);
    add(value);
  }
  for (const auto& [name, tensor] : file.tensors) {
    add(name);
    digest.add({reinterpret_cast<const std::uint8_t*>(tensor.values.data()), tensor.values.size() * sizeof(float)});
  }
  return digest.hex();
}

std::int64_t stepInName(const fs::path& path) {
  const std::string name = path.filename().string();
  return std::atoll(name.c_str() + std::min(name.size(), name.find('-') + 1));
}

// Returns those with names as written here: nobody's own copies are read, or removed.
std::vector<fs::path> checkpointsIn(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path() == checkpointPath(folder, stepInName(entry.path()))) found.push_back(entry.path());
  // The step is written with leading zeros, so sorting by name sorts by step.
  std::ranges::sort(found);
  return found;
}

// Removes what writers that were killed have left behind: only old files, because a program may be writing one now.
void removeUnfinished(const fs::path& folder) {
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string whole = checkpointPath(folder, stepInName(entry.path())).string() + kTemporaryMark;
    if (entry.path().string().starts_with(whole) && entry.last_write_time(error) < old) found.push_back(entry.path());
  }
  for (const fs::path& path : found) fs::remove(path, error);
}

}  // namespace

Checkpoint parseCheckpoint(std::span<const std::uint8_t> content, const std::string& name) {
  Checkpoint checkpoint;
  try {
    checkpoint.tensors = parseSafetensors(content, name);
  } catch (const UserError&) {  // advises to name another file, and only the folder can be named
    throw UserError(say::checkpointNotWhole, name);
  }
  auto& metadata = checkpoint.tensors.metadata;
  const auto value = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  if (value("format") != kCheckpointFormat) throw UserError(say::notCheckpoint, name);
  if (value("version") != kCheckpointVersion)
    throw UserError(say::otherCheckpointVersion, name, value("version").substr(0, 16), kCheckpointVersion);
  if (value("sha256") != contentDigest(checkpoint.tensors)) throw UserError(say::checkpointDamaged, name);
  const Message where(say::inFile, File{name});
  try {
    // Copying or comparing a value that is nested deep would overflow the stack.
    constexpr int kDeepestState = 16;
    checkpoint.config = parseJson(value("config"), where, kDeepestState);
    checkpoint.state = parseJson(value("state"), where, kDeepestState);
    // A strategy's own state stays text here.
    if (const std::string own = value("parameter_server"); !own.empty()) (void)parseJson(own, where, kDeepestState);
  } catch (const UserError&) {
    throw UserError(say::checkpointNotJson, name);
  }
  return checkpoint;
}

std::vector<std::uint8_t> serializeCheckpoint(const Checkpoint& checkpoint) {
  TensorFile file = checkpoint.tensors;
  file.metadata["format"] = kCheckpointFormat;
  file.metadata["version"] = kCheckpointVersion;
  file.metadata["config"] = jsonLine(checkpoint.config);
  file.metadata["state"] = jsonLine(checkpoint.state);
  file.metadata["sha256"] = contentDigest(file);
  return serializeSafetensors(file);
}

std::string tensorNotFinite(const TensorFile& tensors) {
  for (const auto& [name, tensor] : tensors.tensors)
    if (!std::ranges::all_of(tensor.values, [](float value) { return std::isfinite(value); })) return name;
  return "";
}

void makeCheckpointFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  const Message reason = error ? Message(say::verbatim, error.message()) : Message(say::fileOfThatName);
  if (error || !fs::is_directory(folder)) throw UserError(say::cannotMakeCheckpointFolder, folder, reason);
}

fs::path checkpointPath(const fs::path& folder, std::int64_t step) {
  char name[64];
  std::snprintf(name, sizeof name, "checkpoint-%012lld.safetensors", static_cast<long long>(step));
  return folder / name;
}

void writeCheckpoint(const fs::path& folder, std::int64_t step, const Checkpoint& checkpoint) {
  makeCheckpointFolder(folder);
  std::error_code error;
  const fs::path written = checkpointPath(folder, step);
  writeFileAtomically(written, serializeCheckpoint(checkpoint));
  removeUnfinished(folder);
  std::vector<fs::path> all = checkpointsIn(folder);
  for (; !all.empty() && all.back() > written; all.pop_back()) fs::remove(all.back(), error);
  for (std::size_t i = 0; i + kKept < all.size(); ++i) fs::remove(all[i], error);
}

std::int64_t newestCheckpointStep(const fs::path& folder) {
  const std::vector<fs::path> all = checkpointsIn(folder);
  return all.empty() ? 0 : stepInName(all.back());
}

Checkpoint readNewestCheckpoint(const fs::path& folder) {
  const std::vector<fs::path> all = checkpointsIn(folder);
  if (all.empty()) throw UserError(say::noCheckpoint, folder);
  return parseCheckpoint(readFile(all.back(), kMaxBytes), all.back().string());
}

std::int64_t stepOf(const Checkpoint& state) {
  return state.state.at("step").get<std::int64_t>();
}

}  // namespace lab
