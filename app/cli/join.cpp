// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli join: works for a class until it ends. Connection and computing are in the class's program
// (app/class_server).
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/classruns/class_program.h"
#include "core/protocol/class_link.h"

namespace lab::cli {
namespace {

constexpr std::int64_t kMostJoinThreads = 256;
constexpr int kHearMs = 100;

struct JoinOptions {
  const CLI::Option *link = nullptr, *name = nullptr, *threads = nullptr, *authority = nullptr, *json = nullptr;
};

// Reports a line; the last one sums up.
void tellOfClass(const nlohmann::json& line, bool asJson, nlohmann::json& last) {
  if (asJson) printJson(line);
  if (line.contains("joined")) {
    const auto& joined = line.at("joined");
    say("joined as " + joined.at("name").get<std::string>() + ": " + joined.at("strategy").get<std::string>() + ", " +
        counted(joined.at("steps"), "update") + " in all.");
  } else {
    last = line;
  }
}

int join(const JoinOptions& options) {
  const std::string link = options.link->as<std::string>();
  (void)serving::parseClassLink(link);
  const std::string name = textOf(options.name).value_or("");
  if (name.size() > serving::kMostNameBytes)
    throw UserError(say::nameTooLong, aboutOf(options.name), serving::kMostNameBytes);
  if (!serving::isShowable(name)) throw UserError(say::nameNotShown, aboutOf(options.name));
  if (!name.empty() && name.find_first_not_of(' ') == std::string::npos)
    throw UserError(say::nameBlank, aboutOf(options.name));
  const std::int64_t threads = integerOf(options.threads, processorCount(), 1, kMostJoinThreads);
  catchInterrupts();
  ClassProgram program(
      "join", {{"link", link}, {"name", name}, {"threads", threads}, {"ca", textOf(options.authority).value_or("")}});
  bool asked = false;
  nlohmann::json last;
  while (true) {
    if (interrupted() && !std::exchange(asked, true)) program.order("leave");
    if (const auto line = program.next(kHearMs))
      tellOfClass(*line, flagOf(options.json), last);
    else if (program.hasEnded())
      break;
  }
  if (last.contains("applied"))
    say(std::string(asked ? "left" : "the class is over") + ": " + counted(last.at("applied"), "gradient") +
        " of this worker applied, staleness " + formatFixed(last.at("staleness"), 2) + " on average.");
  return asked ? kInterrupted : 0;
}

}  // namespace

void addJoin(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("join",
                         "Work for a class until it ends: pull the variables, compute a batch's gradients, push them. "
                         "Exit code 1 if it is sent away or the class is gone, 2 if it cannot join. If the connection "
                         "breaks, it tries again for 30 seconds. Ctrl-C leaves.");
  const auto options = std::make_shared<JoinOptions>();
  options->link = command->add_option("LINK")->required()->type_name("")->description(
      "The link that `serve` or the teacher's window shows: http://ADDRESS:PORT/#KEY.");
  options->name = addValue(*command, "--name", "NAME", "Your nickname; shown if the teacher allows it.");
  options->threads = addValue(*command, "--threads", "T", "Compute threads. Default: as many as cores.");
  options->authority =
      addValue(*command, "--ca", "FILE", "For an https link: also trust what these certificates (PEM) have signed.");
  options->json = addJson(*command);
  command->callback([=, &action] { action = [=] { return join(*options); }; });
}

}  // namespace lab::cli
