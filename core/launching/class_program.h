// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-class (app/class), which serves a class, or joins one: given one line of JSON and orders, it answers in
// lines of JSON. Ends with this program. One thread, which lives as long.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/child_process.h"

namespace lab {

class ClassProgram {
 public:
  static void check();  // UserError where the program is not there
  // The same. `verb`: serve or join.
  ClassProgram(const std::string& verb, const nlohmann::json& begin);

  // Its next line; nothing after `milliseconds` without one.
  std::optional<nlohmann::json> next(int milliseconds);
  // All has been read, and it has ended well; UserError with what it said where it has not.
  bool hasEnded();
  void order(const std::string& line);

 private:
  ChildProcess program_;
  const bool serves_;  // else it is a worker
  std::string said_;   // on standard error, last
};

}  // namespace lab
