// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep as text: its plan as JSON, which is stored under "sweep" in an experiment's file and with the kept cells, and
// its results as comma-separated values with one row per evaluation. Any thread.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/experiments/sweep.h"

namespace lab {

// {"config": {…}, "replicas": […], "batchPerReplica": […] or "globalBatch": […], "lrScaling": ["linear", …],
//  "linearWarmupEpochs": 1, "learningRate": […], "axes": [{"setting": "…", "values": ["…"]}], "seeds": 3,
// "examples": …, "targetAccuracy": 0.8, "untilTarget": true}; what a plan does not have is left out.
nlohmann::json planToJson(const SweepPlan& plan);
// Throws a UserError for an impossible plan. Unknown keys are ignored.
SweepPlan planFromJson(const nlohmann::json& json);

struct SweepRow {
  const SweepCell* cell = nullptr;
  std::string state;  // "reached", "not-reached", "finished", "diverged", "failed", "cancelled", "refused", "waiting"…
};
// Returns the evaluations of each cell whose run file is in the folder; for other cells, one row that says why there
// are none. Settings' columns have the command line's names, others have its JSON's names; lines end with \r
//  (RFC 4180).
std::string sweepCsv(std::span<const SweepRow> rows, const std::filesystem::path& folder);

// Writes the finished cells as TensorBoard's event files (tensorboard.h), each in its own folder below `to`. Throws a
// UserError if there are none, or if `to` has the event files of other runs.
void sweepEvents(std::span<const SweepRow> rows, const std::filesystem::path& folder, const std::filesystem::path& to);

}  // namespace lab
