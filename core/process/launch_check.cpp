// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/launch_check.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "core/process/messages.h"
#include "core/process/task_config.h"
#include "core/process/wire_module.h"

namespace lab::process {
namespace {

constexpr std::int64_t kMostTaskConfigBytes = std::int64_t{16} << 20;

bool isOne(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && std::string_view(value) == "1";
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

std::vector<std::string> hostsIn(const std::string& where) {
  std::vector<std::string> hosts;
  for (std::size_t begin = 0; begin <= where.size();) {
    const std::size_t end = std::min(where.find(',', begin), where.size());
    const std::string host(trimmed(std::string_view(where).substr(begin, end - begin)));
    if (!isHostName(host)) throw UserError(say::badWorkerHost, Option{"worker-hosts"}, host);
    if (std::ranges::find(hosts, host) != hosts.end())
      throw UserError(say::workerHostTwice, Option{"worker-hosts"}, host);
    hosts.push_back(host);
    begin = end + 1;
  }
  return hosts;
}

}  // namespace

std::string mpirunProgram() {
  const char* other = std::getenv("STRATEGYLAB_MPIRUN");
  return other != nullptr && *other != '\0' ? other : "mpirun";
}

Message whyNoLaunch() {
  const std::string program = mpirunProgram();
  if (program != "mpirun") {
    std::error_code ignored;
    return std::filesystem::exists(program, ignored) ? Message() : Message(say::noMpirunHere, program);
  }
  if (Message why = whyNoProcesses(); !why.empty()) return why;
  return isOnPath(program) ? Message() : Message(say::noMpirunHere, program);
}

LaunchRequest requestFor(int workers, const std::string& where) {
  LaunchRequest request;
  request.workers = workers;
  request.program = (programFolder() / "strategylab-cli").string();
  request.root = runsAsRoot();
  request.rootAllowed = isOne("OMPI_ALLOW_RUN_AS_ROOT") && isOne("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM");
  if (where.empty()) return request;
  std::error_code ignored;
  if (where.find('/') != std::string::npos || where.ends_with(".json") ||
      std::filesystem::is_regular_file(where, ignored)) {
    const std::vector<std::uint8_t> bytes = readFile(where, kMostTaskConfigBytes);
    request.addresses = parseTaskConfig({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, where).workers;
  } else {
    request.hosts = hostsIn(where);
  }
  return request;
}

}  // namespace lab::process
