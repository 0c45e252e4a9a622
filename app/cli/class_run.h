// SPDX-License-Identifier: GPL-3.0-or-later
// A class on the command line: reports what happens (ClassRun), and writes it to files.
#pragma once

#include <cstdint>

#include "core/classruns/class_run.h"
#include "core/experiments/comparison.h"

namespace lab::cli {

// Uses parameter-server if no strategy is named. Throws a UserError for options that a class does not have.
RunSettings classSettings(GivenFields given);

struct ClassRequest : ClassRun::Wishes {
  bool json = false;
  int ownWorkers = 0;  // workers started here; the link is then not shown to others
  std::int64_t workerThreads = 1;
};
// Runs until the class is over, or Ctrl-C; returns the exit code.
int runClass(const RunSettings& config, const ClassRequest& request);

}  // namespace lab::cli
