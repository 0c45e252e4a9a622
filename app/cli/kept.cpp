// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kept.h"

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <variant>

#include "app/cli/cli.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/training/checkpoint.h"

namespace lab::cli {
namespace {

constexpr const char* kKept = "{\"kept\":";

std::string forShell(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace

// Reports at the first step, because then the run can continue from something, and whenever a step has left a
// checkpoint.
void CheckpointReporter::take(const Metric& metric) {
  const auto* step = std::get_if<StepMetric>(&metric);
  if (!wanted_ || step == nullptr) return;
  std::error_code ignored;
  const bool keeps = !config_.checkpointDir.empty();
  if (told_ && !(keeps && std::filesystem::exists(checkpointPath(config_.checkpointDir, step->step), ignored))) return;
  told_ = true;
  const std::string folder = keeps ? std::filesystem::absolute(config_.checkpointDir, ignored).string() : "";
  const nlohmann::json kept{
      {"step", keeps ? newestCheckpointStep(folder) : 0}, {"folder", folder}, {"host", hostName()}};
  say(kKept + kept.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "}");
}

std::optional<Kept> keptFrom(const std::string& line) {
  if (!line.starts_with(kKept)) return std::nullopt;
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
  if (json.is_discarded() || !json.at("kept").is_object()) return std::nullopt;
  const nlohmann::json& kept = json.at("kept");
  return Kept{kept.value("step", std::int64_t{0}), kept.value("folder", ""), kept.value("host", "")};
}

std::string adviceOn(const Kept& kept, const std::vector<std::string>& typed) {
  if (kept.folder.empty())
    return "this run kept no checkpoints. With --checkpoint-dir DIR it keeps them, and --resume continues from the "
           "newest.";
  // Looks it up if possible, because there may be an unreported one.
  const std::int64_t step = kept.host == hostName() ? newestCheckpointStep(kept.folder) : kept.step;
  const std::string where = "'" + kept.folder + "' on " + kept.host;
  if (step == 0) return "there is no checkpoint in " + where + " yet: run the same command again.";
  return "the newest checkpoint is of step " + formatCount(step) + ", in " + where +
         ". To continue from it: " + resumeCommand(typed, kept.folder);
}

// A resumed run has its weights, so --init would be refused.
std::string resumeCommand(const std::vector<std::string>& typed, const std::string& folder) {
  std::string command;
  const auto add = [&command](const std::string& word) { command += (command.empty() ? "" : " ") + forShell(word); };
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const std::string name = typed[i].substr(0, typed[i].find('='));
    if (name == "--resume") continue;
    if (name != "--init" && name != "--checkpoint-dir")
      add(typed[i]);
    else if (name == typed[i])
      ++i;  // its value
  }
  add("--checkpoint-dir");
  add(folder);
  add("--resume");
  return command;
}

void tellWhatIsReplaced(const SettingsBase& config) {
  if (config.checkpointDir.empty() || config.resume) return;
  if (const std::int64_t step = newestCheckpointStep(config.checkpointDir); step > 0)
    say("note: '" + config.checkpointDir + "' has checkpoints of an earlier run, up to step " + formatCount(step) +
        ", and this run's first one replaces them. To keep them, stop now: add --resume to continue that run, or name "
        "another --checkpoint-dir.");
}

}  // namespace lab::cli
