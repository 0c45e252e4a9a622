// SPDX-License-Identifier: GPL-3.0-or-later
// Options on top of CLI11, which only splits the line. Values stay text until a ConfigField or one of the readers here
// has checked them, so that every bad value ends in a sentence that says what to do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/messages.h"
#include "core/config/run_settings.h"
#include "core/experiments/comparison.h"
#include "core/experiments/target.h"
#include "core/hardware/catalogue.h"
#include "core/hardware/timing_constants.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/strategy/strategy.h"

namespace lab::cli {

// The options of one command that are rows of the configuration's table.
class ConfigOptions {
 public:
  // `defaultText`: set if the command has its own default. `choices`: those that the command takes, if not all.
  void add(CLI::App& app, std::string_view field, const std::string& defaultText = "",
           const std::vector<std::string>& choices = {});
  void addAll(CLI::App& app, const std::vector<std::string_view>& except = {});

  GivenFields given() const;
  RunSettings read() const;  // not resolved

 private:
  std::vector<std::pair<const ConfigField*, CLI::Option*>> options_;
};

// For a command that trains only some strategies: their keys, and the settings that belong to other strategies alone,
// which are no options of the command.
using IsTrained = std::function<bool(const StrategyInfo&)>;
std::vector<std::string> strategiesOf(const IsTrained& isTrained);
std::vector<std::string_view> settingsOfOthers(const IsTrained& isTrained);

inline constexpr const char* kTimingOnlyGroup = "Timing only";  // the group of options that only --timing-only takes

// Adds a command's own option with one text value.
CLI::Option* addValue(CLI::App& app, const std::string& name, const std::string& placeholder, const std::string& help,
                      const std::string& group = "Options");
CLI::Option* addJson(CLI::App& app);

Option aboutOf(const CLI::Option* option);  // for messages
bool isGiven(const CLI::Option* option);
bool flagOf(const CLI::Option* flag);  // UserError for --flag=something
// Throws a UserError if the option was given more than once, with nothing, or with what is plainly the next option.
std::optional<std::string> textOf(const CLI::Option* option);
std::int64_t integerOf(const CLI::Option* option, std::int64_t unset, std::int64_t minimum, std::int64_t maximum);
double realOf(const CLI::Option* option, double unset, double minimum, double maximum);
// Splits "a,b"; throws a UserError for an empty item, and with the text `twice` for a repeated item.
std::vector<std::string> listOf(const CLI::Option* option, const Text& twice = say::namedTwice);

// For --target-accuracy: without --steps and --epochs, the run ends when it reaches the target.
Target targetOf(const CLI::Option* option, const GivenFields& given);

std::string textOfFile(const std::string& file, std::int64_t maxBytes = std::int64_t{16} << 20);  // as readFile()

// Files that extend the catalogue and replace the timing model's constants, for commands that use the model.
struct TimingFiles {
  const CLI::Option* catalogue = nullptr;
  const CLI::Option* constants = nullptr;
};
// `withCatalogue`: false if the configuration's own options include the catalogue.
TimingFiles addTimingFiles(CLI::App& app, bool withCatalogue = true);
Catalogue catalogueOf(const TimingFiles& files);
TimingConstants constantsOf(const TimingFiles& files);

// Throws CLI11's complaint about the line as a UserError that says what to do.
[[noreturn]] void rephrase(const CLI::ParseError& error, const CLI::App& app);

// Makes the help a readable width, for `app` and all commands added to it later.
void formatHelp(CLI::App& app);

}  // namespace lab::cli
