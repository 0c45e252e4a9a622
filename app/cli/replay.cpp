// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli replay: repeats a class's lesson from its run file: the same workers' gradients in the same order,
// exact to the bit, whatever disturbed the lesson.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "core/classruns/class_replay.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/protocol/class_order.h"
#include "core/protocol/class_settings.h"
#include "core/protocol/messages.h"
#include "core/training/trainer.h"

namespace lab::cli {
namespace {

struct ReplayOptions {
  const CLI::Option *file = nullptr, *save = nullptr, *json = nullptr;
};

// Returns how many updates have exactly the class's loss, to the bit.
std::int64_t equalLosses(const RunRecord& record, const std::vector<double>& losses) {
  std::int64_t equal = 0;
  for (const Metric& metric : record.metrics)
    if (const auto* step = std::get_if<StepMetric>(&metric))
      if (const auto at = static_cast<std::size_t>(step->step - 1); at < losses.size() && losses[at] == step->loss)
        ++equal;
  return equal;
}

int replay(const ReplayOptions& options) {
  const auto file = options.file->as<std::string>();
  const RunRecord record = readRunFile(file);
  if (!record.fault.empty()) throw UserError(record.fault);
  const auto isStep = [](const Metric& metric) { return std::holds_alternative<StepMetric>(metric); };
  if (record.header.isClass && std::ranges::none_of(record.metrics, isStep))
    throw UserError(say::classNothingDone, File{file});
  const serving::ClassOrder order = serving::readClassOrder(file);
  ResolvedSettings config = withoutOutputs(unchecked(configFromJson(record.header.config)));
  config.save = textOf(options.save).value_or("");
  const std::shared_ptr<const Dataset> dataset = openDataset(config);
  if (dataset->name != record.header.dataset)
    throw UserError(say::classOtherData, record.header.dataset, dataset->name);
  serving::checkClass(config, *dataset);
  const serving::ReplayedClass again = serving::replayClass(config, dataset, order);
  serving::saveClassWeights(config, again.variables);
  const auto updates = static_cast<std::int64_t>(order.updates.size());
  const std::int64_t equal = equalLosses(record, again.losses);
  if (flagOf(options.json))
    printJson({{"updates", updates}, {"equalLosses", equal}});
  else
    print(counted(updates, "update") + " trained again, " + formatCount(equal) +
          " of them with the same loss, bit by bit.\n");
  if (equal != updates && !order.falsePushes.empty())
    throw UserError(UserError::Kind::Run, say::replayFalse, order.falsePushes.front().worker,
                    order.falsePushes.front().closure);
  if (equal != updates) throw UserError(UserError::Kind::Run, say::replayDiffers);
  return 0;
}

}  // namespace

void addReplay(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "replay",
      "Train a class's lesson again from the run file of `serve --run`, which says which worker pushed which batch, in "
      "which order, with which version. The bits are the same where this machine has the processor paths of all "
      "workers; a browser's is the baseline. Exit code 1 where a loss differs.");
  const auto options = std::make_shared<ReplayOptions>();
  options->file = command->add_option("FILE", "The run file.")->required();
  options->save = addValue(*command, "--save", "FILE", "Write the weights: .safetensors or .keras.");
  options->json = addJson(*command);
  command->callback([=, &action] { action = [=] { return replay(*options); }; });
}

}  // namespace lab::cli
