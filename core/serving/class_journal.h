// SPDX-License-Identifier: GPL-3.0-or-later
// What a class keeps beside its checkpoints (ClassTraining::checkpoint), so that another server can continue after one
// was lost: all lines of its updates and evaluations, and who joined and left, because the run file covers the whole
// lesson and replays all of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/base/file_lock.h"

namespace lab::serving {

// Returns the step after which was evaluated; nothing if the line is not of an evaluation.
std::optional<std::int64_t> evaluatedStep(const std::string& line);

class ClassJournal {
 public:
  // Starts a new journal. Both throw a UserError if another class that trains now keeps its journal in the folder.
  explicit ClassJournal(const std::filesystem::path& folder);
  // Continues after update `updates`: `tell` gets the lines up to there, and the lines after them are cut off, except
  // evaluations of these updates, which come later than the updates. Throws a UserError if there are fewer updates,
  // or a line before them is damaged.
  ClassJournal(const std::filesystem::path& folder, std::int64_t updates,
               const std::function<void(const std::string&)>& tell);

  void add(const std::string& line);
  void flush();  // must precede the writing of a checkpoint that needs it

 private:
  std::filesystem::path file_;
  FileLock lock_;
  std::string lines_;  // since the last flush()
};

}  // namespace lab::serving
