// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launching/remote_kills.h"

#include <cstddef>
#include <utility>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/process/messages.h"

namespace lab {
namespace {

constexpr std::size_t kMostSaidThere = 1000;

}  // namespace

RemoteKills::Kill::Kill(const std::vector<std::string>& command, const Message& whom, int mostMs)
    : mpirun(command, {}, ChildProcess::Input::Written),
      who(whom),
      until(std::chrono::steady_clock::now() + std::chrono::milliseconds(mostMs)) {}

void RemoteKills::add(const std::vector<std::string>& command, const Message& who, int mostMs) {
  try {
    kills_.emplace_back(command, who, mostMs);
  } catch (const UserError& error) {
    failure_ = Message(say::notKilledThere, who, error.message());
  }
}

Message RemoteKills::poll() {
  kills_.remove_if([this](Kill& each) {
    while (const auto line = each.mpirun.nextLine(0))
      if (each.said.size() < kMostSaidThere) each.said += line->text + "\n";
    const auto code = each.mpirun.ended();
    if (!code && std::chrono::steady_clock::now() < each.until) return false;
    if (code != 0) failure_ = Message(say::notKilledThere, each.who, Message(say::verbatim, each.said));
    return true;
  });
  return std::exchange(failure_, {});
}

}  // namespace lab
