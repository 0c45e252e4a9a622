// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "app/cli/messages.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "core/base/units.h"

namespace lab::cli {
namespace {

std::atomic<bool> interruptSeen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");
std::exception_ptr brokenOutput;  // from printOfRun()

std::vector<std::string>& words() {
  static std::vector<std::string> all;
  return all;
}

void onInterrupt(int signal) {
  interruptSeen.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catchCtrlC() {
  std::signal(SIGINT, onInterrupt);
}

void catchInterrupts() {
  catchCtrlC();
  std::signal(SIGTERM, onInterrupt);
  // nohup lets a program outlive its terminal.
  if (std::signal(SIGHUP, onInterrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

void catchStopSignals() {
  std::signal(SIGTERM, onInterrupt);
  if (const int signal = stopSignal(); signal != 0) std::signal(signal, onInterrupt);
}

bool interrupted() {
  return interruptSeen.load();
}

void keepTyped(int argc, char** argv) {
  words().assign(argv, argv + argc);
}
const std::vector<std::string>& typed() {
  return words();
}

void print(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw UserError(UserError::Kind::Run, say::cannotPrint, lastSystemError());
}

void printOfRun(std::string_view text) {
  if (brokenOutput) return;
  try {
    print(text);
  } catch (const UserError&) {
    brokenOutput = std::current_exception();
    interruptSeen.store(true);
  }
}

void checkPrinted() {
  if (brokenOutput) std::rethrow_exception(brokenOutput);
}

void printJson(const nlohmann::json& document) {
  // A path need not be UTF-8; JSON must be.
  print(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void say(const std::string& message) {
  std::fputs((message + "\n").c_str(), stderr);
}

std::string counted(std::int64_t count, const std::string& noun) {
  return formatCount(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string formatRounded(double value) {
  return value < 10 ? scientific(value) : formatCount(std::llround(value));
}

std::string scientific(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g", value);
  return text.data();
}

}  // namespace lab::cli
