// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and sweeps as TensorBoard's event files: a run's scalars, the settings it was made with as hyperparameters, and
// of a sweep what its runs differ in. A run is a folder with one file; a sweep a folder of runs with a file of its own.
// Modelled and measured rates have tags of their own. Messages and their fields: tensorflow/core/util/event.proto,
// tensorflow/core/framework/summary.proto and tensor.proto, tensorboard/plugins/hparams/plugin_data.proto and
// api.proto; a field that has a number here has the name beside it.
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

// Strategy, replicas, batch, rate and optimizer, and whatever else is not as usual. The seed is none: runs that differ
// in it alone are one group, which TensorBoard averages over.
Hyperparameters hyperparametersOf(const ResolvedSettings& resolved);

// The event file of one run, written as the run goes on; a reader may follow. What is there is readable at any time.
class EventFile {
 public:
  // Makes the folder; UserError where it cannot be. Event files of ours that an earlier run has left there from
  // `firstStep` on are replaced; those of the steps before stay, for a run that was resumed.
  explicit EventFile(const std::filesystem::path& folder, std::int64_t firstStep = 1);

  void begin(const Hyperparameters& settings);
  void steady(const ResolvedSettings& resolved);  // its steady rate (core/prediction/rates.h), where time is modelled
  // A scalar for each of its numbers. An event's time is when it is written: of a run that is written as it goes on, as
  // `train` does, TensorBoard's time axis is the run's; of one that is written afterwards it says nothing.
  void add(const Metric& metric);
  void result(const RunTally& tally);  // what the target took, at the last step
  void end(bool diverged);             // the run; nothing more comes
  // Of a sweep, whose runs have their own folders below: what they differ in, and what they are judged by.
  void sweep(std::span<const Hyperparameters> runs, bool withTarget, bool modelled);

 private:
  void scalar(std::string_view tag, double value);
  void writeScalars();
  void hyperparameterData(std::string_view tag, const ProtoMessage& pluginData);
  void event(int field, std::string_view value);

  std::filesystem::path path_;
  std::ofstream stream_;
  std::int64_t step_ = 0;
  ProtoMessage summary_;  // of the step in hand
};

// A run's file in one go, of metrics that are all there.
void writeEvents(const std::filesystem::path& folder, const ResolvedSettings& resolved, std::span<const Metric> metrics,
                 const RunTally& tally);

}  // namespace lab
