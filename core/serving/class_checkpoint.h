// SPDX-License-Identifier: GPL-3.0-or-later
// What a class keeps beside its checkpoints (ClassSession::checkpoint), so that another server goes on where one was
// lost: all lines of its updates, for the run file is of the whole lesson, and replays all of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace lab::serving {

class ClassJournal {
 public:
  explicit ClassJournal(const std::filesystem::path& folder);  // a new one
  // Goes on behind update `updates`: `tell` gets the lines until there, and what is behind them is cut off. UserError
  // where there are fewer.
  ClassJournal(const std::filesystem::path& folder, std::int64_t updates,
               const std::function<void(const std::string&)>& tell);

  void add(const std::string& line);
  void flush();  // before a checkpoint is written that needs it

 private:
  std::filesystem::path file_;
  std::string lines_;  // since the last flush()
};

}  // namespace lab::serving
