// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli serve: trains a class. The class's server is a separate program (app/class_server); this one
// configures it and writes the files.
#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "app/cli/class_run.h"
#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "core/protocol/class_link.h"
#include "core/protocol/class_settings.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

struct ServeOptions {
  ConfigOptions config;
  CLI::Option *listen = nullptr, *deadline = nullptr, *certificate = nullptr, *key = nullptr, *checks = nullptr,
              *json = nullptr;
};

int serve(const ServeOptions& options) {
  const GivenFields given = options.config.given();
  const RunSettings config = classSettings(given);
  ClassRequest request;
  request.listen = serving::parseListenAddress(textOf(options.listen).value_or(request.listen)).text();
  request.deadlineSeconds = realOf(options.deadline, request.deadlineSeconds, 0.5, 3600);
  request.certificate = textOf(options.certificate).value_or("");
  request.key = textOf(options.key).value_or("");
  request.checkShare = realOf(options.checks, request.checkShare, 0, 1);
  request.json = flagOf(options.json);
  request.firstWorkers = static_cast<int>(config.replicas.value_or(1));
  return runClass(config, request);
}

}  // namespace

void addServe(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "serve",
      "A class trains together: workers join with the link that is printed first, come and go, and each gradient "
      "counts as it comes (parameter-server), or in step (--strategy mirrored or backup-workers). Listens on one "
      "address only. Without --certificate there is no encryption: everybody on that network can read and change "
      "what is sent: examples, weights and gradients. With --replicas the first step waits for that many workers. Ends "
      "after "
      "--steps updates; Ctrl-C ends it earlier, and writes the files that were asked for.");
  const auto options = std::make_shared<ServeOptions>();
  options->listen = addValue(*command, "--listen", "ADDRESS:PORT",
                             "The address or name of this machine that workers reach, and a port; 0 picks a free one. "
                             "Default: 127.0.0.1:0, for workers on this machine.");
  options->deadline = addValue(*command, "--deadline", "SECONDS",
                               "A worker that is not heard from for this many seconds loses its closure to another. "
                               "Default: 5.");
  options->certificate = addValue(*command, "--certificate", "FILE",
                                  "Encrypt, for a school that has a name: the certificate with its chain, in PEM. It "
                                  "must be for the name or address that --listen gives.");
  options->key = addValue(*command, "--key", "FILE", "The certificate's key, in PEM, without a password.");
  options->certificate->needs(options->key);
  options->key->needs(options->certificate);
  options->checks =
      addValue(*command, "--check-share", "SHARE",
               "How much of this machine's time spot checks may take, 0 to 1: some of the gradients that "
               "come are computed again, and a worker that sent a false one is sent away. Default: 0.02.");
  const auto isServed = [](const StrategyInfo& info) { return info.served; };
  options->config.add(*command, "strategy", "parameter-server", strategiesOf(isServed));
  options->config.add(*command, "replicas", "1: the first who joins begins");
  std::vector<std::string_view> others = serving::fieldsNotOfAClass();
  others.insert(others.end(), {"strategy", "replicas"});
  std::ranges::move(settingsOfOthers(isServed), std::back_inserter(others));
  options->config.addAll(*command, others);
  options->json = addJson(*command);
  command->callback([=, &action] { action = [=] { return serve(*options); }; });
}

}  // namespace lab::cli
