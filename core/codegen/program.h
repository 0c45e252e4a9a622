// SPDX-License-Identifier: GPL-3.0-or-later
// The TensorFlow program that does what a run's settings say, as a teacher would write it: imports, strategy, input
// pipeline, scope and model, then Keras's fit or a custom training loop. A pure function of the settings. Every line
// says which beats of a step it does.
#pragma once

#include <string>

#include "core/strategy/program_lines.h"

namespace lab {

struct Program {
  ProgramLines lines;
  bool loop = false;          // also where fit was asked for and does not run; the program's head says why
  bool severalTasks = false;  // it is started once for each of several processes
  std::string title;          // "MirroredStrategy, 2 replicas"

  std::string text() const;  // a whole .py file
};

// `config` is resolved; UserError where a comparison is asked for and there is none.
Program makeProgram(const ResolvedSettings& config, const ProgramOptions& options);

}  // namespace lab
