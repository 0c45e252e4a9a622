// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include <algorithm>

#include "app/cli/messages.h"
#include "app/cli/table.h"
#include "core/base/ascii.h"
#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/parse_number.h"
#include "core/base/suggest.h"
#include "core/options/config_field.h"
#include "core/options/messages.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

std::string placeholderOf(const ConfigField& field) {
  switch (field.kind) {
    case ConfigField::Kind::Integer:
      return "N";
    case ConfigField::Kind::Real:
      return "X";
    case ConfigField::Kind::Choice:
      return "NAME";
    case ConfigField::Kind::File:
      return "FILE";
    case ConfigField::Kind::Folder:
      return "DIR";
    case ConfigField::Kind::Flag:
      return "";
    case ConfigField::Kind::Text:
    case ConfigField::Kind::List:
      break;
  }
  return "VALUE";
}

bool isBeyondTensorFlow(const std::string& key) {
  const auto found = std::ranges::find(strategies(), key, &StrategyInfo::key);
  return found != strategies().end() && found->beyondTensorFlow;
}

std::string helpOf(const ConfigField& field, const std::string& defaultText, const std::vector<std::string>& choices) {
  std::string help = field.help;
  if (!help.ends_with('.')) help += '.';
  if (!choices.empty()) {
    help += " One of:";
    bool isBeyond = false;  // the table's later rows
    for (const std::string& choice : choices) {
      if (!isBeyond && field.name == "strategy" && isBeyondTensorFlow(choice)) {
        help += "; beyond tf.distribute:";
        isBeyond = true;
      }
      help += " " + choice;
    }
    help += '.';
  }
  if (field.kind != ConfigField::Kind::Flag && !defaultText.empty()) help += " [" + defaultText + "]";
  return help;
}

std::string commandOf(const CLI::App* app) {
  std::string name = app->get_name();
  for (const CLI::App* parent = app->get_parent(); parent != nullptr; parent = parent->get_parent())
    name = parent->get_name() + " " + name;
  return name;
}

std::string shortened(const std::string& text) {
  return text.size() <= 64 ? text : text.substr(0, 64) + "…";
}

// Returns the commands that have this option: "`sweep` and `collective`", "`train`, `launch` and others"; "" if none
// has it.
std::string commandsWith(const std::string& option, const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands({}))
    if (const CLI::Option* found = command->get_option_no_throw(option)) {
      const bool timing = found->get_group() == kTimingOnlyGroup;
      names.push_back("`" + command->get_name() + (timing ? " --timing-only`" : "`"));
    }
  if (names.empty()) return "";
  if (names.size() == 1) return names[0];
  return names[0] + (names.size() == 2 ? " and " + names[1] : ", " + names[1] + " and others");
}

// Refuses an option that has taken the next option for its value. What is left over is then that one's value.
void refuseForgottenValue(const CLI::App& app) {
  const auto isOption = [](const std::string& text) { return text.starts_with("--"); };
  for (const CLI::Option* option : app.get_options())
    if (isOption(option->get_name()) && std::ranges::any_of(option->results(), isOption)) (void)textOf(option);
}

// Refuses a missing argument or command by its name.
[[noreturn]] void refuseIncomplete(const CLI::App& app, const Message& seeHelp) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_required() || isGiven(option)) continue;
    std::string what = option->get_description();
    if (what.ends_with('.')) what.pop_back();
    if (!what.empty()) what.front() = lowerAscii(what.front());
    throw UserError(say::argumentMissing, option->get_name(), what, commandOf(&app), seeHelp);
  }
  throw UserError(say::commandMissing, seeHelp);
}

// One column for the option, one for its text, wrapped to fit a window of 100 columns.
class Formatter final : public CLI::Formatter {
 public:
  Formatter() { column_width(26); }

  std::string make_option(const CLI::Option* option, bool positional) const override {
    return entry(make_option_name(option, positional) + make_option_opts(option), option->get_description());
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }
  // Writes a command in --help-all from the first column on, because help2man takes indented lines for an option's
  // text.
  std::string make_expanded(const CLI::App* command) const override {
    return "\n" + commandOf(command) + ":\n  " + command->get_description() + "\n" + make_positionals(command) +
           make_groups(command, CLI::AppFormatMode::Sub) + make_subcommands(command, CLI::AppFormatMode::All);
  }

 private:
  std::string entry(const std::string& left, const std::string& text) const {
    constexpr std::size_t kWidth = 100;
    const std::size_t indent = get_column_width();
    std::string out = "  " + left;
    const std::size_t taken = characters(out);
    std::string line = taken + 2 > indent ? "" : std::string(indent - taken, ' ');
    if (line.empty()) {
      out += "\n";
      line = std::string(indent, ' ');
    }
    std::size_t used = indent;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t space = std::min(text.find(' ', at), text.size());
      const std::string word = text.substr(at, space - at);
      if (used + word.size() > kWidth && used > indent) {
        out += line + "\n";
        line = std::string(indent, ' ');
        used = indent;
      }
      if (used > indent) {
        line += ' ';
        ++used;
      }
      line += word;
      used += word.size();
      at = space + 1;
    }
    return out + line + "\n";
  }
};

}  // namespace

void ConfigOptions::add(CLI::App& app, std::string_view name, const std::string& defaultText,
                        const std::vector<std::string>& choices) {
  const ConfigField& field = configField(name);
  const std::string help =
      helpOf(field, defaultText.empty() ? field.defaultText : defaultText, choices.empty() ? field.choices : choices);
  const std::string option = "--" + field.name;
  if (field.kind == ConfigField::Kind::Flag)
    options_.emplace_back(&field, app.add_flag(option)->description(help)->group(field.group));
  else
    options_.emplace_back(&field, addValue(app, option, placeholderOf(field), help, field.group));
}

void ConfigOptions::addAll(CLI::App& app, const std::vector<std::string_view>& except) {
  for (const ConfigField& field : configFields())
    if (std::find(except.begin(), except.end(), field.name) == except.end()) add(app, field.name);
}

GivenFields ConfigOptions::given() const {
  GivenFields given;
  for (const auto& [field, option] : options_) {
    if (!isGiven(option)) continue;
    if (field->kind == ConfigField::Kind::Flag) {
      given.emplace_back(field, option->results().back());
    } else if (field->kind == ConfigField::Kind::List) {
      std::string all;
      for (const std::string& item : option->results()) all += (all.empty() ? "" : ",") + item;
      given.emplace_back(field, all);
    } else {
      given.emplace_back(field, *textOf(option));
    }
  }
  const auto names = [&given](std::string_view name) {
    return std::ranges::any_of(given, [&](const auto& item) { return item.first->name == name; });
  };
  if (names("epochs") && names("steps")) throw UserError(say::epochsAndSteps, Option{"epochs"});
  return given;
}

RunSettings ConfigOptions::read() const {
  return configOf(given());
}

std::vector<std::string> strategiesOf(const IsTrained& isTrained) {
  std::vector<std::string> keys;
  for (const StrategyInfo& info : strategies())
    if (isTrained(info)) keys.push_back(info.key);
  return keys;
}

std::vector<std::string_view> settingsOfOthers(const IsTrained& isTrained) {
  std::vector<std::string_view> names;
  for (const ConfigField& field : configFields())
    if (field.isTheirs && std::ranges::none_of(strategies(), [&](const StrategyInfo& info) {
          return isTrained(info) && field.belongsTo(info);
        }))
      names.emplace_back(field.name);
  return names;
}

CLI::Option* addValue(CLI::App& app, const std::string& name, const std::string& placeholder, const std::string& help,
                      const std::string& group) {
  return app.add_option(name, CLI::callback_t(), help)
      ->type_name(placeholder)
      ->group(group)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

CLI::Option* addJson(CLI::App& app) {
  return app.add_flag("--json")->description("Print JSON on standard output, and nothing else there.")->group("Output");
}

Option aboutOf(const CLI::Option* option) {
  return {option->get_name().substr(2)};
}

bool isGiven(const CLI::Option* option) {
  return option->count() > 0;
}

bool flagOf(const CLI::Option* option) {
  if (!isGiven(option)) return false;
  const std::string& text = option->results().back();
  if (text != "true" && text != "false") throw UserError(say::takesNoValue, aboutOf(option), shortened(text));
  return text == "true";
}

std::optional<std::string> textOf(const CLI::Option* option) {
  if (!isGiven(option)) return std::nullopt;
  const Option name = aboutOf(option);
  if (option->results().size() > 1) throw UserError(say::givenOften, name, option->results().size());
  const std::string& text = option->results().front();
  if (text.empty()) throw UserError(say::givenEmpty, name);
  if (text.starts_with("--")) throw UserError(say::optionFollows, name, shortened(text));
  return text;
}

std::int64_t integerOf(const CLI::Option* option, std::int64_t unset, std::int64_t minimum, std::int64_t maximum) {
  const std::optional<std::string> text = textOf(option);
  if (!text) return unset;
  const std::optional<std::int64_t> value = parseWhole(*text);
  if (!value || *value < minimum || *value > maximum)
    throw UserError(say::notWholeFromTo, aboutOf(option), shortened(*text), Count{minimum}, Count{maximum});
  return *value;
}

double realOf(const CLI::Option* option, double unset, double minimum, double maximum) {
  const std::optional<std::string> text = textOf(option);
  if (!text) return unset;
  const std::optional<double> value = parseNumber<double>(*text);
  // Written so that NaN fails too.
  if (!value || !(*value >= minimum && *value <= maximum)) {
    throw UserError(say::notNumberFromTo, aboutOf(option), shortened(*text), boundValue(minimum), boundValue(maximum));
  }
  return *value;
}

std::vector<std::string> listOf(const CLI::Option* option, const Text& twice) {
  const std::optional<std::string> text = textOf(option);
  std::vector<std::string> items;
  if (!text) return items;
  for (std::size_t at = 0; at <= text->size();) {
    const std::size_t comma = std::min(text->find(',', at), text->size());
    const std::string item = text->substr(at, comma - at);
    if (item.empty()) throw UserError(say::emptyItem, aboutOf(option), shortened(*text));
    if (std::find(items.begin(), items.end(), item) != items.end())
      throw UserError(twice, aboutOf(option), shortened(item));
    items.push_back(item);
    at = comma + 1;
  }
  return items;
}

void rephrase(const CLI::ParseError& error, const CLI::App& root) {
  const CLI::App* app = &root;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  const Message seeHelp(say::seeHelp, commandOf(app));

  const std::vector<std::string> unknown = root.remaining(true);
  if (!unknown.empty()) {
    refuseForgottenValue(*app);
    const std::string& first = unknown.front();
    const std::string shown = shortened(first.substr(0, first.find('=')));
    if (!first.starts_with('-')) {
      std::vector<std::string> commands;
      for (const CLI::App* command : app->get_subcommands({})) commands.push_back(command->get_name());
      if (!commands.empty()) throw UserError(say::andHelp, unknownName(say::commandWord, first, commands), seeHelp);
      throw UserError(say::notAnOption, shown, seeHelp);
    }
    std::vector<std::string> names;
    for (const CLI::Option* option : app->get_options()) names.push_back(option->get_name());
    const std::string nearest = nearestName(shown, names);
    const bool goesOn = !nearest.empty() && nearest.starts_with(shown.substr(0, shown.size() - 1));
    if (const std::string others = commandsWith(shown, root); !others.empty() && !goesOn)
      throw UserError(say::optionOfOthers, shown, others, seeHelp);
    if (nearest.empty()) throw UserError(say::unknownOption, shown, seeHelp);
    throw UserError(say::unknownOptionNear, shown, nearest, seeHelp);
  }
  const std::string what = error.what();
  if (error.get_name() == "ArgumentMismatch" && what.starts_with("--")) {
    const std::string name = what.substr(0, what.find(':'));
    throw UserError(say::noValueFollows, name, seeHelp);
  }
  if (error.get_name() == "RequiredError") refuseIncomplete(*app, seeHelp);
  throw UserError(say::andHelp, Message(say::verbatim, what), seeHelp);
}

void formatHelp(CLI::App& app) {
  const auto formatter = std::make_shared<Formatter>();
  formatter->label("SUBCOMMAND", "COMMAND");
  app.formatter(formatter);
  app.set_help_flag("-h,--help", "Print this help and exit.");
}

Target targetOf(const CLI::Option* option, const GivenFields& given) {
  if (!isGiven(option)) return {};
  if (configOf(given).resume) throw UserError(say::targetNotResumed, aboutOf(option), Option{"resume"});
  for (const auto& item : given)
    if (item.first->name == "eval-every" && configOf({item}).evalEvery == 0)
      throw UserError(say::targetNeedsEvaluations, aboutOf(option), Option{"eval-every"});
  return {realOf(option, 0, 0, 1), std::ranges::none_of(given, [](const auto& item) {
            return item.first->name == "steps" || item.first->name == "epochs";
          })};
}

}  // namespace lab::cli
