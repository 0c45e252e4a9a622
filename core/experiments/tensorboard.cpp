// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/tensorboard.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/parse_number.h"
#include "core/experiments/sweep.h"
#include "core/options/config_field.h"
#include "core/prediction/rates.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEventPrefix = "events.out.tfevents.", kEventSuffix = ".strategylab";
constexpr const char* kBegun = "strategylab.part";  // a name that TensorBoard does not read
constexpr const char* kHparamsPlugin = "hparams";   // tensorboard/plugins/hparams/metadata.py, as the tags below
constexpr const char* kSteadyTag = "throughput/modelled_steady_images_per_second";
constexpr const char* kExperimentTag = "_hparams_/experiment";
constexpr const char* kSessionStartTag = "_hparams_/session_start_info";
constexpr const char* kSessionEndTag = "_hparams_/session_end_info";

// Leaves out settings that do not change the experiment, or that name something other than a quantity.
bool isHyperparameter(const ConfigField& field) {
  static const std::set<std::string_view> kOthers{"seed", "data-dir", "catalogue", "init", "noise-scale"};
  return field.changesResults && !kOthers.contains(field.name);
}

bool isAlwaysNamed(std::string_view field) {
  static const std::set<std::string_view> kAlways{"strategy",      "replicas",  "batch-per-replica", "global-batch",
                                                  "learning-rate", "optimizer", "lr-scaling"};
  return kAlways.contains(field);
}

using Setting = Hyperparameters::value_type::second_type;

// google/protobuf/struct.proto, Value: number_value = 2, string_value = 3, bool_value = 4.
ProtoMessage protoValue(const Setting& setting) {
  ProtoMessage value;
  if (const auto* number = std::get_if<double>(&setting)) value.real(2, *number);
  if (const auto* truth = std::get_if<bool>(&setting)) value.integer(4, *truth ? 1 : 0);
  if (const auto* text = std::get_if<std::string>(&setting)) value.bytes(3, *text);
  return value;
}

// api.proto, DataType.
std::uint64_t dataTypeOf(const Setting& setting) {
  constexpr std::array<std::uint64_t, 3> kTypes{3, 2, 1};  // DATA_TYPE_FLOAT64, _BOOL, _STRING
  return kTypes[setting.index()];
}

// Returns the group of a run: its runs differ only in the seed.
std::string groupOf(const Hyperparameters& settings) {
  std::string all;
  for (const auto& [name, setting] : settings) all += name + protoValue(setting).text() + '\n';
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(all.data()), all.size());
  return hexDigest(DigestKind::Sha256, bytes).substr(0, 16);
}

// Returns the first step of the run that wrote this event file of ours.
std::optional<std::int64_t> firstStepOf(const std::string& name) {
  if (!name.starts_with(kEventPrefix) || !name.ends_with(kEventSuffix)) return std::nullopt;
  const std::size_t length = name.size() - kEventPrefix.size() - kEventSuffix.size();
  return parseNumber<std::int64_t>(std::string_view(name).substr(kEventPrefix.size(), length));
}

std::string fileNameOf(std::int64_t firstStep) {
  char number[32];
  std::snprintf(number, sizeof number, "%010lld", static_cast<long long>(firstStep));
  return std::string(kEventPrefix) + number + std::string(kEventSuffix);
}

// api.proto, MetricInfo: name = 1 (MetricName: tag = 2), display_name = 3, dataset_type = 5.
ProtoMessage metricInfo(const char* tag, const char* shown, int dataset) {
  ProtoMessage info;
  info.message(1, ProtoMessage().bytes(2, tag)).bytes(3, shown);
  if (dataset != 0) info.integer(5, static_cast<std::uint64_t>(dataset));
  return info;
}

double secondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Hyperparameters hyperparametersOf(const ResolvedSettings& resolved) {
  Hyperparameters settings;
  const StrategyInfo& info = strategyInfo(resolved.strategy);
  for (const ConfigField& field : configFields()) {
    if (!isHyperparameter(field) || !field.belongsTo(info)) continue;
    if (!isAlwaysNamed(field.name) && field.isDefault(resolved)) continue;
    const std::string text = field.get(resolved);
    if (text.empty()) continue;
    const bool isNumber = field.kind == ConfigField::Kind::Integer || field.kind == ConfigField::Kind::Real;
    if (const auto number = parseNumber<double>(text); isNumber && number)
      settings.emplace_back(field.name, *number);
    else if (field.kind == ConfigField::Kind::Flag)
      settings.emplace_back(field.name, text == "true");
    else
      settings.emplace_back(field.name, text);
  }
  return settings;
}

bool hasOurEvents(const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  return !error && std::any_of(fs::begin(entries), fs::end(entries), [](const fs::directory_entry& entry) {
    return firstStepOf(entry.path().filename().string()).has_value();
  });
}

EventFile::EventFile(const fs::path& folder, std::int64_t firstStep)
    : path_(folder / fileNameOf(firstStep)), step_(std::max<std::int64_t>(0, firstStep - 1)) {
  makeSweepFolder(folder);
  // Removes an earlier run's files only when this run has a file that can be written.
  const fs::path begun = folder / kBegun;
  std::error_code error;
  try {
    errno = 0;
    stream_.open(begun, std::ios::binary | std::ios::trunc);
    if (!stream_) throw UserError(say::cannotWrite, path_, lastSystemError());
    event(3, "brain.Event:2");                                                  // file_version
    event(10, ProtoMessage().bytes(1, "strategylab.core.tensorboard").text());  // source_metadata: writer = 1
    fs::rename(begun, path_, error);
    if (error) throw UserError(UserError::Kind::Run, say::cannotWrite, path_, error.message());
  } catch (const UserError&) {
    fs::remove(begun, error);
    throw;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (const auto first = firstStepOf(entry.path().filename().string()); first && *first > firstStep)
      fs::remove(entry.path(), error);
}

// event.proto: wall_time = 1, step = 2, and one `what` field.
void EventFile::event(int field, std::string_view value) {
  ProtoMessage event;
  event.real(1, secondsSince1970()).integer(2, static_cast<std::uint64_t>(step_)).bytes(field, value);
  errno = 0;
  stream_ << tfRecord(event.text());
  if (!stream_.flush()) throw UserError(UserError::Kind::Run, say::cannotWrite, path_, lastSystemError());
}

// summary.proto, Summary: value = 1; Value: tag = 1, simple_value = 2.
void EventFile::scalar(std::string_view tag, double value) {
  summary_.message(1, ProtoMessage().bytes(1, tag).real32(2, static_cast<float>(value)));
}

void EventFile::writeScalars() {
  event(5, summary_.text());  // summary
  summary_ = {};
}

// Value: metadata = 9, tensor = 8. SummaryMetadata: plugin_data = 1; PluginData: plugin_name = 1, content = 2. The
// tensor is a placeholder: dtype = 1 (DT_FLOAT = 1), tensor_shape = 2 (dim = 2, size = 1) without elements.
void EventFile::hyperparameterData(std::string_view tag, const ProtoMessage& pluginData) {
  ProtoMessage value;
  value.bytes(1, tag);
  value.message(9, ProtoMessage().message(1, ProtoMessage().bytes(1, kHparamsPlugin).message(2, pluginData)));
  value.message(8, ProtoMessage().integer(1, 1).message(2, ProtoMessage().message(2, ProtoMessage().integer(1, 0))));
  event(5, ProtoMessage().message(1, value).text());
}

// plugin_data.proto, HParamsPluginData: session_start_info = 3; SessionStartInfo: hparams = 1 (a map: key = 1, value =
// 2), group_name = 4, start_time_secs = 5.
void EventFile::begin(const Hyperparameters& settings) {
  ProtoMessage start;
  for (const auto& [name, setting] : settings)
    start.message(1, ProtoMessage().bytes(1, name).message(2, protoValue(setting)));
  start.bytes(4, groupOf(settings)).real(5, secondsSince1970());
  hyperparameterData(kSessionStartTag, ProtoMessage().message(3, start));
}

void EventFile::add(const Metric& metric) {
  if (const auto* step = std::get_if<StepMetric>(&metric)) {
    step_ = step->step;
    scalar("train/loss", step->loss);
    scalar("train/accuracy", step->accuracy);
    scalar("train/learning_rate", step->learningRate);
    scalar(step->clock == TimeSource::Modelled ? "throughput/modelled_images_per_second"
                                               : "throughput/measured_images_per_second",
           step->imagesPerSecond);
    if (step->staleness) scalar("train/staleness", static_cast<double>(*step->staleness));
    if (step->noiseScale) scalar("train/noise_scale", *step->noiseScale);
    writeScalars();
  } else if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
    step_ = eval->step;
    scalar("test/loss", eval->testLoss);
    scalar("test/accuracy", eval->testAccuracy);
    writeScalars();
  }
}

void EventFile::steady(const ResolvedSettings& resolved) {
  const std::optional<SteadyStep> step = steadyStep(resolved);
  if (!step) return;
  scalar(kSteadyTag, step->imagesPerSecond);
  writeScalars();
}

void EventFile::result(const RunTally& tally) {
  if (!tally.stepsToTarget) return;
  scalar("target/steps", static_cast<double>(*tally.stepsToTarget));
  scalar("target/examples", static_cast<double>(*tally.examplesToTarget));
  scalar(tally.modelled ? "target/modelled_seconds" : "target/measured_seconds", *tally.secondsToTarget);
  writeScalars();
}

// HParamsPluginData: session_end_info = 4; SessionEndInfo: status = 1 (STATUS_SUCCESS = 1, STATUS_FAILURE = 2),
// end_time_secs = 2.
void EventFile::end(bool diverged) {
  ProtoMessage ended;
  ended.integer(1, diverged ? 2 : 1).real(2, secondsSince1970());
  hyperparameterData(kSessionEndTag, ProtoMessage().message(4, ended));
}

// HParamsPluginData: experiment = 2; Experiment: time_created_secs = 3, hparam_infos = 4, metric_infos = 5; HParamInfo:
// name = 1, type = 4, domain_discrete = 5 (ListValue: values = 1).
void EventFile::sweep(std::span<const Hyperparameters> runs, bool withTarget, bool modelled) {
  std::vector<std::string> names;                                // in the order of the settings' table
  std::map<std::string, std::map<std::string, Setting>> values;  // by name and bytes
  std::map<std::string, std::size_t> counts;
  for (const Hyperparameters& settings : runs)
    for (const auto& [name, setting] : settings) {
      if (values[name].empty()) names.push_back(name);
      values[name].emplace(protoValue(setting).text(), setting);
      ++counts[name];
    }
  ProtoMessage experiment;
  experiment.real(3, secondsSince1970());
  for (const std::string& name : names) {
    if (values[name].size() < 2 && counts[name] == runs.size()) continue;  // the same in all runs
    ProtoMessage list;
    for (const auto& [bytes, setting] : values[name]) list.message(1, protoValue(setting));
    experiment.message(
        4, ProtoMessage().bytes(1, name).integer(4, dataTypeOf(values[name].begin()->second)).message(5, list));
  }
  experiment.message(5, metricInfo("test/accuracy", "test accuracy", 2));  // DATASET_VALIDATION
  experiment.message(5, metricInfo("test/loss", "test loss", 2));
  experiment.message(5, metricInfo("train/loss", "training loss", 1));  // DATASET_TRAINING
  if (withTarget) {
    experiment.message(5, metricInfo("target/steps", "steps to target", 0));
    experiment.message(5, metricInfo("target/examples", "examples to target", 0));
    experiment.message(5, modelled ? metricInfo("target/modelled_seconds", "modelled seconds to target", 0)
                                   : metricInfo("target/measured_seconds", "measured seconds to target", 0));
  }
  experiment.message(5, modelled
                            ? metricInfo(kSteadyTag, "modelled images/s, steady", 0)
                            : metricInfo("throughput/measured_images_per_second", "measured images/s, this step", 0));
  hyperparameterData(kExperimentTag, ProtoMessage().message(2, experiment));
}

void writeEvents(const fs::path& folder, const ResolvedSettings& resolved, std::span<const Metric> metrics,
                 const RunTally& tally) {
  std::int64_t firstStep = 1;
  if (!metrics.empty())
    if (const auto* step = std::get_if<StepMetric>(&metrics.front())) firstStep = step->step;
  EventFile file(folder, firstStep);
  file.begin(hyperparametersOf(resolved));
  file.steady(resolved);
  for (const Metric& metric : metrics) file.add(metric);
  file.result(tally);
  file.end(tally.diverged);
}

}  // namespace lab
