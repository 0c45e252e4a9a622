// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli lessons, lesson check FILE, lesson names: the built-in lessons; the mistakes in the user's own
// lesson, line by line; the names that conditions can use.
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "core/base/file.h"
#include "core/base/units.h"
#include "core/lesson/lesson.h"

namespace lab::cli {
namespace {

using nlohmann::json;

int listLessons(bool asJson) {
  json rows = json::array();
  Table table({{"lesson"}, {"pages", Table::Align::Right}, {"title"}});
  for (const Lesson& lesson : builtInLessons()) {
    rows.push_back({{"name", lesson.name}, {"title", lesson.title.english}, {"pages", lesson.pages.size()}});
    table.add({lesson.name, formatCount(static_cast<std::int64_t>(lesson.pages.size())), lesson.title.english});
  }
  if (asJson)
    printJson({{"lessons", rows}});
  else
    print(table.text());
  return 0;
}

int listNames(bool asJson) {
  json rows = json::array();
  Table table({{"name"}, {"what it says"}});
  for (const FactName& name : factNames()) {
    const bool takes = name.argument != FactName::Argument::None;
    rows.push_back({{"name", name.name}, {"takesArgument", takes}, {"help", name.help}});
    table.add({std::string(name.name) + (takes ? "(…)" : ""), name.help});
  }
  if (asJson)
    printJson({{"names", rows}});
  else
    print(table.text());
  return 0;
}

int check(const std::string& path, bool asJson) {
  const std::vector<std::uint8_t> bytes = readFile(path, static_cast<std::int64_t>(kMaxLessonBytes));
  std::vector<LineProblem> problems;
  const Lesson lesson = readLesson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, problems);
  json rows = json::array();
  std::string text;
  for (const LineProblem& problem : problems) {
    rows.push_back({{"line", problem.line}, {"message", format(problem.what)}});
    text += path + ":" + std::to_string(problem.line) + ": " + format(problem.what) + "\n";
  }
  if (asJson)
    printJson({{"name", lesson.name}, {"pages", lesson.pages.size()}, {"problems", rows}});
  else
    print(problems.empty() ? path + ": well-formed, pages: " + std::to_string(lesson.pages.size()) + "\n" : text);
  return problems.empty() ? 0 : 2;
}

}  // namespace

void addLessons(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("lessons", "The built-in lessons.");
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] { action = [=] { return listLessons(flagOf(asJson)); }; });
}

void addLesson(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("lesson", "Custom lessons: check one for mistakes.");
  command->require_subcommand(1);
  CLI::App* checks = command->add_subcommand("check", "Print every mistake in a lesson, with its line.");
  const CLI::Option* file = checks->add_option("FILE", "The lesson.")->required();
  const CLI::Option* asJson = addJson(*checks);
  checks->callback([=, &action] { action = [=] { return check(file->as<std::string>(), flagOf(asJson)); }; });
  CLI::App* names = command->add_subcommand("names", "The names that conditions and texts can use.");
  const CLI::Option* namesJson = addJson(*names);
  names->callback([=, &action] { action = [=] { return listNames(flagOf(namesJson)); }; });
}

}  // namespace lab::cli
