// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launching/process_launch.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <string>
#include <system_error>
#include <vector>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/launching/forwarded_inputs.h"
#include "core/launching/run_stream.h"
#include "core/options/config_field.h"
#include "core/process/launch_check.h"
#include "core/process/messages.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

constexpr std::string_view kFolderPrefix = "strategylab-";
constexpr std::chrono::hours kForgotten{1};
constexpr std::int64_t kCheckpointEvery = 20;  // steps, by default: the most that can be lost

// Returns each process's options. Settings of simulated hardware mean nothing there, and their files may be missing.
std::vector<std::string> optionsOfWorkers(const RunSettings& asked, const ResolvedSettings& resolved,
                                          const std::filesystem::path& folder, bool resumes) {
  RunSettings told = asked;
  told.hosts = resolved.hosts;
  told.replicas = resolved.replicas;
  told.deviceModel = told.link = told.hostLink = told.catalogue = told.workerHosts = "";
  // What is each replica's own cannot be saved.
  if (told.checkpointDir.empty() && strategyInfo(told.strategy).own == StrategyInfo::Own::Nothing) {
    told.checkpointDir = (folder / "checkpoints").string();
    told.checkpointEvery = kCheckpointEvery;
  }
  told.resume = told.resume || resumes;
  told.init = told.resume ? "" : resolved.init;  // also for a .keras file
  const RunSettings usual;
  std::vector<std::string> options;
  for (const ConfigField& field : configFields()) {
    const std::string value = field.get(told);
    if (field.name == "epochs" && told.steps) continue;  // steps take precedence; train accepts only one of the two
    if (field.name == "devices" || value.empty() || value == field.get(usual)) continue;
    options.push_back("--" + field.name + (field.kind == ConfigField::Kind::Flag ? "" : "=" + value));
  }
  options.push_back("--watched=" + folder.string());
  options.emplace_back("--handed");
  return options;
}

}  // namespace

ProcessFolder::ProcessFolder() {
  static std::atomic<int> made{0};
  std::error_code error;
  for (int attempt = 0; attempt < 100; ++attempt) {
    path_ =
        temporaryFolder() / (std::string(kFolderPrefix) + std::to_string(processId()) + "-" + std::to_string(++made));
    if (!std::filesystem::create_directory(path_, error)) continue;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, error);
    try {
      writeFileAtomically(path_ / kFolderMark, "");
      lock_ = FileLock(path_ / kFolderMark);
    } catch (const UserError&) {
      std::filesystem::remove_all(path_, error);
      throw;
    }
    return;
  }
  throw UserError(UserError::Kind::Run, say::cannotWrite, path_, error.message());
}

ProcessFolder::~ProcessFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

namespace {

// Returns the process in such a folder's name; 0 for another folder.
std::int64_t processInName(std::string_view name) {
  if (!name.starts_with(kFolderPrefix)) return 0;
  name.remove_prefix(kFolderPrefix.size());
  const std::size_t end = name.find('-');
  const auto isNumber = [](std::string_view text) {
    return !text.empty() && text.size() < 10 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (end == std::string_view::npos || !isNumber(name.substr(0, end)) || !isNumber(name.substr(end + 1))) return 0;
  std::int64_t process = 0;
  std::from_chars(name.data(), name.data() + end, process);
  return process;
}

bool isForgotten(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(std::filesystem::symlink_status(folder, error)) ||
      !std::filesystem::exists(folder / kFolderMark, error))
    return false;
  const auto touched = std::filesystem::last_write_time(folder, error);
  return !error && touched < std::filesystem::file_time_type::clock::now() - kForgotten;
}

}  // namespace

void sweepProcessFolders(const std::filesystem::path& place) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(place, error), end; !error && it != end; it.increment(error)) {
    const std::int64_t process = processInName(it->path().filename().string());
    if (process == 0 || processLives(process) || !isForgotten(it->path())) continue;
    // In a container with the same folder, processes have other numbers.
    if (FileLock(it->path() / kFolderMark).isTaken()) continue;
    std::error_code ignored;  // it may belong to another user
    std::filesystem::remove_all(it->path(), ignored);
  }
}

void checkProcessRun(const ResolvedSettings& resolved) {
  if (resolved.devices != DeviceChoice::Processes) return;
  if (const Message why = process::whyNoLaunch(); !why.empty())
    throw UserError(say::noProcesses, Option{"devices"}, why);
  (void)process::planLaunch(process::requestFor(static_cast<int>(resolved.hosts), resolved.workerHosts));
}

process::LaunchPlan planProcesses(const RunSettings& asked, const ResolvedSettings& resolved,
                                  const ProcessFolder& folder, bool resumes) {
  process::LaunchRequest request = process::requestFor(static_cast<int>(resolved.hosts), resolved.workerHosts);
  // request.cores stays unknown, so that waiting processes yield: the window needs the cores too.
  request.options = optionsOfWorkers(asked, resolved, folder.path(), resumes);
  process::LaunchPlan plan = process::planLaunch(request);
  plan.command.front() = process::mpirunProgram();
  process::placeHostFile(plan, (folder.path() / "hosts").string());
  ResolvedSettings read = resolved;
  read.resume = read.resume || resumes;
  read.catalogue.clear();
  plan.input = forwardedInput(inputsToForward(read));
  return plan;
}

}  // namespace lab
