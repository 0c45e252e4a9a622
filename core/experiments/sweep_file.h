// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep as text: its plan as JSON, which stands in an experiment's file under "sweep" and with the kept cells, and
// its results as comma-separated values, a row an evaluation. Any thread.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/experiments/sweep.h"

namespace lab {

// {"config": {…}, "replicas": […], "batchPerReplica": […] or "globalBatch": […], "lrScaling": ["linear", …],
//  "linearWarmupEpochs": 1, "learningRate": […], "axes": [{"setting": "…", "values": ["…"]}], "seeds": 3,
//  "examples": …, "targetAccuracy": 0.8, "untilTarget": true}; what a plan has not is left out.
nlohmann::json planToJson(const SweepPlan& plan);
// UserError for what no plan can be. Keys that are not known are let pass.
SweepPlan planFromJson(const nlohmann::json& json);

struct SweepRow {
  const SweepCell* cell = nullptr;
  std::string state;  // "reached", "not-reached", "finished", "diverged", "failed", "cancelled", "refused", "waiting"…
};
// The evaluations of each cell whose run file is in the folder; of any other one row that says why there are none.
// Settings' columns have the command line's names, others those of its JSON; lines end with \r\n (RFC 4180).
std::string sweepCsv(std::span<const SweepRow> rows, const std::filesystem::path& folder);

// The same cells as TensorBoard's event files (tensorboard.h), a folder each below `to`.
void sweepEvents(std::span<const SweepRow> rows, const std::filesystem::path& folder, const std::filesystem::path& to);

}  // namespace lab
