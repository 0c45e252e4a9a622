// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launching/processes.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/at.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/device/backend.h"
#include "core/keras/keras_json.h"
#include "core/launching/forwarded_inputs.h"
#include "core/options/config_field.h"
#include "core/options/forwarded_files.h"
#include "core/options/network_of.h"
#include "core/process/messages.h"
#include "core/process/task_config.h"

namespace lab {
namespace {

using process::Content;
using process::Peers;

// No result depends on these, but who takes part in which exchange does.
constexpr std::string_view kTogether[]{"steps", "epochs", "eval-every", "checkpoint-every", "resume"};

std::string digestOf(const std::string& text) {
  Digest digest(DigestKind::Sha256);
  digest.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  return digest.hex();
}

// Describes TF_CONFIG, with only the size and a digest of its cluster: sending all addresses from everybody would grow
// with their square. An unreadable one is sent unchanged, so that all report the same error.
nlohmann::json aboutTask(const std::string& content) {
  try {
    const process::TaskConfig task = process::parseTaskConfig(content, "TF_CONFIG");
    Digest cluster(DigestKind::Sha256);
    for (const std::string& worker : task.workers)
      for (const std::string& text : {worker, std::string("\n")})
        cluster.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    nlohmann::json about{{"type", task.type}, {"workers", task.workers.size()}, {"cluster", cluster.hex()}};
    if (task.index) about["index"] = *task.index;
    return about;
  } catch (const UserError&) {
    return content;
  }
}

// Describes what must be the same everywhere.
nlohmann::json aboutThis(const ResolvedSettings& config, const std::shared_ptr<const Dataset>& dataset,
                         const std::string& version) {
  nlohmann::json about{{"version", version},
                       {"dataset", dataset->name},
                       {"source", dataset->source},
                       {"digest", trainDigestOf(dataset) + digestOf(dataset->test)}};
  const std::string layers = kerasJson(*networkOf(config));
  about["layers"] = digestOf(layers);
  const char* forced = std::getenv("STRATEGYLAB_CPU_PATH");
  about["kernels"] = forced != nullptr ? std::string(forced) : cpuIsas().front();
  about["runs"] = cpuIsas();
  for (const ConfigField& field : configFields())
    if (field.changesResults || std::ranges::find(kTogether, field.name) != std::end(kTogether))
      about["settings"][field.name] = field.get(config);
  about["settings"]["checkpoint-dir"] = config.checkpointDir.empty() ? "" : "FOLDER";  // each host may name another
  if (const char* text = std::getenv("TF_CONFIG")) about["task"] = aboutTask(text);
  return about;
}

Content contentOf(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}
nlohmann::json jsonOf(const Content& content) {
  const auto* first = reinterpret_cast<const char*>(content.data());
  return nlohmann::json::parse(first, first + content.size());
}

std::string commonKernels(const std::vector<nlohmann::json>& all) {
  for (const nlohmann::json& kernels : all.front().at("runs"))
    if (std::ranges::all_of(all, [&](const nlohmann::json& each) {
          return std::ranges::find(each.at("runs"), kernels) != each.at("runs").end();
        }))
      return kernels.get<std::string>();
  return "baseline";
}

void compareTasks(const Peers& peers, const std::vector<nlohmann::json>& all) {
  std::string cluster;
  for (int rank = 0; rank < peers.size(); ++rank) {
    const nlohmann::json& about = at(all, rank);
    if (!about.contains("task")) continue;
    const nlohmann::json& task = about.at("task");
    if (task.is_string()) (void)process::parseTaskConfig(task.get<std::string>(), "TF_CONFIG");  // throws the reason
    const Message who = peers.nameOf(rank);
    const std::string type = task.at("type").get<std::string>();
    if (task.contains("index") && (type != "worker" || task.at("index") != rank))
      throw UserError(UserError::Kind::Run, say::badTaskIndex, who, task.at("index").get<std::int64_t>(), type);
    if (task.at("workers") != peers.size())
      throw UserError(UserError::Kind::Run, say::badClusterSize, who, task.at("workers").get<std::int64_t>(),
                      peers.size());
    if (cluster.empty()) cluster = task.at("cluster").get<std::string>();
    if (task.at("cluster") != cluster) throw UserError(UserError::Kind::Run, say::otherCluster, who);
  }
}

}  // namespace

void shareFiles(Peers& peers, SettingsBase& config) {
  ForwardedInputs files;
  if (peers.isChief()) {
    readNetworkFile(config);
    files = {{"network", config.network}, {"layers", layersOfFile(config)}, {"init", config.init}};
    if (const std::string* given = forwarded("catalogue")) {
      files["catalogue"] = *given;
    } else if (!config.catalogue.empty()) {
      const std::vector<std::uint8_t> bytes = readFile(config.catalogue, kMostCatalogueBytes);
      files["catalogue"].assign(bytes.begin(), bytes.end());
    }
  }
  const Content all = peers.broadcast(contentOf(packed(files)));
  if (peers.isChief()) return;
  files = unpacked({reinterpret_cast<const char*>(all.data()), all.size()});
  if (files["network"] != config.network)
    throw UserError(UserError::Kind::Run, say::otherSettingThere, peers.nameOf(peers.rank()), Option{"network"},
                    config.network, files["network"]);
  if (!files["layers"].empty()) config.networkFile = {config.network, files["layers"]};
  if (config.init.empty()) config.init = files["init"];  // of a .keras file
  if (files.contains("catalogue")) setForwarded({{"catalogue", files["catalogue"]}});
}

void compareProcesses(Peers& peers, const ResolvedSettings& config, const std::shared_ptr<const Dataset>& dataset,
                      const std::string& version) {
  constexpr auto kRun = UserError::Kind::Run;
  // Names of folders and the variable's content may not be UTF-8.
  const std::string mine =
      aboutThis(config, dataset, version).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::vector<nlohmann::json> all;
  for (const Content& each : peers.allGather(contentOf(mine))) all.push_back(jsonOf(each));
  const nlohmann::json& chief = all.front();
  for (int rank = 1; rank < peers.size(); ++rank) {
    const nlohmann::json& about = at(all, rank);
    const Message who = peers.nameOf(rank);
    const auto text = [](const nlohmann::json& value) { return value.get<std::string>(); };
    if (about["version"] != chief["version"])
      throw UserError(kRun, say::otherVersionThere, who, text(about["version"]), text(chief["version"]));
    for (const auto& [name, value] : about["settings"].items())
      if (value != chief["settings"].value(name, ""))
        throw UserError(kRun, say::otherSettingThere, who, Option{name}, text(value),
                        chief["settings"].value(name, ""));
    if (about["layers"] != chief["layers"]) throw UserError(kRun, say::otherNetworkThere, who);
    if (about["dataset"] != chief["dataset"] || about["digest"] != chief["digest"])
      throw UserError(kRun, say::otherDataThere, who, text(about["dataset"]), text(about["source"]),
                      text(chief["dataset"]), text(chief["source"]));
    if (about["kernels"] != chief["kernels"])
      throw UserError(kRun, say::otherKernelsThere, who, text(about["kernels"]), text(chief["kernels"]),
                      commonKernels(all));
  }
  compareTasks(peers, all);
}

}  // namespace lab
