// SPDX-License-Identifier: GPL-3.0-or-later
// A class from the command line's side: what happens (ClassRun) is told, and written to files.
#pragma once

#include <cstdint>

#include "core/experiments/comparison.h"
#include "core/launching/class_run.h"

namespace lab::cli {

// parameter-server where no strategy is named. UserError for options that are not of a class.
RunSettings classSettings(GivenFields given);

struct ClassRequest : ClassRun::Wishes {
  bool json = false;
  int ownWorkers = 0;  // that are started here; the link is then nobody else's affair
  std::int64_t workerThreads = 1;
};
// Until the class is over, or Ctrl-C: the exit code.
int runClass(const RunSettings& config, const ClassRequest& request);

}  // namespace lab::cli
