// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and sweeps as TensorBoard's event files: a run's scalars, its settings as hyperparameters, and for a sweep what
// its runs differ in. A run is a folder with one file; a sweep is a folder of runs and has a file of its own. Modelled
// and measured rates have separate tags. Messages and their fields: tensorflow/core/util/event.proto,
// tensorflow/core/framework/summary.proto and tensor.proto, tensorboard/plugins/hparams/plugin_data.proto and
// api.proto; each field number here has the field's name beside it.
#pragma once

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/experiments/event_records.h"
#include "core/experiments/target.h"
#include "core/trace/metric.h"

namespace lab {

using Hyperparameters = std::vector<std::pair<std::string, std::variant<double, bool, std::string>>>;

// Returns strategy, replicas, batch, rate and optimizer, and all other settings that are not the default. The seed is
// left out: runs that differ only in the seed form a group, which TensorBoard averages over.
Hyperparameters hyperparametersOf(const ResolvedSettings& resolved);

// The event file of one run, written during the run; a reader may follow. Its contents are readable at any time.
class EventFile {
 public:
  // Makes the folder; throws a UserError if it cannot. Our event files left there by an earlier run are replaced from
  // `firstStep` on; those of the steps before stay, for a run that was resumed.
  explicit EventFile(const std::filesystem::path& folder, std::int64_t firstStep = 1);

  void begin(const Hyperparameters& settings);
  void steady(const ResolvedSettings& resolved);  // the steady rate (core/prediction/rates.h), if time is modelled
  // Adds a scalar for each number of the metric. An event's time is when it is written: if a file is written during the
  // run, as by `train`, TensorBoard's time axis is the run's; otherwise it has no meaning.
  void add(const Metric& metric);
  void result(const RunTally& tally);  // what reaching the target took, at the last step
  void end(bool diverged);             // ends the run; nothing may follow
  // For a sweep, whose runs have their own folders below: what they differ in, and how they are judged.
  void sweep(std::span<const Hyperparameters> runs, bool withTarget, bool modelled);

 private:
  void scalar(std::string_view tag, double value);
  void writeScalars();
  void hyperparameterData(std::string_view tag, const ProtoMessage& pluginData);
  void event(int field, std::string_view value);

  std::filesystem::path path_;
  std::ofstream stream_;
  std::int64_t step_ = 0;
  ProtoMessage summary_;  // of the present step
};

bool hasOurEvents(const std::filesystem::path& folder);  // directly in it; false if it cannot be read

// Writes a run's file at once, from complete metrics.
void writeEvents(const std::filesystem::path& folder, const ResolvedSettings& resolved, std::span<const Metric> metrics,
                 const RunTally& tally);

}  // namespace lab
