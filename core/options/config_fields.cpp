// SPDX-License-Identifier: GPL-3.0-or-later
// The table of fields: their names, values and strategies.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/limits.h"
#include "core/base/messages.h"
#include "core/base/parse_number.h"
#include "core/base/suggest.h"
#include "core/base/units.h"
#include "core/config/run_settings.h"
#include "core/hardware/cluster_spec.h"
#include "core/options/config_field.h"
#include "core/options/messages.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

constexpr double kMaxCount = 1e9;
constexpr const char *kStrategy = LAB_WORDS("Strategy"), *kDevices = LAB_WORDS("Devices"), *kData = LAB_WORDS("Data"),
                     *kTraining = LAB_WORDS("Training"), *kOutput = LAB_WORDS("Output");

[[noreturn]] void badValue(const std::string& name, const std::string& text, const Message& wanted) {
  const std::string shown = text.size() > 64 ? text.substr(0, 64) + "…" : text;
  throw UserError(say::badValue, Option{name}, shown, wanted);
}

std::int64_t parseInteger(const ConfigField& field, const std::string& text) {
  const std::optional<std::int64_t> value = parseWhole(text);
  if (!value || static_cast<double>(*value) < field.minimum || static_cast<double>(*value) > field.maximum)
    badValue(field.name, text, {say::wholeFromTo, boundValue(field.minimum), boundValue(field.maximum)});
  return *value;
}

double parseReal(const ConfigField& field, const std::string& text) {
  const std::optional<double> value = parseNumber<double>(text);
  if (!value || !std::isfinite(*value) || *value < field.minimum || *value > field.maximum)
    badValue(field.name, text, {say::numberFromTo, boundValue(field.minimum), boundValue(field.maximum)});
  return *value;
}

// Makes the common part of a row; the caller adds how to read and write the member.
ConfigField row(std::string name, std::string group, std::string caption, std::string help, ConfigField::Kind kind,
                std::string defaultText, double minimum = 0, double maximum = 0) {
  ConfigField field;
  field.name = std::move(name);
  field.group = std::move(group);
  field.caption = std::move(caption);
  field.help = std::move(help);
  field.kind = kind;
  field.defaultText = std::move(defaultText);
  field.minimum = minimum;
  field.maximum = maximum;
  return field;
}

std::string written(const std::optional<std::int64_t>& value) {
  return value.has_value() ? std::to_string(*value) : std::string();
}

// `Member` is std::int64_t or an optional one.
template <typename Member, typename Settings>
ConfigField integer(std::string name, std::string group, std::string caption, std::string help, std::string defaultText,
                    double minimum, double maximum, Member Settings::*member) {
  ConfigField field = row(std::move(name), std::move(group), std::move(caption), std::move(help),
                          ConfigField::Kind::Integer, std::move(defaultText), minimum, maximum);
  field.read = [member](const RunSettings& config) { return written(config.*member); };
  field.set = [member, checked = field](RunSettings& config, const std::string& text) {
    config.*member = parseInteger(checked, text);
  };
  return field;
}

// An integer that is never unset: its default is the member's own.
ConfigField integer(std::string name, std::string group, std::string caption, std::string help, double minimum,
                    double maximum, std::int64_t SettingsBase::*member) {
  return integer(std::move(name), std::move(group), std::move(caption), std::move(help),
                 written(SettingsBase{}.*member), minimum, maximum, member);
}

ConfigField real(std::string name, std::string group, std::string caption, std::string help, double minimum,
                 double maximum, double SettingsBase::*member) {
  ConfigField field = row(std::move(name), std::move(group), std::move(caption), std::move(help),
                          ConfigField::Kind::Real, shortest(SettingsBase{}.*member), minimum, maximum);
  field.read = [member](const RunSettings& config) { return shortest(config.*member); };
  field.set = [member, checked = field](RunSettings& config, const std::string& text) {
    config.*member = parseReal(checked, text);
  };
  return field;
}

// Returns the index of an option's word.
std::int64_t placeOf(const std::string& option, const std::vector<std::string>& words, const std::string& text) {
  const auto found = std::ranges::find(words, text);
  if (found == words.end())
    throw UserError(say::aboutOption, Option{option}, unknownName({say::verbatim, option}, text, words));
  return found - words.begin();
}

// The choices are the enum's values in order.
template <typename Enum>
ConfigField choice(std::string name, std::string group, std::string caption, std::string help,
                   std::vector<std::string> choices, Enum SettingsBase::*member) {
  ConfigField field =
      row(std::move(name), std::move(group), std::move(caption), std::move(help), ConfigField::Kind::Choice, "");
  field.choices = std::move(choices);
  field.defaultText = at(field.choices, SettingsBase{}.*member);
  field.read = [member, names = field.choices](const RunSettings& config) { return at(names, config.*member); };
  field.set = [member, names = field.choices, option = field.name](RunSettings& config, const std::string& text) {
    config.*member = static_cast<Enum>(placeOf(option, names, text));
  };
  return field;
}

ConfigField text(std::string name, std::string group, std::string caption, std::string help, std::string defaultText,
                 std::string SettingsBase::*member, ConfigField::Kind kind = ConfigField::Kind::Text) {
  ConfigField field =
      row(std::move(name), std::move(group), std::move(caption), std::move(help), kind, std::move(defaultText));
  field.read = [member](const RunSettings& config) { return config.*member; };
  field.set = [member, option = field.name](RunSettings& config, const std::string& value) {
    if (value.empty()) throw UserError(say::emptyValue, Option{option});
    if (value.find('\0') != std::string::npos) throw UserError(say::zeroByte, Option{option});
    config.*member = value;
  };
  return field;
}

// A choice that is stored by its name.
ConfigField namedChoice(std::string name, std::string group, std::string caption, std::string help,
                        std::vector<std::string> choices, std::string SettingsBase::*member) {
  ConfigField field =
      text(std::move(name), std::move(group), std::move(caption), std::move(help), SettingsBase{}.*member, member);
  field.kind = ConfigField::Kind::Choice;
  field.choices = std::move(choices);
  field.set = [member, names = field.choices, option = field.name](RunSettings& config, const std::string& value) {
    (void)placeOf(option, names, value);
    config.*member = value;
  };
  return field;
}

// A list of replicas with a factor each.
ConfigField factors(std::string name, std::string caption, std::string help,
                    std::vector<std::pair<int, double>> SettingsBase::*member) {
  ConfigField field =
      row(std::move(name), kDevices, std::move(caption), std::move(help), ConfigField::Kind::List, LAB_WORDS("none"));
  field.read = [member](const RunSettings& config) {
    std::string joined;
    for (const auto& [replica, factor] : config.*member)
      joined += (joined.empty() ? "" : ",") + std::to_string(replica) + ":" + shortest(factor);
    return joined;
  };
  // Appends, so that the option can be repeated; commas, with or without spaces, separate several in one text.
  field.set = [member, option = field.name](RunSettings& config, const std::string& value) {
    auto& all = config.*member;
    std::size_t begin = 0;
    while (begin <= value.size()) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      begin = std::min(value.find_first_not_of(' ', begin), end);
      const std::string item = value.substr(begin, end - begin);
      const std::size_t colon = item.find(':');
      if (colon == std::string::npos) badValue(option, value, say::replicaFactor);
      const std::optional<int> replica = parseNumber<int>(item.substr(0, colon));
      const std::optional<double> factor = parseNumber<double>(item.substr(colon + 1));
      if (!replica || *replica < 0 || !factor || !(*factor >= 0.01 && *factor <= 1000))
        badValue(option, value, say::replicaFactor);
      if (std::ranges::find(all, *replica, &std::pair<int, double>::first) != all.end())
        throw UserError(say::slowTwice, Option{option}, *replica);
      all.emplace_back(*replica, *factor);
      begin = end + 1;
    }
  };
  return field;
}

// A setting of one strategy, from its row: one of several words, stored as its index.
ConfigField ownChoice(const std::string& group, const OwnSetting& setting) {
  ConfigField field = row(setting.name, group, setting.caption, setting.help, ConfigField::Kind::Choice,
                          at(setting.choices, setting.usual));
  field.choices = setting.choices;
  field.read = [name = setting.name, words = setting.choices](const RunSettings& config) {
    const auto found = config.strategySettings.find(name);
    return found == config.strategySettings.end() ? std::string() : at(words, found->second);
  };
  field.set = [name = setting.name, words = setting.choices](RunSettings& config, const std::string& text) {
    config.strategySettings[name] = placeOf(name, words, text);
  };
  return field;
}

// A setting of one strategy, from its row.
ConfigField ownSetting(const std::string& group, const OwnSetting& setting) {
  if (!setting.choices.empty()) return ownChoice(group, setting);
  ConfigField field =
      row(setting.name, group, setting.caption, setting.help, ConfigField::Kind::Integer, written(setting.usual),
          static_cast<double>(setting.minimum), static_cast<double>(setting.maximum));
  field.read = [name = setting.name](const RunSettings& config) {
    const auto found = config.strategySettings.find(name);
    return found == config.strategySettings.end() ? std::string() : written(found->second);
  };
  field.set = [checked = field](RunSettings& config, const std::string& text) {
    config.strategySettings[checked.name] = parseInteger(checked, text);
  };
  return field;
}

ConfigField flag(std::string name, std::string group, std::string caption, std::string help,
                 bool SettingsBase::*member) {
  ConfigField field =
      row(name, std::move(group), std::move(caption), std::move(help), ConfigField::Kind::Flag, LAB_WORDS("off"));
  field.read = [member](const RunSettings& config) {
    return std::string(config.*member ? LAB_WORDS("true") : LAB_WORDS("false"));
  };
  field.set = [name, member](RunSettings& config, const std::string& value) {
    if (value != "true" && value != "false") badValue(name, value, say::trueOrFalse);
    config.*member = value == "true";
  };
  return field;
}

// "1 (multi-worker-mirrored 2)"
std::string usualOf(std::int64_t StrategyInfo::*number) {
  const std::int64_t usual = StrategyInfo().*number;
  return written(usual) + " (" + otherDefaults(usual, number) + ")";
}

std::vector<ConfigField> strategyFields() {
  const std::string strategy = kStrategy;
  std::vector<std::string> strategyKeys;
  for (const StrategyInfo& info : strategies()) strategyKeys.push_back(info.key);
  std::vector<std::string> reducers;
  for (Reducer reducer = Reducer::Auto; reducer <= Reducer::Mpi;
       reducer = static_cast<Reducer>(static_cast<int>(reducer) + 1))
    reducers.emplace_back(toString(reducer));
  std::vector<ConfigField> fields{
      choice("strategy", strategy, LAB_WORDS("Strategy"),
             LAB_WORDS("The strategy to train under: one from tf.distribute, or an additional one"), strategyKeys,
             &SettingsBase::strategy),
      integer("replicas", strategy, LAB_WORDS("Replicas"),
              LAB_WORDS("Replicas in total; for parameter-server: workers with one replica each"),
              usualOf(&StrategyInfo::defaultReplicas), 1, kMaxReplicas, &RunSettings::replicas),
      integer("hosts", strategy, LAB_WORDS("Hosts"), LAB_WORDS("Hosts that the replicas are spread over, evenly"),
              usualOf(&StrategyInfo::defaultHosts), 1, kMaxClusterDevices, &RunSettings::hosts),
      integer("parameter-servers", strategy, LAB_WORDS("Parameter servers"),
              LAB_WORDS("Parameter servers that hold the variables, round robin"), written(kDefaultParameterServers), 1,
              64, &RunSettings::parameterServers),
      text("partitioner", strategy, LAB_WORDS("Partitioner"),
           LAB_WORDS(
               "How parameter-server variables are cut along axis 0: none, fixed:N, min-size:BYTES, max-size:BYTES"),
           LAB_WORDS("none"), &SettingsBase::partitioner),
      choice("wire", strategy, LAB_WORDS("Wire"),
             LAB_WORDS("Weights and gradients on their way between workers and parameter servers; bfloat16 halves the "
                       "bytes, and what servers hold stays float32"),
             {"float32", "bfloat16"}, &SettingsBase::wire),
      choice("reducer", strategy, LAB_WORDS("Reducer"), LAB_WORDS("How gradients are added over the replicas"),
             reducers, &SettingsBase::reducer),
      integer(
          "bytes-per-pack", strategy, LAB_WORDS("Bytes per pack"),
          LAB_WORDS(
              "Gradients are packed for the all-reduce; a new pack begins when one holds more than this; 0: one pack"),
          0, kMaxCount, &SettingsBase::bytesPerPack)};
  for (const StrategyInfo& info : strategies())
    for (const OwnSetting& setting : info.settings) {
      if (const auto shared = std::ranges::find(fields, setting.name, &ConfigField::name); shared != fields.end()) {
        LAB_CHECK(shared->isTheirs && shared->help == setting.help);  // all describe it alike
        shared->strategies.push_back(info.key);
        continue;
      }
      fields.push_back(ownSetting(strategy, setting));
      fields.back().strategies = {info.key};
      fields.back().isTheirs = true;
    }
  return fields;
}

std::vector<ConfigField> deviceFields() {
  const std::string devices = kDevices;
  return {
      choice("devices", devices, LAB_WORDS("Devices"),
             LAB_WORDS(
                 "What the replicas run on: simulated devices with a virtual clock, this processor in real time, GPUs, "
                 "or real processes, which Open MPI starts"),
             {LAB_WORDS("auto"), LAB_WORDS("simulated"), "cpu", "cuda", LAB_WORDS("processes")},
             &SettingsBase::devices),
      text("device-model", devices, LAB_WORDS("Device model"),
           LAB_WORDS("Simulated device, a key of the hardware catalogue"), "v100 (tpu: tpu_v3_core)",
           &SettingsBase::deviceModel),
      text("link", devices, LAB_WORDS("Link"),
           LAB_WORDS("Simulated link between devices of one host, a key of the hardware catalogue"),
           "nvlink2 (tpu: tpu_v3_ici; central-storage: pcie3_x16)", &SettingsBase::link),
      text("host-link", devices, LAB_WORDS("Host link"),
           LAB_WORDS("Simulated link between hosts, a key of the hardware catalogue"), "eth_10g (tpu: tpu_v3_ici)",
           &SettingsBase::hostLink),
      text("catalogue", devices, LAB_WORDS("Catalogue"),
           LAB_WORDS("Custom devices and links (CSV), in the columns of the built-in catalogue; a row with an existing "
                     "key replaces the built-in one"),
           LAB_WORDS("none"), &SettingsBase::catalogue, ConfigField::Kind::File),
      text("worker-hosts", devices, LAB_WORDS("Worker hosts"),
           LAB_WORDS("Hosts of real processes: names with commas between them, reached by ssh, or a TF_CONFIG file"),
           LAB_WORDS("this machine"), &SettingsBase::workerHosts),
      choice("worker-devices", devices, LAB_WORDS("Worker devices"),
             LAB_WORDS("What real processes compute on: the processor, or the GPUs of their hosts"), {"cpu", "cuda"},
             &SettingsBase::workerDevices),
      choice("matmul", devices, LAB_WORDS("Matmul"),
             LAB_WORDS(
                 "Operands of convolutions and matrix products; sums are float32; auto: bfloat16 on tpu, else float32"),
             {LAB_WORDS("auto"), "float32", "bfloat16"}, &SettingsBase::matmul),
      factors("slow", LAB_WORDS("Slow"),
              LAB_WORDS("A straggler, REPLICA:FACTOR: this replica's modelled computation takes FACTOR times as long; "
                        "repeatable"),
              &SettingsBase::slow),
      factors("slow-link", LAB_WORDS("Slow link"),
              LAB_WORDS("REPLICA:FACTOR: what this worker sends and is sent takes FACTOR times as long on its modelled "
                        "link; repeatable"),
              &SettingsBase::slowLink),
      integer("threads", devices, LAB_WORDS("Threads"),
              LAB_WORDS("Threads that compute; their number never changes the results"), LAB_WORDS("cores"), 1, 1024,
              &RunSettings::threads)};
}

std::vector<ConfigField> dataFields() {
  using Kind = ConfigField::Kind;
  return {
      namedChoice("dataset", kData, LAB_WORDS("Dataset"),
                  LAB_WORDS("The examples; auto: MNIST if it is found, else the built-in digits"),
                  {LAB_WORDS("auto"), "mnist", "fashion-mnist", LAB_WORDS("digits"), "cifar10", LAB_WORDS("colour")},
                  &SettingsBase::dataset),
      text("network", kData, LAB_WORDS("Network"),
           LAB_WORDS("The network: course, cifar10, mlp, resnet20, or a file from Keras: .keras, with initial weights, "
                     "or the output of model.to_json()"),
           LAB_WORDS("auto"), &SettingsBase::network),
      text("data-dir", kData, LAB_WORDS("Data dir"),
           LAB_WORDS("Folder with the data set's files; for colour: a folder with a folder of PNG or JPEG files for "
                     "each class"),
           LAB_WORDS("standard folders"), &SettingsBase::dataDir, Kind::Folder),
      integer("train-examples", kData, LAB_WORDS("Train examples"), LAB_WORDS("Use only the first N training examples"),
              LAB_WORDS("all"), 1, kMaxCount, &SettingsBase::trainExamples),
      integer("test-examples", kData, LAB_WORDS("Test examples"), LAB_WORDS("Use only the first N test examples"),
              LAB_WORDS("all"), 1, kMaxCount, &SettingsBase::testExamples),
      integer("shuffle-buffer", kData, LAB_WORDS("Shuffle buffer"),
              LAB_WORDS("Examples in the shuffle buffer; 0: file order"), 0, kMaxCount, &SettingsBase::shuffleBuffer),
      integer("batch-per-replica", kData, LAB_WORDS("Batch per replica"),
              LAB_WORDS("Examples that one replica gets in a step"), written(kDefaultBatchPerReplica), 1, kMaxCount,
              &RunSettings::batchPerReplica),
      integer("global-batch", kData, LAB_WORDS("Global batch"),
              LAB_WORDS("Examples in a step, over all replicas; give this or --batch-per-replica"),
              LAB_WORDS("batch-per-replica × replicas"), 1, kMaxCount, &RunSettings::globalBatch),
      choice("split", kData, LAB_WORDS("Split"),
             LAB_WORDS("Where the examples come from; this decides how tf.data distributes a batch"),
             {LAB_WORDS("in-memory"), LAB_WORDS("file")}, &SettingsBase::split),
      choice("auto-shard", kData, LAB_WORDS("Auto shard"), LAB_WORDS("How the examples are sharded over hosts"),
             {LAB_WORDS("auto"), LAB_WORDS("data"), LAB_WORDS("file"), LAB_WORDS("off")}, &SettingsBase::autoShard),
      integer("files", kData, LAB_WORDS("Files"), LAB_WORDS("Files that the examples are stored in, for --split file"),
              1, kMaxCount, &SettingsBase::files)};
}

std::vector<ConfigField> trainingFields() {
  return {
      integer("epochs", kTraining, LAB_WORDS("Epochs"), LAB_WORDS("How many times to train on all training examples"),
              1, kMaxCount, &SettingsBase::epochs),
      integer("steps", kTraining, LAB_WORDS("Steps"),
              LAB_WORDS("Steps to train, instead of --epochs; for parameter-server: updates of all workers"),
              LAB_WORDS("none"), 1, kMaxCount, &SettingsBase::steps),
      choice("optimizer", kTraining, LAB_WORDS("Optimizer"), LAB_WORDS("Keras's Adam or SGD"), {"adam", "sgd"},
             &SettingsBase::optimizer),
      real("learning-rate", kTraining, LAB_WORDS("Learning rate"), LAB_WORDS("Learning rate, before --lr-scaling"), 0,
           1000, &SettingsBase::learningRate),
      real("momentum", kTraining, LAB_WORDS("Momentum"), LAB_WORDS("Momentum of sgd"), 0, 0.9999,
           &SettingsBase::momentum),
      choice("lr-scaling", kTraining, LAB_WORDS("Lr scaling"),
             LAB_WORDS(
                 "Scale the learning rate by global batch / 64, or by the square root of that; staleness "
                 "(parameter-server): divide each update's rate by the number of updates that its gradient has missed"),
             {LAB_WORDS("none"), LAB_WORDS("linear"), LAB_WORDS("sqrt"), LAB_WORDS("staleness")},
             &SettingsBase::lrScaling),
      real("warmup-epochs", kTraining, LAB_WORDS("Warmup epochs"),
           LAB_WORDS("Epochs over which the learning rate rises linearly to its value: from the unscaled rate, or from "
                     "0 where "
                     "it is not scaled up"),
           0, 1e6, &SettingsBase::warmupEpochs),
      choice("loss-scaling", kTraining, LAB_WORDS("Loss scaling"),
             LAB_WORDS("fit: mean of the replicas' means, as in Keras; loop: sum divided by the global batch"),
             {"fit", "loop"}, &SettingsBase::lossReduction),
      integer("seed", kTraining, LAB_WORDS("Seed"), LAB_WORDS("Seed of the initial weights and of the shuffling"), 0,
              9.0e15, &SettingsBase::seed),
      flag("noise-scale", kTraining, LAB_WORDS("Noise scale"),
           LAB_WORDS("Measure the gradient noise scale in every step, from the gradients of two replicas or more"),
           &SettingsBase::noiseScale),
      integer("eval-every", kTraining, LAB_WORDS("Eval every"),
              LAB_WORDS("Steps between evaluations on the test images; 0: never"), LAB_WORDS("once an epoch"), 0,
              kMaxCount, &SettingsBase::evalEvery)};
}

std::vector<ConfigField> outputFields() {
  using Kind = ConfigField::Kind;
  return {
      text("init", kOutput, LAB_WORDS("Init"), LAB_WORDS("Start from these weights (.keras or .safetensors)"),
           LAB_WORDS("none"), &SettingsBase::init, Kind::File),
      text("save", kOutput, LAB_WORDS("Save"),
           LAB_WORDS("Write the trained weights to this file (.keras or .safetensors)"), LAB_WORDS("none"),
           &SettingsBase::save, Kind::File),
      text("metrics", kOutput, LAB_WORDS("Metrics"), LAB_WORDS("Write every step's metrics to this file (JSON lines)"),
           LAB_WORDS("none"), &SettingsBase::metrics, Kind::File),
      text("trace", kOutput, LAB_WORDS("Trace"), LAB_WORDS("Write a Chrome trace to this file, for Perfetto"),
           LAB_WORDS("none"), &SettingsBase::trace, Kind::File),
      text("run", kOutput, LAB_WORDS("Run"), LAB_WORDS("Write a run file, which the window opens"), LAB_WORDS("none"),
           &SettingsBase::run, Kind::File),
      text("checkpoint-dir", kOutput, LAB_WORDS("Checkpoint dir"),
           LAB_WORDS("Folder for checkpoints; those of an earlier run are replaced, unless --resume continues it"),
           LAB_WORDS("none"), &SettingsBase::checkpointDir, Kind::Folder),
      integer("checkpoint-every", kOutput, LAB_WORDS("Checkpoint every"), LAB_WORDS("Steps between checkpoints"),
              LAB_WORDS("once an epoch"), 1, kMaxCount, &SettingsBase::checkpointEvery),
      flag("resume", kOutput, LAB_WORDS("Resume"),
           LAB_WORDS("Continue from the newest checkpoint in --checkpoint-dir; the result has the same bits as that of "
                     "a run that never stopped"),
           &SettingsBase::resume)};
}

std::vector<ConfigField> makeFields() {
  std::vector<ConfigField> fields = strategyFields();
  for (std::vector<ConfigField>& more : std::array{deviceFields(), dataFields(), trainingFields(), outputFields()})
    std::ranges::move(more, std::back_inserter(fields));
  for (ConfigField& field : fields) {
    const std::string& name = field.name;
    if ((field.group == kOutput && name != "init") || name == "threads" || name == "noise-scale" ||
        name == "eval-every" || name == "epochs" || name == "steps" || name == "data-dir" || name == "worker-hosts")
      field.changesResults = false;
    field.perStrategy = (field.group == kStrategy && name != "strategy") ||
                        (field.group == kDevices && name != "catalogue" && name != "threads") || name == "split" ||
                        name == "auto-shard" || name == "files" || name == "loss-scaling";
  }
  const auto only = [&fields](std::string_view name, const auto& has) {
    ConfigField& field = *std::ranges::find(fields, name, &ConfigField::name);
    for (const StrategyInfo& info : strategies())
      if (has(info)) field.strategies.push_back(info.key);
    return &field;
  };
  only("replicas", [](const StrategyInfo& info) { return !info.singleReplica; });
  only("hosts", [](const StrategyInfo& info) { return info.hosts == StrategyInfo::Hosts::Chosen; });
  for (const char* name : {"worker-hosts", "worker-devices"})
    only(name, [](const StrategyInfo& info) { return whyNotOn(info, DeviceChoice::Processes).empty(); })->isTheirs =
        true;
  only("reducer", [](const StrategyInfo& info) { return !info.reducers.empty(); });
  only("global-batch", [](const StrategyInfo& info) { return info.synchronous; });
  for (const char* name : {"parameter-servers", "partitioner", "wire", "slow-link"})
    only(name, [](const StrategyInfo& info) {
      return info.variables == StrategyInfo::VariablesOn::Servers;
    })->isTheirs = true;
  return fields;
}

}  // namespace

const std::vector<ConfigField>& configFields() {
  static const std::vector<ConfigField> fields = makeFields();
  return fields;
}

}  // namespace lab
