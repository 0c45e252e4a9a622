// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/task_config.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/process/messages.h"

namespace lab::process {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& text, const Message& why) {
  constexpr std::size_t kShown = 60;
  std::string shown = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  if (shown.size() > kShown) shown = shown.substr(0, kShown) + "…";
  std::ranges::replace(shown, '\n', ' ');
  throw UserError(say::tfConfigNotJson, name, shown, why);
}

bool isAddress6(const std::string& host) {
  return host.size() > 2 && host.front() == '[' && host.back() == ']' &&
         host.find_first_not_of("0123456789abcdefABCDEF:.", 1) == host.size() - 1;
}

bool isHostPort(const std::string& worker) {
  constexpr int kLastPort = 65535;
  const std::size_t colon = worker.rfind(':');
  if (colon == std::string::npos) return false;
  const std::string host = worker.substr(0, colon);
  if (!isHostName(host) && !isAddress6(host)) return false;
  int port = 0;
  const char *first = worker.data() + colon + 1, *last = worker.data() + worker.size();
  const auto [end, error] = std::from_chars(first, last, port);
  return error == std::errc() && end == last && port >= 1 && port <= kLastPort;
}

// Adds the tasks of one type, given in TensorFlow's usual form, a list.
void addWorkers(TaskConfig& config, const nlohmann::json& tasks, const std::string& name, const std::string& text) {
  if (!tasks.is_array()) refuse(name, text, say::noClusterInIt);
  for (const nlohmann::json& each : tasks) {
    const std::string worker = each.is_string() ? each.get<std::string>() : each.dump();
    if (!isHostPort(worker)) refuse(name, text, {say::workerNotHostPort, worker});
    if (std::ranges::find(config.workers, worker) != config.workers.end())
      refuse(name, text, {say::workerTwice, worker});
    config.workers.push_back(worker);
  }
}

}  // namespace

// Other characters have a special meaning in mpirun's file of hosts or for ssh, where a dash begins an option.
bool isHostName(const std::string& host) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@-";
  return !host.empty() && host.front() != '-' && host.find_first_not_of(kPlain) == std::string::npos;
}

TaskConfig parseTaskConfig(const std::string& text, const std::string& name) {
  TaskConfig config;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("cluster") || !json["cluster"].is_object())
    refuse(name, text, say::noClusterInIt);
  // A chief is a worker with some additional work: worker 0.
  for (const char* type : {"chief", "worker"})
    addWorkers(config, json["cluster"].value(type, nlohmann::json::array()), name, text);
  for (const auto& [type, tasks] : json["cluster"].items())
    if (type != "chief" && type != "worker") refuse(name, text, {say::otherTasksInIt, type});
  if (config.workers.empty()) refuse(name, text, say::noClusterInIt);
  if (const auto task = json.find("task"); task != json.end() && task->is_object()) {
    const nlohmann::json type = task->value("type", nlohmann::json("worker"));
    config.type = type.is_string() ? type.get<std::string>() : type.dump();
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
