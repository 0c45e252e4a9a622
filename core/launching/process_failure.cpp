// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launching/process_failure.h"

#include <cstddef>
#include <filesystem>

#include "core/launching/messages.h"
#include "core/process/launch_plan.h"
#include "core/process/messages.h"

namespace lab {
namespace {

constexpr int kKillSignal = 9;
constexpr int kSignalled = 128;  // plus the signal's number, as in the shell

Message adviceAfter(const ProcessEnd& end) {
  if (end.checkpointStep == 0) return say::noCheckpointYet;
  const std::string host = end.info != nullptr && !end.info->processes.empty() ? end.info->processes[0].host : "?";
  return {say::resumeFromStep, Count{end.checkpointStep}, std::filesystem::path(end.checkpoints), host};
}

}  // namespace

Message failureOf(const ProcessEnd& end, int& lost) {
  if (end.silentSeconds > 0) return {say::processesSilent, end.silentSeconds, Count{end.lastStep}, adviceAfter(end)};
  const auto killed = process::killedWorker(end.said);
  if (killed && (end.told.empty() || killed->signal == kKillSignal)) {  // others may have noticed
    lost = killed->worker;
    const auto known = static_cast<std::size_t>(killed->worker);
    Message who(say::workerThere, killed->worker, killed->host);
    if (end.info != nullptr && known < end.info->processes.size())
      who = Message(say::workerOnHost, killed->worker, end.info->processes[known].host, end.info->processes[known].pid);
    return {say::processKilled, who, killed->signal, Count{end.lastStep}, adviceAfter(end)};
  }
  const Message why = end.told.empty() ? process::whyNotStarted(end.said) : end.told;
  if (why.empty() && end.info != nullptr && end.said.empty())
    return end.code > kSignalled
               ? Message(say::mpirunKilled, end.code - kSignalled, Count{end.lastStep}, adviceAfter(end))
               : Message(say::mpirunSaysNothing, end.code, Count{end.lastStep}, adviceAfter(end));
  if (why.empty() && end.info != nullptr)
    return {say::mpirunEnded, end.code, Count{end.lastStep}, end.said, adviceAfter(end)};
  if (why.empty()) return {say::mpirunStartedNothing, end.code, end.said};
  return end.info != nullptr ? Message(say::processesFailed, why, adviceAfter(end)) : why;
}

bool isOfExamples(const Message& told) {
  return told.is(say::examplesFailThere) || told.is(say::otherDataThere);
}

}  // namespace lab
