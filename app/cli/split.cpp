// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli split: which replica gets which example, in file order, through the input pipeline that training
// uses.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/data/input.h"
#include "core/options/messages.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

constexpr std::int64_t kMostSplit = 10'000'000;  // one batch of so many takes about half a gigabyte

int split(const RunSettings& config, std::int64_t examples) {
  catchInterrupts();
  if (config.files != 1 && config.split != SplitSource::File) throw UserError(say::filesOfSplit, Option{"files"});
  const StrategyInfo& info = strategyInfo(config.strategy);
  const std::int64_t replicas = info.replicasOf(config), hosts = info.hostsOf(config);
  SplitSettings settings;
  settings.replicas = static_cast<int>(replicas);
  settings.hosts = static_cast<int>(hosts);
  settings.globalBatch = config.globalBatch ? *config.globalBatch : kDefaultBatchPerReplica * replicas;
  settings.source = config.split;
  settings.autoShard = config.autoShard;
  settings.files = static_cast<int>(config.files);

  Input input(examples, settings, 0, 1);
  const std::int64_t replicasPerHost = replicas / hosts;
  const std::int64_t steps = input.stepsPerEpoch();
  for (std::int64_t step = 1; step <= steps; ++step) {
    if (interrupted()) return kInterrupted;
    const DistributedBatch batch = input.next();
    std::string lines;
    for (std::size_t i = 0; i < batch.shards.size(); ++i) {
      const auto replica = static_cast<std::int64_t>(i);
      nlohmann::ordered_json line{{"step", step},
                                  {"host", replica / replicasPerHost},
                                  {"replica", replica % replicasPerHost},
                                  {"examples", batch.shards[i]}};
      lines += line.dump() + "\n";
    }
    print(lines);
  }
  return 0;
}

}  // namespace

void addSplit(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("split", "Which replica gets which example of one epoch, in file order, as JSON lines.");
  const auto options = std::make_shared<ConfigOptions>();
  options->add(*command, "global-batch");
  options->add(*command, "replicas", "2");
  options->add(*command, "hosts", "1");
  options->add(*command, "split");
  options->add(*command, "auto-shard");
  options->add(*command, "files");
  const CLI::Option* examples = addValue(*command, "--examples", "N", "How many examples there are. [4000]", "Data");
  addJson(*command)->description("Accepted for uniformity: the output is always JSON lines.");
  command->callback(
      [=, &action] { action = [=] { return split(options->read(), integerOf(examples, 4000, 1, kMostSplit)); }; });
}

}  // namespace lab::cli
