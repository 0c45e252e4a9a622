// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli strategies, devices, catalogue: lists them, and says why something is not available.
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/device/backend.h"
#include "core/device/cuda/gpu_module.h"
#include "core/hardware/catalogue.h"
#include "core/hardware/timing_constants.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/process/wire_module.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

using nlohmann::json;

int listStrategies(bool asJson) {
  json rows = json::array();
  Table table({{"strategy"}, {"tf.distribute"}, {"replicas", Table::Align::Right}, {"what it does"}});
  for (const StrategyInfo& info : strategies()) {
    json reducers = json::array();
    for (const Reducer reducer : info.reducers) {
      // The field's own text, which --reducer accepts.
      RunSettings config;
      config.reducer = reducer;
      reducers.push_back(configField("reducer").get(config));
    }
    rows.push_back({{"key", info.key},
                    {"name", info.name},
                    {"sentence", info.sentence},
                    {"beyondTensorFlow", info.beyondTensorFlow},
                    {"synchronous", info.synchronous},
                    {"severalMachines", info.severalMachines},
                    {"singleReplica", info.singleReplica},
                    {"mirrored", info.hasCopies && info.own != StrategyInfo::Own::Weights},
                    {"defaultReplicas", info.defaultReplicas},
                    {"defaultHosts", info.defaultHosts},
                    {"defaultDeviceModel", info.defaultDeviceModel},
                    {"defaultLink", info.defaultLink},
                    {"defaultHostLink", info.defaultHostLink},
                    {"reducers", reducers}});
    table.add({info.key, info.name, formatCount(info.defaultReplicas),
               info.sentence + (info.beyondTensorFlow ? " Beyond tf.distribute." : "")});
  }
  if (asJson)
    printJson({{"strategies", rows}});
  else
    print(table.text());
  return 0;
}

struct DeviceRow {
  std::string kind;
  std::string name;
  std::string why;  // reason if not available; otherwise ""
};

int listDevices(bool asJson) {
  ThreadPool pool(1);
  std::vector<DeviceRow> rows{{"simulated",
                               formatCount(static_cast<std::int64_t>(Catalogue::builtIn().devices().size())) +
                                   " models, see `catalogue`; modelled time",
                               ""},
                              {"cpu",
                               processorName() + ", " + counted(processorCount(), "thread") +
                                   ", kernels: " + std::string(makeCpuBackend(pool)->name()) + "; measured time",
                               ""}};
  const Message noGpu = whyNoGpu();
  if (!noGpu.empty()) rows.push_back({"cuda", "NVIDIA GPU; measured time", format(noGpu)});
  for (std::size_t i = 0; noGpu.empty() && i < gpuInfos().size(); ++i) {
    const gpu::GpuInfo& info = gpuInfos()[i];
    rows.push_back({"cuda",
                    "GPU " + std::to_string(i) + ": " + info.name + " (" + info.address + "), compute capability " +
                        std::to_string(info.major) + "." + std::to_string(info.minor) + ", " +
                        formatBytes(info.memoryBytes) + (info.isMig ? ", a MIG instance" : "") + "; measured time; " +
                        gpuDescription(),
                    ""});
  }
  const Message noProcesses = process::whyNoProcesses();
  rows.push_back({"processes",
                  std::string("real processes, started by `launch`, which compute on the processor") +
                      (noGpu.empty() ? " or, with --worker-devices cuda, on GPUs" : "") + "; measured time",
                  noProcesses.empty() ? "" : format(noProcesses)});
  json list = json::array();
  Table table({{"devices"}, {"what"}, {"available"}});
  for (const DeviceRow& row : rows) {
    json entry{{"kind", row.kind}, {"available", row.why.empty()}, {"name", row.name}};
    if (!row.why.empty()) entry["why"] = row.why;
    if (row.kind == "cuda" && row.why.empty() && !whyNoNccl().empty()) entry["whyNoNccl"] = format(whyNoNccl());
    list.push_back(entry);
    table.add({row.kind, row.name, row.why.empty() ? "yes" : "no: " + row.why});
  }
  if (asJson)
    printJson({{"devices", list}});
  else
    print(table.text());
  return 0;
}

std::string orDash(double value, int decimals) {
  return value > 0 ? formatFixed(value, decimals) : "-";
}

// Returns the family; if the user's catalogue does not name it, also the device that it was taken from.
std::string familyText(const DeviceModel& device) {
  if (!device.family) return "-";
  return std::string(toString(*device.family)) + (device.familyFrom.empty() ? "" : " (as " + device.familyFrom + ")");
}

std::string spaced(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all.empty() ? "-" : all;
}

// Returns the formats that its matrix unit multiplies.
std::vector<std::string> formatsOf(const DeviceModel& device) {
  std::vector<std::string> known;
  for (const MatrixFormat format : {MatrixFormat::Tf32, MatrixFormat::Fp16, MatrixFormat::Bf16})
    if (device.multiplies(format)) known.emplace_back(toString(format));
  return known;
}

json toJson(const DeviceModel& device) {
  return {{"id", device.id},
          {"name", device.name},
          {"family", device.family ? json(toString(*device.family)) : json()},
          {"familyFrom", device.familyFrom.empty() ? json() : json(device.familyFrom)},
          {"fp32Tflops", device.fp32Tflops},
          {"matrixTflops", device.matrixTflops},
          {"matrixPrecision", device.matrixPrecision},
          {"matrixFormats", formatsOf(device)},
          {"memoryGb", device.memoryGb},
          {"memoryGbPerSec", device.memoryGbPerSec},
          {"links", device.links},
          {"launchOverheadUs", device.launchOverheadUs},
          {"cnnEfficiency", device.cnnEfficiency},
          {"sources", device.sources},
          {"notes", device.notes}};
}

json toJson(const LinkModel& link) {
  return {{"id", link.id},
          {"name", link.name},
          {"family", toString(link.family)},
          {"gbPerSec", link.gbPerSec},
          {"effectiveGbPerSec", link.effectiveGbPerSec},
          {"latencyUs", link.latencyUs},
          {"largestDomain", link.largestDomain > 0 ? json(link.largestDomain) : json()},
          {"sources", link.sources},
          {"notes", link.notes}};
}

int listCatalogue(bool asJson, const TimingFiles& files) {
  const Catalogue catalogue = catalogueOf(files);
  const TimingConstants timing = constantsOf(files);
  if (asJson) {
    json devices = json::array(), links = json::array();
    for (const DeviceModel& device : catalogue.devices()) devices.push_back(toJson(device));
    for (const LinkModel& link : catalogue.links()) links.push_back(toJson(link));
    json constants = json::array();
    for (const TimingConstant& row : timing.rows())
      constants.push_back({{"key", row.key}, {"value", row.value}, {"unit", row.unit}, {"source", row.source}});
    printJson({{"devices", devices}, {"links", links}, {"constants", constants}});
    return 0;
  }
  const auto right = Table::Align::Right;
  Table devices({{"device model"},
                 {"name"},
                 {"family"},
                 {"fp32 TFLOP/s", right},
                 {"matrix TFLOP/s", right},
                 {"matrix formats"},
                 {"memory GB", right},
                 {"memory GB/s", right},
                 {"launch us", right},
                 {"CNN efficiency", right},
                 {"links"}});
  for (const DeviceModel& device : catalogue.devices())
    devices.add({device.id, device.name, familyText(device), orDash(device.fp32Tflops, 2),
                 orDash(device.matrixTflops, 1), spaced(formatsOf(device)), orDash(device.memoryGb, 0),
                 orDash(device.memoryGbPerSec, 0), orDash(device.launchOverheadUs, 1), orDash(device.cnnEfficiency, 3),
                 spaced(device.links)});
  Table links({{"link"},
               {"name"},
               {"family"},
               {"nominal GB/s", right},
               {"effective GB/s", right},
               {"latency us", right},
               {"joins", right}});
  for (const LinkModel& link : catalogue.links())
    links.add({link.id, link.name, std::string(toString(link.family)), orDash(link.gbPerSec, 2),
               orDash(link.effectiveGbPerSec, 2), orDash(link.latencyUs, 2),
               link.largestDomain > 0 ? formatCount(link.largestDomain) : "-"});
  print(devices.text() + "\n" + links.text());
  return 0;
}

void addList(CLI::App& app, Action& action, const std::string& name, const std::string& help, int (*list)(bool)) {
  CLI::App* command = app.add_subcommand(name, help);
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] { action = [=] { return list(flagOf(asJson)); }; });
}

}  // namespace

void addStrategies(CLI::App& app, Action& action) {
  addList(app, action, "strategies", "The strategies, and what each does.", listStrategies);
}

void addDevices(CLI::App& app, Action& action) {
  addList(app, action, "devices", "The kinds of devices here, and why one is not available.", listDevices);
}

void addCatalogue(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("catalogue", "The hardware that can be simulated, with its figures.");
  const TimingFiles files = addTimingFiles(*command);
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] { action = [=] { return listCatalogue(flagOf(asJson), files); }; });
}

}  // namespace lab::cli
