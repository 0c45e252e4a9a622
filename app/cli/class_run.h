// SPDX-License-Identifier: GPL-3.0-or-later
// A class from the command line's side: strategylab-class serves it, this program says how, tells what happens and
// writes the files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/experiments/comparison.h"

namespace lab::cli {

// What a class decides by itself, or does not have.
const std::vector<std::string_view>& optionsNotOfAClass();

// parameter-server where no strategy is named. UserError for options that are not of a class.
ResolvedSettings classSettings(GivenFields given);

// Weights, then moving statistics, as config.save says; nothing where it does not.
void saveClassWeights(const ResolvedSettings& config, const std::vector<float>& variables);

struct ClassRequest {
  std::string listen = "127.0.0.1:0";
  std::int64_t firstWorkers = 1;
  double deadlineSeconds = 5;
  bool json = false;
  int ownWorkers = 0;  // that are started here; the link is then nobody else's affair
  std::int64_t workerThreads = 1;
};
// Until the class is over, or Ctrl-C: the exit code.
int runClass(const ResolvedSettings& config, const ClassRequest& request);

}  // namespace lab::cli
