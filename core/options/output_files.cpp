// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/output_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

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

void checkOutputFiles(const SettingsBase& config, const std::set<std::string>& shared) {
  if (!config.metrics.empty()) checkEnding({"metrics"}, config.metrics, say::jsonLinesWritten, ".jsonl .ndjson .json");
  if (!config.trace.empty()) checkEnding({"trace"}, config.trace, say::chromeTraceWritten, ".json");
  if (!config.run.empty()) checkEnding({"run"}, config.run, say::runFileWritten, ".run");
  const Files files = filesOf(config);
  for (auto a = files.begin(); a != files.end(); ++a)
    for (auto b = a + 1; b != files.end(); ++b)
      if (!a->second->empty() && *a->second == *b->second && !shared.contains(*a->second))
        throw UserError(say::oneFileTwice, Option{a->first}, Option{b->first}, *a->second);
}

std::set<std::string> sharedOutputFiles(const SettingsBase& config) {
  std::set<std::string> shared;
  std::error_code ignored;
  for (const auto& [option, file] : filesOf(config))
    if (!file->empty() && std::filesystem::exists(*file, ignored) && !std::filesystem::is_regular_file(*file, ignored))
      shared.insert(*file);
  return shared;
}

}  // namespace lab
