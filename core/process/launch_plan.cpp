// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/launch_plan.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <system_error>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "core/process/messages.h"
#include "core/process/peers.h"
#include "core/process/task_config.h"

namespace lab::process {
namespace {

// As in TensorFlow's programs for one machine.
constexpr int kFirstPort = 20000;
constexpr const char* kHostFilePlace = "{hostfile}";  // placeholder in the command for the file's path

// Returns the hosts in the order of workers: neighbours share one.
std::vector<std::string> hostsOfWorkers(const LaunchRequest& request) {
  std::vector<std::string> hosts;
  for (const std::string& address : request.addresses) {
    hosts.push_back(hostOfWorker(address));
    if (!isHostName(hosts.back())) throw UserError(say::hostByNumber, hosts.back());
  }
  if (!hosts.empty() || request.hosts.empty()) return hosts;
  const auto count = static_cast<int>(request.hosts.size());
  if (request.workers % count != 0)
    throw UserError(say::workersNotOnHosts, Option{"workers"}, request.workers, Option{"hosts"}, count);
  for (int w = 0; w < request.workers; ++w) hosts.push_back(at(request.hosts, w / (request.workers / count)));
  return hosts;
}

bool isThisMachine(const std::string& host) {
  return host == "localhost" || host == "127.0.0.1";
}

// libstdc++'s regular expressions recurse with each character: in output of any length, such as a program's that prints
// without line ends, they overflow the stack. mpirun says what is wrong at the beginning or at the end.
std::string forExpressions(const std::string& says) {
  constexpr std::size_t kHalf = 2000;
  return says.size() <= 2 * kHalf ? says : says.substr(0, kHalf) + "\n" + says.substr(says.size() - kHalf);
}

std::optional<int> numberIn(const std::string& digits) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

LaunchPlan planLaunch(const LaunchRequest& request) {
  if (request.root && !request.rootAllowed) throw UserError(say::rootNotAllowed);
  if (!request.addresses.empty() && std::ssize(request.addresses) != request.workers)
    throw UserError(say::workersNotAddresses, Option{"workers"}, request.workers, std::ssize(request.addresses));
  LaunchPlan plan;
  std::vector<std::string> hosts = hostsOfWorkers(request);
  const bool here = std::ranges::all_of(hosts, isThisMachine);
  // Nothing is bound, because a process bound to one core would only compute on that core. More processes than cores
  // are no mistake here. Waiting processes yield then: otherwise four processes on two cores take 50 times as long
  // (reference/lab.md, 6.2). If each has a core, they do not yield: beside other programs, each yield costs one of
  // those programs' time slices, and two processes took five times as long.
  plan.command = {"mpirun",         "-n", std::to_string(request.workers), "--tag-output", "--bind-to", "none",
                  "--oversubscribe"};
  const auto add = [&plan](std::initializer_list<std::string> more) { plan.command.insert(plan.command.end(), more); };
  add({"--mca", "mpi_yield_when_idle", here && request.workers <= request.cores ? "0" : "1"});
  if (!here) {
    // Beside other hosts, mpirun knows this machine only by its name, and cuts names at the first dot unless told to
    // keep them.
    for (std::string& host : hosts)
      if (isThisMachine(host)) host = hostName();
    add({"--mca", "orte_keep_fqdn_hostnames", "1"});
    plan.hosts = hosts;
    for (const std::string& host : hosts) plan.hostFile += host + "\n";
    add({"--hostfile", kHostFilePlace, "--map-by", "seq"});
  }
  std::vector<std::string> addresses = request.addresses;
  for (int w = static_cast<int>(addresses.size()); w < request.workers; ++w)
    addresses.push_back((hosts.empty() ? "localhost" : at(hosts, w)) + ":" + std::to_string(kFirstPort + w));
  plan.environment.emplace_back(kClusterVariable, nlohmann::json{{"cluster", {{"worker", addresses}}}}.dump());
  add({"-x", kClusterVariable});
  const auto tell = [&](const char* name, const std::string& value) {
    if (!value.empty()) plan.environment.emplace_back(name, value);
    if (!value.empty() || std::getenv(name) != nullptr) add({"-x", name});
  };
  tell(kDeadlineVariable, request.deadline);
  tell(kStartUpVariable, request.startUpLimit);
  // On other hosts mpirun sets no variables but those named. NCCL is told by its own which networks it may use.
  for (const char* name : {"STRATEGYLAB_CPU_PATH", "STRATEGYLAB_DATA", "STRATEGYLAB_MPI_MODULE", "STRATEGYLAB_NCCL",
                           "STRATEGYLAB_CUDA_MODULE", "STRATEGYLAB_CUDA_OVERLAP"})
    tell(name, "");
  for (const std::string& name : environmentNames("NCCL_")) add({"-x", name});
  add({request.program, "train", "--devices", "processes"});
  plan.command.insert(plan.command.end(), request.options.begin(), request.options.end());
  for (int w = 0; w < request.workers; ++w)
    plan.workers.push_back("worker " + std::to_string(w) + (here ? "" : " (" + at(hosts, w) + ")"));
  return plan;
}

void placeHostFile(LaunchPlan& plan, const std::string& path) {
  if (plan.hostFile.empty()) return;
  writeFileAtomically(path, plan.hostFile);
  std::ranges::replace(plan.command, std::string(kHostFilePlace), path);
}

std::vector<std::string> killCommand(const std::string& mpirun, const std::string& host, const std::string& pid) {
  return {mpirun, "-n", "1", "--bind-to", "none", "--host", host, "sh", "-c", "kill -KILL " + pid};
}

std::optional<Killed> killedWorker(const std::string& mpirunSays) {
  static const std::regex sentence(
      R"(process rank (\d+) with PID (\d+) on node\s+(\S+)\s+exited\s+on\s+signal\s+(\d+))");
  std::smatch match;
  std::string flat = forExpressions(mpirunSays);
  std::ranges::replace(flat, '\n', ' ');
  if (!std::regex_search(flat, match, sentence)) return std::nullopt;
  const std::optional<int> worker = numberIn(match[1]), signal = numberIn(match[4]);
  if (!worker || !signal) return std::nullopt;
  return Killed{*worker, *signal, match[2], match[3]};
}

Message whyNotStarted(const std::string& mpirunSays) {
  static const std::regex unknown(R"(ssh: Could not resolve hostname (\S+): ([^\n\r]+))"),
      refused(R"(ssh: connect to host (\S+) port \d+: ([^\n\r]+))"),
      denied(R"((?:^|\n)(?:\S+@)?(\S+): (Permission denied[^\n\r]*?)\.?\r?(?:\n|$))"),
      lacks(R"(Executable: (\S+)\s+Node: (\S+))");
  const std::string says = forExpressions(mpirunSays);
  std::smatch match;
  for (const std::regex* each : {&unknown, &refused, &denied})
    if (std::regex_search(says, match, *each)) return {say::hostNotReached, match[1].str(), match[2].str()};
  if (std::regex_search(says, match, lacks)) return {say::programNotThere, match[1].str(), match[2].str()};
  return {};
}

}  // namespace lab::process
