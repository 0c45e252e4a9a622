// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli code: the TensorFlow program of a run's settings.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "core/codegen/notebook.h"
#include "core/codegen/program.h"
#include "core/data/data_folders.h"
#include "core/data/dataset.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"

namespace lab::cli {
namespace {

enum class Output { Script, Notebook, Json };

// Makes a path absolute, so that the program finds the same files wherever it is started.
std::string anywhere(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? path : whole.lexically_normal().string();
}

int code(const RunSettings& asked, const ProgramOptions& options, Output output) {
  ResolvedSettings config = resolve(asked);
  if (options.check) {
    if (config.dataDir.empty())
      if (const auto found = loadDataset(config.dataset, ""); found->source != "embedded") {
        config.dataset = found->name;  // as train chooses it; Keras itself reads its own file
        if (!findIdxFile(found->source, kIdxFiles[0]).empty()) config.dataDir = found->source;
      }
    for (std::string* path : {&config.dataDir, &config.init})
      if (!path->empty()) *path = anywhere(*path);
  }
  if (config.dataset == "auto") config.dataset = nameOfAuto(config.dataDir);  // the program says where its data differ
  const Program program = makeProgram(config, options);
  if (output == Output::Json)
    printJson({{"program", program.text()}, {"loop", program.loop}});
  else if (output == Output::Notebook)  // the name that the window proposes
    print(notebookOf(program, std::string(strategyKey(config.strategy)) + (program.loop ? "-loop.py" : "-fit.py")));
  else
    print(program.text());
  return 0;
}

}  // namespace

void addCode(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("code", "The TensorFlow program that does what the options of train say, ready to run.");
  const auto options = std::make_shared<ConfigOptions>();
  options->addAll(*command);
  const CLI::Option* loop =
      command->add_flag("--loop")->description("A custom training loop, instead of Keras's fit.")->group("Program");
  const CLI::Option* check = command->add_flag("--check")
                                 ->description(
                                     "Add what a comparison needs: the examples of --data-dir in the order in which "
                                     "train takes them, its initial weights, and a line LOSS STEP VALUE for each step, "
                                     "the mean loss over the step's examples before the update, as in train --metrics.")
                                 ->group("Program");
  CLI::Option* notebook =
      command->add_flag("--notebook")->description("As a Jupyter notebook (.ipynb).")->group("Program");
  const CLI::Option* json = addJson(*command)->excludes(notebook);
  command->callback([=, &action] {
    action = [=] {
      const Output output = flagOf(json) ? Output::Json : flagOf(notebook) ? Output::Notebook : Output::Script;
      return code(options->read(), {flagOf(loop), flagOf(check)}, output);
    };
  });
}

}  // namespace lab::cli
