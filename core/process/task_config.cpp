// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/task_config.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/process/messages.h"

namespace lab::process {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& text, const Message& why) {
  constexpr std::size_t kShown = 60;
  throw UserError(say::tfConfigNotJson, name, text.size() > kShown ? text.substr(0, kShown) + "…" : text, why);
}

bool isHostPort(const std::string& worker) {
  const std::size_t colon = worker.rfind(':');
  return colon != std::string::npos && colon > 0 && colon + 1 < worker.size() &&
         worker.find_first_not_of("0123456789", colon + 1) == std::string::npos && worker.front() != '-' &&
         worker.find_first_of(" ,\t\n\"'") == std::string::npos;
}

}  // namespace

TaskConfig parseTaskConfig(const std::string& text, const std::string& name) {
  TaskConfig config;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("cluster") || !json["cluster"].is_object())
    refuse(name, text, say::noClusterInIt);
  // A chief is a worker that does a little more: worker 0.
  for (const char* type : {"chief", "worker"})
    for (const nlohmann::json& each : json["cluster"].value(type, nlohmann::json::array()))
      config.workers.push_back(each.is_string() ? each.get<std::string>() : each.dump());
  for (const auto& [type, tasks] : json["cluster"].items())
    if (type != "chief" && type != "worker") refuse(name, text, {say::otherTasksInIt, type});
  if (config.workers.empty()) refuse(name, text, say::noClusterInIt);
  for (const std::string& worker : config.workers)
    if (!isHostPort(worker)) refuse(name, text, {say::workerNotHostPort, worker});
  if (const auto task = json.find("task"); task != json.end() && task->is_object()) {
    config.type = task->value("type", "worker");
    if (const auto index = task->find("index"); index != task->end() && index->is_number_integer())
      config.index =
          index->get<std::int64_t>() +
          (config.type == "worker" ? std::ssize(json["cluster"].value("chief", nlohmann::json::array())) : 0);
    if (config.type == "chief") config.type = "worker";
  }
  return config;
}

std::string taskConfigText(const std::vector<std::string>& workers, std::int64_t index) {
  return nlohmann::json{{"cluster", {{"worker", workers}}}, {"task", {{"type", "worker"}, {"index", index}}}}.dump();
}

void takeTaskConfig(int index) {
  if (const char* text = std::getenv(kClusterVariable))
    setEnvironment("TF_CONFIG", taskConfigText(parseTaskConfig(text, kClusterVariable).workers, index));
}

std::string hostOfWorker(const std::string& worker) {
  return worker.substr(0, worker.rfind(':'));
}

}  // namespace lab::process
