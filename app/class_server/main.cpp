// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-class: the network side of a class in a separate program, as strategylab-hdf5 is for weights. The command
// line starts it (app/cli/class_program) with one line of JSON on standard input, `serve` or `join`, sends it orders,
// one per line, and reads lines of JSON from its standard output. Failures are on standard error; exit codes are the
// command line's. It ends when its input does. A class's parameter servers are this program too
// (core/serving/server_processes.h), which it starts itself.
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/class_server/join.h"
#include "app/class_server/messages.h"
#include "app/class_server/serve.h"
#include "core/base/error.h"
#include "core/serving/server_processes.h"

namespace {

int run(int argc, char** argv) {
  const std::string_view what = argc >= 2 ? argv[1] : "";
  if (what == "parameter-server" && argc == 4) return lab::serving::runParameterServer(argv[2], std::stoi(argv[3]));
  std::string line;
  if (argc != 2 || (what != "serve" && what != "join") || !std::getline(std::cin, line))
    throw lab::UserError(lab::say::classNotStartedBy);
  const nlohmann::json order = nlohmann::json::parse(line, nullptr, false);
  if (!order.is_object()) throw lab::UserError(lab::say::classNotStartedBy);
  return what == "serve" ? lab::classes::serve(order) : lab::classes::join(order);
}

int fail(const std::string& why, int code) {
  std::fputs((why + "\n").c_str(), stderr);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::ios::sync_with_stdio(true);  // asio reads all after the first line: nothing of it may be buffered here
  std::setvbuf(stdin, nullptr, _IONBF, 0);
  try {
    return run(argc, argv);
  } catch (const lab::UserError& error) {
    return fail(error.what(), error.exitCode());
  } catch (const std::exception& error) {
    return fail(std::string("an error of the class's program itself: ") + error.what() +
                    ". Please report it with the command you gave.",
                1);
  }
}
