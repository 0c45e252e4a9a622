// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/class_journal.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/base/messages.h"
#include "core/protocol/messages.h"

namespace lab::serving {
namespace {

constexpr const char* kJournal = "class-updates.jsonl";
constexpr const char* kStep = R"("event":"step")";  // in the last line of each update
constexpr const char* kEvaluation = R"("event":"eval")";

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

std::optional<std::int64_t> evaluatedStep(const std::string& line) {
  if (line.find(kEvaluation) == std::string::npos) return std::nullopt;
  const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
  const auto step = object.is_object() ? object.find("step") : object.end();
  if (step == object.end() || !step->is_number_integer()) return std::nullopt;
  return step->get<std::int64_t>();
}

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
    if (!std::getline(in, line) || in.eof() || !nlohmann::json::accept(line))
      throw UserError(say::classJournalShort, File{file_}, updates);
    size += line.size() + 1;
    if (line.find(kStep) != std::string::npos) --left;
    tell(line);
  }
  while (std::getline(in, line) && !in.eof()) {
    if (evaluatedStep(line).value_or(updates + 1) > updates) continue;
    tell(line);
    add(line);
  }
  in.close();
  cutTo(file_, size);  // updates after this point are done again
  flush();
}

void ClassJournal::add(const std::string& line) {
  lines_ += line + '\n';
}

void ClassJournal::flush() {
  if (!appendToFile(file_, lines_)) throw UserError(UserError::Kind::Run, say::cannotWrite, file_, lastSystemError());
  lines_.clear();
}

}  // namespace lab::serving
