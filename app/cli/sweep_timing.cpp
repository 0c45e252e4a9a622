// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_timing.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/cli/cli.h"
#include "app/cli/experiment.h"
#include "app/cli/messages.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/base/suggest.h"
#include "core/base/units.h"
#include "core/model/known_networks.h"
#include "core/model/model_presets.h"
#include "core/model/neural_network.h"
#include "core/options/messages.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/prediction/hardware.h"
#include "core/prediction/timing_run.h"
#include "core/timing/whole_ns.h"

namespace lab::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kMostListed = 1024;  // replicas or links that are listed individually

// The settings that a modelled step depends on.
constexpr std::array<std::string_view, 19> kTimed{
    "strategy",     "hosts",     "parameter-servers", "partitioner", "wire",   "reducer", "bytes-per-pack", "devices",
    "device-model", "link",      "host-link",         "catalogue",   "matmul", "slow",    "slow-link",      "dataset",
    "network",      "optimizer", "momentum"};

// Also includes a strategy's own settings: how much is sent and stored, how often, and for whom a step waits.
bool isTimed(const std::string& name) {
  return std::ranges::find(kTimed, name) != kTimed.end() ||
         std::ranges::any_of(strategies(), [&name](const StrategyInfo& info) {
           return std::ranges::find(info.settings, name, &OwnSetting::name) != info.settings.end();
         });
}

void checkSettings(const GivenFields& settings, const RunSettings& config, const SweepTimingOptions& given) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  for (const auto& [field, value] : settings) {
    const std::string& name = field->name;
    if (name == "seed" && (isGiven(given.jitter) || isGiven(given.stalls))) continue;
    if (!isTimed(name)) throw UserError(say::targetNeedsTraining, Option{name}, aboutOf(given.timingOnly));
    if (isGiven(given.model) && (name == "network" || name == "dataset"))
      throw UserError(say::modelIsNamed, Option{name}, aboutOf(given.model));
    if (isGiven(given.cluster) && (name == "hosts" || name == "device-model" || name == "link" || name == "host-link"))
      throw UserError(say::clusterSaysIt, Option{name}, aboutOf(given.cluster));
    // Mistakes with hosts get a better message where hosts are counted.
    if (name != "hosts" && !field->belongsTo(info))
      throw UserError(say::belongsToStrategy, Option{name}, field->strategies.front());
  }
  if (isReal(config.devices))
    throw UserError(say::timingIsModelled, Option{"devices"}, configField("devices").get(config),
                    aboutOf(given.timingOnly));
  if (config.optimizer == OptimizerKind::Adam && config.momentum != 0)
    throw UserError(say::momentumOfSgd, Option{"momentum"});
}

bool isFile(const std::string& name) {
  std::error_code error;
  return std::filesystem::exists(name, error);
}

// Reads the user's own network once; afterwards the settings contain it rather than only naming its file.
void takeModel(const GivenFields& settings, const SweepTimingOptions& given, RunSettings& config) {
  if (const std::optional<std::string> model = textOf(given.model)) {
    if (findModelPreset(*model) == nullptr && (isNetworkName(*model) || isFile(*model)))
      throw UserError(say::modelIsTrainable, aboutOf(given.model), *model, Option{"network"});
    return;
  }
  if (findModelPreset(config.network) != nullptr && !isFile(config.network))
    throw UserError(say::networkIsModelled, Option{"network"}, config.network, aboutOf(given.model));
  readNetworkFile(config);
  const bool examplesGiven =
      std::ranges::any_of(settings, [](const auto& setting) { return setting.first->name == "dataset"; });
  checkNetwork(config, examplesGiven);
}

void checkOptions(const SweepTimingOptions& given, bool asJson) {
  if (isGiven(given.cluster))
    for (const CLI::Option* option : {given.devicesPerHost, given.nics, given.transport})
      if (isGiven(option)) throw UserError(say::clusterSaysIt, aboutOf(option), aboutOf(given.cluster));
  if (isGiven(given.decodeThreads) && !isGiven(given.decode))
    throw UserError(say::goesWith, aboutOf(given.decodeThreads), aboutOf(given.decode));
  if (flagOf(given.stages) && !asJson) throw UserError(say::goesWith, aboutOf(given.stages), Option{"json"});
}

template <typename Value>
Value named(const CLI::Option* option, std::initializer_list<std::pair<const char*, Value>> values, Value unset) {
  const std::optional<std::string> text = textOf(option);
  if (!text) return unset;
  std::vector<std::string> names;
  for (const auto& [name, value] : values) {
    if (*text == name) return value;
    names.emplace_back(name);
  }
  throw UserError(say::unknownValue, aboutOf(option), unknownName(say::valueWord, *text, names));
}

// Refuses hosts that the strategy does not have, or that are already given in another way.
void checkHosts(const RunSettings& config, const SweepTimingOptions& given) {
  if (!isGiven(given.devicesPerHost)) return;
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (config.hosts) throw UserError(say::giveOneOf, aboutOf(given.devicesPerHost), Option{"hosts"});
  if (info.hosts == StrategyInfo::Hosts::EachWorker)
    throw UserError(say::hostForEachWorker, aboutOf(given.devicesPerHost), Words{info.name});
  if (info.hosts == StrategyInfo::Hosts::One && !goesOnOverHosts(info))
    throw UserError(say::oneHostAlone, aboutOf(given.devicesPerHost), Words{info.name});
}

TimingOptions read(const RunSettings& config, const SweepTimingOptions& given, const Catalogue& catalogue) {
  TimingOptions options;
  options.model = textOf(given.model).value_or(networkOf(config)->key());
  options.precision = named<Precision>(
      given.precision,
      {{"float32", Precision::Float32}, {"mixed", Precision::Mixed}, {"bfloat16", Precision::Bfloat16}},
      Precision::Auto);
  if (isGiven(given.precision) && config.matmul != Precision::Auto)
    throw UserError(say::giveOneOf, aboutOf(given.precision), Option{"matmul"});
  options.transport = named<NetTransport>(given.transport,
                                          {{"auto", NetTransport::Auto},
                                           {"rdma", NetTransport::Rdma},
                                           {"tcp", NetTransport::Tcp},
                                           {"grpc", NetTransport::Grpc}},
                                          NetTransport::Auto);
  if (isGiven(given.devicesPerHost)) options.devicesPerHost = integerOf(given.devicesPerHost, 8, 1, 1024);
  checkHosts(config, given);
  options.nics = integerOf(given.nics, 1, 1, 1024);
  options.jitter = realOf(given.jitter, 0, 0, 2);
  options.stallProbability = realOf(given.stalls, 0, 0, 1);
  options.input.prefetch = !flagOf(given.noPrefetch);
  options.input.hostUsPerExample = realOf(given.decode, 0, 0, 1e6);
  options.input.threads = static_cast<int>(integerOf(given.decodeThreads, 8, 1, 4096));
  if (const std::optional<std::string> file = textOf(given.cluster))
    options.cluster = parseCluster(textOfFile(*file, std::int64_t{1} << 20), *file, catalogue);
  return options;
}

json toJson(const StageNs& stages) {
  return {{"computeNs", stages.compute},     {"overlappedNs", stages.overlapped}, {"exposedNs", stages.exposed},
          {"stragglerNs", stages.straggler}, {"inputNs", stages.input},           {"launchNs", stages.launch},
          {"queueNs", stages.queue},         {"nextCycleNs", stages.nextCycle}};
}

json toJson(const MemoryByKind& memory) {
  json object{{"bytes", sumOf(memory)}};
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) object[keyOf(static_cast<MemoryKind>(kind))] = memory[kind];
  return object;
}

struct Point {
  std::int64_t replicas = 1, batch = 1;
  StepTiming timing;
  DeviceMemory memory;
  double weak = 1;
  std::optional<double> strong;  // nothing if one device's step with the global batch takes too long to count
};

Point pointOf(const TimingRun& run, std::int64_t replicas, std::int64_t batch) {
  Point point{.replicas = replicas, .batch = batch, .timing = run.step(batch), .memory = run.memory(batch)};
  point.weak = scalingEfficiency(run.alone(batch), point.timing, run.replicas());
  try {
    point.strong = scalingEfficiency(run.alone(batch * replicas), point.timing, run.replicas());
  } catch (const TakesTooLong&) {
  }
  return point;
}

json toJson(const Point& point, const TimingRun& run, bool stages) {
  const StepTiming& timing = point.timing;
  json entry{{"replicas", point.replicas},
             {"hosts", run.hosts()},
             {"extrapolated", !run.extrapolated().empty()},
             {"modelledAsFloat32", !run.asFloat32().empty()},
             {"fits", point.memory.fits()},
             {"modelledMemoryBytes", static_cast<std::int64_t>(point.memory.neededBytes)},
             {"modelledPeakMemory", toJson(point.memory.most)},
             {"modelledPeakMemoryIn", format(point.memory.mostIn)},
             {"deviceMemoryBytes", static_cast<std::int64_t>(point.memory.deviceBytes)},
             {"batchPerReplica", point.batch},
             {"globalBatch", point.replicas * point.batch},
             {"modelledStepNs", timing.stepNs},
             {"modelledImagesPerSecond", timing.imagesPerSecond},
             {"scalingEfficiency", point.weak},
             {"strongEfficiency", point.strong ? json(*point.strong) : json(nullptr)},
             {"modelledStage", toJson(timing.stages.front())}};
  if (run.request().method == Reducer::ServersAsync) entry["modelledStaleness"] = timing.meanStaleness;
  if (!point.memory.fits()) {
    entry["fullDevice"] = format(point.memory.endpoint) + ": " + point.memory.device;
    entry["modelledFirstTooMuchIn"] = format(point.memory.firstTooMuchIn);
  }
  if (!stages) return entry;
  json tracks = json::array(), links = json::array();
  for (std::size_t r = 0; r < std::min(timing.stages.size(), kMostListed); ++r)
    tracks.push_back(toJson(timing.stages[r]));
  for (std::size_t i = 0; i < timing.resourceBytes.size() && links.size() < kMostListed; ++i)
    if (timing.resourceBytes[i] > 0)
      links.push_back({{"link", run.network().name(static_cast<int>(i))},
                       {"modelledBytes", static_cast<std::int64_t>(timing.resourceBytes[i])}});
  entry["modelledStages"] = tracks;
  entry["modelledLinks"] = links;
  return entry;
}

Table emptyTable() {
  const auto right = Table::Align::Right;
  return Table({{"replicas", right},
                {"hosts", right},
                {"batch a replica", right},
                {"memory", right},
                {""},
                {"step", right},
                {"images/s, steady", right},
                {"weak", right},
                {"strong", right},
                {"compute", right},
                {"overlapped", right},
                {"exposed", right},
                {"stragglers", right},
                {"input", right},
                {"launch", right},
                {"queue", right},
                {"next cycle", right}});
}

void addRow(Table& table, const Point& point, const TimingRun& run) {
  const StageNs& s = point.timing.stages.front();
  const std::string mark = !run.extrapolated().empty() ? "extrapolated" : !run.asFloat32().empty() ? "as float32" : "";
  table.add({formatCount(point.replicas), formatCount(run.hosts()), formatCount(point.batch),
             formatBytes(sumOf(point.memory.most)), !point.memory.fits() ? "does not fit" : mark,
             formatDuration(point.timing.stepNs), formatRounded(point.timing.imagesPerSecond),
             formatPercent(point.weak), point.strong ? formatPercent(*point.strong) : "-", formatDuration(s.compute),
             formatDuration(s.overlapped), formatDuration(s.exposed), formatDuration(s.straggler),
             formatDuration(s.input), formatDuration(s.launch), formatDuration(s.queue), formatDuration(s.nextCycle)});
}

}  // namespace

SweepTimingOptions addSweepTiming(CLI::App& app) {
  SweepTimingOptions options;
  options.timingOnly =
      app.add_flag("--timing-only")->description("Model the steps and train nothing.")->group(kTimingOnlyGroup);
  const auto add = [&](const char* name, const char* placeholder, const std::string& help) {
    return addValue(app, name, placeholder, help, kTimingOnlyGroup);
  };
  std::string models;
  for (const KnownNetwork& known : timedNetworks()) models += " " + known.key;
  options.model = add(
      "--model", "KEY",
      "A network of published measurements, which is only timed:" + models + ". [--network, also a file of your own]");
  options.precision = add("--precision", "NAME", "float32, mixed or bfloat16. [float32; tpu bfloat16]");
  options.devicesPerHost =
      add("--devices-per-host", "N",
          "Devices of each host, if --hosts is not given. [8; mirrored: as many as the link joins]");
  options.nics = add("--nics", "N", "Network cards of each host. [1]");
  options.transport =
      add("--transport", "NAME",
          "Protocol between hosts, which decides how much of the line rate is reached: auto, rdma, tcp, grpc. [auto]");
  options.cluster = add("--cluster", "FILE", "A cluster as JSON, instead of --device-model, --link, --hosts.");
  options.jitter = add("--jitter", "X",
                       "How much the step times vary from replica to replica: shape of a log-normal distribution. [0]");
  options.stalls = add("--stall-probability", "X", "Probability that a replica's step takes five times as long. [0]");
  options.decode = add("--decode-us", "X", "Time to prepare one example, on one thread. [0]");
  options.decodeThreads = add("--decode-threads", "N", "Threads of each host that prepare examples. [8]");
  options.noPrefetch = app.add_flag("--no-prefetch")
                           ->description("Examples are prepared after the previous step, not while it trains.")
                           ->group(kTimingOnlyGroup);
  options.stages = app.add_flag("--stages")
                       ->description("With --json: every replica's stages, and the bytes on every link.")
                       ->group(kTimingOnlyGroup);
  options.files = addTimingFiles(app, false);
  return options;
}

std::string leftOut(std::int64_t replicas, const Message& why) {
  return counted(replicas, "replica") + " left out: " + sentence(format(why));
}

void refuseTimingOptions(const SweepTimingOptions& options) {
  for (const CLI::Option* option : {options.model, options.precision, options.devicesPerHost, options.nics,
                                    options.transport, options.cluster, options.jitter, options.stalls, options.decode,
                                    options.decodeThreads, options.noPrefetch, options.stages, options.files.constants})
    if (isGiven(option)) throw UserError(say::belongsToTimingOnly, aboutOf(option));
}

int sweepTiming(const GivenFields& settings, const std::vector<std::int64_t>& replicas,
                const std::vector<std::int64_t>& batches, const SweepTimingOptions& given, bool asJson) {
  RunSettings config = configOf(settings);
  checkSettings(settings, config, given);
  checkOptions(given, asJson);
  takeModel(settings, given, config);
  const Catalogue catalogue = catalogueOf(config);
  const TimingConstants constants = constantsOf(given.files);
  refuseImpossibleHardware(config);
  TimingOptions options = read(config, given, catalogue);
  options.goesOnOverHosts = !options.cluster && !config.hosts;
  const bool stages = flagOf(given.stages);
  Table table = emptyTable();
  json runs = json::array();
  std::int64_t parameters = 0;
  std::set<std::string> notes;  // each once
  if (options.jitter > 0 || options.stallProbability > 0)
    notes.insert("note: the stragglers are one draw, by --seed, not a mean over many");
  std::optional<UserError> refused;
  for (const std::int64_t count : replicas) {
    RunSettings own = config;
    own.replicas = count;
    std::optional<TimingRun> run;
    try {
      run.emplace(own, options, catalogue, constants);
    } catch (const UserError& error) {
      if (!refused) refused = error;
      notes.insert("note: " + leftOut(count, error.message()));
      continue;
    }
    parameters = run->model().parameters();
    if (!run->extrapolated().empty()) notes.insert("note: " + format(run->extrapolated()));
    for (const Message& why : run->asFloat32()) notes.insert("note: " + format(why));
    for (const std::int64_t batch : batches) {
      const Point point = pointOf(*run, count, batch);
      if (!point.memory.fits()) notes.insert("note: " + doesNotFit(options.model, batch, point.memory));
      addRow(table, point, *run);
      runs.push_back(toJson(point, *run, stages));
    }
  }
  if (runs.empty()) throw *refused;
  for (const std::string& note : notes) say(note);
  if (asJson)
    printJson({{"model", options.model}, {"parameters", parameters}, {"runs", runs}});
  else
    print("modelled: " + options.model + ", " + counted(parameters, "parameter") +
          "; the stages are replica 0's; weak, strong: scaling efficiency, relative to one device with the same batch "
          "per replica, with the same global batch\n" +
          table.text());
  return 0;
}

}  // namespace lab::cli
