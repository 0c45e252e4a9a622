// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-class (app/class_server), which serves a class or joins one: it gets one line of JSON and then orders,
// and answers in lines of JSON. It ends with this program. Use one thread, which must live as long as this object.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/child_process.h"

namespace lab {

class ClassProgram {
 public:
  // Returns where the program is, whether it is there or not: beside this one, or where the environment variable
  // STRATEGYLAB_CLASS_PROGRAM says.
  static std::filesystem::path path();
  static bool isThere();
  static std::filesystem::path check();  // path(); throws a UserError if the program is missing
  // Throws a UserError as check() does. `verb`: serve or join.
  ClassProgram(const std::string& verb, const nlohmann::json& begin);

  // Returns the next line; nothing if none arrives within `milliseconds`.
  std::optional<nlohmann::json> next(int milliseconds);
  // Returns whether all has been read and the program has ended well; throws a UserError with its message if it failed.
  bool hasEnded();
  void order(const std::string& line);  // lost if the program is gone, which hasEnded() tells

 private:
  ChildProcess program_;
  const bool serves_;  // otherwise a worker
  std::string said_;   // last line on standard error
};

}  // namespace lab
