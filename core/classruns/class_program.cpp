// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/classruns/class_program.h"

#include <chrono>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/classruns/messages.h"

namespace lab {

std::filesystem::path ClassProgram::path() {
  return modulePath("strategylab-class", "STRATEGYLAB_CLASS_PROGRAM");
}

bool ClassProgram::isThere() {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path(), ignored);
}

std::filesystem::path ClassProgram::check() {
  if (!isThere()) throw UserError(UserError::Kind::Run, say::noClassProgram, File{path()});
  return path();
}

ClassProgram::ClassProgram(const std::string& verb, const nlohmann::json& begin)
    : program_({check().string(), verb}, {}, ChildProcess::Input::Written), serves_(verb == "serve") {
  order(jsonLine(begin));
}

std::optional<nlohmann::json> ClassProgram::next(int milliseconds) {
  const auto line = program_.nextLine(milliseconds);
  if (!line) return std::nullopt;
  if (line->isError) {
    said_ = line->text;
    return std::nullopt;
  }
  auto json = nlohmann::json::parse(line->text, nullptr, false);
  if (!json.is_object()) throw UserError(UserError::Kind::Run, say::classProgramUnreadable);
  return json;
}

bool ClassProgram::hasEnded() {
  const std::optional<int> code = program_.ended();
  if (!code) return false;
  if (*code == 0) return true;
  const auto kind = *code == 2 ? UserError::Kind::Request : UserError::Kind::Run;
  if (*code > ChildProcess::kKilled)
    throw UserError(kind, serves_ ? say::classProgramKilled : say::workerProgramKilled, *code - ChildProcess::kKilled);
  if (said_.empty()) throw UserError(kind, say::classProgramEnded, *code);
  throw UserError(kind, say::verbatim, said_);
}

void ClassProgram::order(const std::string& line) {
  const std::string whole = line + "\n";
  std::string_view left(whole);
  // A program that is gone has not ended() before its output has been read, which happens only after this.
  while (!left.empty() && program_.takesInput() && !program_.ended()) {
    const std::size_t written = program_.write(left);
    left.remove_prefix(written);
    if (written == 0 && program_.takesInput()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace lab
