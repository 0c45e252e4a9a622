// SPDX-License-Identifier: GPL-3.0-or-later
// The TensorFlow program for a run's settings, as a teacher would write it: imports, strategy, input pipeline, scope
// and model, then Keras's fit or a custom training loop. A pure function of the settings. Every line says which beats
// of a step it does.
#pragma once

#include <string>

#include "core/strategy/program_lines.h"

namespace lab {

struct Program {
  ProgramLines lines;
  bool loop = false;          // also if fit was requested but cannot run; the program's head says why
  bool severalTasks = false;  // must be started once for each of several processes
  std::string title;          // "MirroredStrategy, 2 replicas"

  std::string text() const;  // a whole .py file
};

// `config` must be resolved. Throws a UserError if a comparison is requested but impossible.
Program makeProgram(const ResolvedSettings& config, const ProgramOptions& options);

}  // namespace lab
