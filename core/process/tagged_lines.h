// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of several workers in what `mpirun --tag-output` writes. mpirun passes on pieces of at most 4 kB, each with
// its writer's tag before it, so a tag stands in the middle of a long line, and pieces of others between its own.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lab::process {

// A line of mpirun's output: who wrote it (-1: mpirun itself).
struct WorkerLine {
  int worker = -1;
  std::string text;
  bool isError = false;
};

class TaggedLines {
 public:
  // A line of mpirun's output, without its end: the workers' lines that end with it.
  std::vector<WorkerLine> add(const std::string& line, bool isError);
  // What is left of lines without an end, when the output is over.
  std::vector<WorkerLine> rest();

 private:
  std::map<std::pair<int, bool>, std::string> begun_;  // per worker and stream
};

}  // namespace lab::process
