// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/run_journal.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/files/experiment_file.h"
#include "core/files/lineage_json.h"
#include "core/files/metric_json.h"
#include "core/options/config_field.h"
#include "ui/i18n/messages.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kJournalVersion = 1, kJournalDepth = 16;
constexpr int kModelUnsaid = 4;  // the timing model when journals did not yet say theirs
constexpr std::int64_t kJournalBytes = std::int64_t{256} << 20;

}  // namespace

std::string journalHead(const KeptRun& run) {
  json head{{"journal", kJournalVersion},
            {"asked", configToJson(run.asked)},
            {"resolved", configToJson(withoutOutputs(run.resolved))},
            {"program", run.version.toStdString()},
            {"began", run.began.toString(Qt::ISODate).toStdString()}};
  if (!run.settingsKnown) head["settingsKnown"] = false;
  if (run.header) {
    head["dataset"] = run.header->dataset;
    head["parameters"] = run.header->parameters;
    head["clock"] = toString(run.header->clock);
    head["timeModel"] = run.header->timeModel;
    if (run.header->isClass) head["class"] = true;
    if (!run.header->lineage.empty()) head["branches"] = lineageToJson(run.header->lineage);
  }
  return head.dump(-1, ' ', false, json::error_handler_t::replace);
}

void append(const JournalPart& part) {
  std::string text;
  if (!part.head.empty()) text = part.head + "\n";
  for (const Metric& metric : part.metrics) text += toJsonLine(metric) + "\n";
  for (const std::string& line : part.order) text += line + "\n";
  std::error_code ignored;
  const bool fresh = !part.head.empty();
  const auto before = fresh ? 0 : std::filesystem::file_size(part.path, ignored);
  if (static_cast<std::int64_t>(before) + std::ssize(text) > kJournalBytes)
    throw UserError(UserError::Kind::Run, say::journalTooLarge, part.path, Bytes{kJournalBytes});
  if (fresh) std::filesystem::remove(part.path, ignored);
  // On failure, the lines can be appended later, when there is room again.
  if (appendToFile(part.path, text)) return;
  throw UserError(UserError::Kind::Run, say::journalNotWritten, part.path, lastSystemError());
}

std::optional<Journal> readJournal(const std::filesystem::path& path) {
  Journal journal;
  KeptRun& run = journal.run;
  auto metrics = std::make_shared<RunMetrics>();
  bool headed = false;
  std::int64_t number = 0;
  try {
    const std::vector<std::uint8_t> bytes = readFile(path, kJournalBytes);
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      const Message where(say::inLine, path, ++number);
      const std::string_view whole = text.substr(0, end);
      const json line = parseJson(whole, where, kJournalDepth);
      text.remove_prefix(end + 1);
      if (!headed) {
        if (!line.is_object() || line.value("journal", json()) != kJournalVersion) return std::nullopt;
        run.asked = withoutOutputs(knownConfig(line.at("asked")));
        run.resolved = unchecked(withoutOutputs(knownConfig(line.at("resolved"))));
        run.version = QString::fromStdString(line.at("program").get<std::string>());
        run.began = QDateTime::fromString(QString::fromStdString(line.at("began").get<std::string>()), Qt::ISODate);
        run.settingsKnown = line.value("settingsKnown", true);
        if (line.contains("clock")) {
          run.header.emplace();
          run.header->config = line.at("resolved");
          run.header->dataset = line.at("dataset").get<std::string>();
          run.header->parameters = line.at("parameters").get<std::int64_t>();
          run.header->clock =
              line.at("clock") == toString(TimeSource::Modelled) ? TimeSource::Modelled : TimeSource::Measured;
          run.header->timeModel = line.value("timeModel", kModelUnsaid);
          run.header->isClass = line.value("class", false);
          if (line.contains("branches")) run.header->lineage = lineageFromJson(line.at("branches"));
        }
        headed = true;
        continue;
      }
      if (line.is_object() && !line.contains("event"))
        metrics->order.emplace_back(whole);
      else
        metrics->add(metricFromJson(line, where));
    }
  } catch (const std::exception& error) {
    journal.fault = messageOf(error);
  }
  if (!headed) return std::nullopt;
  run.state = metrics->end || !run.settingsKnown ? RunState::Finished : RunState::Stopped;
  run.metrics = std::move(metrics);
  return journal;
}

}  // namespace lab
