// SPDX-License-Identifier: GPL-3.0-or-later
// Separates the lines of several workers in the output of `mpirun --tag-output`. mpirun passes on pieces of at most 4
// kB, each after its writer's tag, so a long line contains tags, and other workers' pieces come in between.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lab::process {

// A line of output and its writer (-1: mpirun itself).
struct WorkerLine {
  int worker = -1;
  std::string text;
  bool isError = false;
};

class TaggedLines {
 public:
  // Takes a line of mpirun's output, without its end; returns the workers' lines that it completes.
  std::vector<WorkerLine> add(const std::string& line, bool isError);
  // Returns the remaining unfinished lines at the end of the output.
  std::vector<WorkerLine> rest();

 private:
  std::map<std::pair<int, bool>, std::string> begun_;  // per worker and stream
};

}  // namespace lab::process
