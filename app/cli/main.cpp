// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli: the core without a window. Exit codes: 0 done, 1 the run failed, 2 the request is wrong, 130 stopped
// with Ctrl-C, SIGTERM or SIGHUP. Every failure, of whatever kind, becomes one sentence on standard error here.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "app/cli/cli.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "app/cli/watched.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "core/base/sentence.h"
#include "core/base/suggest.h"
#include "core/process/peers.h"

namespace {

using namespace lab;
using namespace lab::cli;

int run(int argc, char** argv) {
  CLI::App app("Trains small networks under the strategies of tf.distribute, on simulated or real devices.",
               "strategylab-cli");
  formatHelp(app);
  app.set_version_flag("--version", std::string("strategylab-cli ") + STRATEGYLAB_VERSION,
                       "Print the version and exit.");
  app.set_help_all_flag("--help-all", "Print the help of all commands and exit.");
  app.require_subcommand(1);
  app.footer("`strategylab-cli COMMAND --help` explains a command.");

  Action action;
  for (const auto add :
       {addTrain, addLaunch, addServe, addJoin, addReplay, addCompare, addSweep, addSplit, addCollective, addStrategies,
        addDevices, addCatalogue, addCode, addLessons, addLesson, addSelftest, addBench, addData, addValidate})
    add(app, action);

  if (argc < 2) throw UserError(say::noCommand);
  if (argv[1][0] != '-') {
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
    if (std::find(commands.begin(), commands.end(), argv[1]) == commands.end())
      throw UserError(say::helpExplains, unknownName(say::commandWord, argv[1], commands));
  }

  for (CLI::App* command : app.get_subcommands({})) {
    command->group("Commands");
    command->set_version_flag("--version", app.version(), "Print the version and exit.");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion&) {
    print(app.version() + "\n");
    return 0;
  } catch (const CLI::CallForAllHelp&) {
    print(app.help("", CLI::AppFormatMode::All));
    return 0;
  } catch (const CLI::Success&) {
    // CLI11 separates groups with two empty lines; one is enough.
    print(CLI::detail::find_and_replace(app.help(), "\n\n\n", "\n\n"));
    return 0;
  } catch (const CLI::ParseError& error) {
    rephrase(error, app);
  }
  LAB_CHECK(action);
  return action();
}

// Joins a message that lists places, one per line, into one line, for use in scripts.
std::string oneLine(std::string message) {
  for (const auto& [from, to] : {std::pair(":\n  ", ": "), std::pair("\n  ", "; "), std::pair("\n", ". ")})
    message = CLI::detail::find_and_replace(message, from, to);
  return message;
}

// With several processes, the first one reports an error of all, and then all end. If that has not ended them, the
// error is this process's alone.
int fail(const std::string& message, int exitCode, const Message& what = {}) {
  const std::shared_ptr<process::Peers> peers = process::peers();
  const bool tellsLast = peers && !peers->isChief() && peers->isAlike();
  if (tellsLast) std::this_thread::sleep_for(std::chrono::seconds(2));
  const bool isTold = tellsLast && peers->hasVerdict();  // a verdict belongs to all processes
  if (!isTold && cli::isWatched() && !what.empty())
    cli::sayFailure(what);
  else if (!isTold)
    cli::say("strategylab-cli: " + sentence(oneLine(message)));
  if (peers) peers->abort(exitCode);
  return exitCode;
}

}  // namespace

int main(int argc, char** argv) {
  occupyStandardFiles();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error that print() reports
  keepTyped(argc, argv);
  allowSpecialFiles();
  try {
    return run(argc, argv);
  } catch (const UserError& error) {
    return fail(error.what(), error.exitCode(), error.message());
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this. Use fewer replicas, a smaller batch or fewer examples.", 1);
  } catch (const std::exception& error) {
    return fail(std::string("an error of the program itself: ") + error.what() +
                    ". Please report it with the command you gave.",
                1);
  }
}
