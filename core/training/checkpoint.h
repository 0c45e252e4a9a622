// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint: variables and optimizer slots, the position in the data, clocks and whatever a strategy has in flight,
// so that a resumed run ends with the same bits as one that never stopped. One safetensors file per checkpoint, written
// atomically, with a digest of all it holds; the newest few are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/config/resolved_settings.h"
#include "core/model/safetensors.h"

namespace lab {

struct Checkpoint {
  nlohmann::json config;  // the resolved configuration, as configToJson writes it
  nlohmann::json state;   // the trainer's
  TensorFile tensors;     // with the strategy's own metadata
};

std::int64_t stepOf(const Checkpoint& state);  // steps done in it

// UserError where the run that wrote `config` and the one that resumes it differ in what changes results.
void checkSameRun(const nlohmann::json& config, const ResolvedSettings& resumed);

// UserError for anything that is not a whole checkpoint of this version.
Checkpoint parseCheckpoint(std::span<const std::uint8_t> content, const std::string& name);
std::vector<std::uint8_t> serializeCheckpoint(const Checkpoint& checkpoint);

// Creates the folder where it is not there; UserError (kind Request) where it cannot be.
void makeCheckpointFolder(const std::filesystem::path& folder);

// The first tensor with a number that is not finite, or "". From such a state nobody can go on: it is neither written
// nor resumed.
std::string tensorNotFinite(const TensorFile& tensors);

// Writes folder/checkpoint-000000000235.safetensors and removes all but the newest kKept. Creates the folder.
inline constexpr int kKept = 5;
void writeCheckpoint(const std::filesystem::path& folder, std::int64_t step, const Checkpoint& checkpoint);

std::filesystem::path checkpointPath(const std::filesystem::path& folder, std::int64_t step);  // its name

// The newest one's step; 0 where there is none.
std::int64_t newestCheckpointStep(const std::filesystem::path& folder);

// The newest in the folder; UserError where there is none.
Checkpoint readNewestCheckpoint(const std::filesystem::path& folder);

}  // namespace lab
