// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/class_checkpoint.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/base/messages.h"
#include "core/options/config_field.h"
#include "core/serving/class_session.h"
#include "core/serving/messages.h"

namespace lab::serving {
namespace {

using nlohmann::json;

constexpr const char* kJournal = "class-updates.jsonl";
constexpr const char* kStep = R"("event":"step")";  // in the last line of each update

// The file stays the same one, because it is what is locked.
void cutTo(const std::filesystem::path& file, std::uintmax_t bytes) {
  std::error_code error;
  std::filesystem::resize_file(file, bytes, error);
  if (error) throw UserError(UserError::Kind::Run, say::cannotWrite, file, error.message());
}

FileLock lockOf(const std::filesystem::path& file) {
  FileLock lock(file);
  if (lock.isTaken()) throw UserError(say::classJournalTaken, File{file});
  return lock;
}

}  // namespace

ClassJournal::ClassJournal(const std::filesystem::path& folder) : file_(folder / kJournal), lock_(lockOf(file_)) {
  cutTo(file_, 0);
}

ClassJournal::ClassJournal(const std::filesystem::path& folder, std::int64_t updates,
                           const std::function<void(const std::string&)>& tell)
    : file_(folder / kJournal), lock_(lockOf(file_)) {
  std::ifstream in(file_, std::ios::binary);
  std::uintmax_t size = 0;
  std::string line;
  for (std::int64_t left = updates; left > 0;) {
    if (!std::getline(in, line) || in.eof()) throw UserError(say::classJournalShort, File{file_}, updates);
    size += line.size() + 1;
    if (line.find(kStep) != std::string::npos) --left;
    tell(line);
  }
  in.close();
  cutTo(file_, size);  // updates after this point are done again
}

void ClassJournal::add(const std::string& line) {
  lines_ += line + '\n';
}

void ClassJournal::flush() {
  if (!appendToFile(file_, lines_)) throw UserError(UserError::Kind::Run, say::cannotWrite, file_, lastSystemError());
  lines_.clear();
}

// ---- Members of ClassSession

Checkpoint ClassSession::checkpoint() {
  ClassState now = state();
  now.older.clear();  // only needed by closures under way, which are done again
  now.held.clear();
  Checkpoint kept = toCheckpoint(now);
  const Coordinator::Position at = coordinator_.position();
  json undone = json::array();
  for (const Work& work : at.undone) undone.push_back({work.number, work.examples});
  const InputPosition input = examples_.position();
  kept.config = configToJson(config_);
  kept.state["class"] = {
      {"scheduled", at.scheduled}, {"undone", undone},          {"input", {input.epoch, input.stepInEpoch}},
      {"trained", distributed_},   {"dataset", dataset_->name}, {"examples", dataset_->train.count}};
  return kept;
}

void ClassSession::resume(const Checkpoint& kept) try {
  checkSameRun(kept.config, config_);
  const json& all = kept.state.at("class");
  const ClassState was = classStateFrom(kept);
  LAB_CHECK(all.at("dataset") == dataset_->name && all.at("examples") == dataset_->train.count);
  LAB_CHECK(was.variables->size() == shape().floats() && tensorNotFinite(kept.tensors).empty());
  Coordinator::Position at{.scheduled = all.at("scheduled"), .updates = was.step};
  for (const json& each : all.at("undone")) at.undone.push_back({.number = each.at(0), .examples = each.at(1)});
  for (const Work& work : at.undone)
    for (const std::int64_t example : work.examples) LAB_CHECK(example >= 0 && example < dataset_->train.count);
  examples_.seek({all.at("input").at(0), all.at("input").at(1)});
  coordinator_.resume(std::move(at));
  variables_.restore(was.step, was.variables, was.optimizer);
  distributed_ = all.at("trained");
  if (variables_.version() >= updatesWanted_) finish();  // the class was stopped after its last update
} catch (const UserError&) {
  throw;
} catch (const std::exception&) {
  throw UserError(say::classCheckpointDoesNotFit);
}

}  // namespace lab::serving
