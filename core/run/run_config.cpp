// SPDX-License-Identifier: GPL-3.0-or-later
// The table of fields, and reading and writing a configuration through it. What the values mean together is in
// resolve_config.cpp.
#include "core/run/run_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/limits.h"
#include "core/base/suggest.h"
#include "core/timing/cluster_spec.h"

namespace lab {
namespace {

constexpr double kMaxCount = 1e9;

[[noreturn]] void badValue(const std::string& name, const std::string& text, const std::string& wanted) {
  const std::string shown = text.size() > 64 ? text.substr(0, 64) + "…" : text;
  throw UserError("--" + name + " is '" + shown + "', but must be " + wanted + ".");
}

std::string plain(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

std::int64_t parseInteger(const ConfigField& field, const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string wanted =
      "a whole number from " + plain(field.minimum) + " to " + std::to_string(static_cast<std::int64_t>(field.maximum));
  if (error != std::errc() || end != text.data() + text.size()) badValue(field.name, text, wanted);
  if (static_cast<double>(value) < field.minimum || static_cast<double>(value) > field.maximum)
    badValue(field.name, text, wanted);
  return value;
}

double parseReal(const ConfigField& field, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < field.minimum ||
      value > field.maximum)
    badValue(field.name, text, "a number from " + plain(field.minimum) + " to " + plain(field.maximum));
  return value;
}

// A row's common part; the caller adds how the member is read and written.
ConfigField row(std::string name, std::string group, std::string help, ConfigField::Kind kind, std::string defaultText,
                double minimum = 0, double maximum = 0) {
  ConfigField field;
  field.name = std::move(name);
  field.group = std::move(group);
  field.help = std::move(help);
  field.kind = kind;
  field.defaultText = std::move(defaultText);
  field.minimum = minimum;
  field.maximum = maximum;
  return field;
}

std::string written(std::int64_t value) {
  return std::to_string(value);
}
std::string written(const std::optional<std::int64_t>& value) {
  return value.has_value() ? std::to_string(*value) : std::string();
}

// `Member` is std::int64_t or an optional one.
template <typename Member>
ConfigField integer(std::string name, std::string group, std::string help, std::string defaultText, double minimum,
                    double maximum, Member RunConfig::*member) {
  ConfigField field = row(std::move(name), std::move(group), std::move(help), ConfigField::Kind::Integer,
                          std::move(defaultText), minimum, maximum);
  field.get = [member](const RunConfig& config) { return written(config.*member); };
  field.set = [member, checked = field](RunConfig& config, const std::string& text) {
    config.*member = parseInteger(checked, text);
  };
  return field;
}

ConfigField real(std::string name, std::string group, std::string help, std::string defaultText, double minimum,
                 double maximum, double RunConfig::*member) {
  ConfigField field = row(std::move(name), std::move(group), std::move(help), ConfigField::Kind::Real,
                          std::move(defaultText), minimum, maximum);
  field.get = [member](const RunConfig& config) { return plain(config.*member); };
  field.set = [member, checked = field](RunConfig& config, const std::string& text) {
    config.*member = parseReal(checked, text);
  };
  return field;
}

// The choices are the enum's values in order.
template <typename Enum>
ConfigField choice(std::string name, std::string group, std::string help, std::vector<std::string> choices,
                   Enum RunConfig::*member) {
  ConfigField field = row(std::move(name), std::move(group), std::move(help), ConfigField::Kind::Choice, "");
  field.choices = std::move(choices);
  field.defaultText = field.choices[static_cast<std::size_t>(RunConfig{}.*member)];
  field.get = [member, names = field.choices](const RunConfig& config) {
    return names[static_cast<std::size_t>(config.*member)];
  };
  field.set = [member, names = field.choices, option = field.name](RunConfig& config, const std::string& text) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != text) continue;
      config.*member = static_cast<Enum>(i);
      return;
    }
    throw UserError("--" + option + ": " + unknownNameMessage(option, text, names));
  };
  return field;
}

ConfigField text(std::string name, std::string group, std::string help, std::string defaultText,
                 std::string RunConfig::*member, ConfigField::Kind kind = ConfigField::Kind::Text) {
  ConfigField field = row(std::move(name), std::move(group), std::move(help), kind, std::move(defaultText));
  field.get = [member](const RunConfig& config) { return config.*member; };
  field.set = [member, option = field.name](RunConfig& config, const std::string& value) {
    if (value.empty()) throw UserError("--" + option + " is empty: give a value or leave the option out.");
    if (value.find('\0') != std::string::npos) throw UserError("--" + option + " has a zero byte: give plain text.");
    config.*member = value;
  };
  return field;
}

// A choice that is kept by its name.
ConfigField namedChoice(std::string name, std::string group, std::string help, std::vector<std::string> choices,
                        std::string RunConfig::*member) {
  ConfigField field = text(std::move(name), std::move(group), std::move(help), RunConfig{}.*member, member);
  field.kind = ConfigField::Kind::Choice;
  field.choices = std::move(choices);
  field.set = [member, names = field.choices, option = field.name](RunConfig& config, const std::string& value) {
    if (std::ranges::find(names, value) == names.end())
      throw UserError("--" + option + ": " + unknownNameMessage(option, value, names));
    config.*member = value;
  };
  return field;
}

ConfigField slowField() {
  ConfigField field =
      row("slow", "Devices",
          "A straggler, REPLICA:FACTOR: this replica's modelled computation takes FACTOR times as long; repeatable",
          ConfigField::Kind::List, "none");
  field.get = [](const RunConfig& config) {
    std::string joined;
    for (const auto& [replica, factor] : config.slow)
      joined += (joined.empty() ? "" : ",") + std::to_string(replica) + ":" + plain(factor);
    return joined;
  };
  // Appends, so that the option is repeatable; a comma separates several in one text.
  field.set = [](RunConfig& config, const std::string& value) {
    const std::string wanted = "REPLICA:FACTOR, such as 3:2.5 (replica 3 takes 2.5 times as long, from 0.01 to 1000)";
    std::size_t begin = 0;
    while (begin <= value.size()) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      const std::string item = value.substr(begin, end - begin);
      const std::size_t colon = item.find(':');
      int replica = -1;
      double factor = 0;
      const char* const last = item.data() + item.size();
      if (colon == std::string::npos) badValue("slow", value, wanted);
      const auto first = std::from_chars(item.data(), item.data() + colon, replica);
      const auto second = std::from_chars(item.data() + colon + 1, last, factor);
      if (first.ec != std::errc() || first.ptr != item.data() + colon || second.ec != std::errc() ||
          second.ptr != last || replica < 0 || !(factor >= 0.01 && factor <= 1000))
        badValue("slow", value, wanted);
      config.slow.emplace_back(replica, factor);
      begin = end + 1;
    }
  };
  return field;
}

// Of one strategy, as its row says.
ConfigField ownSetting(const std::string& group, const OwnSetting& setting) {
  ConfigField field = row(setting.name, group, setting.help, ConfigField::Kind::Integer, written(setting.usual),
                          static_cast<double>(setting.minimum), static_cast<double>(setting.maximum));
  field.get = [name = setting.name](const RunConfig& config) {
    const auto found = config.own.find(name);
    return found == config.own.end() ? std::string() : written(found->second);
  };
  field.set = [checked = field](RunConfig& config, const std::string& text) {
    config.own[checked.name] = parseInteger(checked, text);
  };
  return field;
}

ConfigField flag(const std::string& name, const std::string& group, const std::string& help, bool RunConfig::*member) {
  ConfigField field = row(name, group, help, ConfigField::Kind::Flag, "off");
  field.get = [member](const RunConfig& config) { return std::string(config.*member ? "true" : "false"); };
  field.set = [name, member](RunConfig& config, const std::string& value) {
    if (value != "true" && value != "false") badValue(name, value, "true or false");
    config.*member = value == "true";
  };
  return field;
}

std::vector<ConfigField> makeFields() {
  using Kind = ConfigField::Kind;
  const std::string strategy = "Strategy", devices = "Devices", data = "Data", training = "Training", output = "Output";
  std::vector<std::string> strategyKeys;
  for (const StrategyInfo& info : strategies()) strategyKeys.push_back(info.key);

  std::vector<ConfigField> fields{
      choice("strategy", strategy, "The tf.distribute strategy to train under", strategyKeys, &RunConfig::strategy),
      integer("replicas", strategy, "Replicas in all; for parameter-server: workers of one replica each",
              "2 (tpu 8; default, one-device 1)", 1, kMaxReplicas, &RunConfig::replicas),
      integer("hosts", strategy, "Hosts that the replicas are spread over, evenly", "1 (multi-worker-mirrored 2)", 1,
              kMaxClusterDevices, &RunConfig::hosts),
      integer("parameter-servers", strategy, "Parameter servers that hold the variables, round robin", "1", 1, 64,
              &RunConfig::parameterServers),
      text("partitioner", strategy,
           "How parameter-server variables are cut along axis 0: none, fixed:N, min-size:BYTES, max-size:BYTES", "none",
           &RunConfig::partitioner),
      choice("reducer", strategy, "How gradients are added over the replicas",
             {"auto", "ring", "tree", "halving-doubling", "hierarchical", "torus", "one-device", "nccl"},
             &RunConfig::reducer),
      integer("bytes-per-pack", strategy,
              "Gradients are packed for the all-reduce; a new pack begins when one holds more than this; 0: one pack",
              "0", 0, kMaxCount, &RunConfig::bytesPerPack),

      choice("devices", devices,
             "What the replicas run on: simulated devices with a virtual clock, this processor in real time, or GPUs",
             {"auto", "simulated", "cpu", "cuda"}, &RunConfig::devices),
      text("device-model", devices, "Simulated device, a key of the hardware catalogue", "v100 (tpu: tpu_v3_core)",
           &RunConfig::deviceModel),
      text("link", devices, "Simulated link between devices of one host, a key of the hardware catalogue",
           "nvlink2 (tpu: tpu_v3_ici; central-storage: pcie3_x16)", &RunConfig::link),
      text("host-link", devices, "Simulated link between hosts, a key of the hardware catalogue",
           "eth_10g (tpu: tpu_v3_ici)", &RunConfig::hostLink),
      text("catalogue", devices,
           "Devices and links of your own (CSV), in the columns of the built-in catalogue; a key that is there already "
           "is replaced",
           "none", &RunConfig::catalogue, Kind::File),
      choice("matmul", devices,
             "Operands of convolutions and matrix products; sums are float32; auto: bfloat16 on tpu, else float32",
             {"auto", "float32", "bfloat16"}, &RunConfig::matmul),
      slowField(),
      integer("threads", devices, "Threads that compute; never changes results", "cores", 1, 1024, &RunConfig::threads),

      namedChoice("dataset", data, "The examples; auto: MNIST if it is found, else the embedded digits",
                  {"auto", "mnist", "fashion-mnist", "digits"}, &RunConfig::dataset),
      text("data-dir", data, "Folder with the four IDX files, gzip or not", "standard places", &RunConfig::dataDir,
           Kind::Folder),
      integer("train-examples", data, "Use only the first so many training examples", "all", 1, kMaxCount,
              &RunConfig::trainExamples),
      integer("test-examples", data, "Use only the first so many test examples", "all", 1, kMaxCount,
              &RunConfig::testExamples),
      integer("shuffle-buffer", data, "Examples in the shuffle buffer; 0: file order", "10000", 0, kMaxCount,
              &RunConfig::shuffleBuffer),
      integer("batch-per-replica", data, "Examples that one replica gets in a step", "64", 1, kMaxCount,
              &RunConfig::batchPerReplica),
      integer("global-batch", data, "Examples in a step, over all replicas; give this or --batch-per-replica",
              "batch-per-replica × replicas", 1, kMaxCount, &RunConfig::globalBatch),
      choice("split", data, "Where the examples come from, which decides how tf.data deals a batch",
             {"in-memory", "file"}, &RunConfig::split),
      choice("auto-shard", data, "How the examples are sharded over hosts", {"auto", "data", "file", "off"},
             &RunConfig::autoShard),
      integer("files", data, "Files that the examples are stored in, for --split file", "1", 1, kMaxCount,
              &RunConfig::files),

      integer("epochs", training, "Passes over the training examples", "1", 1, kMaxCount, &RunConfig::epochs),
      integer("steps", training, "Steps to train, instead of --epochs; for parameter-server updates of all workers",
              "none", 1, kMaxCount, &RunConfig::steps),
      choice("optimizer", training, "Keras's Adam or SGD", {"adam", "sgd"}, &RunConfig::optimizer),
      real("learning-rate", training, "Learning rate, before --lr-scaling", "0.001", 0, 1000, &RunConfig::learningRate),
      real("momentum", training, "Momentum of sgd", "0", 0, 0.9999, &RunConfig::momentum),
      choice("lr-scaling", training, "Scale the learning rate by global batch / 64, or by its root",
             {"none", "linear", "sqrt"}, &RunConfig::lrScaling),
      real("warmup-epochs", training,
           "Epochs over which the learning rate rises linearly to its value: from the unscaled rate, or from 0 where "
           "it is not scaled up",
           "0", 0, 1e6, &RunConfig::warmupEpochs),
      choice("loss-scaling", training, "fit: mean of the replicas' means, as Keras; loop: sum over the global batch",
             {"fit", "loop"}, &RunConfig::lossScaling),
      integer("seed", training, "Seed of the initial weights and of the shuffling", "1", 0, 9.0e15, &RunConfig::seed),
      flag("noise-scale", training,
           "Measure the gradient noise scale in every step, from the gradients of two replicas or more",
           &RunConfig::noiseScale),
      integer("eval-every", training, "Steps between evaluations on the test images; 0: never", "once an epoch", 0,
              kMaxCount, &RunConfig::evalEvery),

      text("init", output, "Start from these weights (safetensors, Keras's names)", "none", &RunConfig::init,
           Kind::File),
      text("save", output, "Write the trained weights to this file (safetensors)", "none", &RunConfig::save,
           Kind::File),
      text("metrics", output, "Write every step's metrics to this file (JSON lines)", "none", &RunConfig::metrics,
           Kind::File),
      text("trace", output, "Write a Chrome trace to this file, for Perfetto", "none", &RunConfig::trace, Kind::File),
      text("run", output, "Write a run file, which the window opens", "none", &RunConfig::run, Kind::File),
      text("checkpoint-dir", output, "Folder for checkpoints", "none", &RunConfig::checkpointDir, Kind::Folder),
      integer("checkpoint-every", output, "Steps between checkpoints", "once an epoch", 1, kMaxCount,
              &RunConfig::checkpointEvery),
      flag("resume", output,
           "Continue from the newest checkpoint in --checkpoint-dir, to the same bits as a run that never stopped",
           &RunConfig::resume),
  };
  for (ConfigField& field : fields)
    if (field.group == output && field.name != "init") field.changesResults = false;
  for (ConfigField& field : fields)
    if (field.name == "threads" || field.name == "noise-scale" || field.name == "eval-every" ||
        field.name == "epochs" || field.name == "steps" || field.name == "data-dir")
      field.changesResults = false;
  auto place = std::ranges::find(fields, devices, &ConfigField::group);  // behind the group of strategies
  for (const StrategyInfo& info : strategies())
    for (const OwnSetting& setting : info.settings) {
      place = fields.insert(place, ownSetting(strategy, setting));
      (place++)->strategies = {info.key};
    }
  const auto only = [&fields](std::string_view name, const auto& has) {
    ConfigField& field = *std::ranges::find(fields, name, &ConfigField::name);
    for (const StrategyInfo& info : strategies())
      if (has(info)) field.strategies.push_back(info.key);
  };
  only("replicas", [](const StrategyInfo& info) { return !info.singleReplica; });
  only("hosts", [](const StrategyInfo& info) { return info.hosts == StrategyInfo::Hosts::Chosen; });
  only("reducer", [](const StrategyInfo& info) { return !info.reducers.empty(); });
  only("global-batch", [](const StrategyInfo& info) { return info.synchronous; });
  for (const char* name : {"parameter-servers", "partitioner"})
    only(name, [](const StrategyInfo& info) { return info.variables == StrategyInfo::VariablesOn::Servers; });
  for (ConfigField& field : fields)
    field.perStrategy = (field.group == strategy && field.name != "strategy") ||
                        (field.group == devices && field.name != "catalogue" && field.name != "threads") ||
                        field.name == "split" || field.name == "auto-shard" || field.name == "files" ||
                        field.name == "loss-scaling";
  return fields;
}

}  // namespace

bool ConfigField::belongsTo(const StrategyInfo& info) const {
  return strategies.empty() || std::ranges::find(strategies, info.key) != strategies.end();
}

bool ConfigField::isUsual(const RunConfig& config) const {
  const std::string value = get(config);
  return value.empty() || value == defaultText || value == get(RunConfig{});
}

const std::vector<ConfigField>& configFields() {
  static const std::vector<ConfigField> fields = makeFields();
  return fields;
}

const ConfigField& configField(std::string_view name) {
  std::vector<std::string> names;
  for (const ConfigField& field : configFields()) {
    if (field.name == name) return field;
    names.push_back(field.name);
  }
  throw UserError(unknownNameMessage("setting", name, names));
}

RunConfig withoutOutputs(RunConfig config) {
  config.save = config.metrics = config.trace = config.run = config.checkpointDir = "";
  config.checkpointEvery.reset();
  config.resume = false;
  return config;
}

bool hasOutputs(const RunConfig& config) {
  return !(config.save.empty() && config.metrics.empty() && config.trace.empty() && config.run.empty() &&
           config.checkpointDir.empty());
}

nlohmann::json configToJson(const RunConfig& config) {
  nlohmann::json json = nlohmann::json::object();
  for (const ConfigField& field : configFields()) {
    const std::string value = field.get(config);
    if (value.empty()) continue;
    switch (field.kind) {
      case ConfigField::Kind::Integer:
        json[field.name] = std::stoll(value);
        break;
      case ConfigField::Kind::Real:
        json[field.name] = std::stod(value);
        break;
      case ConfigField::Kind::Flag:
        json[field.name] = value == "true";
        break;
      default:
        json[field.name] = value;
    }
  }
  return json;
}

RunConfig configFromJson(const nlohmann::json& json) {
  if (!json.is_object()) throw UserError("the settings are not a JSON object: write {\"strategy\": \"mirrored\", …}.");
  RunConfig config;
  for (const auto& [name, value] : json.items()) {
    const ConfigField& field = configField(name);
    if (value.is_string())
      field.set(config, value.get<std::string>());
    else if (value.is_boolean())
      field.set(config, value.get<bool>() ? "true" : "false");
    else if (value.is_number_integer())
      field.set(config, value.dump());
    else if (value.is_number())
      field.set(config, plain(value.get<double>()));
    else
      throw UserError("the setting '" + name + "' is neither text nor a number nor true or false: correct it.");
  }
  return config;
}

std::string_view strategyKey(StrategyKind kind) {
  return strategyInfo(kind).key;
}

}  // namespace lab
