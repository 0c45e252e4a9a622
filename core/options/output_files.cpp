// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/output_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/options/messages.h"

namespace lab {
namespace {

using Files = std::array<std::pair<const char*, const std::string*>, 4>;

Files filesOf(const SettingsBase& config) {
  return {{{"save", &config.save}, {"metrics", &config.metrics}, {"trace", &config.trace}, {"run", &config.run}}};
}

}  // namespace

void checkEnding(const Option& option, const std::string& file, const Text& what, const std::string& endings) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 'a' - 'A') : c; });
  if (ending.empty()) return;
  std::istringstream known(endings);
  for (std::string each; known >> each;)
    if (each == ending) return;
  throw UserError(say::wrongEnding, option, file, what, endings);
}

void checkOutputFiles(const SettingsBase& config, const std::map<std::string, std::string>& places) {
  if (!config.metrics.empty()) checkEnding({"metrics"}, config.metrics, say::jsonLinesWritten, ".jsonl .ndjson .json");
  if (!config.trace.empty()) checkEnding({"trace"}, config.trace, say::chromeTraceWritten, ".json");
  if (!config.run.empty()) checkEnding({"run"}, config.run, say::runFileWritten, ".run");
  const Files files = filesOf(config);
  const auto placeOf = [&](const std::string& name) {
    const auto found = places.find(name);
    return found == places.end() ? name : found->second;
  };
  for (auto a = files.begin(); a != files.end(); ++a)
    for (auto b = a + 1; b != files.end(); ++b)
      if (const std::string place = placeOf(*a->second); !place.empty() && place == placeOf(*b->second))
        throw UserError(say::oneFileTwice, Option{a->first}, Option{b->first}, *a->second);
}

std::map<std::string, std::string> placesOfOutputs(const SettingsBase& config) {
  std::map<std::string, std::string> places;
  for (const auto& [option, file] : filesOf(config)) {
    if (file->empty()) continue;
    std::error_code ignored;
    const bool shared = std::filesystem::exists(*file, ignored) && !std::filesystem::is_regular_file(*file, ignored);
    const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(*file, ignored), ignored).string();
    places[*file] = shared ? "" : place.empty() ? *file : place;
  }
  return places;
}

}  // namespace lab
