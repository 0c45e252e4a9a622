// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint: variables and optimizer slots, the position in the data, clocks and what a strategy has in flight, so
// that a resumed run ends with the same bits as one that never stopped. Each checkpoint is one safetensors file,
// written atomically, with a digest of all its content; only the newest few are kept.
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
  nlohmann::json state;   // the trainer's state
  TensorFile tensors;     // with the strategy's own metadata
};

std::int64_t stepOf(const Checkpoint& state);  // number of steps done

// Throws a UserError if the run that wrote `config` and the resuming run differ in settings that change results.
void checkSameRun(const nlohmann::json& config, const ResolvedSettings& resumed);

// UserError for anything that is not a whole checkpoint of this version.
Checkpoint parseCheckpoint(std::span<const std::uint8_t> content, const std::string& name);
std::vector<std::uint8_t> serializeCheckpoint(const Checkpoint& checkpoint);

// Creates the folder if it does not exist; UserError (kind Request) on failure.
void makeCheckpointFolder(const std::filesystem::path& folder);

// Returns the first tensor with a number that is not finite, or "". No run can continue from such a state, so it is
// neither written nor resumed.
std::string tensorNotFinite(const TensorFile& tensors);

// Writes folder/checkpoint-000000000235.safetensors and removes all but the newest kKept checkpoints, and those of
// later steps, which an earlier run left: the newest checkpoint is always the one that was written last. Creates the
// folder.
inline constexpr int kKept = 5;
void writeCheckpoint(const std::filesystem::path& folder, std::int64_t step, const Checkpoint& checkpoint);

// Returns the path that writeCheckpoint() writes.
std::filesystem::path checkpointPath(const std::filesystem::path& folder, std::int64_t step);

// Returns the step of the newest checkpoint; 0 if there is none.
std::int64_t newestCheckpointStep(const std::filesystem::path& folder);

// Reads the newest checkpoint in the folder; UserError if there is none.
Checkpoint readNewestCheckpoint(const std::filesystem::path& folder);

}  // namespace lab
