// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli --man: the manual page, from the same declarations as --help.
#include "app/manual.h"

#include <algorithm>

#include "app/cli/cli.h"
#include "app/cli/options.h"

namespace lab::cli {
namespace {

void describeOptions(ManualPage& page, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    std::string term = option->get_name(option->get_positional(), true);
    if (const std::string value = option->get_type_name(); !value.empty() && !option->get_positional())
      term += " " + value;
    std::replace(term.begin(), term.end(), ',', ' ');
    page.entry(term, option->get_description());
  }
}

void describe(ManualPage& page, const CLI::App& command, const std::string& way) {
  const auto below = command.get_subcommands([](const CLI::App*) { return true; });
  page.subsection(way);
  page.paragraph(command.get_description());
  if (below.empty()) describeOptions(page, command);
  for (const CLI::App* one : below) describe(page, *one, way + " " + one->get_name());
}

}  // namespace

std::string manualOf(const CLI::App& app, const std::string& version) {
  ManualPage page("strategylab-cli", version, "trains under the strategies of tf.distribute, without a window");
  page.section("SYNOPSIS");
  page.paragraph("strategylab-cli COMMAND [OPTIONS]");
  page.section("DESCRIPTION");
  page.paragraph(app.get_description());
  page.paragraph(
      "Results go to standard output, messages and progress to standard error. With --json, standard output carries "
      "one JSON document, or JSON lines, and nothing else.");
  page.section("OPTIONS");
  describeOptions(page, app);
  page.section("COMMANDS");
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    describe(page, *command, command->get_name());
  page.section("EXIT STATUS");
  page.entry("0", "What was asked for is done.");
  page.entry("1", "The run failed.");
  page.entry("2", "The request is wrong: a sentence says what is wrong and what to do.");
  page.entry("130", "Stopped with Ctrl-C, at the end of a step; what was asked for has been written.");
  page.section("EXAMPLES");
  page.example("strategylab-cli train --strategy mirrored --replicas 4 --epochs 1");
  page.example("strategylab-cli compare --strategies mirrored,parameter-server");
  page.example("strategylab-cli data fetch mnist");
  page.finish("strategylab");
  return page.text();
}

}  // namespace lab::cli
